"""Looks at what follows a stop: a small letter, a capital, a digit, a sign."""

import unicodedata
from dataclasses import dataclass
from functools import cached_property

import regex

from sensemaking.text.abbreviations import LanguageRules

_GAP_AND_OPENING = regex.compile(
    r"(?P<gap>[\s\u200b\ufeff]*+)"
    r"(?P<opening>(?:[\[(](?:\.{3}|…)[\])]\s{0,3}+|[\"'“„«»‚‘‹›(\[{¿¡*_]\s{0,3}+|[—–―]\s{0,3}+"
    r"|-\s{1,3}+|\.{3}\s{0,3}+|…\s{0,3}+){0,12}+)"
)
_LETTERS = regex.compile(r"[\p{L}\p{M}'’ʼ]{1,40}+")
_APOSTROPHE = regex.compile("['’ʼ]")
_OPENING_MARKS = frozenset("\"'“„«»‚‘‹›([")


@dataclass(frozen=True)
class Following:
    """What follows a stop and the closing marks after it.

    Attributes:
        text: The paragraph.
        kind: "upper" or "lower" (letters; those without case count as upper), "digit", "symbol"
            (signs that can open a sentence), or "none" (the end, or other punctuation).
        position: Where the first character that counts stands, after white space and opening marks.
        glued: Whether no white space comes first.
        opening: The quotation marks, brackets, dashes and dots before that character.
    """

    text: str
    kind: str
    position: int
    glued: bool
    opening: str

    @cached_property
    def letters(self) -> str:
        """The word that follows, as it is written; empty if no letter does."""
        match = _LETTERS.match(self.text, self.position)
        return str(match[0]) if match else ""

    @cached_property
    def word(self) -> str:
        """The same in NFC and lower case."""
        return unicodedata.normalize("NFC", self.letters).lower()

    @cached_property
    def rest(self) -> str:
        """The two characters after that word."""
        end = self.position + len(self.letters)
        return self.text[end : end + 2]

    def opens_quotation(self) -> bool:
        """Whether a quotation mark or a bracket comes before the character that counts."""
        return not _OPENING_MARKS.isdisjoint(self.opening)

    def is_starter(self, rules: LanguageRules) -> bool:
        """Whether the word that follows is one that opens sentences, and no initial."""
        word = self.word
        if len(word) == 1 and self.rest[:1] == ".":
            return False
        return _APOSTROPHE.split(word)[0] in rules.starters


def look(text: str, end: int) -> Following:
    """Look at what comes from a position on."""
    match = _GAP_AND_OPENING.match(text, end)
    assert match is not None  # every part of the pattern may be empty
    position = int(match.end())
    return Following(
        text,
        _kind(text[position : position + 2]),
        position,
        not match["gap"],
        str(match["opening"]),
    )


def _kind(start: str) -> str:
    if not start:
        return "none"
    first, second = start[0], start[1:]
    if first.isalpha():
        if not first.islower() or second.isupper():  # "iPhone" counts as a capital
            return "upper"
        return "symbol" if second == ")" else "lower"  # the mark of a list's item: "a)"
    if first.isdecimal():
        return "digit"
    if first in "§№#•‣▪●◦" or unicodedata.category(first) in ("So", "Sc"):
        return "symbol"
    return "symbol" if first in "-−+±~<>" and second.isdecimal() else "none"
