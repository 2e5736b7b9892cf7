"""The sixteen facts of a report on a fictional institute, and how a sentence states each."""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

Kind = Literal["year", "number", "percent", "place", "person"]

_NAME = "[A-Z][a-z]+"
_VALUES: dict[Kind, str] = {
    "year": "[12][0-9]{3}",
    "number": "[1-9][0-9]*",
    "percent": "[1-9][0-9]?",
    "place": _NAME,
    "person": f"{_NAME} {_NAME}",
}

TITLE = "Report on the {institute}."
FILLERS = (
    "Guided tours are offered on the first Saturday of each month.",
    "A small museum shows instruments from the early days.",
    "The advisory board meets behind closed doors.",
    "The library is open to guests by arrangement.",
    "Evening talks for the public take place in the main hall.",
    "Volunteers look after the gardens.",
)
"""Sentences of a report that state no fact; it holds three of them."""


@dataclass(frozen=True)
class Fact:
    """A fact that each report states once.

    Attributes:
        key: Its name.
        kind: What its value is.
        sentence: The sentence that states it, with ``{value}``, and perhaps ``{institute}`` or
            ``{prize}`` for the two names of a report that are never wrong.
        low: The least true value of a year, number or percent.
        high: The greatest.
    """

    key: str
    kind: Kind
    sentence: str
    low: int = 0
    high: int = 0

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The form of the sentence, with the groups value, institute and prize."""
        return sentence_pattern(self.sentence, _VALUES[self.kind])


def sentence_pattern(sentence: str, value: str = "") -> re.Pattern[str]:
    """Return the form of a sentence, with the groups value, institute and prize if it has them."""
    form = re.escape(sentence)
    for name, inner in (
        ("value", value),
        ("institute", f"{_NAME} {_NAME} Institute"),
        ("prize", f"{_NAME} Prize"),
    ):
        form = form.replace(re.escape("{" + name + "}"), f"(?P<{name}>{inner})")
    return re.compile(form)


FACTS = (
    Fact("founded", "year", "The {institute} dates back to {value}.", 1921, 1985),
    Fact("city", "place", "The {institute} has its seat in {value}."),
    Fact("founder", "person", "The founder of the institute was {value}."),
    Fact("staff", "number", "The institute has a staff of {value}.", 60, 900),
    Fact("laboratories", "number", "Its research is done in {value} laboratories.", 5, 40),
    Fact("budget", "number", "It spends {value} million florins a year.", 12, 480),
    Fact("director", "person", "Its present director is {value}."),
    Fact("director_since", "year", "The present director took over in {value}.", 2001, 2021),
    Fact("campus", "place", "It has a second campus in {value}."),
    Fact("campus_since", "year", "The second campus opened in {value}.", 1988, 2012),
    Fact("patents", "number", "The number of patents it owns is {value}.", 15, 700),
    Fact("donations", "percent", "Donations pay for {value} percent of its work.", 12, 88),
    Fact("journal", "number", "Its journal appears {value} times a year.", 4, 24),
    Fact("partner", "place", "It works with a partner university in {value}."),
    Fact("prizes", "number", "Its members have won the {prize} {value} times.", 4, 29),
    Fact("doctoral", "number", "There are {value} doctoral students at the institute.", 9, 160),
)
"""All facts in the order of a report."""

SYLLABLES = tuple(
    start + vowel + end
    for start in (*"bdfghklmnprstvz", "br", "dr", "kr", "tr")
    for vowel in "aeiou"
    for end in ("", "l", "n", "r", "s")
)
"""What names are made of."""


@dataclass(frozen=True)
class Report:
    """The contents of a report.

    Attributes:
        institute: The name of the institute, ending in "Institute".
        prize: The name of a prize, ending in "Prize".
        values: The true value of each fact, by its key.
        fillers: The sentences that state no fact.
    """

    institute: str
    prize: str
    values: dict[str, str]
    fillers: tuple[str, ...]

    def stated(self, fact: Fact, value: str) -> str:
        """Return the sentence that gives a fact of this report a value, true or wrong."""
        return fact.sentence.format(value=value, institute=self.institute, prize=self.prize)

    @property
    def title(self) -> str:
        """The report's first line."""
        return TITLE.format(institute=self.institute)


def sentences(text: str) -> list[str]:
    """Return the sentences of a report or summary, none of which holds a full stop inside."""
    return [part for part in re.split(r"(?<=\.)\s+", text.strip()) if part]
