"""Automatic metrics of a question set: relevance, coverage and diversity.

All start from the cosine similarities of Q questions and W windows of the text. Source: Šindelář
and Bojar 2025, Overview of the Sensemaking Task at the ELOQUENT 2025 Lab (arXiv 2507.12143).
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from sensemaking.metrics.declaration import Metric
from sensemaking.metrics.information import INFINITE, distribution, entropy_bits
from sensemaking.statistic import Statistic

_CITATION: Final = (
    "Šindelář and Bojar 2025, Overview of the Sensemaking Task at the ELOQUENT 2025 Lab, "
    "arXiv 2507.12143"
)
RELEVANCE_SUM: Final = Metric(
    name="relevance_sum",
    label="Relevance (sum)",
    unit="similarity",
    range=(None, None),
    higher_is_better=True,
    version=1,
    citation=_CITATION,
    description="Sum of the relevance r(q, w) over all questions and windows.",
)
RELEVANCE_MEAN: Final = Metric(
    name="relevance_mean",
    label="Relevance (mean)",
    unit="similarity",
    range=(-2.0, 2.0),
    higher_is_better=True,
    version=1,
    citation=_CITATION,
    description="Mean of the relevance r(q, w) over all questions and windows.",
)
COVERAGE: Final = Metric(
    name="coverage",
    label="Coverage",
    unit="bits",
    range=(0.0, None),
    higher_is_better=True,
    version=1,
    citation=_CITATION,
    description="Entropy of the windows' share of the relevance.",
)
DIVERSITY: Final = Metric(
    name="diversity",
    label="Diversity",
    unit="nats",
    range=(0.0, None),
    higher_is_better=True,
    version=1,
    citation=_CITATION,
    description="Sum over ordered pairs of questions of the divergence of their windows.",
)
DIVERSITY_MEAN: Final = Metric(
    name="diversity_mean",
    label="Diversity (mean)",
    unit="nats",
    range=(0.0, None),
    higher_is_better=True,
    version=1,
    citation=_CITATION,
    description="Mean over ordered pairs of questions of the divergence of their windows.",
)

SIMILARITY_DECIMALS: Final = 6
_SIMILARITY_TOLERANCE: Final = 1e-5
NO_QUESTIONS: Final = "no questions"
NO_WINDOWS: Final = "no windows"
ALL_ZERO: Final = "all relevance zero"
ONE_QUESTION: Final = "fewer than 2 questions"
QUESTION_WITHOUT_MASS: Final = "a question has probability 0"


def relevance(similarity: npt.ArrayLike, sign: int = 1) -> npt.NDArray[np.float64]:
    """Return r(q, w): what a question has to do with a window, 0 for all but the closest few.

    With X_w the similarities of window w to all questions, r(q, w) = cos(q, w) + sign ·
    quantile₀.₅(X_w) where cos(q, w) > quantile₀.₉₅(X_w), else 0. Quantiles are linear. The
    similarities are first rounded to 6 decimals, so that the noise of another batch size or
    processor decides no comparison.

    With up to 21 questions each window has one non-zero entry, or none if its two greatest
    similarities are equal; a single question has none. Entries can be negative where
    similarities are.

    Args:
        similarity: Q × W cosines from −1 to 1 (excess of up to 1e-5 is cut off).
        sign: 1 adds the median, as the paper prints it; −1 takes it away.

    Returns:
        A Q × W array; empty if Q or W is 0.

    Raises:
        ValueError: The array is not two-dimensional, has NaN or a value outside [−1, 1], or the
            sign is another number.
    """
    if sign not in (1, -1):
        raise ValueError(f"sign must be 1 or -1, found {sign!r}")
    cosines = _matrix(similarity, "similarity")
    # Written so that NaN is outside too.
    outside = ~(np.abs(cosines) <= 1 + _SIMILARITY_TOLERANCE)
    if outside.any():
        q, w = np.argwhere(outside)[0]
        raise ValueError(
            f"similarity must be a cosine from -1 to 1, found {cosines[q, w]} for question {q} "
            f"and window {w}; leave out blank questions and normalise the vectors"
        )
    if cosines.size == 0:
        return cosines
    cosines = np.clip(np.round(cosines, SIMILARITY_DECIMALS), -1, 1)
    median, threshold = np.quantile(cosines, [0.5, 0.95], axis=0)
    return np.where(cosines > threshold, cosines + sign * median, 0.0)


def relevance_sum(relevance: npt.ArrayLike) -> Statistic:
    """Return Σ r(q, w), the relevance of a question set as the paper prints it.

    Args:
        relevance: Q × W array of :func:`relevance`.

    Returns:
        The sum, 0 where all r are 0; ``n`` is Q. None with a reason if Q or W is 0.

    Raises:
        ValueError: The array is not two-dimensional or not finite.
    """
    r = _finite(relevance)
    return _empty(r) or Statistic(value=float(r.sum()), n=r.shape[0])


def relevance_mean(relevance: npt.ArrayLike) -> Statistic:
    """Return the mean of r(q, w) over all Q · W entries, as the task's page defines relevance.

    It falls with the number of questions, because most entries are 0; show Q beside it.

    Args:
        relevance: Q × W array of :func:`relevance`.

    Returns:
        The mean, 0 where all r are 0; ``n`` is Q. None with a reason if Q or W is 0.

    Raises:
        ValueError: The array is not two-dimensional or not finite.
    """
    r = _finite(relevance)
    return _empty(r) or Statistic(value=float(r.mean()), n=r.shape[0])


def joint(relevance: npt.ArrayLike, floor: float = 1e-9) -> npt.NDArray[np.float64]:
    """Return p(q, w) = r(q, w) / Σ r, no entry below the floor, divided by the sum once more.

    A negative r (possible where similarities are negative and the median is added) counts as 0
    here: it is no probability.

    Args:
        relevance: Q × W array of :func:`relevance`.
        floor: The least probability before the second division; 0 keeps zeros, which makes the
            diversity of most question sets infinite.

    Returns:
        A Q × W array that sums to 1; all NaN if no r is above 0; empty if Q or W is 0.

    Raises:
        ValueError: The array is not two-dimensional or not finite, or the floor is not in [0, 1).
    """
    if not 0 <= floor < 1:
        raise ValueError(f"floor must be 0 or more and below 1, found {floor}")
    r = np.maximum(_finite(relevance), 0)
    total = r.sum()
    if total <= 0:
        return np.full(r.shape, np.nan)
    p = np.maximum(r / total, floor)
    probabilities: npt.NDArray[np.float64] = p / p.sum()
    return probabilities


def coverage_bits(joint: npt.ArrayLike) -> Statistic:
    """Return the entropy of p(w) = Σ_q p(q, w) in bits: how evenly the questions cover the text.

    Args:
        joint: Q × W probabilities of :func:`joint`.

    Returns:
        The entropy, from 0 to log₂ W; ``n`` is Q. None with a reason if Q or W is 0, or if
        there is no probability (all NaN or all 0).

    Raises:
        ValueError: The array is not two-dimensional, is negative or does not sum to 1.
    """
    p, undefined = _probabilities(joint)
    if undefined:
        return undefined
    return Statistic(value=entropy_bits(p.sum(axis=0)).value, n=p.shape[0])


def diversity_nats(joint: npt.ArrayLike) -> Statistic:
    """Return Σ_{i≠j} KL(p(w|q_i) ‖ p(w|q_j)) over ordered pairs of questions, in nats.

    It grows with the number of pairs; :func:`diversity_mean_nats` does not.

    Args:
        joint: Q × W probabilities of :func:`joint`.

    Returns:
        The sum, 0 or more; ``n`` is Q. None with a reason if Q or W is 0, there is no
        probability (all NaN or all 0) or only one question, a question has none (p(w|q) is then
        undefined), or the sum is infinite (some zeros, see the floor of :func:`joint`).

    Raises:
        ValueError: The array is not two-dimensional, is negative or does not sum to 1.
    """
    p, undefined = _probabilities(joint)
    n_questions = p.shape[0]
    if undefined:
        return undefined
    if n_questions < 2:
        return Statistic(value=None, n=n_questions, reason=ONE_QUESTION)
    of_question = p.sum(axis=1, keepdims=True)
    if not of_question.all():
        return Statistic(value=None, n=n_questions, reason=QUESTION_WITHOUT_MASS)
    conditional = p / of_question
    conditional = conditional[:, conditional.any(axis=0)]
    if not conditional.all():
        return Statistic(value=None, n=n_questions, reason=INFINITE)
    logs = np.log(conditional)
    # The sum over j of KL(i ‖ j) is Q · Σ_w p_i (ln p_i − mean_j ln p_j), so no pair has to be
    # formed. Plain sums, not a matrix product: the rounding of BLAS depends on its threads.
    total = n_questions * (conditional * (logs - logs.mean(axis=0))).sum()
    return Statistic(value=max(0.0, float(total)), n=n_questions)


def diversity_mean_nats(joint: npt.ArrayLike) -> Statistic:
    """Return the mean of KL(p(w|q_i) ‖ p(w|q_j)) over the Q (Q − 1) ordered pairs, in nats.

    Args:
        joint: Q × W probabilities of :func:`joint`.

    Returns:
        The mean, 0 or more; ``n`` is the number of ordered pairs. None with a reason wherever
        :func:`diversity_nats` is.

    Raises:
        ValueError: The array is not two-dimensional, is negative or does not sum to 1.
    """
    total = diversity_nats(joint)
    n_pairs = total.n * (total.n - 1)
    if total.value is None:
        return Statistic(value=None, n=n_pairs, reason=total.reason)
    return Statistic(value=total.value / n_pairs, n=n_pairs)


def _matrix(values: npt.ArrayLike, name: str) -> npt.NDArray[np.float64]:
    matrix = np.asarray(values, dtype=np.float64)
    if matrix.ndim != 2:
        raise ValueError(
            f"{name} must have two dimensions, questions and windows, "
            f"found an array of shape {matrix.shape}"
        )
    return matrix


def _finite(relevance: npt.ArrayLike) -> npt.NDArray[np.float64]:
    r = _matrix(relevance, "relevance")
    if not np.isfinite(r).all():
        raise ValueError("relevance must be finite, found NaN or infinity")
    return r


def _empty(matrix: npt.NDArray[np.float64]) -> Statistic | None:
    n_questions, n_windows = matrix.shape
    if n_questions == 0:
        return Statistic(value=None, n=0, reason=NO_QUESTIONS)
    if n_windows == 0:
        return Statistic(value=None, n=n_questions, reason=NO_WINDOWS)
    return None


def _probabilities(
    joint: npt.ArrayLike,
) -> tuple[npt.NDArray[np.float64], Statistic | None]:
    """Return the checked joint distribution, and the undefined statistic if it holds none."""
    p = _matrix(joint, "the joint distribution")
    undefined = _empty(p)
    if undefined is None and (np.isnan(p).all() or not p.any()):
        undefined = Statistic(value=None, n=p.shape[0], reason=ALL_ZERO)
    if undefined is None:
        distribution(p, "the joint distribution")
    return p, undefined
