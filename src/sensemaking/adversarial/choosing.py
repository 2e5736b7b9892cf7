"""Seeded choices that hardly move when the things to choose from change.

Each candidate gets a weight from its own id and the draw; the least one is chosen. A candidate
that is added wins only the draws in which its weight is the least, one in n; all others stay.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

_GAP = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)
_MAX = np.iinfo(np.uint64).max


class Pool:
    """Candidates that are chosen from many times.

    Attributes:
        ids: Their ids, sorted and distinct.
    """

    def __init__(self, ids: Sequence[str]) -> None:
        """Hash the ids.

        Args:
            ids: Ids of the candidates, in any order.
        """
        self.ids = sorted(set(ids))
        self._hashes = np.array([_hash(identifier) for identifier in self.ids], dtype=np.uint64)

    def ranked(
        self, rng: np.random.Generator, allowed: npt.NDArray[np.bool_] | None = None
    ) -> Iterator[int]:
        """Yield the indices of the candidates, the one of least weight first.

        Args:
            rng: The generator of this draw; one number is drawn from it.
            allowed: For each id whether it may be chosen; all may by default.
        """
        weights = self._weights(rng)
        left = np.ones(len(weights), dtype=np.bool_) if allowed is None else allowed.copy()
        # Mostly the first one is taken, so the weights are not sorted.
        for _ in range(int(left.sum())):
            index = int(np.argmin(np.where(left, weights, _MAX)))
            if not left[index]:
                # The greatest weight of all is that of one that may be chosen.
                index = int(np.flatnonzero(left)[0])
            left[index] = False
            yield index

    def _weights(self, rng: np.random.Generator) -> npt.NDArray[np.uint64]:
        salt = rng.integers(0, _MAX, dtype=np.uint64, endpoint=True)
        # The finaliser of SplitMix64 (Steele, Lea and Flood 2014, figure 17).
        mixed = (self._hashes ^ salt) + _GAP
        mixed = (mixed ^ (mixed >> np.uint64(30))) * _FIRST
        mixed = (mixed ^ (mixed >> np.uint64(27))) * _SECOND
        result: npt.NDArray[np.uint64] = mixed ^ (mixed >> np.uint64(31))
        return result


def ring(ids: Sequence[str], weight: Callable[[str], float]) -> dict[str, str]:
    """Return for each id another one, each of them once.

    The ids stand in a ring in the order of their weights, and each has the next one. An id that
    is added changes only what stands before it.

    Args:
        ids: Ids, distinct.
        weight: A seeded number for each.

    Returns:
        Id to other id; empty if there are fewer than two.
    """
    order = sorted(ids, key=lambda identifier: (weight(identifier), identifier))
    if len(order) < 2:
        return {}
    return dict(zip(order, [*order[1:], order[0]], strict=True))


def _hash(identifier: str) -> int:
    return int.from_bytes(hashlib.sha256(identifier.encode()).digest()[:8], "big")
