"""Entropy and Kullback–Leibler divergence of discrete distributions.

The log base is part of each name. Nothing is normalised in silence, 0 · log 0 is 0, and what is
undefined or infinite is None with a reason.
"""

import math
from typing import Final

import numpy as np
import numpy.typing as npt

from sensemaking.statistic import Statistic

NO_DATA: Final = "no data"
INFINITE: Final = "infinite"
_SUM_TOLERANCE: Final = 1e-6


def entropy_bits(p: npt.ArrayLike) -> Statistic:
    """Return the Shannon entropy −Σ p log₂ p in bits.

    It is not divided by the logarithm of the number of entries, used or not.

    Args:
        p: Probabilities, of any shape; they must sum to 1 (within 1e-6).

    Returns:
        The entropy, from 0 to log₂ of the number of entries; ``n`` is the number of entries.
        None with the reason ``"no data"`` if there is no entry or all are 0.

    Raises:
        ValueError: An entry is negative or not finite, or the sum is neither 1 nor 0.
    """
    probabilities = distribution(p, "p")
    if not probabilities.any():
        return Statistic(value=None, n=probabilities.size, reason=NO_DATA)
    positive = probabilities[probabilities > 0]
    entropy = -float((positive * np.log2(positive)).sum())
    # A certain outcome would give -0.0, or less where its probability is above 1 by rounding.
    return Statistic(value=max(0.0, entropy), n=probabilities.size)


def kl_nats(p: npt.ArrayLike, q: npt.ArrayLike) -> Statistic:
    """Return the Kullback–Leibler divergence KL(p ‖ q) = Σ p ln(p / q) in nats.

    Source: Kullback and Leibler 1951, On Information and Sufficiency.

    Args:
        p: Probabilities, of any shape; they must sum to 1 (within 1e-6).
        q: Probabilities of the same shape.

    Returns:
        The divergence, 0 or more; ``n`` is the number of entries. None with the reason
        ``"infinite"`` if q is 0 where p is not, and ``"no data"`` if there is no entry or one of
        the two is 0 throughout.

    Raises:
        ValueError: The shapes differ, an entry is negative or not finite, or a sum is neither 1
            nor 0.
    """
    left, right = distribution(p, "p"), distribution(q, "q")
    if left.shape != right.shape:
        raise ValueError(f"p and q must have the same shape, found {left.shape} and {right.shape}")
    if not left.any() or not right.any():
        return Statistic(value=None, n=left.size, reason=NO_DATA)
    support = left > 0
    if not right[support].all():
        return Statistic(value=None, n=left.size, reason=INFINITE)
    terms = left[support] * (np.log(left[support]) - np.log(right[support]))
    # Rounding may leave a tiny negative sum where the two are equal (Gibbs: it is never below 0).
    return Statistic(value=max(0.0, float(terms.sum())), n=left.size)


def distribution(p: npt.ArrayLike, name: str) -> npt.NDArray[np.float64]:
    """Return p as an array after checking that it is a distribution, or 0 throughout.

    Args:
        p: Probabilities, of any shape.
        name: What to call p in an error.

    Raises:
        ValueError: An entry is negative or not finite, or the sum is neither 1 (within 1e-6)
            nor 0.
    """
    probabilities = np.asarray(p, dtype=np.float64)
    if not np.isfinite(probabilities).all():
        raise ValueError(f"{name} must be finite, found NaN or infinity")
    if (probabilities < 0).any():
        raise ValueError(f"{name} must not be negative, found {probabilities.min()}")
    total = math.fsum(probabilities.ravel())
    if probabilities.any() and abs(total - 1) > _SUM_TOLERANCE:
        raise ValueError(
            f"{name} must sum to 1, found a sum of {total:.9g}; divide by it first if that is meant"
        )
    return probabilities
