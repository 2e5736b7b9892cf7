"""The default run: what a newcomer gets from one command."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pandas as pd
import pytest
import yaml

from sensemaking.io import artifacts
from sensemaking.schemas import (
    ANSWERS,
    ANSWERS_EXPECTED,
    ASR_SCORES,
    CORRELATIONS,
    COUPLINGS,
    EMBEDDINGS,
    ESTIMATES,
    FINDINGS,
    JUDGE_COSTS,
    JUDGE_ESTIMATES,
    JUDGE_SCORES,
    MT_SCORES,
    OUTLINES,
    PAIRS,
    PDF_PAGES,
    PDF_TEXTS,
    QUESTIONS,
    RATINGS,
    RAW_EVALUATOR,
    RAW_STUDENT,
    RAW_TEACHER,
    RELEASED_ANSWERS,
    REPAIRS,
    ROUGE_SCORES,
    SECTIONS,
    SEGMENTS,
    STRENGTHS,
    SUBMISSIONS,
    SYSTEMS,
    TABLES,
    TEACHER_SCORES,
    TRANSCRIPTS,
    TRANSLATIONS,
    TRUTH,
    WINDOWS,
)
from sensemaking.statuses import NOT_GIVEN
from sensemaking.tables.catalogue import CATALOGUE
from sensemaking.text.words import words
from tests.conftest import ROOT, Run, hashes, snakemake, succeed

pytestmark = pytest.mark.workflow

FORMATS = ("parquet", "md", "csv", "tex", "html")
PLACES = {
    "materials/original/*": SECTIONS,
    "materials/sections/*": SECTIONS,
    "materials/segments/*/*": SEGMENTS,
    "materials/transcripts/*/*": TRANSCRIPTS,
    "materials/pdf_texts/*": PDF_TEXTS,
    "materials/pdf_pages/*": PDF_PAGES,
    "materials/outlines/*": OUTLINES,
    "materials/translations/*": TRANSLATIONS,
    "materials/released_answers": RELEASED_ANSWERS,
    "materials/windows/*": WINDOWS,
    "questions/original/*": QUESTIONS,
    "questions/materials/*": QUESTIONS,
    "questions/cloze/*": QUESTIONS,
    "questions/lead/*": QUESTIONS,
    "questions/*-primary/*": QUESTIONS,
    "questions/qwen-teacher/*": QUESTIONS,
    "questions/adversarial/*": QUESTIONS,
    "answers/*/*": ANSWERS,
    "answers_to_adversarial/*/*": ANSWERS,
    "raw/teacher/*/*": RAW_TEACHER,
    "raw/student/*": RAW_STUDENT,
    "raw/evaluator/*": RAW_EVALUATOR,
    "answers_expected/*": ANSWERS_EXPECTED,
    "ratings/*/*": RATINGS,
    "validation/findings/*": FINDINGS,
    "validation/findings/recordings/*/*": FINDINGS,
    "embeddings/*": EMBEDDINGS,
    "scores/teacher/*": TEACHER_SCORES,
    "scores/rouge/*": ROUGE_SCORES,
    "scores/asr": ASR_SCORES,
    "scores/mt": MT_SCORES,
    "verifiable/*/truth": TRUTH,
    "judgements/pairs/*": PAIRS,
    "judgements/costs/*": JUDGE_COSTS,
    "couplings/strengths/*": STRENGTHS,
    "couplings/figures/*": COUPLINGS,
    "scores/verifiable/*": JUDGE_SCORES,
    "estimates/verifiable/*": JUDGE_ESTIMATES,
    "estimates/teacher_ranks": ESTIMATES,
    "estimates/student_rouge": ESTIMATES,
    "estimates/student_correlations": CORRELATIONS,
    "systems": SYSTEMS,
    "systems/*": SYSTEMS,
    "validation/findings/submissions/*": FINDINGS,
    "validation/findings/replies/*": FINDINGS,
    "validation/findings/replies/*/*": FINDINGS,
    "validation/repairs/*": REPAIRS,
    "validation/submissions/*": SUBMISSIONS,
    "tables/*": TABLES,
}

DEMO = ROOT / "resources/demo/materials"
_FIGURE = re.compile(r"\d+\.\d+(?= ± | \()")

ASKED = (
    "questions/materials/*",
    "questions/cloze/*",
    "questions/lead/*",
    "questions/*-primary/*",
    "questions/qwen-teacher/*",
)


def _read(run: Run, *patterns: str) -> pd.DataFrame:
    paths = [path for name in patterns for path in sorted(run.results.glob(f"{name}.parquet"))]
    assert paths, patterns
    return artifacts.read(PLACES[patterns[0]], paths)


def _system_of(run: Run, role: str, items: pd.DataFrame) -> pd.Series:
    """Return the id of the system of each item."""
    systems = _read(run, "systems").query("role == @role")
    teams = zip(systems["team"], systems["submission"], strict=True)
    ids = dict(zip(teams, systems["system"], strict=True))
    keys = zip(items[role], items["submission"], strict=True)
    return pd.Series([ids[key] for key in keys], index=items.index, name="system")


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
    questions = _read(default_run, *ASKED).query("variant == 'genuine'")
    expected = _read(default_run, "answers_expected/*")
    students = _read(default_run, "systems").query("role == 'student'")
    assert {"submitted", "baseline"} <= set(students["origin"])
    assert len(expected) == len(students) * len(questions)
    # A question that the model's journal does not hold cannot be answered, nor counted.
    unknown = set(questions.loc[questions["question"].isna(), "question_id"])
    assert unknown
    silent = expected[expected["question_id"].isin(unknown)]
    assert set(silent["status"]) == {"no_question"}
    for _, own in expected.groupby(["student", "submission"]):
        assert set(own["question_id"]) == set(questions["question_id"])


def test_what_a_student_did_not_answer_is_null_in_scores_and_0_in_the_estimate(
    default_run: Run,
) -> None:
    scores = _read(default_run, "scores/rouge/*")
    silent = scores[scores["status"].isin(NOT_GIVEN)]
    assert "no_answer" in set(silent["status"])
    assert silent["value"].isna().all()
    estimates = _read(default_run, "estimates/student_rouge")
    own = estimates[(estimates["subset"] == "all") & (estimates["kind"] == "all")]
    for system, part in scores.groupby(_system_of(default_run, "student", scores)):
        row = own[own["system"] == system].iloc[0]
        counted = part[part["status"].isin(["ok", *NOT_GIVEN])]
        assert row["n_imputed"] == counted["status"].isin(NOT_GIVEN).sum()
        assert row["n"] == len(counted)
        assert row["mean"] == pytest.approx(counted["value"].fillna(0).mean())


def test_table_6_shows_the_means_of_the_scores_by_kind(default_run: Run) -> None:
    table = _read(default_run, "tables/*").query("table == 'table_06'")
    scores = _read(default_run, "scores/rouge/*")
    scores["kind"] = scores["question_id"].str.partition("/")[0]
    scores = scores[scores["status"].isin(["ok", *NOT_GIVEN])].copy()
    scores["system"] = _system_of(default_run, "student", scores)
    for (student, kind), part in scores.groupby(["system", "kind"]):
        cell = table[(table["row_id"] == student) & (table["column_id"] == kind)].iloc[0]
        assert cell["value"] == pytest.approx(100 * part["value"].fillna(0).mean())
        assert cell["n"] == len(part)


def test_the_ranks_of_a_section_add_up_whatever_the_metric(default_run: Run) -> None:
    scores = _read(default_run, "scores/teacher/*")
    n = scores[["teacher", "submission"]].drop_duplicates().shape[0]
    ranks = scores[scores["metric"].str.startswith("rank_")]
    unranked = ranks["status"] == "section_not_ranked"
    assert ranks.loc[unranked, "value"].isna().all()
    ranks = ranks[~unranked]
    assert ranks["section_id"].nunique() > 25
    sums = ranks.groupby(["section_id", "metric"])["value"].sum()
    assert (sums == n * (n + 1) / 2).all()


def test_a_teacher_without_questions_in_a_section_has_the_worst_rank_there(
    default_run: Run,
) -> None:
    scores = _read(default_run, "scores/teacher/*")
    absent = scores[(scores["status"] == "absent") & scores["metric"].str.startswith("rank_")]
    # One section of the demo has no expert set; the teams did not ask about PDFs without a text.
    experts = absent[absent["teacher"] == "GOLD"]
    assert set(experts["section_id"]) == {"nmt-class/lecture03-evaluation/screen06-slide07"}
    questions = _read(default_run, *ASKED)
    asked = set(zip(questions["section_id"], questions["teacher"], strict=True))
    assert asked.isdisjoint(zip(absent["section_id"], absent["teacher"], strict=True))
    for (section, _), part in absent.groupby(["section_id", "metric"]):
        assert sorted(part["value"]) == list(range(1, len(part) + 1)), section


def test_sub_kinds_are_columns_of_their_own_and_not_counted_twice(default_run: Run) -> None:
    table = _read(default_run, "tables/*").query("table == 'table_01' and row_id == 'cloze'")
    # Two sections are not ranked, since nobody recorded the model's questions about them.
    assert table.set_index("column_id").loc["all", "n_missing"] == 2
    n = table.set_index("column_id")[["n", "n_missing"]].sum(axis=1)
    fact_check = "demagog-statements-public"
    parts = n[n.index.str.startswith(f"{fact_check}/")]
    assert len(parts) == 3
    assert parts.sum() == n[fact_check]
    kinds = n[~n.index.str.contains("/") & (n.index != "all")]
    assert kinds.sum() == n["all"] == 31


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


def test_texts_come_from_files_recordings_and_pdfs_and_say_so(default_run: Run) -> None:
    sections = _read(default_run, "materials/sections/*").set_index("section_id")
    origins = sections["text_origin"].value_counts().to_dict()
    assert origins == {"text.txt": 28, "faster-whisper": 2, "source.pdf": 1}
    page = sections.loc["nmt-book/chapter04-attention/section01-weighted-reading"]
    assert (page["text_origin"], page["modality"]) == ("source.pdf", "pdf")
    # Words that were divided at line ends of two columns are whole again.
    assert "squeezed the whole source sentence into a single vector" in page["text_en"]
    spoken = sections.loc["nmt-class/lecture04-search/screen02-slide03"]
    assert (spoken["text_origin"], spoken["text_en_origin"]) == ("faster-whisper", "original")
    # Which words exactly are heard depends on the type of machine.
    reference = DEMO / "nmt-class/lecture04-search/screen02-slide03/reference.txt"
    said = set(words(reference.read_text(encoding="utf-8").lower()))
    assert len(said & set(words(spoken["text_en"].lower()))) > 0.8 * len(said)
    german = sections.loc["popular/video-04-honig"]
    assert german["text_en"].startswith("Honey hardly ever goes bad.")
    assert german["text_en_origin"] == "text.en.txt"


def test_transcripts_are_measured_and_translations_too(default_run: Run) -> None:
    scores = _read(default_run, "scores/asr")
    wer = scores[scores["metric"] == "wer"].set_index("section_id")
    assert set(wer["reference"]) == {"reference.txt"}
    # The section with a text of its own is transcribed to be measured.
    assert set(wer.index) == {
        "nmt-class/lecture04-search/screen02-slide03",
        "popular/video-03-abendrot",
        "popular/video-04-honig",
    }
    assert wer["value"].max() < 0.2
    table = _read(default_run, "tables/*").set_index(["table", "row_id", "column_id"])
    shown = table.loc[("table_x2", "all", "wer/reference.txt")]
    assert shown["value"] == pytest.approx(100 * wer["n_errors"].sum() / wer["n_reference"].sum())
    assert shown["n"] == 3
    # The demo's memory holds the very translations that it is measured by. It does not hold what
    # speech recognition made of a German recording.
    for column in ("text/chrf", "text/bleu"):
        cell = table.loc[("table_x3", "all", column)]
        assert (cell["value"], cell["n"], cell["n_missing"]) == (100, 18, 1)


def test_times_are_beside_the_results_and_not_in_them(default_run: Run) -> None:
    page = (default_run.folder / "timings/recordings.html").read_text(encoding="utf-8")
    assert "popular/sections" in page
    assert "nmt-class/lecture04-search" in page
    index = (default_run.results / "report/index.html").read_text(encoding="utf-8")
    assert 'src="../../timings/recordings.html"' in index


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
    shown = readme.partition("<!-- table_06 -->")[2].partition("<!-- end -->")[0]
    # Texts that were heard, and so answers found in them, differ a little between types of machine.
    figures, cells = _figures_apart(table)
    readme_figures, readme_cells = _figures_apart(shown)
    assert readme_cells == cells, "the README's table is not that of this run: make readme"
    assert readme_figures == pytest.approx(figures, abs=1.0)


def _figures_apart(table: str) -> tuple[list[float], str]:
    """Return the figures with a decimal, and the rest with what only the widths of cells change."""
    rest = re.sub(r"[-\s]+", " ", _FIGURE.sub("?", table)).strip()
    return [float(figure) for figure in _FIGURE.findall(table)], rest


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
