"""How far ratings agree: with each other, and with a reference class."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from sensemaking._arrays import Nullable, is_constant, noise, numbers, pairs
from sensemaking.metrics.declaration import Metric
from sensemaking.statistic import Statistic

AGREEMENT: Final = Metric(
    name="agreement",
    label="Agreement",
    unit="share",
    range=(0.0, 1.0),
    higher_is_better=True,
    version=1,
    citation="Šindelář and Bojar 2025, Overview of the Sensemaking Task at the ELOQUENT 2025 Lab, "
    "arXiv 2507.12143",
    description="Share of the answers that two Evaluators put into the same third of the scale.",
)
CLASS_ACCURACY: Final = Metric(
    name="class_accuracy",
    label="Accuracy",
    unit="share",
    range=(0.0, 1.0),
    higher_is_better=True,
    version=1,
    citation="Manning, Raghavan and Schütze 2008, Introduction to Information Retrieval, "
    "section 8.3",
    description="Share of the items whose predicted class is the true one.",
)
CLASS_PRECISION: Final = Metric(
    name="class_precision",
    label="Precision",
    unit="share",
    range=(0.0, 1.0),
    higher_is_better=True,
    version=1,
    citation="Manning, Raghavan and Schütze 2008, Introduction to Information Retrieval, "
    "section 8.3",
    description="Share of the items predicted as a class that are of it.",
)
CLASS_RECALL: Final = Metric(
    name="class_recall",
    label="Recall",
    unit="share",
    range=(0.0, 1.0),
    higher_is_better=True,
    version=1,
    citation="Manning, Raghavan and Schütze 2008, Introduction to Information Retrieval, "
    "section 8.3",
    description="Share of the items of a class that are predicted as it.",
)
QUADRATIC_KAPPA: Final = Metric(
    name="quadratic_kappa",
    label="Quadratic κ",
    unit="agreement beyond chance",
    range=(-1.0, 1.0),
    higher_is_better=True,
    version=1,
    citation="Cohen 1968, Weighted Kappa: Nominal Scale Agreement Provision for Scaled "
    "Disagreement or Partial Credit",
    description="Agreement of two raters beyond chance, disagreements weighted by their square.",
)

N_CLASSES: Final = 3
NO_PAIRS: Final = "no complete pairs"
ONE_CLASS: Final = "one class"
NEVER_PREDICTED: Final = "class never predicted"
NEVER_TRUE: Final = "class never true"


@dataclass(frozen=True, kw_only=True)
class ClassReport:
    """How predicted classes compare with true ones.

    Attributes:
        accuracy: The share of right predictions; its ``n`` is the number of complete pairs.
        precision: For classes 0, 1, 2; ``n`` is how often the class is predicted.
        recall: For classes 0, 1, 2; ``n`` is how often the class is true.
        n: The number of pairs in which both classes are there.
        n_missing: The number of the other pairs.
    """

    accuracy: Statistic
    precision: tuple[Statistic, ...]
    recall: tuple[Statistic, ...]
    n: int
    n_missing: int


@dataclass(frozen=True, kw_only=True)
class Kappa(Statistic):
    """Quadratic weighted kappa, with the plain agreement beside it.

    Attributes:
        value: The kappa, at most 1; None where it is undefined.
        n: The number of pairs in which both ratings are there.
        reason: Why ``value`` is None.
        n_missing: The number of the other pairs.
        percent_agreement: The share, from 0 to 1, of pairs with equal ratings; None without pairs.
    """

    percent_agreement: float | None


def classes(ratings: Nullable) -> npt.NDArray[np.float64]:
    """Return the third of the scale that each rating lies in.

    The thirds are [0, 100/3), [100/3, 200/3) and [200/3, 100].

    Args:
        ratings: n ratings from 0 to 100; NaN or None is missing.

    Returns:
        An array of n classes 0.0, 1.0 or 2.0, NaN where the rating is missing. (Floats, because
        NaN equals nothing, so two missing classes never count as agreement.)

    Raises:
        ValueError: A rating is outside 0 to 100, or the ratings are not one-dimensional.
    """
    return _classes(ratings, "ratings")


def agreement(a: Nullable, b: Nullable, tolerance: float = 0.0) -> Statistic:
    """Return the share of answers on which two Evaluators agree: both ratings in one class.

    Args:
        a: n ratings from 0 to 100 by one Evaluator; NaN or None is missing.
        b: n ratings of the same answers by the other.
        tolerance: Ratings that differ by no more than this, in points, agree as well, also
            across the border of two classes. 0 leaves the classes alone.

    Returns:
        The share, from 0 to 1, of the ``n`` answers that both have rated; ``n_missing`` counts
        the others. None with the reason ``"no complete pairs"`` if there is none.

    Raises:
        ValueError: The lengths differ, a rating is outside 0 to 100, an array is not
            one-dimensional, or the tolerance is negative.
    """
    if not tolerance >= 0:
        raise ValueError(f"tolerance must be 0 or more points, found {tolerance}")
    # Checked before pairs are made, so that a message names the right position.
    class_a, class_b = _classes(a, "a"), _classes(b, "b")
    left, right, n_missing = pairs(a, b, ("a", "b"))
    both = ~(np.isnan(class_a) | np.isnan(class_b))
    same = (class_a == class_b)[both] | (np.abs(left - right) <= tolerance)
    return _share(int(same.sum()), same.size, NO_PAIRS, n_missing)


def class_report(predicted: Nullable, truth: Nullable) -> ClassReport:
    """Return accuracy, and precision and recall of each class.

    Args:
        predicted: n classes 0, 1 or 2 as :func:`classes` gives them; NaN or None is missing.
        truth: n classes of the same items, such as the classes of 100 times their ROUGE-L recall.

    Returns:
        The report. An undefined figure is None with a reason: ``"no complete pairs"`` (accuracy),
        ``"class never predicted"`` (precision), ``"class never true"`` (recall).

    Raises:
        ValueError: The lengths differ, an array is not one-dimensional, or an entry is no class.
    """
    for name, given in (("predicted", predicted), ("truth", truth)):
        _require_class(numbers(given, name), name)
    left, right, n_missing = pairs(predicted, truth, ("predicted", "truth"))
    confusion = np.zeros((N_CLASSES, N_CLASSES), dtype=int)
    np.add.at(confusion, (left.astype(int), right.astype(int)), 1)
    right_of_class = confusion.diagonal()
    return ClassReport(
        accuracy=_share(int(right_of_class.sum()), left.size, NO_PAIRS, n_missing),
        precision=tuple(
            _share(int(hits), int(n), NEVER_PREDICTED)
            for hits, n in zip(right_of_class, confusion.sum(axis=1), strict=True)
        ),
        recall=tuple(
            _share(int(hits), int(n), NEVER_TRUE)
            for hits, n in zip(right_of_class, confusion.sum(axis=0), strict=True)
        ),
        n=left.size,
        n_missing=n_missing,
    )


def quadratic_kappa(a: Nullable, b: Nullable, scale: float | Sequence[float]) -> Kappa:
    """Return Cohen's kappa of two raters with quadratic weights.

    With weights (i - j)², κ = 1 - Σ (a_k - b_k)² / n over Σ_k Σ_l (a_k - b_l)² / n². The
    unit of the scale cancels out and no classes need be formed, so ratings between whole numbers
    are allowed. Source: Cohen 1968. The same number is Lin's (1989) concordance correlation.

    Args:
        a: n ratings by one rater; NaN or None is missing.
        b: n ratings of the same items by the other.
        scale: The greatest possible rating, 0 being the least; or the possible ratings, of which
            the least and the greatest count.

    Returns:
        The kappa of the pairs in which both ratings are there, with their share of equal ratings.
        None with the reason ``"one class"`` if all ratings of both are the same (up to rounding
        noise), ``"no complete pairs"`` if there is none.

    Raises:
        ValueError: The lengths differ, an array is not one-dimensional, a rating is outside the
            scale, or the scale is empty.
    """
    bounds = np.atleast_1d(np.asarray(scale, dtype=np.float64))
    low, high = 0.0 if bounds.size == 1 else float(bounds.min()), float(bounds.max())
    if not low < high:
        raise ValueError(f"scale must leave more than one rating, found {scale}")
    for name, given in (("a", a), ("b", b)):
        _require_within(numbers(given, name), low, high, name)
    left, right, n_missing = pairs(a, b, ("a", "b"))
    n = left.size
    if n == 0:
        return Kappa(value=None, n=0, reason=NO_PAIRS, n_missing=n_missing, percent_agreement=None)
    both = np.concatenate([left, right])
    equal = float((np.abs(left - right) <= noise(both)).mean())
    if is_constant(both):
        return Kappa(
            value=None, n=n, reason=ONE_CLASS, n_missing=n_missing, percent_agreement=equal
        )
    observed = ((left - right) ** 2).mean()
    # The mean of (a_k - b_l)² over all k and l, without forming them.
    expected = left.var() + right.var() + (left.mean() - right.mean()) ** 2
    value = max(-1.0, 1 - float(observed / expected))
    return Kappa(value=value, n=n, n_missing=n_missing, percent_agreement=equal)


def _classes(ratings: Nullable, name: str) -> npt.NDArray[np.float64]:
    found = numbers(ratings, name)
    _require_within(found, 0, 100, name)
    # The floats nearest to 100/3 and 200/3 lie above them and their predecessors below, so the
    # comparison with them is exact for every float.
    third = np.digitize(found, [100 / 3, 200 / 3]).astype(np.float64)
    third[np.isnan(found)] = np.nan
    return third


def _require_within(found: npt.NDArray[np.float64], low: float, high: float, name: str) -> None:
    outside = (found < low) | (found > high)
    if outside.any():
        position = int(np.argmax(outside))
        raise ValueError(
            f"{name}[{position}] is {found[position]}, but ratings go from {low:g} to {high:g}; "
            "repair it or make it missing first"
        )


def _require_class(found: npt.NDArray[np.float64], name: str) -> None:
    strange = ~(np.isnan(found) | np.isin(found, range(N_CLASSES)))
    if strange.any():
        position = int(np.argmax(strange))
        raise ValueError(
            f"{name}[{position}] is {found[position]}, which is none of the classes 0, 1 and 2; "
            "classes() makes them of ratings"
        )


def _share(hits: int, n: int, reason: str, n_missing: int = 0) -> Statistic:
    if n == 0:
        return Statistic(value=None, n=0, reason=reason, n_missing=n_missing)
    return Statistic(value=hits / n, n=n, n_missing=n_missing)
