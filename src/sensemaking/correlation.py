"""Correlations of paired series, None with a reason where they are undefined."""

import math
from typing import Final

import numpy as np
import numpy.typing as npt

from sensemaking._arrays import Nullable, is_constant, pairs
from sensemaking.metrics.declaration import Metric
from sensemaking.statistic import Statistic

PEARSON: Final = Metric(
    name="pearson",
    label="Pearson r",
    unit="correlation",
    range=(-1.0, 1.0),
    higher_is_better=None,
    version=1,
    citation="Pearson 1895, Notes on Regression and Inheritance in the Case of Two Parents",
    description="Linear correlation of two paired series.",
)
KENDALL_TAU_B: Final = Metric(
    name="kendall_tau_b",
    label="Kendall τ-b",
    unit="correlation",
    range=(-1.0, 1.0),
    higher_is_better=None,
    version=1,
    citation="Kendall 1945, The Treatment of Ties in Ranking Problems",
    description="Rank correlation of two paired series, corrected for ties in either.",
)

CONSTANT: Final = "constant"
FEW_PAIRS: Final = "n below 3"


def pearson(x: Nullable, y: Nullable) -> Statistic:
    """Return Pearson's correlation of the pairs in which both values are there.

    Args:
        x: n numbers; NaN or None is missing.
        y: n numbers.

    Returns:
        The correlation, from -1 to 1; ``n`` is the number of complete pairs and ``n_missing``
        that of the others. None with the reason ``"n below 3"`` with fewer than 2 pairs, or
        ``"constant"`` if x or y is constant up to rounding noise (a spread of 1e-10 of its
        greatest magnitude, or 1e-12). With 2 pairs the value is there but marked
        ``"n below 3"``: it can only be 1 or -1.

    Raises:
        ValueError: The lengths differ, a series is not one-dimensional or has an infinite value.
    """
    left, right, n_missing = pairs(x, y)
    reason = _undefined(left, right)
    if reason:
        return Statistic(value=None, n=left.size, reason=reason, n_missing=n_missing)
    # Imported here and below because scipy.stats takes half a second, which means and ranks
    # need not wait for.
    from scipy.stats import pearsonr

    return _marked(float(pearsonr(left, right).statistic), left.size, n_missing)


def kendall_tau_b(x: Nullable, y: Nullable) -> Statistic:
    """Return Kendall's τ-b of the pairs in which both values are there.

    With C concordant and D discordant pairs of observations, τ-b is
    (C - D) / √((C + D + T_x)(C + D + T_y)), where T_x counts the ties in x only and T_y those in
    y only. Source: Kendall 1945, The Treatment of Ties in Ranking Problems.

    Args:
        x: n numbers; NaN or None is missing.
        y: n numbers.

    Returns:
        The coefficient, from -1 to 1; ``n``, None and the reasons are as in :func:`pearson`.

    Raises:
        ValueError: The lengths differ, a series is not one-dimensional or has an infinite value.
    """
    left, right, n_missing = pairs(x, y)
    reason = _undefined(left, right)
    if reason:
        return Statistic(value=None, n=left.size, reason=reason, n_missing=n_missing)
    from scipy.stats import kendalltau

    tau = float(kendalltau(left, right, variant="b").statistic)
    # scipy divides by one root after the other. C - D is a whole number, so it can be had back
    # without error, and the value then depends on the counts alone: equal counts, equal floats.
    root = math.sqrt(_untied_pairs(left) * _untied_pairs(right))
    return _marked(round(tau * root) / root, left.size, n_missing)


def _untied_pairs(values: npt.NDArray[np.float64]) -> int:
    _, sizes = np.unique(values, return_counts=True)
    return math.comb(values.size, 2) - sum(math.comb(size, 2) for size in sizes.tolist())


def _undefined(x: npt.NDArray[np.float64], y: npt.NDArray[np.float64]) -> str | None:
    if x.size < 2:
        return FEW_PAIRS
    return CONSTANT if is_constant(x) or is_constant(y) else None


def _marked(value: float, n: int, n_missing: int) -> Statistic:
    """Return a correlation, marked if it rests on two pairs."""
    return Statistic(value=value, n=n, reason=FEW_PAIRS if n < 3 else None, n_missing=n_missing)
