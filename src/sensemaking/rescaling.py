"""The repair of ratings that were given on a scale from 0 to 1."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Literal

Mode = Literal["each", "reply", "none"]
"""Which ratings of a submission are multiplied by 100.

``each``: each that is at most 1, as the task's overview paper does. ``reply``: those of a reply
whose ratings are all at most 1 and not all whole. ``none``: none.
"""

MODES: tuple[Mode, ...] = ("each", "reply", "none")


@dataclass(frozen=True)
class Rescaled:
    """Ratings after the repair.

    Attributes:
        ratings: The ratings, 0 to 100, None where there was none.
        changed: Whether each was multiplied. A rating of 0 never is: it is 0 on both scales.
        n: How many were multiplied.
        n_valid: How many ratings there are.
    """

    ratings: tuple[float | None, ...]
    changed: tuple[bool, ...]
    n: int
    n_valid: int

    @property
    def share(self) -> float | None:
        """The share of the ratings that were multiplied, or None if there are no ratings."""
        return self.n / self.n_valid if self.n_valid else None


def rescale(
    ratings: Sequence[float | None], mode: Mode, replies: Sequence[Hashable] | None = None
) -> Rescaled:
    """Multiply the ratings of one submission that are on the scale from 0 to 1 by 100.

    For submitted ratings only; a reply to a prompt of our own is asked again instead.

    Args:
        ratings: The valid ratings of a submission, 0 to 100; None for a missing one.
        mode: Which of them.
        replies: What each rating came with, of equal length: the file of answers that was rated
            at once. Needed for the mode ``reply``.

    Raises:
        ValueError: The mode is unknown, a rating is out of range, or the lengths differ.

    Source:
        Šindelář and Bojar 2025, Overview of the Sensemaking Task at the ELOQUENT 2025 Lab.
    """
    if mode not in MODES:
        raise ValueError(f"unknown mode {mode!r}; known: {', '.join(MODES)}")
    for rating in ratings:
        if rating is not None and not 0 <= rating <= 100:
            raise ValueError(f"a rating must be from 0 to 100, found {rating}; drop it before")
    if mode == "reply":
        if replies is None or len(replies) != len(ratings):
            raise ValueError(
                "the mode 'reply' needs the reply of each rating, as many as there are ratings"
            )
        groups: dict[Hashable, list[float]] = {}
        for reply, rating in zip(replies, ratings, strict=True):
            if rating is not None:
                groups.setdefault(reply, []).append(rating)
        small = {
            reply
            for reply, group in groups.items()
            if max(group) <= 1 and not all(float(rating).is_integer() for rating in group)
        }
        chosen = [reply in small for reply in replies]
    else:
        chosen = [mode == "each"] * len(ratings)
    changed = tuple(
        use and rating is not None and 0 < rating <= 1
        for use, rating in zip(chosen, ratings, strict=True)
    )
    return Rescaled(
        tuple(
            rating * 100 if multiply and rating is not None else rating
            for multiply, rating in zip(changed, ratings, strict=True)
        ),
        changed,
        sum(changed),
        sum(rating is not None for rating in ratings),
    )
