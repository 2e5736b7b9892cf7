"""Answers of submissions find their questions, by text or by place."""

from typing import Any

import pytest
from submission_values import (
    ASKED,
    QUESTIONS,
    SET,
    answers,
    codes,
    errors,
    read_value,
)

# Matching with the questions


def test_answers_go_to_their_questions_in_any_order() -> None:
    given = [[QUESTIONS[2], "c"], [QUESTIONS[0], "a"]]
    found = read_value({SET: given}, "student", ASKED)
    assert answers(found) == {0: "a", 2: "c"}


@pytest.mark.parametrize(
    "written",
    ["what is a token", "What  is a\ntoken?", "“What is a token?”", "What is a token&#63;"],
)
def test_a_question_is_known_in_another_spelling(written: str) -> None:
    found = read_value({SET: [[written, "a"]]}, "student", ASKED)
    assert answers(found) == {0: "a"}


def test_a_question_is_known_in_each_of_its_languages() -> None:
    asked = {SET: [["What is a token?", "Co je token?"], "Why?"]}
    found = read_value({SET: [["Why?", "b"], ["Co je token?", "a"]]}, "student", asked)
    assert answers(found) == {0: "a", 1: "b"}


def test_an_answer_to_another_question_is_refused_even_in_its_place() -> None:
    given = [[QUESTIONS[0], "a"], ["Why are words joined?", "b"], [QUESTIONS[2], "c"]]
    found = read_value({SET: given}, "student", ASKED)
    assert answers(found) == {0: "a", 2: "c"}
    finding = next(f for f in found.findings if f.code == "unknown_question")
    assert 'nearest question: "Why are words split?"' in finding.message


@pytest.mark.parametrize("value", [["a", "b"], ["a", "b", "c", "d"], [None, "a"]])
def test_answers_without_questions_are_refused_where_the_counts_differ(value: Any) -> None:
    found = read_value({SET: value}, "student", ASKED)
    assert not found.items
    assert not found.repairs
    assert "count_mismatch" in errors(found)


def test_answers_without_questions_are_matched_by_place_where_the_counts_agree() -> None:
    found = read_value({SET: ["a", "b", "c"]}, "student", ASKED)
    assert answers(found) == {0: "a", 1: "b", 2: "c"}
    assert [item.question for item in found.items] == QUESTIONS


def test_a_place_says_nothing_where_the_other_items_are_in_another_order() -> None:
    given = [[QUESTIONS[1], "b"], [QUESTIONS[0], "a"], [None, "c"]]
    found = read_value({SET: given}, "student", ASKED)
    assert answers(found) == {0: "a", 1: "b"}
    assert errors(found) == {"count_mismatch"}


def test_two_different_answers_to_one_question_are_refused_both() -> None:
    given = [[QUESTIONS[0], "a"], [QUESTIONS[0], "x"], [QUESTIONS[1], "b"]]
    found = read_value({SET: given}, "student", ASKED)
    assert answers(found) == {1: "b"}
    assert errors(found) == {"question_twice"}


def test_two_equal_answers_to_one_question_are_read_once() -> None:
    given = [[QUESTIONS[0], "a"], [QUESTIONS[0], "a"]]
    found = read_value({SET: given}, "student", ASKED)
    assert answers(found) == {0: "a"}
    assert "repeated_item" in codes(found, "warning")


def test_a_question_without_an_answer_does_not_stand_against_one_with_an_answer() -> None:
    given = [[QUESTIONS[0]], [QUESTIONS[0], "a"], [QUESTIONS[0], None]]
    found = read_value({SET: given}, "student", ASKED)
    assert answers(found) == {0: "a"}
    assert not errors(found)


def test_equal_questions_take_the_answers_in_order_where_all_are_there() -> None:
    asked = {SET: ["Why?", "What?", "Why?"]}
    found = read_value({SET: [["Why?", "a"], ["What?", "b"], ["Why?", "c"]]}, "student", asked)
    assert answers(found) == {0: "a", 1: "b", 2: "c"}


def test_one_answer_to_two_equal_questions_is_refused() -> None:
    asked = {SET: ["Why?", "What?", "Why?"]}
    found = read_value({SET: [["What?", "b"], ["Why?", "a"]]}, "student", asked)
    assert answers(found) == {1: "b"}
    assert errors(found) == {"ambiguous_question"}


def test_a_question_without_an_answer_is_missing_in_its_place() -> None:
    found = read_value({SET: [[QUESTIONS[1]], [QUESTIONS[0], None]]}, "student", ASKED)
    assert not found.items
    assert {(item.position, item.status) for item in found.missing} == {
        (0, "no_answer"),
        (1, "no_answer"),
    }
