"""Where sentences and other pieces of a text lie in it, so that cuts between them lose nothing."""

import itertools
from collections.abc import Sequence
from typing import NamedTuple

from sensemaking.text.abbreviations import LANGUAGES
from sensemaking.text.languages import resolve
from sensemaking.text.sentences import spans


class Span(NamedTuple):
    """A slice of a text, from ``start`` up to and without ``end``, in code points."""

    start: int
    end: int


def locate(text: str, pieces: Sequence[str]) -> list[Span]:
    """Return the spans of pieces that are the text but for white space.

    White space between two pieces belongs to the first of them, white space before the first
    piece to it, so the spans follow each other without a gap and joining the slices gives the
    text back exactly. Blank pieces get empty spans.

    Args:
        text: The text.
        pieces: What it was divided into, in order; white space may differ from the text's.

    Returns:
        A span for each piece.

    Raises:
        ValueError: The pieces are not the text.
    """
    letters = [place for place, letter in enumerate(text) if not letter.isspace()]
    found: list[Span] = []
    start = used = 0
    for number, piece in enumerate(pieces):
        bare = "".join(piece.split())
        places = letters[used : used + len(bare)]
        if bare != "".join(text[place] for place in places):
            raise ValueError(
                f"piece {number}, {piece[:40]!r}, is not what the text has from {start} on, "
                f"{text[start : start + 40]!r}"
            )
        used += len(bare)
        end = start if not bare else letters[used] if used < len(letters) else len(text)
        found.append(Span(start, end))
        start = end
    if used < len(letters):
        raise ValueError(f"the pieces end before the text does, at {start} of {len(text)}")
    return found


def sentence_spans(text: str, language: str) -> list[Span]:
    """Return the spans of the sentences of a text; none for a blank text.

    A language that has no rules of its own is divided by those of English, which know the stops
    of most scripts but not the language's abbreviations.

    Args:
        text: The text.
        language: Its language, ISO 639-1 code.

    Returns:
        Spans that follow each other without a gap, the first from 0, the last to the end.
    """
    code = resolve(language).code
    found = spans(text, code if code in LANGUAGES else "en")
    if not found:
        return []
    starts = [0] + [start for start, _ in found[1:]]
    return [Span(*edges) for edges in itertools.pairwise([*starts, len(text)])]
