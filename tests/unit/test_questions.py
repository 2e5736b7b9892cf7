import json
import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from sensemaking.findings import Finding
from sensemaking.ids import SetName, parse_question_id
from sensemaking.io import artifacts
from sensemaking.io.materials import scan
from sensemaking.question_texts import texts_of
from sensemaking.questions import (
    ReadQuestions,
    declared_teams,
    question_row,
    read_questions,
    reference_answers,
)
from sensemaking.schemas import ANSWERS, FINDINGS, QUESTIONS

Files = Mapping[str, Any]
BAD_SIDES = ("Blue", "Blue _PRIMARY", "B#e_PRIMARY", "Blue_SHUFFLEDXPRIMARY", "", "A_")


def read(root: Path, files: Files, language: str = "en", declared: Any = None) -> ReadQuestions:
    """Write sets (values as JSON, bytes as they are) and read them; all must fit its artifact."""
    for name, content in files.items():
        path = root / "kind" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        data = content if isinstance(content, bytes) else json.dumps(content).encode()
        path.write_bytes(data)
    found = read_questions(scan(root, "kind").folders, language, declared)
    artifacts.to_table(QUESTIONS, found.rows)
    artifacts.to_table(FINDINGS, [finding.row() for finding in found.findings])
    return found


def sets(found: ReadQuestions) -> set[tuple[str, str, str]]:
    return {(row["teacher"], row["submission"], row["variant"]) for row in found.rows}


def codes(found: ReadQuestions) -> list[tuple[str, str]]:
    return [(finding.file, finding.code) for finding in found.findings]


def by_position(found: ReadQuestions, *columns: str) -> list[tuple[Any, ...]]:
    rows = sorted(found.rows, key=lambda row: row["question_id"])
    return [tuple(row[column] for column in columns) for row in rows]


def test_the_expert_set_gives_a_row_for_each_question(tmp_path: Path) -> None:
    found = read(tmp_path, {"ch/s/questions.json": [["Why?", "a", "b"], "Who?"]})
    assert found.rows[0] == {
        "question_id": "kind/ch/s/questions_by_GOLD_PRIMARY#000",
        "section_id": "kind/ch/s",
        "teacher": "GOLD",
        "submission": "PRIMARY",
        "variant": "genuine",
        "origin_question_id": None,
        "position": 0,
        "question": "Why?",
        "references": ["a", "b"],
        "question_original": "Why?",
        "references_original": ["a", "b"],
        "language": "en",
        "status": "ok",
    }
    assert (found.rows[1]["question"], found.rows[1]["references"]) == ("Who?", [])
    assert found.findings == []


def test_an_english_version_is_joined_item_by_item(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        {
            "s/questions.json": [["Proč?", "protože"], ["Kdo?", "ona"]],
            "s/questions.en.json": [["Why?", "because"], ["Who?", "she", "her"]],
        },
        "cs",
    )
    assert by_position(found, "question", "references", "question_original", "language") == [
        ("Why?", ["because"], "Proč?", "cs"),
        ("Who?", ["she", "her"], "Kdo?", "cs"),
    ]
    assert found.rows[1]["references_original"] == ["ona"]
    assert {row["status"] for row in found.rows} == {"ok"}


def test_a_set_without_an_english_version_is_not_translated(tmp_path: Path) -> None:
    found = read(tmp_path, {"s/questions.json": [["Proč?", "a"], "", [True]]}, "cs")
    assert by_position(found, "question", "question_original", "status") == [
        (None, "Proč?", "not_translated"),
        (None, None, "blank"),
        (None, None, "invalid_item"),
    ]


def test_an_english_version_of_another_length_joins_no_item_wrongly(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        {
            "s/questions.json": [["Proč?", "a"], ["Kdo?", "b"]],
            "s/questions.en.json": [["Who?", "b"]],
        },
        "cs",
    )
    assert by_position(found, "question", "references", "question_original", "status") == [
        (None, [], "Proč?", "english_count_mismatch"),
        (None, [], "Kdo?", "english_count_mismatch"),
    ]
    (finding,) = found.findings
    assert finding.code == "english_count_mismatch"
    assert "1 items, but questions.json has 2" in finding.message


def test_blank_and_broken_items_of_either_version_shift_no_other(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        {
            "s/questions.json": ["Proč?", "", [True], "Kdy?", "Kde?"],
            "s/questions.en.json": ["Why?", "Who?", "How?", "", {"x": 1}],
        },
        "cs",
    )
    assert by_position(found, "position", "question", "question_original", "status") == [
        (0, "Why?", "Proč?", "ok"),
        (1, "Who?", None, "ok"),
        (2, "How?", None, "ok"),
        # The question is there, its translation is what is missing.
        (3, None, "Kdy?", "not_translated"),
        (4, None, "Kde?", "invalid_item"),
    ]


def test_an_english_version_alone_is_the_set(tmp_path: Path) -> None:
    found = read(tmp_path, {"s/questions.en.json": [["Why?", "a"], ""]}, "cs")
    assert by_position(found, "question", "references", "question_original", "status") == [
        ("Why?", ["a"], None, "ok"),
        (None, [], None, "blank"),
    ]
    assert {row["language"] for row in found.rows} == {"cs"}


@pytest.mark.parametrize("broken", ["questions.json", "questions.en.json"])
def test_a_broken_version_leaves_the_other_usable(tmp_path: Path, broken: str) -> None:
    good: Files = {"s/questions.json": ["Proč?"], "s/questions.en.json": ["Why?"]}
    found = read(tmp_path, {**good, f"s/{broken}": b'["Why'}, "cs")
    assert codes(found) == [(f"kind/s/{broken}", "not_json")]
    expected = (
        ("Why?", None, "ok") if broken == "questions.json" else (None, "Proč?", "not_translated")
    )
    assert by_position(found, "question", "question_original", "status") == [expected]


def test_an_english_kind_reads_the_plain_set_and_tells_of_the_other(tmp_path: Path) -> None:
    files = {"s/questions.json": ["Why?"], "s/questions.en.json": ["Wherefore?"]}
    found = read(tmp_path, files)
    assert [row["question"] for row in found.rows] == ["Why?"]
    assert codes(found) == [("kind/s/questions.en.json", "superfluous_file")]
    (tmp_path / "kind/s/questions.json").unlink()
    assert [row["question"] for row in read(tmp_path, {}).rows] == ["Wherefore?"]


def test_a_broken_set_leaves_the_sets_beside_it_and_other_sections_alone(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        {
            "a/questions.json": b'["Why',
            "a/questions_by_Blue_PRIMARY.json": ["How?"],
            "b/questions.json": ["Who?"],
        },
    )
    assert [(row["section_id"], row["teacher"]) for row in found.rows] == [
        ("kind/a", "Blue"),
        ("kind/b", "GOLD"),
    ]
    assert codes(found) == [("kind/a/questions.json", "not_json")]


def test_a_set_that_cannot_be_opened_after_all_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read(tmp_path, {"a/questions.json": ["Why?"], "b/questions.json": ["Who?"]})
    read_bytes = Path.read_bytes

    def failing(path: Path) -> bytes:
        if path.parent.name == "a":
            raise OSError(5, "Input/output error")
        return read_bytes(path)

    monkeypatch.setattr(Path, "read_bytes", failing)
    found = read(tmp_path, {})
    assert [row["question"] for row in found.rows] == ["Who?"]
    assert codes(found) == [("kind/a/questions.json", "unreadable")]


def test_adversarial_names_are_read_by_what_the_team_is_known_to_have(tmp_path: Path) -> None:
    names = ("blue_team_PRIMARY", "blue_team_Qwen", "Red_PRIMARY")
    shuffled = ("blue_team_SHUFFLEDWCPRIMARY", "blue_team_SHUFFLEDCQwen", "Red_SHUFFLEDRTPRIMARY")
    files = {f"s/questions_by_{name}.json": ["Why?"] for name in (*names, *shuffled)}
    found = read(tmp_path, files)
    assert sets(found) == {
        ("blue_team", "PRIMARY", "genuine"),
        ("blue_team", "Qwen", "genuine"),
        ("Red", "PRIMARY", "genuine"),
        ("blue_team", "PRIMARY", "WC"),
        ("blue_team", "Qwen", "C"),
        ("Red", "PRIMARY", "RT"),
    }
    assert found.findings == []


def test_an_adversarial_set_is_read_by_a_genuine_one_of_another_section(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        {
            "a/questions_by_Blue_new.json": ["Why?"],
            "b/questions_by_Blue_SHUFFLEDWCnew.json": ["?yhW"],
        },
    )
    assert ("Blue", "new", "WC") in sets(found)
    assert found.findings == []


def test_the_english_version_of_a_set_tells_of_the_team_too(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        {
            "s/questions_by_Blue_new.en.json": ["Why?"],
            "s/questions_by_Blue_SHUFFLEDWCnew.json": ["čorP"],
        },
        "cs",
    )
    assert sets(found) == {("Blue", "new", "genuine"), ("Blue", "new", "WC")}


def test_ambiguous_names_are_refused_and_the_other_sets_read(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        {
            "s/questions.json": ["Why?"],
            "s/questions_by_Blue_SHUFFLEDWCnew.json": ["?yhW"],
            "s/questions_by_Red_PRIMARY.json": ["How?"],
            "s/questions_by_Red_CPRIMARY.json": ["Who?"],
            "s/questions_by_Red_SHUFFLEDWCPRIMARY.json": ["?ohW"],
        },
    )
    assert sets(found) == {
        ("GOLD", "PRIMARY", "genuine"),
        ("Red", "PRIMARY", "genuine"),
        ("Red", "CPRIMARY", "genuine"),
    }
    assert codes(found) == [
        ("kind/s/questions_by_Blue_SHUFFLEDWCnew.json", "ambiguous_name"),
        ("kind/s/questions_by_Red_SHUFFLEDWCPRIMARY.json", "ambiguous_name"),
    ]
    assert {finding.action for finding in found.findings} == {"the file is left out"}


def test_what_the_configuration_declares_decides(tmp_path: Path) -> None:
    files = {
        "s/questions_by_blue_team_student_v2.json": ["Why?"],
        "s/questions_by_Blue_SHUFFLEDWCnew.json": ["?yhW"],
    }
    declared = declared_teams([("blue_team", "student_v2"), ("Blue", "new"), ("Blue", "other")])
    assert declared == {"blue_team": {"student_v2"}, "Blue": {"new", "other"}}
    found = read(tmp_path, files, declared=declared)
    assert sets(found) == {("blue_team", "student_v2", "genuine"), ("Blue", "new", "WC")}
    assert found.findings == []


def test_a_name_that_is_only_guessed_is_read_and_told_once(tmp_path: Path) -> None:
    files = {f"{s}/questions_by_blue_team_v2.json": ["Why?"] for s in ("a", "b")}
    found = read(tmp_path, files)
    assert sets(found) == {("blue_team", "v2", "genuine")}
    assert [finding.code for finding in found.findings] == ["guessed_name"]
    assert "submission 'v2' of the team 'blue_team'" in found.findings[0].message


def test_an_adversarial_set_of_an_unknown_submission_is_read_with_a_warning(tmp_path: Path) -> None:
    found = read(tmp_path, {"s/questions_by_Blue_SHUFFLEDCQwen.json": ["?yhW"]})
    assert sets(found) == {("Blue", "Qwen", "C")}
    assert codes(found) == [("kind/s/questions_by_Blue_SHUFFLEDCQwen.json", "unknown_submission")]


@pytest.mark.parametrize(
    "name",
    [f"questions_by_{side}.json" for side in BAD_SIDES],
)
def test_a_name_that_no_id_can_hold_leaves_out_the_file_and_not_the_kind(
    tmp_path: Path, name: str
) -> None:
    found = read(tmp_path, {f"s/{name}": ["Why?"], "s/questions.json": ["Who?"]})
    assert sets(found) == {("GOLD", "PRIMARY", "genuine")}
    assert codes(found) == [(f"kind/s/{name}", "bad_name")]


@pytest.mark.parametrize("team", ["road_to_rome", "go_to_", "NA", "null", "007", "a.b", "c++"])
def test_any_team_name_goes_through_questions_and_reference_answers(
    tmp_path: Path, team: str
) -> None:
    found = read(tmp_path, {f"s/questions_by_{team}_PRIMARY.json": [["Why?", "because"]]})
    assert sets(found) == {(team, "PRIMARY", "genuine")}
    (answer,) = reference_answers(found.rows)
    artifacts.to_table(ANSWERS, [answer])
    assert (answer["student"], answer["answer"]) == (team, "because")


def test_one_set_in_two_files_is_read_once_and_told(tmp_path: Path) -> None:
    files = {"s/questions.json": ["Why?"], "s/questions_by_GOLD_PRIMARY.json": ["Who?"]}
    found = read(tmp_path, files)
    assert [row["question"] for row in found.rows] == ["Why?"]
    assert codes(found) == [("kind/s/questions_by_GOLD_PRIMARY.json", "set_twice")]
    assert "already as questions.json" in found.findings[0].message


def test_the_expert_set_may_have_its_long_name(tmp_path: Path) -> None:
    files = {"s/questions_by_GOLD_PRIMARY.json": ["Proč?"], "s/questions.en.json": ["Why?"]}
    found = read(tmp_path, files, "cs")
    assert by_position(found, "teacher", "question", "question_original") == [
        ("GOLD", "Why?", "Proč?")
    ]
    assert found.findings == []


def test_a_decomposed_file_name_gives_the_composed_team(tmp_path: Path) -> None:
    name = unicodedata.normalize("NFD", "questions_by_Йод_PRIMARY.json")
    found = read(tmp_path, {f"s/{name}": ["Why?"]})
    assert sets(found) == {(unicodedata.normalize("NFC", "Йод"), "PRIMARY", "genuine")}


def test_shuffled_questions_have_their_origin_and_replaced_ones_have_none(tmp_path: Path) -> None:
    names = ["PRIMARY", *(f"SHUFFLED{code}PRIMARY" for code in ("W", "C", "WC", "RT", "Q"))]
    found = read(tmp_path, {f"s/questions_by_A_{name}.json": ["Why?", "Who?"] for name in names})
    origins = {(row["variant"], row["position"]): row["origin_question_id"] for row in found.rows}
    for code in ("W", "C", "WC"):
        assert origins[code, 1] == "kind/s/questions_by_A_PRIMARY#001"
    for code in ("genuine", "RT", "Q"):
        assert origins[code, 1] is None


def test_every_question_id_can_be_read_back(tmp_path: Path) -> None:
    names = ("my_team_PRIMARY", "my_team_SHUFFLEDQPRIMARY", "B_Qwen", "GOLD_PRIMARY")
    found = read(tmp_path, {f"a b/questions_by_{name}.json": ["Why?"] for name in names})
    known = {"my_team": {"PRIMARY"}, "B": {"Qwen"}}
    assert len(found.rows) == 4
    for row in found.rows:
        assert parse_question_id(row["question_id"], known) == (
            *(row["section_id"], row["teacher"], row["submission"]),
            *(row["variant"], row["position"]),
        )


def test_rows_and_findings_do_not_depend_on_the_order_of_the_folders(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        {
            "a/questions_by_x_y_v_1.json": ["Why?"],
            "b/questions_by_x_y_PRIMARY.json": ["Who?", ""],
            "c/questions_by_Blue_SHUFFLEDWCnew.json": ["?"],
        },
    )
    backward = read_questions(scan(tmp_path, "kind").folders[::-1], "en")
    key = "question_id"
    assert sorted(found.rows, key=lambda r: r[key]) == sorted(backward.rows, key=lambda r: r[key])
    assert found.findings == backward.findings
    assert ("x_y", "v_1", "genuine") in sets(found)


def rows_of(name: SetName, *items: tuple[str | None, list[str]]) -> list[dict[str, Any]]:
    return [
        question_row("s", name, n, question=q, references=r, status="ok" if q else "blank")
        for n, (q, r) in enumerate(items)
    ]


def test_first_references_are_the_answers_and_further_ones_their_alternatives() -> None:
    gold = rows_of(SetName("GOLD", "PRIMARY", "genuine"), ("Why?", ["a", "b", "c"]), ("Who?", []))
    team = rows_of(SetName("Blue", "PRIMARY", "genuine"), ("Why?", ["d"]))
    found = reference_answers([*gold, *team])
    artifacts.to_table(ANSWERS, found)
    assert [(r["student"], r["scenario"], r["answer"], r["alternatives"]) for r in found] == [
        ("GOLD", "genuine", "a", ["b", "c"]),
        ("Blue", "reference", "d", []),
    ]
    assert [row["answer_id"] for row in found] == [
        "s/answers_by_GOLD_PRIMARY_to_GOLD_PRIMARY#000",
        "s/answers_by_Blue_PRIMARY_to_Blue_PRIMARY_SCENARIO-reference#000",
    ]
    assert found[0]["question_id"] == "s/questions_by_GOLD_PRIMARY#000"


def test_blank_and_adversarial_questions_have_no_reference_answers() -> None:
    blank = rows_of(SetName("GOLD", "PRIMARY", "genuine"), (None, ["a"]))
    shuffled = rows_of(SetName("Blue", "PRIMARY", "W"), ("?yhW", ["a"]))
    assert reference_answers([*blank, *shuffled]) == []


def test_reference_answers_come_out_alike_from_a_written_artifact(tmp_path: Path) -> None:
    rows = rows_of(SetName("GOLD", "PRIMARY", "genuine"), ("Why?", ["a", "b"]), (None, ["c"]))
    artifacts.write(QUESTIONS, tmp_path / "q.parquet", rows)
    read_back = artifacts.read(QUESTIONS, tmp_path / "q.parquet").to_dict("records")
    assert reference_answers(read_back) == reference_answers(rows)
    assert texts_of(read_back) == {"s/questions_by_GOLD_PRIMARY#000": "Why?"}


def test_texts_are_those_of_genuine_questions_that_have_one() -> None:
    rows = [
        *rows_of(SetName("A", "PRIMARY", "genuine"), ("Why?", []), (None, []), ("  ", [])),
        *rows_of(SetName("A", "PRIMARY", "WC"), ("?yhW", [])),
    ]
    assert texts_of(rows) == {"s/questions_by_A_PRIMARY#000": "Why?"}


def test_a_finding_gives_the_columns_of_its_artifact() -> None:
    row = Finding("f", "/0", "code", "error", "message", "action").row()
    assert sorted(row) == sorted(FINDINGS.names)
