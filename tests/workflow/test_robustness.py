"""What users' folders, files and configurations do to a run."""

import os
from pathlib import Path

import pandas as pd
import pytest
import yaml

from sensemaking.io import artifacts
from sensemaking.schemas import FINDINGS, QUESTIONS, ROUGE_SCORES, SECTIONS, TABLES
from tests.conftest import ROOT, copy_checkout, hashes, snakemake, succeed
from tests.workflow.corpus import CONFIG, write_corpus, write_json, write_overlay

pytestmark = pytest.mark.workflow


def _read(artifact: object, folder: Path, pattern: str) -> pd.DataFrame:
    return artifacts.read(artifact, sorted((folder / "results").glob(pattern)))  # type: ignore[arg-type]


def test_a_checkout_and_a_run_folder_with_spaces_apostrophes_and_other_letters_work(
    tmp_path: Path,
) -> None:
    code = copy_checkout(tmp_path / "my user's папка ř" / "checkout č.2")
    folder = tmp_path / "run of o'Neill, лекція 1"
    overlay = write_corpus(folder)
    succeed(snakemake("all", "--configfile", overlay, folder=folder, code=code))
    sections = _read(SECTIONS, folder, "materials/sections/*.parquet")
    assert sorted(sections["section_id"]) == [
        "english/chapter one/s1",
        "english/chapter one/s2",
        "українська/книга/розділ 1",
    ]
    assert (sections["status"] == "ok").all()
    assert (folder / "results/report/index.html").is_file()


def test_one_target_makes_just_that_table_and_what_it_needs(tmp_path: Path) -> None:
    overlay = write_corpus(tmp_path)
    succeed(snakemake("table_06", "--configfile", overlay, folder=tmp_path))
    assert {path.name for path in (tmp_path / "results/tables").iterdir()} == {
        f"table_06.{name}" for name in ("parquet", "md", "csv", "tex", "html")
    }
    # Table 6 rests on no embedding and no rating.
    assert not (tmp_path / "results/embeddings").exists()
    assert not (tmp_path / "results/ratings").exists()


def test_broken_material_becomes_findings_and_the_rest_is_processed(tmp_path: Path) -> None:
    overlay = write_corpus(tmp_path)
    english = tmp_path / "materials" / "english" / "chapter one"
    (english / "s2" / "questions.json").write_text('[["How many?", "two"', encoding="utf-8")
    for name in ("with {brace}", "blank", "binary", "pdf only"):
        (english / name).mkdir()
    (english / "with {brace}" / "text.txt").write_text("Unseen text.", encoding="utf-8")
    (english / "blank" / "text.txt").write_text(" \n", encoding="utf-8")
    (english / "binary" / "text.txt").write_bytes(b"\x00\xff\x00\x00\xfe\x00")
    (english / "pdf only" / "source.pdf").write_bytes(b"%PDF-1.4")
    (tmp_path / "materials" / "unnamed kind" / "s").mkdir(parents=True)
    succeed(snakemake("tables", "--configfile", overlay, folder=tmp_path))
    sections = _read(SECTIONS, tmp_path, "materials/sections/*.parquet")
    status = dict(zip(sections["section_id"], sections["status"], strict=True))
    assert status["english/chapter one/s1"] == "ok"
    assert status["english/chapter one/blank"] == "empty_text"
    assert status["english/chapter one/binary"] == "undecodable"
    assert status["english/chapter one/pdf only"] == "broken_pdf"
    assert "english/chapter one/with {brace}" not in status
    findings = _read(FINDINGS, tmp_path, "validation/findings/*.parquet")
    places = set(zip(findings["file"], findings["code"], strict=True))
    assert ("english/chapter one/s2/questions.json", "not_json") in places
    assert ("english/chapter one/with {brace}", "brace_in_name") in places
    succeed(
        snakemake(
            "results/validation/findings/root.parquet",
            *("--configfile", overlay),
            folder=tmp_path,
        )
    )
    root = _read(FINDINGS, tmp_path, "validation/findings/root.parquet")
    assert list(root["file"]) == ["unnamed kind"]
    questions = _read(QUESTIONS, tmp_path, "questions/materials/*.parquet")
    assert set(questions["section_id"]) == {"english/chapter one/s1"}
    table = _read(TABLES, tmp_path, "tables/table_01.parquet")
    ranked = table[(table["row_id"] == "cloze") & (table["column_id"] == "english")].iloc[0]
    # Sections without a text rank nobody: they are missing, not scored.
    assert (ranked["n"], ranked["n_missing"]) == (2, 3)


def test_a_kind_without_a_folder_gives_empty_typed_files_and_tables(tmp_path: Path) -> None:
    write_corpus(tmp_path)
    kinds = [*CONFIG["kinds"], {"id": "absent kind", "language": "de"}]
    overlay = write_overlay(tmp_path, {**CONFIG, "kinds": kinds})
    succeed(snakemake("all", "--configfile", overlay, folder=tmp_path))
    for artifact, place in ((SECTIONS, "materials/sections"), (ROUGE_SCORES, "scores/rouge")):
        empty = artifacts.read(artifact, tmp_path / "results" / place / "absent-kind.parquet")
        assert len(empty) == 0
        assert list(empty.columns) == artifact.names
    findings = _read(FINDINGS, tmp_path, "validation/findings/sections-absent-kind.parquet")
    assert list(findings["code"]) == ["missing_kind"]
    table = _read(TABLES, tmp_path, "tables/table_06.parquet")
    cells = table[table["column_id"] == "absent kind"]
    assert list(cells["n"]) == [0, 0]
    assert list(cells["reason"]) == ["no items", "no items"]


def test_an_untranslated_section_is_not_scored_and_not_ranked(tmp_path: Path) -> None:
    overlay = write_corpus(tmp_path)
    (tmp_path / "materials" / "українська/книга/розділ 1" / "text.en.txt").unlink()
    succeed(snakemake("table_01", "table_06", "--configfile", overlay, folder=tmp_path))
    sections = _read(SECTIONS, tmp_path, "materials/sections/*.parquet").set_index("section_id")
    row = sections.loc["українська/книга/розділ 1"]
    assert row["status"] == "not_in_memory"
    assert row["text"].startswith("Рослини")
    assert pd.isna(row["text_en"])
    table = _read(TABLES, tmp_path, "tables/table_01.parquet")
    cells = table[table["column_id"] == "українська"]
    assert set(cells["n"]) == {0}
    assert set(cells["reason"]) == {"no text en"}


def test_a_faulty_configuration_stops_the_run_with_the_key_and_the_nearest_known_one(
    tmp_path: Path,
) -> None:
    write_corpus(tmp_path)
    overlay = write_overlay(tmp_path, {**CONFIG, "windows": {"max_word": 10}, "seeed": 1})
    run = snakemake("table_06", "--configfile", overlay, folder=tmp_path)
    assert run.status == 1
    assert "windows.max_word: unknown key; did you mean 'max_words'?" in run.text
    assert "seeed: unknown key; did you mean 'seed'?" in run.text
    assert not (tmp_path / "results").exists()


def test_a_missing_materials_root_is_named_with_the_places_looked_at(tmp_path: Path) -> None:
    write_corpus(tmp_path)
    overlay = write_overlay(tmp_path, {**CONFIG, "materials": {"root": "nowhere"}})
    run = snakemake("table_06", "--configfile", overlay, folder=tmp_path)
    assert run.status == 1
    assert "materials.root: no folder 'nowhere'" in run.text
    assert str(tmp_path / "nowhere") in run.text


def test_a_truncated_artifact_stops_the_run_and_is_named(tmp_path: Path) -> None:
    overlay = write_corpus(tmp_path)
    succeed(snakemake("table_06", "--configfile", overlay, folder=tmp_path))
    shard = tmp_path / "results/materials/sections/english.parquet"
    shard.write_bytes(shard.read_bytes()[:-20])
    (tmp_path / "results/answers/best-sentence/english.parquet").unlink()
    # The newer, broken file is an input of the missing one, so the job that reads it runs.
    run = snakemake(
        "results/answers/best-sentence/english.parquet",
        *("--configfile", overlay, "--forcerun", "answer_baseline_questions"),
        *("--rerun-triggers", "mtime", "--allowed-rules", "answer_baseline_questions"),
        folder=tmp_path,
    )
    assert run.status == 1
    assert "sections/english.parquet: not a readable Parquet file" in run.text
    assert "delete the file and run again" in run.text


def test_two_run_folders_of_one_checkout_do_not_mix(tmp_path: Path) -> None:
    first, second = tmp_path / "run1", tmp_path / "run2"
    first_overlay, second_overlay = write_corpus(first), write_corpus(second)
    changed = second / "materials" / "english/chapter one/s1/text.txt"
    changed.write_text("A completely different text stands here.", encoding="utf-8")
    succeed(snakemake("table_06", "--configfile", first_overlay, folder=first))
    before = hashes(first)
    succeed(snakemake("table_06", "--configfile", second_overlay, folder=second))
    assert {k: v for k, v in hashes(first).items() if k in before} == before
    texts = [
        _read(SECTIONS, folder, "materials/sections/english.parquet")["text"].iloc[0]
        for folder in (first, second)
    ]
    assert texts[0] != texts[1]
    assert texts[1] == "A completely different text stands here."


def test_question_sets_of_teams_and_their_adversarial_forms_are_read(tmp_path: Path) -> None:
    overlay = write_corpus(tmp_path)
    section = tmp_path / "materials" / "english/chapter one/s1"
    for name in (
        "GPT_PRIMARY",
        "blue_team_Qwen",
        "blue_team_SHUFFLEDCQwen",
        "GPT_SHUFFLEDWCPRIMARY",
    ):
        write_json(section / f"questions_by_{name}.json", ["Who collects nectar?"])
    succeed(snakemake("table_01", "--configfile", overlay, folder=tmp_path))
    questions = _read(QUESTIONS, tmp_path, "questions/materials/english.parquet")
    sets = set(questions[["teacher", "submission", "variant"]].itertuples(index=False, name=None))
    assert sets == {
        ("GOLD", "PRIMARY", "genuine"),
        ("GPT", "PRIMARY", "genuine"),
        ("GPT", "PRIMARY", "WC"),
        ("blue_team", "Qwen", "genuine"),
        ("blue_team", "Qwen", "C"),
    }
    table = _read(TABLES, tmp_path, "tables/table_01.parquet")
    # Teams that are only found in the materials are ranked too; adversarial sets are not.
    assert set(table["row_id"]) == {"GPT/PRIMARY", "blue_team/Qwen", "cloze", "gold", "lead"}


def test_a_run_needs_no_network(tmp_path: Path) -> None:
    overlay = write_corpus(tmp_path)
    # A proxy that nobody listens at makes every request fail at once.
    dead = dict.fromkeys(
        ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), "http://127.0.0.1:9"
    )
    offline = {**dead, "HF_HUB_OFFLINE": "1", "HOME": os.fspath(tmp_path)}
    succeed(snakemake("table_01", "--configfile", overlay, folder=tmp_path, environment=offline))


def test_a_model_without_recorded_replies_is_left_out_and_named_and_all_else_is_ranked(
    tmp_path: Path,
) -> None:
    """The default systems on other materials, for which nobody has recorded the model."""
    write_corpus(tmp_path)
    defaults = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
    overlay = write_overlay(tmp_path, {**CONFIG, "systems": defaults["systems"]})
    findings = "results/validation/findings/root.parquet"
    succeed(snakemake("table_01", findings, "--configfile", overlay, folder=tmp_path))
    found = artifacts.read(FINDINGS, tmp_path / findings)
    silent = found[found["code"] == "nothing_recorded"]
    assert len(silent) == 3
    assert silent["message"].str.contains("'qwen-(?:teacher|student|evaluator)'").all()
    table = artifacts.read(TABLES, tmp_path / "results/tables/table_01.parquet")
    ranked = table[table["column_id"] == "all"].set_index("row_id")
    assert set(ranked.index) == {"cloze", "lead", "gold"}
    assert (ranked["n"] == 3).all()
