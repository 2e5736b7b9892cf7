"""Draws that are the same on every machine and with every version of Python and numpy."""

import hashlib
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Draws:
    """A stream of draws: SHA-256 of the key and a counter, eight bytes at a time.

    Only whole numbers are computed with, so that no library, rounding or word size can move a draw.

    Args:
        key: What the stream is for; equal keys give equal streams.
    """

    def __init__(self, *key: str | int) -> None:
        """Start the stream."""
        self._key = hashlib.sha256("\x1f".join(str(part) for part in key).encode()).digest()
        self._counter = 0

    def _word(self) -> int:
        block = hashlib.sha256(self._key + self._counter.to_bytes(8, "big")).digest()
        self._counter += 1
        return int.from_bytes(block[:8], "big")

    def below(self, n: int) -> int:
        """Return a whole number from 0 to n − 1, all equally likely."""
        if n < 1:
            raise ValueError(f"there is no whole number from 0 to {n - 1}")
        # What is left above the last multiple of n would make small numbers likelier.
        limit = 2**64 - 2**64 % n
        while (word := self._word()) >= limit:
            pass
        return word % n

    def between(self, low: int, high: int) -> int:
        """Return a whole number from low to high, both included."""
        return low + self.below(high - low + 1)

    def choice(self, options: Sequence[T]) -> T:
        """Return one of the options."""
        return options[self.below(len(options))]

    def sample(self, options: Sequence[T], k: int) -> list[T]:
        """Return k different ones of the options in random order."""
        if not 0 <= k <= len(options):
            raise ValueError(f"cannot draw {k} of {len(options)} without putting back")
        left = list(options)
        for place in range(k):
            other = place + self.below(len(left) - place)
            left[place], left[other] = left[other], left[place]
        return left[:k]

    def shuffled(self, options: Sequence[T]) -> list[T]:
        """Return all options in random order."""
        return self.sample(options, len(options))

    def happens(self, numerator: int, denominator: int) -> bool:
        """Return True with the probability numerator / denominator."""
        return self.below(denominator) < numerator
