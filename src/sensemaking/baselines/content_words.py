"""Content words: the words of an English text that say what it is about."""

from collections.abc import Iterable

from bm25s.stopwords import STOPWORDS_EN_PLUS

from sensemaking.text.words import words

_STOP_WORDS = frozenset(word.casefold() for word in STOPWORDS_EN_PLUS)


def content_words(text: str, *, at_least: int = 1) -> list[str]:
    """Return the words that are no stop words, in order, as written.

    Args:
        text: English text.
        at_least: The least number of characters of a word that counts.
    """
    return [word for word in words(text) if is_content_word(word) and len(word) >= at_least]


def is_content_word(word: str) -> bool:
    """Tell whether a word is none of the English stop words of bm25s."""
    return word.replace("’", "'").casefold() not in _STOP_WORDS


def search_terms(texts: Iterable[str]) -> list[list[str]]:
    """Return the case-folded content words of each text, the terms that BM25 compares."""
    return [[word.casefold() for word in content_words(text)] for text in texts]
