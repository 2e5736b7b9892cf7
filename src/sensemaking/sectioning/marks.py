"""Headings in a text: Markdown's, and chapter marks such as "Chapter 3", "3. kapitola", "Тема 1".

A line that is a heading is one; in a text without line ends a mark counts where a sentence begins.
A reference in running prose, such as "Chapter 3 describes", is none.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

LONGEST_HEADING: Final = 150
"""Characters; a longer line is a paragraph."""

_UNITS: Final = {
    1: "book|buch|kniha|книга|volume|band|svazek|díl|том",
    2: "part|teil|část|частина|unit|module|modul|модуль",
    3: "chapter|kapitel|kapitola|розділ|глава|topic|thema|téma|тема|"
    "lecture|vorlesung|přednáška|лекція|lesson|lektion|lekce|урок",
    4: "section|abschnitt|oddíl|параграф|appendix|anhang|příloha|додаток",
}
"""Level to the words, in English, German, Czech and Ukrainian, that name a unit of it."""
_LEVEL_OF: Final = {word: level for level, row in _UNITS.items() for word in row.split("|")}
_WORD: Final = "|".join(sorted(_LEVEL_OF, key=len, reverse=True))
_NUMBER_WORDS: Final = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|"
    "eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|"
    "první|druhá|druhý|třetí|čtvrtá|čtvrtý|pátá|pátý|šestá|šestý|sedmá|sedmý|osmá|osmý|"
    "devátá|devátý|desátá|desátý|jedenáctá|dvanáctá|"
    "перш[аий]{1,2}|друг[аий]{1,2}|трет[яій]{1,2}|четверт[аий]{1,2}|п['’ʼ]ят[аий]{1,2}|"
    "шост[аий]{1,2}|сьом[аий]{1,2}|восьм[аий]{1,2}|дев['’ʼ]ят[аий]{1,2}|десят[аий]{1,2}"
)
_DIGITS: Final = r"\d{1,3}(?:\.\d{1,3})*"
_ROMAN: Final = r"(?=[IVXLC])(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})"

# "Chapter 3", "Chapter IV", "Chapter Three", and the other way round "3. Kapitel".
_NAMED: Final = re.compile(
    rf"(?:(?i:(?P<word>{_WORD}))[ \t\u00a0]+(?:№[ \t\u00a0]*)?"
    rf"(?:(?P<digits>{_DIGITS})|(?P<roman>{_ROMAN})|(?P<spelt>(?i:{_NUMBER_WORDS})))"
    rf"|(?P<before>\d{{1,3}})\.[ \t\u00a0]+(?i:(?P<after>{_WORD}))"
    rf"|§[ \t\u00a0]*(?P<paragraph>\d{{1,3}}))(?!\w)"
)
_MARKDOWN: Final = re.compile(
    r"[ ]{0,3}(?P<marks>#{1,6})(?:[ \t]+(?P<title>.*?))?(?:[ \t]+#+)?[ \t]*$"
)
_LONG_LINE: Final = 2000
"""Characters; a longer line is a text that lost its line ends, and is searched for marks."""
_LONGEST_SENTENCE: Final = 8
"""Words; a longer line that begins with a chapter mark and ends as a sentence does is one."""
_FENCE: Final = re.compile(r"[ ]{0,3}(`{3,}|~{3,})")
_AFTER_NUMBER: Final = re.compile(
    r"[ \t\u00a0]*(?P<colon>[.:–—-]?)[ \t\u00a0]*(?P<rest>.*)$", re.DOTALL
)
_SENTENCE_START: Final = re.compile(r"(?:\A|(?<=\n)|[.!?…][\"'»”“’)\]]*\s+)(?=\S)")


class Mark(NamedTuple):
    """A heading in a text.

    Attributes:
        offset: Where it begins, in code points.
        level: 1 is the outermost.
        title: The heading, on one line.
    """

    offset: int
    level: int
    title: str


def find_marks(text: str) -> list[Mark]:
    """Return the headings of a text in order.

    A heading is a line of its own: Markdown (``#`` to ``######`` and a space, outside fenced
    code), or a short line that begins with a chapter mark. In a line so long that it must have
    lost its line ends, a chapter mark counts where a sentence begins, if a capital letter, a
    digit or a colon follows it. Levels of the two kinds cannot be compared, so chapter marks
    count only where there are not two Markdown headings.

    Args:
        text: The text.
    """
    lines = _lines(text)
    markdown = list(_markdown(lines))
    if len(markdown) > 1:
        return markdown
    return list(_named(text, lines)) or markdown


def outermost(marks: Sequence[Mark]) -> list[Mark]:
    """Return the marks to cut at: of the outermost level that occurs twice, and those above it.

    Where no level occurs twice, all are returned.

    Args:
        marks: Headings in order.
    """
    counts = Counter(mark.level for mark in marks)
    chosen = min((level for level, count in counts.items() if count > 1), default=None)
    return [mark for mark in marks if chosen is None or mark.level <= chosen]


def _lines(text: str) -> list[tuple[int, str]]:
    lines = []
    start = 0
    for line in text.splitlines(keepends=True):
        lines.append((start, line.rstrip()))
        start += len(line)
    return lines


def _markdown(lines: Iterable[tuple[int, str]]) -> Iterator[Mark]:
    fence = None
    for start, line in lines:
        fenced = _FENCE.match(line)
        if fenced and fence is None:
            fence = fenced[1]
        elif fenced and fence is not None and fenced[1].startswith(fence):
            fence = None
        elif fence is None and (heading := _MARKDOWN.match(line)):
            yield Mark(start, len(heading["marks"]), (heading["title"] or "").strip())


def _named(text: str, lines: Sequence[tuple[int, str]]) -> Iterator[Mark]:
    for start, line in lines:
        if len(line) > _LONG_LINE or len(lines) == 1:
            yield from _named_inside(text, start, start + len(line))
            continue
        bare = line.lstrip()
        named = _NAMED.match(bare)
        if named is None or len(bare) > LONGEST_HEADING or _is_prose(bare[named.end() :]):
            continue
        sentence = bare.endswith((".", "!", "?", ";", ",")) and named.end() < len(bare) - 1
        if not (sentence and len(bare.split()) > _LONGEST_SENTENCE):
            yield Mark(start, _level(named), " ".join(bare.split()))


def _named_inside(text: str, start: int, end: int) -> Iterator[Mark]:
    for beginning in _SENTENCE_START.finditer(text, start, end):
        named = _NAMED.match(text, beginning.end(), end)
        # Spelt numbers are too common in prose: "Part one of the plan".
        if named is None or named["spelt"] or (named["word"] or "A")[0].islower():
            continue
        if not _is_prose(text[named.end() : min(named.end() + LONGEST_HEADING, end)]):
            yield Mark(beginning.end(), _level(named), named[0])


def _is_prose(rest: str) -> bool:
    """Tell from what follows a chapter mark whether it is part of a sentence."""
    after = _AFTER_NUMBER.match(rest)
    assert after is not None
    following = after["rest"].lstrip("\"'«„“‚‘([")
    if after["colon"] == ":" or not following:
        return False
    return not (following[0].isupper() or following[0].isdigit())


def _level(named: re.Match[str]) -> int:
    if named["paragraph"]:
        return _LEVEL_OF["section"]
    depth = (named["digits"] or "").count(".")
    return _LEVEL_OF[(named["word"] or named["after"]).lower()] + depth
