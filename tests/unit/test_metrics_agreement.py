import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import (  # type: ignore[import-untyped]
    accuracy_score,
    cohen_kappa_score,
    precision_recall_fscore_support,
)

from sensemaking.metrics.agreement import (
    agreement,
    class_report,
    classes,
    quadratic_kappa,
)
from sensemaking.statistic import Statistic

LABELS = [0, 1, 2]


def exact_class(rating: float) -> int:
    return int(Fraction(rating) >= Fraction(100, 3)) + int(Fraction(rating) >= Fraction(200, 3))


def test_classes_are_the_thirds_of_the_scale() -> None:
    found = classes([0, 33, 34, 50, 66, 67, 100])
    assert found.tolist() == [0, 0, 1, 1, 1, 2, 2]


def test_the_borders_of_classes_are_exact_for_the_floats_around_them() -> None:
    for border in (100 / 3, 200 / 3):
        around = [border]
        for _ in range(20):
            around = [np.nextafter(around[0], 0), *around, np.nextafter(around[-1], 100)]
        assert classes(around).tolist() == [exact_class(float(rating)) for rating in around]


@settings(deadline=None)
@given(st.lists(st.floats(0, 100), max_size=20))
def test_classes_of_any_ratings_equal_exact_arithmetic(ratings: list[float]) -> None:
    assert classes(ratings).tolist() == [exact_class(rating) for rating in ratings]


def test_a_missing_rating_has_a_class_that_equals_none_other() -> None:
    found = classes([math.nan, None, 50])
    assert np.isnan(found[:2]).all()
    assert found[2] == 1
    assert not (found[:2] == found[:2]).any()


@pytest.mark.parametrize("rating", [-0.1, 100.1, math.inf, -math.inf, -1])
def test_a_rating_outside_the_scale_is_an_error_that_names_its_place(rating: float) -> None:
    for call in (
        lambda bad: classes(bad),
        lambda bad: agreement(bad, [1, 1, 1]),
        lambda bad: agreement([1, 1, 1], bad),
    ):
        with pytest.raises(ValueError, match=r"\[2\] is"):
            call([math.nan, 50, rating])


@pytest.mark.parametrize(
    "ratings", [["50", "60"], [[50, 60]], [50, "60"], [None, "60"], 50.0, [b"5"]]
)
def test_texts_and_nested_lists_are_not_ratings(ratings: object) -> None:
    with pytest.raises(ValueError, match="ratings must"):
        classes(ratings)  # type: ignore[arg-type]


def test_agreement_counts_same_classes_among_complete_pairs_only() -> None:
    a = [10, 40, 90, 33, None, 80, math.nan]
    b = [30, 60, 60, 34, 50, None, None]
    assert agreement(a, b) == Statistic(value=0.5, n=4, n_missing=3)


def test_two_missing_ratings_are_no_agreement() -> None:
    expected = Statistic(value=None, n=0, reason="no complete pairs", n_missing=2)
    assert agreement([None, None], [None, None]) == expected


def test_agreement_of_nothing_is_undefined() -> None:
    assert agreement([], []) == Statistic(value=None, n=0, reason="no complete pairs")


def test_a_tolerance_lets_near_ratings_agree_across_a_border_and_takes_none_away() -> None:
    a, b = [33, 0, 60], [34, 33, 70]
    assert agreement(a, b).value == pytest.approx(1 / 3)
    assert agreement(a, b, tolerance=1).value == pytest.approx(2 / 3)
    assert agreement(a, b, tolerance=9.9).value == pytest.approx(2 / 3)
    assert agreement(a, b, tolerance=10).value == 1.0


@pytest.mark.parametrize("tolerance", [-1, math.nan])
def test_a_tolerance_below_zero_is_an_error(tolerance: float) -> None:
    with pytest.raises(ValueError, match="tolerance must be"):
        agreement([1], [1], tolerance)


@pytest.mark.parametrize(
    "function",
    [agreement, class_report, lambda a, b: quadratic_kappa(a, b, 2)],
)
def test_series_of_different_length_are_an_error(function: Callable[..., object]) -> None:
    with pytest.raises(ValueError, match="same length, found 2 and 1"):
        function([1, 1], [1])


def test_a_class_report_counts_by_hand() -> None:
    report = class_report([0, 0, 1, 2, 2, None, 1], [0, 1, 1, 2, 0, 1, math.nan])
    assert report.accuracy == Statistic(value=0.6, n=5, n_missing=2)
    assert report.precision == (
        Statistic(value=0.5, n=2),
        Statistic(value=1.0, n=1),
        Statistic(value=0.5, n=2),
    )
    assert report.recall == (
        Statistic(value=0.5, n=2),
        Statistic(value=0.5, n=2),
        Statistic(value=1.0, n=1),
    )
    assert (report.n, report.n_missing) == (5, 2)


def test_a_class_that_never_occurs_has_no_precision_or_recall_rather_than_zero() -> None:
    report = class_report([0, 0], [0, 1])
    assert [x.reason for x in report.precision] == [None] + ["class never predicted"] * 2
    assert [x.reason for x in report.recall] == [None, None, "class never true"]
    assert [x.value for x in report.recall] == [1.0, 0.0, None]


def test_a_report_without_complete_pairs_is_undefined_throughout() -> None:
    report = class_report([None, 1], [1, None])
    assert report.accuracy == Statistic(value=None, n=0, reason="no complete pairs", n_missing=2)
    assert all(x.value is None for x in report.precision + report.recall)


@pytest.mark.parametrize("bad", [3, -1, 0.5, 80])
def test_what_is_no_class_is_an_error_in_a_report(bad: float) -> None:
    with pytest.raises(ValueError, match=rf"truth\[1\] is {float(bad)}, which is none"):
        class_report([0, None], [0, bad])
    with pytest.raises(ValueError, match=rf"predicted\[0\] is {float(bad)}, which is none"):
        class_report([bad, 0], [0, 0])


def test_a_report_equals_that_of_scikit_learn() -> None:
    rng = np.random.default_rng(8)
    predicted, truth = rng.integers(0, 3, 200), rng.integers(0, 3, 200)
    report = class_report(predicted, truth)
    precision, recall, _, support = precision_recall_fscore_support(
        truth, predicted, labels=LABELS, zero_division=np.nan
    )
    assert float(report.accuracy) == pytest.approx(accuracy_score(truth, predicted))
    assert [float(x) for x in report.precision] == pytest.approx(precision.tolist())
    assert [float(x) for x in report.recall] == pytest.approx(recall.tolist())
    assert [x.n for x in report.recall] == support.tolist()


def test_kappa_of_raters_who_use_one_class_is_undefined_with_the_agreement_beside() -> None:
    found = quadratic_kappa([2, 2, 2, 2], [2, 2, 2, 2], LABELS)
    assert (found.value, found.n, found.reason) == (None, 4, "one class")
    assert found.percent_agreement == 1.0


def test_kappa_is_zero_where_one_rater_uses_one_class() -> None:
    found = quadratic_kappa([2, 2, 2, 2], [2, 2, 1, 2], 2)
    assert (found.value, found.reason, found.percent_agreement) == (0.0, None, 0.75)


def test_rounding_noise_does_not_make_a_second_class() -> None:
    found = quadratic_kappa([70, 70, 70], [70, 70.0000000000001, 70], 100)
    assert (found.value, found.reason, found.percent_agreement) == (None, "one class", 1.0)


def test_kappa_without_complete_pairs_is_undefined() -> None:
    found = quadratic_kappa([1, None], [None, 1], 5)
    assert (found.value, found.n, found.n_missing) == (None, 0, 2)
    assert (found.reason, found.percent_agreement) == ("no complete pairs", None)


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=30))
def test_kappa_equals_that_of_scikit_learn(ratings: list[tuple[int, int]]) -> None:
    a, b = zip(*ratings, strict=True)
    found = quadratic_kappa(a, b, 5)
    if len({*a, *b}) == 1:
        assert found.value is None
    else:
        expected = cohen_kappa_score(a, b, labels=range(6), weights="quadratic")
        assert found.value == pytest.approx(expected, abs=1e-12)
        assert -1 <= float(found) <= 1
    assert found.percent_agreement == pytest.approx(np.mean(np.equal(a, b)))


def test_kappa_leaves_incomplete_pairs_out_and_counts_them() -> None:
    complete = quadratic_kappa([0, 1, 2], [0, 2, 2], 2)
    found = quadratic_kappa([0, 1, 2, None, 1], [0, 2, 2, 1, None], 2)
    assert (found.value, found.n, found.n_missing) == (complete.value, 3, 2)


@pytest.mark.parametrize("scale", [100, (0, 100), [0.0, 50.0, 100.0]])
def test_a_scale_is_its_greatest_rating_or_its_ratings(scale: float | list[float]) -> None:
    assert quadratic_kappa([0, 100], [0, 100], scale).value == 1.0
    with pytest.raises(ValueError, match=r"b\[1\] is 101\.0, but ratings go from 0 to 100"):
        quadratic_kappa([0, 100], [0, 101], scale)
    with pytest.raises(ValueError, match=r"a\[0\] is -1\.0"):
        quadratic_kappa([-1, 100], [0, 100], scale)


@pytest.mark.parametrize("scale", [0, -1, [2, 2], math.nan])
def test_a_scale_of_one_rating_is_an_error(scale: float | list[float]) -> None:
    with pytest.raises(ValueError, match="scale must leave more than one rating"):
        quadratic_kappa([0], [0], scale)
