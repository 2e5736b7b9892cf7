import dataclasses
import math
import random
import subprocess
import sys
import tracemalloc
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import rankdata

from sensemaking.seeds import generator
from sensemaking.stats import MeanInterval, Statistic, _bootstrap_means, mean, mean_interval, ranks

Array = npt.NDArray[np.float64]


def rng(item: str = "") -> np.random.Generator:
    return generator(1, "test", item)


def sample(n: int, n_clusters: int, seed: int = 0) -> tuple[Array, list[str]]:
    """Values of several magnitudes in clusters of several sizes, a tenth missing."""
    source = np.random.default_rng(seed)
    values = source.normal(size=n) * 10.0 ** source.integers(-3, 4, n)
    values[source.random(n) < 0.1] = np.nan
    return values, [f"section/{i}" for i in source.integers(0, n_clusters, n)]


def naive_means(values: Array, clusters: list[str], draws: int) -> list[float]:
    """The bootstrap one draw and one cluster at a time, from the same stream."""
    members = {
        cluster: [v for v, c in zip(values, clusters, strict=True) if c == cluster and v == v]
        for cluster in sorted(set(clusters))
    }
    groups = [group for group in members.values() if group]
    source = rng()
    means = []
    for _ in range(draws):
        drawn: list[float] = []
        for position in source.integers(len(groups), size=len(groups)):
            drawn.extend(groups[position])
        means.append(math.fsum(drawn) / len(drawn))
    return means


# Statistic


def test_a_statistic_is_a_number_or_has_a_reason() -> None:
    assert float(Statistic(value=0.5, n=2)) == 0.5
    assert math.isnan(float(Statistic(value=None, n=0, reason="no values")))
    with pytest.raises(ValueError, match="needs a reason"):
        Statistic(value=None, n=0)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_a_statistic_refuses_what_is_not_finite(value: float) -> None:
    with pytest.raises(ValueError, match="must be finite"):
        Statistic(value=value, n=1)


@pytest.mark.parametrize(("n", "n_missing"), [(-1, 0), (1, -1)])
def test_a_statistic_refuses_negative_counts(n: int, n_missing: int) -> None:
    with pytest.raises(ValueError, match="counts must be 0 or more"):
        Statistic(value=1.0, n=n, n_missing=n_missing)


def test_a_statistic_cannot_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Statistic(value=1.0, n=1).value = 2.0  # type: ignore[misc]


# mean


def test_a_mean_leaves_missing_values_out_and_counts_them() -> None:
    assert mean([1.0, None, -0.5]) == Statistic(value=0.25, n=2, n_missing=1)


@pytest.mark.parametrize("values", [[], [None, math.nan]])
def test_a_mean_of_nothing_is_undefined(values: list[float | None]) -> None:
    assert mean(values) == Statistic(value=None, n=0, reason="no values", n_missing=len(values))


def test_a_mean_does_not_depend_on_order_or_leave_the_range_of_the_values() -> None:
    values = [1e16, 1.0, -1e16, 3.0]
    assert mean(values).value == mean(values[::-1]).value == 1.0
    for n in range(1, 200):
        assert mean([0.1] * n).value == 0.1


# mean_interval


def test_mean_and_sd_are_those_of_the_values_that_are_there() -> None:
    found = mean_interval([1, None, 4, math.nan, 7], list("abcde"), rng())
    assert found == MeanInterval(
        value=4.0,
        n=3,
        reason="fewer than 5 clusters",
        n_missing=2,
        n_clusters=3,
        sd=3.0,
        ci_low=None,
        ci_high=None,
        level=0.95,
        draws=10_000,
        ddof=1,
    )
    assert mean_interval([1, 4, 7], list("abc"), rng(), ddof=0).sd == pytest.approx(math.sqrt(6))


def test_the_interval_is_that_of_a_bootstrap_one_draw_at_a_time() -> None:
    values, clusters = sample(60, 9)
    found = mean_interval(values, clusters, rng(), draws=500)
    low, high = np.quantile(naive_means(values, clusters, 500), [0.025, 0.975])
    assert found.ci_low == pytest.approx(low, rel=1e-12)
    assert found.ci_high == pytest.approx(high, rel=1e-12)
    wide = mean_interval(values, clusters, rng(), draws=500, level=0.99)
    low, high = np.quantile(naive_means(values, clusters, 500), [0.005, 0.995])
    assert wide.ci_low == pytest.approx(low, rel=1e-12)
    assert wide.ci_high == pytest.approx(high, rel=1e-12)
    assert (wide.level, wide.draws) == (0.99, 500)


def test_independent_values_have_the_interval_of_the_normal_approximation() -> None:
    values = np.random.default_rng(2).normal(50, 10, 400)
    found = mean_interval(values, [f"{i:03}" for i in range(400)], rng())
    assert found.value is not None
    assert found.sd is not None
    half = 1.96 * found.sd / 20
    assert found.ci_low == pytest.approx(found.value - half, abs=0.05 * half)
    assert found.ci_high == pytest.approx(found.value + half, abs=0.05 * half)


def test_values_alike_within_clusters_widen_the_interval() -> None:
    per_cluster = np.random.default_rng(4).normal(size=100)
    values, clusters = np.repeat(per_cluster, 9), np.repeat([f"{i:03}" for i in range(100)], 9)
    clustered = mean_interval(values, clusters, rng(), draws=2000)
    single = mean_interval(values, [str(i) for i in range(900)], rng(), draws=2000)

    def width(found: MeanInterval) -> float:
        assert found.ci_low is not None
        assert found.ci_high is not None
        return found.ci_high - found.ci_low

    assert width(clustered) / width(single) == pytest.approx(3, rel=0.1)
    assert clustered.value == single.value


def test_the_order_of_rows_changes_no_bit() -> None:
    values, clusters = sample(300, 12)
    expected = mean_interval(values, clusters, rng(), draws=300)
    shuffler = random.Random(5)
    for _ in range(20):
        order = shuffler.sample(range(300), 300)
        shuffled = mean_interval(values[order], [clusters[i] for i in order], rng(), draws=300)
        assert shuffled == expected


def test_the_same_seed_gives_the_same_interval_and_another_seed_another() -> None:
    values, clusters = sample(100, 10)
    first = mean_interval(values, clusters, rng())
    assert mean_interval(values, clusters, rng()) == first
    assert mean_interval(values, clusters, rng("other")).ci_low != first.ci_low


def test_the_kind_of_sequence_that_holds_the_ids_does_not_matter() -> None:
    values, clusters = sample(100, 10)
    expected = mean_interval(values, clusters, rng(), draws=50)
    for same in (np.array(clusters), np.array(clusters, dtype=object), iter(clusters)):
        assert mean_interval(values, same, rng(), draws=50) == expected


def test_equal_values_have_an_interval_without_width() -> None:
    found = mean_interval([0.1] * 70, [str(i % 7) for i in range(70)], rng(), draws=100)
    assert (found.value, found.sd, found.ci_low, found.ci_high) == (0.1, 0.0, 0.1, 0.1)


def test_a_cluster_without_a_value_is_neither_counted_nor_drawn() -> None:
    values, clusters = [1.0, 2, 3, 4, 9], list("abcde")
    expected = mean_interval(values, clusters, rng(), draws=200)
    found = mean_interval([None, *values, None], ["_", *clusters, "z"], rng(), draws=200)
    assert dataclasses.replace(found, n_missing=0) == expected
    assert (found.n_clusters, found.n_missing) == (5, 2)


def test_below_five_clusters_there_is_no_interval_and_from_five_on_there_is() -> None:
    four = mean_interval(range(8), list("aabbccdd"), rng())
    assert (four.ci_low, four.ci_high, four.reason) == (None, None, "fewer than 5 clusters")
    assert four.value == 3.5
    five = mean_interval(range(8), list("aabbccde"), rng(), draws=50)
    assert five.reason is None
    assert five.ci_low is not None
    assert five.ci_high is not None
    assert five.ci_low < 3.5 < five.ci_high
    assert mean_interval(range(8), list("aabbccdd"), rng(), min_clusters=4).reason is None


def test_one_value_has_a_mean_but_no_sd_and_none_has_neither() -> None:
    one = mean_interval([None, 5], ["a", "b"], rng())
    assert (one.value, one.sd, one.ci_low) == (5.0, None, None)
    assert one.reason == "fewer than 2 values"
    for values in ([], [None, math.nan]):
        none = mean_interval(values, ["a"] * len(values), rng())
        assert (none.value, none.sd, none.ci_low, none.ci_high) == (None,) * 4
        assert (none.n, none.n_clusters, none.reason) == (0, 0, "no values")


def test_names_like_na_are_clusters_like_any_other() -> None:
    names = ["NA", "null", "None", "nan", "007"]
    assert mean_interval([1.0, 2, 3, 4, 5], names, rng(), draws=20).n_clusters == 5


@pytest.mark.parametrize(
    ("values", "clusters", "error", "message"),
    [
        ([1.0, 2.0], ["a"], ValueError, "same length, found 2 and 1"),
        ([1.0, math.inf], ["a", "b"], ValueError, r"values\[1\] is inf"),
        ([[1.0], [2.0]], ["a", "b"], ValueError, "one dimension"),
        (["1", "2"], ["a", "b"], ValueError, "values must be numbers"),
        ([1.0, 2.0], ["a", None], ValueError, "missing ids"),
        ([1.0, 2.0], ["a", math.nan], ValueError, "missing ids"),
        ([1.0, 2.0], ["a", 7], TypeError, "one type, found int, str"),
        ([1.0, 2.0], "ab", TypeError, "list of ids"),
    ],
)
def test_input_that_cannot_be_meant_is_an_error(
    values: list[float], clusters: list[str], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        mean_interval(values, clusters, rng())


@pytest.mark.parametrize(
    "setting", [{"draws": 0}, {"level": 1.0}, {"level": 0.0}, {"min_clusters": 0}, {"ddof": -1}]
)
def test_a_setting_out_of_its_range_is_an_error(setting: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=f"{next(iter(setting))}="):
        mean_interval([1.0], ["a"], rng(), **setting)


@pytest.mark.parametrize(
    "call", [lambda r: mean_interval([1.0], ["a"], r), lambda r: ranks([1], r)]
)
@pytest.mark.parametrize("seed", [0, None, np.random.RandomState(0)])
def test_a_seed_is_no_generator(call: Callable[[object], object], seed: object) -> None:
    with pytest.raises(TypeError, match="rng must be a numpy Generator"):
        call(seed)


def test_the_size_of_chunks_moves_no_value() -> None:
    sums, sizes = np.random.default_rng(1).normal(size=11), np.arange(1, 12)
    whole = _bootstrap_means(sums, sizes, rng(), 101, chunk_bytes=10**9)
    for rows in (0, 1, 3, 50):
        chunked = _bootstrap_means(sums, sizes, rng(), 101, chunk_bytes=rows * 8 * 11)
        np.testing.assert_array_equal(chunked, whole)


def test_memory_stays_below_64_megabytes_for_many_clusters() -> None:
    values = np.random.default_rng(0).normal(size=100_000)
    clusters = [f"{'some long section name ' * 8}{i % 12_000}" for i in range(100_000)]
    tracemalloc.start()
    try:
        found = mean_interval(values, clusters, rng(), draws=700)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert found.n_clusters == 12_000
    # All draws at once would take 3 × 67 MB, and the ids as an array of fixed width 76 MB.
    assert peak < 64_000_000


# ranks


def test_the_largest_value_has_rank_n() -> None:
    assert ranks([0.2, 0.9, -3.0, 0.5], rng()).tolist() == [2, 4, 1, 3]


def test_equal_values_share_the_mean_rank() -> None:
    assert ranks([1, 3, 3, 2, 3], rng()).tolist() == [1, 4, 4, 2, 4]
    assert ranks([5, 5], rng()).tolist() == [1.5, 1.5]


def test_missing_is_worst_then_undefined_then_the_values() -> None:
    found = ranks([0.5, None, -math.inf, -7, -math.inf, math.nan], rng())
    assert sorted([found[1], found[5]]) == [1, 2]
    assert found[[2, 4]].tolist() == [3.5, 3.5]
    assert found[[3, 0]].tolist() == [5, 6]


def test_ties_among_missing_are_broken_by_the_draw_and_all_orders_occur() -> None:
    orders = {tuple(ranks([math.nan] * 3, rng(str(i))).tolist()) for i in range(200)}
    assert len(orders) == 6
    assert all(sorted(order) == [1, 2, 3] for order in orders)
    assert ranks([math.nan] * 9, rng()).tolist() == ranks([math.nan] * 9, rng()).tolist()


def test_nothing_is_drawn_where_fewer_than_two_are_missing() -> None:
    source = rng()
    before = source.bit_generator.state
    assert ranks([1, None, 2], source).tolist() == [2, 1, 3]
    assert source.bit_generator.state == before


def test_values_equal_to_six_decimals_tie() -> None:
    assert ranks([0.1 + 0.2, 0.3, 0.300001], rng()).tolist() == [1.5, 1.5, 3]
    assert ranks([0.30000004, 0.3], rng()).tolist() == [1.5, 1.5]
    assert ranks([0.30000004, 0.3], rng(), decimals=9).tolist() == [2, 1]
    assert ranks([1e308, 1.1e308, -1e308], rng()).tolist() == [2, 3, 1]


@settings(deadline=None)
@given(st.lists(st.none() | st.just(-math.inf) | st.integers(-5, 5), max_size=12))
def test_ranks_sum_up_and_agree_with_scipy(values: list[float | None]) -> None:
    found = ranks(values, rng())
    n = len(values)
    assert found.sum() == n * (n + 1) / 2
    there = np.array([value is not None for value in values], dtype=bool)
    n_missing = n - int(there.sum())
    expected = n_missing + rankdata([value for value in values if value is not None])
    np.testing.assert_array_equal(found[there], expected)
    assert sorted(found[~there]) == list(range(1, n_missing + 1))


@pytest.mark.parametrize("values", [[1, math.inf], [[1, 2]], ["1"]])
def test_ranks_refuse_infinity_and_what_is_no_series(values: list[float]) -> None:
    with pytest.raises(ValueError, match="values"):
        ranks(values, rng())


def test_importing_stats_does_not_wait_for_scipy() -> None:
    program = "import sys; import sensemaking.stats; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout.split()
    assert "numpy" in loaded
    assert not {"scipy", "pandas", "torch"} & set(loaded)
