"""The smallest parts of JSON texts, read so that a damaged one is told and not raised."""

import re
from dataclasses import dataclass

from sensemaking.io.json_nodes import NotJson, Number, shown

PLAIN = re.compile(r'[^"\\\x00-\x1f]*')
SPACE = re.compile(r"[ \t\n\r]*")
STRAY = re.compile("[\ufeff\xa0\x00\x0b\x0c\u2028\u2029\u200b]+")
_NESTING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[\[{]+|[\]}]+', re.DOTALL)
KEY_OF_CONTAINER = re.compile(r'"([^"\\\n]*(?:\\.[^"\\\n]*)*)"[ \t\r\n]*:[ \t\r\n]*[\[{]')
MORE_OF_A_LIST = re.compile(r"[\],](?![ \t\r\n]*:)")
STRAY_QUOTE = re.compile(r'[^"\[\]{},:\n]*"')
_NUMBER_LIKE = re.compile(r"[-+]?[0-9.][0-9.eE+-]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
_LOOSE_NUMBER = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_WORD = re.compile(r"[-+]?[A-Za-z_][A-Za-z_0-9]*")
_WORDS = {"true": True, "false": False, "null": None}
_PYTHON_WORDS = {"True": "true", "False": "false", "None": "null"}
_NO_VALUES = frozenset({"nan", "inf", "infinity", "undefined", "na"})
_HEX = re.compile(r"[0-9a-fA-F]{4}")
_ESCAPES = {
    '"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t",
}  # fmt: skip


def matched(pattern: re.Pattern[str], text: str, start: int) -> int:
    """Return where the match of a pattern that can match nothing ends."""
    match = pattern.match(text, start)
    return match.end() if match else start


@dataclass(frozen=True, slots=True)
class Scalar:
    """A number or word.

    Attributes:
        value: What it means; None too where it means nothing.
        literal: How it is written; empty where there is neither number nor word.
        code: What is wrong with it: ``number_form`` and ``python_word`` have one meaning all the
            same, ``truncated`` and ``not_json`` have none. None where nothing is wrong.
        mended: How JSON would write it.
    """

    value: Number | NotJson | bool | None
    literal: str
    code: str | None = None
    mended: str = ""


def scalar(text: str, start: int) -> Scalar:
    """Read the number or word at a place of a text."""
    match = _NUMBER_LIKE.match(text, start) or _WORD.match(text, start)
    if match is None:
        return Scalar(None, "", "not_json")
    literal = match.group()
    if match.end() == len(text):
        # The digits or letters that are missing could be any.
        return Scalar(None, literal, "truncated")
    if _NUMBER.fullmatch(literal):
        return Scalar(Number(literal), literal)
    if _LOOSE_NUMBER.fullmatch(literal):
        return Scalar(Number(literal), literal, "number_form", literal)
    if literal in _WORDS:
        return Scalar(_WORDS[literal], literal)
    if literal in _PYTHON_WORDS:
        word = _PYTHON_WORDS[literal]
        return Scalar(_WORDS[word], literal, "python_word", word)
    if literal.lstrip("+-").casefold() in _NO_VALUES:
        return Scalar(NotJson(literal), literal)
    return Scalar(None, literal, "not_json")


def closing(text: str, start: int) -> int | None:
    """Return the place behind the bracket that closes the one at ``start``, or None.

    Kinds of brackets are not told apart; brackets in texts do not count.
    """
    depth = 0
    for match in _NESTING.finditer(text, start):
        brackets = match.group()
        if brackets[0] in "[{":
            depth += len(brackets)
        elif brackets[0] != '"':
            if len(brackets) >= depth:
                return match.start() + depth
            depth -= len(brackets)
    return None


def unescaped(text: str, start: int) -> tuple[str, int | None, list[tuple[str, str]]]:
    """Read a string from behind its first quote.

    Returns:
        Its value, the place behind its last quote (None if there is none), and what is wrong.
    """
    pieces: list[str] = []
    wrong: dict[str, str] = {}
    pos = start
    while True:
        end = matched(PLAIN, text, pos)
        pieces.append(text[pos:end])
        char = text[end : end + 1]
        if char in ('"', ""):
            return "".join(pieces), end + 1 if char else None, list(wrong.items())
        if char != "\\":
            pieces.append(char)
            wrong.setdefault("control_character", f"the character U+{ord(char):04X}")
            pos = end + 1
            continue
        piece, pos = _escape(text, end)
        if piece is None:
            wrong.setdefault("invalid_escape", f"the escape {shown(text[end : end + 2])}")
            piece = "\\"
        pieces.append(piece)


def _escape(text: str, start: int) -> tuple[str | None, int]:
    """Read an escape; return None for one that JSON does not know, and where to go on."""
    char = text[start + 1 : start + 2]
    if char in _ESCAPES:
        return _ESCAPES[char], start + 2
    digits = text[start + 2 : start + 6]
    if char != "u" or not _HEX.fullmatch(digits):
        return None, start + 1
    code, pos = int(digits, 16), start + 6
    low = text[pos + 2 : pos + 6]
    if 0xD800 <= code < 0xDC00 and text.startswith("\\u", pos) and _HEX.fullmatch(low):
        second = int(low, 16)
        if 0xDC00 <= second < 0xE000:
            return chr(0x10000 + ((code - 0xD800) << 10) + (second - 0xDC00)), pos + 6
    return chr(code), pos
