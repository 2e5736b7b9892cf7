"""The release of the demo: what was sent is what the run would make, and wins over it."""

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import pandas as pd
import pytest
import yaml

from sensemaking.adversarial.answers import SCENARIOS, answer_variants
from sensemaking.adversarial.questions import question_variants
from sensemaking.config import validate
from sensemaking.config_systems import LLM
from sensemaking.io import artifacts
from sensemaking.io.release import is_of_answers, read_manifest, stale_answers, stale_questions
from sensemaking.io.sentence_list import read_sentences
from sensemaking.schemas import ANSWERS, FINDINGS, QUESTIONS, RATINGS, SECTIONS
from sensemaking.submission_rows import answers_key
from tests.conftest import ROOT, Run

pytestmark = pytest.mark.workflow

MATERIALS = ROOT / "resources/demo/materials"
CONFIG = validate(yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8")))
MODELS = {(one.team_name, one.submission) for one in CONFIG.systems if one.engine == LLM}

Rows = list[dict[str, Any]]


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    path = ROOT / "tools/make_demo_release.py"
    spec = importlib.util.spec_from_file_location("make_demo_release", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _read(run: Run, artifact: artifacts.Artifact, pattern: str) -> Rows:
    paths = sorted(run.results.glob(f"{pattern}.parquet"))
    assert paths, pattern
    return artifacts.read(artifact, paths).to_dict("records")


def _genuine(run: Run) -> tuple[Rows, Rows]:
    """Return all genuine questions and answers of the run but those of language models."""
    questions = [
        row
        for folder in sorted((run.results / "questions").iterdir())
        if folder.name not in ("original", "adversarial")
        for row in _read(run, QUESTIONS, f"questions/{folder.name}/*")
        if row["variant"] == "genuine" and (row["teacher"], row["submission"]) not in MODELS
    ]
    asked = {row["question_id"] for row in questions}
    answers = [
        row
        for row in _read(run, ANSWERS, "answers/*/*")
        if row["scenario"] == "genuine"
        and row["question_id"] in asked
        and (row["student"], row["submission"]) not in MODELS
    ]
    return questions, answers


def _comparable(rows: Rows, key: str, files: set[str]) -> dict[str, dict[str, Any]]:
    """Return the rows of released files by their keys."""
    return {
        row[key]: {name: _plain(value) for name, value in row.items()}
        for row in rows
        if (answers_key(row)[0] if key == "answer_id" else _set_of(row)) in files
    }


def _plain(value: Any) -> Any:
    """Return what is read from Parquet as it was written."""
    if isinstance(value, str) or not hasattr(value, "__len__"):
        return None if pd.isna(value) else value
    return list(value)


def _set_of(row: dict[str, Any]) -> str:
    return f"{row['question_id'].rpartition('#')[0]}.json"


def _files(answers: bool) -> set[str]:
    sent = [file.path for file in read_manifest(MATERIALS) if is_of_answers(file) == answers]
    return {path.replace(".en.json", ".json") for path in sent}


def test_the_release_is_whole_and_of_the_sections_that_were_chosen(tool: ModuleType) -> None:
    assert stale_answers(MATERIALS) == stale_questions(MATERIALS) == set()
    sent = read_manifest(MATERIALS)
    assert {file.section_id for file in sent} == set(tool.SECTIONS)
    there = {path.relative_to(MATERIALS).as_posix() for path in MATERIALS.rglob("*_by_*.json")}
    assert there == {file.path for file in sent}
    scenarios = {path.removesuffix(".json").partition("_SCENARIO-")[2] for path in _files(True)}
    assert scenarios == set(SCENARIOS)
    # Those of a language model would have to be recorded anew before they could be made anew.
    assert not [path for path in there for team, _ in MODELS if f"_{team}_" in path]


def test_adversarial_rows_of_the_default_run_are_those_that_it_would_make(
    default_run: Run,
) -> None:
    questions, answers = _genuine(default_run)
    sections = _read(default_run, SECTIONS, "materials/sections/*")
    made = question_variants(
        questions,
        {row["section_id"]: row["kind"] for row in sections},
        read_sentences(ROOT / CONFIG.adversarial.sentences),
        CONFIG.seed,
    )
    # What speech recognition heard differs from machine to machine, and so do questions about it.
    heard = {row["section_id"] for row in sections if row["text_origin"] == CONFIG.asr.engine}
    unsure = {row["question"] for row in questions if row["section_id"] in heard}
    sent = _comparable(_read(default_run, QUESTIONS, "questions/adversarial/*"), "question_id",
                       _files(False))  # fmt: skip
    again = _comparable(made, "question_id", _files(False))
    assert len(sent) == len(again) > 500
    sure = [name for name, row in again.items() if row["question"] not in unsure]
    assert len(sure) > 0.95 * len(again)
    assert {name: sent[name] for name in sure} == {name: again[name] for name in sure}

    kept = _comparable(_read(default_run, ANSWERS, "answers/adversarial/*"), "answer_id",
                       _files(True))  # fmt: skip
    variants = answer_variants(answers, questions, sections, CONFIG.seed)
    expected = _comparable(variants, "answer_id", _files(True))
    assert len(expected) > 2000
    assert kept == expected


def test_the_release_gives_no_findings_and_what_evaluators_sent_joins_it(
    default_run: Run,
) -> None:
    assert _read(default_run, FINDINGS, "validation/findings/released_answers") == []
    sent = {
        row["answer_id"]
        for row in _read(default_run, ANSWERS, "answers/adversarial/*")
        if answers_key(row)[0] in _files(True) and isinstance(row["answer"], str)
    }
    for team in ("heron", "willow", "base"):
        rows = pd.DataFrame(_read(default_run, RATINGS, f"ratings/{team}-primary-evaluator/*"))
        own = rows[rows["answer_id"].isin(sent)]
        assert set(own["answer_id"]) == sent
        assert set(own["status"]) == {"ok"}


def test_the_tool_leaves_models_and_an_earlier_release_out(
    tool: ModuleType, tmp_path: Path
) -> None:
    overlay = tool.overlay(CONFIG.model_dump(mode="json"), tmp_path)
    assert {system["engine"] for system in overlay["systems"]} == {
        one.engine for one in CONFIG.systems
    } - {LLM}
    tool.copy_demo(tmp_path)
    names = {path.name for path in (tmp_path / "materials").rglob("*.json")}
    assert names == {"questions.json", "questions.en.json"}
    assert (tmp_path / "submissions/Heron/answers.json").is_file()
