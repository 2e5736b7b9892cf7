"""The command line: exit codes, what is shown, and JSON for other programs."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sensemaking.cli import main
from sensemaking.verifiable import generate

SECTION = "kind/section"


@pytest.fixture
def materials(tmp_path: Path) -> Path:
    folder = tmp_path / "materials" / "kind" / "section"
    folder.mkdir(parents=True)
    (folder / "questions.json").write_text('[["Why?", "So."], ["How?"]]', encoding="utf-8")
    (folder / "answers_by_Red_PRIMARY_to_GOLD_PRIMARY.json").write_text(
        '[["Why?", "So."], ["How?", "Thus."]]', encoding="utf-8"
    )
    return tmp_path / "materials"


def write(tmp_path: Path, name: str, value: Any) -> str:
    path = tmp_path / name
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ({f"{SECTION}/questions.json": [["Why?", "a"], ["How?", "b"]]}, 0),
        ({f"{SECTION}/questions.json": [["Why?", 7], ["How?", None]]}, 0),
        ({f"{SECTION}/questions.json": [["Why?", "a"], ["What?", "b"]]}, 1),
        ({"nowhere": [["Why?", "a"]]}, 1),
        ("[]", 2),
        ("nothing", 2),
        ("", 2),
    ],
)
def test_the_exit_code_says_clean_refused_or_unreadable(
    tmp_path: Path, materials: Path, content: Any, code: int
) -> None:
    file = write(tmp_path, "answers.json", content)
    assert main(["check", file, "--materials", str(materials)]) == code


def test_the_worst_file_gives_the_exit_code(tmp_path: Path) -> None:
    good = write(tmp_path, "questions.json", {SECTION: [["Why?"]]})
    bad = write(tmp_path, "questions_B.json", {SECTION: [[True]]})
    assert main(["check", good]) == 0
    assert main(["check", good, bad]) == 1
    assert main(["check", good, str(tmp_path / "answers.json"), bad]) == 2


def test_what_is_shown_names_file_place_and_figures(
    tmp_path: Path, materials: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(
        tmp_path, "answers.json", {f"{SECTION}/questions.json": [["Why?", 7], ["X?", "b"]]}
    )
    main(["check", file, "--materials", str(materials)])
    shown = capsys.readouterr().out
    assert file in shown
    assert "error unknown_question" in shown
    assert "warning number_for_text" in shown
    assert "/kind~1section~1questions.json/0/1: found the number 7; expected a text" in shown
    assert "1 items in 1 sections, 1 repaired, 0 empty or invalid, 1 refused" in shown
    assert "50.0 % valid" in shown
    assert shown.index("unknown_question") < shown.index("number_for_text")


def test_of_many_findings_of_a_kind_three_are_shown_unless_all_are_wanted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(tmp_path, "questions.json", {SECTION: [[7] for _ in range(10)]})
    main(["check", file])
    assert "number_for_text × 10" in (short := capsys.readouterr().out)
    assert "and 7 more" in short
    main(["check", file, "--all"])
    assert capsys.readouterr().out.count("found the number 7") == 10


def test_json_holds_findings_repairs_and_figures(
    tmp_path: Path, materials: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(tmp_path, "answers.json", {f"{SECTION}/questions.json": [["Why?", 7]]})
    assert main(["check", file, "--materials", str(materials), "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert found["role"] == "student"
    assert found["summary"]["items"] == 1
    assert found["summary"]["expected"] == 2
    assert found["summary"]["valid_share"] == 0.5
    assert {finding["code"] for finding in found["findings"]} == {
        "number_for_text",
        "missing_items",
    }
    finding = next(f for f in found["findings"] if f["code"] == "number_for_text")
    assert finding["path"] == "/kind~1section~1questions.json/0/1"
    assert (finding["severity"], finding["found"], finding["expected"]) == (
        "warning",
        "the number 7",
        "a text",
    )
    assert [repair["rule"] for repair in found["repairs"]] == ["number_for_text"]


def test_adversarial_sets_do_not_count_in_the_share_as_they_do_not_in_the_tables(
    tmp_path: Path, materials: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    section = materials / SECTION
    write(section, "questions_by_Blue_SHUFFLEDWPRIMARY.json", [["Yhw?"], ["?X"], ["Eht?"]])
    file = write(tmp_path, "answers.json", {f"{SECTION}/questions.json": [["Why?", "a"]]})
    main(["check", file, "--materials", str(materials), "--json"])
    summary = json.loads(capsys.readouterr().out)[0]["summary"]
    assert (summary["expected"], summary["counted"], summary["valid_share"]) == (5, 2, 0.5)
    main(["check", file, "--materials", str(materials)])
    assert "50.0 % of the 2 genuine items valid" in capsys.readouterr().out


def test_of_an_evaluator_the_ratings_of_genuine_answers_count_alone(
    tmp_path: Path, materials: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # The materials have two answers of another file, which this Evaluator leaves out.
    genuine = "answers_by_Red_PRIMARY_to_Blue_PRIMARY"
    for name in (genuine, f"{genuine}_SCENARIO-empty"):
        write(materials / SECTION, f"{name}.json", [["Why?", "a"], ["X?", "b"]])
    file = write(tmp_path, "ratings.json", {f"{SECTION}/{genuine}.json": [[50], [60]]})
    main(["check", file, "--materials", str(materials), "--json"])
    summary = json.loads(capsys.readouterr().out)[0]["summary"]
    assert (summary["expected"], summary["counted"], summary["valid_share"]) == (6, 4, 0.5)


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("questions.json", "teacher"),
        ("answers_PRIMARY.json", "student"),
        ("ratings-v2.json", "evaluator"),
    ],
)
def test_the_name_of_a_file_tells_its_track(
    tmp_path: Path, name: str, role: str, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["check", write(tmp_path, name, {}), "--json"])
    assert json.loads(capsys.readouterr().out)[0]["role"] == role


def test_a_name_that_tells_no_track_needs_the_role(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(tmp_path, "submission.json", {SECTION: [["Why?"]]})
    assert main(["check", file]) == 2
    assert "say --role" in capsys.readouterr().out
    assert main(["check", file, "--role", "teacher"]) == 0


def test_evaluators_are_compared_with_the_released_answers(tmp_path: Path, materials: Path) -> None:
    key = f"{SECTION}/ratings_by_Red_PRIMARY_to_GOLD_PRIMARY.json"
    good = write(tmp_path, "ratings.json", {key: [[80], [90]]})
    short = write(tmp_path, "ratings_B.json", {key: [[80]]})
    assert main(["check", good, "--materials", str(materials)]) == 0
    assert main(["check", short, "--materials", str(materials)]) == 1


def test_missing_materials_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(tmp_path, "answers.json", {})
    assert main(["check", file, "--materials", str(tmp_path / "none")]) == 2
    assert "--materials: no folder" in capsys.readouterr().err


def test_materials_that_cannot_be_read_are_told(
    tmp_path: Path, materials: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (materials / "kind" / "section" / "questions_by_Blue_PRIMARY.json").write_text("{")
    main(["check", write(tmp_path, "answers.json", {}), "--materials", str(materials)])
    assert "1 files of the materials cannot be read" in capsys.readouterr().out


def test_texts_of_participants_cannot_steer_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(
        tmp_path, "questions.json", {"[red]x\x1b[31m\u202e\n": 1, SECTION: [["\x1b]0;t\x07"]]}
    )
    main(["check", file, "--all"])
    shown = capsys.readouterr().out
    assert "[red]x" in shown
    assert not {"\x1b", "\x07", "\u202e"} & set(shown)


def test_a_terminal_that_knows_few_letters_gets_the_others_escaped(tmp_path: Path) -> None:
    file = write(tmp_path, "questions.json", {"Тема": 5})
    done = subprocess.run(
        [sys.executable, "-m", "sensemaking.cli", "check", file],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr == b""
    assert b"\\u0422\\u0435" in done.stdout


@pytest.mark.parametrize(
    "arguments", [[], ["check"], ["bake"], ["check", "x.json", "--role", "judge"]]
)
def test_wrong_arguments_are_told_with_the_usage(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 2
    assert "usage: sensemaking" in capsys.readouterr().err


def test_sound_data_are_recounted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(tmp_path, "data.json", generate(documents=1))
    assert main(["verify", file]) == 0
    assert "1 documents, 12 summaries recounted: sound" in capsys.readouterr().out


def test_a_changed_count_is_a_mismatch_with_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = json.loads(json.dumps(generate(documents=1)))
    data["documents"][0]["summaries"][3]["n_wrong"] += 1
    file = write(tmp_path, "data.json", data)
    assert main(["verify", file]) == 1
    assert "/documents/0/summaries/3/n_wrong" in capsys.readouterr().out
    assert main(["verify", file, "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["mismatches"][0]["json_pointer"].startswith("/documents/0/summaries")
    assert len(found["counts"]) == 12


def test_data_of_another_form_are_a_mismatch(tmp_path: Path) -> None:
    assert main(["verify", write(tmp_path, "data.json", {"documents": 1})]) == 1


@pytest.mark.parametrize(
    "content", ["", "[]", "nothing", "[" * 100_000, '{"documents": [], "documents": []}']
)
def test_what_is_no_data_cannot_be_verified(
    tmp_path: Path, content: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(tmp_path, "data.json", content)
    assert main(["verify", file]) == 2
    assert file in capsys.readouterr().err


def test_a_missing_file_cannot_be_verified(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", str(tmp_path / "none.json")]) == 2
    assert "none.json" in capsys.readouterr().err
