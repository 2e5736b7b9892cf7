"""Coupling of pairwise probabilities after Price, Knerr, Personnaz and Dreyfus (PKPD)."""

import threading
from contextlib import nullcontext
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from sensemaking.coupling.connectivity import BoolArray, FloatArray

COMPLEMENT_TOLERANCE = 2e-6
"""How far P[i, j] + P[j, i] may be from 1: files often keep six decimals, rounded or cut off."""

_ROUNDING = 1e-12

_BLOCK_ENTRIES = 160_000
"""1.3 MB: near a core's cache, in few calls, and no product with it is worth waking threads for."""


class MissingPairsError(ValueError):
    """PKPD was asked to couple a table in which pairs are missing.

    Attributes:
        pairs: The missing pairs (i, j), i < j.
    """

    def __init__(self, pairs: list[tuple[int, int]]) -> None:
        """Name the first pairs in the message."""
        shown = ", ".join(f"{i}–{j}" for i, j in pairs[:10])
        more = f" and {len(pairs) - 10} more" if len(pairs) > 10 else ""
        super().__init__(
            f"PKPD needs every pair, and {len(pairs)} have no probability: {shown}{more}; "
            "ask them, leave their items out, or use bradley_terry, which needs no complete table"
        )
        self.pairs = pairs


@dataclass(frozen=True, eq=False)
class PkpdResult:
    """Strengths by PKPD.

    Attributes:
        strengths: K values of 0 or more, sum 1, in the order of the input.
        raw: K values of equation 7 before normalising, 0 to 1.
        raw_sum: Their sum, the consistency figure: 1 if the probabilities agree with one another.
        clip: The ε that probabilities were clipped to, [ε, 1 − ε].
        uniform: True if every raw value was 0 (0/0), so that the strengths are 1/K by convention.
        probabilities: The K × K table that was coupled (not a copy).
    """

    strengths: FloatArray
    raw: FloatArray
    raw_sum: float
    clip: float
    uniform: bool
    probabilities: FloatArray

    @property
    def log_strengths(self) -> FloatArray:
        """K natural logarithms of the strengths, shifted to mean 0; NaN where a strength is 0."""
        return centred_log(self.strengths)

    @property
    def saturated(self) -> BoolArray:
        """K flags: the item lost to another with a probability of ε or less.

        Its strength then follows from ε more than from its other answers, and the order of two such
        items may be decided by ε alone: take it from Bradley–Terry.
        """
        low = self.probabilities <= self.clip * (1.0 + 1e-9)
        np.fill_diagonal(low, False)
        return np.asarray(low.any(axis=1))


def centred_log(strengths: FloatArray) -> FloatArray:
    """Return the natural logarithms of strengths, shifted to mean 0; NaN for those that are 0."""
    positive = strengths > 0.0
    logs = np.log(strengths, out=np.full_like(strengths, np.nan), where=positive)
    return np.asarray(logs - logs[positive].mean(), dtype=np.float64)


def pkpd(P: npt.ArrayLike, clip: float = 1e-3) -> PkpdResult:
    """Couple pairwise probabilities: P_i = 1 / (Σ_{j≠i} 1/P_ij − (K − 2)), then normalise.

    P_ij is clipped to [ε, 1 − ε] first. With ε = 0 a pair that is surely lost, P_ij = 0, gives
    P_i = 0.

    Source: Price, Knerr, Personnaz and Dreyfus 1994, Pairwise neural network classifiers with
    probabilistic outputs, NIPS 7, equation 7.

    Args:
        P: K × K, ``P[i, j]`` = probability that i beats j, 0 to 1, ``P[j, i] = 1 − P[i, j]``
            (within 2e-6). The diagonal is ignored. NaN = not asked.
        clip: ε, at least 0 and below ½.

    Returns:
        The strengths and their figures.

    Raises:
        MissingPairsError: A pair is NaN.
        ValueError: Not a square table with at least one item; an entry outside 0 to 1; two
            directions that do not sum to 1; an unusable ε.
    """
    given = table = np.asarray(P, dtype=np.float64)
    if table.ndim != 2 or table.shape[0] != table.shape[1] or table.size == 0:
        raise ValueError(f"P must be K × K with K of 1 or more, not of shape {table.shape}")
    if not 0.0 <= clip < 0.5:
        raise ValueError(f"clip must be at least 0 and below 0.5, not {clip}")
    K = len(table)
    lowest = float(table.min())
    if clip == 0.0 or not lowest >= 0.0:
        table = _with_harmless_diagonal(table)
        lowest = float(table.min())
    if not (lowest >= 0.0 and _is_surely_complementary(table)):
        _look_at_each_pair(_with_harmless_diagonal(table))
        # Directions that sum to 1 only nearly may hold a 1 − ε that is a little too large.
        lowest = 0.0
    raw = 1.0 / (_sums_of_inverses(table, clip, lowest) - (K - 2))
    raw_sum = float(raw.sum())
    uniform = raw_sum == 0.0
    strengths = np.full(K, 1.0 / K) if uniform else raw / raw_sum
    return PkpdResult(strengths, raw, raw_sum, float(clip), uniform, given)


def _is_surely_complementary(table: FloatArray) -> bool:
    """Return whether P + Pᵀ = 11ᵀ off the diagonal without doubt, by reading each entry once.

    One product with weights v stands for K² comparisons: vᵀPv is then (Σv)²/2, and otherwise only
    by a coincidence among the weights. If it is not sure, each pair has to be looked at.
    """
    v, squares, expected = _weights(len(table))
    found = float(v @ (table @ v)) - float((table.diagonal() - 0.5) @ squares)
    return abs(found - expected) <= 1e-13 * expected + 1e-8


def _sums_of_inverses(table: FloatArray, clip: float, lowest: float) -> FloatArray:
    """Return Σ_{j≠i} 1/P_ij of the clipped probabilities for each i.

    Args:
        table: P, sound off the diagonal.
        clip: ε.
        lowest: The smallest entry. Where it is at least ε, every entry lies within [ε, 1 − ε].
    """
    K = len(table)
    ones, sums = np.ones(K), np.empty(K)
    rows = min(K, max(1, _BLOCK_ENTRIES // K))
    block = _scratch.table(rows, K)
    # Only an ε of 0 leaves anything to divide by 0.
    with np.errstate(divide="ignore", invalid="ignore") if clip == 0.0 else nullcontext():
        for start in range(0, K, rows):
            given, inverse = table[start : start + rows], block[: K - start]
            if lowest < clip:
                given = given.clip(clip, 1.0 - clip, out=inverse)
            np.divide(1.0, given, out=inverse)
            inverse.reshape(-1)[start :: K + 1] = 0.0
            np.dot(inverse, ones, out=sums[start : start + rows])
    return sums


class _Scratch(threading.local):
    """Memory that a thread keeps: fetching it anew for each call takes longer than filling it."""

    def __init__(self) -> None:
        self.entries = np.empty(0)

    def table(self, rows: int, columns: int) -> FloatArray:
        if self.entries.size < rows * columns:
            self.entries = np.empty(rows * columns)
        return self.entries[: rows * columns].reshape(rows, columns)


_scratch = _Scratch()


@lru_cache(maxsize=8)
def _weights(K: int) -> tuple[FloatArray, FloatArray, float]:
    """Return K weights from ½ to 1 without pattern, their squares, and half their sum squared."""
    weights: FloatArray = 0.5 + 0.5 * np.modf(np.arange(1, K + 1) * 0.6180339887498949)[0]
    squares = weights * weights
    weights.setflags(write=False)
    squares.setflags(write=False)
    return weights, squares, 0.5 * float(weights.sum()) ** 2


def _with_harmless_diagonal(table: FloatArray) -> FloatArray:
    table = table + 0.0  # a copy in which −0.0, whose inverse is −∞, is a plain 0
    np.fill_diagonal(table, 0.5)
    return table


def _look_at_each_pair(table: FloatArray) -> None:
    """Raise what is wrong with a table whose diagonal is harmless, the first pair by name."""
    missing = np.isnan(table)
    if missing.any():
        either = np.triu(missing | missing.T)
        raise MissingPairsError([(int(i), int(j)) for i, j in np.argwhere(either)])
    outside = (table < -_ROUNDING) | (table > 1.0 + _ROUNDING)
    if outside.any():
        i, j = np.argwhere(outside)[0]
        raise ValueError(f"P[{i}, {j}] = {table[i, j]} is not a probability from 0 to 1")
    total = table + table.T
    unequal = np.abs(total - 1.0) > COMPLEMENT_TOLERANCE
    if unequal.any():
        i, j = np.argwhere(unequal)[0]
        raise ValueError(
            f"P[{i}, {j}] + P[{j}, {i}] = {total[i, j]}, which must be 1 "
            f"({int(unequal.sum()) // 2} such pairs); answers that depend on the order of showing "
            "go through symmetrise first"
        )
