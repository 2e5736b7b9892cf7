"""Both orders, ties and rankings before they are coupled."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sensemaking.coupling
from sensemaking.coupling import (
    MissingPairsError,
    bradley_terry,
    components,
    pkpd,
    position_gap,
    symmetrise,
    tally,
    wins_from_answers,
    wins_from_rankings,
)


def asked(q_ab: float, q_ba: float) -> np.ndarray:
    return np.array([[np.nan, q_ab], [q_ba, np.nan]])


@pytest.mark.parametrize(
    ("q_ab", "q_ba", "probability", "gap"),
    [
        (0.8, 0.7, 0.55, 0.5),
        (1.0, 1.0, 0.5, 1.0),
        (0.0, 0.0, 0.5, 1.0),
        (0.9, 0.1, 0.9, 0.0),
        (1.0, 0.0, 1.0, 0.0),
    ],
)
def test_both_orders_give_their_mean_and_their_gap(q_ab, q_ba, probability, gap):
    P, gaps = symmetrise(asked(q_ab, q_ba)), position_gap(asked(q_ab, q_ba))
    assert P[0, 1] == pytest.approx(probability, abs=1e-15)
    assert P[1, 0] == 1 - P[0, 1]
    assert gaps[0, 1] == gaps[1, 0] == pytest.approx(gap, abs=1e-15)


def test_a_pair_asked_in_one_order_only_is_missing_and_not_filled_in():
    q = np.array([[np.nan, 0.8, 0.6], [0.7, np.nan, np.nan], [0.5, 0.4, np.nan]])
    P, gaps, wins = symmetrise(q), position_gap(q), wins_from_answers(q)
    assert np.isnan(P[1, 2])
    assert np.isnan(P[2, 1])
    assert np.isnan(gaps[1, 2])
    assert wins[1, 2] == wins[2, 1] == 0
    with pytest.raises(MissingPairsError, match="1–2"):
        pkpd(P)
    assert bradley_terry(wins).finite


def test_two_answers_are_two_votes():
    wins = wins_from_answers(asked(0.8, 0.7))
    np.testing.assert_allclose(wins, [[0, 1.1], [0.9, 0]], atol=1e-15)


@pytest.mark.parametrize("value", [-0.1, 1.5, np.inf])
def test_an_answer_that_is_no_probability_is_refused(value):
    with pytest.raises(ValueError, match=r"q\[0, 1\].*from 0 to 1"):
        symmetrise(asked(value, 0.5))


def test_answers_that_are_not_square_are_refused():
    with pytest.raises(ValueError, match="K × K"):
        position_gap(np.zeros((2, 3)))


@given(st.lists(st.floats(0.2, 0.8), min_size=9, max_size=9), st.floats(-0.2, 0.2))
def test_a_constant_preference_for_a_place_cancels(entries, bias):
    fair = np.array(entries).reshape(3, 3)
    fair = np.triu(fair, 1) + np.tril(1 - fair.T, -1)
    off = ~np.eye(3, dtype=bool)
    np.testing.assert_allclose(symmetrise(fair + bias)[off], fair[off], atol=1e-12)
    np.testing.assert_allclose(position_gap(fair + bias)[off], 2 * abs(bias), atol=1e-12)


@pytest.mark.parametrize(
    ("win", "loss", "tie", "rate", "share"), [(2, 2, 36, 0.5, 0.9), (3, 1, 6, 0.6, 0.6)]
)
def test_a_tie_is_half_a_win_for_each_side(win, loss, tie, rate, share):
    result = tally([[0, win], [loss, 0]], [[0, tie], [tie, 0]])
    assert result.win_rate[0, 1] == pytest.approx(rate)
    assert result.win_rate[1, 0] == pytest.approx(1 - rate)
    assert result.tie_share[0, 1] == result.tie_share[1, 0] == pytest.approx(share)
    assert result.wins[0, 1] + result.wins[1, 0] == win + loss + tie


def test_a_pair_that_never_met_has_no_rate():
    result = tally(np.zeros((2, 2)), np.zeros((2, 2)))
    assert np.isnan(result.win_rate).all()
    assert np.isnan(result.tie_share).all()
    np.testing.assert_array_equal(result.wins, np.zeros((2, 2)))


def test_a_tie_that_only_one_side_has_is_refused():
    with pytest.raises(ValueError, match=r"ties\[0, 1\] = 1\.0 but ties\[1, 0\] = 0\.0"):
        tally(np.zeros((2, 2)), [[0, 1], [0, 0]])


def test_wins_and_ties_of_different_sizes_are_refused():
    with pytest.raises(ValueError, match="same shape"):
        tally(np.zeros((2, 2)), np.zeros((3, 3)))


def test_a_triplet_is_three_comparisons():
    wins = wins_from_rankings([("b", "a", "c"), ("b", "c", "a"), ("a", "b", "c")], ["a", "b", "c"])
    np.testing.assert_array_equal(wins, [[0, 1, 2], [2, 0, 3], [1, 0, 0]])
    assert components(wins) == [[0, 1, 2]]


def test_rankings_of_two_and_none_are_counted():
    np.testing.assert_array_equal(wins_from_rankings([(7, 9)], [9, 7]), [[0, 0], [1, 0]])
    np.testing.assert_array_equal(wins_from_rankings([], ["a", "b"]), np.zeros((2, 2)))


@pytest.mark.parametrize(
    ("rankings", "items", "message"),
    [
        ([("a", "x")], ["a", "b"], "ranking 0 holds 'x', which is not in items"),
        ([("a", "b"), ("a", "a")], ["a", "b"], "ranking 1 must hold two or more distinct"),
        ([("a",)], ["a", "b"], "two or more"),
        ([], ["a", "a"], "distinct"),
    ],
)
def test_unusable_rankings_are_refused_by_number(rankings, items, message):
    with pytest.raises(ValueError, match=message):
        wins_from_rankings(rankings, items)


def test_the_package_gives_functions_and_never_modules():
    for name in sensemaking.coupling.__all__:
        assert callable(getattr(sensemaking.coupling, name)), name
