"""Decides whether a single full stop ends a sentence, by what is before it and after it."""

import unicodedata

import regex

from sensemaking.text.abbreviations import LanguageRules
from sensemaking.text.following import Following

_DIGITS = regex.compile(r"\d{1,20}")
_ITEM = regex.compile(r"\s{0,9}(\d{1,3}|\p{Ll})[.)]\s")
_CHAIN = regex.compile(
    r"(?<![\p{L}\p{M}\p{N}])(?:[\p{L}\p{M}-]{1,6}\.[ \u00a0]?){0,4}[\p{L}\p{M}\p{N}'’ʼ²³-]{1,40}\Z",
    regex.REVERSE,
)
_CHAIN_GAP = regex.compile(r"[.\s]+-?")
_SHORT_WORD = regex.compile(r"(?<![\p{L}\p{M}\p{N}])[\p{L}\p{M}]{1,3}\Z", regex.REVERSE)
_NUMBER = regex.compile(
    r"(?<![\p{L}\p{M}\p{N}])[-+−]?\d+(?:[.,:/–-]\d+)*\Z",
    regex.REVERSE,
)
_DAY_AND_MONTH = regex.compile(r"(?:0?[1-9]|[12]\d|3[01])\.(?:0?[1-9]|1[0-2])")
_MONTH = regex.compile(r"(?:0?[1-9]|1[0-2])\.")
_DAY = regex.compile(r"\d{1,2}\.")
_BEFORE_DATE = frozenset({"am", "vom", "zum", "seit", "bis", "ab", "dne", "od", "do", "ke"})
_ROMAN = regex.compile(r"[IVXLCDM]+|[ІХ]+[VХІ]*")
_LIST_MARK = regex.compile(r"[^\p{L}\p{N}]{0,8}(\d{1,3}(?:\.\d{1,3}){0,3}|\p{L}|[IVXLC]{1,6})")
_PREVIOUS = regex.compile(
    r"(?P<word>[\p{L}\p{M}\p{N}'’ʼ.,/–-]{1,40})[^\p{L}\p{M}\p{N}.]*\Z",
    regex.REVERSE,
)
_EXTENSION = regex.compile(
    r"(?:com|net|org|edu|gov|pdf|docx?|xlsx?|pptx?|txt|csv|html?|xml|json|png|jpe?g|gif|zip|exe|js|py|md)\b",
    regex.IGNORECASE,
)
_VOWEL = regex.compile(r"[aeiouyáéíóúýäöüěůаеиіїоуюяєыэё]", regex.IGNORECASE)
# Adjectives of names in an oblique case ("Нобелівську") seldom open a sentence.
_OBLIQUE_ADJECTIVE = regex.compile(r"ськ(?:ого|ому|им|ої|ій|ою|у|их|ими)$")
_UNITS = frozenset("mglsthмглст")
_QUOTATION_MARKS = frozenset("\"'”’“»«›‹‘")
_LOOK_BACK = 80


class FullStops:
    """The decisions for one paragraph."""

    def __init__(self, text: str, rules: LanguageRules) -> None:
        """Take the paragraph and the rules of its language."""
        self.text = text
        self.rules = rules

    def ends(
        self, stop: int, start: int, closing: str, after: Following, *, in_bracket: bool
    ) -> bool:
        """Return whether the sentence ends at a full stop.

        Args:
            stop: Position of the full stop.
            start: Where the sentence starts.
            closing: The closing marks that touch the full stop.
            after: What follows.
            in_bracket: Whether the first closing mark closes a bracket that stands inside the
                sentence.
        """
        whole = stop - start <= _LOOK_BACK
        before = unicodedata.normalize(
            "NFC", self.text[start if whole else stop - _LOOK_BACK : stop]
        )
        if mark := _LIST_MARK.fullmatch(before):
            return mark[1].lower() in self.rules.single_words
        if self._is_next_item(start, after):
            return True
        if after.glued and not self._may_be_glued(after):
            return False
        is_small = after.kind == "lower"
        if is_small and in_bracket:
            return False
        if is_small and after.opening.strip(" \u00a0") and not after.opens_quotation():
            return False
        if before[-1].isspace():
            return not is_small
        if number := _NUMBER.search(before):
            return not is_small and self._ends_after_number(
                number[0], before[: number.start()], after, whole=whole
            )
        if is_small and not after.opening and _SHORT_WORD.search(before):
            return False  # the usual case of an abbreviation, decided early
        chain = _CHAIN.search(before)
        if chain is None:  # a closing mark, a sign such as % or °
            return True
        parts = [part for part in _CHAIN_GAP.split(chain[0]) if part]
        return self._ends_after_word(
            parts, before[: chain.start()], closing, after, in_bracket=in_bracket, whole=whole
        )

    def _may_be_glued(self, after: Following) -> bool:
        if _EXTENSION.match(self.text, after.position):
            return False
        rest = after.rest
        if rest[:1] == "(" or (rest[:1] == "." and rest[1:].islower()):
            return False
        return len(after.letters) > 1 or after.is_starter(self.rules)

    def _ends_after_number(
        self, number: str, before: str, after: Following, *, whole: bool
    ) -> bool:
        previous = _PREVIOUS.search(before)
        word = previous["word"] if previous else ""
        if after.kind == "digit":
            return not self._is_date(number, word, after.position)
        if word.endswith(".") and self._is_numbered(word[:-1]):
            return not self._is_caption(word[:-1], before[: previous.start()] if previous else "")
        if before.rstrip().endswith(":") and len(number) <= 2:
            return False  # the first item of a list
        if not self.rules.ordinals or after.is_starter(self.rules):
            return True
        if _DAY_AND_MONTH.fullmatch(number):
            return word.lower() not in _BEFORE_DATE
        if len(number) > 3 or not number.isdecimal():
            return True
        if after.word in self.rules.after_ordinal:
            return False
        if _DAY.fullmatch(word):  # the number is the month of a date
            return not (whole and self._is_time_adverbial(before))
        return word.lower() not in self.rules.before_ordinal

    def _is_date(self, number: str, previous: str, position: int) -> bool:
        """Whether a number with a full stop and the digits after it are parts of a date."""
        following = _DIGITS.match(self.text, position)
        digits = following[0] if following else ""
        if len(digits) == 4:
            is_day_and_month = self.rules.ordinals and _DAY_AND_MONTH.fullmatch(number) is not None
            return is_day_and_month or previous.rstrip(".").isdecimal()
        is_month = _MONTH.match(self.text, position) is not None
        return is_month and number.isdecimal() and 1 <= int(number) <= 31

    def _is_numbered(self, word: str) -> bool:
        last = word.rsplit(".", 1)[-1]
        if self._kind(last) in ("numbered", "before", "dated"):
            return True
        return _has_street(last)

    def _is_caption(self, word: str, before: str) -> bool:
        """Whether "Fig. 3." opens a caption, rather than being pointed to ("see Fig. 3.")."""
        if word.lower() not in self.rules.figures or not word[0].isupper():
            return False
        previous = _PREVIOUS.search(before)
        if previous is None:
            return True
        return previous["word"].lower().rstrip(".,") not in self.rules.in_reference

    def _ends_after_word(
        self,
        parts: list[str],
        before: str,
        closing: str,
        after: Following,
        *,
        in_bracket: bool,
        whole: bool,
    ) -> bool:
        last = parts[-1]
        kind = self._abbreviation(parts, before, after)
        if kind is None and len(last) == 1:
            kind = self._single_letter(parts, before, after)
        elif kind is None and self.rules.ordinals and _ROMAN.fullmatch(last):
            return self._ends_after_roman(before, after)
        elif kind is None and _looks_cut(last) and not self._follows_number(parts, before):
            kind = "closing"
        if after.kind == "lower":
            return kind is None and self._is_long_word(last, closing, after)
        if kind == "before" or self._goes_on_abbreviated(parts, after):
            return False
        if kind is None:
            return True
        if in_bracket:
            return False
        if kind == "closing":
            return after.is_starter(self.rules)
        if kind == "dated":
            return self._ends_after_date(parts, before, after, whole=whole)
        return self._ends_after_numbered(after)

    def _abbreviation(self, parts: list[str], before: str, after: Following) -> str | None:
        if len(parts[-1]) == 1:
            if parts[-1].isupper() and after.kind == "upper" and len(parts) == 1:
                return None  # an initial, not the "S." of "S. 45"
            if self._is_unit(parts, before):
                return "numbered"
        for count in range(len(parts), 0, -1):
            key = ".".join(parts[-count:])
            if count == 1 < len(parts) and key.isupper():
                return None
            kind = self._kind(key)
            if count == 1 and not self._follows_number(parts, before):
                kind = self._kind(key, undated=True)
            if kind:
                return kind
        return "closing" if _has_street(parts[-1]) else None

    def _goes_on_abbreviated(self, parts: list[str], after: Following) -> bool:
        """Whether the next word belongs to the same abbreviation ("e. V.", "n. Chr.")."""
        if after.rest[:1] != ".":
            return False
        following = unicodedata.normalize("NFC", after.letters)
        keys = [".".join((*parts[-count:], following)) for count in range(1, len(parts) + 1)]
        return any(self._kind(key) for key in keys)

    def _kind(self, key: str, *, undated: bool = False) -> str | None:
        """Look an abbreviation up, as it is written or with capitals in place of small letters.

        Single letters are looked up as they are, and so is what starts small and has a capital:
        "d. H." is not "d. h.".
        """
        kinds = self.rules.kinds_undated if undated else self.rules.kinds
        kind = kinds.get(key)
        if kind is None and len(key) > 1 and key[0].isupper():
            kind = kinds.get(key.lower())
        return kind

    def _follows_number(self, parts: list[str], before: str) -> bool:
        previous = parts[-2] if len(parts) > 1 else self._previous_word(before)
        previous = previous.rstrip(".,")
        return previous[-1:].isdecimal() or _ROMAN.fullmatch(previous) is not None

    def _is_unit(self, parts: list[str], before: str) -> bool:
        is_letter = len(parts) == 1 and parts[0] in _UNITS
        return is_letter and self._previous_word(before)[-1:].isdecimal()

    def _previous_word(self, before: str) -> str:
        previous = _PREVIOUS.search(before)
        return previous["word"] if previous else ""

    def _single_letter(self, parts: list[str], before: str, after: Following) -> str | None:
        """Tell an initial ("closing") from a word, a label or a unit (None)."""
        if len(parts) > 1:
            return "closing"
        letter, previous = parts[0], self._previous_word(before)
        if letter == "I" and previous[:1].isupper():
            return "closing"  # a middle initial, not the pronoun
        if letter in self.rules.single_words or letter.islower() or previous[-1:].isdecimal():
            return None
        if previous.lower() in self.rules.letter_labels and before.rstrip().endswith(previous):
            return None
        following = self.text[after.position]
        is_cyrillic = "CYRILLIC" in unicodedata.name(following, "")
        return None if letter.isascii() and is_cyrillic else "closing"

    def _ends_after_roman(self, before: str, after: Following) -> bool:
        if after.kind != "upper":
            return after.kind == "symbol"
        if after.is_starter(self.rules):
            return True
        if self._previous_word(before).lower() in self.rules.before_ordinal:
            return False
        return self.rules.epithets is not None and not after.word.endswith(self.rules.epithets)

    def _ends_after_date(
        self, parts: list[str], before: str, after: Following, *, whole: bool
    ) -> bool:
        if after.kind != "upper":
            return False
        # The pronoun has a capital in any place, so it tells nothing.
        if after.is_starter(self.rules) and after.word != "i":
            return True
        if after.word in self.rules.never_first or _OBLIQUE_ADJECTIVE.search(after.word):
            return False
        return not (whole and self._is_time_adverbial(f"{before} {' '.join(parts)}"))

    def _is_time_adverbial(self, before: str) -> bool:
        """Whether the sentence so far is a point in time alone ("У 1991 р.", "Dne 24. 12.")."""
        words = before.split()
        if len(words) > 7:
            return False
        openers = self.rules.time_openers
        return any(word.lower() in openers for word in words[:2]) and not words[0][:1].islower()

    def _ends_after_numbered(self, after: Following) -> bool:
        first = self.text[after.position]
        if after.kind != "upper":
            return after.kind == "symbol" and not first.isalpha() and first not in "§№#"
        if after.is_starter(self.rules):
            return True
        letters = after.letters
        is_label = len(letters) == 1 or _ROMAN.fullmatch(letters) is not None
        return after.word not in self.rules.never_first and (not is_label or after.rest[:1] == "-")

    def _is_long_word(self, last: str, closing: str, after: Following) -> bool:
        if after.glued or not _QUOTATION_MARKS.isdisjoint(closing):
            return False
        if after.opens_quotation():
            return True
        least = 4 if _VOWEL.match(last[-1]) else self.rules.lower_start
        return len(last) >= least and last.isalpha() and last[1:].islower()

    def _is_next_item(self, start: int, after: Following) -> bool:
        """Whether the sentence is an item of a list that goes on ("1. … 2. …", "a. … b. …")."""
        if after.kind not in ("digit", "lower") or after.glued or after.opening:
            return False
        mark = _ITEM.match(self.text, start)
        following = _ITEM.match(self.text, after.position)
        if mark is None or following is None:
            return False
        if mark[1].isdecimal() and following[1].isdecimal():
            return int(following[1]) == int(mark[1]) + 1
        return len(mark[1]) == len(following[1]) == 1 and ord(following[1]) == ord(mark[1]) + 1


def _has_street(word: str) -> bool:
    return len(word) > 4 and word.endswith("str")


def _looks_cut(word: str) -> bool:
    """Whether a word with a capital and without a vowel is likely to be a title ("Hptm.")."""
    return (
        2 <= len(word) <= 5
        and word[0].isupper()
        and word[1:].islower()
        and word.isalpha()
        and not _VOWEL.search(word)
    )
