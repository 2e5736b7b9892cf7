"""Damaged JSON: what is whole is kept, what may be a part of something is not, nothing raises."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from sensemaking.io.json_nodes import MAX_DEPTH, CutList, CutObject, NotJson, Number
from sensemaking.io.json_reading import Document, read_json
from sensemaking.io.json_tolerant import parse_damaged
from sensemaking.io.submission_model import EvaluatorItem, Role, Submission
from sensemaking.io.submissions import read_bytes

SECTIONS = ("kind/s1", "kind/s2", "kind/s3")
WORDS = ("ab", "cd", "ef")


def is_section(key: str) -> bool:
    return key.startswith("kind/")


def read_text(text: str, role: Role = "teacher") -> Submission:
    return read_bytes(text.encode(), role, SECTIONS, file="file.json")


def document(text: str) -> Document:
    return read_json(text, is_section)


def problems(text: str) -> list[str]:
    return [problem.code for problem in document(text).problems]


def content(submission: Submission) -> dict[tuple[str, int], tuple[Any, ...]]:
    return {
        (item.section_id, item.position): tuple(rating.value for rating in item.ratings)
        if isinstance(item, EvaluatorItem)
        else item.texts
        for item in submission.items
    }


def errors(submission: Submission) -> list[str]:
    return [finding.code for finding in submission.findings if finding.severity == "error"]


# The two readers agree


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "[]",
        '{"a": [1, -2.5, 1e3, 0], "b": {"c": [true, false, null]}}',
        '{"d": "x\\n\\u00e9\\ud83d\\ude00"}',
        '[[[]], {}, [{"a": []}], ""]',
        ' \t\r\n{ "a" : [ 1 , 2 ] } \n',
        '{"a": 1, "b": {"é": 1}}',
        '["\\ud800", "\\/", "\\\\"]',
    ],
)
def test_the_tolerant_reader_agrees_with_json_on_well_formed_texts(text: str) -> None:
    value, found, readable = parse_damaged(text)
    assert readable
    assert found == []
    assert read_json(text) == Document(value, (), True)


def test_numbers_keep_their_digits() -> None:
    text = "[1.0, 1.50, -0, 1E5, " + "9" * 400 + "]"
    literals = ["1.0", "1.50", "-0", "1E5", "9" * 400]
    assert document(text).value == [Number(literal) for literal in literals]


def test_a_number_beyond_any_double_is_infinite_and_raises_nothing() -> None:
    assert Number("9" * 5000).value == float("inf")
    assert Number("1e-5000").value == 0.0


# What has one meaning is mended


@pytest.mark.parametrize(
    ("text", "value", "code"),
    [
        ('{"kind/a": ["x",],}', {"kind/a": ["x"]}, "trailing_comma"),
        ('{"kind/a": [["x"] ["y"]]}', {"kind/a": [["x"], ["y"]]}, "missing_comma"),
        ('{"kind/a": ["x"] "kind/b": ["y"]}', {"kind/a": ["x"], "kind/b": ["y"]}, "missing_comma"),
        ('{"kind/a": ["x" /* y */]} // z', {"kind/a": ["x"]}, "comment"),
        ('{"kind/a":\u00a0["x"]}', {"kind/a": ["x"]}, "stray_character"),
        ('{"kind/a": ["x\\y"]}', {"kind/a": ["x\\y"]}, "invalid_escape"),
        ('{"kind/a": ["x\\u12"]}', {"kind/a": ["x\\u12"]}, "invalid_escape"),
        ('{"kind/a": ["x\ny"]}', {"kind/a": ["x\ny"]}, "control_character"),
        ('{"kind/a": [None, True]}', {"kind/a": [None, True]}, "python_word"),
        ('{"kind/a": [007]}', {"kind/a": [Number("007")]}, "number_form"),
        ('{"kind/a": [+5]}', {"kind/a": [Number("+5")]}, "number_form"),
        ('{"kind/a": [.5]}', {"kind/a": [Number(".5")]}, "number_form"),
        ('```json\n{"kind/a": ["x"]}\n```', {"kind/a": ["x"]}, "text_around_json"),
        ('Here it is: {"kind/a": ["x"]}', {"kind/a": ["x"]}, "text_around_json"),
        ('{"kind/a": []}\n{"kind/b": []}', {"kind/a": [], "kind/b": []}, "several_objects"),
        ('{"kind/a": ["x"]},\n{"kind/b": []}', {"kind/a": ["x"], "kind/b": []}, "several_objects"),
    ],
)  # fmt: skip
def test_a_slip_with_one_meaning_is_mended_and_told(text: str, value: Any, code: str) -> None:
    found = document(text)
    assert found.value == value
    assert {problem.code for problem in found.problems} == {code}
    assert all(problem.after is not None for problem in found.problems)


@pytest.mark.parametrize("literal", ["NaN", "Infinity", "-Infinity", "nan", "undefined"])
def test_words_that_are_no_values_are_told_apart_from_texts_and_null(literal: str) -> None:
    assert document(f'{{"kind/a": [{literal}, 1]}}').value == {
        "kind/a": [NotJson(literal), Number("1")]
    }


def test_a_problem_is_told_with_line_and_column() -> None:
    found = document('{"kind/a": [\n  "x",\n  ]}').problems[0]
    assert found.pointer == "/kind~1a"
    assert "line 3, column 3" in found.found


# What has none is refused, and the rest is kept


def test_after_a_fault_reading_goes_on_at_the_next_known_key() -> None:
    found = read_text('{"kind/s1": [["a","b"], ["c" oops]], "kind/s2": [["d","e"]]}')
    assert content(found) == {("kind/s1", 0): ("a", "b"), ("kind/s2", 0): ("d", "e")}
    assert errors(found) == ["not_json"]


def test_a_quote_inside_a_text_costs_that_item_alone() -> None:
    found = read_text('{"kind/s1": [["a"], ["He said "yes", "b"]], "kind/s2": [["d"]]}')
    assert content(found) == {("kind/s1", 0): ("a",), ("kind/s2", 0): ("d",)}


def test_a_word_between_two_items_costs_neither_the_one_before_nor_more() -> None:
    found = read_text('{"kind/s1": [["a","b"], oops, ["c"]], "kind/s2": [["d","e"]]}')
    assert content(found) == {("kind/s1", 0): ("a", "b"), ("kind/s2", 0): ("d", "e")}


def test_a_key_in_a_text_is_no_place_to_go_on_at() -> None:
    found = read_text('{"kind/s1": [["a" oops, "see \\"kind/s2\\": [1]"]], "kind/s3": ["b"]}')
    assert content(found) == {("kind/s3", 0): ("b",)}


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ('{"kind/s1": [["a"], ["b"], ["c', {0: ("a",), 1: ("b",)}),
        ('{"kind/s1": [["a"], ["b"], ["c"', {0: ("a",), 1: ("b",)}),
        ('{"kind/s1": [["a"], ["b"], ["c"]', {0: ("a",), 1: ("b",), 2: ("c",)}),
        ('{"kind/s1": ["a", "b", "c', {0: ("a",), 1: ("b",)}),
        ('{"kind/s1": ["a", "b", "c"', {0: ("a",), 1: ("b",), 2: ("c",)}),
        ('{"kind/s1": [{"question": "a"}, {"question": "b"', {0: ("a",)}),
    ],
)
def test_of_a_file_that_was_cut_the_whole_items_are_kept(
    text: str, kept: dict[int, tuple[str, ...]]
) -> None:
    found = read_text(text)
    assert content(found) == {("kind/s1", position): texts for position, texts in kept.items()}
    assert errors(found) == ["truncated"]


def test_a_number_at_the_end_of_a_file_that_was_cut_is_never_stored() -> None:
    key = '"kind/s1/answers_by_A_PRIMARY_to_B_PRIMARY.json"'
    found = read_bytes(f"{{{key}: [80, 75, 9".encode(), "evaluator", SECTIONS, file="ratings.json")
    assert content(found) == {
        ("kind/s1", 0): (80.0,),
        ("kind/s1", 1): (75.0,),
    }


def test_ratings_of_a_file_that_was_cut_are_not_joined_to_known_items() -> None:
    key = "kind/s1/answers_by_A_PRIMARY_to_B_PRIMARY.json"
    found = read_bytes(
        f'{{"{key}": [[80], [75], [9'.encode(),
        "evaluator",
        SECTIONS,
        {key: ["Q1?", "Q2?", "Q3?"]},
        file="ratings.json",
    )
    assert not found.items
    assert set(errors(found)) == {"truncated", "count_mismatch"}


@pytest.mark.parametrize("text", ["{'kind/s1': [['a']]}", "kind/s1: a", "<html></html>", "nothing"])
def test_what_is_no_json_at_all_is_unreadable_and_says_where(text: str) -> None:
    found = read_text(text)
    assert not found.readable
    assert errors(found) == ["not_json"]
    assert "line 1" in found.findings[0].message


@pytest.mark.parametrize("text", ["", " ", "\n\n", "\ufeff"])
def test_an_empty_file_is_unreadable(text: str) -> None:
    found = read_text(text)
    assert not found.readable
    assert errors(found) == ["empty_file"]


def test_json_that_was_encoded_twice_is_read() -> None:
    found = read_text(json.dumps(json.dumps({"kind/s1": [["a"]]})))
    assert content(found) == {("kind/s1", 0): ("a",)}
    assert [repair.rule for repair in found.repairs] == ["double_encoded"]


def test_a_list_of_objects_is_read_as_one() -> None:
    found = read_text(json.dumps([{"kind/s1": [["a"]]}, {"kind/s2": [["b"]]}]))
    assert content(found) == {("kind/s1", 0): ("a",), ("kind/s2", 0): ("b",)}


def test_without_known_sections_reading_goes_on_at_the_next_path_of_a_file() -> None:
    text = '{"x/questions.json": [["a" oops]], "not/a path": [1], "y/questions.json": [["b"]]}'
    found = read_bytes(text.encode(), "teacher", None, file="file.json")
    assert content(found) == {("y", 0): ("b",)}


def test_a_comment_without_an_end_after_the_object_is_told() -> None:
    found = read_text('{"kind/s1": [["a"]]} /* and then')
    assert content(found) == {("kind/s1", 0): ("a",)}
    assert {finding.code for finding in found.findings} >= {"comment"}


# Depth and size


@pytest.mark.parametrize("depth", [MAX_DEPTH, 900, 10_000, 100_000])
def test_a_value_of_any_depth_costs_only_itself(depth: int) -> None:
    nest = "[" * depth + "]" * depth
    found = read_text(f'{{"kind/s1": [["a"], {nest}], "kind/s2": [["b"]]}}')
    assert content(found) == {("kind/s1", 0): ("a",), ("kind/s2", 0): ("b",)}
    assert errors(found)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 10_000 + "]" * 10_000,
        "[" * 10_000,
        '{"a":' * 10_000 + "1" + "}" * 10_000,
        '{"a":' * 10_000,
        '{"kind/s1": ' + '{"a":' * 500 + "1" + "}" * 501,
    ],
)
def test_depth_alone_is_a_finding_and_no_crash(text: str) -> None:
    found = read_text(text)
    assert not found.items
    assert errors(found)


def test_a_value_that_is_too_deep_is_told_as_such() -> None:
    found = read_text('{"kind/s1": ' + "[" * 10_000 + "]" * 10_000 + "}")
    assert "too_deep" in errors(found)


def test_duplicates_of_any_depth_are_compared_without_a_crash() -> None:
    # Somewhere on the way reading still works and comparing does not.
    for depth in range(850, 1000):
        nest = "[" * depth + "]" * depth
        found = read_text(f'{{"kind/s1": {nest}, "kind/s1": {nest}, "kind/s2": [["b"]]}}')
        assert content(found) == {("kind/s2", 0): ("b",)}


def test_a_large_file_is_read_whole() -> None:
    items = [[f"Question {number}?", "x" * 200] for number in range(10_000)]
    found = read_text(json.dumps({"kind/s1": items}))
    assert len(found.items) == 10_000
    assert found.items[9_999].texts == ("Question 9999?", "x" * 200)


# One character too many or too few, everywhere

FORMS: dict[str, tuple[Role, Any]] = {
    "lists": (
        "teacher",
        {
            f"{section}/questions.json": [
                [f"what {section[-1]} {word}", f"this {word} x", f"more {word}"] for word in WORDS
            ]
            for section in SECTIONS
        },
    ),
    "objects": (
        "teacher",
        {
            section: [
                {"question": f"what {section[-1]} {word}", "reference-answer": f"this {word}"}
                for word in WORDS
            ]
            for section in SECTIONS
        },
    ),
    "texts": (
        "teacher",
        {section: [f"what {section[-1]} {word}" for word in WORDS] for section in SECTIONS},
    ),
    "one item": ("teacher", {section: [["whatq", "thisa"]] for section in SECTIONS}),
    "ratings": (
        "evaluator",
        {
            f"{section}/answers_by_A_PRIMARY_to_B_PRIMARY.json": [[80, 70], [60], [50]]
            for section in SECTIONS
        },
    ),
}


def damaged(text: str) -> Iterator[tuple[str, str]]:
    """Yield the text with one sign of JSON taken out or put in, outside of its words."""
    in_string = False
    for place, char in enumerate(text):
        if char in '"[],:{}' and (char == '"' or not in_string):
            yield f"without {char} at {place}", text[:place] + text[place + 1 :]
        in_word = in_string or (char.isdigit() and text[place - 1].isdigit())
        for sign in '"' if in_word else '"[],:{}':
            yield f"with {sign} at {place}", text[:place] + sign + text[place:]
        if char == '"':
            in_string = not in_string


@pytest.mark.parametrize("form", FORMS)
def test_one_wrong_sign_anywhere_invents_nothing_and_spares_the_other_sections(form: str) -> None:
    role, value = FORMS[form]
    text = json.dumps(value)
    whole = content(read_text(text, role))
    assert len({section for section, _ in whole}) == len(SECTIONS)
    count = 0
    for how, broken in damaged(text):
        kept = content(read_text(broken, role))
        invented = {place: texts for place, texts in kept.items() if whole.get(place) != texts}
        assert not invented, how
        spared = {section for section, _ in kept}
        assert len(spared) >= len(SECTIONS) - 1, how
        count += 1
    assert count > 100


@pytest.mark.parametrize("form", FORMS)
def test_a_file_cut_anywhere_keeps_the_items_that_ended_before(form: str) -> None:
    role, value = FORMS[form]
    text = json.dumps(value)
    whole = content(read_text(text, role))
    fewest = 0
    for place in range(len(text)):
        found = read_text(text[:place], role)
        kept = content(found)
        assert kept.items() <= whole.items()
        # Reading on never loses what was whole before.
        assert len(kept) >= fewest
        fewest = len(kept)
    assert fewest == len(whole)


def test_a_cut_list_and_object_are_told_apart_from_whole_ones() -> None:
    value = document('{"kind/s1": {"a": ["x"').value
    assert isinstance(value, CutObject)
    assert isinstance(value["kind/s1"], CutObject)
    assert isinstance(value["kind/s1"]["a"], CutList)
