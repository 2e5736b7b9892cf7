"""Tables x2 and x3 from hand-made scores."""

from typing import Any

import pandas as pd
import pytest

from sensemaking.io import artifacts
from sensemaking.mt.units import QualityPair
from sensemaking.schemas import ASR_SCORES, MT_SCORES, TABLES, TRANSCRIPTS
from sensemaking.scoring.estimates import Settings
from sensemaking.scoring.mt import score_translations
from sensemaking.tables.catalogue import entry
from sensemaking.tables.quality import ShownKind, asr_table, engines_of, mt_table
from sensemaking.tables.table import Cell, Table

SETTINGS = Settings(seed=3, draws=200)
KINDS = [ShownKind("class", "MT class"), ShownKind("book", "MT book")]


def frame(artifact: Any, rows: list[dict[str, Any]]) -> pd.DataFrame:
    return artifacts.to_frame(artifacts.to_table(artifact, rows))


def transcript(section: str, status: str = "ok", **counts: int) -> dict[str, Any]:
    row: dict[str, Any] = dict.fromkeys(TRANSCRIPTS.names)
    zeros = dict.fromkeys(("n_segments", "n_dropped", "n_flagged", "n_retried"), 0)
    return {
        **row,
        **zeros,
        "section_id": section,
        "file": "source.mp3",
        "text": "Words." if status == "ok" else None,
        "status": status,
        "language": "en",
        "warnings": [],
        "engine": "faster-whisper",
        "model": "base",
        **counts,
    }


def score(section: str, metric: str, errors: int | None, n: int | None) -> dict[str, Any]:
    return {
        "section_id": section,
        "reference": "reference.txt",
        "metric": metric,
        "metric_version": "1",
        "value": None if errors is None or n is None else errors / n,
        "status": "no_speech" if errors is None else "ok",
        "n_errors": errors,
        "n_reference": n,
    }


TRANSCRIPTS_OF = [
    transcript("class/a", n_segments=8, n_flagged=2),
    transcript("class/b", n_segments=2, n_dropped=10),
    transcript("class/c", "no_speech", n_dropped=4),
]
SCORES_OF = [
    *(score("class/a", metric, 1, 10) for metric in ("wer", "cer")),
    *(score("class/b", metric, 8, 20) for metric in ("wer", "cer")),
    *(score("class/c", metric, None, None) for metric in ("wer", "cer")),
]


def x2(references: list[str]) -> Table:
    table = asr_table(
        entry("table_x2"),
        frame(ASR_SCORES, SCORES_OF),
        frame(TRANSCRIPTS, TRANSCRIPTS_OF),
        KINDS,
        references,
        SETTINGS,
    )
    artifacts.to_table(TABLES, table.long_rows())
    return table


def figures(cell: Cell) -> tuple[float | None, int, int]:
    return (None if cell.value is None else round(cell.value, 6), cell.n, cell.n_missing)


def test_error_rates_are_pooled_over_words_and_count_what_is_missing() -> None:
    cells = x2(["reference.txt"]).cells
    # 9 errors in 30 words; the mean of the two rates would be 25.
    assert figures(cells["class", "wer/reference.txt"]) == (30.0, 2, 1)
    assert figures(cells["all", "cer/reference.txt"]) == (30.0, 2, 1)
    assert cells["class", "wer/reference.txt"].sd == pytest.approx(100 * 0.3 / 2**0.5)
    assert cells["class", "wer/reference.txt"].reason == "fewer than 5 clusters"


def test_doubtful_and_invented_segments_are_shares_of_the_segments() -> None:
    cells = x2(["reference.txt"]).cells
    # 2 of the 10 segments in the texts are doubtful; 14 of all 24 were left out.
    assert figures(cells["class", "n_flagged"]) == (20.0, 2, 1)
    assert figures(cells["class", "n_dropped"]) == (round(100 * 14 / 24, 6), 3, 0)


def test_a_kind_without_recordings_has_its_cells_with_the_reason() -> None:
    cells = x2(["reference.txt"]).cells
    empty = cells["book", "wer/reference.txt"]
    assert (empty.value, empty.n, empty.reason) == (None, 0, "no transcript with a reference")
    assert cells["book", "n_flagged"].reason == "no recording was transcribed"


def test_columns_are_those_of_the_references_in_use() -> None:
    shares = ["n_flagged", "n_dropped"]
    assert [column.id for column in x2([]).columns] == shares
    both = x2(["reference.txt", "text.txt"])
    assert [column.label for column in both.columns[:4]] == [
        "WER",
        "CER",
        "WER against text.txt",
        "CER against text.txt",
    ]
    assert both.cells["all", "wer/text.txt"].n == 0


def test_the_notes_say_how_many_recordings_gave_no_text_and_why() -> None:
    notes = " ".join(x2(["reference.txt"]).notes)
    assert "faster-whisper, model base: 3 recordings, 1 of them without a text" in notes
    assert "(no_speech 1)" in notes
    assert "timings/recordings.html" in notes


def test_error_rates_of_five_recordings_have_an_interval() -> None:
    scores = [score(f"class/{n}", "wer", n, 10) for n in range(5)]
    table = asr_table(
        entry("table_x2"),
        frame(ASR_SCORES, scores),
        frame(TRANSCRIPTS, [transcript(f"class/{n}", n_segments=1) for n in range(5)]),
        KINDS,
        ["reference.txt"],
        SETTINGS,
    )
    cell = table.cells["class", "wer/reference.txt"]
    assert cell.value == pytest.approx(20)
    assert cell.ci_low is not None
    assert cell.ci_high is not None
    assert 0 <= cell.ci_low < 20 < cell.ci_high <= 40


PAIRS = [
    QualityPair("class/a", "text", "text", "The cat sat on the mat.", "The cat sat on the mat."),
    QualityPair("class/b", "text", "text", None, "It rains."),
    QualityPair(
        "book/a", "question", "questions_by_GOLD_PRIMARY#000", "Who barks there now?", "Who barks?"
    ),
]


def x3(engines: list[str | None], pairs: list[QualityPair] = PAIRS) -> Table:
    table = mt_table(
        entry("table_x3"),
        frame(MT_SCORES, score_translations(pairs)),
        pairs,
        engines,
        KINDS,
        SETTINGS,
    )
    artifacts.to_table(TABLES, table.long_rows())
    return table


def test_texts_and_questions_are_measured_apart_and_by_kind() -> None:
    cells = x3(["memory"]).cells
    assert figures(cells["class", "text/chrf"]) == (100, 1, 1)
    assert figures(cells["class", "question/chrf"]) == (None, 0, 0)
    assert cells["class", "question/chrf"].reason == "no translation with a reference"
    value = cells["book", "question/bleu"].value
    assert value is not None
    assert 0 < value < 100
    assert figures(cells["all", "text/bleu"]) == (100, 1, 1)


def test_the_notes_name_engines_and_settings() -> None:
    notes = " ".join(x3(["memory", "google", "google", None]).notes)
    assert "google 2, memory 1 of 4" in notes
    assert "nrefs:1|case:mixed|eff:no|tok:13a" in notes
    assert "nothing about a translator" not in notes
    assert "nothing about a translator" in " ".join(x3(["memory"]).notes)


def test_nothing_translated_gives_a_table_that_says_so() -> None:
    table = mt_table(entry("table_x3"), frame(MT_SCORES, []), [], [], [], SETTINGS)
    artifacts.to_table(TABLES, table.long_rows())
    assert [row.id for row in table.rows] == ["all"]
    assert {cell.reason for cell in table.cells.values()} == {"no translation with a reference"}


def test_a_unit_without_translation_has_no_engine() -> None:
    assert engines_of([{"engine": "memory"}, {"engine": float("nan")}]) == ["memory", None]
