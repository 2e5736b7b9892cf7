"""Decides after which stops a sentence ends, within one paragraph."""

from bisect import bisect_right
from collections.abc import Iterator

import regex

from sensemaking.text import quotations
from sensemaking.text.abbreviations import LanguageRules
from sensemaking.text.following import Following, look
from sensemaking.text.full_stops import FullStops

# Every quantifier below is bounded or possessive, so that the time stays linear in the text.
_STOP = regex.compile(
    r"(?P<stop>\.(?:[ \u00a0]\.){2,}+|[.!?…‽؟।。！？]++)"
    r"(?P<closing>[\"'”’“»«›‹‘\])}」』*_¹²³⁰-⁹]*+)"
    r"(?P<notes>(?:\[\d{1,3}(?:[,–-] ?\d{1,3}){0,9}\]){0,9}+)"
)
_ALNUM = regex.compile(r"[\p{L}\p{N}]")
_ITEM_NUMBER = regex.compile(r"(?<![\p{L}\p{N}.,])\d{1,3}\Z")
_NO_SPACE_BEFORE = regex.compile(r"\S+\Z", regex.REVERSE)
_NO_SPACE_AFTER = regex.compile(r"\S*+")
_LINK = regex.compile(r"://|www\.|[@_\\=]|\.\p{Ll}++\(")
_NAME_AND_VERB = regex.compile(r"(?:\p{Lu}[\p{L}\p{M}'’.-]{0,30}\s+){1,3}(\p{Ll}+)")
_ALWAYS = frozenset("。！？")
_QUESTIONS = frozenset("!?‽؟।")


class Paragraph:
    """One paragraph and what its marks are paired with."""

    def __init__(self, text: str, rules: LanguageRules) -> None:
        """Pair the quotation marks and brackets of the paragraph."""
        self.text = text
        self.rules = rules
        pairs = quotations.pairs(text)
        self._opening_of = {pair.closing: pair.opening for pair in pairs}
        self._openings = {pair.opening for pair in pairs}
        self._inner = quotations.inner_spans(text, pairs)
        self._chunk_end = 0  # of the last run without white space that was looked at
        self._chunk_is_link = False
        self._full_stops = FullStops(text, rules)
        self._inner_openings = [pair.opening for pair in self._inner]

    def boundaries(self) -> Iterator[int]:
        """Yield the positions at which a sentence ends and another one begins, in order."""
        start = 0
        first_word = self._first_word(0)
        for match in _STOP.finditer(self.text):
            if match.start() <= first_word:
                continue
            end = self._end(match, start)
            if end is not None:
                yield end
                start = end
                first_word = self._first_word(end)

    def _first_word(self, start: int) -> int:
        match = _ALNUM.search(self.text, start)
        return match.start() if match else len(self.text)

    def _end(self, match: regex.Match[str], start: int) -> int | None:
        """Return where the sentence ends if it ends at this stop."""
        stop, closing = str(match["stop"]), str(match["closing"])
        end = int(match.end())
        if end - 1 in self._openings:  # the mark belongs to what follows
            end -= 1
            closing = closing[:-1]
        closing_at = int(match.start("closing"))
        after = look(self.text, end)
        if after.kind == "none" or self._is_inner(match.start(), end):
            return None
        if not _ALWAYS.isdisjoint(stop):
            return end
        if (
            closing[:1] == ")"
            and closing_at not in self._opening_of
            and _ITEM_NUMBER.search(self.text, max(0, match.start() - 4), match.start())
        ):
            return None  # the mark of a list's item: "2.) "
        if after.glued and (after.kind != "upper" or self._is_link(match.start(), end)):
            return None
        if stop == ".":
            in_bracket = self._is_inner_closing(closing_at)
            ends = self._full_stops.ends(
                match.start(), start, closing, after, in_bracket=in_bracket
            )
        elif not _QUESTIONS.isdisjoint(stop):
            ends = self._ends_at_mark(match.start(), closing_at, closing, after)
        else:
            ends = self._ends_at_ellipsis(match.start(), after)
        return end if ends else None

    def _is_inner(self, stop: int, end: int) -> bool:
        index = bisect_right(self._inner_openings, stop) - 1
        return index >= 0 and end <= self._inner[index].closing

    def _is_link(self, stop: int, end: int) -> bool:
        """Whether a stop without white space after it is inside an address, a path or code."""
        if stop >= self._chunk_end:
            left = _NO_SPACE_BEFORE.search(self.text, self._chunk_end, stop)
            right = _NO_SPACE_AFTER.match(self.text, end)
            self._chunk_end = right.end() if right else end
            first = left.start() if left else stop
            self._chunk_is_link = _LINK.search(self.text, first, self._chunk_end) is not None
        return self._chunk_is_link

    def _ends_at_mark(self, stop: int, closing_at: int, closing: str, after: Following) -> bool:
        if after.kind == "lower":
            return after.opens_quotation()
        if self._is_quoted_part(stop, closing_at):
            return after.is_starter(self.rules)
        if closing:
            tag = _NAME_AND_VERB.match(self.text, after.position, after.position + 120)
            if tag and tag[1] in self.rules.speech and not after.is_starter(self.rules):
                return False
        return True

    def _is_quoted_part(self, stop: int, closing_at: int) -> bool:
        """Whether the stop closes "(!)", or a quotation that no colon, comma or dash leads to."""
        opening = self._opening_of.get(closing_at)
        if opening is None:
            return False
        if self.text[opening] in "([":
            return opening == stop - 1
        before = self.text[max(0, opening - 20) : opening].rstrip()
        return before[-1:].isalnum()

    def _ends_at_ellipsis(self, stop: int, after: Following) -> bool:
        if self.text[stop - 1 : stop] in ("[", "("):  # "[...]" stands for words left out
            return False
        return after.kind in ("upper", "symbol")

    def _is_inner_closing(self, position: int) -> bool:
        """Whether a mark closes a bracket or quotation that stands inside a sentence."""
        opening = self._opening_of.get(position, -1)
        index = bisect_right(self._inner_openings, opening) - 1
        return index >= 0 and self._inner_openings[index] == opening
