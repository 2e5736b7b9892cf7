"""Language codes: whatever people write, as the one code that artifacts and engines use."""

import logging
import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import langcodes

_LOG = logging.getLogger(__name__)

_COUNTRY_CODES: Final = {
    "al": "sq",
    "at": "de",
    "au": "en",
    "by": "be",
    "cn": "zh",
    "cz": "cs",
    "dk": "da",
    "gb": "en",
    "ge": "ka",
    "gr": "el",
    "il": "he",
    "ir": "fa",
    "jp": "ja",
    "kz": "kk",
    "md": "ro",
    "mx": "es",
    "rs": "sr",
    "tw": "zh",
    "ua": "uk",
    "us": "en",
    "vn": "vi",
}
"""Country codes that are no language codes, to the language that is meant by them.

Codes that are both, such as ``uk`` (Ukrainian) and ``be`` (Belarusian), always mean the language.
"""
_LANGUAGE_OF_COUNTRY: Final = {
    "am": "hy",
    "br": "pt",
    "ee": "et",
    "in": "hi",
    "kr": "ko",
    "la": "lo",
    "my": "ms",
    "se": "sv",
    "si": "sl",
}
"""Codes that mean a language, to the language that somebody who took them for a country meant."""
_NOT_ONE_LANGUAGE: Final = frozenset({"mis", "mul", "und", "zxx"})
_PRIVATE_USE: Final = re.compile(r"q[a-t][a-z]")
_CODE: Final = re.compile(r"[a-z]{2,3}")
_LOCALE_TAIL: Final = re.compile(r"[.@][\w.@-]*$")


class UnknownLanguageError(ValueError):
    """A code stands for no language; the message names it."""


@dataclass(frozen=True)
class Resolved:
    """What a language code was read as.

    Attributes:
        code: The ISO 639-1 code, or the ISO 639-3 code of a language that has no two letters.
        given: The code as it was written.
        alias: How the two differ, as a phrase for a log or a finding; None if they are the same.
        country_code: Whether a country's code was written in place of the language's.
        doubt: What the code may have been meant to say instead; None where that is clear.
    """

    code: str
    given: str
    alias: str | None
    country_code: bool
    doubt: str | None


def resolve(code: str) -> Resolved:
    """Return the language that a code stands for, and how it was read.

    Read are ISO 639 codes of two and three letters in any case, tags with a region or script
    (``uk-UA``, ``cs_CZ``, ``zh-Hant``), names of locales (``cs_CZ.UTF-8``), withdrawn codes
    (``iw``), and the country codes that people write for languages (``ua``, ``cz``, ``CZE``). A
    code that is both means the language: ``uk`` is Ukrainian.

    Args:
        code: The code.

    Raises:
        UnknownLanguageError: No language has the code, or it stands for several, for none or for
            private use (``mul``, ``und``, ``zxx``, ``mis``, ``qaa`` to ``qtz``).
    """
    if not isinstance(code, str):
        raise UnknownLanguageError(
            f"a language code is a text, found {code!r}; in YAML, write no, the code of "
            "Norwegian, in quotes"
        )
    tag = _LOCALE_TAIL.sub("", code.strip()).replace("_", "-").lower()
    first, *rest = tag.split("-")
    country_code = first in _COUNTRY_CODES
    language = _language_of("-".join([_COUNTRY_CODES.get(first, first), *rest]))
    if language is None:
        raise UnknownLanguageError(
            f"unknown language {code!r}: expected an ISO 639 code, such as cs, de, en or uk (one "
            "with a region, such as uk-UA, is understood)"
        )
    alias = None
    if language != code:
        kind = "the country code in " if country_code else ""
        alias = f"{kind}{code!r} is read as the language {language!r}"
    meant = _LANGUAGE_OF_COUNTRY.get(tag)
    doubt = meant and f"{tag!r} is the language {language!r}; if {meant!r} is meant, write that"
    return Resolved(language, code, alias, country_code, doubt)


def canonical(code: str) -> str:
    """Return the code of a language; aliases that are mapped, and doubts, are logged.

    Args:
        code: The code as people write it; see ``resolve``.

    Returns:
        The two letters, or the three of a language that has no two.

    Raises:
        UnknownLanguageError: The code stands for no single language.
    """
    resolved = resolve(code)
    if resolved.alias is not None:
        level = logging.WARNING if resolved.country_code else logging.INFO
        _LOG.log(level, "%s", resolved.alias)
    if resolved.doubt is not None:
        _LOG.warning("%s", resolved.doubt)
    return resolved.code


def base_language(code: str, known: Collection[str]) -> str:
    """Return the code of a language, if the caller can do something with it.

    Args:
        code: The code as people write it; see ``resolve``.
        known: The codes that the caller can do something with.

    Raises:
        ValueError: The code is not that of a known language.
    """
    expected = f"expected one of {', '.join(sorted(known))}"
    try:
        language = resolve(code).code
    except UnknownLanguageError as error:
        raise ValueError(
            f"unknown language {code!r}: {expected} (one with a region, such as uk-UA, is "
            "understood)"
        ) from error
    if language not in known:
        raise ValueError(f"unknown language {code!r}: {expected}")
    return language


@lru_cache(maxsize=256)
def _language_of(tag: str) -> str | None:
    try:
        given = langcodes.Language.get(tag).language
        if given is None or given in _NOT_ONE_LANGUAGE or _PRIVATE_USE.fullmatch(given):
            return None
        if not langcodes.Language.make(language=given).is_valid():
            return None
        # This puts the code of a group for its main language: cmn, Mandarin, becomes zh.
        language = langcodes.Language.get(langcodes.standardize_tag(given, macro=True)).language
    except (LookupError, langcodes.tag_parser.LanguageTagError):
        return None
    return language if language is not None and _CODE.fullmatch(language) else None
