"""What does not fit is divided, and nothing is cut."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sensemaking.llm.layout import Layout, layout
from sensemaking.llm.splitting import NoRoomError, item_groups, text_parts
from sensemaking.llm.tokens import estimate_tokens

TEXT = "One two three. Four five six! Seven eight nine ten eleven twelve? Thirteen."


@given(st.text(max_size=200), st.integers(4, 60))
@settings(max_examples=50)
def test_parts_joined_are_the_text_and_each_fits(text: str, most: int) -> None:
    parts = text_parts(text, "en", lambda part: len(part) <= most)
    assert "".join(parts) == text
    assert all(len(part) <= most for part in parts)


def test_a_text_is_divided_at_the_ends_of_sentences() -> None:
    assert text_parts(TEXT, "en", lambda part: len(part) <= 40) == [
        "One two three. Four five six! ",
        "Seven eight nine ten eleven twelve? ",
        "Thirteen.",
    ]


def test_a_sentence_that_is_too_long_is_divided_between_words() -> None:
    parts = text_parts("aaa bbb ccc ddd", "en", lambda part: len(part) <= 8)
    assert parts == ["aaa bbb ", "ccc ddd"]


def test_no_room_at_all_is_an_error_that_says_what_to_change() -> None:
    with pytest.raises(NoRoomError, match="context_tokens"):
        text_parts("abc", "en", lambda part: False)


def test_groups_are_as_few_as_fit() -> None:
    assert item_groups([3, 3, 3, 9, 1], lambda group: sum(group) <= 9) == [[3, 3, 3], [9], [1]]
    with pytest.raises(NoRoomError, match="by itself"):
        item_groups([10], lambda group: sum(group) <= 9)


def lay(text: str, sizes: Sequence[int], room: int, most_items: int = 99) -> Layout:
    """Lay out with a prompt of 10 tokens, a token a character, and items of some sizes."""
    return layout(
        text,
        "en",
        len(sizes),
        prompt_tokens=lambda part, items: 10 + len(part) + sum(sizes[n] for n in items),
        room=room,
        most_items=most_items,
    )


def test_what_fits_goes_into_one_call() -> None:
    (place,) = lay(TEXT, [5, 5, 5], room=10 + len(TEXT) + 15).places
    assert (place.items, place.text, place.part, place.parts) == ((0, 1, 2), TEXT, 0, 1)


def test_items_that_are_most_of_a_prompt_stay_together_if_it_fits() -> None:
    assert len(lay("Hi.", [30, 30, 30], room=10 + 3 + 90).places) == 1


def test_a_token_too_many_divides() -> None:
    assert len(lay(TEXT, [5, 5, 5], room=10 + len(TEXT) + 14).places) > 1


def test_items_whose_replies_would_be_too_long_are_divided_though_the_prompt_fits() -> None:
    places = lay(TEXT, [1] * 5, room=500, most_items=2).places
    assert [place.items for place in places] == [(0, 1), (2, 3), (4,)]
    assert {place.text for place in places} == {TEXT}


def test_an_item_that_is_too_long_by_itself_is_named_and_the_others_go_on() -> None:
    laid = lay(TEXT, [5, 400, 5], room=200)
    assert laid.too_long == (1,)
    assert [place.items for place in laid.places] == [(0, 2)]


@given(
    st.integers(0, 12),
    st.lists(st.integers(1, 60), min_size=1, max_size=8),
    st.integers(30, 160),
    st.integers(1, 5),
)
@settings(max_examples=150)
def test_each_item_sees_the_whole_text_and_each_call_fits(
    sentences: int, sizes: list[int], room: int, most_items: int
) -> None:
    text = "Ten letter. " * sentences
    laid = lay(text, sizes, room, most_items)
    seen = dict.fromkeys(range(len(sizes)), "")
    for place in laid.places:
        assert 10 + len(place.text) + sum(sizes[n] for n in place.items) <= room
        assert 1 <= len(place.items) <= most_items
        for n in place.items:
            seen[n] += place.text
    for n, given_text in seen.items():
        assert given_text == ("" if n in laid.too_long else text)
    for n in laid.too_long:
        assert sizes[n] > 0.7 * (room - 10)


# Counted with the tokenizer of Qwen2.5.
MEASURED = {
    "The horizon lies about five kilometres away from a person on the beach.": 14,
    "Клітина є найменшою живою частиною рослини.": 23,
    '{"kwt1": {"answerable": true, "answer": "Five."}}': 18,
    "In 1762 it lost 5 seconds in 81 days, or 0.06 a day.": 26,
}


@pytest.mark.parametrize("text", MEASURED)
def test_tokens_are_estimated_on_the_long_side_but_not_by_far(text: str) -> None:
    frame = estimate_tokens("")
    assert MEASURED[text] <= estimate_tokens(text) - frame <= 2.2 * MEASURED[text]
