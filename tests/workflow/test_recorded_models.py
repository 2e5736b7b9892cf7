"""The demo's recorded replies: all are used, what is missing is counted, and nothing is made up."""

import json
from collections import Counter
from typing import Any

import pyarrow.parquet as pq
import pytest
import yaml

from sensemaking.baselines.llm_choice import fits_any
from tests.conftest import ROOT, Run

pytestmark = pytest.mark.workflow

JOURNALS = ROOT / "resources/demo/journals"
ROLES = ("teacher", "student", "evaluator")
RECORDED_BY_ASR = {"nmt-class/lecture04-search/screen02-slide03", "popular/video-04-honig"}


def rows(run: Run, pattern: str) -> list[dict[str, Any]]:
    paths = sorted(run.results.glob(pattern))
    assert paths, pattern
    return [row for path in paths for row in pq.read_table(path).to_pylist()]


def raw(run: Run, role: str) -> list[dict[str, Any]]:
    shards = "/*" if role == "teacher" else ""
    return rows(run, f"raw/{role}/qwen-{role}{shards}.parquet")


def replies_in_journal(role: str) -> set[str]:
    lines = (JOURNALS / role / f"qwen-{role}.jsonl").read_text(encoding="utf-8").splitlines()
    return {event["key"] for event in map(json.loads, lines) if event["event"] == "reply"}


@pytest.mark.parametrize("role", ROLES)
def test_every_recorded_reply_is_used_so_none_has_gone_stale(default_run: Run, role: str) -> None:
    recorded = replies_in_journal(role)
    used = {row["request_key"] for row in raw(default_run, role) if row["replied_at"]}
    assert used == recorded
    assert recorded


def test_the_journals_are_small_and_of_few_calls() -> None:
    assert sum(path.stat().st_size for path in JOURNALS.rglob("*.jsonl")) < 2_000_000
    assert sum(len(replies_in_journal(role)) for role in ROLES) <= 250


def test_the_teacher_is_recorded_wherever_the_text_is_the_same_on_every_machine(
    default_run: Run,
) -> None:
    statuses = {row["section_id"]: row["status"] for row in raw(default_run, "teacher")}
    assert {section for section, status in statuses.items() if status == "not_recorded"} == (
        RECORDED_BY_ASR
    )
    ranks = rows(default_run, "scores/teacher/*.parquet")
    unranked = {row["section_id"] for row in ranks if row["status"] == "section_not_ranked"}
    assert unranked == RECORDED_BY_ASR


def test_what_was_not_recorded_is_null_and_counts_neither_as_given_nor_as_zero(
    default_run: Run,
) -> None:
    answers = rows(default_run, "answers/qwen-student/*.parquet")
    counts = Counter(row["status"] for row in answers)
    assert counts["not_recorded"] > 0
    assert counts["ok"] > 0
    assert all((row["answer"] is None) == (row["status"] != "ok") for row in answers)
    cells = rows(default_run, "tables/table_06.parquet")
    (cell,) = [
        cell
        for cell in cells
        if (cell["row_id"], cell["column_id"]) == ("qwen-student", "all")
        and cell["statistic"].startswith("mean ")
    ]
    scores = [
        row
        for row in rows(default_run, "scores/rouge/*.parquet")
        if row["student"] == "qwen-student" and row["status"] != "no_reference"
    ]
    known = [row for row in scores if row["value"] is not None]
    assert cell["n"] == len(known)
    assert cell["n_missing"] == len(scores) - len(known) > 0
    assert cell["value"] == pytest.approx(
        100 * sum(row["value"] for row in known) / len(known), abs=1e-9
    )


def test_adversarial_variants_are_recorded_in_four_sections(default_run: Run) -> None:
    config = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
    (student,) = [one for one in config["systems"] if one["id"] == "qwen-student"]
    patterns = student["adversarial_sections"]
    answers = rows(default_run, "answers_to_adversarial/qwen-student/*.parquet")
    given = {row["shown_section_id"] for row in answers if row["status"] == "ok"}
    assert len(given) == 4
    assert all(fits_any(row["shown_section_id"], patterns) for row in answers)
    ratings = rows(default_run, "ratings/qwen-evaluator/*.parquet")
    rated = {
        row["answer_id"].rpartition("SCENARIO-")[2].partition("#")[0]
        for row in ratings
        if row["status"] == "ok"
    }
    assert {"same-section", "shuffled-words", "empty", "injection"} <= rated


def test_grades_are_expected_grades_of_the_models_own_probabilities(default_run: Run) -> None:
    ratings = rows(default_run, "ratings/qwen-evaluator/*.parquet")
    for row in ratings:
        if row["status"] != "ok":
            assert row["rating"] is None
            continue
        said = json.loads(row["raw"])
        assert row["rating"] == pytest.approx(20 * said["expected"], abs=1e-4)
        assert 0.5 <= said["mass"] <= 1.0001
        assert not row["rescaled"]
    # As fine as probabilities, not six steps.
    assert len({row["rating"] for row in ratings if row["status"] == "ok"}) > 20


def test_systems_and_report_say_that_rows_are_recorded(default_run: Run) -> None:
    origins = {row["system"]: row["origin"] for row in rows(default_run, "systems.parquet")}
    assert {origins[f"qwen-{role}"] for role in ROLES} == {"recorded"}
    assert origins["cloze"] == "baseline"
    page = (default_run.results / "report/index.html").read_text(encoding="utf-8")
    part = page.partition('id="models"')[2].partition("</section>")[0]
    for role in ROLES:
        assert f"<td>qwen-{role}</td><td>recorded</td><td>qwen2.5-coder-1.5b" in part
    assert "<td>2026-11-30</td>" in part
