"""Pearson's correlation with an interval by cluster bootstrap."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sensemaking.statistic import Statistic
from sensemaking.stats import pearson

_CHUNK_ENTRIES = 1_000_000
_MOST_UNDEFINED = 0.05
MANY_CONSTANT_DRAWS = "more than 5 % of the draws are constant"


@dataclass(frozen=True, kw_only=True)
class CorrelationInterval(Statistic):
    """A correlation with its bootstrap interval.

    Attributes:
        n_clusters: The number of clusters with a complete pair.
        ci_low: The lower end of the interval, or None.
        ci_high: The upper end of the interval, or None.
    """

    n_clusters: int
    ci_low: float | None
    ci_high: float | None


def pearson_interval(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    clusters: Sequence[str],
    rng: np.random.Generator,
    *,
    draws: int = 10_000,
    level: float = 0.95,
    min_clusters: int = 5,
) -> CorrelationInterval:
    """Return Pearson's r with a percentile interval from drawing whole clusters.

    Only pairs with both values count. Draws in which a series is constant have no r and are left
    out; the interval is None if they are more than one in twenty. Source: Davison and Hinkley
    1997, Bootstrap Methods and their Application, sections 3.8 and 5.3.

    Args:
        x: n numbers; NaN is missing.
        y: n numbers.
        clusters: The id of the cluster of each pair.
        rng: The source of the draws.
        draws: How many.
        level: The confidence level.
        min_clusters: With fewer clusters there is no interval.

    Raises:
        ValueError: The lengths differ or a value is infinite.
    """
    r = pearson(x, y)
    left, right = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if len(clusters) != len(left):
        raise ValueError(f"{len(left)} pairs, but {len(clusters)} clusters")
    complete = ~(np.isnan(left) | np.isnan(right))
    left, right = left[complete], right[complete]
    names, codes = np.unique(np.asarray(clusters, dtype=str)[complete], return_inverse=True)
    reason = r.reason
    low: float | None = None
    high: float | None = None
    if reason is None and len(names) < min_clusters:
        reason = f"fewer than {min_clusters} clusters"
    elif reason is None:
        drawn = _drawn_correlations(left, right, codes, len(names), rng, draws)
        if np.isnan(drawn).mean() > _MOST_UNDEFINED:
            reason = MANY_CONSTANT_DRAWS
        else:
            tail = (1 - level) / 2
            low, high = (float(end) for end in np.nanquantile(drawn, [tail, 1 - tail]))
    return CorrelationInterval(
        value=r.value,
        n=r.n,
        reason=reason,
        n_missing=r.n_missing,
        n_clusters=len(names),
        ci_low=low,
        ci_high=high,
    )


def _drawn_correlations(
    x: npt.NDArray[np.float64],
    y: npt.NDArray[np.float64],
    codes: npt.NDArray[np.intp],
    n_clusters: int,
    rng: np.random.Generator,
    draws: int,
) -> npt.NDArray[np.float64]:
    """Return r of each draw, NaN where it is undefined."""
    x, y = x - x.mean(), y - y.mean()
    moments = np.stack([np.ones_like(x), x, y, x * x, y * y, x * y])
    sums = np.stack([np.bincount(codes, m, n_clusters) for m in moments])
    least = 1e-12 * np.array([moments[3].sum(), moments[4].sum()])
    result = np.empty(draws)
    size = max(1, _CHUNK_ENTRIES // n_clusters)
    for start in range(0, draws, size):
        stop = min(draws, start + size)
        counts = rng.multinomial(n_clusters, [1 / n_clusters] * n_clusters, size=stop - start)
        n, sx, sy, sxx, syy, sxy = (counts @ sums.T).T
        vx, vy = sxx - sx * sx / n, syy - sy * sy / n
        defined = (vx > least[0]) & (vy > least[1])
        with np.errstate(invalid="ignore", divide="ignore"):
            r = (sxy - sx * sy / n) / np.sqrt(vx * vy)
        result[start:stop] = np.where(defined, np.clip(r, -1, 1), np.nan)
    return result
