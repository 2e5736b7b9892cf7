"""The submissions folder is listed by names alone; what is no submission is told."""

import unicodedata
from pathlib import Path

import pytest

from sensemaking.io.submission_files import list_submissions


def make(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}", encoding="utf-8")


def test_team_track_and_submission_come_from_the_names(tmp_path: Path) -> None:
    make(
        tmp_path,
        "Red/questions.json",
        "Red/answers_SECONDARY.json",
        "Blue team/ratings_my_best.json",
    )
    found = list_submissions(tmp_path)
    assert [(file.team, file.role, file.submission) for file in found.files] == [
        ("Blue team", "evaluator", "my_best"),
        ("Red", "student", "SECONDARY"),
        ("Red", "teacher", "PRIMARY"),
    ]
    assert found.findings == ()
    assert all(file.path.is_file() for file in found.files)


@pytest.mark.parametrize(
    "name", ["Red/notes.txt", "Red/answer.json", "Red/questions.json.bak", "x.json"]
)
def test_another_file_is_told_and_passed_over(tmp_path: Path, name: str) -> None:
    make(tmp_path, name, "Red/questions.json")
    found = list_submissions(tmp_path)
    assert len(found.files) == 1
    assert [(f.code, f.file) for f in found.findings] == [("unknown_file", name)]


def test_hidden_files_are_nothing(tmp_path: Path) -> None:
    make(tmp_path, ".DS_Store", "Red/.DS_Store")
    assert list_submissions(tmp_path).findings == ()


@pytest.mark.parametrize(
    "name", ["R{e}d/questions.json", "Red/questions_{x}.json", "GOLD/answers.json"]
)
def test_a_name_that_the_workflow_cannot_use_is_left_out(tmp_path: Path, name: str) -> None:
    make(tmp_path, name)
    found = list_submissions(tmp_path)
    assert found.files == ()
    assert [f.code for f in found.findings] == ["bad_name"]


def test_two_files_of_one_submission_are_left_out_both(tmp_path: Path) -> None:
    make(tmp_path, "Red/questions.json", "Red/questions_PRIMARY.json", "Red/answers.json")
    found = list_submissions(tmp_path)
    assert [file.role for file in found.files] == ["student"]
    assert [f.code for f in found.findings] == ["submission_twice"] * 2


def test_a_name_on_disk_in_nfd_is_read_by_that_name_and_known_in_nfc(tmp_path: Path) -> None:
    team = unicodedata.normalize("NFD", "Příště")
    make(tmp_path, f"{team}/answers.json")
    (file,) = list_submissions(tmp_path).files
    assert file.team == unicodedata.normalize("NFC", "Příště")
    assert file.path.parent.name == team


def test_names_that_other_programs_take_for_missing_stay_names(tmp_path: Path) -> None:
    make(tmp_path, *(f"{team}/answers.json" for team in ("NA", "null", "None", "nan", "007")))
    teams = [file.team for file in list_submissions(tmp_path).files]
    assert teams == ["007", "NA", "None", "nan", "null"]
