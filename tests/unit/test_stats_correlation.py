import itertools
import math
import warnings
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sensemaking.stats import KENDALL_TAU_B, Statistic, kendall_tau_b, pearson

BOTH = pytest.mark.parametrize("correlation", [pearson, kendall_tau_b])
Correlation = Callable[[object, object], Statistic]
PAIRS = st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), min_size=3, max_size=25)


def naive_tau_b(x: tuple[int, ...], y: tuple[int, ...]) -> float:
    score = untied_x = untied_y = 0
    for (a, b), (c, d) in itertools.combinations(zip(x, y, strict=True), 2):
        score += ((a > c) - (a < c)) * ((b > d) - (b < d))
        untied_x += a != c
        untied_y += b != d
    return score / math.sqrt(untied_x * untied_y)


def test_kendall_corrects_for_ties_on_both_sides() -> None:
    found = kendall_tau_b([1, 2, 2, 3, 4, 4], [1, 3, 2, 3, 5, 4])
    assert found.value == pytest.approx(0.88949918, abs=5e-9)
    assert found.value == pytest.approx(12 / math.sqrt(13 * 14))
    assert (found.n, found.reason) == (6, None)
    assert KENDALL_TAU_B.label == "Kendall τ-b"


@settings(deadline=None)
@given(PAIRS)
def test_kendall_equals_a_count_over_all_pairs(pairs: list[tuple[int, int]]) -> None:
    x, y = zip(*pairs, strict=True)
    assume(len(set(x)) > 1 and len(set(y)) > 1)
    assert kendall_tau_b(x, y).value == naive_tau_b(x, y)


def test_kendall_is_exact_for_many_values() -> None:
    rng = np.random.default_rng(6)
    x, y = rng.integers(0, 50, 2000), rng.integers(0, 70, 2000)
    signs_x, signs_y = np.sign(np.subtract.outer(x, x)), np.sign(np.subtract.outer(y, y))
    score = int((signs_x * signs_y).sum()) // 2
    untied = int((signs_x != 0).sum()) // 2 * (int((signs_y != 0).sum()) // 2)
    assert kendall_tau_b(x, y).value == score / math.sqrt(untied)


@settings(deadline=None)
@given(PAIRS)
def test_pearson_equals_the_definition(pairs: list[tuple[int, int]]) -> None:
    x, y = zip(*pairs, strict=True)
    assume(len(set(x)) > 1 and len(set(y)) > 1)
    found = pearson(x, y)
    dx, dy = np.subtract(x, np.mean(x)), np.subtract(y, np.mean(y))
    expected = (dx * dy).sum() / math.sqrt((dx**2).sum() * (dy**2).sum())
    assert found.value == pytest.approx(expected, abs=1e-12)
    assert -1 <= float(found) <= 1


@BOTH
@pytest.mark.parametrize(
    "x",
    [
        [70, 70, 70, 70],
        [70, 70, 70, 70.0000000000001],
        [0.1 + 0.2, 0.3, 0.3, 0.3],
        [0.1 + 0.2 - 0.3, 0.0, 0.0, 0.0],
        [-1e9, -1e9 + 1e-7, -1e9, -1e9],
        [0, 0, 0, 0],
        [70, 70, 70, 70, None],
    ],
)
def test_a_constant_series_has_no_correlation_nor_one_made_of_rounding_noise(
    correlation: Correlation, x: list[float]
) -> None:
    y = [10, 20, 30, 40, 50][: len(x)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for found in (correlation(x, y), correlation(y, x)):
            assert (found.value, found.n, found.reason) == (None, 4, "constant")


@BOTH
def test_a_small_but_real_spread_has_a_correlation(correlation: Correlation) -> None:
    x = [70, 70.0001, 70.0002, 70.0003]
    assert correlation(x, [1, 2, 3, 4]).value == pytest.approx(1)
    assert correlation(np.multiply(x, -1e-6), [1, 2, 3, 4]).value == pytest.approx(-1)


@BOTH
def test_two_pairs_have_a_value_that_is_marked(correlation: Correlation) -> None:
    assert correlation([50, 60], [3, 9]) == Statistic(value=1.0, n=2, reason="n below 3")
    assert correlation([50, 60], [9, 3]) == Statistic(value=-1.0, n=2, reason="n below 3")
    assert correlation([50, 50], [9, 3]) == Statistic(value=None, n=2, reason="constant")
    assert correlation([50, 60, 55], [9, 3, 7]).reason is None


@BOTH
def test_fewer_than_two_pairs_have_no_correlation(correlation: Correlation) -> None:
    assert correlation([55], [60]) == Statistic(value=None, n=1, reason="n below 3")
    assert correlation([], []) == Statistic(value=None, n=0, reason="n below 3")
    assert correlation([55, 1], [60, None]) == Statistic(
        value=None, n=1, reason="n below 3", n_missing=1
    )


@BOTH
def test_incomplete_pairs_are_left_out_and_counted(correlation: Correlation) -> None:
    x = [1, 2, None, 4, 7, math.nan]
    y = [2, 1, 5, None, 9, math.nan]
    complete = correlation([1, 2, 7], [2, 1, 9])
    assert correlation(x, y) == Statistic(value=complete.value, n=3, n_missing=3)


@BOTH
def test_a_perfect_correlation_never_passes_one(correlation: Correlation) -> None:
    rng = np.random.default_rng(0)
    for _ in range(100):
        x = rng.random(7)
        up, down = correlation(x, 3 * x + 0.1), correlation(x, -x)
        assert up.value is not None
        assert down.value is not None
        assert 1 - 1e-12 < up.value <= 1
        assert -1 <= down.value < -1 + 1e-12


@BOTH
@pytest.mark.parametrize(
    ("x", "y", "message"),
    [
        ([1, 2, 3], [1, 2], "same length, found 3 and 2"),
        ([1, math.inf, 3], [1, 2, 3], r"x\[1\] is inf"),
        ([1, 2, 3], [1, 2, -math.inf], r"y\[2\] is -inf"),
        ([[1, 2, 3]], [1, 2, 3], "x must have one dimension"),
        ([1, 2, 3], ["1", "2", "3"], "y must be numbers"),
    ],
)
def test_input_that_cannot_be_meant_is_an_error(
    correlation: Correlation, x: object, y: object, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        correlation(x, y)
