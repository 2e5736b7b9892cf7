import unicodedata
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensemaking.text.sentences import spans, split

DATA = Path(__file__).parents[1] / "data"
LANGUAGES = ["cs", "de", "en", "uk"]


def groups(folder, language):
    """Yield each group of sentences with the text they make: "+" means no space before."""
    lines = (DATA / folder / f"{language}.txt").read_text(encoding="utf-8").split("\n")
    text, sentences = "", []
    for line in [*lines, ""]:
        if line.startswith("#"):
            continue
        if line:
            glued = line.startswith("+")
            text += line[1:] if glued else f" {line}"
            sentences.append(line.removeprefix("+"))
        elif sentences:
            yield text.strip(), sentences
            text, sentences = "", []


GROUPS = [
    pytest.param(language, text, sentences, id=f"{language}-{text[:40]}")
    for folder in ("sentences", "sentences_hard", "sentences_unseen")
    for language in LANGUAGES
    for text, sentences in groups(folder, language)
]


@pytest.mark.parametrize(("language", "text", "sentences"), GROUPS)
def test_hand_made_groups_are_split_where_a_reader_would(language, text, sentences):
    assert split(text, language) == sentences


@pytest.mark.parametrize("language", LANGUAGES)
def test_there_are_at_least_forty_groups_of_each_language(language):
    assert sum(1 for _ in groups("sentences", language)) >= 40


@pytest.mark.parametrize(("language", "text", "sentences"), GROUPS)
def test_decomposed_text_is_split_at_the_same_places(language, text, sentences):
    decomposed = unicodedata.normalize("NFD", text)
    assert split(decomposed, language) == [unicodedata.normalize("NFD", s) for s in sentences]


def test_german_ordinals_months_and_spaced_abbreviations_end_no_sentence():
    text = "Am 7. März kostete der Bau ca. 2 Mio. Franken. Man nutzt ihn z. B. im 1. Stock. Fertig!"
    assert split(text, "de") == [
        "Am 7. März kostete der Bau ca. 2 Mio. Franken.",
        "Man nutzt ihn z. B. im 1. Stock.",
        "Fertig!",
    ]


def test_a_czech_table_number_ends_a_sentence_and_a_date_does_not():
    text = (
        "Viz obr. 5 a tab. 2. Používá se např. v kuchyni, tj. doma. Dne 1. ledna 2024 přišel "
        "Ing. Novák. Konec."
    )
    assert split(text, "cs") == [
        "Viz obr. 5 a tab. 2.",
        "Používá se např. v kuchyni, tj. doma.",
        "Dne 1. ledna 2024 přišel Ing. Novák.",
        "Konec.",
    ]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("A title\n\nFirst line\ngoes on. Second.", ["A title", "First line goes on.", "Second."]),
        ("One\r\n \t\r\ntwo\u2029three\u2028\x85four", ["One", "two", "three", "four"]),
        ("Dr.\n\nLee", ["Dr.", "Lee"]),
        ("Dr.\nLee\x0ccame.", ["Dr. Lee came."]),
        ("Do:\n- mix\n- heat\n  well\n\nEnd", ["Do:", "- mix", "- heat well", "End"]),
        ("Do:\n1. Mix\n2) Heat\n3. Eat", ["Do:", "1. Mix", "2) Heat", "3. Eat"]),
        ("a) one\nb) two\nd) four", ["a) one", "b) two d) four"]),
        ("Do:\n• mix", ["Do:", "• mix"]),
        ("A word\n- as we say -\nof it in\n3. class", ["A word - as we say - of it in 3. class"]),
        ("- one\n\n- two", ["- one", "- two"]),
    ],
)
def test_blank_lines_and_list_items_end_a_sentence_and_other_line_breaks_do_not(text, sentences):
    assert split(text, "en") == sentences


@pytest.mark.parametrize("text", ["", " \n\t\u00a0"])
def test_a_blank_text_has_no_sentences(text):
    assert split(text, "en") == []


@pytest.mark.parametrize("text", [".", "...", "?!", "— … —", "Hello"])
def test_a_text_without_any_end_is_one_sentence(text):
    assert split(text, "uk") == [text]


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("uk-UA", "Він живе у м. Київ."),
        ("ua", "Він живе у м. Київ."),
        ("cs_CZ", "Máme např. Petra."),
        ("cz", "Máme např. Petra."),
        ("de-AT", "Er wohnt im 2. Stock."),
        ("EN-GB", "I saw Mrs. Lee."),
    ],
)
def test_codes_with_a_region_and_country_codes_mean_their_language(code, sentence):
    assert split(sentence, code) == [sentence]


@pytest.mark.parametrize("code", ["xx", "fr", "", "12"])
def test_a_language_that_cannot_be_split_is_an_error_that_names_those_that_can(code):
    with pytest.raises(ValueError, match=r"unknown language .* cs, de, en, uk"):
        split("Text.", code)


PIECES = st.sampled_from(
    [
        *("a", "A", "z. B.", "1", ".", "…", "!", "?", " ", "\n", "\n\n", '"', "(", ")", "«", "»"),
        *("„", "“", "U.S.", "—", "- ", "Dr.", "\u0301", "я", "Я", "ст.", "XX", "5.", "•", "[1]"),
        *("\u2029", "\x1c", "\u200b", "。", "тощо", "obr.", "\r", "Fig.", "e.g.", "1. ", "The"),
    ]
)
TEXTS = st.one_of(st.text(), st.lists(PIECES, max_size=30).map("".join))


@given(TEXTS, st.sampled_from(LANGUAGES))
def test_nothing_but_white_space_is_lost_or_added(text, language):
    joined = " ".join(split(text, language))
    assert "".join(joined.split()) == "".join(text.split())


@given(TEXTS, st.sampled_from(LANGUAGES))
def test_no_sentence_is_empty_or_has_white_space_to_fold(text, language):
    for sentence in split(text, language):
        assert sentence
        assert sentence == " ".join(sentence.split())


@given(TEXTS, st.sampled_from(LANGUAGES))
def test_spans_are_in_order_apart_and_point_at_the_sentences(text, language):
    found = spans(text, language)
    assert [" ".join(text[start:end].split()) for start, end in found] == split(text, language)
    assert all(left[1] <= right[0] for left, right in pairwise(found))


@given(TEXTS, TEXTS, st.sampled_from(LANGUAGES))
def test_paragraphs_are_split_independently_of_each_other(first, second, language):
    together = split(f"{first}\n\n{second}", language)
    assert together == split(first, language) + split(second, language)


@pytest.mark.parametrize(
    ("piece", "count"),
    [
        *(("a. ", 1), (".", 1), ("a.", 1), ("aB.", 2), ("(", 1), ("«a? ", 20_000), ("A. ", 1)),
        *(("1. ", 1), ('"a."A', 1), ("a.[1]", 1), ("\n", 1), ("- a\n", 20_000), ("Dr. ", 1)),
    ],
)
def test_long_texts_of_one_piece_take_time_in_proportion(piece, count):
    # A quadratic step would take minutes here.
    text = piece * 20_000 + " " * 50_000 + "."
    assert len(split(text, "de")) == count


@pytest.mark.devset
def test_no_text_of_the_development_set_loses_a_character(devset):
    files = sorted(devset.rglob("text*.txt"))
    assert len(files) > 80
    for path in files:
        text = path.read_text(encoding="utf-8")
        language = "en" if path.name == "text.en.txt" or "nmtclass" in path.parts else "uk"
        sentences = split(text, language)
        assert "".join("".join(sentences).split()) == "".join(text.split()), path


@pytest.mark.devset
def test_a_chapter_without_line_breaks_is_split_into_sentences_of_a_usual_length(devset):
    (path,) = devset.rglob("topic01*/text.txt")
    sentences = split(path.read_text(encoding="utf-8"), "uk")
    assert 1500 < len(sentences) < 1650
    assert max(len(sentence.split()) for sentence in sentences) < 150
    for inside in ("у IV ст. до н. е. розділив", "(мал. 5.1).", "30 тис. ракоподібних"):
        assert any(inside in sentence for sentence in sentences), inside
    for opening in ("запам’ятайте найважливіше", "РізноманіТнісТь ТВаРин", "Мал. 8.4. Мокриці"):
        assert any(sentence.startswith(opening) for sentence in sentences), opening
