"""Rows of all kinds, split into a shard for each."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any


def by_kind(
    rows: Iterable[Mapping[str, Any]], kinds: Sequence[str], key: str
) -> list[list[Mapping[str, Any]]]:
    """Return rows split by kind, which is the first name of an id, in the order of the kinds.

    Args:
        rows: Rows.
        kinds: The kinds.
        key: Name of the column with the id.
    """
    split: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for row in rows:
        split[row[key].partition("/")[0]].append(row)
    return [split[kind] for kind in kinds]
