"""Values of submissions become texts and ratings, or are refused, each by itself."""

import json
import unicodedata
from typing import Any

import pytest
from submission_values import (
    ASKED,
    OTHER,
    QUESTIONS,
    RATED,
    SECTION,
    SET,
    TO_RATE,
    answers,
    codes,
    errors,
    ratings,
    read_value,
    texts,
)

# Values under keys (sub-05 and its kind)


def test_a_text_for_a_list_is_one_answer_never_its_letters() -> None:
    found = read_value({"answers": "The sun"}, "student", sections=["answers"])
    assert answers(found) == {0: "The sun"}
    assert "value_for_list" in codes(found, "warning")


def test_two_answers_in_one_list_are_never_spread_over_the_questions() -> None:
    found = read_value(
        {"answers": [["a", "b"], ["c"]]}, "student", {"answers": ["Q1", "Q2"]}, ["answers"]
    )
    assert not found.items
    assert "/answers/0" in {f.path for f in found.findings if f.severity == "error"}


def test_numbered_values_are_read_in_the_order_of_the_numbers() -> None:
    found = read_value({SECTION: {"1": "a?", "2": "b?", "10": "c?"}})
    assert texts(found) == {0: ("a?",), 1: ("b?",), 2: ("c?",)}
    repair = found.repairs[0]
    assert (repair.rule, repair.after) == ("numbered_object", '["a?", "b?", "c?"]')


@pytest.mark.parametrize("name", ["0\x1f", "٣", "1.0", "-1", "1e3", "9" * 5000])
def test_a_name_that_only_looks_like_a_number_is_no_number(name: str) -> None:
    found = read_value({SECTION: {name: "a?"}, OTHER: ["b?"]})
    assert texts(found) == {0: ("b?",)}
    assert errors(found)


def test_one_number_twice_is_refused() -> None:
    found = read_value({SECTION: {"1": "a?", "01": "b?"}, OTHER: ["c?"]})
    assert texts(found) == {0: ("c?",)}
    assert errors(found) == {"wrong_value"}
    assert found.n_refused == 2


def test_numbers_become_texts_and_null_and_blank_are_missing() -> None:
    found = read_value({"answers": ["a", 7, None, "  "]}, "student", sections=["answers"])
    assert answers(found) == {0: "a", 1: "7"}
    assert [(item.position, item.status) for item in found.missing] == [
        (2, "no_answer"),
        (3, "blank"),
    ]
    assert {"number_for_text", "null_text", "blank_text"} <= codes(found, "warning")


@pytest.mark.parametrize("literal", ["7", "1.50", "-0", "1e5", "9" * 400])
def test_a_number_keeps_its_digits_as_a_text(literal: str) -> None:
    found = read_value(f'{{"{SECTION}": [["Q?", {literal}]]}}'.encode())
    assert texts(found) == {0: ("Q?", literal)}


@pytest.mark.parametrize("literal", ["true", "NaN", "Infinity", '{"text": "a"}', '["a", ["b"]]'])
def test_what_is_no_text_is_refused_and_the_others_stay(literal: str) -> None:
    found = read_value(f'{{"{SET}": [["{QUESTIONS[0]}", {literal}, "b"]]}}'.encode(), "student")
    assert not found.items
    assert found.missing[0].status == "invalid_item"
    assert found.missing[0].alternatives == ("b",)
    assert errors(found) == {"wrong_text"}


@pytest.mark.parametrize("value", [[], None, 7, True, "text", [1], [["a", "b"]]])
def test_what_is_no_object_is_unreadable_and_says_so(value: Any) -> None:
    found = read_value(value)
    assert not found.readable
    assert not found.items
    assert [(f.code, f.path) for f in found.findings] == [("not_an_object", "")]


@pytest.mark.parametrize("value", [7, True, {"text": "x"}, {"no": {"form": 1}}])
def test_a_value_of_no_form_is_refused_and_the_others_stay(value: Any) -> None:
    found = read_value({SECTION: value, OTHER: [["A?"]]})
    assert [item.section_id for item in found.items] == [OTHER]
    assert errors(found)


@pytest.mark.parametrize("value", [[], {}, None])
def test_an_empty_list_is_told_and_gives_nothing(value: Any) -> None:
    found = read_value({SECTION: value, OTHER: [["A?"]]})
    assert [item.section_id for item in found.items] == [OTHER]
    assert "empty_list" in codes(found, "warning")
    assert SECTION not in found.missing_keys


@pytest.mark.parametrize(
    ("value", "rule"),
    [
        ({"answers": [[QUESTIONS[0], "a"]]}, "wrapped_list"),
        ([[[QUESTIONS[0], "a"], [QUESTIONS[1], "b"]]], "extra_nesting"),
        ([[[QUESTIONS[0], "a"]], [QUESTIONS[1], "b"]], "extra_nesting"),
        ({"questions": QUESTIONS[:1], "answers": ["a"]}, "parallel_lists"),
        ({QUESTIONS[0]: "a"}, "questions_as_keys"),
        ({"question": QUESTIONS[0], "answer": "a"}, "value_for_list"),
        ([QUESTIONS[0], "a"], "value_for_list"),
        ([[QUESTIONS[0], ["a", "b"]]], "nested_texts"),
        ([{"Question": QUESTIONS[0], "Answer": "a"}], "field_name"),
        ({"1": [QUESTIONS[0], "a"]}, "numbered_object"),
    ],
)
def test_forms_with_one_meaning_are_read_and_recorded(value: Any, rule: str) -> None:
    found = read_value({SET: value}, "student", ASKED)
    assert answers(found)[0] == "a"
    assert found.items[0].question == QUESTIONS[0]
    assert rule in {repair.rule for repair in found.repairs}
    assert found.items[0].repairs
    assert not errors(found)


@pytest.mark.parametrize(
    "value",
    [
        {"questions": QUESTIONS, "answers": ["a"]},
        QUESTIONS,
        [QUESTIONS[0], "a", QUESTIONS[1], "b"],
        {QUESTIONS[0]: "a", "Something else?": "b"},
        [[["a"], ["b"]], [["c"]]],
    ],
)
def test_forms_with_two_meanings_are_refused(value: Any) -> None:
    found = read_value({SET: value}, "student", ASKED)
    assert not found.items
    assert errors(found)


@pytest.mark.parametrize(
    "item",
    [
        {"question": QUESTIONS[0], "answer": "a", "answers": ["b"]},
        {"question": QUESTIONS[0], "Question": QUESTIONS[1], "answer": "a"},
        {"question": QUESTIONS[0]},
        {"q": QUESTIONS[0], "comment": "a"},
    ],
)
def test_an_item_with_two_answers_fields_or_none_is_refused(item: dict[str, Any]) -> None:
    found = read_value({SET: [item, [QUESTIONS[2], "c"]]}, "student", ASKED)
    assert answers(found) == {2: "c"}
    assert "wrong_item" in errors(found)


def test_fields_beside_the_wrapped_list_are_passed_over() -> None:
    value = {"answers": [[QUESTIONS[0], "a"]], "model": "m"}
    found = read_value({SET: value}, "student", ASKED)
    assert answers(found) == {0: "a"}
    assert "unknown_field" in codes(found, "info")


def test_unknown_fields_are_told_once_and_passed_over() -> None:
    items = [{"question": q, "answer": "a", "model": "m", "id": 1} for q in QUESTIONS]
    found = read_value({SET: items}, "student", ASKED)
    assert len(found.items) == 3
    assert [f.message.split(";")[0] for f in found.findings] == [
        'found the field "model" (3 times)'
    ]


def test_whether_a_question_can_be_answered_is_kept() -> None:
    items = [{"question": QUESTIONS[0], "answer": "a", "answerable": False}]
    found = read_value({SET: items}, "student", ASKED)
    assert found.items[0].answerable is False


@pytest.mark.parametrize("text", ["<p>A part</p>", "A &amp; B", "**bold**", "```\ncode\n```"])
def test_markup_is_told_and_kept_as_it_is(text: str) -> None:
    found = read_value({SECTION: [["Q?", text]]})
    assert texts(found) == {0: ("Q?", text)}
    assert "markup" in codes(found, "warning")
    assert not found.repairs


@pytest.mark.parametrize("text", ["a < b and b > c", "2 * 3 ** 4", "R&D", "#1", "x & y;"])
def test_signs_that_are_no_markup_are_not_told(text: str) -> None:
    assert "markup" not in codes(read_value({SECTION: [["Q?", text]]}))


@pytest.mark.parametrize("text", ["", " ", "\t\n", "\u00a0", "\u200b", "\ufeff \u2060"])
def test_a_text_without_a_visible_character_is_blank(text: str) -> None:
    found = read_value({SECTION: [[text, "r"], ["Q?"]]})
    assert texts(found) == {1: ("Q?",)}
    assert [(item.position, item.status) for item in found.missing] == [(0, "blank")]


@pytest.mark.parametrize("text", ["?", "…", "42", "☃", "-"])
def test_a_text_of_signs_is_a_text(text: str) -> None:
    assert texts(read_value({SECTION: [[text]]})) == {0: (text,)}


def test_texts_are_read_in_nfc() -> None:
    composed = unicodedata.normalize("NFC", "Їжак їсть?")
    given = unicodedata.normalize("NFD", composed)
    assert given != composed
    assert texts(read_value({SECTION: [[given]]})) == {0: (composed,)}


def test_questions_without_reference_answers_are_counted() -> None:
    found = read_value({SECTION: [["A?"], ["B?", "b"], "C?"]})
    finding = next(f for f in found.findings if f.code == "no_references")
    assert (finding.severity, finding.path) == ("info", "")
    assert "2 of 3 questions" in finding.message


# Ratings


@pytest.mark.parametrize(
    ("given", "value"),
    [("85", 85.0), ("85/100", 85.0), ("85 %", 85.0), ("Rating: 90", 90.0), (" 7.5 ", 7.5)],
)
def test_a_rating_in_a_text_is_read_and_recorded(given: str, value: float) -> None:
    found = read_value({RATED: [[given], [1], [2]]}, "evaluator", TO_RATE)
    assert ratings(found)[0] == [value]
    assert [(r.rule, r.before) for r in found.repairs] == [("rating_as_text", json.dumps(given))]


@pytest.mark.parametrize(
    "literal",
    ["101", "-1", "100.0001", "1e400", "9" * 400, "true", "false", "NaN", "Infinity", "-Infinity",
     '"8/10"', '"between 70 and 80"', '"good"', '{"rating": 50}'],
)  # fmt: skip
def test_what_is_no_rating_is_refused_and_never_clamped(literal: str) -> None:
    found = read_value(f'{{"{RATED}": [[{literal}], [50], [60]]}}'.encode(), "evaluator", TO_RATE)
    assert ratings(found) == {1: [50.0], 2: [60.0]}
    assert [(item.position, item.status) for item in found.missing] == [(0, "invalid_rating")]
    assert errors(found) == {"invalid_rating"}


def test_ratings_on_another_scale_are_kept_as_given() -> None:
    found = read_value({RATED: [[0.85], [1], [0]]}, "evaluator", TO_RATE)
    assert ratings(found) == {0: [0.85], 1: [1.0], 2: [0.0]}


def test_null_ratings_are_missing_and_the_others_keep_their_answers() -> None:
    found = read_value({RATED: [[None, 40], [], [""]]}, "evaluator", TO_RATE)
    assert ratings(found) == {0: [None, 40.0]}
    assert [(item.position, item.status) for item in found.missing] == [
        (1, "no_rating"),
        (2, "no_rating"),
    ]


def test_a_plain_list_of_ratings_is_one_for_each_item() -> None:
    found = read_value({RATED: [80, "70", 60]}, "evaluator", TO_RATE)
    assert ratings(found) == {0: [80.0], 1: [70.0], 2: [60.0]}


@pytest.mark.parametrize(
    "value", [[[80], [70]], [[80], [70], [60], [50]], [80, 70], [[80, 70, 60]]]
)
def test_ratings_are_never_joined_where_the_counts_differ(value: Any) -> None:
    found = read_value({RATED: value}, "evaluator", TO_RATE)
    assert not found.items
    assert errors(found) == {"count_mismatch"}
    assert found.stale_keys == (RATED,)


def test_ratings_with_their_questions_are_joined_by_these() -> None:
    items = [{"question": QUESTIONS[2], "rating": 30}, {"question": QUESTIONS[0], "rating": 10}]
    found = read_value({RATED: items}, "evaluator", TO_RATE)
    assert ratings(found) == {0: [10.0], 2: [30.0]}


def test_a_text_before_the_ratings_shifts_none_of_them() -> None:
    found = read_value({RATED: [["Good answer", 80], [1], [2]]}, "evaluator", TO_RATE)
    assert ratings(found) == {1: [1.0], 2: [2.0]}
    assert errors(found) == {"wrong_item"}
