"""Ligatures of Latin letters that PDFs keep as one character, and glyphs that got lost."""

import unicodedata
from dataclasses import dataclass

import regex

_LETTERS_OF = {
    "\ufb00": "ff",
    "\ufb01": "fi",
    "\ufb02": "fl",
    "\ufb03": "ffi",
    "\ufb04": "ffl",
    "\ufb05": "st",
    "\ufb06": "st",
}
# "ﬀ" ends words ("staﬀ"), and so do "st" and, in a few words, "ﬁ" ("Proﬁ", "sci-ﬁ"). Any other
# ligature before a space and a small letter is the first half of a torn word ("ﬁ eld").
_TORN = regex.compile(
    r"(?<!\b(?i:pro|wi-?|hi-?|sci-?|lo-?))[\ufb01-\ufb04](?=[ \u00a0]{1,3}\p{Ll})"
)
_LIGATURE = regex.compile(r"[\ufb00-\ufb06]")


@dataclass(frozen=True)
class GlyphDamage:
    """What a PDF's fonts have done to a text, as counts of characters.

    Attributes:
        lost: NUL characters: a glyph, often a ligature, that the PDF gives no text for.
        torn_ligatures: Ligatures with a space after them inside a word ("ﬁ eld").
        replaced: U+FFFD, bytes that could not be decoded.
        private: Characters of a private use area, which mean nothing without the font.
    """

    lost: int
    torn_ligatures: int
    replaced: int
    private: int

    @property
    def total(self) -> int:
        """How many characters are damaged in any way."""
        return self.lost + self.torn_ligatures + self.replaced + self.private


def expand(text: str) -> str:
    """Write ligatures (U+FB00 to U+FB06) as their letters, then compose to Unicode NFC.

    No other character is touched: compatibility composition (NFKC) would make "x²" to "x2", "½" to
    "1⁄2" and "№5" to "No5". A torn ligature ("ﬁ eld") stays as it is, because only a dictionary
    could tell whether the space belongs there, and NUL characters stay, because nothing says which
    letters they were; :func:`damage` counts both.
    """
    torn = {match.start() for match in _TORN.finditer(text)}
    letters = _LIGATURE.sub(
        lambda match: match[0] if match.start() in torn else _LETTERS_OF[match[0]], text
    )
    return unicodedata.normalize("NFC", letters)


def damage(text: str) -> GlyphDamage:
    """Count what is damaged in a text from a PDF, before or after :func:`expand`."""
    return GlyphDamage(
        lost=text.count("\0"),
        torn_ligatures=sum(1 for _ in _TORN.finditer(text)),
        replaced=text.count("\ufffd"),
        private=sum(1 for _ in regex.finditer(r"\p{Co}", text)),
    )
