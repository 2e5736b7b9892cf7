"""Bradley–Terry strengths: values by hand, exact solutions, and what has no finite maximum."""

import math
import warnings
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sensemaking.coupling import NotConvergedError, bradley_terry, tally
from sensemaking.coupling import newton as newton_module


def gradient(wins: np.ndarray, log_strengths: np.ndarray) -> np.ndarray:
    """The derivative of the likelihood by each log strength, by its definition."""
    K = len(wins)
    out = np.zeros(K)
    for i in range(K):
        for j in range(K):
            p = 1 / (1 + math.exp(log_strengths[j] - log_strengths[i]))
            out[i] += wins[i, j] * (1 - p) - wins[j, i] * p
    return out


def consistent(strengths: np.ndarray) -> np.ndarray:
    return 1 / (1 + strengths[None, :] / strengths[:, None])


def noisy(K: int, votes: int = 20, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    theta = rng.normal(size=K)
    p = 1 / (1 + np.exp(theta[None, :] - theta[:, None]))
    upper = np.triu(rng.binomial(votes, p), 1)
    return (upper + np.triu(votes - upper, 1).T).astype(float)


def differences(values: np.ndarray) -> np.ndarray:
    return values[:, None] - values[None, :]


def test_an_item_without_a_finite_maximum_is_nan_and_the_rest_keeps_its_contrast():
    result = bradley_terry([[0, 5, 5], [0, 0, 3], [0, 2, 0]])
    assert result.components == [[0], [1, 2]]
    assert not result.finite
    assert result.reason == "no finite maximum: 2 components"
    np.testing.assert_allclose(result.strengths, [np.nan, 0.6, 0.4], atol=1e-12)
    assert result.log_ratio(1, 2) == pytest.approx(math.log(1.5), abs=1e-10)
    assert result.log_ratio(0, 1) is None
    for column in (result.log_strengths, result.standard_errors, result.log_standard_errors):
        assert np.isnan(column[0])
        assert np.isfinite(column[1:]).all()


def test_half_a_win_both_ways_on_each_observed_pair_makes_it_finite_and_says_so():
    result = bradley_terry([[0, 5, 5], [0, 0, 3], [0, 2, 0]], prior=0.5)
    np.testing.assert_allclose(result.log_strengths, [1.6044717, -0.6566686, -0.947803], atol=1e-7)
    assert result.log_ratio(1, 2) == pytest.approx(0.2911344, abs=1e-7)
    assert result.finite
    assert result.prior == 0.5
    assert result.components == [[0, 1, 2]]
    assert result.data_components == [[0], [1, 2]]


def test_groups_that_never_met_have_no_contrast_even_with_a_prior():
    wins = [[0, 3, 0, 0], [1, 0, 0, 0], [0, 0, 0, 2], [0, 0, 2, 0]]
    result = bradley_terry(wins)
    np.testing.assert_allclose(result.strengths, [0.75, 0.25, 0.5, 0.5], atol=1e-12)
    assert result.log_ratio(0, 1) == pytest.approx(1.0986122887, abs=1e-10)
    assert result.log_ratio(2, 3) == pytest.approx(0, abs=1e-12)
    assert result.log_ratio(0, 2) is None
    assert bradley_terry(wins, prior=0.5).components == [[0, 1], [2, 3]]


@pytest.mark.parametrize("wins", [[[0, 5], [0, 0]], [[0, 1, 0], [0, 0, 1], [0, 0, 0]]])
def test_results_without_any_upset_have_no_strengths_and_do_not_fail(wins):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = bradley_terry(wins)
    assert np.isnan(result.strengths).all()
    assert result.log_ratio(0, 1) is None
    assert not result.finite


def test_ties_are_half_wins():
    result = bradley_terry(tally([[0, 3], [1, 0]], [[0, 6], [6, 0]]).wins)
    assert result.log_ratio(0, 1) == pytest.approx(0.4054651081, abs=1e-10)


def test_four_items_below_a_dominating_one_keep_their_distances():
    P = np.array(
        [[0, 0.999, 0.999, 0.999], [0.001, 0, 0.6, 0.9], [0.001, 0.4, 0, 0.7], [0.001, 0.1, 0.3, 0]]
    )
    strengths = bradley_terry(P).strengths

    def slopes(*theta: mpmath.mpf) -> list[mpmath.mpf]:
        t = [*theta, mpmath.mpf(0)]
        return [
            sum(
                P[i, j] / (1 + mpmath.exp(t[i] - t[j])) - P[j, i] / (1 + mpmath.exp(t[j] - t[i]))
                for j in range(4)
                if j != i
            )
            for i in range(3)
        ]

    with mpmath.workdps(40):
        root = [mpmath.exp(x) for x in mpmath.findroot(slopes, (8, 1.7, 1.1))] + [mpmath.mpf(1)]
        exact = [float(x / sum(root)) for x in root]
    np.testing.assert_allclose(strengths, exact, rtol=1e-12)
    # A published fit of the same table that stops two parts in a million short of the maximum.
    np.testing.assert_allclose(
        np.log(strengths),
        np.log([0.9970049579, 0.0017460052, 0.0009376205, 0.0003114165]),
        atol=2e-6,
    )
    assert strengths[1] / strengths[2] == pytest.approx(1.8621663, abs=1e-7)


def test_two_items_have_the_standard_error_of_a_log_odds():
    result = bradley_terry([[0, 12], [4, 0]])
    # Var of ln(12/4) is 1/12 + 1/4; each centred log strength is half of it.
    np.testing.assert_allclose(result.log_standard_errors, math.sqrt(1 / 12 + 1 / 4) / 2)
    # Var of a share of 3/4 in 16.
    np.testing.assert_allclose(result.standard_errors, math.sqrt(0.75 * 0.25 / 16))


def test_standard_errors_are_those_of_the_pseudo_inverse():
    wins = noisy(9, votes=6, seed=4)
    result = bradley_terry(wins)
    s = result.strengths
    p = s[:, None] / (s[:, None] + s[None, :])
    weights = (wins + wins.T) * p * p.T
    np.fill_diagonal(weights, 0)
    covariance = np.linalg.pinv(np.diag(weights.sum(axis=1)) - weights)
    np.testing.assert_allclose(result.log_standard_errors, np.sqrt(np.diag(covariance)), rtol=1e-9)
    J = np.diag(s) - np.outer(s, s)
    np.testing.assert_allclose(
        result.standard_errors, np.sqrt(np.diag(J @ covariance @ J.T)), rtol=1e-9
    )


def test_standard_errors_shrink_with_the_root_of_the_number_of_votes():
    once, often = bradley_terry(noisy(6)), bradley_terry(100 * noisy(6))
    np.testing.assert_allclose(often.log_standard_errors, once.log_standard_errors / 10)
    np.testing.assert_allclose(often.standard_errors, once.standard_errors / 10)


def test_standard_errors_of_far_apart_groups_do_not_drown_those_within():
    wins = consistent(np.array([1, 0.5, 1e-9, 0.3e-9]))
    result = bradley_terry(wins)
    with mpmath.workdps(60):
        s = [mpmath.mpf(x) for x in ("1", "0.5", "1e-9", "0.3e-9")]
        L = mpmath.zeros(4)
        for i in range(4):
            for j in range(4):
                if i != j:
                    L[i, j] = -s[i] * s[j] / (s[i] + s[j]) ** 2
                    L[i, i] -= L[i, j]
        inverse = (L + mpmath.ones(4) / 4) ** -1
        expected = [float(mpmath.sqrt(inverse[i, i] - mpmath.mpf(1) / 4)) for i in range(4)]
    np.testing.assert_allclose(result.log_standard_errors, expected, rtol=1e-6)


def test_one_item_has_all_the_strength():
    result = bradley_terry([[0.0]])
    np.testing.assert_array_equal(result.strengths, [1.0])
    assert result.finite
    assert result.reason is None


@pytest.mark.parametrize("diagonal", [0.0, 5.0, -3.0, np.nan, np.inf])
def test_the_diagonal_does_not_matter(diagonal):
    wins = noisy(6)
    expected = bradley_terry(wins)
    np.fill_diagonal(wins, diagonal)
    for table in (wins, np.asfortranarray(wins), wins.tolist()):
        result = bradley_terry(table)
        np.testing.assert_array_equal(result.strengths, expected.strengths)
        np.testing.assert_array_equal(result.standard_errors, expected.standard_errors)


@pytest.mark.parametrize("rule", ["GRADIENT_TOLERANCE", "STEP_TOLERANCE"])
def test_each_part_of_the_stopping_rule_alone_brings_the_gradient_to_nearly_0(rule, monkeypatch):
    monkeypatch.setattr(newton_module, rule, math.inf)
    assert bradley_terry(noisy(30)).gradient <= 1e-10


def test_the_gradient_is_0_at_the_result_and_the_result_says_how_near():
    wins = noisy(30)
    result = bradley_terry(wins)
    slopes = gradient(wins, result.log_strengths)
    p = 1 / (1 + np.exp(-differences(result.log_strengths)))
    terms = (wins * (1 - p)).sum(axis=1) + (wins.T * p).sum(axis=1)
    assert np.abs(slopes / terms).max() <= 1e-12
    assert 0 <= result.gradient <= 1e-10


def test_a_fit_that_does_not_arrive_raises(monkeypatch):
    monkeypatch.setattr(newton_module, "MAX_ITERATIONS", 2)
    with pytest.raises(
        NotConvergedError, match="no maximum of the likelihood after 2 Newton steps"
    ):
        bradley_terry(noisy(10))


def test_wins_too_small_to_be_weighed_raise():
    with (
        pytest.raises(NotConvergedError, match="use a prior"),
        np.errstate(all="ignore"),
    ):
        bradley_terry([[0, 1e300], [1e-300, 0]])


@pytest.mark.parametrize("prior", [-0.5, math.nan, math.inf])
def test_an_unusable_prior_is_refused(prior):
    with pytest.raises(ValueError, match="prior"):
        bradley_terry([[0, 1], [1, 0]], prior=prior)


def test_the_input_is_left_as_it_was():
    wins = noisy(5)
    wins[0, 0] = np.nan
    before = wins.copy()
    bradley_terry(wins, prior=1.0)
    np.testing.assert_array_equal(wins, before)


@given(st.lists(st.integers(1, 1000), min_size=2, max_size=10))
def test_expected_wins_give_exact_rational_strengths_back(weights):
    wins = [[float(Fraction(a, a + b)) for b in weights] for a in weights]
    result = bradley_terry(wins)
    total = sum(weights)
    expected = [float(Fraction(a, total)) for a in weights]
    np.testing.assert_allclose(result.strengths, expected, rtol=1e-12)
    assert result.strengths.sum() == pytest.approx(1, abs=1e-14)


@pytest.mark.parametrize("gap", [1e-3, 1e-6, 1e-9, 1e-12, 1e-15, 1e-30, 1e-100])
def test_nearly_separable_groups_keep_all_their_distances(gap):
    strengths = np.array([1, 0.5, gap, 0.3 * gap, 3 * gap])
    result = bradley_terry(consistent(strengths))
    found = differences(result.log_strengths)
    np.testing.assert_allclose(found, differences(np.log(strengths)), atol=1e-11)
    assert np.isfinite(result.log_standard_errors).all()


@pytest.mark.parametrize("gap", [1e-9, 1e-15, 1e-30])
def test_groups_within_groups_keep_all_their_distances(gap):
    strengths = np.array([1, gap, 0.5, gap**2, 0.25, 0.1 * gap])
    found = differences(bradley_terry(consistent(strengths)).log_strengths)
    np.testing.assert_allclose(found, differences(np.log(strengths)), atol=1e-10)


def test_a_single_upset_between_two_groups_sets_their_distance():
    # At the maximum the four sure wins expect as many upsets, 4q, as there are: 1e-15.
    wins = np.array([[0, 3, 1, 1], [2, 0, 1, 1], [0, 1e-15, 0, 5], [0, 0, 4, 0.0]])
    log_strengths = bradley_terry(wins).log_strengths
    assert log_strengths[0] - log_strengths[1] == pytest.approx(math.log(3 / 2), abs=1e-12)
    assert log_strengths[2] - log_strengths[3] == pytest.approx(math.log(5 / 4), abs=1e-12)
    upsets = sum(
        1 / (1 + math.exp(log_strengths[i] - log_strengths[j])) for i in (0, 1) for j in (2, 3)
    )
    assert upsets == pytest.approx(1e-15, rel=1e-9)


@pytest.mark.parametrize(("K", "ratio"), [(2, 2.0), (50, 1e6), (60, 1e12), (400, 2.0), (800, 2.0)])
def test_a_chain_keeps_each_link_though_its_ends_are_beyond_the_range_of_floats(K, ratio):
    links = np.arange(K - 1)
    wins = np.zeros((K, K))
    wins[links, links + 1], wins[links + 1, links] = ratio, 1
    result = bradley_terry(wins)
    np.testing.assert_allclose(-np.diff(result.log_strengths), math.log(ratio), atol=1e-11)
    assert np.isfinite(result.strengths).all()
    assert result.strengths.sum() == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("K", [2, 3, 100, 400, 2000])
def test_any_number_of_items_gets_its_consistent_strengths_back(K):
    strengths = np.exp(np.random.default_rng(K).normal(size=K))
    result = bradley_terry(20 * consistent(strengths))
    np.testing.assert_allclose(result.strengths, strengths / strengths.sum(), rtol=1e-10)


def test_a_sparse_schedule_of_many_items_converges():
    rng = np.random.default_rng(5)
    K = 1500
    strengths = np.exp(rng.normal(size=K))
    met = rng.random((K, K)) < 10 / K
    met |= met.T | (np.roll(np.eye(K), 1, axis=1) > 0) | (np.roll(np.eye(K), 1, axis=0) > 0)
    result = bradley_terry(np.where(met, 7 * consistent(strengths), 0))
    np.testing.assert_allclose(result.strengths, strengths / strengths.sum(), rtol=1e-8)


tables = st.integers(2, 7).flatmap(
    lambda K: st.lists(
        st.sampled_from([0, 0, 1, 2, 5, 0.5, 1e-4]), min_size=K * K, max_size=K * K
    ).map(lambda entries: np.array(entries, dtype=float).reshape(K, K))
)


@given(tables)
@settings(deadline=None)
def test_each_component_is_where_its_own_gradient_is_0(wins):
    np.fill_diagonal(wins, 0)
    result = bradley_terry(wins)
    for part in result.components:
        inside = wins[np.ix_(part, part)]
        if len(part) > 1:
            logs = result.log_strengths[part]
            assert logs.mean() == pytest.approx(0, abs=1e-9)
            assert np.abs(gradient(inside, logs)).max() <= 1e-9 * max(1, inside.max())
            assert result.strengths[part].sum() == pytest.approx(1, abs=1e-12)
    assert not np.isinf(np.concatenate([result.strengths, result.log_standard_errors])).any()


@given(tables, st.randoms(use_true_random=False))
@settings(deadline=None)
def test_renumbering_the_items_renumbers_the_strengths(wins, random):
    order = list(range(len(wins)))
    random.shuffle(order)
    result = bradley_terry(wins)
    renumbered = bradley_terry(wins[np.ix_(order, order)])
    np.testing.assert_allclose(renumbered.strengths, result.strengths[order], rtol=1e-9)
    np.testing.assert_allclose(
        renumbered.log_standard_errors, result.log_standard_errors[order], rtol=1e-5
    )


@given(tables, tables)
@settings(deadline=None)
def test_unrelated_items_change_no_digit(wins, others):
    K, M = len(wins), len(others)
    both = np.zeros((K + M, K + M))
    both[:K, :K], both[K:, K:] = wins, others
    result, alone = bradley_terry(both), bradley_terry(wins)
    np.testing.assert_array_equal(result.strengths[:K], alone.strengths)
    np.testing.assert_array_equal(result.standard_errors[:K], alone.standard_errors)


@given(tables, st.sampled_from([0.125, 3.0, 1e6]))
@settings(deadline=None)
def test_counting_everything_several_times_changes_no_strength(wins, factor):
    np.testing.assert_allclose(
        bradley_terry(factor * wins).strengths, bradley_terry(wins).strengths, rtol=1e-9
    )


@given(tables)
@settings(deadline=None)
def test_turning_all_results_round_turns_the_strengths_round(wins):
    np.testing.assert_allclose(
        bradley_terry(wins.T).log_strengths, -bradley_terry(wins).log_strengths, atol=1e-8
    )
