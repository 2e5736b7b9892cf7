"""Texts that can be sent, stored, and put into a prompt without ending it."""

import re
from typing import Final

# What chat templates are made of: <|im_end|>, <｜…｜>, </s>, <start_of_turn>, <<SYS>>, [INST].
# A tokenizer that reads one in a text takes it for the end of a message.
_CONTROL: Final = re.compile(r"<(?=[|｜/<!A-Za-z_])|\[(?=/?[A-Z][A-Z_]*\])|\[(?=g?MASK\])")


def sendable(text: str) -> str:
    """Return a text with U+FFFD for each half of a surrogate pair, which UTF-8 cannot hold."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def escape_controls(json_text: str) -> str:
    """Return JSON with escapes for brackets that may begin a control token; it means the same."""
    return _CONTROL.sub(lambda found: f"\\u{ord(found.group()):04x}", json_text)


def without_controls(text: str) -> str:
    """Return a text with a space behind each bracket that may begin a control token."""
    return _CONTROL.sub(lambda found: f"{found.group()} ", text)
