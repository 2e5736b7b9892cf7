"""Which of the questions that were asked each item of a submission is about.

By its text where the question is given, by its place in the list only where there are as many
items as questions.
"""

import html
import re
import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from rapidfuzz import fuzz, process

from sensemaking.ids import nfc
from sensemaking.io.json_nodes import shown

Asked = Sequence[str | Sequence[str | None] | None]
"""The questions of a set in order: each a text, or the versions of it (languages)."""

_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Given:
    """What an item says about its place.

    Attributes:
        index: Its place in the list of the submission, from 0.
        question: The question it gives, or None.
        content: What it says about the question; equal for items that say the same, None for one
            that says nothing usable.
    """

    index: int
    question: str | None
    content: object = None


@dataclass(frozen=True)
class Matched:
    """Where the items belong.

    Attributes:
        positions: Index of an item to the position of its question.
        refused: Index of an item to the code of the finding that says why it has none.
        repeated: Indices of items that say again what another one says.
        respelled: Indices of items whose question differs in spelling only.
    """

    positions: dict[int, int]
    refused: dict[int, str]
    repeated: frozenset[int] = frozenset()
    respelled: frozenset[int] = frozenset()


@dataclass
class _Index:
    exact: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    loose: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))

    def find(self, question: str) -> tuple[list[int], bool]:
        """Return positions of a question, and whether it is written in another way."""
        found = self.exact.get(_spaced(question))
        if found:
            return found, False
        plain = _plain(question)
        return (self.loose.get(plain, []) if plain else []), True


class Questions:
    """The questions of a set, to look texts up in."""

    def __init__(self, asked: Asked) -> None:
        """Index the questions of a set."""
        self.versions: list[list[str]] = [
            [text for text in ([one] if isinstance(one, str | None) else one) if text]
            for one in asked
        ]
        self._index = _Index()
        for position, versions in enumerate(self.versions):
            for found, form in ((self._index.exact, _spaced), (self._index.loose, _plain)):
                for text in {form(version) for version in versions}:
                    found[text].append(position)

    def __len__(self) -> int:
        return len(self.versions)

    def text(self, position: int) -> str | None:
        """Return the first version of a question, NFC, or None for one without a text."""
        versions = self.versions[position]
        return nfc(versions[0]) if versions else None

    def find(self, question: str) -> tuple[list[int], bool]:
        """Return the positions of a question, and whether it is written in another way."""
        return self._index.find(question)

    def nearest(self, question: str) -> str:
        """Return a hint that names the most similar question, or an empty text."""
        texts = [versions[0] for versions in self.versions if versions]
        best = process.extractOne(question[:500], texts, scorer=fuzz.ratio, score_cutoff=60)
        return f"nearest question: {shown(best[0])}" if best else ""


def match(items: Sequence[Given], n_items: int | None, questions: Questions) -> Matched:
    """Return the position of the question that each item is about.

    Equal questions of a set go to the items in order, if there are as many items with that text.
    Of two items about one question none is taken, unless they say the same.

    Args:
        items: The items whose place is asked for.
        n_items: Length of the list they come from; None where its end is missing.
        questions: The questions of the set.
    """
    positions: dict[int, int] = {}
    refused: dict[int, str] = {}
    respelled: set[int] = set()
    by_text: dict[tuple[int, ...], list[Given]] = defaultdict(list)
    without: list[Given] = []
    for item in items:
        if item.question is None:
            without.append(item)
            continue
        fitting, differs = questions.find(item.question)
        if not fitting:
            refused[item.index] = "unknown_question"
            continue
        by_text[tuple(fitting)].append(item)
        if differs:
            respelled.add(item.index)
    repeated: set[int] = set()
    agree = n_items == len(questions)
    for places, group in by_text.items():
        indices = [item.index for item in group]
        if len(places) > 1:
            in_place = agree and set(indices) <= set(places)
            if not in_place and len(group) != len(places):
                refused.update(dict.fromkeys(indices, "ambiguous_question"))
                continue
            pairs = zip(indices, indices if in_place else places, strict=True)
            positions.update(pairs)
            continue
        # Items that say nothing do not stand against one that says something.
        saying = [item for item in group if item.content is not None] or group
        if all(item.content == saying[0].content for item in saying):
            positions[saying[0].index] = places[0]
            repeated.update(index for index in indices if index != saying[0].index)
        else:
            refused.update(dict.fromkeys(indices, "question_twice"))
    in_order = agree and all(index == position for index, position in positions.items())
    taken = set(positions.values())
    for item in without:
        if in_order and item.index not in taken:
            positions[item.index] = item.index
        else:
            refused[item.index] = "count_mismatch"
    return Matched(positions, refused, frozenset(repeated), frozenset(respelled - repeated))


def _spaced(text: str) -> str:
    return _SPACE.sub(" ", nfc(text)).strip()


def _plain(text: str) -> str:
    """Return the letters and digits of a text without case, marks of HTML decoded."""
    decoded = html.unescape(nfc(text)).casefold()
    return "".join(char for char in decoded if unicodedata.category(char)[0] in "LMN")
