"""Scores of transcripts and translations, and the figures that are pooled of them."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sensemaking.io import artifacts
from sensemaking.metrics.mt import corpus_quality
from sensemaking.mt.units import QualityPair
from sensemaking.schemas import ASR_SCORES, MT_SCORES
from sensemaking.scoring.asr import Reference, read_reference, score_transcripts
from sensemaking.scoring.mt import pooled_quality, score_translations
from sensemaking.scoring.pooled import pooled, ratio
from sensemaking.seeds import generator


def transcript(section: str, text: str | None, status: str = "ok") -> dict[str, Any]:
    return {"section_id": section, "text": text, "status": status}


def test_a_transcript_is_scored_against_each_of_its_references() -> None:
    rows = score_transcripts(
        [transcript("k/a", "Bees collect nectar")],
        [
            Reference("k/a", "reference.txt", "Bees collect sweet nectar."),
            Reference("k/a", "text.txt", "Bees collect nectar!"),
            Reference("k/other", "text.txt", "Not transcribed."),
        ],
    )
    artifacts.to_table(ASR_SCORES, rows)
    found = {(row["reference"], row["metric"]): row for row in rows}
    assert len(rows) == len(found) == 4
    wer = found["reference.txt", "wer"]
    assert (wer["value"], wer["n_errors"], wer["n_reference"]) == (0.25, 1, 4)
    # "bees collect sweet nectar" has 25 characters, and "sweet " is missing.
    cer = found["reference.txt", "cer"]
    assert (cer["n_errors"], cer["n_reference"]) == (6, 25)
    assert (found["text.txt", "wer"]["value"], found["text.txt", "wer"]["status"]) == (0, "ok")


@pytest.mark.parametrize(
    ("text", "status", "reference", "expected"),
    [
        (None, "no_speech", "Said.", "no_speech"),
        (None, "damaged_file", "Said.", "damaged_file"),
        ("Said.", "ok", None, "unreadable_reference"),
        ("Said.", "ok", "…", "no_words_in_reference"),
        (None, "no_speech", None, "unreadable_reference"),
    ],
)
def test_what_cannot_be_scored_is_null_with_the_reason(
    text: str | None, status: str, reference: str | None, expected: str
) -> None:
    rows = score_transcripts(
        [transcript("k/a", text, status)], [Reference("k/a", "reference.txt", reference)]
    )
    artifacts.to_table(ASR_SCORES, rows)
    assert [(row["value"], row["status"]) for row in rows] == [(None, expected)] * 2
    assert {row["n_errors"] for row in rows} == {None}


def test_a_reference_that_is_no_text_is_none(tmp_path: Path) -> None:
    path = tmp_path / "reference.txt"
    assert read_reference("k/a", path, "en").text is None
    path.write_bytes(b"\x00\xff\x00\x00\xfe\x00")
    assert read_reference("k/a", path, "en") == Reference("k/a", "reference.txt", None)
    path.write_bytes("Київ".encode("cp1251"))
    assert read_reference("k/a", path, "uk").text == "Київ"


def pair(section: str, translation: str | None, reference: str, kind: Any = "text") -> QualityPair:
    return QualityPair(section, kind, "text", translation, reference)


PAIRS = [
    pair("k/a", "The cat sat on the mat today.", "The cat sat on the mat today."),
    pair("k/b", "A dog barked at the tree for long.", "The dog barked at a tall tree."),
    pair("k/c", None, "It rains."),
]


def test_translations_are_scored_pair_by_pair() -> None:
    rows = score_translations([*PAIRS, pair("k/d", "Words.", " ")])
    artifacts.to_table(MT_SCORES, rows)
    found = {(row["section_id"], row["metric"]): row for row in rows}
    assert found["k/a", "chrf"]["value"] == pytest.approx(100)
    assert 0 < found["k/b", "bleu"]["value"] < 100
    assert found["k/c", "chrf"]["status"] == "no_translation"
    assert found["k/d", "bleu"]["status"] == "blank_reference"
    assert np.isnan(found["k/c", "chrf"]["value"])


@pytest.mark.parametrize("metric", ["chrf", "bleu"])
def test_the_pooled_figure_is_that_of_the_corpus(metric: str) -> None:
    found = pooled_quality(PAIRS, metric, generator(1, "t"), draws=100)
    expected = corpus_quality([p.translation for p in PAIRS], [p.reference for p in PAIRS])
    assert found.value == pytest.approx(getattr(expected, metric).value)
    assert (found.n, found.n_missing) == (2, 1)
    assert (found.ci_low, found.reason) == (None, "fewer than 5 clusters")


def test_without_a_pair_there_is_no_figure() -> None:
    found = pooled_quality([pair("k/a", None, "It rains.")], "bleu", generator(1, "t"), draws=100)
    assert (found.value, found.n, found.n_missing, found.reason) == (None, 0, 1, "no items")


def test_a_pooled_figure_is_of_the_sums_and_not_the_mean_of_the_items() -> None:
    counts = [[1.0, 10.0], [9.0, 10.0], [0.0, 80.0]]
    found = pooled(counts, ["a", "b", "c"], ratio, generator(1, "t"), draws=100)
    assert found.value == pytest.approx(0.1)
    assert found.n == 3


def test_the_interval_is_that_of_a_plain_bootstrap_of_whole_sections() -> None:
    rng = np.random.default_rng(5)
    clusters = [f"s{n % 7}" for n in range(30)]
    counts = [[float(rng.integers(0, 5)), float(rng.integers(5, 30))] for _ in clusters]
    found = pooled(counts, clusters, ratio, generator(1, "t"), draws=20_000)
    own = np.random.default_rng(6)
    names = sorted(set(clusters))
    sums = {
        name: np.sum([c for c, k in zip(counts, clusters, strict=True) if k == name], axis=0)
        for name in names
    }
    values = []
    for _ in range(20_000):
        drawn = np.sum([sums[names[i]] for i in own.integers(0, 7, size=7)], axis=0)
        values.append(drawn[0] / drawn[1])
    low, high = np.quantile(values, [0.025, 0.975])
    assert found.ci_low == pytest.approx(low, rel=0.02)
    assert found.ci_high == pytest.approx(high, rel=0.02)
    assert found.ci_low is not None
    assert found.value is not None
    assert found.ci_high is not None
    assert found.ci_low < found.value < found.ci_high


def test_the_order_of_items_makes_no_difference() -> None:
    counts = [[2.0**n / 7, 10.0 + n**3] for n in range(8)]
    clusters = [f"s{n}" for n in range(8)]
    forward = pooled(counts, clusters, ratio, generator(1, "t"), draws=200)
    backward = pooled(counts[::-1], clusters[::-1], ratio, generator(1, "t"), draws=200)
    assert forward == backward
