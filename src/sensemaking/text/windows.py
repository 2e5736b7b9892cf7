"""Windows of words over consecutive sentences, the units that questions are compared with."""

from collections.abc import Sequence
from dataclasses import dataclass

from sensemaking.text.words import words


@dataclass(frozen=True)
class Window:
    """A window of words.

    Attributes:
        text: Its words as written, joined by single spaces, without punctuation.
        first_sentence: Index of the sentence in which it starts, from 0.
        n_words: How many words it has, from 1 to the length asked for.
    """

    text: str
    first_sentence: int
    n_words: int


def windows(sentences: Sequence[str], max_words: int) -> list[str]:
    """Return the text of each window, see :func:`window_rows`.

    Raises:
        ValueError: ``max_words`` is below 1.
    """
    return [window.text for window in window_rows(sentences, max_words)]


def window_rows(sentences: Sequence[str], max_words: int) -> list[Window]:
    """Cut a window at the start of each sentence that has a word.

    A window takes ``max_words`` words from there on, running into the sentences that follow and
    ending inside one if need be; near the end of the text it is shorter. Punctuation is neither
    counted nor kept. A sentence without a word (a line of dashes, say) starts no window and adds
    nothing to others. The time taken is linear in the text and in the windows that come out.

    Args:
        sentences: The sentences of one text in order.
        max_words: K, the most words of a window, at least 1.

    Returns:
        The windows in order of their first sentences.

    Raises:
        ValueError: ``max_words`` is below 1.
    """
    if max_words < 1:
        raise ValueError(f"max_words must be 1 or more, not {max_words}")
    if isinstance(sentences, str):
        raise TypeError("sentences must be a list of sentences, not one text; split it first")
    all_words: list[str] = []
    found: list[tuple[int, int]] = []
    for index, sentence in enumerate(sentences):
        of_sentence = words(sentence)
        if of_sentence:
            found.append((index, len(all_words)))
            all_words.extend(of_sentence)
    rows = []
    for index, start in found:
        taken = all_words[start : start + max_words]
        rows.append(Window(" ".join(taken), index, len(taken)))
    return rows
