"""Checks that the statistics share."""

import math
from collections.abc import Sequence
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

Nullable: TypeAlias = npt.ArrayLike | Sequence[float | None]
"""Numbers in which NaN or None is missing."""

# Below these a spread is rounding noise: the values of this field lie between 0 and some hundreds.
_RELATIVE_NOISE: Final = 1e-10
_ABSOLUTE_NOISE: Final = 1e-12


def numbers(values: Nullable, name: str, *, allowed: float = math.nan) -> npt.NDArray[np.float64]:
    """Return a one-dimensional array of numbers in which NaN is missing.

    Args:
        values: n numbers; NaN or None is missing.
        name: What to call them in an error.
        allowed: An infinity that may occur; none by default.

    Raises:
        ValueError: They are no numbers, not one-dimensional, or one is infinite.
    """
    array = np.asarray(values)
    # numpy would read the text "70" as a number without a word.
    texts = array.dtype.kind not in "biufO" or (
        array.dtype.kind == "O" and any(isinstance(x, str | bytes) for x in array.flat)
    )
    if texts:
        raise ValueError(f"{name} must be numbers, found an array of type {array.dtype}")
    found = array.astype(np.float64)
    if found.ndim != 1:
        raise ValueError(f"{name} must have one dimension, found an array of shape {found.shape}")
    infinite = np.isinf(found) & (found != allowed)
    if infinite.any():
        position = int(np.argmax(infinite))
        raise ValueError(f"{name}[{position}] is {found[position]}; a missing value is NaN or None")
    return found


def pairs(
    x: Nullable, y: Nullable, names: tuple[str, str] = ("x", "y")
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], int]:
    """Return the two sides of the pairs in which both values are there, and how many are not.

    Args:
        x: n numbers; NaN or None is missing.
        y: n numbers.
        names: What to call them in an error.

    Raises:
        ValueError: The lengths differ, or a side is not what :func:`numbers` takes.
    """
    left, right = numbers(x, names[0]), numbers(y, names[1])
    if left.size != right.size:
        raise ValueError(
            f"{names[0]} and {names[1]} must have the same length, "
            f"found {left.size} and {right.size}"
        )
    complete = ~(np.isnan(left) | np.isnan(right))
    return left[complete], right[complete], int((~complete).sum())


def noise(values: npt.NDArray[np.float64]) -> float:
    """Return the greatest difference among the values that may come from rounding alone.

    That is 1e-10 of the greatest magnitude, and at least 1e-12.

    Args:
        values: Numbers without NaN, at least one.
    """
    return max(_RELATIVE_NOISE * float(np.abs(values).max()), _ABSOLUTE_NOISE)


def is_constant(values: npt.NDArray[np.float64]) -> bool:
    """Tell whether the values differ by no more than :func:`noise`.

    Args:
        values: Numbers without NaN, at least one.
    """
    return float(values.max() - values.min()) <= noise(values)
