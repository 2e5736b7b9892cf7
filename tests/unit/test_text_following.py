import pytest

from sensemaking.text.abbreviations import ENGLISH
from sensemaking.text.following import look


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", "none"),
        (" The", "upper"),
        (" the", "lower"),
        (" iPhone", "upper"),
        (" 漢字", "upper"),
        (" a) mix", "symbol"),
        (" “(5", "digit"),
        (" § 5", "symbol"),
        (" 😀", "symbol"),
        (" -5", "symbol"),
        (" -b", "none"),
        (" /5", "none"),
        (" , the", "none"),
        (" [...] The", "upper"),
        ("\u200b— The", "upper"),
    ],
)
def test_the_first_character_that_counts_gives_the_kind(text, kind):
    assert look(f"x.{text}", 2).kind == kind


def test_what_follows_knows_its_word_and_the_marks_before_it():
    following = look("x. — “O’Neil’s? Yes", 2)
    assert (following.letters, following.word, following.rest) == ("O’Neil’s", "o’neil’s", "? ")
    assert (following.opening, following.glued) == ("— “", False)
    assert following.opens_quotation()
    assert look("x.The", 2).glued


@pytest.mark.parametrize(
    ("text", "is_starter"),
    [
        (" The", True),
        (" It’s", True),
        (" I", True),
        (" I.", False),
        (" Senate", False),
        (" 5", False),
    ],
)
def test_a_starter_is_a_word_that_opens_sentences_and_no_initial(text, is_starter):
    assert look(f"x.{text}", 2).is_starter(ENGLISH) is is_starter
