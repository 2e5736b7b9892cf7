"""Requests by the bytes that are really sent, and texts too long for one."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensemaking.mt.batching import batches, json_bytes, pieces

LETTERS = st.text(alphabet='аїґ a.\n"\\é😀', max_size=40)


def test_a_cyrillic_letter_takes_six_bytes_and_an_emoji_twelve() -> None:
    assert json_bytes("ї") == 2 + 6
    assert json_bytes("😀") == 2 + 12
    assert json_bytes('a"') == 2 + 1 + 2


def test_many_short_texts_are_divided_by_number() -> None:
    texts = [f"r{number}" for number in range(300)]
    found = batches(texts, envelope=80, max_bytes=30_000, max_segments=128)
    assert [len(batch) for batch in found] == [128, 128, 44]
    assert [position for batch in found for position in batch] == list(range(300))


def test_few_long_texts_are_divided_by_bytes_and_not_by_characters() -> None:
    # 100 + 3 * 602 + 2 * 2 = 1910 bytes for three texts, 2514 for four.
    texts = ["ж" * 100] * 8
    assert batches(texts, envelope=100, max_bytes=1910, max_segments=128) == [
        [0, 1, 2],
        [3, 4, 5],
        [6, 7],
    ]
    assert [len(b) for b in batches(texts, envelope=100, max_bytes=1909, max_segments=9)] == [2] * 4


def test_a_text_too_long_for_a_request_is_refused_not_sent() -> None:
    with pytest.raises(ValueError, match="text 1 takes 602 bytes"):
        batches(["a", "ж" * 100], envelope=100, max_bytes=700, max_segments=128)


def test_no_texts_make_no_request() -> None:
    assert batches([], envelope=100, max_bytes=1000, max_segments=128) == []


@given(st.lists(LETTERS, max_size=30), st.integers(1, 5))
def test_bodies_never_exceed_the_limit_and_hold_every_text_once(
    texts: list[str], max_segments: int
) -> None:
    envelope = len(json.dumps({"q": []}))
    limit = 520
    found = batches(texts, envelope=envelope, max_bytes=limit, max_segments=max_segments)
    assert [position for batch in found for position in batch] == list(range(len(texts)))
    for batch in found:
        assert 1 <= len(batch) <= max_segments
        assert len(json.dumps({"q": [texts[position] for position in batch]})) <= limit


def test_a_batch_is_closed_only_when_the_next_text_does_not_fit() -> None:
    texts = ["ab"] * 10
    found = batches(texts, envelope=10, max_bytes=10 + 4 + 6 + 6, max_segments=128)
    assert [len(batch) for batch in found] == [3, 3, 3, 1]


def test_a_long_text_is_divided_at_sentences() -> None:
    text = "Йде дощ. Світить сонце. Дме вітер."
    limit = json_bytes("Йде дощ. Світить сонце. ")
    assert pieces(text, "uk", limit) == ["Йде дощ. Світить сонце. ", "Дме вітер."]
    assert pieces(text, "uk", 10_000) == [text]


def test_a_long_sentence_is_divided_between_words_and_a_word_between_characters() -> None:
    assert pieces("один два три", "uk", json_bytes("один два ")) == ["один два ", "три"]
    assert pieces("жжж", "uk", json_bytes("жж")) == ["жж", "ж"]


def test_a_letter_and_its_accent_are_not_divided() -> None:
    text = "e\u0301" * 4
    assert pieces(text, "cs", json_bytes("e\u0301") + 6) == ["e\u0301"] * 4


def test_a_limit_below_one_character_is_refused() -> None:
    with pytest.raises(ValueError, match="cannot hold the character"):
        pieces("жж", "uk", 7)


@given(LETTERS, st.integers(30, 80))
def test_pieces_fit_and_joined_are_the_text(text: str, limit: int) -> None:
    found = pieces(text, "uk", limit)
    assert "".join(found) == text
    assert all(json_bytes(piece) <= limit for piece in found)
