"""Whether something that should be the English of a text is that: language and length."""

import unicodedata
from copy import copy
from functools import lru_cache
from typing import Final

import langcodes
import regex
from py3langid.langid import MODEL_FILE, LanguageIdentifier

from sensemaking.findings import Finding
from sensemaking.statuses import OK
from sensemaking.text.words import words

ENGLISH: Final = "en"

EMPTY_TARGET: Final = "empty_translation"
NOT_ENGLISH: Final = "translation_not_english"
UNCHANGED: Final = "translation_unchanged"

SHORTEST_RATIO: Final = 0.7
"""Words of English for a word of the original, below which some of it must be missing."""
LONGEST_RATIO: Final = 2.0
"""Above this the English holds more than the original."""
LEAST_WORDS: Final = 20
"""In shorter texts the ratio says nothing."""

_FOREIGN_SHARE: Final = 0.1
_LATIN: Final = "Latn"
_LATIN_LETTER: Final = regex.compile(r"\p{Latin}")
_SCRIPTS: Final = {
    "Jpan": r"[\p{Hiragana}\p{Katakana}\p{Han}]",
    "Kore": r"\p{Hangul}",
    "Hans": r"\p{Han}",
    "Hant": r"\p{Han}",
}
_LETTER: Final = regex.compile(r"\p{L}")
_SPACELESS: Final = frozenset({"Jpan", "Hans", "Hant", "Thai", "Laoo", "Khmr", "Mymr", "Tibt"})


def is_blank(text: str) -> bool:
    """Tell whether a text has no visible character: only spaces, controls and zero-width ones."""
    return all(unicodedata.category(character)[0] in "ZC" for character in text)


def is_english(text: str, language: str) -> bool:
    """Tell whether a text is in English rather than in another language, by py3langid.

    Args:
        text: A text of more than a few words.
        language: The other language, ISO 639-1 code. If py3langid does not know it, the text is
            held against all languages that it knows.
    """
    found, _ = _identifier(language).classify(text)
    return bool(found == ENGLISH)


@lru_cache(maxsize=32)
def _identifier(language: str) -> LanguageIdentifier:
    # A copy shares the model, which takes a second to read; only the choice of languages differs.
    identifier = copy(_model())
    if language in identifier.labels:
        identifier.set_languages([ENGLISH, language])
    return identifier


@lru_cache(maxsize=1)
def _model() -> LanguageIdentifier:
    return LanguageIdentifier.from_model_file(MODEL_FILE)


def target_status(source: str, target: str, language: str) -> str:
    """Return ``ok``, or why a target cannot be the English of a source.

    Args:
        source: What was translated; not blank.
        target: What came back.
        language: The language of the source, ISO 639-1 code, not English.

    Returns:
        ``empty_translation``; ``translation_not_english`` if it has letters but no Latin one, and
        the source's language is not written in Latin letters; ``translation_unchanged`` if it
        came back as it was, though it has letters of such a script, or a word with letters that
        English does not have, or is a phrase that is not English (three words or more, two of
        them with a small letter first; names, numbers and formulas are none); else ``ok``.
    """
    if is_blank(target):
        return EMPTY_TARGET
    script = _script(language)
    if script != _LATIN and _letters_of(target, script) and not _LATIN_LETTER.search(target):
        return NOT_ENGLISH
    if _bare(source) != _bare(target):
        return OK
    if script != _LATIN:
        return UNCHANGED if _letters_of(source, script) else OK
    foreign = any(word[0].islower() and not word.isascii() for word in words(source))
    if foreign or (_is_phrase(source) and not is_english(source, language)):
        return UNCHANGED
    return OK


def check_pair(section_id: str, text: str, text_en: str, language: str) -> list[Finding]:
    """Return what is doubtful about the English version of a section's text.

    Args:
        section_id: The section.
        text: Its text.
        text_en: The English version, from a file or an engine.
        language: The language of the text, ISO 639-1 code, not English.

    Returns:
        Findings with the codes ``text_en_short`` and ``text_en_long`` (words in English for each
        word of the text, 0.7 to 2.0 expected in languages that divide words by spaces),
        ``text_en_not_english`` (over a tenth of the letters are of the original's script, or the
        text is rather in the original's language) and ``text_en_unchanged``.
    """
    findings = []
    n_words, n_english = len(words(text)), len(words(text_en))
    script = _script(language)
    if _bare(text) == _bare(text_en):
        message = f"the English version is the {language} text itself"
        findings.append(_finding(section_id, "text_en_unchanged", message))
    elif _is_foreign(text_en, script) or (
        n_english >= LEAST_WORDS and not is_english(text_en, language)
    ):
        message = f"the English version, of {n_english} words, is not in English or only in part"
        findings.append(_finding(section_id, "text_en_not_english", message))
    if n_words >= LEAST_WORDS and script not in _SPACELESS:
        ratio = n_english / n_words
        said = f"the English version has {n_english} words for {n_words} of the text"
        if ratio < SHORTEST_RATIO:
            message = f"{said}; some of the text must be missing from it"
            findings.append(_finding(section_id, "text_en_short", message))
        elif ratio > LONGEST_RATIO:
            message = f"{said}; it holds more than the text does"
            findings.append(_finding(section_id, "text_en_long", message))
    return findings


def _is_phrase(text: str) -> bool:
    found = words(text)
    return len(found) >= 3 and sum(word[0].islower() for word in found) >= 2


def _is_foreign(text: str, script: str) -> bool:
    foreign = 0 if script == _LATIN else _letters_of(text, script)
    return foreign > _FOREIGN_SHARE * len(_LETTER.findall(text))


def _script(language: str) -> str:
    return str(langcodes.Language.get(language).maximize().script or _LATIN)


def _letters_of(text: str, script: str) -> int:
    pattern = _SCRIPTS.get(script, rf"\p{{Script={script}}}")
    return len(regex.findall(pattern, text))


def _bare(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())


def _finding(section_id: str, code: str, message: str) -> Finding:
    return Finding(section_id, "", code, "warning", message, "used as it is")
