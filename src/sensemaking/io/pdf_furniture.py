"""Running heads, page numbers and other lines that stand on every page and belong to none.

Pure functions on the lines of all pages.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from statistics import median

from sensemaking.io.pdf_layout import Line

_ZONE = 0.12
"""Part of the page's height, at the top and at the bottom, where such lines are looked for."""
_LARGER = 1.3
"""A line larger than the usual text by more than this is a title, whatever it repeats."""
_SLOT = 3.0
"""Distance in points within which lines of different pages stand in the same place."""
_SHARE = 0.4
"""Least share of the pages that have a line in the place; left and right pages may differ."""
_REPEATED = 0.5
"""Least share of these lines whose words, figures aside, stand there more than once."""

_PAGE_NUMBER = re.compile(r"[-–—|\s]*(\d+)\s*/\s*(\d+)[-–—|\s]*")
_FIGURES = re.compile(r"\d+|\b[ivxlc]+\b")


def running(
    pages: Sequence[Sequence[Line]], extents: Sequence[tuple[float, float]]
) -> list[set[int]]:
    """Return, for each page, the indices of its lines that are running heads or page numbers.

    A place at the top or the bottom counts if at least two pages and 40 % of all pages have a
    line there that is not larger than the usual text, and half of these lines repeat when figures
    are left aside. On a document of one page only a number such as 3/17 is known for what it is.

    Args:
        pages: The lines of each page.
        extents: Lower and upper edge of each page, in the frame of its lines.
    """
    found: list[set[int]] = [set() for _ in pages]
    heights = [line.height for page in pages for line in page for _ in line.text]
    if not heights:
        return found
    usual = median(heights)
    for page, (lines, extent) in enumerate(zip(pages, extents, strict=True)):
        found[page] |= _counters(lines, extent, usual)
    slots: dict[tuple[bool, int], list[tuple[int, int]]] = defaultdict(list)
    for page, (lines, extent) in enumerate(zip(pages, extents, strict=True)):
        for index, line in enumerate(lines):
            place = _place(line, extent)
            if place is not None and line.height <= _LARGER * usual:
                at_top, distance = place
                slots[at_top, round(distance / _SLOT)].append((page, index))
    least = max(2, math.ceil(_SHARE * len(pages)))
    for (at_top, number), members in slots.items():
        # A place may lie on the border of two steps.
        members = members + slots.get((at_top, number + 1), [])
        if len({page for page, _ in members}) < least:
            continue
        words = {member: _words(pages[member[0]][member[1]].text) for member in members}
        counts = Counter(words.values())
        repeated = sum(1 for text in words.values() if counts[text] > 1)
        if repeated >= _REPEATED * len(members):
            for page, index in members:
                found[page].add(index)
    return found


def _place(line: Line, extent: tuple[float, float]) -> tuple[bool, float] | None:
    """Return whether a line is at the top, and its distance from that edge; None if neither."""
    low, high = extent
    centre = (line.bottom + line.top) / 2
    zone = _ZONE * (high - low)
    if high - centre <= zone:
        return True, high - centre
    if centre - low <= zone:
        return False, centre - low
    return None


def _counters(lines: Sequence[Line], extent: tuple[float, float], usual: float) -> set[int]:
    result = set()
    for index, line in enumerate(lines):
        match = _PAGE_NUMBER.fullmatch(line.text)
        if match and _place(line, extent) is not None and line.height <= usual:
            number, total = int(match[1]), int(match[2])
            if 1 <= number <= total:
                result.add(index)
    return result


def _words(text: str) -> str:
    return " ".join(_FIGURES.sub("#", text.casefold()).split())
