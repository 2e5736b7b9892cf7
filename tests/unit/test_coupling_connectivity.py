"""Components of the graph of wins, and the order of components."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensemaking.coupling import components, limit_levels


def wins(K: int, *results: tuple[int, int, float]) -> np.ndarray:
    table = np.zeros((K, K))
    for i, j, n in results:
        table[i, j] = n
    return table


def test_an_item_that_never_lost_stands_alone():
    table = wins(3, (0, 1, 5), (0, 2, 5), (1, 2, 3), (2, 1, 2))
    assert components(table) == [[0], [1, 2]]
    np.testing.assert_array_equal(limit_levels(table), [2, 1, 1])


def test_groups_that_never_met_are_components_without_an_order():
    table = wins(4, (0, 1, 3), (1, 0, 1), (2, 3, 2), (3, 2, 2))
    assert components(table) == [[0, 1], [2, 3]]
    assert limit_levels(table) is None


def test_a_chain_of_sure_wins_is_all_components_in_order():
    table = wins(3, (2, 1, 1), (1, 0, 1))
    assert components(table) == [[0], [1], [2]]
    np.testing.assert_array_equal(limit_levels(table), [1, 2, 3])


def test_results_of_one_kind_only_are_two_components():
    assert components([[0, 5], [0, 0]]) == [[0], [1]]


def test_two_items_that_both_lost_to_a_third_have_no_order():
    assert limit_levels(wins(3, (0, 1, 1), (0, 2, 1))) is None


def test_components_that_loop_through_others_have_no_cycle_left():
    table = wins(5, (0, 1, 1), (1, 2, 1), (2, 0, 1), (2, 3, 1), (3, 4, 1), (4, 3, 1))
    assert components(table) == [[0, 1, 2], [3, 4]]
    np.testing.assert_array_equal(limit_levels(table), [2, 2, 2, 1, 1])


def test_one_item_is_one_component():
    assert components([[0.0]]) == [[0]]
    np.testing.assert_array_equal(limit_levels([[0.0]]), [1])


def test_the_diagonal_says_nothing():
    assert components([[7, 1], [0, np.nan]]) == [[0], [1]]


def test_nan_both_ways_is_a_pair_that_was_not_asked():
    assert components([[0, np.nan], [np.nan, 0]]) == [[0], [1]]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ([[0, np.nan], [1, 0]], r"wins\[0, 1\] = nan is NaN but its other direction"),
        ([[0, 1], [-1, 0]], r"wins\[1, 0\] = -1\.0 is negative"),
        ([[0, 1], [np.inf, 0]], r"wins\[1, 0\] = inf is not finite"),
        ([[0, 1, 2], [1, 0, 2]], "K × K"),
        (np.zeros((0, 0)), "K × K"),
    ],
)
def test_unusable_tables_are_refused_by_name(table, message):
    with pytest.raises(ValueError, match=message):
        components(table)


graphs = st.integers(1, 8).flatmap(
    lambda K: st.lists(
        st.sampled_from([0.0, 0.0, 0.0, 1.0, 0.5]), min_size=K * K, max_size=K * K
    ).map(lambda entries: np.array(entries).reshape(K, K))
)


def reachable(table: np.ndarray) -> np.ndarray:
    """Whether there is a path from i to j: the closure by repeated squaring."""
    above = (table > 0) | np.eye(len(table), dtype=bool)
    for _ in range(len(table)):
        above = above @ above
    return above


@given(graphs)
def test_components_are_the_classes_of_items_that_reach_each_other(table):
    np.fill_diagonal(table, 0)
    mutual = reachable(table) & reachable(table).T
    expected = sorted({tuple(np.flatnonzero(row).tolist()) for row in mutual})
    assert components(table) == [list(part) for part in expected]


@given(graphs)
def test_levels_exist_exactly_if_each_two_components_are_joined_by_a_path(table):
    np.fill_diagonal(table, 0)
    above = reachable(table)
    levels = limit_levels(table)
    assert (levels is not None) == bool((above | above.T).all())
    if levels is not None:
        np.testing.assert_array_equal(levels[:, None] >= levels[None, :], above)


@pytest.mark.parametrize("K", [2, 50, 2000])
def test_a_long_cycle_is_one_component_and_without_a_link_none(K):
    table = np.roll(np.eye(K), 1, axis=1)
    assert components(table) == [list(range(K))]
    table[K - 1, 0] = 0
    assert components(table) == [[index] for index in range(K)]
