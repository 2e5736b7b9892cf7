"""Submissions are read as far as they are certain: forms, encodings, duplicate keys, findings."""

import json
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from submission_values import (
    ASKED,
    OTHER,
    QUESTIONS,
    RATED,
    SECTION,
    SECTIONS,
    SET,
    TO_RATE,
    answers,
    codes,
    errors,
    ratings,
    read_value,
    texts,
)

from sensemaking.io.submission_codes import CODES
from sensemaking.io.submissions import read

# The forms of the three tracks


@pytest.mark.parametrize(
    "given",
    [
        [["What?", "This.", "That."], ["Why?"]],
        [{"question": "What?", "reference-answer": ["This.", "That."]}, {"question": "Why?"}],
        [["What?", "This.", "That."], "Why?"],
    ],
)
def test_each_form_of_a_teacher_gives_the_same_items(given: Any) -> None:
    found = read_value({SECTION: given})
    assert texts(found) == {0: ("What?", "This.", "That."), 1: ("Why?",)}
    assert {item.section_id for item in found.items} == {SECTION}
    assert not errors(found)
    assert not found.repairs


@pytest.mark.parametrize(
    "given",
    [
        [[QUESTIONS[0], "A part.", "A piece."], [QUESTIONS[1], "Rare ones."]],
        [
            {"question": QUESTIONS[0], "answer": ["A part.", "A piece."]},
            {"question": QUESTIONS[1], "answer": "Rare ones."},
        ],
    ],
)
@pytest.mark.parametrize("name", ["questions_by_Blue_PRIMARY.json", "answers_by_Blue_PRIMARY.json"])
def test_each_form_of_a_student_gives_the_same_items(given: Any, name: str) -> None:
    found = read_value({f"{SECTION}/{name}": given}, "student", ASKED)
    assert answers(found) == {0: "A part.", 1: "Rare ones."}
    assert found.items[0].alternatives == ("A piece.",)
    assert {item.key for item in found.items} == {SET}
    assert codes(found) == {"missing_items"}


def test_ratings_belong_to_the_answers_in_their_order() -> None:
    found = read_value({RATED: [[85, 20.5], [0], [100]]}, "evaluator", TO_RATE)
    assert ratings(found) == {0: [85.0, 20.5], 1: [0.0], 2: [100.0]}
    assert [item.rating for item in found.items] == [85.0, 0.0, 100.0]
    assert not found.findings


@pytest.mark.parametrize("prefix", ["", "testset/", "devset/", "./", "./testset/"])
@pytest.mark.parametrize("name", ["answers", "ratings"])
def test_evaluators_may_name_the_file_with_answers_or_ratings(prefix: str, name: str) -> None:
    key = prefix + RATED.replace("/answers_", f"/{name}_")
    found = read_value({key: [[1], [2], [3]]}, "evaluator", TO_RATE)
    assert ratings(found) == {0: [1.0], 1: [2.0], 2: [3.0]}
    assert {item.key for item in found.items} == {RATED}


@pytest.mark.parametrize(
    ("key", "known"),
    [
        ("questions.json", "questions.json"),
        ("answers.json", "questions.json"),
        ("questions.en.json", "questions.json"),
        ("questions_by_GOLD_PRIMARY.json", "questions.json"),
        ("questions.json", "questions_by_GOLD_PRIMARY.json"),
        ("answers_by_Red_PRIMARY_to_GOLD_PRIMARY.json", "questions.json"),
        ("questions", "questions.json"),
    ],
)
def test_the_expert_set_has_many_names(key: str, known: str) -> None:
    asked = {f"{SECTION}/{known}": QUESTIONS}
    found = read_value({f"{SECTION}/{key}": [[q, "a"] for q in QUESTIONS]}, "student", asked)
    assert len(found.items) == 3
    assert not found.findings


def test_a_team_whose_name_holds_the_divider_of_answers_is_found() -> None:
    asked = {f"{SECTION}/questions_by_text_to_quiz_PRIMARY.json": QUESTIONS}
    key = f"{SECTION}/answers_by_text_to_quiz_PRIMARY.json"
    found = read_value({key: [[QUESTIONS[0], "a"]]}, "student", asked)
    assert answers(found) == {0: "a"}


def test_without_known_items_counts_and_texts_are_not_checked() -> None:
    found = read_value({SET: [["Another question?", "a"]]}, "student")
    assert answers(found) == {0: "a"}
    assert codes(found) == {"not_checked"}
    assert not found.checked


def test_without_known_sections_each_path_is_taken_as_it_is() -> None:
    found = read_value({"testset/any/where/questions.json": [["What?"]]}, sections=None)
    assert [item.section_id for item in found.items] == ["any/where"]
    assert "not_checked" in codes(found)


def test_a_file_that_is_not_there_raises_and_names_it(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"nothing\.json"):
        read(tmp_path / "nothing.json", "teacher", SECTIONS)


def test_a_folder_in_place_of_a_file_is_a_finding(tmp_path: Path) -> None:
    found = read(tmp_path, "teacher", SECTIONS)
    assert errors(found) == {"unreadable"}
    assert not found.readable


def test_an_unknown_role_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown role 'judge'; known: teacher, student"):
        read("x.json", "judge", SECTIONS)  # type: ignore[arg-type]


def test_a_file_beyond_the_limit_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "questions.json"
    path.write_text(json.dumps({SECTION: [["What?"]]}))
    found = read(path, "teacher", SECTIONS, max_bytes=10)
    assert errors(found) == {"too_large"}
    assert not found.readable


# Encodings (sub-01)

ENCODED = '{"team": "blue", "answers": ["Київ"]}'


@pytest.mark.parametrize(
    "encoding",
    ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"],
)
def test_every_unicode_encoding_gives_the_same_items(encoding: str) -> None:
    found = read_value(ENCODED.encode(encoding), "student", sections=["answers"])
    assert answers(found) == {0: "Київ"}


def test_a_code_page_is_not_guessed_and_its_first_byte_is_named() -> None:
    found = read_value(ENCODED.encode("cp1251"), "student", sections=["answers"])
    assert not found.items
    finding = next(f for f in found.findings if f.code == "not_utf8")
    assert finding.severity == "error"
    assert "byte 30 (0xca)" in finding.message
    assert finding.file == "file.json"
    assert [f.path for f in found.findings if f.code == "undecodable_text"] == ["/answers/0"]


def test_one_bad_byte_costs_only_the_text_that_holds_it() -> None:
    text = json.dumps({SET: [[QUESTIONS[0], "Café."], [QUESTIONS[1], "Fine."]]}, ensure_ascii=False)
    found = read_value(text.encode("cp1252"), "student", ASKED)
    assert answers(found) == {1: "Fine."}
    assert [(item.position, item.status) for item in found.missing] == [(0, "invalid_item")]


def test_half_a_character_becomes_the_replacement_character_and_is_reported() -> None:
    found = read_value(b'{"%b": [["Wh\\ud83dat?"]]}' % SECTION.encode())
    assert texts(found) == {0: ("Wh\ufffdat?",)}
    assert [repair.rule for repair in found.repairs] == ["lone_surrogate"]


def test_utf16_with_half_a_unit_at_its_end_keeps_what_is_whole() -> None:
    data = json.dumps({SECTION: [["What?"]]}).encode("utf-16-le") + b"\x20"
    found = read_value(data)
    assert texts(found) == {0: ("What?",)}
    assert "not_utf8" in errors(found)


# Duplicate keys (sub-02)


def test_no_value_of_a_key_given_twice_is_chosen() -> None:
    data = (
        b'{"material_1": {"answers": ["a", "b"]}, "material_2": {"answers": ["c"]}, '
        b'"material_1": {"answers": ["x"]}}'
    )
    found = read_value(data, "student", sections=["material_1", "material_2"])
    assert [(item.section_id, item.answer) for item in found.items] == [("material_2", "c")]
    finding = next(f for f in found.findings if f.code == "duplicate_key")
    assert (finding.severity, finding.path) == ("error", "/material_1")
    assert "material_1" in finding.message


def test_equal_values_of_a_key_given_twice_are_read_once_with_a_warning() -> None:
    found = read_value(b'{"%b": [["Q?"]], "%b": [["Q?"]]}' % ((SECTION.encode(),) * 2))
    assert texts(found) == {0: ("Q?",)}
    assert "repeated_key" in codes(found, "warning")


def test_keys_that_are_equal_after_nfc_are_duplicates() -> None:
    composed = unicodedata.normalize("NFC", "Лекція_йод")
    decomposed = unicodedata.normalize("NFD", composed)
    assert composed != decomposed
    text = f'{{"{composed}": [["A?"]], "{decomposed}": [["B?"]], "{SECTION}": [["C?"]]}}'
    found = read_value(text.encode(), sections=[composed, SECTION])
    assert texts(found) == {0: ("C?",)}
    assert "duplicate_key" in errors(found)


def test_a_duplicate_deep_inside_refuses_that_item_only() -> None:
    data = (
        b'{"%b": [{"question": "A?", "reference-answer": "x", "question": "B?"}, ["C?"]]}'
        % SECTION.encode()
    )
    found = read_value(data)
    assert texts(found) == {1: ("C?",)}
    assert [f.path for f in found.findings if f.code == "duplicate_key"] == [
        "/nmt-class~1lecture01~1slide01/0/question"
    ]


def test_one_set_under_two_different_keys_is_refused_in_both() -> None:
    found = read_value(
        {SECTION: [["A?"]], f"testset/{SECTION}/questions.json": [["B?"]], OTHER: [["C?"]]}
    )
    assert [item.section_id for item in found.items] == [OTHER]
    assert [f.code for f in found.findings if f.severity == "error"] == ["same_set_twice"] * 2
    assert found.n_refused == 2


def test_one_set_under_two_keys_with_equal_values_is_read_once() -> None:
    found = read_value({SECTION: [["A?"]], f"devset/{SECTION}/questions.json": [["A?"]]})
    assert texts(found) == {0: ("A?",)}
    assert "repeated_set" in codes(found, "warning")
    assert not errors(found)


def test_a_value_nested_deeply_under_two_keys_is_compared_without_a_crash() -> None:
    nest = "[" * 950 + "]" * 950
    data = f'{{"{SECTION}": {nest}, "testset/{SECTION}": {nest}, "{OTHER}": ["A?"]}}'
    assert [item.section_id for item in read_value(data.encode()).items] == [OTHER]


# Everything at once


def test_all_faults_of_a_file_are_told_at_once() -> None:
    found = read_value(
        {SECTION: [[True], ["A?", 7], None], "nowhere/x": [["B?"]], OTHER: 5, "/abs": [["C?"]]}
    )
    assert codes(found) >= {
        "wrong_text",
        "number_for_text",
        "null_text",
        "unknown_section",
        "wrong_value",
        "absolute_path",
    }
    assert texts(found) == {1: ("A?", "7")}


def test_every_finding_says_what_was_found_expected_and_done() -> None:
    found = read_value({SECTION: [[True], ["A?", 7]], "nowhere/x": [["B?"]]})
    for finding in found.findings:
        assert finding.code in CODES
        assert finding.found
        assert finding.expected
        assert finding.action
        assert finding.found in finding.message
        assert finding.expected in finding.message
        assert set(finding.row()) == {
            "file", "json_pointer", "severity", "code", "message", "action",
        }  # fmt: skip


def test_the_page_for_participants_explains_every_code_as_it_is() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "submissions.md").read_text("utf-8")
    table = page.partition("<!-- codes: begin -->\n")[2].partition("<!-- codes: end -->")[0]
    lines = [
        f"| `{code}` | {kind.severity} | {kind.meaning} | {kind.action} | {kind.advice} |"
        for code, kind in CODES.items()
    ]
    assert table.splitlines()[2:] == lines
