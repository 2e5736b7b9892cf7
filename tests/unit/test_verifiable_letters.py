"""The letter that a reply names, and its probability, by hand."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensemaking.llm.reply import Alternative, Token
from sensemaking.verifiable.letters import letter_in, preference


def token(text: str, **shares: float) -> Token:
    """A token with the probabilities of what might stand in its place; _ stands for a blank."""
    alternatives = [
        Alternative(name.replace("_", " "), math.log(share)) for name, share in shares.items()
    ]
    return Token(text, None, tuple(alternatives))


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ("A", "A"),
        (" B\n", "B"),
        ("**A**", "A"),
        ('"B"', "B"),
        ("(A)", "A"),
        ("A.", "A"),
        ("B: it has fewer errors.", "B"),
        ("A\n\nBecause the year is right.", "A"),
        ("Answer: B", "B"),
        ("**Answer:** A", "A"),
        ("Final answer: Summary B", "B"),
        ("The better summary is A.", "A"),
        ("Summary B contradicts the report less.", "B"),
        ("A because B has a wrong year", "A"),
        ("A. B contradicts the report.", "A"),
        ("<think>B looks good. B?</think>\nA", "A"),
        ("B is what I thought first.</think>A", "A"),
        ("A<|im_end|>", "A"),
        ("B</s>", "B"),
    ],
)
def test_a_letter_that_stands_alone_at_the_beginning_is_named(text: str, letter: str) -> None:
    assert letter_in(text) == letter


@pytest.mark.parametrize(
    "text",
    [
        *(None, "", " ", "a", "b.", "C", "AB", "BA", "Both", "Answer", "Summary", "As asked"),
        *("A summary of the report.", "A better one", "A's text", "A.I. wins", "B2", "A_1"),
        *("A or B", "A and B", "A, B", "A/B", "A B", "Neither A nor B", "I would say A"),
        *("<think>A", "<think>A is best", "A <think>hm</think> no, both", "{}", "1"),
    ],
)
def test_nothing_is_guessed_from_other_replies(text: str | None) -> None:
    assert letter_in(text) is None


@given(st.text(max_size=30))
def test_any_text_names_a_letter_that_it_holds_or_none(text: str) -> None:
    letter = letter_in(text)
    assert letter is None or letter in text


def test_the_value_is_the_share_of_a_among_both_letters() -> None:
    found = preference([token("A", A=0.6, B=0.2, The=0.1)])
    assert found.value == pytest.approx(0.6 / 0.8, abs=1e-6)
    assert (found.mass, found.reason) == (pytest.approx(0.8), None)


def test_the_value_does_not_depend_on_which_letter_was_drawn() -> None:
    shares = {"A": 0.6, "B": 0.3}
    assert preference([token("B", **shares)]) == preference([token("A", **shares)])


def test_spellings_of_a_letter_are_added_and_what_only_begins_with_it_is_not() -> None:
    alternatives = {" A": 0.3, "A": 0.2, '"A"': 0.05, "B.": 0.2, "a": 0.1, "As": 0.06, "Both": 0.05}
    shown = tuple(Alternative(text, math.log(share)) for text, share in alternatives.items())
    found = preference([Token(" A", None, shown)])
    assert found.mass == pytest.approx(0.75)
    assert found.value == pytest.approx(0.55 / 0.75, abs=1e-6)


def test_the_place_of_the_letter_counts_and_no_other() -> None:
    tokens = [
        token("<think>A</think>", A=1.0),
        token("Answer"),
        token(":", A=0.5, B=0.5),
        token(" B", _A=0.1, _B=0.8),
        token(" A", _A=0.9, _B=0.1),
    ]
    # What follows the letter is no word of its own, so the reply would name none.
    assert preference(tokens).reason == "unusable_item"
    assert preference(tokens[:4]).value == pytest.approx(1 / 9, abs=1e-6)


def test_below_half_of_the_probability_there_is_no_answer() -> None:
    found = preference([token("A", A=0.3, B=0.19, Both=0.4)])
    assert (found.value, found.reason) == (None, "mass_low")
    assert found.mass == pytest.approx(0.49)
    assert preference([token("A", A=0.3, B=0.21)]).value == pytest.approx(0.3 / 0.51, abs=1e-6)


@pytest.mark.parametrize("tokens", [None, [], [Token("A", -0.1)]])
def test_without_alternatives_there_is_no_hard_answer_in_disguise(
    tokens: list[Token] | None,
) -> None:
    found = preference(tokens)
    assert (found.value, found.reason) == (None, "no_logprobs")


def test_a_letter_that_is_not_shown_counts_only_if_it_must_be_unlikely() -> None:
    # B has at most the 0.05 that are left.
    found = preference([token("A", A=0.95)])
    assert (found.value, found.reason) == (None, "letter_not_shown")
    # B has at most what is left, 0.004.
    assert preference([token("A", A=0.996)]).value == 1.0
    # B is at most as likely as the last alternative that is shown.
    assert preference([token("B", B=0.9, The=0.05, Both=0.005)]).value == 0.0
    assert preference([token("B", B=0.9, The=0.05)]).reason == "letter_not_shown"


def test_rounding_never_gives_more_than_the_whole_probability() -> None:
    found = preference([token("A", A=0.7, B=0.30001)])
    assert found.mass == 1.0
    assert found.value is not None
    assert 0 < found.value < 1


@given(st.floats(1e-6, 1), st.floats(1e-6, 1))
def test_both_orders_of_the_letters_mirror_each_other(one: float, other: float) -> None:
    total = one + other
    found = preference([token("A", A=one / total, B=other / total)])
    turned = preference([token("A", A=other / total, B=one / total)])
    assert found.value is not None
    assert turned.value is not None
    assert found.value + turned.value == pytest.approx(1, abs=2e-6)
