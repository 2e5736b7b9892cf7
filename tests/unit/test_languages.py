"""Case mt-06 and others of its kind: what people write for a language."""

import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensemaking.text.languages import (
    _COUNTRY_CODES,
    _LANGUAGE_OF_COUNTRY,
    UnknownLanguageError,
    base_language,
    canonical,
    resolve,
)


@pytest.mark.parametrize(
    ("given_code", "code"),
    [
        ("ua", "uk"),
        ("UA", "uk"),
        ("uk", "uk"),
        ("uk-UA", "uk"),
        ("cz", "cs"),
        ("cs", "cs"),
        ("cs_CZ", "cs"),
        ("CZE", "cs"),
        ("de-AT", "de"),
        ("ukr", "uk"),
        ("en-GB", "en"),
    ],
)
def test_codes_of_the_case_are_mapped(given_code: str, code: str) -> None:
    assert canonical(given_code) == code


@pytest.mark.parametrize(
    ("given_code", "code"),
    [
        ("UK", "uk"),
        ("uk_UA.UTF-8", "uk"),
        ("de_DE@euro", "de"),
        (" cs\n", "cs"),
        ("cz-CZ", "cs"),
        ("ua_UA", "uk"),
        ("ger", "de"),
        ("deu", "de"),
        ("ces", "cs"),
        ("en-UK", "en"),
        ("zh-Hant-TW", "zh"),
        ("cmn", "zh"),
        ("iw", "he"),
        ("jp", "ja"),
        ("gr", "el"),
        ("dk", "da"),
        ("hsb", "hsb"),
    ],
)
def test_others_of_the_kind_are_mapped(given_code: str, code: str) -> None:
    assert canonical(given_code) == code


@pytest.mark.parametrize(
    "code",
    [
        *("xx", "xx-UA", "", " ", "und", "mul", "zxx", "mis", "qaa", "english", "Deutsch"),
        *("x-foo", "uk-", "en US", "en;q=0.9", "укр", "C", "POSIX", "u", "123"),
    ],
)
def test_what_stands_for_no_single_language_is_refused_by_name(code: str) -> None:
    with pytest.raises(UnknownLanguageError, match=r"unknown language '.*'") as caught:
        canonical(code)
    assert repr(code) in str(caught.value)


def test_yaml_reading_no_as_false_is_explained() -> None:
    with pytest.raises(UnknownLanguageError, match=r"found False.*in quotes"):
        resolve(False)  # type: ignore[arg-type]


def test_each_alias_is_logged_and_a_plain_code_is_not(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, logger="sensemaking.text.languages")
    canonical("uk")
    assert caplog.records == []
    canonical("ua")
    canonical("cs_CZ")
    assert [(record.levelname, record.getMessage()) for record in caplog.records] == [
        ("WARNING", "the country code in 'ua' is read as the language 'uk'"),
        ("INFO", "'cs_CZ' is read as the language 'cs'"),
    ]


def test_a_code_of_language_and_country_means_the_language_and_is_doubted() -> None:
    assert resolve("uk").code == "uk"
    assert resolve("uk").doubt is None
    assert resolve("se").code == "se"
    assert resolve("se").doubt == "'se' is the language 'se'; if 'sv' is meant, write that"
    assert resolve("sv-SE").doubt is None


def test_a_doubt_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    assert canonical("kr") == "kr"
    assert caplog.messages == ["'kr' is the language 'kr'; if 'ko' is meant, write that"]


def test_no_country_code_hides_a_language() -> None:
    for country, language in _COUNTRY_CODES.items():
        assert resolve(language).code == language
        assert resolve(country).country_code
    for code, meant in _LANGUAGE_OF_COUNTRY.items():
        assert not resolve(code).country_code
        assert resolve(meant).code == meant


def test_base_language_takes_only_what_the_caller_can_do() -> None:
    assert base_language("ua", {"uk", "en"}) == "uk"
    with pytest.raises(ValueError, match="unknown language 'fr': expected one of en, uk"):
        base_language("fr", {"uk", "en"})
    with pytest.raises(ValueError, match="unknown language 'xx': expected one of en, uk"):
        base_language("xx", {"uk", "en"})


@given(st.text(max_size=12))
def test_any_text_gives_a_code_that_maps_to_itself_or_the_documented_error(text: str) -> None:
    try:
        code = resolve(text).code
    except UnknownLanguageError:
        return
    assert resolve(code).code == code
    assert resolve(code).alias is None
