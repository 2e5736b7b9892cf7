"""Pearson's r with a cluster bootstrap."""

import numpy as np
import pytest

from sensemaking.scoring.correlation_interval import MANY_CONSTANT_DRAWS, pearson_interval


def _rng() -> np.random.Generator:
    return np.random.default_rng(7)


def test_the_value_is_that_of_numpy_and_the_interval_holds_it() -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(size=60)
    y = x + rng.normal(size=60)
    clusters = [f"s{i // 3}" for i in range(60)]
    found = pearson_interval(x, y, clusters, _rng())
    assert found.value == pytest.approx(np.corrcoef(x, y)[0, 1])
    assert found.ci_low is not None
    assert found.ci_high is not None
    assert found.ci_low < found.value < found.ci_high
    assert (found.n, found.n_clusters, found.reason) == (60, 20, None)


def test_the_interval_is_that_of_drawing_rows_of_whole_clusters_one_by_one() -> None:
    rng = np.random.default_rng(2)
    x, y = rng.normal(size=24), rng.normal(size=24)
    codes = np.arange(24) // 4
    found = pearson_interval(x, y, [f"s{c}" for c in codes], _rng(), draws=20_000)
    plain = np.random.default_rng(3)
    drawn = []
    for _ in range(20_000):
        rows = np.concatenate([np.flatnonzero(codes == c) for c in plain.integers(6, size=6)])
        drawn.append(np.corrcoef(x[rows], y[rows])[0, 1])
    low, high = np.quantile(drawn, [0.025, 0.975])
    assert found.ci_low == pytest.approx(low, abs=0.02)
    assert found.ci_high == pytest.approx(high, abs=0.02)


def test_few_clusters_give_a_value_without_an_interval() -> None:
    found = pearson_interval([1, 2, 3, 5], [1, 3, 2, 5], ["a", "a", "b", "b"], _rng())
    assert found.value is not None
    assert (found.ci_low, found.ci_high) == (None, None)
    assert found.reason == "fewer than 5 clusters"


def test_series_that_are_constant_but_for_one_cluster_have_no_interval() -> None:
    x = [0.0] * 9 + [1.0]
    found = pearson_interval(x, x, [f"s{i}" for i in range(10)], _rng())
    assert found.value == pytest.approx(1.0)
    assert found.reason == MANY_CONSTANT_DRAWS
    assert found.ci_low is None


def test_missing_values_drop_their_pair_and_its_cluster() -> None:
    x = [1, 2, 3, 4, 5, np.nan]
    y = [2, 1, 4, 3, 5, 6]
    found = pearson_interval(x, y, list("abcdef"), _rng())
    assert (found.n, found.n_missing, found.n_clusters) == (5, 1, 5)


def test_a_wrong_number_of_clusters_is_refused() -> None:
    with pytest.raises(ValueError, match="3 pairs, but 2 clusters"):
        pearson_interval([1, 2, 3], [1, 2, 3], ["a", "b"], _rng())
