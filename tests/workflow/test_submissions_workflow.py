"""Submissions through the workflow: to tables, repaired, refused, left out."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from sensemaking.adversarial.answers import SCENARIOS
from sensemaking.io import artifacts
from sensemaking.io.files import sha256_of
from sensemaking.io.release import Released, write_manifest
from sensemaking.schemas import (
    ANSWERS,
    ANSWERS_EXPECTED,
    ESTIMATES,
    FINDINGS,
    QUESTIONS,
    RATINGS,
    REPAIRS,
    SUBMISSIONS,
    TABLES,
    Artifact,
)
from sensemaking.schemas import SYSTEMS as SYSTEMS_ROWS
from tests.conftest import Run, snakemake, succeed
from tests.workflow.corpus import CONFIG, TEXTS, write_corpus, write_overlay
from tests.workflow.corpus import QUESTIONS as EXPERT

pytestmark = pytest.mark.workflow

S1, S2, S3 = TEXTS
SYSTEMS = [
    {"id": "best-sentence", "role": "student", "engine": "best-sentence"},
    {"id": "overlap", "role": "evaluator", "engine": "overlap"},
    {
        "id": "silent",
        "role": "student",
        "engine": "submitted",
        "label": "Nobody",
        "team": "Silent Team",
    },
    {
        "id": "red",
        "role": "student",
        "engine": "submitted",
        "label": "Red Students",
        "team": "Червона команда",
    },
]
RED = "Червона команда"
ASKED = {
    S1: [["What is nectar?", "A liquid of flowers."], ["Where is honey stored?", "In the hive."]],
    S2: [["What turns slowly?", "The lamp"], ["Who lived in the tower?", "Keepers"]],
    S3: [["What do plants release?", "oxygen"], ["What absorbs light?", "leaves"]],
}
TEACHERS = {f"{RED}/questions.json": ASKED, "Green/questions_SECOND.json": {S1: ASKED[S1]}}


def _answers() -> dict[str, Any]:
    """Return the answers of the red Student: one of each fault."""
    return {
        f"testset/{S1}/questions.json": [
            {"question": EXPERT[S1][0][0], "answer": "nectar"},
            # Not answered, and a number where a text belongs.
            {"question": EXPERT[S1][1][0], "answer": None},
            {"question": EXPERT[S1][2][0], "answer": 42},
        ],
        f"{S2}/questions.json": [[EXPERT[S2][0][0], "dangerous rocks"]],
        **{
            f"{section}/questions_by_{RED}_PRIMARY.json": [[q, f"about {a}"] for q, a in asked]
            for section, asked in ASKED.items()
        },
    }


def _ratings(value: float) -> dict[str, Any]:
    sets = {
        f"{RED}_PRIMARY": dict.fromkeys(ASKED, 2),
        "GOLD_PRIMARY": {S1: 3, S2: 1},
    }
    own = {
        f"{section}/answers_by_{student}_PRIMARY_to_{name}.json": [[value]] * n
        for student in ("best-sentence", RED)
        for name, counts in sets.items()
        for section, n in counts.items()
    }
    own |= {
        f"{section}/answers_by_GOLD_PRIMARY_to_GOLD_PRIMARY.json": [[value]] * n
        for section, n in sets["GOLD_PRIMARY"].items()
    }
    own |= {
        f"{section}/answers_by_{RED}_PRIMARY_to_{RED}_PRIMARY_SCENARIO-reference.json": [[value]]
        * 2
        for section in ASKED
    }
    return own


def _write(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    path.write_text(text, encoding="utf-8")


def _corpus(folder: Path, **submissions: Any) -> Path:
    """Write corpus and submissions; return the overlay."""
    write_corpus(folder)
    for name, value in TEACHERS.items():
        _write(folder / "submissions" / name, value)
    _write(folder / "submissions" / RED / "answers.json", _answers())
    config = {**CONFIG, "systems": SYSTEMS, "submissions": submissions}
    return write_overlay(folder, config)


def _read(artifact: Artifact, folder: Path, pattern: str) -> pd.DataFrame:
    paths = sorted((folder / "results").glob(f"{pattern}.parquet"))
    assert paths, pattern
    return artifacts.read(artifact, paths)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run with good, damaged, unreadable and nearly empty submissions of all tracks."""
    folder = tmp_path_factory.mktemp("submissions")
    overlay = _corpus(folder)
    root = folder / "submissions"
    _write(root / "Broken/questions.json", "this is no JSON")
    _write(root / "Broken/answers.json", "")
    _write(root / RED / "ratings.json", _ratings(0.5))
    few = dict(list(_ratings(80).items())[:1])
    _write(root / "Green/ratings.json", few)
    _write(root / "Green/rating.json", few)
    targets = ("tables", "results/validation/findings/submissions.parquet")
    ratings = [
        f"results/ratings/{name}/english.parquet"
        for name in ("green-primary-evaluator", "chervona-komanda-primary-evaluator")
    ]
    gate = "results/systems/evaluator.parquet"
    return succeed(snakemake(*targets, *ratings, gate, "--configfile", overlay, folder=folder))


def test_submitted_teachers_and_students_stand_beside_the_baselines(finished: Run) -> None:
    ranked = _read(TABLES, finished.folder, "tables/table_01")
    assert set(ranked["row_id"]) == {"gold", f"{RED}/PRIMARY"}
    scored = _read(TABLES, finished.folder, "tables/table_06")
    assert set(scored["row_id"]) == {"best-sentence", "red"}
    assert set(scored["row_label"]) == {"best-sentence", "Red Students"}
    total = scored[(scored["row_id"] == "red") & (scored["column_id"] == "all")].iloc[0]
    # Each of the ten questions with a reference counts; five of the six red ones are contained
    # whole in "about …", "about A liquid of flowers." too.
    assert total["n"] == 10
    assert total["value"] == pytest.approx(100 * 8 / 10)


def test_what_a_participant_did_not_give_counts_as_0_and_is_counted(finished: Run) -> None:
    expected = _read(ANSWERS_EXPECTED, finished.folder, "answers_expected/*")
    own = expected[(expected["student"] == RED) & (expected["status"] != "ok")]
    assert list(own["question_id"].str[-3:]) == ["001"]
    estimates = _read(ESTIMATES, finished.folder, "estimates/student_rouge")
    row = estimates.query("system == 'red' and kind == 'all' and subset == 'all'").iloc[0]
    assert (row["n"], row["n_imputed"], row["n_missing"]) == (10, 1, 0)


def test_a_file_that_cannot_be_read_gives_empty_shards_and_findings_and_loses_no_other(
    finished: Run,
) -> None:
    for artifact, name in ((QUESTIONS, "questions/broken-primary"), (ANSWERS, "answers/broken-*")):
        found = _read(artifact, finished.folder, f"{name}/*")
        assert len(found) == 0
        assert list(found.columns) == artifact.names
    findings = _read(FINDINGS, finished.folder, "validation/findings/submissions/broken-*")
    assert {"not_json", "empty_file"} <= set(findings["code"])
    assert len(_read(ANSWERS, finished.folder, "answers/red/*")) == 10


def test_a_submission_below_the_least_share_is_left_out_and_the_tables_say_so(
    finished: Run,
) -> None:
    summaries = _read(SUBMISSIONS, finished.folder, "validation/submissions/*")
    by_system = summaries.set_index("system")
    green = by_system.loc["Green/SECOND"]
    assert (green["n_valid"], green["n_expected"], bool(green["in_tables"])) == (1, 3, False)
    assert not by_system.loc["Green/PRIMARY/evaluator", "in_tables"]
    assert by_system.loc[f"{RED}/PRIMARY", "share"] == 1
    notes = (finished.results / "tables/table_01.md").read_text(encoding="utf-8")
    assert "Left out: Broken PRIMARY" in notes
    assert "Green SECOND (valid share below 0.5)" in notes
    students = (finished.results / "tables/table_06.md").read_text(encoding="utf-8")
    assert "Nobody (no file was submitted)" in students
    assert len(_read(RATINGS, finished.folder, "ratings/green-primary-evaluator/english")) == 0
    gate = _read(SYSTEMS_ROWS, finished.folder, "systems/evaluator").set_index("system")
    assert set(gate["role"]) == {"evaluator"}
    assert gate.loc["Green/PRIMARY/evaluator", "left_out"] == "valid share below 0.5"
    assert gate["left_out"].notna().sum() == 1


def test_table_x1_counts_files_items_repairs_and_refusals_by_reason(finished: Run) -> None:
    table = _read(TABLES, finished.folder, "tables/table_x1")
    cells = table.set_index(["row_id", "column_id"])["value"]
    assert cells["all", "files"] == 7
    assert [cells["red", name] for name in ("items", "repaired", "valid", "expected")] == [
        *(10, 1, 9, 10),
    ]
    assert cells["red", "share"] == pytest.approx(90)
    assert cells["Broken/PRIMARY", "refused/not_json"] == 1
    assert cells["Broken/PRIMARY", "in_tables"] == 0
    silent = table[(table["row_id"] == "silent") & (table["column_id"] == "items")].iloc[0]
    assert (silent["n"], silent["reason"]) == (0, "no file was submitted")
    root = _read(FINDINGS, finished.folder, "validation/findings/submissions")
    assert list(root["file"]) == ["Green/rating.json"]


def test_ratings_from_0_to_1_are_rescaled_and_join_every_answer(finished: Run) -> None:
    shard = "ratings/chervona-komanda-primary-evaluator/english"
    ratings = _read(RATINGS, finished.folder, shard)
    assert set(ratings["rating"].dropna()) == {50.0}
    assert ratings.loc[ratings["rating"].notna(), "rescaled"].all()
    answered = _read(ANSWERS, finished.folder, "answers/*/english")
    given = answered[answered["answer"].notna()]
    assert set(given["answer_id"]) == set(ratings["answer_id"])
    assert ratings["rating"].notna().all()


def test_an_edit_of_a_text_reads_no_submitted_questions_anew(finished: Run) -> None:
    text = finished.folder / "materials" / S3 / "text.en.txt"
    before = text.read_text(encoding="utf-8")
    text.write_text(f"{before} Roots drink water.", encoding="utf-8")
    overlay = finished.folder / "overlay.yaml"
    run = succeed(snakemake("tables", "--configfile", overlay, "--dry-run", folder=finished.folder))
    text.write_text(before, encoding="utf-8")
    stats = run.text.split("Job stats:")[1]
    planned = {name: int(n) for name, n in re.findall(r"^(\w+) +(\d+)$", stats, re.MULTILINE)}
    assert "read_submitted_questions" not in planned
    # So the Teachers' side is made anew for the kind of the text alone.
    assert [planned[name] for name in ("read_sections", "embed_texts", "score_questions")] == [
        *(1, 1, 1),
    ]


def _released(folder: Path) -> Path:
    """Write released answers: in another order, edited since, not listed; return the overlay."""
    _corpus(folder)
    materials = folder / "materials"
    files = {
        name: materials / S1 / f"answers_by_{name}_PRIMARY_to_GOLD_PRIMARY.json"
        for name in ("best-sentence", RED, "GOLD")
    }
    questions = [item[0] for item in EXPERT[S1]]
    for name, path in files.items():
        _write(path, [[question, f"{name} was sent"] for question in reversed(questions)])
    listed = [
        Released(path.relative_to(materials).as_posix(), sha256_of(path), 3, S1)
        for name, path in files.items()
        if name != "GOLD"
    ]
    write_manifest(materials, listed)
    _write(files[RED], [*([question, "edited"] for question in reversed(questions))])
    own = {f"{S1}/{path.name}": [[10], [20], [30]] for path in files.values()}
    _write(folder / "submissions" / RED / "ratings.json", own)
    config = {**CONFIG, "systems": SYSTEMS, "submissions": {"min_valid_share": 0}}
    return write_overlay(folder, {**config, "kinds": [{"id": "english", "language": "en"}]})


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run on one kind, with released genuine answers."""
    folder = tmp_path_factory.mktemp("released")
    overlay = _released(folder)
    shards = [
        f"results/{name}/english.parquet"
        for name in ("answers/red", "ratings/chervona-komanda-primary-evaluator")
    ]
    return succeed(snakemake(*shards, "--configfile", overlay, folder=folder))


def test_released_genuine_answers_win_over_submitted_made_and_golden_ones(released: Run) -> None:
    answers = _read(ANSWERS, released.folder, "answers/*/english")
    golden = answers[answers["question_id"].str.startswith(f"{S1}/questions_by_GOLD")]
    texts = golden.groupby("student")["answer"].agg(set).to_dict()
    assert texts == {
        "best-sentence": {"best-sentence was sent"},
        "GOLD": {"GOLD was sent"},
        # The file is not the one that was sent, so only the questions' texts join it.
        RED: {"edited"},
    }
    others = answers[answers["question_id"].str.startswith(f"{S1}/questions_by_{RED}")]
    assert not others["answer"].str.contains("sent").any()


def test_ratings_follow_the_released_file_and_are_stale_where_it_has_changed(
    released: Run,
) -> None:
    rows = _read(RATINGS, released.folder, "ratings/chervona-komanda-primary-evaluator/english")
    rows = rows[rows["answer_id"].str.contains("to_GOLD")]
    reversed_ratings = [(30, "ok"), (20, "ok"), (10, "ok")]
    of_first = rows[rows["answer_id"].str.startswith(S1)]
    for name in ("best-sentence", "GOLD"):
        own = of_first[of_first["answer_id"].str.contains(f"by_{name}_")].sort_values("answer_id")
        assert list(zip(own["rating"], own["status"], strict=True)) == reversed_ratings
    stale = of_first[of_first["answer_id"].str.contains(f"by_{RED}_")]
    assert set(stale["status"]) == {"stale_release"}
    assert stale["rating"].isna().all()
    assert len(stale) == 3


def test_keys_of_a_kind_that_is_not_run_are_told_and_not_counted(released: Run) -> None:
    pattern = "validation/findings/submissions/red"
    findings = _read(FINDINGS, released.folder, pattern).set_index("code")
    assert "unknown_section" not in findings.index
    assert findings.loc["kind_not_run", "severity"] == "info"
    assert '1 key of the kind "українська"' in findings.loc["kind_not_run", "message"]
    summary = _read(SUBMISSIONS, released.folder, "validation/submissions/red").iloc[0]
    # Four of the experts, four of the red Teacher, two of the green one.
    assert (summary["n_refused"], summary["n_expected"]) == (0, 10)


def test_repairs_can_be_left_out_on_all_sides_refused_and_undone(tmp_path: Path) -> None:
    target = "results/estimates/student_rouge.parquet"
    counted = {}
    _corpus(tmp_path)
    runs: tuple[tuple[str, dict[str, Any]], ...] = (
        ("apply", {}),
        ("exclude", {"repairs": "exclude"}),
        ("refuse", {"repairs": "refuse"}),
        ("undone", {}),
    )
    for name, settings in runs:
        if name == "undone":
            repairs = _read(REPAIRS, tmp_path, "validation/repairs/red")
            assert list(repairs["rule"]) == ["number_for_text"]
            settings = {"undone_repairs": list(repairs["hash"])}
        config = {**CONFIG, "systems": SYSTEMS, "submissions": settings}
        overlay = write_overlay(tmp_path, config)
        succeed(snakemake(target, "--configfile", overlay, folder=tmp_path))
        estimates = _read(ESTIMATES, tmp_path, "estimates/student_rouge")
        rows = estimates.query("kind == 'all' and subset == 'all'").set_index("system")
        counted[name] = [tuple(rows.loc["red", ["n", "n_imputed"]])]
        # What is left out for one Student is asked of the others all the same.
        assert rows.loc["best-sentence", "n"] == 10
    assert counted == {
        "apply": [(10, 1)],
        "exclude": [(9, 1)],
        "refuse": [(10, 2)],
        "undone": [(10, 2)],
    }


def test_exported_adversarial_sets_win_over_made_ones_when_they_lie_in_the_materials(
    tmp_path: Path,
) -> None:
    overlay = _corpus(tmp_path)
    succeed(snakemake("export_adversarial", "--configfile", overlay, folder=tmp_path))
    made = _read(QUESTIONS, tmp_path, "questions/adversarial/*")
    assert set(made["variant"]) == {"W", "C", "WC", "RT", "Q"}
    release = tmp_path / "results/export/adversarial"
    manifest = json.loads((release / "release.json").read_text(encoding="utf-8"))
    files = [path.relative_to(release).as_posix() for path in release.rglob("*_by_*.json")]
    assert sorted(file["path"] for file in manifest["files"]) == sorted(files)
    answers = _read(ANSWERS, tmp_path, "answers/adversarial/*")
    assert set(answers["scenario"]) == set(SCENARIOS)
    shutil.copytree(release, tmp_path / "materials", dirs_exist_ok=True)
    # Another seed would make others; but those that were sent stay.
    other = write_overlay(tmp_path, {**CONFIG, "systems": SYSTEMS, "seed": 7, "submissions": {}})
    shards = [f"results/{what}/adversarial/english.parquet" for what in ("questions", "answers")]
    succeed(snakemake(*shards, "--configfile", other, folder=tmp_path))
    again = _read(QUESTIONS, tmp_path, "questions/adversarial/*")
    columns = ["question_id", "question", "origin_question_id", "references", "status"]
    assert again[columns].to_dict("records") == made[columns].to_dict("records")
    kept = _read(ANSWERS, tmp_path, "answers/adversarial/*")
    columns = ["answer_id", "answer", "origin_answer_id", "shown_section_id", "status"]
    assert kept[columns].to_dict("records") == answers[columns].to_dict("records")
