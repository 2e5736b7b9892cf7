"""The expected grade under a model's own probabilities."""

import math

import pytest

from sensemaking.llm.grades import LOW_MASS, ExpectedGrade, expected_grades
from sensemaking.llm.reply import Alternative, Token


def token(text: str, **shares: float) -> Token:
    """Return a token with alternatives named by what they are called, ``_`` for a space."""
    return Token(
        text,
        -0.1,
        tuple(
            Alternative(name.removeprefix("g").replace("_", " "), math.log(share))
            for name, share in shares.items()
        ),
    )


def grade(tokens: list[Token], label: str = "kwt1") -> ExpectedGrade | None:
    return expected_grades(tokens, [label], 5)[label]


def reply(graded: Token) -> list[Token]:
    return [Token("{", None), Token(' "kw', None), Token('t1"', None), Token(":", None), graded]


def test_the_value_is_the_mean_of_the_grades_under_their_probabilities() -> None:
    found = grade(reply(token(" 4", g_4=0.5, g_5=0.25, g_3=0.125)))
    assert found is not None
    # (4·0.5 + 5·0.25 + 3·0.125) / 0.875 = 3.625 / 0.875
    assert found.value == pytest.approx(4.142857142857143)
    assert found.mass == pytest.approx(0.875)


def test_spellings_of_a_grade_are_added_and_other_tokens_left_out() -> None:
    found = grade(reply(token("4", g4=0.25, g_4=0.25, g0=0.25, gfour=0.2, g9=0.05)))
    assert found is not None
    # Half of it is for 4, a quarter for 0: (4·0.5) / 0.75.
    assert found.value == pytest.approx(8 / 3)
    assert found.mass == pytest.approx(0.75)


def test_a_grade_that_shares_its_token_with_signs_is_found() -> None:
    tokens = [Token('{"kwt1', None), Token('":4,', -0.1, (Alternative('":4,', math.log(0.9)),))]
    found = grade(tokens)
    assert found is not None
    assert found.value == pytest.approx(4.0)


def test_a_fence_before_the_reply_moves_no_grade() -> None:
    fence = [Token("```", None), Token("json", None), Token("\n", None)]
    found = grade(fence + reply(token("2", g2=0.9)))
    assert found is not None
    assert found.value == pytest.approx(2.0)


def test_a_list_of_entries_is_read_too() -> None:
    tokens = [
        Token('[{"id": "kwt1", "grade": ', None),
        token("1", g1=0.8),
        Token('}, {"id": "kwt2", "grade": ', None),
        token("5", g5=0.9),
        Token("}]", None),
    ]
    found = expected_grades(tokens, ["kwt1", "kwt2"], 5)
    assert [value and value.value for value in found.values()] == pytest.approx([1.0, 5.0])


def test_little_mass_is_no_grade() -> None:
    assert grade(reply(token("4", g4=0.3, gx=0.6))) == ExpectedGrade(
        None, pytest.approx(0.3), LOW_MASS
    )
    assert grade(reply(Token("4", -0.1))) == ExpectedGrade(None, None, LOW_MASS)


@pytest.mark.parametrize(
    "texts",
    [
        ['{"kwt2": ', "4", "}"],
        ['{"kwt1": ', "4", ', "kwt1": ', "0", "}"],
        ['{"kwt1": ', "4", "5", "}"],
        ['{"kwt1": ', "4", ".5", "}"],
        ['{"kwt1": null}'],
        [],
    ],
)
def test_where_no_single_digit_stands_there_is_none(texts: list[str]) -> None:
    assert grade([token(text, g4=1.0) for text in texts]) is None
