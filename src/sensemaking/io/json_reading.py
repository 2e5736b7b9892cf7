"""Reading JSON that may be damaged: nothing raises, and every fault is told with its place.

Well-formed files take the fast way through Python's ``json``; only the others are read by
``sensemaking.io.json_tolerant``. Both give the same tree for a well-formed file.
"""

import codecs
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sensemaking.io.json_cursor import Problem
from sensemaking.io.json_nodes import (
    CutList,
    CutObject,
    Duplicated,
    NotJson,
    Number,
    Refused,
    dump,
    escape,
    members,
    shown,
)
from sensemaking.io.json_tolerant import parse_damaged

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_UNIT = {"utf-8": 1, "utf-16-le": 2, "utf-16-be": 2, "utf-32-le": 4, "utf-32-be": 4}
_BAD_BYTE = re.compile("[\udc80-\udcff]")


@dataclass(frozen=True)
class DecodedJson:
    """The text of a JSON file.

    Attributes:
        text: The text without a byte-order mark; a byte that is not UTF-8 is a lone surrogate
            U+DC80 to U+DCFF, so that only the texts that hold one need to be refused.
        encoding: The encoding it was read by.
        mark: Whether it began with a byte-order mark.
        bad_byte: Place of the first byte that does not fit, from 0, or None.
        bad_value: That byte, or None.
    """

    text: str
    encoding: str
    mark: bool
    bad_byte: int | None = None
    bad_value: int | None = None


@dataclass(frozen=True)
class Document:
    """A JSON file as far as it could be read.

    Attributes:
        value: The tree; None also where nothing could be read, which ``readable`` tells.
        problems: What is wrong with its syntax, and keys that occur twice.
        readable: Whether there is a value at all.
    """

    value: Any
    problems: tuple[Problem, ...]
    readable: bool


def decode_json(data: bytes) -> DecodedJson:
    """Return the text of a JSON file in UTF-8, UTF-16 or UTF-32, with or without a mark.

    Without a mark the zero bytes among the first four tell the encoding (RFC 4627, section 3),
    since a JSON text begins with ASCII. No code page is guessed.

    Args:
        data: The bytes of the file.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _decode(data[len(mark) :], encoding, len(mark))
    return _decode(data, _encoding_of(data[:4]), 0)


def read_json(text: str, is_anchor: Callable[[str], bool] | None = None) -> Document:
    """Return the tree of a JSON text.

    Args:
        text: The text.
        is_anchor: Tells whether a string is surely a key of the outermost object; reading goes on
            at the next such key after a part that cannot be read. Without it nothing after such
            a part is read.
    """
    duplicates = False

    def noted_members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal duplicates
        result = members(pairs)
        duplicates = duplicates or len(result) < len(pairs)
        return result

    decoder = json.JSONDecoder(
        object_pairs_hook=noted_members,
        parse_int=Number,
        parse_float=Number,
        parse_constant=NotJson,
    )
    try:
        value = decoder.decode(text)
    except (json.JSONDecodeError, RecursionError):
        # RecursionError: nested deeper than the interpreter's stack.
        value, problems, readable = parse_damaged(text, is_anchor)
        return Document(_settled(value, problems), tuple(problems), readable)
    problems = []
    if duplicates:
        value = _settled(value, problems)
    return Document(value, tuple(problems), True)


def _encoding_of(start: bytes) -> str:
    zeros = tuple(byte == 0 for byte in start)
    if len(start) == 4:
        patterns = {
            (True, True, True, False): "utf-32-be",
            (False, True, True, True): "utf-32-le",
        }
        if zeros in patterns:
            return patterns[zeros]
    if len(start) >= 2 and zeros[:2] in ((True, False), (False, True)):
        return "utf-16-be" if zeros[0] else "utf-16-le"
    return "utf-8"


def _decode(data: bytes, encoding: str, offset: int) -> DecodedJson:
    marked = offset > 0
    if encoding == "utf-8":
        try:
            return DecodedJson(data.decode("utf-8"), encoding, marked)
        except UnicodeDecodeError as error:
            text = data.decode("utf-8", errors="surrogateescape")
            place = error.start
            return DecodedJson(text, encoding, marked, offset + place, data[place])
    whole = len(data) - len(data) % _UNIT[encoding]
    try:
        text = data[:whole].decode(encoding, errors="surrogatepass")
    except UnicodeDecodeError as error:
        text = data[:whole].decode(encoding, errors="replace")
        return DecodedJson(text, encoding, marked, offset + error.start, data[error.start])
    if whole < len(data):
        return DecodedJson(text, encoding, marked, offset + whole, data[whole])
    return DecodedJson(text, encoding, marked)


def has_bad_byte(text: str) -> bool:
    """Tell whether a text of a file that is not UTF-8 holds one of its bad bytes."""
    return not text.isascii() and _BAD_BYTE.search(text) is not None


def _settled(value: Any, problems: list[Problem]) -> Any:
    """Replace each ``Duplicated`` by its value if all are equal, else by ``Refused``."""
    root = [value]
    # Container, index of the element in it, pointer of the element.
    pending: list[tuple[Any, Any, str]] = [(root, 0, "")]
    while pending:
        container, index, place = pending.pop()
        node = container[index]
        if isinstance(node, Duplicated):
            node = container[index] = _settle(node, place, problems)
        if isinstance(node, list):
            pending += [
                (node, number, f"{place}/{number}")
                for number in range(len(node) - 1, -1, -1)
                if isinstance(node[number], list | dict)
            ]
        elif isinstance(node, dict):
            pending += [
                (node, key, f"{place}/{escape(key)}")
                for key in reversed(node)
                if isinstance(node[key], list | dict | Duplicated)
            ]
    return root[0]


def _settle(node: Duplicated, place: str, problems: list[Problem]) -> Any:
    first = node.values[0]
    spellings = list(dict.fromkeys(node.spellings))
    names = " and ".join(shown(name) for name in spellings)
    forms = " in different Unicode forms" if len(spellings) > 1 else ""
    found = f"the key {names}{forms} {len(node.values)} times"
    if all(_equal(first, other) for other in node.values[1:]):
        problems.append(Problem("repeated_key", place, found, dump(node), dump(first)))
        return first
    problems.append(Problem("duplicate_key", place, f"{found}, with different values"))
    return Refused("duplicate_key")


def _equal(a: Any, b: Any) -> bool:
    if isinstance(a, CutList | CutObject) or isinstance(b, CutList | CutObject):
        return False
    try:
        return bool(a == b)
    except RecursionError:
        return False
