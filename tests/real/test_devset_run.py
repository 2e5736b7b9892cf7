"""The pipeline on the public development set, against facts got by hand.

The literals were read off the files with find, wc and a JSON viewer, not by the code under test.
"""

import json
from pathlib import Path

import pandas as pd
import pytest

from sensemaking.io import artifacts
from sensemaking.schemas import (
    FINDINGS,
    PDF_TEXTS,
    QUESTIONS,
    ROUGE_SCORES,
    SECTIONS,
    TABLES,
    TEACHER_SCORES,
    WINDOWS,
)
from tests.conftest import Run, hashes, snakemake, succeed

pytestmark = [pytest.mark.devset, pytest.mark.workflow]

SLIDE = "nmtclass/lecture01-eval/screen01-slide01"
VIDEO = "popular/video-22"
TOPIC_1 = "ukrbiology/book01/topic01-Різноманітність тварин"
TOPIC_2 = "ukrbiology/book01/topic02-Процеси життєдіяльностітварин"
TOPIC_3 = "ukrbiology/book01/topic03-Поведінка тварин"
PDF_ONLY = {
    "nmtclass/lecture01-eval/screen85-slide85": (
        "Empirical Confidence Intervals",
        "around the score obtained on the full test set.",
    ),
    "nmtclass/lecture01-eval/screen86-slide86": (
        "End-to-end vs. Component Eval.",
        "See also e.g. Lopez and Resnik (2006).",
    ),
    "nmtclass/lecture01-eval/screen87-slide87": (
        "Summary, The Moral of the Story",
        "confidence intervals are estimated.",
    ),
}
"""Sections with only a PDF, to the first and the last words on it."""


def overlay(devset: Path) -> dict[str, object]:
    """The configuration of a run on the development set."""
    return {
        "materials": {"root": str(devset)},
        "kinds": [
            {"id": "nmtclass", "language": "en"},
            {"id": "popular", "language": "de", "question_language": "cs"},
            {"id": "ukrbiology", "language": "uk"},
        ],
        "intervals": {"draws": 1000},
    }


@pytest.fixture(scope="module")
def run(devset: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("devset")
    config = folder / "devset.yaml"
    config.write_text(json.dumps(overlay(devset)), encoding="utf-8")
    return succeed(
        snakemake(
            *("table_01", "table_02", "table_03", "table_06", "--configfile", config),
            folder=folder / "run",
        )
    )


def _read(artifact: object, run: Run, pattern: str) -> pd.DataFrame:
    return artifacts.read(artifact, sorted(run.results.glob(pattern)))  # type: ignore[arg-type]


def test_every_section_folder_is_a_row_with_a_text(run: Run) -> None:
    sections = _read(SECTIONS, run, "materials/sections/*.parquet")
    assert sections["kind"].value_counts().to_dict() == {
        "nmtclass": 87,
        "popular": 1,
        "ukrbiology": 3,
    }
    assert len(sections) == 91
    assert sections["text"].notna().all()
    assert sections["text_en"].notna().all()


def test_the_three_slides_that_have_only_a_pdf_get_their_text_from_it(run: Run) -> None:
    sections = _read(SECTIONS, run, "materials/sections/*.parquet").set_index("section_id")
    printed = sections[sections["text_origin"] == "source.pdf"]
    assert set(printed.index) == set(PDF_ONLY)
    for section_id, (first, last) in PDF_ONLY.items():
        text = printed.loc[section_id, "text_en"]
        assert text.startswith(first)
        assert text.endswith(last)
        # The number of the page is none of its words.
        assert "/84" not in text
    assert set(sections.loc[~sections.index.isin(PDF_ONLY), "text_origin"]) == {"text.txt"}
    # The other slides' PDFs are not read, since they are not what is said.
    read = _read(PDF_TEXTS, run, "materials/pdf_texts/*.parquet")
    assert set(read["section_id"]) == set(PDF_ONLY)
    findings = _read(FINDINGS, run, "validation/findings/*-nmtclass.parquet")
    assert set(findings["code"]) <= {"text_too_long"}


def test_two_english_versions_of_chapters_are_flagged_as_too_short(run: Run) -> None:
    findings = _read(FINDINGS, run, "validation/findings/translations-*.parquet")
    assert dict(zip(findings["file"], findings["code"], strict=True)) == {
        TOPIC_1: "text_en_short",
        TOPIC_2: "text_en_short",
    }


def test_words_places_and_modalities_are_those_of_the_folders(run: Run) -> None:
    sections = _read(SECTIONS, run, "materials/sections/*.parquet").set_index("section_id")
    slide, video, topic = sections.loc[SLIDE], sections.loc[VIDEO], sections.loc[TOPIC_1]
    assert slide["n_words_en"] == 19
    assert (slide["chapter"], slide["modality"]) == ("lecture01-eval", "audio")
    assert pd.isna(video["chapter"])
    assert (video["language"], video["text_en_origin"]) == ("de", "text.en.txt")
    assert video["text"].startswith("Impfungen sind wahnsinnig wichtig")
    assert video["text_en"].startswith("Vaccinations are incredibly important")
    assert topic["text_en"].strip().startswith("Unit 1: Animal Diversity")
    assert (topic["chapter"], topic["modality"]) == ("book01", "text")
    assert sections.loc[TOPIC_3, "modality"] == "pdf"
    assert slide["source_sha256"] == (
        "223167dcbf443c3d6cc610139c8d721ae8485c6199bdb255ad9779b5a5d80b6e"
    )


def test_the_windows_of_a_short_slide_are_its_text_and_its_last_sentence(run: Run) -> None:
    windows = _read(WINDOWS, run, "materials/windows/nmtclass.parquet")
    own = windows[windows["section_id"] == SLIDE]
    assert list(own["text"]) == [
        "Good morning welcome to the class on statistical machine translation The first lecture is "
        "on evaluating machine translation quality",
        "The first lecture is on evaluating machine translation quality",
    ]
    assert list(own["n_words"]) == [19, 9]
    assert list(own["first_sentence"]) == [0, 1]


def test_questions_are_read_item_by_item_in_both_languages(run: Run) -> None:
    questions = _read(QUESTIONS, run, "questions/materials/*.parquet")
    assert questions.groupby("section_id").size().to_dict() == {
        VIDEO: 22,
        TOPIC_1: 7,
        TOPIC_2: 5,
        TOPIC_3: 4,
    }
    assert set(questions["status"]) == {"ok"}
    third = questions.set_index("question_id").loc[f"{VIDEO}/questions_by_GOLD_PRIMARY#002"]
    assert third["language"] == "cs"
    assert third["question"] == "What are the weapons of immunity against infection?"
    assert third["question_original"] == "Co jsou zbraně imunity proti nákaze?"
    assert list(third["references"]) == ["Antibodies."]
    assert list(third["references_original"]) == ["protilátky"]
    ukrainian = questions[questions["section_id"] == TOPIC_3].iloc[0]
    assert ukrainian["question_original"] == "Що таке етологія? Що вона вивчає?"
    assert list(ukrainian["references"]) == []


def test_a_rouge_value_is_the_one_counted_by_hand(run: Run) -> None:
    scores = _read(ROUGE_SCORES, run, "scores/rouge/popular.parquet")
    own = scores[
        (scores["question_id"] == f"{VIDEO}/questions_by_GOLD_PRIMARY#005")
        & (scores["student"] == "lead-sentence")
    ]
    # "we don t get sick again we are immune" has nine tokens; of them the first sentence of the
    # text, "Vaccinations are incredibly important for fighting disease", has "are".
    assert list(own["value"]) == [pytest.approx(1 / 9)]


def test_experts_are_ranked_last_where_they_asked_nothing(run: Run) -> None:
    scores = _read(TEACHER_SCORES, run, "scores/teacher/*.parquet")
    gold = scores[(scores["teacher"] == "GOLD") & (scores["metric"] == "rank_coverage")]
    by_kind = gold.assign(kind=gold["section_id"].str.partition("/")[0])
    lecture = by_kind[by_kind["kind"] == "nmtclass"]
    assert len(lecture) == 87
    ranked = lecture[lecture["value"].notna()]
    assert set(ranked["status"]) == {"absent"}
    # One slide holds a single sentence of five words, too short for a cloze question: there cloze
    # is absent too, and the draw decides between the two.
    assert set(ranked["value"]) <= {1.0, 2.0}
    assert (ranked["value"] == 1.0).sum() >= 80
    others = by_kind[by_kind["kind"] != "nmtclass"]
    assert len(others) == 4
    assert set(others["status"]) == {"ok"}


def test_the_tables_count_what_is_there(run: Run) -> None:
    tables = _read(TABLES, run, "tables/*.parquet").set_index(["table", "row_id", "column_id"])
    for table in ("table_01", "table_02", "table_03"):
        assert tables.loc[(table, "cloze", "all"), "n"] == 91
        assert tables.loc[(table, "cloze", "all"), "n_missing"] == 0
        assert tables.loc[(table, "gold", "ukrbiology"), "n"] == 3
        assert tables.loc[(table, "gold", "ukrbiology"), "reason"] == "fewer than 5 clusters"
    video = tables.loc[("table_06", "lead-sentence", "popular")]
    # 22 expert questions and 8 of each programmatic Teacher.
    assert video["n"] == 38
    # The Ukrainian expert questions have no reference answer, so they are no items of table 6.
    assert tables.loc[("table_06", "best-sentence", "ukrbiology"), "n"] == 3 * 16


def test_no_text_of_the_materials_is_cut_by_the_embedding_model(run: Run) -> None:
    findings = _read(FINDINGS, run, "validation/findings/embeddings-*.parquet")
    assert set(findings["code"]) <= {"text_too_long"}
    windows = findings[findings["file"].str.contains("#window")]
    # Some windows of 50 words of the textbook are lists of Latin names; each is reported.
    for message in windows["message"]:
        assert "the embedding model reads 256" in message


def test_a_second_run_has_nothing_to_do_and_the_development_set_is_untouched(
    run: Run, devset: Path
) -> None:
    before = hashes(devset / "popular")
    again = succeed(
        snakemake(
            *("table_01", "table_02", "table_03", "table_06"),
            *("--configfile", run.folder.parent / "devset.yaml"),
            folder=run.folder,
        )
    )
    assert "Nothing to be done" in again.text
    assert hashes(devset / "popular") == before
