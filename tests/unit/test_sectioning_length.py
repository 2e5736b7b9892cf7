"""Cutting by length at sentence ends."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensemaking.sectioning.length import cut_by_length
from sensemaking.text.words import words


def parts(text: str, max_words: int) -> list[str]:
    edges = [0, *cut_by_length(text, "en", max_words).offsets, len(text)]
    return [text[a:b] for a, b in itertools.pairwise(edges)]


def test_a_short_text_is_not_cut() -> None:
    assert parts("One two. Three four.", 4) == ["One two. Three four."]
    assert cut_by_length("", "en", 4).offsets == []


def test_cuts_lie_at_sentence_ends_and_white_space_goes_before() -> None:
    assert parts("One two.  Three four.\nFive six.", 2) == [
        "One two.  ",
        "Three four.\n",
        "Five six.",
    ]


def test_parts_are_as_few_and_as_even_as_can_be() -> None:
    # 10 sentences of 3 words: greedily 4 + 4 + 2, evenly 4 + 3 + 3 or alike.
    text = " ".join(["One two three."] * 10)
    counts = [len(words(part)) for part in parts(text, 14)]
    assert sorted(counts) == [6, 12, 12]
    counts = [len(words(part)) for part in parts(" ".join(["One two three."] * 9), 14)]
    assert counts == [9, 9, 9]


def test_a_sentence_over_the_limit_is_cut_between_words_and_counted() -> None:
    text = "one two three four five six seven. Eight nine."
    found = cut_by_length(text, "en", 3)
    assert [len(words(part)) for part in parts(text, 3)] == [3, 3, 3]
    assert found.inside_sentences == 2
    assert cut_by_length("One two. Three four.", "en", 2).inside_sentences == 0


def test_a_text_in_one_line_is_cut_like_any_other() -> None:
    text = "Тварини живуть у лісах. " * 500
    found = cut_by_length(text, "uk", 300)
    assert len(found.offsets) == 6
    assert all(text[offset : offset + 7] == "Тварини" for offset in found.offsets)


def test_a_limit_below_1_is_refused() -> None:
    with pytest.raises(ValueError, match="1 or more, not 0"):
        cut_by_length("One.", "en", 0)


@given(st.text(alphabet="ab. \n!", max_size=120), st.integers(1, 12))
def test_no_part_is_too_long_and_nothing_is_lost(text: str, max_words: int) -> None:
    found = parts(text, max_words)
    assert "".join(found) == text
    # What has no white space in it is one piece, even if it holds several words.
    assert all(len(words(part)) <= max_words or len(part.split()) == 1 for part in found)
    assert len(found) == 1 or all(part.strip() for part in found)
