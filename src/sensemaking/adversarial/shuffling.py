"""Texts in disorder: words shuffled, letters shuffled inside words, both.

White space and punctuation keep their places, so that only the order tells the texts apart. A
shuffle that gives its input back is drawn again where another order exists.
"""

import re
from collections.abc import Callable, Sequence

import numpy as np
import regex

_WORD = re.compile(r"\S+")
# A word may hold apostrophes and combining marks; a hyphen or a digit ends it.
_LETTERS = regex.compile(r"\p{L}[\p{L}\p{M}'’ʼ]*")
_LETTER = regex.compile(r"\p{L}\p{M}*")
_TRIES = 100


def shuffle_words(text: str, rng: np.random.Generator) -> str:
    """Return the text with its words in another order (variant W).

    A word is what stands between white space, punctuation included. The white space keeps its
    place. The text itself comes back only where its words have no other order.

    Args:
        text: The text.
        rng: Where the draws come from.
    """
    words = _WORD.findall(text)
    order = iter(_other_order(words, rng))
    return _WORD.sub(lambda _: next(order), text)


def shuffle_letters(text: str, rng: np.random.Generator) -> str:
    """Return the text with the letters of each word in another order (variant C).

    A word is a run of letters with their combining marks and apostrophes; the marks move with
    their letters, and apostrophes keep their places. A word stays as it is only where its letters
    have no other order.

    Args:
        text: The text, NFC.
        rng: Where the draws come from.
    """
    return str(_LETTERS.sub(lambda match: _shuffled_word(match.group(), rng, _other_order), text))


def shuffle_both(text: str, rng: np.random.Generator) -> str:
    """Return the text with its words in another order, and the letters in each (variant WC).

    Where the two could cancel each other ("ab ba"), it is drawn again. The text itself comes back
    only where neither its words nor the letters of any word have another order.

    Args:
        text: The text, NFC.
        rng: Where the draws come from.
    """
    for _ in range(_TRIES):
        result = shuffle_letters(shuffle_words(text, rng), rng)
        if result != text:
            return result
    # Each letter order that is left undoes the order of the words: let letters stay.
    for _ in range(_TRIES):
        words = shuffle_words(text, rng)
        result = str(_LETTERS.sub(lambda m: _shuffled_word(m.group(), rng, _any_order), words))
        if result != text:
            return result
    return text


def _shuffled_word(
    word: str,
    rng: np.random.Generator,
    order: Callable[[Sequence[str], np.random.Generator], list[str]],
) -> str:
    letters = iter(order(_LETTER.findall(word), rng))
    return str(_LETTER.sub(lambda _: next(letters), word))


def _other_order(parts: Sequence[str], rng: np.random.Generator) -> list[str]:
    """Return the parts in an order that reads differently, if there is one."""
    if len(set(parts)) < 2:
        return list(parts)
    while True:
        result = _any_order(parts, rng)
        if result != list(parts):
            return result


def _any_order(parts: Sequence[str], rng: np.random.Generator) -> list[str]:
    return [parts[index] for index in rng.permutation(len(parts))]
