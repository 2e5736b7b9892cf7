"""Bytes to text: Unicode encodings with certainty, older code pages by the language, flagged."""

import codecs
import re
from dataclasses import dataclass

from charset_normalizer import from_bytes

from sensemaking.ids import nfc

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CODE_PAGES = {
    "cs": ("cp1250", "iso8859-2", "mac_latin2", "cp852"),
    "de": ("cp1252", "mac_roman", "cp850"),
    "en": ("cp1252", "mac_roman", "cp850"),
    "uk": ("cp1251", "koi8-u", "iso8859-5", "mac_cyrillic", "cp1125"),
}
"""Language to the older encodings of its texts, the likeliest first."""
_LETTERS = {
    "cs": frozenset("áčďéěíňóřšťúůýž"),
    "de": frozenset("äöüß"),
    "uk": frozenset("абвгґдеєжзиіїйклмнопрстуфхцчшщьюя"),
}
"""Language to its lower-case letters beyond a to z."""
_MISREAD = {"cs": ("øèìùòï", "řčěůňď")}
"""Language to letters that come of reading cp1250 as cp1252, and the letters that were meant."""
_TYPOGRAPHY = frozenset("\u00a0„“”‚‘’«»–—…§°№€×·•ʼ")
_CYRILLIC_LANGUAGES = frozenset({"uk"})
_CYRILLIC = re.compile(r"[Ѐ-ӿ]")
_LETTER = re.compile(r"[^\W\d_]")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]")
# An upper-case letter behind a lower-case one: a Cyrillic encoding read as another one.
_CASE_SLIP = re.compile(r"[а-яєіїґ][А-ЯЄІЇҐ]")
# The scripts of our languages, white space and punctuation.
_PLAUSIBLE = re.compile(r"[\t-\r -~\u00a0-\u052f\u1e00-\u1eff\u2000-\u206f\u20a0-\u22ff]")
# A character of two or three bytes in UTF-8.
_UTF8_SEQUENCE = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}")
_ADVICE = "save the file as UTF-8"


class UndecodableError(ValueError):
    """The bytes are no text in any encoding that is expected; the message says where."""


@dataclass(frozen=True)
class Decoded:
    """A decoded text.

    Attributes:
        text: The text in NFC, with ``\\n`` line ends and without a byte-order mark.
        encoding: The encoding it was read by.
        warning: What is doubtful about it, or None.
    """

    text: str
    encoding: str
    warning: str | None


def decode(data: bytes, language: str) -> Decoded:
    """Return the text of a file.

    UTF-8 and anything with a byte-order mark is read with certainty, UTF-16 and UTF-32 without a
    mark where they give plausible text and UTF-8 does not. A file that is UTF-8 but for a few
    bytes has these replaced by U+FFFD. Else that code page of the language is taken which gives
    most of the language's letters, and for other languages whatever charset-normalizer finds
    plausible. All but the first comes with a warning, and so does text whose letters show that
    it was once read in a wrong encoding, or is not of the language.

    Args:
        data: The bytes of the file.
        language: The language that the text should be in, ISO 639 code.

    Raises:
        UndecodableError: No encoding fits.
    """
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return _checked(_strict(data, encoding), encoding, language, None)
    try:
        text = data.decode("utf-8")
        control = _CONTROL.search(text)
        if control is None:
            return _checked(text, "utf-8", language, None)
    except UnicodeDecodeError as error:
        return _wide_without_mark(data, language) or _not_utf8(data, language, error.start)
    code, place = ord(control.group()), control.start()
    doubt = f"holds the control character U+{code:04X} at character {place}; mend the file"
    return _wide_without_mark(data, language) or _checked(text, "utf-8", language, doubt)


def _strict(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        message = f"not {encoding}: byte {error.start} does not fit; {_ADVICE}"
        raise UndecodableError(message) from error


def _wide_without_mark(data: bytes, language: str) -> Decoded | None:
    """Return the text if the bytes are plausible text in UTF-16 or UTF-32, else None."""
    for encoding in ("utf-32-le", "utf-32-be", "utf-16-le", "utf-16-be"):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if text and len(_PLAUSIBLE.findall(text)) >= 0.9 * len(text):
            doubt = f"read as {encoding} without a byte-order mark; {_ADVICE}"
            return _checked(text, encoding, language, doubt)
    return None


def _not_utf8(data: bytes, language: str, place: int) -> Decoded:
    if b"\0" in data:
        message = f"byte {data.index(0)} is zero, so it is no text file; expected UTF-8"
        raise UndecodableError(message)
    at = f"not UTF-8 (byte {place} is {data[place]:#04x})"
    text = data.decode("utf-8", errors="replace")
    bad = text.count("\ufffd")
    if len(_UTF8_SEQUENCE.findall(data)) >= 4 * bad:
        return _checked(text, "utf-8", language, f"{at}, {bad} replaced by U+FFFD; {_ADVICE}")
    pages = []
    for number, page in enumerate(_CODE_PAGES.get(language, ())):
        try:
            text = data.decode(page)
        except UnicodeDecodeError:
            continue
        pages.append((_strangeness(text, language), number, page, text))
    if pages:
        _, _, page, text = min(pages)
        return _checked(text, page, language, f"{at}, read as {page}; {_ADVICE}")
    guess = from_bytes(data).best()
    if guess is None:
        raise UndecodableError(f"{at}, and no other encoding fits; {_ADVICE}")
    warning = f"{at}, read as {guess.encoding} by guess; {_ADVICE}"
    return _checked(str(guess), guess.encoding, language, warning)


def _strangeness(text: str, language: str) -> float:
    """Return the share of the characters beyond ASCII that the language would not have there."""
    foreign = [character for character in nfc(text) if not character.isascii()]
    known = _LETTERS.get(language, frozenset())
    strange = sum(c.lower() not in known and c not in _TYPOGRAPHY for c in foreign)
    return (strange + len(_CASE_SLIP.findall(text))) / max(1, len(foreign))


def _checked(text: str, encoding: str, language: str, warning: str | None) -> Decoded:
    clean = nfc(text.replace("\r\n", "\n").replace("\r", "\n")).lstrip("\ufeff")
    return Decoded(clean, encoding, warning or _doubt(clean, language))


def _doubt(text: str, language: str) -> str | None:
    """Return what shows that a text was read in a wrong encoding once or is of another language."""
    known = _LETTERS.get(language)
    own = _CODE_PAGES.get(language, ())[:1]
    for page in (*own, "cp1252", "cp1250", "cp1251"):
        encoded = text.encode(page, errors="replace")
        sequences = _UTF8_SEQUENCE.findall(encoded)
        meant = [sequence.decode("utf-8", errors="replace").lower() for sequence in sequences]
        good = [len(s) for s, c in zip(sequences, meant, strict=True) if _is_expected(c, known)]
        if len(good) >= 2 and sum(good) >= 0.8 * sum(byte > 0x7F for byte in encoded):
            return f"looks like UTF-8 that was read as {page} once; mend the file"
    letters = _LETTER.findall(text)
    slips = _CASE_SLIP.findall(text)
    if len(slips) >= 3 and len(slips) > 0.1 * len(letters):
        return "upper and lower case are mixed as by a wrong encoding; mend the file"
    if language in _CYRILLIC_LANGUAGES and letters and not _CYRILLIC.search(text):
        return f"text of language {language} without a Cyrillic letter; check its encoding"
    wrong, right = _MISREAD.get(language, ("", ""))
    small = text.lower()
    if sum(map(small.count, wrong)) > sum(map(small.count, right)):
        return f"more of {' '.join(wrong)} than of {' '.join(right)}; check its encoding"
    return None


def _is_expected(character: str, known: frozenset[str] | None) -> bool:
    if known is None:
        return character.isalpha() or character in _TYPOGRAPHY
    return character in known or character in _TYPOGRAPHY
