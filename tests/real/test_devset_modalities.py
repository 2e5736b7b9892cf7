"""The development set's recordings and foreign texts through the workflow."""

import json
import shutil
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from sensemaking.io import artifacts
from sensemaking.mt.tmx import write_tmx
from sensemaking.mt.units import text_units
from sensemaking.schemas import ASR_SCORES, SECTIONS, TABLES, TRANSCRIPTS, TRANSLATIONS
from tests.conftest import Run, snakemake, succeed

pytestmark = [pytest.mark.devset, pytest.mark.workflow]

LECTURE = "nmtclass/lecture01-eval"
FIVE = (
    "screen28-slide29",
    "screen45-slide47",
    "screen46-slide48",
    "screen47-slide49",
    "screen49-slide51",
)
FOREIGN = {
    "popular/video-22": "de",
    "ukrbiology/book01/topic01-Різноманітність тварин": "uk",
    "ukrbiology/book01/topic02-Процеси життєдіяльностітварин": "uk",
    "ukrbiology/book01/topic03-Поведінка тварин": "uk",
}


def copy(devset: Path, root: Path, section: str, *names: str) -> None:
    (root / section).mkdir(parents=True)
    for name in names:
        shutil.copyfile(devset / section / name, root / section / name)


def run(folder: Path, config: dict[str, Any], *targets: str) -> Run:
    path = folder / "overlay.yaml"
    path.write_text(json.dumps({"materials": {"root": "materials"}, **config}), encoding="utf-8")
    return succeed(snakemake(*targets, "--configfile", path, folder=folder))


def read(artifact: Any, folder: Path, pattern: str) -> pd.DataFrame:
    return artifacts.read(artifact, sorted((folder / "results").glob(pattern)))


def test_five_slides_are_measured_against_their_texts(devset: Path, tmp_path: Path) -> None:
    for name in FIVE:
        copy(devset, tmp_path / "materials", f"{LECTURE}/{name}", "source.mp3", "text.txt")
    config = {"kinds": [{"id": "nmtclass", "language": "en"}], "asr": {"measure": "all"}}
    run(tmp_path, config, "table_x2", "results/materials/sections/nmtclass.parquet")
    transcripts = read(TRANSCRIPTS, tmp_path, "materials/transcripts/nmtclass/*.parquet")
    assert [section.rpartition("/")[2] for section in transcripts["section_id"]] == list(FIVE)
    assert set(transcripts["status"]) == {"ok"}
    assert set(transcripts["detected_language"]) == {"en"}
    scores = read(ASR_SCORES, tmp_path, "scores/asr.parquet")
    assert set(scores["reference"]) == {"text.txt"}
    table = read(TABLES, tmp_path, "tables/table_x2.parquet").set_index(["row_id", "column_id"])
    rate = table.loc[("nmtclass", "wer/text.txt")]
    assert (rate["n"], rate["n_missing"]) == (5, 0)
    # A slide or two of so few seconds can differ in a third of its words.
    assert rate["value"] < 25
    assert rate["ci_low"] <= rate["value"] <= rate["ci_high"]
    # What was measured replaces no text.
    sections = read(SECTIONS, tmp_path, "materials/sections/*.parquet")
    assert set(sections["text_origin"]) == {"text.txt"}


def test_foreign_chapters_are_cut_and_their_parts_translated_by_a_memory(
    devset: Path, tmp_path: Path
) -> None:
    for section in FOREIGN:
        copy(devset, tmp_path / "materials", section, "text.txt")
    kinds = [
        {"id": kind, "language": language, "sectioning": {"rules": ["length"], "max_words": 500}}
        for kind, language in (("popular", "de"), ("ukrbiology", "uk"))
    ]
    targets = [f"results/materials/sections/{kind['id']}.parquet" for kind in kinds]
    run(tmp_path, {"kinds": kinds, "mt": {"engines": []}}, *targets)
    parts = read(SECTIONS, tmp_path, "materials/sections/*.parquet")
    assert set(parts["status"]) == {"not_translated"}
    for section, part in parts.groupby("parent_id"):
        text = (devset / section / "text.txt").read_text(encoding="utf-8")
        assert "".join(part.sort_values("section_id")["text"]) == text
    assert set(parts["parent_id"]) == set(FOREIGN)
    sentences = {
        (row["language"], unit.source.strip())
        for row in parts.to_dict("records")
        for unit in text_units(row["section_id"], row["text"], row["language"])
    }
    numbered = {
        sentence: f"This is sentence {number}." for number, sentence in enumerate(sorted(sentences))
    }
    write_tmx(
        tmp_path / "memory.tmx",
        [{language: text, "en": target} for (language, text), target in numbered.items()],
    )
    memory = {"id": "m", "engine": "memory", "file": "memory.tmx"}
    run(tmp_path, {"kinds": kinds, "mt": {"engines": [memory]}}, *targets)
    translated = read(SECTIONS, tmp_path, "materials/sections/*.parquet")
    assert set(translated["status"]) == {"ok"}
    assert set(translated["text_en_origin"]) == {"memory"}
    assert list(translated["section_id"]) == list(parts["section_id"])
    rows = read(TRANSLATIONS, tmp_path, "materials/translations/*.parquet")
    for section, part in rows.groupby("section_id"):
        targets_of = " ".join(target.strip() for target in part.sort_values("unit")["target"])
        (english,) = translated.loc[translated["section_id"] == section, "text_en"]
        assert " ".join(english.split()) == targets_of
