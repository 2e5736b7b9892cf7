"""How a section and the items about it are laid out over calls, so that nothing is cut.

As much as fits goes into one call. Where that is not all, the items are divided into groups, and
the text into parts at the ends of sentences; each group then goes with each part.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from sensemaking.llm.splitting import NoRoomError, item_groups, text_parts

_ITEMS_SHARE: Final = 0.5
"""Share of the room that items may take where the text has to be divided anyway."""

_ITEM_SHARE: Final = 0.75
"""Share of the room that a single item may take; beyond it the text would fall to crumbs."""


@dataclass(frozen=True)
class Place:
    """What goes into one call.

    Attributes:
        items: Positions of the items.
        text: The text, or the part of it.
        part: Number of the part, from 0.
        parts: How many parts the text has for these items.
    """

    items: tuple[int, ...]
    text: str
    part: int
    parts: int


@dataclass(frozen=True)
class Layout:
    """The calls of a section.

    Attributes:
        places: What goes into each, groups in order and the parts of each in order.
        too_long: Positions of items that are too long for the context by themselves.
    """

    places: tuple[Place, ...]
    too_long: tuple[int, ...]


def layout(
    text: str,
    language: str,
    items: int,
    *,
    prompt_tokens: Callable[[str, Sequence[int]], int],
    room: int,
    most_items: int,
) -> Layout:
    """Lay a section out.

    Args:
        text: The section's text.
        language: Its language, ISO 639-1 code.
        items: How many items there are.
        prompt_tokens: Tokens of the whole prompt with a text and the items at some positions.
        room: Tokens that a prompt may have.
        most_items: Items whose replies fit into the limit of a reply.
    """
    # Nearly always it all fits, and measuring a prompt takes most of the time.
    everything = tuple(range(items))
    if 0 < items <= most_items and prompt_tokens(text, everything) <= room:
        return Layout((Place(everything, text, 0, 1),), ())
    bare = prompt_tokens("", ())
    free = room - bare

    def size(positions: Sequence[int]) -> int:
        return prompt_tokens("", positions) - bare

    too_long = tuple(n for n in range(items) if size([n]) > _ITEM_SHARE * free)
    left = [n for n in range(items) if n not in too_long]

    def group_fits(group: Sequence[int]) -> bool:
        if len(group) == 1:
            return True
        small = size(group) <= _ITEMS_SHARE * free or prompt_tokens(text, group) <= room
        return len(group) <= most_items and small

    places = []
    crumbs: list[int] = []
    for group in item_groups(left, group_fits):

        def part_fits(part: str, group: Sequence[int] = tuple(group)) -> bool:
            return prompt_tokens(part, group) <= room

        try:
            parts = text_parts(text, language, part_fits)
        except NoRoomError:
            crumbs += group
            continue
        places += [
            Place(tuple(group), part, number, len(parts)) for number, part in enumerate(parts)
        ]
    return Layout(tuple(places), tuple(sorted([*too_long, *crumbs])))
