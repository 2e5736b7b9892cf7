"""PKPD coupling: values by hand, refusals and properties."""

import math
import warnings
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensemaking.coupling import MissingPairsError, pkpd


def complete(upper: list[float], K: int) -> np.ndarray:
    """The table whose upper triangle, row by row, is given."""
    P = np.full((K, K), np.nan)
    P[np.triu_indices(K, 1)] = upper
    lower = np.tril_indices(K, -1)
    P[lower] = 1 - P.T[lower]
    return P


def consistent(strengths: list[float]) -> np.ndarray:
    s = np.array(strengths, dtype=float)
    return s[:, None] / (s[:, None] + s[None, :])


@pytest.mark.parametrize(
    ("upper", "raw", "raw_sum", "strengths"),
    [
        ([0.625, 5 / 7, 0.6], [0.5, 0.3, 0.2], 1.0, [0.5, 0.3, 0.2]),
        (
            [0.6, 0.9, 0.5],
            [0.5625, 0.2857142857, 0.0909090909],
            0.9391233766,
            [0.5989628348, 0.3042350912, 0.096802074],
        ),
        ([0.99, 0.01, 0.99], [0.0099989899] * 3, 0.0299969697, [1 / 3] * 3),
        ([1, 1, 1], [1, 0, 0], 1, [1, 0, 0]),
    ],
)
def test_three_items_have_the_values_worked_out_by_hand(upper, raw, raw_sum, strengths):
    result = pkpd(complete(upper, 3), clip=0.0)
    np.testing.assert_allclose(result.raw, raw, atol=1e-10)
    assert result.raw_sum == pytest.approx(raw_sum, abs=1e-9)
    np.testing.assert_allclose(result.strengths, strengths, atol=1e-10)
    assert not result.uniform


def test_a_cycle_of_sure_wins_is_uniform_with_a_flag_and_without_a_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = pkpd(complete([1, 0, 1], 3), clip=0.0)
    np.testing.assert_array_equal(result.raw, [0, 0, 0])
    assert result.raw_sum == 0
    assert result.uniform
    np.testing.assert_array_equal(result.strengths, [1 / 3] * 3)


def test_two_items_keep_their_probability():
    np.testing.assert_allclose(pkpd(complete([0.73], 2)).strengths, [0.73, 0.27], atol=1e-15)


def test_one_item_has_all_the_strength():
    np.testing.assert_array_equal(pkpd([[np.nan]]).strengths, [1.0])


def test_four_items_below_a_dominating_one_are_in_order_and_marked_as_saturated():
    result = pkpd(complete([0.999, 0.999, 0.999, 0.6, 0.9, 0.7], 4))
    np.testing.assert_allclose(
        result.raw, [0.997005988, 0.0009992228, 0.0009980751, 0.0009887937], rtol=1e-6
    )
    assert result.raw[1] / result.raw[2] == pytest.approx(1.0011499, abs=1e-7)
    np.testing.assert_array_equal(result.saturated, [False, True, True, True])


def test_hard_votes_are_ordered_by_the_clip_and_marked():
    clipped = pkpd(complete([1, 1, 1], 3), clip=1e-3)
    np.testing.assert_allclose(clipped.strengths, [0.998499004, 0.001000497, 0.0005004993])
    assert clipped.clip == 1e-3
    np.testing.assert_array_equal(clipped.saturated, [False, True, True])
    unclipped = pkpd(complete([1, 1, 1], 3), clip=0.0)
    np.testing.assert_array_equal(unclipped.strengths, [1, 0, 0])
    np.testing.assert_array_equal(unclipped.saturated, [False, True, True])


def test_nothing_is_saturated_among_undecided_answers():
    assert not pkpd(np.full((5, 5), 0.5)).saturated.any()


def test_log_strengths_have_mean_0_and_none_for_a_strength_of_0():
    logs = pkpd(consistent([4, 2, 1])).log_strengths
    np.testing.assert_allclose(logs, [math.log(2), 0, -math.log(2)], atol=1e-12)
    without = pkpd(complete([1, 1, 0.5], 3), clip=0.0).log_strengths
    assert without[0] == 0
    assert np.isnan(without[1:]).all()


def test_missing_pairs_are_refused_by_name():
    P = complete([0.6, 0.7, np.nan, 0.5, 0.5, 0.5], 4)
    P[3, 1] = np.nan
    with pytest.raises(MissingPairsError, match=r"2 have no probability: 0–3, 1–3") as caught:
        pkpd(P)
    assert caught.value.pairs == [(0, 3), (1, 3)]


def test_many_missing_pairs_are_counted():
    with pytest.raises(MissingPairsError, match=r"0–10 and 180 more"):
        pkpd(np.full((20, 20), np.nan))


@pytest.mark.parametrize("K", [3, 400])
@pytest.mark.parametrize(
    ("value", "other", "message"),
    [
        (1.2, -0.2, "not a probability"),
        (math.inf, -math.inf, "not a probability"),
        (0.8, 0.7, "must be 1"),
        (1.0, 1.0, "must be 1"),
    ],
)
def test_bad_probabilities_are_refused_by_name(K, value, other, message):
    P = consistent(list(range(1, K + 1)))
    P[0, 2], P[2, 0] = value, other
    with pytest.raises(ValueError, match=rf"P\[(0, 2|2, 0)\].*{message}"):
        pkpd(P)


def test_deviations_that_cancel_in_all_sums_are_still_found():
    P = np.full((4, 4), 0.5)
    for i, j, sign in ((0, 1, 1), (1, 2, -1), (2, 3, 1), (3, 0, -1)):
        P[i, j] += sign * 0.1
        P[j, i] += sign * 0.1
    np.testing.assert_allclose(P.sum(axis=1), 2.0)
    with pytest.raises(ValueError, match="must be 1"):
        pkpd(P)


def test_probabilities_of_six_digits_are_accepted_rounded_or_cut_off():
    P = np.floor(1e6 * consistent([1, 3, 7, 11])) / 1e6
    assert P[0, 3] + P[3, 0] < 1 - 5e-7
    np.testing.assert_allclose(pkpd(P).strengths, np.array([1, 3, 7, 11]) / 22, atol=1e-5)


@pytest.mark.parametrize("shape", [(2, 3), (0, 0), (4,)])
def test_a_table_that_is_not_square_is_refused(shape):
    with pytest.raises(ValueError, match="K × K"):
        pkpd(np.full(shape, 0.5))


@pytest.mark.parametrize("clip", [-0.1, 0.5, math.nan])
def test_a_clip_out_of_range_is_refused(clip):
    with pytest.raises(ValueError, match="clip"):
        pkpd(np.full((2, 2), 0.5), clip=clip)


@pytest.mark.parametrize("diagonal", [0.0, 0.5, -3.0, 7.0, np.nan, np.inf])
@pytest.mark.parametrize("clip", [0.0, 1e-3])
def test_the_diagonal_and_the_memory_order_do_not_matter(diagonal, clip):
    P = consistent([1, 2, 3, 4])
    expected = pkpd(P, clip=clip)
    np.fill_diagonal(P, diagonal)
    for table in (P, np.asfortranarray(P), np.repeat(P, 2, axis=1)[:, ::2], P.tolist()):
        result = pkpd(table, clip=clip)
        np.testing.assert_allclose(result.strengths, expected.strengths, rtol=1e-15)
        assert not result.saturated.any()


def test_minus_zero_is_a_lost_pair_like_zero():
    P = complete([1, 1, 0.5, 0.5, 0.5, 0], 4)
    expected = pkpd(P, clip=0.0)
    P[3, 0], P[2, 3], P[1, 0] = 0.5, -0.0, -0.0
    P[3, 2], P[0, 3] = 1.0, 0.5
    result = pkpd(P, clip=0.0)
    np.testing.assert_array_equal(result.strengths, expected.strengths)
    assert not np.signbit(result.raw).any()


def test_the_input_is_left_as_it_was():
    P = complete([0.9999, 0.2, 0.7], 3)
    before = P.copy()
    pkpd(P)
    np.testing.assert_array_equal(P, before)


@given(st.lists(st.integers(1, 50), min_size=2, max_size=12))
def test_consistent_probabilities_give_their_strengths_back(weights):
    P = [[Fraction(a, a + b) for b in weights] for a in weights]
    exact = [
        1 / (sum(1 / p for j, p in enumerate(row) if j != i) - (len(weights) - 2))
        for i, row in enumerate(P)
    ]
    assert sum(exact) == 1
    result = pkpd([[float(p) for p in row] for row in P])
    np.testing.assert_allclose(result.strengths, [float(value) for value in exact], rtol=1e-12)
    assert result.raw_sum == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("K", [2, 3, 283, 400, 2000])
def test_consistent_probabilities_of_any_number_of_items_give_their_strengths_back(K):
    strengths = np.random.default_rng(K).uniform(1, 9, K)
    result = pkpd(consistent(list(strengths)))
    np.testing.assert_allclose(result.strengths, strengths / strengths.sum(), rtol=1e-10)


tables = st.integers(2, 8).flatmap(
    lambda K: st.lists(
        st.floats(0, 1).map(lambda p: round(p, 3)),
        min_size=K * (K - 1) // 2,
        max_size=K * (K - 1) // 2,
    ).map(lambda upper: complete(upper, K))
)


@given(tables, st.randoms(use_true_random=False), st.sampled_from([0.0, 1e-3, 0.1]))
def test_renumbering_the_items_renumbers_the_strengths(P, random, clip):
    order = list(range(len(P)))
    random.shuffle(order)
    result, renumbered = pkpd(P, clip=clip), pkpd(P[np.ix_(order, order)], clip=clip)
    np.testing.assert_allclose(renumbered.strengths, result.strengths[order], rtol=1e-12)
    np.testing.assert_array_equal(renumbered.saturated, result.saturated[order])


@given(tables, st.sampled_from([0.0, 1e-3, 0.1]))
def test_raw_values_lie_between_0_and_1_and_strengths_sum_to_1(P, clip):
    result = pkpd(P, clip=clip)
    assert ((result.raw >= 0) & (result.raw <= 1)).all()
    assert result.strengths.sum() == pytest.approx(1, abs=1e-12)
    if clip:
        assert (result.raw > 0).all()


@given(tables)
def test_an_item_at_least_as_good_against_everyone_is_at_least_as_strong(P):
    strengths = pkpd(P).strengths
    K = len(P)
    for i in range(K):
        for j in range(K):
            others = [k for k in range(K) if k not in (i, j)]
            if i != j and P[i, j] >= 0.5 and (P[i, others] >= P[j, others]).all():
                assert strengths[i] >= strengths[j] * (1 - 1e-12)


def test_what_is_rounded_beyond_the_clip_is_clipped_though_nothing_is_below_it() -> None:
    # P[1, 0] is 1 - P[0, 1] within the tolerance, and above 1 - clip.
    P = [[0.5, 0.001, 0.6], [0.9990015, 0.5, 0.7], [0.4, 0.3, 0.5]]
    raw = pkpd(P, clip=0.001).raw
    assert raw[1] == pytest.approx(1 / (1 / 0.999 + 1 / 0.7 - 1), rel=1e-12)
