import math
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sensemaking.metrics.information import entropy_bits, kl_nats
from sensemaking.metrics.teacher import (
    coverage_bits,
    diversity_mean_nats,
    diversity_nats,
    joint,
    relevance,
    relevance_mean,
    relevance_sum,
)
from sensemaking.statistic import Statistic

Matrix = npt.NDArray[np.float64]
EXAMPLE = [[0.29, 0.19, 0.01], [0.01, 0.01, 0.49]]
SIMILARITIES = arrays(
    np.float64,
    st.tuples(st.integers(1, 30), st.integers(1, 6)),
    # Few values, so that ties are frequent.
    elements=st.integers(-20, 20).map(lambda x: x / 20) | st.floats(-1, 1, width=32),
)


def naive_quantile(values: Sequence[float], q: float) -> float:
    ordered = sorted(values)
    place = q * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def naive_relevance(similarity: Matrix, sign: int) -> Matrix:
    n_questions, n_windows = similarity.shape
    r = np.zeros((n_questions, n_windows))
    for w in range(n_windows):
        column = [round(float(x) * 1e6) / 1e6 for x in similarity[:, w]]
        threshold, median = naive_quantile(column, 0.95), naive_quantile(column, 0.5)
        for q in range(n_questions):
            if column[q] > threshold + 1e-12:
                r[q, w] = column[q] + sign * median
    return r


def naive_diversity(p: Matrix) -> float:
    total = 0.0
    for i in range(len(p)):
        for j in range(len(p)):
            if i != j:
                total += float(kl_nats(p[i] / p[i].sum(), p[j] / p[j].sum()))
    return total


def random_joint(rng: np.random.Generator, n_questions: int, n_windows: int) -> Matrix:
    p = rng.random((n_questions, n_windows)) ** 4 + 1e-9
    result: Matrix = p / p.sum()
    return result


def test_relevance_keeps_what_lies_above_the_quantile_and_adds_the_median() -> None:
    similarity = [[0.9, 0.1], [0.5, 0.2], [0.3, 0.6]]
    np.testing.assert_allclose(
        relevance(similarity), [[0.9 + 0.5, 0.0], [0.0, 0.0], [0.0, 0.6 + 0.2]], rtol=1e-15
    )
    np.testing.assert_allclose(
        relevance(similarity, sign=-1), [[0.9 - 0.5, 0.0], [0.0, 0.0], [0.0, 0.6 - 0.2]], rtol=1e-15
    )


@settings(deadline=None, max_examples=200)
@given(SIMILARITIES, st.sampled_from([1, -1]))
def test_relevance_equals_a_double_loop(similarity: Matrix, sign: int) -> None:
    np.testing.assert_allclose(
        relevance(similarity, sign), naive_relevance(similarity, sign), rtol=0, atol=1e-12
    )


@settings(deadline=None)
@given(SIMILARITIES, st.integers(0, 2**32 - 1))
def test_noise_of_another_batch_size_changes_no_bit_of_relevance(
    similarity: Matrix, seed: int
) -> None:
    similarity = np.round(similarity, 6)
    noise = np.random.default_rng(seed).uniform(-1.4e-7, 1.4e-7, similarity.shape)
    np.testing.assert_array_equal(relevance(similarity + noise), relevance(similarity))


def test_up_to_21_questions_give_each_window_one_entry() -> None:
    rng = np.random.default_rng(3)
    for n_questions, entries in [(2, 1), (20, 1), (21, 1), (22, 2)]:
        r = relevance(rng.permuted(np.tile(np.linspace(0.1, 0.9, n_questions), (8, 1)), axis=1).T)
        assert (np.count_nonzero(r, axis=0) == entries).all()


def test_equal_greatest_similarities_leave_a_window_without_an_entry() -> None:
    assert not relevance([[0.9], [0.9], [0.1]]).any()


def test_one_question_has_relevance_zero_and_neither_coverage_nor_diversity() -> None:
    r = relevance([[0.9, 0.2, 0.5]])
    assert relevance_sum(r) == Statistic(value=0.0, n=1)
    assert relevance_mean(r) == Statistic(value=0.0, n=1)
    p = joint(r)
    assert p.shape == (1, 3)
    assert np.isnan(p).all()
    undefined = Statistic(value=None, n=1, reason="all relevance zero")
    assert coverage_bits(p) == undefined
    assert diversity_nats(p) == undefined
    assert diversity_mean_nats(p) == Statistic(value=None, n=0, reason="all relevance zero")


@pytest.mark.parametrize(
    ("shape", "reason"),
    [((0, 3), "no questions"), ((2, 0), "no windows"), ((0, 0), "no questions")],
)
def test_without_questions_or_windows_everything_is_undefined(
    shape: tuple[int, int], reason: str
) -> None:
    r = relevance(np.empty(shape))
    assert r.shape == shape
    p = joint(r)
    assert p.shape == shape
    for statistic in (relevance_sum(r), relevance_mean(r), coverage_bits(p), diversity_nats(p)):
        assert statistic == Statistic(value=None, n=shape[0], reason=reason)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 1.001, -1.001])
def test_a_similarity_that_is_no_cosine_is_an_error_that_names_its_place(value: float) -> None:
    with pytest.raises(ValueError, match="for question 1 and window 2"):
        relevance([[0.1, 0.2, 0.3], [0.1, 0.2, value]])


def test_a_cosine_past_one_by_rounding_is_taken_for_one() -> None:
    assert relevance([[1.000009], [0.5]])[0, 0] == 1.75
    assert relevance([[-1.000009], [-0.5]])[1, 0] == -1.25


@pytest.mark.parametrize("sign", [0, 2, -0.5])
def test_another_sign_is_an_error(sign: int) -> None:
    with pytest.raises(ValueError, match="sign must be 1 or -1"):
        relevance([[0.1]], sign)


@pytest.mark.parametrize(
    "function", [relevance, relevance_sum, relevance_mean, joint, coverage_bits, diversity_nats]
)
def test_an_array_without_two_dimensions_is_an_error(function: Callable[..., object]) -> None:
    with pytest.raises(ValueError, match="two dimensions"):
        function([0.5, 0.5])


@pytest.mark.parametrize("function", [relevance_sum, relevance_mean, joint])
def test_a_relevance_that_is_not_finite_is_an_error(function: Callable[..., object]) -> None:
    with pytest.raises(ValueError, match="must be finite"):
        function([[0.5, math.nan]])


def test_relevance_is_summed_or_averaged_over_all_entries() -> None:
    r = [[1.5, 0.0, 0.5], [0.0, 1.0, 0.0]]
    assert relevance_sum(r) == Statistic(value=3.0, n=2)
    assert relevance_mean(r) == Statistic(value=0.5, n=2)


def test_joint_divides_by_the_sum_and_lifts_zeros_to_the_floor() -> None:
    p = joint([[3.0, 0.0], [0.0, 1.0]], floor=0.1)
    np.testing.assert_allclose(p, np.array([[0.75, 0.1], [0.1, 0.25]]) / 1.2, rtol=1e-15)
    np.testing.assert_array_equal(joint([[3.0, 0.0], [0.0, 1.0]], floor=0), [[0.75, 0], [0, 0.25]])
    assert joint([[3.0, 0.0], [0.0, 1.0]]).min() == pytest.approx(1e-9, rel=1e-6)


def test_a_negative_relevance_has_no_probability_but_the_floor() -> None:
    np.testing.assert_array_equal(joint([[-2.0, 4.0]], floor=0), [[0, 1]])
    assert np.isnan(joint([[-2.0, 0.0]])).all()


@pytest.mark.parametrize("floor", [-1e-9, 1.0, math.nan])
def test_a_floor_that_is_no_small_probability_is_an_error(floor: float) -> None:
    with pytest.raises(ValueError, match="floor must be"):
        joint([[1.0]], floor)


@settings(deadline=None)
@given(SIMILARITIES)
def test_joint_is_a_distribution_without_zeros_wherever_something_is_relevant(
    similarity: Matrix,
) -> None:
    r = relevance(similarity)
    p = joint(r)
    if (r > 0).any():
        assert p.sum() == pytest.approx(1, abs=1e-12)
        assert p.min() > 0
        assert coverage_bits(p).value is not None
    else:
        assert np.isnan(p).all()


def test_the_worked_example_has_its_coverage_and_diversity() -> None:
    assert coverage_bits(EXAMPLE).value == pytest.approx(1.48548, abs=5e-6)
    assert diversity_nats(EXAMPLE).value == pytest.approx(6.67063, abs=5e-6)
    assert diversity_mean_nats(EXAMPLE) == Statistic(value=float(diversity_nats(EXAMPLE)) / 2, n=2)
    assert float(coverage_bits(EXAMPLE)) == coverage_bits(EXAMPLE).value


@pytest.mark.parametrize(("n_questions", "n_windows"), [(2, 1), (2, 3), (7, 5), (30, 40)])
def test_diversity_equals_a_double_loop_over_pairs(n_questions: int, n_windows: int) -> None:
    p = random_joint(np.random.default_rng(n_questions), n_questions, n_windows)
    expected = naive_diversity(p)
    assert diversity_nats(p).value == pytest.approx(expected, rel=1e-10, abs=1e-12)
    n_pairs = n_questions * (n_questions - 1)
    mean = diversity_mean_nats(p)
    assert mean.value == pytest.approx(expected / n_pairs, rel=1e-10, abs=1e-12)
    assert mean.n == n_pairs


def test_coverage_is_the_entropy_of_the_windows() -> None:
    p = random_joint(np.random.default_rng(1), 6, 9)
    assert coverage_bits(p) == Statistic(value=entropy_bits(p.sum(axis=0)).value, n=6)
    assert coverage_bits(np.full((3, 8), 1 / 24)).value == pytest.approx(3)


def test_questions_on_the_same_windows_have_no_diversity() -> None:
    same = np.tile([0.1, 0.05, 0.1], (4, 1))
    found = diversity_nats(same).value
    assert found == 0.0
    assert math.copysign(1, found) == 1
    scaled = np.outer([0.1, 0.2, 0.7], [0.3, 0.3, 0.4])
    assert diversity_nats(scaled).value == pytest.approx(0, abs=1e-12)
    assert float(diversity_nats(scaled)) >= 0


def test_the_order_of_questions_does_not_matter() -> None:
    rng = np.random.default_rng(5)
    p = random_joint(rng, 12, 20)
    shuffled = rng.permutation(p)
    assert diversity_nats(shuffled).value == pytest.approx(diversity_nats(p).value, rel=1e-12)
    assert coverage_bits(shuffled).value == pytest.approx(coverage_bits(p).value, rel=1e-12)


@pytest.mark.parametrize(
    ("p", "reason"),
    [
        ([[0.5, 0.5]], "fewer than 2 questions"),
        ([[0.5, 0.5], [0, 0]], "a question has probability 0"),
        ([[0.5, 0.25], [0.25, 0]], "infinite"),
        ([[0.0, 0.0], [0.0, 0.0]], "all relevance zero"),
    ],
)
def test_diversity_without_a_finite_value_is_none_with_its_reason(
    p: list[list[float]], reason: str
) -> None:
    assert diversity_nats(p) == Statistic(value=None, n=len(p), reason=reason)


def test_a_window_that_no_question_has_leaves_diversity_as_it_is() -> None:
    with_empty = [[0.3, 0, 0.2], [0.1, 0, 0.4]]
    without = [[0.3, 0.2], [0.1, 0.4]]
    assert diversity_nats(with_empty) == diversity_nats(without)


@pytest.mark.parametrize("function", [coverage_bits, diversity_nats, diversity_mean_nats])
@pytest.mark.parametrize(
    ("p", "message"),
    [
        ([[0.3, 0.2], [0.1, 0.1]], r"joint distribution must sum to 1, found a sum of 0\.7"),
        ([[1.2, -0.2], [0.0, 0.0]], r"joint distribution must not be negative, found -0\.2"),
        ([[0.5, math.nan], [0.25, 0.25]], "joint distribution must be finite"),
    ],
)
def test_what_is_no_distribution_is_an_error_and_not_normalised(
    function: Callable[..., object], p: list[list[float]], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        function(p)
