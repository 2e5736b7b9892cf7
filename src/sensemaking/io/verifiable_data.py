"""Files of verifiable data, which are verified whenever they are read."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sensemaking.io.files import write_text
from sensemaking.verifiable.reading import verify

_MOST_SHOWN = 10


class DataError(ValueError):
    """A file is no sound verifiable data; the message names the file and each place."""


def write_data(path: str | Path, data: Mapping[str, Any]) -> None:
    """Write verifiable data as JSON."""
    write_text(path, json.dumps(data, ensure_ascii=False, indent=1) + "\n")


def read_data(path: str | Path) -> dict[str, Any]:
    """Return verifiable data after recounting them from their texts.

    Raises:
        DataError: The file is no JSON object, has a key twice, or anything in it is not as it must
            be; see :func:`sensemaking.verifiable.verify`.
    """
    try:
        data = json.loads(Path(path).read_bytes(), object_pairs_hook=without_twins)
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path}: not JSON: {error}; make the file again") from error
    if not isinstance(data, dict):
        raise DataError(f"{path}: found {type(data).__name__}, expected an object")
    mismatches = verify(data)
    if mismatches:
        shown = "".join(
            f"\n  {found.json_pointer or '(whole file)'}: {found.message}"
            for found in mismatches[:_MOST_SHOWN]
        )
        more = len(mismatches) - _MOST_SHOWN
        raise DataError(
            f"{path}: {len(mismatches)} mismatches, so these data were changed after they were "
            f"made; make them again{shown}" + (f"\n  and {more} more" if more > 0 else "")
        )
    return data


def without_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of a JSON file; of two values of one key, either could be meant.

    Raises:
        ValueError: A key occurs twice.
    """
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {twice!r} occurs twice in one object")
    return found
