"""Joining the items of a reply to what was asked for, by id and never by guessing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sensemaking.io.replies import Json


@dataclass(frozen=True)
class Joined:
    """The items of a reply, each joined to what it belongs to.

    Attributes:
        items: The item of each id, in the order given; None where the reply has none. All are
            None where the reply was rejected.
        problem: Why the reply was rejected as a whole, or None.
        ignored: Ids in the reply that nobody asked for.
    """

    items: dict[str, Any]
    problem: str | None = None
    ignored: tuple[str, ...] = ()

    @property
    def missing(self) -> int:
        """How many ids have no item."""
        return sum(item is None for item in self.items.values())


def join(reply: Json, ids: Sequence[str]) -> Joined:
    """Join the items of a reply to ids.

    Read are ``[{"id": …, …}, …]``, ``{id: item, …}``, either of them as the only list or object
    under a key, and a list without ids if it has one item for each id. The reply is rejected if an
    id occurs twice or a list without ids has another length.

    Args:
        reply: The value that ``parse_json`` gave.
        ids: The ids, all different.
    """
    nothing: dict[str, Any] = dict.fromkeys(ids)
    pairs = _pairs(reply, ids)
    if isinstance(pairs, str):
        return Joined(nothing, pairs)
    given = [name for name, _ in pairs]
    twice = sorted({name for name in given if given.count(name) > 1})
    if twice:
        return Joined(nothing, f"{', '.join(twice)} twice")
    items = dict(nothing)
    items.update((name, item) for name, item in pairs if name in nothing)
    return Joined(items, None, tuple(name for name in given if name not in nothing))


def _pairs(reply: Json, ids: Sequence[str]) -> list[tuple[str, Any]] | str:
    if isinstance(reply, dict) and not set(reply) & set(ids) and not _is_entry(reply, ids):
        inner = [value for value in reply.values() if isinstance(value, list | dict)]
        if len(inner) != 1:
            return "no list of items"
        reply = inner[0]
    if isinstance(reply, dict):
        # A reply for a single id may leave the list out.
        return [(str(reply["id"]), reply)] if _is_entry(reply, ids) else list(reply.items())
    if not isinstance(reply, list):
        return "no list of items"
    with_id = [isinstance(entry, Mapping) and _is_id(entry.get("id")) for entry in reply]
    if reply and all(with_id):
        return [(str(entry["id"]).strip(), entry) for entry in reply]
    if any(with_id):
        return "items with and without an id"
    if len(reply) != len(ids):
        return f"{len(reply)} items for {len(ids)} ids"
    return list(zip(ids, reply, strict=True))


def _is_entry(reply: Mapping[str, Any], ids: Sequence[str]) -> bool:
    return str(reply.get("id")) in ids


def _is_id(value: Any) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)
