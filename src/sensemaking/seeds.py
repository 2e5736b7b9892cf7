"""Random draws that depend on nothing but a seed, what the draw is for, and the item it is for."""

import hashlib

import numpy as np


def generator(seed: int, purpose: str, item: str = "") -> np.random.Generator:
    """Return the generator of one draw: the same three arguments always give the same stream.

    Adding, removing or reordering other items moves no draw, because no stream is shared.

    Args:
        seed: The run's seed, a whole number of 0 or more.
        purpose: What is drawn, such as ``"bootstrap"``.
        item: The id of the thing drawn for, such as a section_id.

    Raises:
        ValueError: The seed is negative.
    """
    if seed < 0:
        raise ValueError(f"the seed must be 0 or more, not {seed}")
    digest = hashlib.sha256(f"{seed}\x1f{purpose}\x1f{item}".encode()).digest()
    return np.random.Generator(np.random.PCG64(int.from_bytes(digest, "big")))
