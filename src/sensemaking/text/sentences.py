"""Splits text into sentences: English, German, Czech and Ukrainian, by rules, without a model.

A stop is looked at with what is before it (an abbreviation, an initial, an ordinal, the number of a
figure) and what is after it (a small letter, a capital, a word that opens sentences). Libraries
were measured on the same data first; docs/text.md has the figures.
"""

from collections.abc import Iterator
from itertools import pairwise

import regex

from sensemaking.text.abbreviations import LANGUAGES
from sensemaking.text.boundaries import Paragraph
from sensemaking.text.languages import base_language

_BREAK = r"(?:\r\n?+|[\n\x85\u2028])"
_SPACE = r"[^\S\r\n\x85\u2028\u2029]"
_BLANK_LINE_OR_ITEM = regex.compile(
    rf"(?P<blank>{_BREAK}(?:{_SPACE}*+{_BREAK})++|\u2029)"
    rf"|(?:(?<=[\r\n\x85\u2028\u2029])|\A){_SPACE}{{0,20}}+"
    rf"(?:(?P<bullet>[•‣▪●◦∙*–—-])|(?P<number>\d{{1,3}}+|\p{{Ll}})[.)])(?={_SPACE})"
)
_SURE_BULLETS = "•‣▪●◦∙"


def split(text: str, language: str) -> list[str]:
    """Split a text into sentences.

    No character is lost, added or moved but white space: joined by one space, the sentences are
    the text with its white space folded, and with a space where a sentence followed the one before
    without any ("quality.First"). No sentence is empty. A blank line always ends a sentence; a
    single line break is white space, but before the items of a list. The time taken is linear in
    the length of the text.

    Args:
        text: Any text.
        language: A code of English, German, Czech or Ukrainian, see
            :func:`sensemaking.text.languages.base_language`.

    Returns:
        The sentences in order, each with its white space folded to single spaces.

    Raises:
        ValueError: The language is not one of those that can be split.
    """
    return [" ".join(text[start:end].split()) for start, end in spans(text, language)]


def spans(text: str, language: str) -> list[tuple[int, int]]:
    """Return the start and the end (exclusive) in the text of each sentence of :func:`split`.

    Raises:
        ValueError: The language is not one of those that can be split.
    """
    rules = LANGUAGES[base_language(language, LANGUAGES)]
    found = []
    for start, end in _paragraphs(text):
        paragraph = Paragraph(text[start:end], rules)
        sentence_start = 0
        for boundary in (*paragraph.boundaries(), end - start):
            piece = paragraph.text[sentence_start:boundary]
            stripped = piece.strip()
            if stripped:
                first = start + sentence_start + len(piece) - len(piece.lstrip())
                found.append((first, first + len(stripped)))
            sentence_start = boundary
    return found


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each part that no sentence crosses: paragraphs, list items."""
    breaks = {0, len(text)}
    previous: tuple[str, int, int] | None = None
    for match in _BLANK_LINE_OR_ITEM.finditer(text):
        if match["blank"]:
            breaks.update(match.span())
            previous = None
            continue
        kind, order = _mark(match["bullet"], match["number"])
        start = match.start()
        if kind in _SURE_BULLETS:
            breaks.add(start)
        elif previous and (kind, order) == previous[:2]:
            breaks.update((previous[2], start))
        previous = (kind, order if match["bullet"] else order + 1, start)
    yield from pairwise(sorted(breaks))


def _mark(bullet: str | None, number: str) -> tuple[str, int]:
    """Return the kind of an item's mark, and its place in the order of such marks."""
    if bullet:
        return bullet, 0
    return ("number", int(number)) if number.isdecimal() else ("letter", ord(number))
