import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensemaking.text.hyphens import join_lines


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("an exam-\nple", "an example"),
        ("an exam- \r\n  ple", "an example"),
        ("exam\u2010\nple", "example"),
        ("pří-\nklad, тва-\nрина, Grö-\nße", "příklad, тварина, Größe"),
        ("exam\u00ad\nple and прі\u00ad звище", "example and прізвище"),
        ("hy\u00adphen, Раки\u00ad-мушлі", "hyphen, Раки-мушлі"),
        ("some-\none, seventy-\nfold, well-\nness", "someone, seventyfold, wellness"),
        ("NORD\u00ad\nSEE but Nord\u00ad Süd", "NORDSEE but Nord Süd"),
    ],
)
def test_a_word_divided_at_a_line_end_is_joined(text, expected):
    assert join_lines(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Nord-\nSüd", "Nord-Süd"),
        ("Jean-\nPaul", "Jean-Paul"),
        ("1990-\n1995", "1990-1995"),
        ("1990–\n1995", "1990–1995"),
        ("COVID-\n19 and COVID19, 3-\nfach", "COVID-19 and COVID19, 3-fach"),
        ("well-\nknown", "well-known"),
        ("self-\nmade, self-\nish", "self-made, selfish"),
        ("twenty-\none", "twenty-one"),
        ("end-to-\nend and state-\nof-the-art", "end-to-end and state-of-the-art"),
        ("www.a-\nb.org", "www.a-b.org"),
        ("česko-\n-německý", "česko-německý"),
    ],
)
def test_the_hyphen_of_a_compound_stays(text, expected):
    assert join_lines(text) == expected


@pytest.mark.parametrize("text", ["Vor-\nund Nachteile", "pro-\nor anti-war", "jedno-\nnebo dvou"])
def test_a_hyphen_before_a_conjunction_stands_for_the_rest_of_a_word(text):
    assert join_lines(text) == text.replace("\n", " ")


def test_a_compound_that_occurs_elsewhere_keeps_its_hyphen():
    assert join_lines("a česko-\nněmecký, Česko-německý") == "a česko-německý, Česko-německý"


def test_a_word_that_occurs_elsewhere_in_one_piece_is_joined():
    assert join_lines("co-\noperate, end-to-\nendow, cooperate") == (
        "cooperate, end-to-endow, cooperate"
    )
    assert join_lines("well-\nbeing, wellbeing") == "wellbeing, wellbeing"
    assert join_lines("EVALU-\nATION of the evaluation") == "EVALUATION of the evaluation"


def test_what_occurs_more_often_elsewhere_wins():
    once = "re-\ncreation: recreation, "
    assert join_lines(once + "re-creation, re-creation").startswith("re-creation:")
    assert join_lines(once + "re-creation").startswith("recreation:")


def test_lines_become_running_text_and_blank_lines_stay():
    text = "\nOne line\nand two.  Wide\n \t\n\nNew\x0c\nparagraph\u2029Third\n"
    assert join_lines(text) == "One line and two.  Wide\n\nNew paragraph\n\nThird"


def test_a_blank_line_keeps_the_parts_of_a_word_apart():
    assert join_lines("exam-\n\nple") == "exam-\n\nple"
    assert join_lines("exam\u00ad\n\nple") == "exam\n\nple"
    assert join_lines("exam\u00ad\u2029ple") == "exam\n\nple"


def test_the_items_of_a_list_stay_on_their_lines():
    text = "To do:\n- mix\n- heat\n1. eat\n• rest"
    assert join_lines(text) == text


@pytest.mark.parametrize(
    "text",
    ["one -\ntwo –\nthree", "one–\n2", "1–\ntwo", "A1x\n5", "two\n-five", "co-\n(op)", "«-\nx"],
)
def test_a_mark_that_divides_no_word_leaves_a_space(text):
    assert join_lines(text) == text.replace("\n", " ")


PIECES = st.sampled_from(
    [*"aAzя1-‐\u00ad\n\r \t.–,•'", "\n\n", "-\n", "ple", "\u0301", "und", "\u2029", "\x0c", "www."]
)


@given(st.one_of(st.text(), st.lists(PIECES).map("".join)))
def test_nothing_but_white_space_and_hyphens_is_ever_lost(text):
    def kept(value):
        return [c for c in value if not c.isspace() and c not in "-‐\u00ad"]

    assert kept(join_lines(text)) == kept(text)


@given(st.one_of(st.text(), st.lists(PIECES).map("".join)))
def test_joining_twice_changes_nothing(text):
    once = join_lines(text)
    assert join_lines(once) == once
