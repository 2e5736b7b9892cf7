"""Figures that are pooled over items, such as error rates and BLEU, with bootstrap intervals."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

NO_ITEMS: Final = "no items"
_MIN_CLUSTERS: Final = 5
_TAIL: Final = 0.025

Compute = Callable[[npt.NDArray[np.float64]], npt.NDArray[np.float64]]
"""Takes sums of statistics, an array of draws × statistics, and gives a figure for each draw."""


@dataclass(frozen=True)
class Pooled:
    """A pooled figure.

    Attributes:
        value: The figure; None without items.
        n: Items that it rests on.
        n_missing: Items left out.
        ci_low: Lower end of the 95 % interval, or None.
        ci_high: Upper end of the 95 % interval, or None.
        reason: Why value or interval is None.
    """

    value: float | None
    n: int
    n_missing: int
    ci_low: float | None = None
    ci_high: float | None = None
    reason: str | None = None


def pooled(
    statistics: Sequence[Sequence[float]],
    clusters: Sequence[Hashable],
    compute: Compute,
    rng: np.random.Generator,
    *,
    draws: int,
    n_missing: int = 0,
) -> Pooled:
    """Return a figure of the summed statistics of items, with an interval by cluster bootstrap.

    Whole clusters are drawn, as in ``sensemaking.stats.mean_interval``; with fewer than five there
    is no interval. The order of the items makes no difference.

    Args:
        statistics: n items × m statistics that can be added, such as errors and words.
        clusters: The section of each item.
        compute: Makes the figure of sums.
        rng: The source of the draws.
        draws: The number of draws.
        n_missing: Items that are left out, to be counted beside.
    """
    if not statistics:
        return Pooled(None, 0, n_missing, reason=NO_ITEMS)
    array = np.asarray(statistics, dtype=np.float64)
    value = float(compute(array.sum(axis=0, keepdims=True))[0])
    names = sorted(set(clusters), key=str)
    sums = np.zeros((len(names), array.shape[1]))
    np.add.at(sums, [names.index(cluster) for cluster in clusters], array)
    if len(names) < _MIN_CLUSTERS:
        reason = f"fewer than {_MIN_CLUSTERS} clusters"
        return Pooled(value, len(array), n_missing, reason=reason)
    counts = rng.multinomial(len(names), np.full(len(names), 1 / len(names)), size=draws)
    # Some figures take long to compute, and with few clusters most draws are alike.
    distinct, inverse = np.unique(counts, axis=0, return_inverse=True)
    values = compute(distinct @ sums)[inverse.reshape(-1)]
    low, high = np.quantile(values, [_TAIL, 1 - _TAIL])
    return Pooled(value, len(array), n_missing, float(low), float(high))


def ratio(sums: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the first statistic over the second, which must not be 0."""
    quotient: npt.NDArray[np.float64] = sums[:, 0] / sums[:, 1]
    return quotient
