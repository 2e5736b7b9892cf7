"""The demo's submissions, and the tool that makes them."""

import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import hashes

from sensemaking.io.submission_files import list_submissions
from sensemaking.io.submission_model import Submission
from sensemaking.io.submissions import read

ROOT = Path(__file__).parents[2]
SENT = ROOT / "resources" / "demo" / "submissions"


@pytest.fixture(scope="module")
def sections() -> list[str]:
    materials = ROOT / "resources" / "demo" / "materials"
    return sorted({path.parent.relative_to(materials).as_posix() for path in _files(materials)})


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def _read(team: str, word: str, sections: list[str]) -> Submission:
    (file,) = (
        file
        for file in list_submissions(SENT).files
        if (file.team, file.path.name) == (team, f"{word}.json")
    )
    return read(file.path, file.role, sections)


def _content(team: str, word: str) -> Any:
    return json.loads((SENT / team / f"{word}.json").read_text(encoding="utf-8"))


def test_the_submissions_are_those_that_the_tool_makes(tmp_path: Path) -> None:
    spec = importlib.util.spec_from_file_location(
        "make_demo_submissions", ROOT / "tools" / "make_demo_submissions.py"
    )
    assert spec is not None
    assert spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    tool.main(tmp_path)
    assert hashes(tmp_path) == hashes(SENT), "run python tools/make_demo_submissions.py"


def test_each_track_has_two_teams_and_a_baseline() -> None:
    listed = list_submissions(SENT)
    assert listed.findings == ()
    assert {(file.team, file.role) for file in listed.files} == {
        (team, role)
        for team in ("Heron", "Willow", "BASE")
        for role in ("teacher", "student", "evaluator")
    }


def test_a_teacher_has_no_reference_answers_and_two_wrong_keys(sections: list[str]) -> None:
    found = _read("Willow", "questions", sections)
    codes = {finding.code for finding in found.findings}
    assert {"no_references", "windows_separators", "unknown_section"} <= codes
    assert all(item.references == () for item in found.items)  # type: ignore[union-attr]
    assert {rule.rule for rule in found.repairs} == {"windows_separators"}


def test_an_evaluator_uses_a_scale_from_0_to_1_and_the_others_do_not() -> None:
    highest = {
        team: max(rating for file in _content(team, "ratings").values() for (rating,) in file)
        for team in ("Heron", "BASE")
    }
    assert highest["Heron"] <= 1
    assert highest["BASE"] > 50


def test_every_evaluator_rates_all_released_answers_and_likes_them_less() -> None:
    materials = ROOT / "resources" / "demo" / "materials"
    released = {
        path.relative_to(materials).as_posix(): len(json.loads(path.read_bytes()))
        for path in materials.rglob("answers_by_*.json")
    }
    for team in ("Heron", "Willow", "BASE"):
        ratings = _content(team, "ratings")
        assert {key: len(ratings[key]) for key in released} == released
    adversarial, others = (
        [one for key, file in ratings.items() if (key in released) == part for (one,) in file]
        for part in (True, False)
    )
    assert sum(adversarial) / len(adversarial) < 0.6 * sum(others) / len(others)


def test_a_student_leaves_markup_in_and_another_leaves_questions_out(sections: list[str]) -> None:
    markup = [f for f in _read("Heron", "answers", sections).findings if f.code == "markup"]
    assert len(markup) > 100
    asked, given = (
        sum(len(items) for items in _content(team, "answers").values())
        for team in ("BASE", "Willow")
    )
    assert 0.5 * asked < given < 0.9 * asked
    willow = _read("Willow", "answers", sections)
    assert {"null_text", "number_for_text"} <= {finding.code for finding in willow.findings}
