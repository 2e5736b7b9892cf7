"""Outlines of PDF files: where their entries lie in the text that was read from the pages."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from sensemaking.sectioning.marks import Mark
from sensemaking.text.ligatures import expand


class OutlineEntry(Protocol):
    """An entry of an outline; those of ``sensemaking.io.pdf`` are such."""

    @property
    def title(self) -> str:
        """Its title."""
        ...

    @property
    def level(self) -> int:
        """Its depth; the outermost has the least."""
        ...

    @property
    def page(self) -> int | None:
        """Number of the page that it leads to, from 1; None where it leads nowhere."""
        ...


class Entry(NamedTuple):
    """An entry of an outline.

    Attributes:
        title: Its title.
        level: Its depth; the outermost has the least.
        page: Number of the page that it leads to, from 1; None where it leads nowhere.
    """

    title: str
    level: int
    page: int | None = None


class _Letters(NamedTuple):
    """The letters and digits of a text: their offsets, and they themselves without case."""

    places: list[int]
    folded: str


@dataclass(frozen=True)
class Located:
    """The entries of an outline in a text.

    Attributes:
        marks: The entries that were found, in order of the text.
        missing: Titles that neither the text nor a page gives a place for.
        by_page: Titles that were put at the start of their page, because it does not hold them.
    """

    marks: list[Mark]
    missing: list[str]
    by_page: list[str]


def find_page_starts(text: str, pages: Sequence[str]) -> list[int]:
    """Return where each page of a PDF begins in the text that was made of them.

    Pages are found by their letters and digits alone, since words are put together across lines
    and pages while the text is made. A page that begins inside a word begins with the word.

    Args:
        text: The text of the whole file.
        pages: The text of each page, in order; ligatures may still be there.

    Returns:
        An offset for each page, ascending; none if the text is not that of the pages.
    """
    places = [place for place, letter in enumerate(text) if letter.isalnum()]
    bare = "".join(text[place] for place in places)
    starts: list[int] = []
    used = 0
    for page in pages:
        letters = "".join(letter for letter in expand(page) if letter.isalnum())
        if bare[used : used + len(letters)] != letters:
            return []
        start = places[used] if used < len(places) else len(text)
        while start > 0 and not text[start - 1].isspace():
            start -= 1
        starts.append(start)
        used += len(letters)
    return starts if used == len(bare) else []


def locate_entries(
    text: str, entries: Sequence[OutlineEntry], page_starts: Sequence[int] = ()
) -> Located:
    """Return where the entries of an outline begin in a text.

    A title is looked for on its page by its letters and digits, case aside; if the page does not
    hold it, the entry begins where the page does. Without pages the titles are looked for in their
    order throughout the text, at the beginning of a line if there is such a place, and from the
    end backwards, so that a table of contents is not taken for the chapters.

    Args:
        text: The text.
        entries: The outline, in its order.
        page_starts: Offset of each page in the text; empty where they are not known.
    """
    if not page_starts:
        return _without_pages(text, entries)
    marks: list[Mark] = []
    missing: list[str] = []
    by_page: list[str] = []
    earliest = 0
    for entry in entries:
        title = " ".join(entry.title.split())
        if entry.page is None or not 1 <= entry.page <= len(page_starts):
            missing.append(title)
            continue
        start = page_starts[entry.page - 1]
        end = page_starts[entry.page] if entry.page < len(page_starts) else len(text)
        places = _places(text, _letters(text, max(start, earliest), end), title)
        if not places:
            by_page.append(title)
        offset = places[0] if places else max(start, earliest)
        marks.append(Mark(offset, entry.level, title))
        earliest = offset
    return Located(marks, missing, by_page)


def _without_pages(text: str, entries: Sequence[OutlineEntry]) -> Located:
    letters = _letters(text, 0, len(text))
    marks: list[Mark] = []
    missing: list[str] = []
    latest = len(text)
    for entry in reversed(entries):
        title = " ".join(entry.title.split())
        places = [place for place in _places(text, letters, title) if place < latest]
        places = [place for place in places if _begins_line(text, place)] or places
        if not places:
            missing.append(title)
            continue
        latest = places[-1]
        marks.append(Mark(latest, entry.level, title))
    return Located(marks[::-1], missing[::-1], [])


def _letters(text: str, start: int, end: int) -> _Letters:
    places = [place for place in range(start, end) if text[place].isalnum()]
    return _Letters(places, _folded(text[place] for place in places))


def _places(text: str, letters: _Letters, title: str) -> list[int]:
    """Return where a title occurs, as whole words, by its letters and digits alone."""
    wanted = _folded(letter for letter in title if letter.isalnum())
    found: list[int] = []
    at = letters.folded.find(wanted) if wanted else -1
    while at >= 0:
        first, last = letters.places[at], letters.places[at + len(wanted) - 1]
        if (
            not (first > 0 and text[first - 1].isalnum())
            and not text[last + 1 : last + 2].isalnum()
        ):
            found.append(first)
        at = letters.folded.find(wanted, at + 1)
    return found


def _folded(letters: Iterable[str]) -> str:
    # One letter for each, also where folding gives two, so that places stay right.
    return "".join(letter.casefold()[0] for letter in letters)


def _begins_line(text: str, place: int) -> bool:
    return not text[text.rfind("\n", 0, place) + 1 : place].strip()
