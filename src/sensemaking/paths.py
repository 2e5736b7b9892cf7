"""Finding the folders that the configuration names."""

from collections.abc import Sequence
from pathlib import Path


def resolve(name: str, bases: Sequence[Path], *, key: str) -> Path:
    """Return the absolute path of a folder that the configuration names.

    Args:
        name: An absolute path, one that starts with ``~``, or one relative to one of the bases.
        bases: Where to look for a relative path, in order.
        key: The configuration key, for the message.

    Raises:
        FileNotFoundError: There is no such folder; the message says where it was looked for.
    """
    path = Path(name).expanduser()
    tried = [path] if path.is_absolute() else [base / path for base in bases]
    for candidate in tried:
        if candidate.is_dir():
            return candidate.resolve()
    places = " and ".join(str(candidate) for candidate in dict.fromkeys(tried))
    raise FileNotFoundError(f"{key}: no folder {name!r}; looked for {places}; correct {key}")
