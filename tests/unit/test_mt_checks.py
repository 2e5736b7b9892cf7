"""Whether something that should be English is, and is all of it."""

import pytest

from sensemaking.mt.checks import check_pair, is_blank, is_english, target_status

UKRAINIAN = "Тварини живуть у лісах і морях. " * 10
ENGLISH = "The animals live in the forests and in the seas. " * 10
GERMAN = "Die Tiere leben in den Wäldern und in den Meeren. " * 10


def codes(text: str, text_en: str, language: str) -> list[str]:
    return [finding.code for finding in check_pair("kind/section", text, text_en, language)]


@pytest.mark.parametrize("text", ["", " \n\t", "\u00a0", "\u200b", "\ufeff\u2060", "\x00\x07"])
def test_what_has_no_visible_character_is_blank(text: str) -> None:
    assert is_blank(text)


@pytest.mark.parametrize("text", [".", "0", " а ", "\u0301", "😀"])
def test_what_has_one_is_not(text: str) -> None:
    assert not is_blank(text)


@pytest.mark.parametrize(
    ("text", "language", "english"),
    [
        ("The animals live in the forests", "de", True),
        ("The animals live in the forests", "cs", True),
        ("Die Tiere leben in den Wäldern und Meeren", "de", False),
        ("Zvířata žijí v lesích a v mořích, a to po celý rok", "cs", False),
        ("The animals live in the forests", "hsb", True),
    ],
)
def test_english_is_told_from_the_original_language(
    text: str, language: str, english: bool
) -> None:
    assert is_english(text, language) is english


@pytest.mark.parametrize(
    ("source", "target", "language", "status"),
    [
        ("Дім", "House", "uk", "ok"),
        ("Дім", "", "uk", "empty_translation"),
        ("Дім", "Дом", "uk", "translation_not_english"),
        ("Дім.", " дім. ", "uk", "translation_not_english"),
        ("Слово DNA тут", "Слово DNA тут", "uk", "translation_unchanged"),
        ("DNA", "DNA", "uk", "ok"),
        ("42 %", "42 %", "uk", "ok"),
        ("Слово «дім» — це house", "The word «дім» is house", "uk", "ok"),
        ("Berlin", "Berlin", "de", "ok"),
        ("Johann Sebastian Bach", "Johann Sebastian Bach", "de", "ok"),
        ("Ludwig van Beethoven", "Ludwig van Beethoven", "de", "ok"),
        ("Heinrich der Zweite", "Heinrich der Zweite", "de", "ok"),
        ("wir sind", "wir sind", "de", "ok"),
        ("s = a + b", "s = a + b", "de", "ok"),
        ("neověřitelné", "neověřitelné", "cs", "translation_unchanged"),
        ("Příbram", "Příbram", "cs", "ok"),
        ("Das ist ein Haus.", "Das ist ein Haus.", "de", "translation_unchanged"),
        ("Das ist ein Haus.", "das  ist ein haus.", "de", "translation_unchanged"),
        ("All you need is love", "All you need is love", "de", "ok"),
        ("Das ist ein Haus.", "This is a house.", "de", "ok"),
        ("日本語です", "日本語です", "ja", "translation_not_english"),
        ("日本語です", "It is Japanese", "ja", "ok"),
    ],
)
def test_status_of_a_target(source: str, target: str, language: str, status: str) -> None:
    assert target_status(source, target, language) == status


def test_a_whole_translation_raises_no_doubt() -> None:
    assert codes(UKRAINIAN, ENGLISH, "uk") == []
    assert codes(GERMAN, ENGLISH, "de") == []


def test_a_short_english_text_is_flagged_with_its_figures() -> None:
    text = "слово " * 19_875
    text_en = "the word " * 2_887
    (finding,) = check_pair("ukr-biology/book01/topic01", text, text_en, "uk")
    assert finding.code == "text_en_short"
    assert finding.file == "ukr-biology/book01/topic01"
    assert "5774 words for 19875" in finding.message


@pytest.mark.parametrize(
    ("n_english", "expected"),
    [
        (69, ["text_en_short"]),
        (70, []),
        (200, []),
        (201, ["text_en_long"]),
    ],
)
def test_the_ratio_of_words_decides(n_english: int, expected: list[str]) -> None:
    text_en = " ".join(["the", "word"] * 150)
    assert codes("слово " * 100, " ".join(text_en.split()[:n_english]), "uk") == expected


def test_the_language_of_a_short_text_is_not_judged() -> None:
    assert codes("Die Tiere leben hier.", "Die Hunde leben dort im Wald.", "de") == []


def test_short_texts_and_scripts_without_spaces_have_no_ratio() -> None:
    assert codes("слово " * 19, "the words", "uk") == []
    assert codes("日本語です。" * 30, ENGLISH, "ja") == []


@pytest.mark.parametrize(
    ("text", "text_en", "language", "code"),
    [
        (UKRAINIAN, UKRAINIAN, "uk", "text_en_unchanged"),
        (GERMAN, GERMAN.upper(), "de", "text_en_unchanged"),
        (UKRAINIAN, UKRAINIAN.replace("Тварини", "Звірі"), "uk", "text_en_not_english"),
        (UKRAINIAN, ENGLISH + UKRAINIAN[:200], "uk", "text_en_not_english"),
        (GERMAN, GERMAN.replace("Tiere", "Vögel"), "de", "text_en_not_english"),
    ],
)
def test_what_is_not_english_is_flagged(text: str, text_en: str, language: str, code: str) -> None:
    assert code in codes(text, text_en, language)


def test_a_foreign_name_in_an_english_text_is_not_flagged() -> None:
    assert codes(UKRAINIAN, ENGLISH + "It is called «Бір».", "uk") == []
