"""Dividing texts into requests by the bytes that are really sent, and texts that are too long."""

import json
import re
from collections.abc import Sequence
from typing import Final

import regex

from sensemaking.sectioning.spans import sentence_spans

_GRAPHEME: Final = regex.compile(r"\X")
_BETWEEN: Final = len(", ")


def json_bytes(text: str) -> int:
    """Return how many bytes a text has in a request.

    The client writes JSON with escapes, so a Cyrillic letter has 6 bytes (``\\u0434``), where it
    has 2 in UTF-8, and a character outside the basic plane 12.

    Args:
        text: The text.

    Returns:
        Bytes, the quotation marks included.
    """
    return len(json.dumps(text))


def batches(
    texts: Sequence[str], *, envelope: int, max_bytes: int, max_segments: int
) -> list[list[int]]:
    """Return which texts go into each request: neighbours, as many as the limits allow.

    Args:
        texts: The texts in order.
        envelope: Bytes of a request without a text.
        max_bytes: Most bytes of a request.
        max_segments: Most texts of a request.

    Returns:
        Positions in ``texts``, ascending; each occurs once.

    Raises:
        ValueError: A text alone exceeds the limit; ``pieces`` divides such texts.
    """
    result: list[list[int]] = []
    filled = max_bytes
    for position, text in enumerate(texts):
        size = json_bytes(text)
        if envelope + size > max_bytes:
            raise ValueError(
                f"text {position} takes {size} bytes in a request, more than the "
                f"{max_bytes - envelope} that it can hold"
            )
        if filled + _BETWEEN + size > max_bytes or len(result[-1]) >= max_segments:
            result.append([position])
            filled = envelope + size
        else:
            result[-1].append(position)
            filled += _BETWEEN + size
    return result


def pieces(text: str, language: str, max_bytes: int) -> list[str]:
    """Divide a text that is too long for a request, at the ends of sentences.

    A sentence that is too long by itself is divided between words, a word between characters.

    Args:
        text: The text.
        language: Its language, ISO 639-1 code.
        max_bytes: Most bytes of a piece as ``json_bytes`` counts them.

    Returns:
        Pieces that joined are the text; the text alone if it is short enough.

    Raises:
        ValueError: ``max_bytes`` does not hold one character.
    """
    if json_bytes(text) <= max_bytes:
        return [text]
    sentences = [text[span.start : span.end] for span in sentence_spans(text, language)]
    return _filled(sentences or [text], max_bytes)


def _filled(parts: Sequence[str], max_bytes: int) -> list[str]:
    quotes = json_bytes("")
    result: list[str] = []
    size = max_bytes
    for part in parts:
        added = json_bytes(part) - quotes
        if added + quotes > max_bytes:
            result += _filled(_smaller(part, max_bytes), max_bytes)
            size = max_bytes
        elif size + added > max_bytes:
            result.append(part)
            size = quotes + added
        else:
            result[-1] += part
            size += added
    return result


def _smaller(part: str, max_bytes: int) -> list[str]:
    tokens = re.findall(r"\s*\S+\s*", part)
    if len(tokens) > 1:
        return tokens
    characters: list[str] = _GRAPHEME.findall(part)
    if len(characters) > 1:
        return characters
    raise ValueError(f"a request of {max_bytes} bytes cannot hold the character {part!r}")
