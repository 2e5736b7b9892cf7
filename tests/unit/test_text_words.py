import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensemaking.text.words import jaccard, normalise, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Jane likes Bob.", ["Jane", "likes", "Bob"]),
        ("", []),
        (" … — ?! «»", []),
        ("quality.First, I'd", ["quality", "First", "I'd"]),
        (
            "3.5 and 3,5 and 83,000 and 10.000.000",
            ["3.5", "and", "3,5", "and", "83,000", "and", "10.000.000"],
        ),
        ("It costs 3, or 5.", ["It", "costs", "3", "or", "5"]),
        ("the dogs' 'Tis rock'n'roll", ["the", "dogs", "Tis", "rock'n'roll"]),
        ("об'єкт п’ять пʼять", ["об'єкт", "п’ять", "пʼять"]),
        ("ʼ ʼтакʼ", ["так"]),
        ("a well-known end-to-end -x- a--b", ["a", "well-known", "end-to-end", "x", "a", "b"]),
        ("за́мок і замо\u0301к", ["за́мок", "і", "замо\u0301к"]),
        ("Žluťoučký kůň, Größe", ["Žluťoučký", "kůň", "Größe"]),
        ("नमस्ते दुनिया", ["नमस्ते", "दुनिया"]),
        ("x² ½ №5 20°C CO2", ["x²", "½", "5", "20", "C", "CO2"]),
        ("1914–1918 a/b A&B", ["1914", "1918", "a", "b", "A", "B"]),
        ("прі\u00adзвища co\u2060op", ["прізвища", "coop"]),
    ],
)
def test_words_are_runs_of_letters_marks_and_digits(text, expected):
    assert words(text) == expected


def test_words_come_out_in_nfc_whatever_goes_in():
    assert words("Cafe\u0301 Й\u0438\u0306") == ["Café", "Йй"]


def test_a_mark_that_has_no_composed_form_does_not_divide_a_word():
    assert words("ве\u0301ликий") == ["ве\u0301ликий"]


@given(st.text())
def test_words_keep_every_letter_and_digit_in_order(text):
    def kept(value):
        composed = unicodedata.normalize("NFC", value.replace("\u00ad", ""))
        return [c for c in composed if unicodedata.category(c)[0] in "LN" and c != "ʼ"]

    assert kept("".join(words(text))) == kept(text)


@given(st.text())
def test_no_word_is_empty_or_has_white_space(text):
    assert all(word and not any(c.isspace() for c in word) for word in words(text))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Cafe\u0301  au\n lait ", "café au lait"),
        ("Straße", "STRASSE"),
        ("ὈΔΥΣΣΕΎΣ", "ὀδυσσεύς"),
        ("Об'єкт", "ОБ’ЄКТ"),
        ("прі\u00adзвище", "Прізвище"),
        ("a\u00a0b", "a b"),
        ("ŉ", "'n"),
    ],
)
def test_normalise_makes_spellings_of_the_same_words_equal(left, right):
    assert normalise(left) == normalise(right)


@pytest.mark.parametrize(
    ("left", "right"), [("x²", "x2"), ("№5", "No5"), ("½", "1/2"), ("cafe", "café"), ("a.", "a")]
)
def test_normalise_keeps_what_makes_a_difference(left, right):
    assert normalise(left) != normalise(right)


@given(st.text())
def test_normalise_changes_nothing_the_second_time(text):
    once = normalise(text)
    assert normalise(once) == once
    assert unicodedata.is_normalized("NFC", once)


def test_normalise_changes_nothing_the_second_time_for_any_character():
    for code in range(sys.maxunicode + 1):
        if 0xD800 <= code < 0xE000 or unicodedata.category(chr(code)) in ("Cn", "Co"):
            continue
        once = normalise(f"α{chr(code)}")
        assert normalise(once) == once, hex(code)


def test_jaccard_is_the_share_of_common_word_types():
    # {a, cat, sat} and {a, dog, sat}: 2 of 4.
    assert jaccard("A cat sat, a cat!", "a dog sat") == 0.5


def test_jaccard_ignores_case_and_the_kind_of_apostrophe():
    assert jaccard("Об'єкт STRASSE", "об’єкт Straße") == 1.0


def test_jaccard_of_two_texts_without_words_is_undefined():
    assert jaccard("", "…") is None


def test_jaccard_of_a_text_with_words_and_one_without_is_zero():
    assert jaccard("word", "…") == 0.0


@given(st.text(), st.text())
def test_jaccard_is_symmetric_and_one_for_a_text_with_itself(a, b):
    assert jaccard(a, b) == jaccard(b, a)
    assert jaccard(a, a) in (1.0, None)
