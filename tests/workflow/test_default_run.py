"""The default run: what a newcomer gets from one command."""

import json
from html.parser import HTMLParser
from pathlib import Path

import pandas as pd
import pytest
import yaml

from sensemaking.io import artifacts
from sensemaking.schemas import (
    ANSWERS,
    ANSWERS_EXPECTED,
    CORRELATIONS,
    EMBEDDINGS,
    ESTIMATES,
    FINDINGS,
    QUESTIONS,
    RATINGS,
    ROUGE_SCORES,
    SECTIONS,
    SYSTEMS,
    TABLES,
    TEACHER_SCORES,
    WINDOWS,
)
from sensemaking.tables.catalogue import CATALOGUE
from tests.conftest import ROOT, Run, hashes, snakemake, succeed

pytestmark = pytest.mark.workflow

FORMATS = ("parquet", "md", "csv", "tex", "html")
PLACES = {
    "materials/sections/*": SECTIONS,
    "materials/windows/*": WINDOWS,
    "questions/*/*": QUESTIONS,
    "answers/*/*": ANSWERS,
    "answers_expected/*": ANSWERS_EXPECTED,
    "ratings/*/*": RATINGS,
    "validation/findings/*": FINDINGS,
    "embeddings/*": EMBEDDINGS,
    "scores/teacher/*": TEACHER_SCORES,
    "scores/rouge/*": ROUGE_SCORES,
    "estimates/teacher_ranks": ESTIMATES,
    "estimates/student_rouge": ESTIMATES,
    "estimates/student_correlations": CORRELATIONS,
    "systems": SYSTEMS,
    "tables/*": TABLES,
}


def _read(run: Run, pattern: str) -> pd.DataFrame:
    paths = sorted(run.results.glob(f"{pattern}.parquet"))
    assert paths, pattern
    return artifacts.read(PLACES[pattern], paths)


def test_every_table_is_made_in_every_format(default_run: Run) -> None:
    made = {path.name for path in (default_run.results / "tables").iterdir()}
    assert made == {f"{entry.id}.{name}" for entry in CATALOGUE for name in FORMATS}


def test_every_parquet_file_fits_a_declared_artifact(default_run: Run) -> None:
    declared = {
        path for pattern in PLACES for path in default_run.results.glob(f"{pattern}.parquet")
    }
    assert declared == set(default_run.results.rglob("*.parquet"))
    for pattern in PLACES:
        _read(default_run, pattern)


def test_every_kind_of_the_demo_has_sections_questions_windows_and_scores(
    default_run: Run,
) -> None:
    kinds = {kind["id"] for kind in yaml.safe_load((ROOT / "config.yaml").read_text())["kinds"]}
    sections = _read(default_run, "materials/sections/*")
    assert set(sections["kind"]) == kinds
    assert set(sections["status"]) == {"ok"}
    assert set(_read(default_run, "materials/windows/*")["section_id"]) == set(
        sections["section_id"]
    )
    ranked = _read(default_run, "scores/teacher/*")
    assert set(ranked["section_id"]) == set(sections["section_id"])


def test_every_question_with_a_text_is_expected_of_every_student(default_run: Run) -> None:
    questions = _read(default_run, "questions/*/*")
    expected = _read(default_run, "answers_expected/*")
    assert len(expected) == 2 * len(questions)
    assert set(expected["question_id"]) == set(questions["question_id"])


def test_what_a_student_did_not_answer_is_null_in_scores_and_0_in_the_estimate(
    default_run: Run,
) -> None:
    scores = _read(default_run, "scores/rouge/*")
    silent = scores[scores["status"] == "no_answer"]
    assert len(silent) > 0
    assert silent["value"].isna().all()
    estimates = _read(default_run, "estimates/student_rouge")
    own = estimates[(estimates["subset"] == "all") & (estimates["kind"] == "all")]
    for system, part in scores.groupby("student"):
        row = own[own["system"] == system].iloc[0]
        counted = part[part["status"] != "no_reference"]
        assert row["n_imputed"] == (counted["status"] == "no_answer").sum()
        assert row["n"] == len(counted)
        assert row["mean"] == pytest.approx(counted["value"].fillna(0).mean())


def test_table_6_shows_the_means_of_the_scores_by_kind(default_run: Run) -> None:
    table = _read(default_run, "tables/*").query("table == 'table_06'")
    scores = _read(default_run, "scores/rouge/*")
    scores["kind"] = scores["question_id"].str.partition("/")[0]
    scores = scores[scores["status"] != "no_reference"]
    for (student, kind), part in scores.groupby(["student", "kind"]):
        cell = table[(table["row_id"] == student) & (table["column_id"] == kind)].iloc[0]
        assert cell["value"] == pytest.approx(100 * part["value"].fillna(0).mean())
        assert cell["n"] == len(part)


def test_the_ranks_of_a_section_add_up_whatever_the_metric(default_run: Run) -> None:
    scores = _read(default_run, "scores/teacher/*")
    n = scores[["teacher", "submission"]].drop_duplicates().shape[0]
    ranks = scores[scores["metric"].str.startswith("rank_")]
    sums = ranks.groupby(["section_id", "metric"])["value"].sum()
    assert (sums == n * (n + 1) / 2).all()


def test_a_teacher_without_questions_in_a_section_has_the_worst_rank_there(
    default_run: Run,
) -> None:
    scores = _read(default_run, "scores/teacher/*")
    absent = scores[(scores["status"] == "absent") & scores["metric"].str.startswith("rank_")]
    # One section of the demo has no expert set, and no other Teacher is absent there.
    assert set(absent["section_id"]) == {"nmt-class/lecture03-evaluation/screen06-slide07"}
    assert set(absent["teacher"]) == {"GOLD"}
    assert set(absent["value"]) == {1.0}


def test_sub_kinds_are_columns_of_their_own_and_not_counted_twice(default_run: Run) -> None:
    table = _read(default_run, "tables/*").query("table == 'table_01' and row_id == 'cloze'")
    n = table.set_index("column_id")["n"]
    fact_check = "demagog-statements-public"
    parts = n[n.index.str.startswith(f"{fact_check}/")]
    assert len(parts) == 3
    assert parts.sum() == n[fact_check]
    kinds = n[~n.index.str.contains("/") & (n.index != "all")]
    assert kinds.sum() == n["all"] == 28


def test_every_null_of_a_table_has_a_reason_and_every_cell_its_n(default_run: Run) -> None:
    table = _read(default_run, "tables/*")
    assert table.loc[table["value"].isna(), "reason"].notna().all()
    assert table["n"].notna().all()
    shown = "".join(path.read_text() for path in (default_run.results / "tables").glob("*.md"))
    assert "nan" not in shown.lower()


class _Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag == "a" and values.get("href"):
            self.targets.append(str(values["href"]))
        if values.get("id"):
            self.ids.append(str(values["id"]))


def test_every_link_of_the_index_page_leads_somewhere(default_run: Run) -> None:
    page = default_run.results / "report" / "index.html"
    parser = _Links()
    parser.feed(page.read_text(encoding="utf-8"))
    assert len(parser.targets) > len(CATALOGUE) * len(FORMATS)
    for target in parser.targets:
        if target.startswith("#"):
            assert target[1:] in parser.ids
        else:
            assert (page.parent / target).is_file(), target
    assert len(parser.ids) == len(set(parser.ids))


def test_the_resolved_configuration_and_the_manifest_stand_beside_the_results(
    default_run: Run,
) -> None:
    resolved = yaml.safe_load((default_run.results / "config.yaml").read_text(encoding="utf-8"))
    assert resolved["windows"]["max_words"] == 50
    manifest = json.loads((default_run.results / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["config"] == resolved
    recorded = manifest["artifacts"]
    actual = {
        f"results/{name}": value
        for name, value in hashes(default_run.results).items()
        if name.endswith(".parquet")
    }
    assert {name: recorded.get(name) for name in actual} == actual
    assert manifest["packages"]["snakemake"] == "9.27.1"
    assert str(ROOT) not in (default_run.results / "manifest.json").read_text(encoding="utf-8")


def test_a_second_run_has_nothing_to_do(default_run: Run) -> None:
    again = succeed(snakemake(folder=default_run.folder))
    assert "Nothing to be done" in again.text


def test_a_cold_run_on_one_core_gives_the_same_bytes(
    default_run: Run, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("cold") / "other place"
    cold = succeed(snakemake(folder=folder, cores=1))
    assert hashes(cold.results) == hashes(default_run.results)


def test_the_readme_shows_the_tables_of_the_default_run(default_run: Run) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    table = (default_run.results / "tables" / "table_06.md").read_text(encoding="utf-8")
    assert table.strip() in readme, "the README's table is not that of this run: make readme"


def test_list_reads_like_a_table_of_contents(tmp_path: Path) -> None:
    listed = succeed(snakemake("--list", folder=tmp_path)).text
    rules = [
        line.split()[1].rstrip(":")
        for path in (ROOT / "rules").glob("*.smk")
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.startswith("rule ")
    ]
    assert len(rules) > 20
    for rule in rules:
        (line,) = (line for line in listed.splitlines() if line.startswith(f"{rule} ("))
        assert len(line) > len(rule) + 20, f"{rule} does not say what it is for"
        assert "{" not in line
