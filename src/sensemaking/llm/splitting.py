"""Dividing what does not fit into a model's context: texts at sentences, lists between items."""

import re
from collections.abc import Callable, Sequence
from typing import Final, TypeVar

import regex

from sensemaking.sectioning.spans import sentence_spans

Item = TypeVar("Item")

_GRAPHEME: Final = regex.compile(r"\X")


class NoRoomError(ValueError):
    """The context is too small for a prompt, whatever is divided."""


def text_parts(text: str, language: str, fits: Callable[[str], bool]) -> list[str]:
    """Divide a text into as few consecutive parts as fit, at the ends of sentences.

    A sentence that does not fit by itself is divided between words, a word between characters.

    Args:
        text: The text.
        language: Its language, ISO 639-1 code.
        fits: Tells whether a part fits; what is part of a fitting text must fit, too.

    Returns:
        Parts that joined are the text; the text alone if it fits or is blank.

    Raises:
        NoRoomError: Not even a single character fits.
    """
    if fits(text):
        return [text]
    sentences = [text[span.start : span.end] for span in sentence_spans(text, language)]
    return _filled(sentences or [text], fits)


def item_groups(items: Sequence[Item], fits: Callable[[Sequence[Item]], bool]) -> list[list[Item]]:
    """Divide a list into as few consecutive groups as fit.

    Args:
        items: The items.
        fits: Tells whether a group fits.

    Returns:
        Groups that joined are the list; none of them is empty.

    Raises:
        NoRoomError: An item does not fit by itself.
    """
    groups: list[list[Item]] = []
    for item in items:
        if groups and fits([*groups[-1], item]):
            groups[-1].append(item)
        elif fits([item]):
            groups.append([item])
        else:
            raise NoRoomError("an item does not fit into the context by itself")
    return groups


def _filled(pieces: Sequence[str], fits: Callable[[str], bool]) -> list[str]:
    parts: list[str] = []
    for piece in pieces:
        if parts and fits(parts[-1] + piece):
            parts[-1] += piece
        elif fits(piece):
            parts.append(piece)
        else:
            parts += _filled(_smaller(piece), fits)
    return parts


def _smaller(piece: str) -> list[str]:
    words = re.findall(r"\s*\S+\s*", piece)
    if len(words) > 1:
        return words
    characters: list[str] = _GRAPHEME.findall(piece)
    if len(characters) > 1:
        return characters
    raise NoRoomError(
        "the context has no room for any text beside the instructions; raise context_tokens, or "
        "lower max_tokens or the number of items"
    )
