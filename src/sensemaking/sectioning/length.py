"""Cutting by length at sentence ends, for texts with no other marks."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from sensemaking.sectioning.spans import Span, sentence_spans
from sensemaking.text.words import words


class LengthCut(NamedTuple):
    """Places to cut a text at.

    Attributes:
        offsets: Offsets into the text, ascending, neither 0 nor its length.
        inside_sentences: How many of them lie inside a sentence that alone exceeds the limit.
    """

    offsets: list[int]
    inside_sentences: int


def cut_by_length(text: str, language: str, max_words: int) -> LengthCut:
    """Return where to cut so that no part has more words than allowed.

    Cuts lie at sentence ends. A sentence that alone has more words than allowed, as in
    unpunctuated transcripts, is cut at white space. There are as few parts as can be, and the
    longest of them is as short as that number allows.

    Args:
        text: The text.
        language: Its language, ISO 639-1 code.
        max_words: Most words in a part, 1 or more.

    Raises:
        ValueError: ``max_words`` is below 1.
    """
    if max_words < 1:
        raise ValueError(f"max_words must be 1 or more, not {max_words}")
    spans: list[Span] = []
    ends_of_sentences = set()
    for sentence in sentence_spans(text, language):
        spans += _shorter(text, sentence, max_words)
        ends_of_sentences.add(sentence.end)
    counts = [len(words(text[span.start : span.end])) for span in spans]
    offsets = [spans[first].start for first in _balanced(counts, max_words)[1:]]
    return LengthCut(offsets, sum(offset not in ends_of_sentences for offset in offsets))


def _shorter(text: str, sentence: Span, max_words: int) -> list[Span]:
    """Return the sentence, or its pieces of one word each if it is too long."""
    if len(words(text[sentence.start : sentence.end])) <= max_words:
        return [sentence]
    tokens = re.finditer(r"\s*\S+\s*", text[sentence.start : sentence.end])
    return [Span(sentence.start + token.start(), sentence.start + token.end()) for token in tokens]


def _balanced(counts: Sequence[int], limit: int) -> list[int]:
    """Return the first items of groups of neighbours, of which none holds more than the limit."""
    wanted = len(_greedy(counts, limit))
    low, high = min(max(counts, default=0), limit), limit
    while low < high:
        middle = (low + high) // 2
        if len(_greedy(counts, middle)) <= wanted:
            high = middle
        else:
            low = middle + 1
    return _greedy(counts, max(low, 1))


def _greedy(counts: Sequence[int], limit: int) -> list[int]:
    firsts: list[int] = []
    filled = 0
    for item, count in enumerate(counts):
        if not firsts or filled + count > limit:
            firsts.append(item)
            filled = 0
        filled += count
    return firsts
