"""One number with its count, and the reason where there is none."""

import math
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Statistic:
    """A statistic that is either a finite number or undefined for a stated reason.

    ``float(statistic)`` gives the value, or NaN where it is undefined, so that results can be
    put into arrays.

    Attributes:
        value: The number, finite; None where it is undefined.
        n: How many observations it rests on; each function says of what.
        reason: A short stable phrase. Always there when ``value`` is None; beside a value it
            marks one that must be read with care, or an accompanying figure that is undefined.
        n_missing: How many observations were left out because they were missing.

    Raises:
        ValueError: The value is NaN or infinite, or it is None without a reason, or a count is
            negative.
    """

    value: float | None
    n: int
    reason: str | None = None
    n_missing: int = 0

    def __post_init__(self) -> None:
        """Refuse a state that would put NaN, infinity or an unexplained null into an artifact."""
        if self.value is None:
            if not self.reason:
                raise ValueError("an undefined statistic needs a reason; found none")
        elif not math.isfinite(self.value):
            raise ValueError(
                f"the value of a statistic must be finite, found {self.value}; "
                "an undefined one is None with a reason"
            )
        if self.n < 0 or self.n_missing < 0:
            raise ValueError(
                f"counts must be 0 or more, found n={self.n} and n_missing={self.n_missing}"
            )

    def __float__(self) -> float:
        """Return the value, NaN where it is undefined."""
        return math.nan if self.value is None else float(self.value)
