"""Content words: the words of an English text that say what it is about."""

import importlib.util
import runpy
from collections.abc import Iterable
from pathlib import Path

from sensemaking.text.words import words


def _stop_words_of_bm25s() -> frozenset[str]:
    # Read from its file, for importing the package takes 0.4 s where numba is installed.
    spec = importlib.util.find_spec("bm25s")
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError("bm25s is not installed, and its stop words are needed; run make")
    lists = runpy.run_path(str(Path(spec.origin).with_name("stopwords.py")))
    return frozenset(word.casefold() for word in lists["STOPWORDS_EN_PLUS"])


_STOP_WORDS = _stop_words_of_bm25s()


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
