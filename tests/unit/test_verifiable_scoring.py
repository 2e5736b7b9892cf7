"""Scores of judges: cases by hand, both conventions, and judges that decide nothing."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sensemaking.verifiable import (
    CRITERIA,
    Count,
    Judged,
    Noisy,
    answers_from_values,
    differing,
    documents,
    facts,
    generate,
    recount,
    score,
    truth_correlation,
    truth_of,
)
from sensemaking.verifiable.scoring import kendall_of_strengths

DATA = generate()
COUNTS = recount(DATA)
DOCUMENTS = documents(DATA)


def answers(upper: list[float], K: int, gap: float = 0.0) -> np.ndarray:
    """Answers that symmetrise to the given upper triangle, both orders `gap` apart."""
    q = np.full((K, K), np.nan)
    first, second = np.triu_indices(K, 1)
    q[first, second] = np.array(upper) + gap / 2
    q[second, first] = 1 - np.array(upper) + gap / 2
    return q


def judged(upper: list[float], truth: list[float], name: str = "X", gap: float = 0.0) -> Judged:
    items = tuple(f"{name}{index}" for index in range(len(truth)))
    return Judged(name, items, answers(upper, len(truth), gap), np.array(truth))


def of_generated(judge, criterion) -> list[Judged]:
    return [
        Judged(
            document.document,
            document.items,
            judge(document)[criterion],
            truth_of(COUNTS, criterion, document.document, document.items),
        )
        for document in DOCUMENTS
    ]


def test_an_undecided_answer_is_half_right_or_a_vote_for_the_second_item():
    # Truth a > b > c; a–b undecided, a–c right with 0.9, b–c wrong with 0.4.
    case = [judged([0.5, 0.9, 0.4], [3, 2, 1])]
    default, published = score(case, "accuracy"), score(case, "accuracy", convention="published")
    assert default.pairs_right.value == pytest.approx(1.5 / 3)
    assert published.pairs_right.value == pytest.approx(1 / 3)
    # Default: 0.5, 0.9, 0.4 against 0.5, 0.1, 0.6. Published: a–b 0.5 and b–c 0.4 for the first,
    # a–c turned round, so 0.1, for the second.
    assert default.auc.value == pytest.approx((1.5 + 3 + 1) / 9)
    assert published.auc.value == pytest.approx(1.0)
    assert set(differing(default, published)) == {"pairs_right", "auc"}
    assert default.n_undecided == published.n_undecided == 1
    assert default.pairs_right.n == 3


def test_an_undecided_answer_is_right_by_the_published_convention_if_the_second_is_better():
    result = score([judged([0.5], [1, 2])], "accuracy", convention="published")
    assert result.pairs_right.value == 1.0


def test_rounding_does_not_decide_an_undecided_answer():
    case = [judged([0.5 + 1e-12], [2, 1]), judged([0.5 - 1e-12], [2, 1], "Y")]
    assert score(case, "accuracy").pairs_right.value == 0.5
    assert score(case, "accuracy").n_undecided == 2


def test_the_published_turning_round_counts_on_across_documents():
    case = [judged([0.8], [2, 1], "A"), judged([0.9, 0.3, 0.6], [1, 2, 3], "B")]
    # 0.8 first better; 0.9 turned: 0.1 first better; 0.3 second better; 0.6 turned: 0.4 first.
    result = score(case, "accuracy", convention="published")
    assert result.auc.value == pytest.approx(2 / 3)


def test_the_published_turning_round_does_not_count_pairs_that_are_tied_in_truth():
    case = [judged([0.8, 0.3, 0.99], [2, 1, 1], "A"), judged([0.9, 0.3, 0.6], [1, 2, 3], "B")]
    # 0.8 first; 0.3 turned: 0.7 second; 0.9 second; 0.3 turned: 0.7 first; 0.6 second.
    result = score(case, "accuracy", convention="published")
    assert result.auc.value == pytest.approx((2 + 1.5) / 6)
    assert result.auc.n == 5


def test_the_auc_by_default_does_not_depend_on_which_item_comes_first():
    upper, truth = [0.7, 0.2, 0.9, 0.6, 0.35, 0.5], [1, 4, 2, 3]
    case = judged(upper, truth)
    order = [2, 0, 3, 1]
    turned = Judged("X", case.items, case.q[np.ix_(order, order)], case.truth[order])
    one, other = score([case], "accuracy"), score([turned], "accuracy")
    assert one.auc.value == pytest.approx(other.auc.value, abs=1e-12)
    assert one.pairs_right == other.pairs_right


def test_pairs_tied_in_truth_are_left_out():
    result = score([judged([0.9, 0.1, 0.2], [2, 2, 1])], "accuracy")
    assert result.pairs_right.n == 2
    assert result.pairs_right.value == 0.0
    assert result.auc.value == pytest.approx(0.0)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_a_judge_without_errors_has_every_figure_at_its_best(criterion):
    result = score(of_generated(facts, criterion), criterion)
    for figure in (result.pairs_right, result.auc, result.tau_pkpd, result.tau_bradley_terry):
        assert figure.value == pytest.approx(1.0, abs=1e-12)
    assert result.tau_pkpd_sd == pytest.approx(0, abs=1e-12)
    assert result.top.value == 1
    assert result.position_bias.value == pytest.approx(0, abs=1e-12)
    assert result.position_gap.value == pytest.approx(0, abs=1e-12)
    assert result.consistency.value == 1
    assert result.raw_sum.value == pytest.approx(1, abs=2e-3)
    assert result.criterion == criterion
    assert [one.document for one in result.documents] == [f"D{n}" for n in range(1, 7)]


@pytest.mark.parametrize("criterion", CRITERIA)
def test_sure_answers_without_an_upset_are_ordered_in_the_limit_and_say_so(criterion):
    def sure(document):
        return {
            criterion: answers_from_values(
                truth_of(COUNTS, criterion, document.document, document.items)
            )
        }

    result = score(of_generated(sure, criterion), criterion)
    assert result.tau_bradley_terry.value == pytest.approx(1.0)
    assert result.tau_pkpd.value == pytest.approx(1.0)
    first = result.documents[0]
    assert not first.bradley_terry.finite
    n = 6 if criterion == "accuracy" else 12
    assert first.tau_bradley_terry.reason == f"order in the limit of {n} components"


def test_the_order_in_the_limit_goes_by_component_and_then_by_strength():
    # a beats all, e loses to all; of the others b has 1.2 wins in 2, c 1.0 and d 0.8.
    upper = [1, 1, 1, 1, 0.9, 0.3, 1, 0.9, 1, 1]
    result = score([judged(upper, [5, 2, 3, 4, 1])], "accuracy").documents[0]
    logs = result.bradley_terry.log_strengths
    assert np.isnan(logs[[0, 4]]).all()
    assert logs[1] > logs[2] > logs[3]
    # By the truth it is d, c, b: 3 of 10 pairs the wrong way round.
    assert result.tau_bradley_terry.value == pytest.approx((7 - 3) / 10)
    assert result.tau_bradley_terry.n == 5


def test_a_judge_that_always_takes_the_first_decides_nothing_and_nothing_fails():
    def first(document):
        return {"completeness": np.ones((12, 12))}

    case = of_generated(first, "completeness")
    default = score(case, "completeness")
    published = score(case, "completeness", convention="published")
    assert default.pairs_right.value == 0.5
    assert default.n_undecided == 396
    assert default.auc.value == published.auc.value == 0.5
    share = sum(
        one.truth[i] < one.truth[j] for one in case for i in range(12) for j in range(i + 1, 12)
    )
    assert published.pairs_right.value == pytest.approx(share / 396)
    for figure in (default.tau_pkpd, default.tau_bradley_terry):
        assert figure.value is None
        assert figure.reason == "constant"
        assert figure.n_missing == 6
    assert default.tau_pkpd_sd is None
    assert default.position_bias.value == 0.5
    assert default.position_gap.value == 1.0
    assert default.consistency.value == 0.0
    assert default.top.value == pytest.approx(1 / 12)
    assert default.raw_sum.value == pytest.approx(1.0)
    for one in default.documents:
        np.testing.assert_allclose(one.pkpd.strengths, 1 / 12)
        np.testing.assert_allclose(one.bradley_terry.strengths, 1 / 12)


@pytest.mark.parametrize("seed", range(5))
def test_hard_answers_that_mostly_take_the_first_have_finite_figures(seed):
    rng = np.random.default_rng(seed)

    def mostly_first(document):
        truth = truth_of(COUNTS, "accuracy", document.document, document.items)
        right = (truth[:, None] > truth[None, :]).astype(float)
        return {"accuracy": np.where(rng.random((12, 12)) < 0.8, 1.0, right)}

    for convention in ("default", "published"):
        result = score(of_generated(mostly_first, "accuracy"), "accuracy", convention=convention)
        assert 0.2 < result.tau_pkpd.value <= 1
        assert 0.2 < result.tau_bradley_terry.value <= 1
        assert result.position_bias.value > 0.3
        assert result.n_undecided > 200
        assert result.auc.value > 0.5


def test_ties_among_hard_answers_do_not_depend_on_the_order_of_their_sums():
    # Each item wins once, loses once and ties twice, so that all strengths are equal.
    P = np.full((5, 5), 0.5)
    for i in range(5):
        P[i, (i + 1) % 5], P[(i + 1) % 5, i] = 1, 0
    upper = P[np.triu_indices(5, 1)]
    result = score([judged(list(upper), [1, 2, 3, 4, 5])], "accuracy").documents[0]
    assert result.tau_pkpd.reason == "constant"
    assert result.tau_bradley_terry.reason == "constant"


def test_strengths_that_agree_to_nine_decimals_are_tied():
    truth = [1, 2, 3, 4]
    assert kendall_of_strengths(truth, [0, 1, 1 + 1e-12, 2]).value == pytest.approx(
        5 / math.sqrt(5 * 6)
    )
    assert kendall_of_strengths(truth, [0, 1, 1 + 1e-8, 2]).value == pytest.approx(1)


def test_tau_is_tau_b():
    # 12 concordant, 0 discordant, 2 tied in x alone, 1 in y alone.
    tau = kendall_of_strengths([1, 2, 2, 3, 4, 4], [1, 3, 2, 3, 5, 4])
    assert tau.value == pytest.approx(0.88949918, abs=1e-8)
    assert tau.value == pytest.approx(12 / math.sqrt(14 * 13))


def test_a_missing_answer_leaves_its_pair_out_and_is_counted():
    q = answers([0.9, 0.8, 0.7], 3)
    q[1, 2] = np.nan
    result = score([Judged("X", ("a", "b", "c"), q, np.array([3, 2, 1]))], "accuracy")
    assert (result.pairs_right.value, result.pairs_right.n, result.pairs_right.n_missing) == (
        1,
        2,
        1,
    )
    assert result.auc.n_missing == 1
    assert (result.position_gap.n, result.position_gap.n_missing) == (2, 1)
    one = result.documents[0]
    assert one.pkpd is None
    assert one.tau_pkpd.value is None
    assert one.tau_pkpd.reason == "1 pairs missing"
    assert one.top is None
    assert result.tau_pkpd.reason == "1 pairs missing"
    assert one.tau_bradley_terry.value is not None


def test_an_item_without_any_answer_is_left_out_of_the_bradley_terry_ranking():
    q = answers([0.9, 0.5, 0.8, 0.5, 0.5, 0.5], 4)
    q[2, :] = q[:, 2] = np.nan
    result = score([Judged("X", tuple("abcd"), q, np.array([4, 3, 2, 1]))], "accuracy")
    tau = result.documents[0].tau_bradley_terry
    assert (tau.n, tau.n_missing) == (3, 1)
    assert tau.reason is None
    assert tau.value == pytest.approx(1 / 3)


def test_groups_that_were_never_compared_have_no_tau():
    q = np.full((4, 4), np.nan)
    q[0, 1], q[1, 0], q[2, 3], q[3, 2] = 0.8, 0.3, 0.6, 0.1
    result = score([Judged("X", tuple("abcd"), q, np.array([4, 3, 2, 1]))], "accuracy")
    tau = result.documents[0].tau_bradley_terry
    assert tau.value is None
    assert tau.reason == "no finite maximum: 2 components, not in one order"


def test_no_answer_at_all_gives_reasons_and_no_number():
    q = np.full((3, 3), np.nan)
    result = score([Judged("X", tuple("abc"), q, np.array([3, 2, 1]))], "accuracy")
    for figure in (
        result.pairs_right,
        result.auc,
        result.tau_pkpd,
        result.tau_bradley_terry,
        result.position_bias,
        result.consistency,
        result.raw_sum,
        result.top,
    ):
        assert figure.value is None
        assert figure.reason
    assert result.pairs_right.n_missing == 3


def test_pairs_that_all_point_one_way_have_an_auc_by_default_only():
    case = [judged([0.8], [2, 1])]
    assert score(case, "accuracy").auc.value == 1.0
    published = score(case, "accuracy", convention="published").auc
    assert published.value is None
    assert published.reason == "all pairs point one way"


def test_the_standard_deviation_has_ddof_0():
    case = [judged([0.8, 0.9, 0.7], [3, 2, 1], "A"), judged([0.8, 0.9, 0.7], [3, 1, 2], "B")]
    result = score(case, "accuracy")
    np.testing.assert_allclose([one.tau_pkpd.value for one in result.documents], [1, 1 / 3])
    assert result.tau_pkpd.value == pytest.approx(2 / 3)
    assert result.tau_pkpd_sd == pytest.approx(1 / 3)
    assert result.tau_bradley_terry_sd == pytest.approx(1 / 3)


def test_the_top_item_may_be_any_of_the_best_ones_or_by_the_published_page_the_first():
    case = [judged([0.3, 0.8, 0.9], [2, 2, 1])]
    assert score(case, "accuracy").top.value == 1.0
    assert score(case, "accuracy", convention="published").top.value == 0.0


def test_position_bias_is_signed_and_the_gap_is_not():
    first = score([judged([0.5, 0.6, 0.7], [3, 2, 1], gap=0.2)], "accuracy")
    assert first.position_bias.value == pytest.approx(0.1)
    assert first.position_gap.value == pytest.approx(0.2)
    second = score([judged([0.5, 0.6, 0.7], [3, 2, 1], gap=-0.2)], "accuracy")
    assert second.position_bias.value == pytest.approx(-0.1)
    assert second.position_gap.value == pytest.approx(0.2)


def test_orders_agree_fully_half_or_not_at_all():
    def consistency(q_ab: float, q_ba: float) -> float:
        q = np.array([[np.nan, q_ab], [q_ba, np.nan]])
        return score([Judged("X", ("a", "b"), q, np.array([2, 1]))], "accuracy").consistency.value

    assert consistency(0.9, 0.2) == 1
    assert consistency(0.5, 0.5) == 1
    assert consistency(0.9, 0.5) == 0.5
    assert consistency(0.9, 0.9) == 0


def test_a_noisy_judge_shows_the_position_and_the_errors_it_was_given():
    results = {
        name: score(of_generated(judge, "completeness"), "completeness")
        for name, judge in (
            ("none", Noisy(1, error=0.0, position=0.0)),
            ("first", Noisy(1, error=0.0, position=1.0)),
            ("second", Noisy(1, error=0.0, position=-1.0)),
            ("errors", Noisy(1, error=0.3, position=0.0)),
        )
    }
    assert results["first"].position_bias.value > 0.05
    assert results["second"].position_bias.value == pytest.approx(
        -results["first"].position_bias.value, abs=1e-6
    )
    # A constant preference for a place cancels from the order; errors do not.
    assert results["first"].tau_bradley_terry.value == pytest.approx(1)
    assert results["errors"].pairs_right.value < results["none"].pairs_right.value - 0.05
    assert results["errors"].consistency.value < 0.75


def test_the_prior_and_the_clip_are_used():
    case = [judged([1, 1, 1], [3, 2, 1])]
    plain = score(case, "accuracy").documents[0]
    eased = score(case, "accuracy", prior=0.5, clip=0.1).documents[0]
    assert not plain.bradley_terry.finite
    assert eased.bradley_terry.finite
    assert eased.bradley_terry.prior == 0.5
    assert eased.tau_bradley_terry.reason is None
    assert (plain.pkpd.clip, eased.pkpd.clip) == (1e-3, 0.1)


def test_without_a_clip_items_that_surely_lost_are_tied_at_the_bottom():
    result = score([judged([1, 1, 1], [3, 2, 1])], "accuracy", clip=0.0).documents[0]
    assert result.tau_pkpd.value == pytest.approx(2 / math.sqrt(2 * 3))


def test_truth_counts_errors_down_and_mentions_up():
    counts = [Count("X", "a", 7, 2), Count("X", "b", 9, 0), Count("Y", "a", 5, 5)]
    np.testing.assert_array_equal(truth_of(counts, "accuracy", "X", ["b", "a"]), [0, -2])
    np.testing.assert_array_equal(truth_of(counts, "completeness", "X", ["a", "b"]), [7, 9])
    with pytest.raises(ValueError, match="X c: 0 rows of counts"):
        truth_of(counts, "accuracy", "X", ["c"])
    with pytest.raises(ValueError, match="X a: 2 rows of counts"):
        truth_of([*counts, counts[0]], "accuracy", "X", ["a"])


def test_the_correlation_of_the_truths_is_pearsons_over_all_summaries():
    counts = [Count("X", "a", 1, 1), Count("X", "b", 2, 3), Count("Y", "a", 3, 2)]
    assert truth_correlation(counts).value == pytest.approx(0.5)
    assert truth_correlation(counts).n == 3


@pytest.mark.parametrize(
    ("q", "truth", "message"),
    [
        (np.full((2, 2), 0.5), [1, 2, 3], "3 items need 3 × 3 answers"),
        (np.full((3, 3), 0.5), [1, 2], "3 finite truths"),
        (np.full((3, 3), 0.5), [1, 2, np.nan], "finite truths"),
        (np.full((3, 3), 1.5), [1, 2, 3], "not a probability"),
    ],
)
def test_answers_and_truths_that_do_not_fit_are_refused(q, truth, message):
    with pytest.raises(ValueError, match=message):
        Judged("X", ("a", "b", "c"), q, np.array(truth))


def test_an_unknown_convention_and_a_document_twice_are_refused():
    with pytest.raises(ValueError, match="convention must be default or published"):
        score([], "accuracy", convention="other")
    with pytest.raises(ValueError, match="each document is scored once, found X, X"):
        score([judged([0.5], [1, 2]), judged([0.5], [1, 2])], "accuracy")


hard = st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=16, max_size=16)


@given(hard, st.permutations(range(4)))
@settings(deadline=None)
def test_hard_answers_of_any_kind_give_the_same_score_in_any_order_of_items(entries, order):
    q = np.array(entries).reshape(4, 4)
    truth = np.array([2.0, 2.0, 1.0, 3.0])
    one = score([Judged("X", tuple("abcd"), q, truth)], "accuracy")
    other = score(
        [Judged("X", tuple("abcd"), q[np.ix_(order, order)], truth[list(order)])], "accuracy"
    )
    for name in ("pairs_right", "auc", "tau_pkpd", "tau_bradley_terry", "consistency", "raw_sum"):
        a, b = getattr(one, name), getattr(other, name)
        assert a.reason == b.reason, name
        assert float(a) == pytest.approx(float(b), abs=1e-9, nan_ok=True), name
