"""What a JSON file may hold beyond what Python's ``json`` tells: exact numbers, marks of damage.

A tree is made of ``dict``, ``list``, ``str``, ``bool``, ``None`` and the classes below.
"""

import json
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

MAX_DEPTH = 64
"""Objects and lists inside one another that are read; no official form needs more than four."""

_SHOWN = 80
_SURROGATES = dict.fromkeys(range(0xD800, 0xE000), "\ufffd")


@dataclass(frozen=True, slots=True)
class Number:
    """A number as it is written, so that no digit is lost and none is computed needlessly."""

    literal: str

    @property
    def value(self) -> float:
        """The nearest double; infinite where the number is too large for one."""
        return float(self.literal)


@dataclass(frozen=True, slots=True)
class NotJson:
    """A word that is no JSON value, such as ``NaN``, ``Infinity`` or ``undefined``."""

    literal: str


@dataclass(frozen=True, slots=True)
class Refused:
    """A value that was left out; ``code`` is that of the finding, which is made already."""

    code: str


@dataclass(frozen=True, slots=True)
class Duplicated:
    """The values of a key that occurs more than once in an object, in the order of the file."""

    spellings: tuple[str, ...]
    values: tuple[Any, ...]


class CutList(list[Any]):
    """A list whose end is missing; the elements in it are whole."""


class DoubtfulList(CutList):
    """A list around which brackets are missing: what looks like an element of it may be a part."""


class CutObject(dict[str, Any]):
    """An object whose end is missing; the members in it are whole."""


def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the members of an object; keys that are equal after NFC become ``Duplicated``.

    The key is the first spelling.
    """
    result = dict(pairs)
    if len(result) == len(pairs) and all(map(str.isascii, result)):
        return result
    grouped: dict[str, list[tuple[str, Any]]] = {}
    for key, value in pairs:
        grouped.setdefault(unicodedata.normalize("NFC", key), []).append((key, value))
    if len(grouped) == len(pairs):
        return result
    return {
        group[0][0]: group[0][1]
        if len(group) == 1
        else Duplicated(tuple(key for key, _ in group), tuple(value for _, value in group))
        for group in grouped.values()
    }


def pointer(parts: Iterable[str | int]) -> str:
    """Return the JSON pointer (RFC 6901) of a place."""
    return "".join(f"/{escape(str(part))}" for part in parts)


def escape(part: str) -> str:
    """Return a key or index as a part of a JSON pointer, in characters that UTF-8 can hold."""
    return clean(part).replace("~", "~0").replace("/", "~1")


def clean(text: str) -> str:
    """Return the text with each lone surrogate replaced by U+FFFD."""
    return text if text.isascii() else text.translate(_SURROGATES)


def kind_of(value: Any) -> str:
    """Return what a value is, in words for a message."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f"the text {shown(value)}"
    if isinstance(value, Number):
        return f"the number {shortened(value.literal)}"
    if isinstance(value, NotJson):
        return f"{shortened(value.literal)}, which is no JSON value"
    if isinstance(value, list):
        return f"a list of {len(value)}" if value else "an empty list"
    if isinstance(value, dict):
        if not value:
            return "an empty object"
        keys = ", ".join(shown(key, 20) for key in list(value)[:4])
        return f"an object with {keys}{' …' if len(value) > 4 else ''}"
    return "a value that was refused"


def shown(text: str, limit: int = _SHOWN) -> str:
    """Return a text in quotes, shortened, control characters escaped."""
    return json.dumps(shortened(clean(text), limit), ensure_ascii=False)


def shortened(text: str, limit: int = _SHOWN) -> str:
    """Return the text itself, or its beginning and its length where it is long."""
    if len(text) <= limit:
        return text
    return f"{text[: limit - 1]}… ({len(text)} characters)"


def dump(value: Any) -> str:
    """Return a tree as JSON, numbers as written; null for what is refused or too deep."""
    return "".join(_dumped(value, MAX_DEPTH))


def _dumped(value: Any, depth: int) -> Iterator[str]:
    if isinstance(value, str):
        yield json.dumps(clean(value), ensure_ascii=False)
    elif isinstance(value, Number | NotJson):
        yield value.literal
    elif isinstance(value, bool) or value is None:
        yield json.dumps(value)
    elif isinstance(value, list) and depth:
        yield "["
        for number, element in enumerate(value):
            yield ", " if number else ""
            yield from _dumped(element, depth - 1)
        yield "]"
    elif isinstance(value, dict) and depth:
        yield "{"
        for number, (key, member) in enumerate(value.items()):
            yield f"{', ' if number else ''}{json.dumps(clean(key), ensure_ascii=False)}: "
            yield from _dumped(member, depth - 1)
        yield "}"
    elif isinstance(value, Duplicated) and depth:
        yield from _dumped(list(value.values), depth - 1)
    else:
        yield "null"
