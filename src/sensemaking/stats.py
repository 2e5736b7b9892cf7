"""Means with intervals, and ranks; undefined is None with a reason, never 0.

Correlations can be imported from here too.
"""

import math
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from sensemaking._arrays import Nullable, numbers
from sensemaking.correlation import KENDALL_TAU_B, PEARSON, kendall_tau_b, pearson
from sensemaking.statistic import Statistic

__all__ = [
    "KENDALL_TAU_B",
    "PEARSON",
    "MeanInterval",
    "Statistic",
    "kendall_tau_b",
    "mean",
    "mean_interval",
    "pearson",
    "ranks",
]

NO_VALUES: Final = "no values"
_CHUNK_BYTES: Final = 1_000_000


@dataclass(frozen=True, kw_only=True)
class MeanInterval(Statistic):
    """A mean with its standard deviation and bootstrap interval.

    Attributes:
        value: The mean of the values that are there; None without any.
        n: The number of those values.
        reason: Why ``value``, else ``sd``, else the interval is None; None if none of them is.
        n_missing: The number of missing values.
        n_clusters: The number of clusters with at least one value.
        sd: The standard deviation of the values.
        ci_low: The lower end of the interval.
        ci_high: The upper end of the interval.
        level: The confidence level of the interval.
        draws: The number of bootstrap draws asked for.
        ddof: The divisor of the variance is ``n - ddof``.
    """

    n_clusters: int
    sd: float | None
    ci_low: float | None
    ci_high: float | None
    level: float
    draws: int
    ddof: int


def mean(values: Nullable) -> Statistic:
    """Return the mean of the values that are not missing.

    Args:
        values: n numbers; NaN or None is missing.

    Returns:
        The mean, with the number of values and of missing ones; their order does not matter.
        None with the reason ``"no values"`` if all are missing.

    Raises:
        ValueError: The values are not one-dimensional, or one is infinite.
    """
    found = numbers(values, "values")
    present = found[~np.isnan(found)]
    n_missing = found.size - present.size
    if present.size == 0:
        return Statistic(value=None, n=0, reason=NO_VALUES, n_missing=n_missing)
    return Statistic(value=_exact_mean(present), n=present.size, n_missing=n_missing)


def mean_interval(
    values: Nullable,
    clusters: Iterable[Hashable],
    rng: np.random.Generator,
    *,
    draws: int = 10_000,
    level: float = 0.95,
    min_clusters: int = 5,
    ddof: int = 1,
) -> MeanInterval:
    """Return the mean with a percentile interval by cluster bootstrap.

    Values of one cluster (a section of the text, say) are not independent, so whole clusters are
    drawn, with replacement, as many as there are; the mean of a draw is that of all values in
    it. The interval holds the middle ``level`` of the draws (linear quantiles). With few clusters
    such an interval is too narrow, so below ``min_clusters`` none is given. Source: Davison and
    Hinkley 1997, Bootstrap Methods and their Application, sections 3.8 and 5.3.

    Missing values are left out and counted; a cluster without a value is not drawn. The result
    does not depend on the order of the rows: clusters are sorted by id.

    Args:
        values: n numbers; NaN or None is missing.
        clusters: The id of the cluster of each value, all of one type (text, usually).
        rng: The source of the draws, such as ``sensemaking.seeds.generator(seed, purpose, item)``.
        draws: The number of bootstrap draws.
        level: The confidence level, between 0 and 1.
        min_clusters: The least number of clusters with values for which there is an interval.
        ddof: The divisor of the variance is ``n - ddof``.

    Returns:
        The mean and what stands beside it, in the unit of the values. Reasons are
        ``"no values"``, ``"fewer than 2 values"`` (no sd) and ``"fewer than 5 clusters"`` (no
        interval), with the numbers of the settings; the first that applies is given.

    Raises:
        ValueError: The lengths differ, the values are not one-dimensional or one is infinite, a
            cluster id is missing, or a setting is out of its range.
        TypeError: ``rng`` is not a numpy Generator, or cluster ids are of several types.
    """
    _require_generator(rng)
    if draws < 1 or not 0 < level < 1 or min_clusters < 1 or ddof < 0:
        raise ValueError(
            "draws and min_clusters must be 1 or more, level between 0 and 1, ddof 0 or more; "
            f"found {draws=}, {min_clusters=}, {level=}, {ddof=}"
        )
    found = numbers(values, "values")
    codes = _cluster_codes(clusters, found.size)
    there = ~np.isnan(found)
    present, codes = found[there], codes[there]
    n = present.size
    # Sums in floating point depend on the order of their terms, so that order is fixed too.
    order = np.lexsort((present, codes))
    present, codes = present[order], codes[order]
    starts = np.flatnonzero(np.diff(codes, prepend=-1))

    value: float | None = None
    sd: float | None = None
    low: float | None = None
    high: float | None = None
    reasons: list[str] = []
    if n == 0:
        reasons.append(NO_VALUES)
    else:
        value = _exact_mean(present)
        deviations = present - value
        if n > ddof:
            sd = math.sqrt(math.fsum((deviations**2).tolist()) / (n - ddof))
        else:
            reasons.append(f"fewer than {ddof + 1} values")
        if len(starts) >= min_clusters:
            # Deviations, so that the interval of equal values has no width from rounding.
            sums = np.add.reduceat(deviations, starts)
            sizes = np.diff(starts, append=n)
            tail = (1 - level) / 2
            ends = np.quantile(_bootstrap_means(sums, sizes, rng, draws), [tail, 1 - tail])
            low, high = (value + float(end) for end in ends)
        else:
            reasons.append(f"fewer than {min_clusters} clusters")
    return MeanInterval(
        value=value,
        n=n,
        reason=reasons[0] if reasons else None,
        n_missing=found.size - n,
        n_clusters=len(starts),
        sd=sd,
        ci_low=low,
        ci_high=high,
        level=level,
        draws=draws,
        ddof=ddof,
    )


def ranks(
    values: Nullable, rng: np.random.Generator, *, decimals: int = 6
) -> npt.NDArray[np.float64]:
    """Return the rank of each of n systems: the largest value has rank n, the smallest 1.

    Equal values share the mean of their ranks. Systems without a value come below all others:
    missing ones take the worst ranks, in an order that is drawn; above them come those whose
    value is undefined, sharing the mean of their ranks.

    Args:
        values: n numbers, larger is better; NaN or None is missing, -inf is undefined.
        rng: Draws the order of missing systems; not used where fewer than two are missing. The
            draw goes by position, so sort the systems by id first.
        decimals: Values are compared after rounding to so many decimals, so that the noise of
            floating-point sums makes no order where there is none.

    Returns:
        An array of n ranks from 1 to n, whose sum is n (n + 1) / 2.

    Raises:
        ValueError: The values are not one-dimensional, or one is +inf.
        TypeError: ``rng`` is not a numpy Generator.
    """
    _require_generator(rng)
    found = numbers(values, "values", allowed=-math.inf)
    missing = np.isnan(found)
    n_missing = int(missing.sum())
    result = np.empty(found.size)
    result[missing] = 1 + rng.permutation(n_missing)
    # Not np.round, which overflows for large values.
    rounded = [x if math.isinf(x) else round(x, decimals) for x in found[~missing].tolist()]
    _, group, sizes = np.unique(rounded, return_inverse=True, return_counts=True)
    best_of_group = n_missing + np.cumsum(sizes)
    result[~missing] = (best_of_group - (sizes - 1) / 2)[group]
    return result


def _require_generator(rng: object) -> None:
    if not isinstance(rng, np.random.Generator):
        raise TypeError(
            f"rng must be a numpy Generator, found {type(rng).__name__}; "
            "make one with sensemaking.seeds.generator"
        )


def _exact_mean(present: npt.NDArray[np.float64]) -> float:
    """Return the mean of one or more values, whatever their order, never outside their range."""
    found = math.fsum(present.tolist()) / present.size
    return min(max(found, float(present.min())), float(present.max()))


def _cluster_codes(clusters: Iterable[Hashable], n: int) -> npt.NDArray[np.intp]:
    """Return the position of each row's cluster among the sorted cluster ids."""
    if isinstance(clusters, str | bytes):
        raise TypeError("clusters must be a list of ids, found one text")
    # Plain objects: an array of fixed-width text would take four bytes for every letter of the
    # longest id.
    ids = clusters.tolist() if isinstance(clusters, np.ndarray) else list(clusters)
    if len(ids) != n:
        raise ValueError(f"values and clusters must have the same length, found {n} and {len(ids)}")
    distinct = set(ids)
    if any(cluster is None or cluster != cluster for cluster in distinct):
        raise ValueError("clusters must not hold missing ids; found None or NaN")
    types = sorted({type(cluster).__name__ for cluster in distinct})
    if len(types) > 1:
        raise TypeError(f"clusters must be ids of one type, found {', '.join(types)}")
    code_of = {cluster: code for code, cluster in enumerate(sorted(distinct))}
    return np.fromiter((code_of[cluster] for cluster in ids), dtype=np.intp, count=n)


def _bootstrap_means(
    sums: npt.NDArray[np.float64],
    sizes: npt.NDArray[np.intp],
    rng: np.random.Generator,
    draws: int,
    chunk_bytes: int = _CHUNK_BYTES,
) -> npt.NDArray[np.float64]:
    """Return the mean of each draw; the size of the chunks bounds memory and moves no value."""
    n_clusters = len(sums)
    rows = max(1, chunk_bytes // (8 * n_clusters))
    means = np.empty(draws)
    for start in range(0, draws, rows):
        chunk = means[start : start + rows]
        # 64-bit indices: smaller ones cost more in conversion than they save, and would be
        # drawn in another order with other chunks.
        drawn = rng.integers(n_clusters, size=(len(chunk), n_clusters))
        chunk[:] = sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1)
    return means
