"""Where pieces lie in a text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensemaking.sectioning.spans import Span, locate, sentence_spans

TEXTS = st.text(alphabet="аб. \n\u00a0!Ж", max_size=60)


def test_pieces_are_found_whatever_their_white_space() -> None:
    text = "\n one  two\nthree four "
    assert locate(text, ["one two", "three", "", "four"]) == [
        Span(0, 11),
        Span(11, 17),
        Span(17, 17),
        Span(17, 22),
    ]


def test_pieces_may_meet_without_white_space() -> None:
    assert locate("onetwo", ["one", "two"]) == [Span(0, 3), Span(3, 6)]


@pytest.mark.parametrize("pieces", [["one", "three"], ["one"], ["one", "two", "three"], []])
def test_pieces_that_are_not_the_text_are_refused(pieces: list[str]) -> None:
    with pytest.raises(ValueError, match=r"is not what the text has|end before the text does"):
        locate("one two", pieces)


@given(TEXTS, st.sampled_from(["uk", "de", "fr"]))
def test_sentences_follow_each_other_without_a_gap(text: str, language: str) -> None:
    spans = sentence_spans(text, language)
    assert "".join(text[span.start : span.end] for span in spans) == (text if text.strip() else "")
    assert all(text[span.start : span.end].strip() for span in spans)
    assert all(not text[span.start].isspace() for span in spans[1:])


def test_a_language_without_rules_is_still_divided() -> None:
    text = "Il pleut. Le vent souffle."
    assert [text[s.start : s.end] for s in sentence_spans(text, "fr")] == [
        "Il pleut. ",
        "Le vent souffle.",
    ]
