import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensemaking.text.windows import Window, window_rows, windows
from sensemaking.text.words import words

JANE = ["Jane likes Bob.", "Jane hates Stephen.", "Jane is new in town."]


def test_the_printed_example_gives_its_three_windows():
    assert windows(JANE, 6) == [
        "Jane likes Bob Jane hates Stephen",
        "Jane hates Stephen Jane is new",
        "Jane is new in town",
    ]


def test_a_window_says_where_it_starts_and_how_many_words_it_has():
    assert window_rows(JANE, 4) == [
        Window("Jane likes Bob Jane", 0, 4),
        Window("Jane hates Stephen Jane", 1, 4),
        Window("Jane is new in", 2, 4),
    ]


def test_a_sentence_without_words_starts_no_window_and_keeps_its_index():
    rows = window_rows(["One two.", "…", "— !", "Three."], 3)
    assert [(row.text, row.first_sentence) for row in rows] == [("One two Three", 0), ("Three", 3)]


def test_a_window_may_end_inside_its_own_sentence():
    assert windows(["a b c d", "e"], 2) == ["a b", "e"]


def test_no_sentences_give_no_windows():
    assert windows([], 5) == []
    assert windows(["", " ", "?!"], 5) == []


@pytest.mark.parametrize("length", [0, -1])
def test_a_length_below_one_is_refused(length):
    with pytest.raises(ValueError, match=f"must be 1 or more, not {length}"):
        windows(["a"], length)


def test_one_text_in_place_of_a_list_is_refused():
    with pytest.raises(TypeError, match="split it first"):
        windows("A text. Not a list.", 5)


@given(st.lists(st.text(alphabet="ab .,'-1", max_size=12), max_size=8), st.integers(1, 9))
def test_windows_agree_with_cutting_each_one_by_itself(sentences, length):
    expected = [
        " ".join([word for later in sentences[i:] for word in words(later)][:length])
        for i, sentence in enumerate(sentences)
        if words(sentence)
    ]
    assert windows(sentences, length) == expected
