"""From sections to rows of ``materials/windows``."""

from collections.abc import Iterable, Mapping
from typing import Any

from sensemaking.text.sentences import split
from sensemaking.text.windows import window_rows

ENGLISH = "en"


def window_rows_of(sections: Iterable[Mapping[str, Any]], max_words: int) -> list[dict[str, Any]]:
    """Return a row for each window of each section that has an English text.

    Args:
        sections: Rows of ``materials/sections``.
        max_words: The most words of a window, K.
    """
    return [
        {
            "section_id": section["section_id"],
            "window": number,
            "first_sentence": window.first_sentence,
            "n_words": window.n_words,
            "text": window.text,
        }
        for section in sections
        if isinstance(section["text_en"], str)
        for number, window in enumerate(window_rows(split(section["text_en"], ENGLISH), max_words))
    ]
