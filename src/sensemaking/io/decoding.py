"""Bytes to text: UTF-8 and UTF-16 with certainty, older code pages by the language, flagged."""

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
_CODE_PAGES = {"cs": "cp1250", "de": "cp1252", "en": "cp1252", "uk": "cp1251"}
_CYRILLIC = re.compile(r"[Ѐ-ӿ]")
_LETTER = re.compile(r"[^\W\d_]")
_CYRILLIC_LANGUAGES = frozenset({"uk"})


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

    UTF-8 and anything with a byte-order mark is read with certainty, UTF-16 without a mark by its
    zero bytes. Else the code page of the language is tried, with a warning, and last whatever
    charset-normalizer finds plausible, with a warning.

    Args:
        data: The bytes of the file.
        language: The language that the text should be in, ISO 639 code.

    Raises:
        UndecodableError: No encoding fits.
    """
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return _checked(_strict(data, encoding), encoding, language, None)
    if b"\0" in data:
        encoding = "utf-16-le" if data[1::2].count(0) >= data[0::2].count(0) else "utf-16-be"
        text = _strict(data, encoding)
        if "\0" in text:
            raise UndecodableError("it holds zero bytes, so it is no text file; expected UTF-8")
        return _checked(text, encoding, language, f"read as {encoding} without a byte-order mark")
    try:
        return _checked(data.decode("utf-8"), "utf-8", language, None)
    except UnicodeDecodeError as error:
        place = error.start
    code_page = _CODE_PAGES.get(language)
    if code_page is not None:
        try:
            text = data.decode(code_page)
        except UnicodeDecodeError:
            pass  # The next attempt follows, and the failure of all is raised below.
        else:
            warning = f"not UTF-8 (byte {place}), read as {code_page}; save the file as UTF-8"
            return _checked(text, code_page, language, warning)
    guess = from_bytes(data).best()
    if guess is None:
        raise UndecodableError(f"not UTF-8: byte {place} is {data[place]:#04x}; save it as UTF-8")
    warning = f"not UTF-8 (byte {place}), read as {guess.encoding} by guess; save it as UTF-8"
    return _checked(str(guess), guess.encoding, language, warning)


def _strict(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise UndecodableError(
            f"not {encoding}: byte {error.start} does not fit; save the file as UTF-8"
        ) from error


def _checked(text: str, encoding: str, language: str, warning: str | None) -> Decoded:
    clean = nfc(text.replace("\r\n", "\n").replace("\r", "\n"))
    doubt = warning
    if (
        language in _CYRILLIC_LANGUAGES
        and _LETTER.search(clean)
        and not _CYRILLIC.search(clean)
        and doubt is None
    ):
        doubt = f"text of language {language} without a Cyrillic letter; check its encoding"
    return Decoded(clean, encoding, doubt)
