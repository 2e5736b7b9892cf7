"""Texts of others within a prompt, so that none can leave the place it stands in.

Answers, questions and spans travel as JSON strings under ids that nobody can foresee; a section's
text stands between two fences that derive from its own content. A text that pretends to end its
place, or that holds a control token of a chat template, so stays what it is: a text.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from sensemaking.llm.characters import escape_controls, sendable, without_controls

# No vowels, so that no word comes about; no letter that looks like another or like a digit.
_LETTERS: Final = "bcdfghjkmnpqrstvwxz"
_MARK_LETTERS: Final = 3
_FENCE_DIGITS: Final = 12


def labels(count: int, content: Sequence[str]) -> list[str]:
    """Return short ids for the items of a prompt, such as ``kwt1``, ``kwt2``.

    Their letters derive from the content of the whole prompt, so an item cannot name itself or
    another in a reply that it dictates. They say nothing about where an item comes from.

    Args:
        count: How many ids.
        content: All texts of the prompt that others wrote, in order.
    """
    number = int.from_bytes(_digest(content)[:8], "big")
    mark = ""
    for _ in range(_MARK_LETTERS):
        number, rest = divmod(number, len(_LETTERS))
        mark += _LETTERS[rest]
    return [f"{mark}{position}" for position in range(1, count + 1)]


def fenced(text: str) -> str:
    """Return a text between two fences that it cannot hold itself.

    A space behind a bracket that may begin a control token of a chat template is all that is
    changed in it.

    Args:
        text: The text.
    """
    mark = _digest([text]).hex()[:_FENCE_DIGITS]
    return f"<<< {mark}\n{without_controls(sendable(text)).strip()}\n{mark} >>>"


def json_items(items: Sequence[Mapping[str, Any]]) -> str:
    """Return items as JSON, one on each line; control tokens of chat templates are escaped.

    Args:
        items: What to show, texts and numbers by name.
    """
    lines = (json.dumps(_sendable(item), ensure_ascii=False) for item in items)
    return "[\n" + ",\n".join(escape_controls(line) for line in lines) + "\n]"


def _sendable(value: Any) -> Any:
    if isinstance(value, str):
        return sendable(value)
    if isinstance(value, Mapping):
        return {name: _sendable(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_sendable(inner) for inner in value]
    return value


def _digest(content: Sequence[str]) -> bytes:
    texts = json.dumps([sendable(text) for text in content], ensure_ascii=False)
    return hashlib.sha256(texts.encode()).digest()
