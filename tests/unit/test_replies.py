"""Replies are read where they say one thing, and give None everywhere else."""

import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sensemaking.io.replies import join_ratings, parse_json, parse_rating

IDS = ["q1", "q2", "q3"]


@pytest.mark.parametrize(
    ("text", "rating"),
    [
        ("There are 3 mistakes, so I give 72 out of 100.", 72),
        ("85/100", 85),
        ("Rating: 90 %", 90),
        ("between 70 and 80", None),
        ("Far from perfect.", None),
        ("8/10", None),
    ],
)
def test_the_recorded_texts_give_what_they_state(text: str, rating: float | None) -> None:
    assert parse_rating(text, 100) == rating


@pytest.mark.parametrize(
    ("text", "rating"),
    [
        ("85", 85),
        (" 85.\n", 85),
        ("**85**", 85),
        ('"85"', 85),
        ("85 points", 85),
        ("85%", 85),
        ("0", 0),
        ("100", 100),
        ("72.5", 72.5),
        ("0.85", 0.85),
        ("1", 1),
        ("1e2", 100),
        ("Rating: 85", 85),
        ("rating = 85;", 85),
        ("Score: **85**/100", 85),
        ("The score is 85.", 85),
        ('{"rating": 85}', 85),
        ("Rating: 85 (out of 100)", 85),
        ("Question 3. Rating: 85", 85),
        ("Rating: 85. It names 3 of 4 facts.", 85),
        ("Rating: 85 because it is whole", 85),
        ("85 / 100 points", 85),
        ("85 of 100", 85),
        ("Score: 3/5, so 60/100", 60),
        ("Score: 85\nFinal score: 85/100", 85),
    ],
)
def test_one_statement_is_read(text: str, rating: float) -> None:
    assert parse_rating(text, 100) == rating


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "good", "eighty", "½", "nan", "inf", "٨٥", "72,5", "7 8", "1,000",
        "-5", "- 5", "120", "101", "1e400", "9" * 400, "-5/100", "120/100", "1,000/100", "85/100/2",
        "70-80", "70–80", "70 to 80", "70-80/100", "between 70 and 80 out of 100",
        "Rating: 85-90", "Rating: 85 or 90", "Rating: 85, 90", "Rating: between 70 and 80",
        "Rating: -5", "Rating: −5", "Rating: 8/10", "Rating: 8 out of 10", "Rating: 1,000",
        "Rating: 3 mistakes, so nothing", "grade 3 pupils", "The score 85 is what others gave",
        "Score: 85\nScore: 90", "72 out of 100, or rather 60 out of 100", "not 72 out of 100",
        "less than 50/100", "at most 50 out of 100", "3 out of 100 words are wrong",
        "I am 90 % sure", "I give 72.", "There are 3 mistakes",
    ],
)  # fmt: skip
def test_two_statements_or_none_give_none(text: str) -> None:
    assert parse_rating(text, 100) is None


@pytest.mark.parametrize(
    ("value", "scale", "rating"),
    [
        (85, 100, 85), (0, 100, 0), (100, 100, 100), (0.85, 100, 0.85), (5, 5, 5), (6, 5, None),
        (-0.0, 100, 0), (-1, 100, None), (100.001, 100, None), (True, 100, None), (False, 5, None),
        (None, 100, None), (math.nan, 100, None), (math.inf, 100, None), (10**400, 100, None),
        ([85], 100, None), ({"rating": 85}, 100, None), ("4/5", 5, 4), ("4/5", 100, None),
        ("90 %", 5, None),
        ("3 %", 5, None), ("Grade: 4", 5, 4), ("Grade: 80 %", 5, None), (b"85", 100, None),
    ],
)  # fmt: skip
def test_a_value_is_a_rating_if_it_is_on_the_scale(
    value: object, scale: float, rating: float | None
) -> None:
    assert parse_rating(value, scale) == rating


def test_numbers_of_numpy_are_numbers_and_its_truth_values_are_none() -> None:
    assert parse_rating(np.float32(3.5), 5) == 3.5
    assert parse_rating(np.int64(5), 5) == 5.0
    assert parse_rating(np.bool_(True), 5) is None


@pytest.mark.parametrize("scale", [0, -5, math.nan, math.inf])
def test_a_scale_without_a_best_rating_is_refused(scale: float) -> None:
    with pytest.raises(ValueError, match="the scale must be a finite number above 0"):
        parse_rating(1, scale)


@settings(deadline=None)
@given(st.one_of(st.text(), st.floats(), st.integers(), st.none(), st.booleans()))
def test_a_rating_is_on_the_scale_or_none(value: object) -> None:
    rating = parse_rating(value, 100)
    assert rating is None or 0 <= rating <= 100


@settings(deadline=None)
@given(st.floats(0, 100))
def test_a_number_is_read_from_its_own_text(value: float) -> None:
    assert parse_rating(repr(value), 100) == value


@settings(deadline=None)
@given(st.integers(0, 10), st.integers(0, 100))
def test_a_rating_on_another_scale_is_never_rescaled(low: int, high: int) -> None:
    assert parse_rating(f"{low}/10", 100) is None
    assert parse_rating(f"{high}/100", 100) == high


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1}', {"a": 1}),
        (" [1, 2.5] ", [1, 2.5]),
        ("85", 85),
        ('"text"', "text"),
        ('```json\n{"a": 1}\n```', {"a": 1}),
        ('```\n[1]\n```', [1]),
        ('Here it is:\n```json\n{"a": 1}\n```\nDone.', {"a": 1}),
        ('```json\n{"a": "```x```"}\n```', {"a": "```x```"}),
        ('Sure! {"a": 1} I hope it helps.', {"a": 1}),
        ("Ratings:\n[80, 75]", [80, 75]),
        ('[{"id": "q1"}] and that is all', [{"id": "q1"}]),
        ('{"a": 1} and again {"a": 1}', {"a": 1}),
        ('<think>maybe {"a": 2}</think>\n{"a": 1}', {"a": 1}),
        ('{"a": [1, 2,],}', {"a": [1, 2]}),
        ('{"a": "line\nbreak"}', {"a": "line\nbreak"}),
        ('{"a": "\\lambda"}', {"a": "\\lambda"}),
        ('{"a": 1, "a": 1}', {"a": 1}),
        ('{"a": NaN, "b": -Infinity, "c": 1e999}', {"a": None, "b": None, "c": None}),
        ('\ufeff{"a": 1}', {"a": 1}),
        ('{"text": "see [1] and {2}"}', {"text": "see [1] and {2}"}),
    ],
)  # fmt: skip
def test_the_json_of_a_reply_is_read(text: str, value: Any) -> None:
    assert parse_json(text) == value


@pytest.mark.parametrize(
    "text",
    [
        None, "", "  ", "I am sorry, I cannot help with that.", "null",
        '{"ratings": [80, 75, 9', '{"ratings": [80, 75, 90]', "[1, 2", '{"a": "b',
        '{"a": 1, "a": 2}', '{"a": 1} {"b": 2}', '{"a": 1}\n{"b": 2}',
        "```\n[1]\n```\n```\n[2]\n```",
        "See [1].", "As in [1] and [2]", "{'a': 1}", "{a: 1}", '<think>{"a": 1}', '{"a": 1}}{',
        '{"text": "```json\\n{\\"b\\": 1}\\n```", "a": [1',
        '{"text": "```\n{}\n```", "a": [1',
        '```json\n{"a": 1', "[" * 5000, "[" * 5000 + "]" * 5000, "9" * 5000, '{"a": }',
    ],
)  # fmt: skip
def test_a_reply_without_one_sure_value_gives_none(text: str | None) -> None:
    assert parse_json(text) is None


@settings(deadline=None)
@given(st.text())
def test_any_reply_is_read_without_an_exception(text: str) -> None:
    parse_rating(text, 100)
    value = parse_json(text)
    json.dumps(value, allow_nan=False)


json_values = st.recursive(
    st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(codec="ascii")), inner),
    max_leaves=8,
)


@settings(deadline=None)
@given(json_values)
def test_a_reply_that_is_json_is_read_as_json_reads_it(value: Any) -> None:
    assert parse_json(json.dumps(value)) == value


@settings(deadline=None)
@given(st.dictionaries(st.text(st.characters(codec="ascii"), min_size=1), json_values, min_size=1))
def test_an_object_in_prose_is_read(value: dict[str, Any]) -> None:
    assert parse_json(f"The reply is:\n{json.dumps(value)}\nThat is all.") == value


# Joining by id


@pytest.mark.parametrize(
    ("reply", "ratings"),
    [
        (
            [{"id": "q1", "rating": 90}, {"id": "q3", "rating": 40}],
            {"q1": 90, "q2": None, "q3": 40},
        ),
        (
            [
                {"id": "q3", "rating": 40},
                {"id": "q1", "rating": 90},
                {"id": "q2", "rating": 50},
            ],
            {"q1": 90, "q2": 50, "q3": 40},
        ),
        ({"ratings": [90, 50, 40]}, {"q1": 90, "q2": 50, "q3": 40}),
        ({"q2": 50, "q1": "90/100"}, {"q1": 90, "q2": 50, "q3": None}),
        ({"ratings": {"q3": 40, "q1": 90}}, {"q1": 90, "q2": None, "q3": 40}),
    ],
)  # fmt: skip
def test_ratings_are_joined_by_id(reply: Any, ratings: dict[str, float | None]) -> None:
    found = join_ratings(reply, IDS, 100)
    assert found.ratings == ratings
    assert list(found.ratings) == IDS
    assert found.problem is None


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        ([90, 40], "2 values for 3 ids"),
        ([90, 40, 30, 20], "4 values for 3 ids"),
        (
            [
                {"id": "q1", "rating": 90},
                {"id": "q1", "rating": 10},
                {"id": "q2", "rating": 50},
                {"id": "q3", "rating": 40},
            ],
            "q1 twice",
        ),
        (None, "no list of ratings"),
        ("text", "no list of ratings"),
        ({"a": [1], "b": [2]}, "no list of ratings"),
        ([[90], [50], [40]], "a list of other things than ratings"),
        ([{"id": "q1"}], "an entry without one id and one rating"),
        ([{"id": True, "rating": 1}], "an entry without one id and one rating"),
    ],
)
def test_a_reply_that_cannot_be_joined_is_rejected_whole(reply: Any, problem: str) -> None:
    found = join_ratings(reply, IDS, 100)
    assert found.problem == problem
    assert found.ratings == {"q1": None, "q2": None, "q3": None}


def test_an_id_that_nobody_asked_for_is_told_and_passed_over() -> None:
    reply = [{"id": name, "rating": 50} for name in (*IDS, "q9")]
    found = join_ratings(reply, IDS, 100)
    assert found.ignored == ("q9",)
    assert found.ratings == {"q1": 50, "q2": 50, "q3": 50}


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        ([0.9, 0.75, 1.0, 0.4], "scale suspect: all are at most 1"),
        ([0, 1, 0, 100], None),
        ([1, 1, 0], "scale ambiguous: all are 0 or 1"),
        ([0, 0, 0], None),
        ([1], "scale ambiguous: all are 0 or 1"),
        ([0.5], "scale suspect: all are at most 1"),
        ([1, 2], None),
    ],
)
def test_the_scale_is_judged_by_the_whole_reply(values: list[float], problem: str | None) -> None:
    ids = [f"q{number}" for number in range(len(values))]
    found = join_ratings(values, ids, 100)
    assert found.problem == problem
    expected = [None] * len(values) if problem else values
    assert list(found.ratings.values()) == expected


def test_on_a_short_scale_ratings_of_at_most_1_are_in_order() -> None:
    assert join_ratings([1, 1, 0], IDS, 5).ratings == {"q1": 1, "q2": 1, "q3": 0}


@pytest.mark.parametrize(
    ("values", "ratings", "invalid"),
    [
        ([120, 55], [None, 55], ("q0",)),
        ([-5, 50], [None, 50], ("q0",)),
        ([None, 50], [None, 50], ()),
    ],
)
def test_a_rating_off_the_scale_is_not_clamped_and_spares_the_others(
    values: list[Any], ratings: list[Any], invalid: tuple[str, ...]
) -> None:
    found = join_ratings(values, ["q0", "q1"], 100)
    assert list(found.ratings.values()) == ratings
    assert found.invalid == invalid
