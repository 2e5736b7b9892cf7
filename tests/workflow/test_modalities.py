"""Recordings, PDFs and other languages become English text, or say why not."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from fpdf import FPDF

from sensemaking.io import artifacts
from sensemaking.mt.tmx import write_tmx
from sensemaking.schemas import (
    FINDINGS,
    QUESTIONS,
    SECTIONS,
    SEGMENTS,
    TABLES,
    TRANSCRIPTS,
    TRANSLATIONS,
    WINDOWS,
)
from tests.conftest import ROOT, Run, hashes, snakemake, succeed
from tests.fake_translate_server import Answer, Failure, FakeTranslateServer, Request, prefixed
from tests.workflow.corpus import CONFIG, write_json, write_overlay

pytestmark = pytest.mark.workflow

DEMO = ROOT / "resources/demo/materials"
ENGLISH = DEMO / "nmt-class/lecture04-search/screen02-slide03"
GERMAN = (DEMO / "popular/video-03-abendrot", DEMO / "popular/video-04-honig")
DAY = Failure(403, "Daily Limit Exceeded", "dailyLimitExceeded")


def put(folder: Path, **files: Path | str | bytes) -> Path:
    """Write files of a section, ``source_mp3`` as ``source.mp3``."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        path = folder / name.replace("_", ".")
        if isinstance(content, Path):
            shutil.copyfile(content, path)
        else:
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def overlay(folder: Path, kinds: list[dict[str, Any]], **more: Any) -> Path:
    return write_overlay(folder, {**CONFIG, "kinds": kinds, **more})


def read(artifact: Any, folder: Path, pattern: str) -> pd.DataFrame:
    return artifacts.read(artifact, sorted((folder / "results").glob(pattern)))


def locked_pdf() -> bytes:
    document = FPDF()
    document.set_encryption("owner", "secret")
    document.set_font("helvetica", size=12)
    document.add_page()
    document.cell(text="Nobody can read this.")
    return bytes(document.output())


def picture_pdf() -> bytes:
    document = FPDF()
    document.add_page()
    document.rect(20, 20, 150, 200, style="F")
    return bytes(document.output())


BAD = {
    "empty": "empty_file",
    "truncated": "damaged_file",
    "not audio": "no_audio_stream",
    "encrypted": "password_needed",
    "scanned": "no_text_layer",
    "encoding": "undecodable",
}
SYSTEMS = ("cloze", "best-sentence", "overlap")
SLIDES = "start,title\n0:00,Greedy search\n0:24,Beam search\n"


@pytest.fixture(scope="module")
def lecture(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A lecture of one good recording and six bad files, and a talk that is cut at its slides."""
    folder = tmp_path_factory.mktemp("modalities")
    chapter = folder / "materials" / "lectures" / "лекція 1"
    recording = ENGLISH / "source.mp3"
    put(
        chapter / "good",
        source_mp3=recording,
        reference_txt=ENGLISH / "reference.txt",
        questions_json=ENGLISH / "questions.json",
    )
    put(chapter / "empty", source_mp3=b"")
    put(chapter / "truncated", source_mp3=recording.read_bytes()[:300])
    put(chapter / "not audio", source_mp3="a text with the wrong name")
    put(chapter / "encrypted", source_pdf=locked_pdf())
    put(chapter / "scanned", source_pdf=picture_pdf())
    put(chapter / "encoding", text_txt=b"\x00\xff\x00\x00\xfe\x00")
    put(folder / "materials/talks/talk", source_mp3=recording, slides_csv=SLIDES)
    kinds: list[dict[str, Any]] = [
        {"id": "lectures", "language": "en"},
        {"id": "talks", "language": "en", "sectioning": {"rules": ["slides"]}},
    ]
    systems = [system for system in CONFIG["systems"] if system["id"] in SYSTEMS]
    config = overlay(folder, kinds, systems=systems)
    return succeed(snakemake("all", "--configfile", config, folder=folder))


def test_one_good_file_gives_its_text_and_six_bad_ones_their_reasons(lecture: Run) -> None:
    sections = read(SECTIONS, lecture.folder, "materials/sections/lectures.parquet")
    status = {
        row["section_id"].rpartition("/")[2]: row["status"] for row in sections.to_dict("records")
    }
    assert status == {"good": "ok", **BAD}
    good = sections[sections["status"] == "ok"].iloc[0]
    assert "greedy search" in good["text_en"].lower()
    assert good["text_origin"] == "faster-whisper"
    assert sections.loc[sections["status"] != "ok", "text_en"].isna().all()
    findings = read(FINDINGS, lecture.folder, "validation/findings/**/*.parquet")
    errors = findings[findings["severity"] == "error"]
    assert {
        (file.split("/")[2], code)
        for file, code in zip(errors["file"], errors["code"], strict=True)
    } == set(BAD.items())
    page = (lecture.results / "report/index.html").read_text(encoding="utf-8")
    for reason in BAD.values():
        assert f"<td>{reason}</td>" in page
    assert "faster-whisper 1" in page


def test_a_section_that_is_only_a_recording_runs_the_whole_chain(lecture: Run) -> None:
    windows = read(WINDOWS, lecture.folder, "materials/windows/lectures.parquet")
    assert set(windows["section_id"]) == {"lectures/лекція 1/good"}
    table = read(TABLES, lecture.folder, "tables/*.parquet")
    cells = table.set_index(["table", "row_id", "column_id"])
    assert cells.loc[("table_01", "gold", "lectures"), "n"] == 1
    assert cells.loc[("table_01", "gold", "lectures"), "n_missing"] == len(BAD)
    # 5 expert questions, and 2 that the programmatic Teacher asks about what was recognised.
    assert cells.loc[("table_06", "best-sentence", "lectures"), "n"] == 7
    assert cells.loc[("table_06", "best-sentence", "lectures"), "value"] > 30
    rate = cells.loc[("table_x2", "lectures", "wer/reference.txt")]
    assert (rate["n"], rate["n_missing"]) == (1, 0)
    assert rate["value"] < 10
    flagged = cells.loc[("table_x2", "lectures", "n_flagged")]
    assert (flagged["n"], flagged["n_missing"]) == (1, 3)


def test_a_recording_without_questions_is_cut_where_its_slides_change(lecture: Run) -> None:
    parts = read(SECTIONS, lecture.folder, "materials/sections/talks.parquet")
    assert list(parts["section_id"]) == ["talks/talk/~part-001", "talks/talk/~part-002"]
    assert set(parts["parent_id"]) == {"talks/talk"}
    segments = read(SEGMENTS, lecture.folder, "materials/segments/talks/sections.parquet")
    said = " ".join(segments.sort_values("segment")["text"])
    assert "".join(parts["text"]) == said
    assert "greedy" in parts["text"].iloc[0].lower()
    # Which words exactly are heard depends on the type of machine.
    assert {"beam", "partial", "sentences"} <= set(parts["text"].iloc[1].lower().split())
    # Both parts are sections of their own from here on.
    table = read(TABLES, lecture.folder, "tables/table_01.parquet").set_index(
        ["row_id", "column_id"]
    )
    assert table.loc[("cloze", "talks"), "n"] == 2


def test_what_is_finished_is_not_transcribed_again_after_a_kill(tmp_path: Path) -> None:
    for number, source in enumerate((*GERMAN, ENGLISH)):
        recording = next(source.glob("source.*"))
        folder = put(tmp_path / f"materials/talks/day 1/talk {number}")
        shutil.copyfile(recording, folder / recording.name)
    config = overlay(tmp_path, [{"id": "talks", "language": "de"}])
    target = "results/materials/transcripts/talks/day-1.parquet"
    journal = tmp_path / "journals/asr/talks/day-1"
    command = [sys.executable, "-m", "snakemake", "--snakefile", str(ROOT / "Snakefile")]
    command += ["--directory", str(tmp_path), "--cores", "2", target, "--configfile", str(config)]
    running = subprocess.Popen(
        command,
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        for _ in range(4000):
            if list(journal.glob("*.json")):
                break
            time.sleep(0.05)
    finally:
        os.killpg(running.pid, signal.SIGKILL)
        running.wait()
    kept = {path.name: path.stat().st_mtime_ns for path in journal.glob("*.json")}
    assert 1 <= len(kept) < 3
    assert not (tmp_path / target).exists()
    succeed(snakemake("--unlock", "--configfile", config, folder=tmp_path))
    succeed(snakemake(target, "--configfile", config, folder=tmp_path))
    log = (tmp_path / "logs/transcribe_recordings/talks/day-1.log").read_text(encoding="utf-8")
    assert f"3 recordings, {len(kept)} of them finished before" in log
    after = {path.name: path.stat().st_mtime_ns for path in journal.glob("*.json")}
    assert len(after) == 3
    assert {name: after[name] for name in kept} == kept
    transcripts = read(TRANSCRIPTS, tmp_path, "materials/transcripts/talks/*.parquet")
    assert set(transcripts["status"]) == {"ok"}


def _planned(run: Run) -> dict[str, int]:
    """Return rule to number of jobs of a dry run."""
    if "Nothing to be done" in run.text:
        return {}
    stats = succeed(run).text.split("Job stats:")[1]
    return {name: int(n) for name, n in re.findall(r"^(\w+) +(\d+)$", stats, re.MULTILINE)}


@pytest.mark.parametrize(
    ("measure", "table", "expected"),
    [
        ("none", "table_06", {"a"}),
        ("reference", "table_06", {"a"}),
        ("none", "table_x2", {"a"}),
        ("reference", "table_x2", {"a", "b"}),
        ("all", "table_x2", {"a", "b", "c"}),
    ],
)
def test_only_what_a_table_needs_is_transcribed(
    tmp_path: Path, measure: str, table: str, expected: set[str]
) -> None:
    root = tmp_path / "materials/english"
    put(root / "a/s", source_mp3=b"x")
    put(root / "b/s", source_mp3=b"x", text_txt="A text.", reference_txt="A text.")
    put(root / "c/s", source_mp3=b"x", text_txt="A text.")
    config = overlay(tmp_path, [{"id": "english", "language": "en"}], asr={"measure": measure})
    run = snakemake(table, "--configfile", config, "--dry-run", folder=tmp_path)
    planned = _planned(run)
    assert planned["transcribe_recordings"] == len(expected)
    for chapter in "abc":
        made = f"results/materials/transcripts/english/{chapter}.parquet" in run.text
        assert made is (chapter in expected)


UKRAINIAN = "Рослини поглинають світло. Вони виробляють кисень. Тварини дихають киснем."
ASKED = [["Що поглинають рослини?", "Світло."], ["Чим дихають тварини?"]]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeTranslateServer]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with FakeTranslateServer() as server:
        yield server


def foreign(folder: Path, engines: list[Mapping[str, Any]], language: str = "uk") -> Path:
    """A section in Ukrainian with questions, and a configuration to translate both."""
    section = put(folder / "materials/biology/plants", text_txt=UKRAINIAN)
    write_json(section / "questions.json", ASKED)
    kinds = [{"id": "biology", "language": language}]
    return overlay(folder, kinds, mt={"engines": engines})


def test_google_is_paid_once_for_each_text_though_the_quota_ends_on_the_way(
    tmp_path: Path, server: FakeTranslateServer
) -> None:
    google = {
        "id": "g",
        "engine": "google",
        "api_endpoint": server.endpoint,
        "max_bytes": 1000,
        "first_wait_s": 0.01,
    }
    # Long enough for two requests.
    config = foreign(tmp_path, [google], language="uk-UA")
    longer = UKRAINIAN + " " + " ".join(f"Лист номер {n} росте на дереві." for n in range(12))
    put(tmp_path / "materials/biology/plants", text_txt=longer)

    def one_day(request: Request) -> Answer:
        return prefixed(request) if len(server.requests) == 1 else DAY

    server.translate = one_day
    targets = ("results/materials/sections/biology.parquet", "table_x3")
    stopped = snakemake(*targets, "--configfile", config, folder=tmp_path)
    assert stopped.status == 1
    assert "the daily quota of the translation service is used up" in stopped.text
    assert not (tmp_path / targets[0]).exists()
    paid = [*server.requests[0].texts]
    server.requests.clear()
    server.translate = prefixed
    succeed(snakemake(*targets, "--configfile", config, folder=tmp_path))
    sent = [*paid, *server.sent]
    assert len(sent) == len(set(sent))
    assert all(request.json["format"] == "text" for request in server.requests)
    assert all(request.json["source"] == "uk" for request in server.requests)
    assert all(len(request.body) <= 1000 for request in server.requests)
    (row,) = read(SECTIONS, tmp_path, "materials/sections/*.parquet").to_dict("records")
    assert (row["language"], row["text_en_origin"], row["status"]) == ("uk", "google", "ok")
    assert row["text_en"].replace("EN:", "") == longer
    questions = read(QUESTIONS, tmp_path, "questions/materials/*.parquet")
    assert list(questions["question"]) == [f"EN:{item[0]}" for item in ASKED]
    assert list(questions["references"].iloc[0]) == ["EN:Світло."]
    assert set(questions["question_original"]) == {item[0] for item in ASKED}


def test_a_memory_stands_before_what_costs_money(
    tmp_path: Path, server: FakeTranslateServer
) -> None:
    memory = tmp_path / "own memory.tmx"
    write_tmx(
        memory,
        [
            {"uk": "Рослини поглинають світло.", "en": "Plants absorb light."},
            {"uk": "Вони виробляють кисень.", "en": "They make oxygen."},
            {"uk": "Тварини дихають киснем.", "en": "Animals breathe oxygen."},
            {"uk": "Світло.", "en": "Light."},
            {"uk": "Що поглинають рослини?", "en": "What do plants absorb?"},
        ],
    )
    engines = [
        {"id": "ours", "engine": "memory", "file": memory.name},
        {"id": "g", "engine": "google", "api_endpoint": server.endpoint},
    ]
    config = foreign(tmp_path, engines)
    target = "results/questions/materials/biology.parquet"
    succeed(snakemake(target, "--configfile", config, folder=tmp_path))
    assert server.sent == ["Чим дихають тварини?"]
    (row,) = read(SECTIONS, tmp_path, "materials/sections/*.parquet").to_dict("records")
    assert row["text_en"] == "Plants absorb light. They make oxygen. Animals breathe oxygen."
    assert row["text_en_origin"] == "memory"
    assert (tmp_path / "journals/mt/biology.jsonl").read_text(encoding="utf-8").count("\n") == 1
    # A better memory reruns the translation, and what was paid for is not asked again.
    write_tmx(memory, [{"uk": "Світло.", "en": "The light."}])
    before = hashes(tmp_path / "journals")
    planned = _planned(snakemake(target, "--configfile", config, "--dry-run", folder=tmp_path))
    assert planned.pop("total") == 2
    assert planned == {"translate_materials": 1, "join_translations": 1}
    assert hashes(tmp_path / "journals") == before


def test_what_no_engine_knows_stays_null_and_is_a_finding(tmp_path: Path) -> None:
    config = foreign(tmp_path, [])
    target = "results/materials/sections/biology.parquet"
    succeed(snakemake(target, "--configfile", config, folder=tmp_path))
    (row,) = read(SECTIONS, tmp_path, "materials/sections/*.parquet").to_dict("records")
    assert (row["status"], row["text"]) == ("not_translated", UKRAINIAN)
    assert pd.isna(row["text_en"])
    findings = read(FINDINGS, tmp_path, "validation/findings/translations-biology.parquet")
    assert set(findings["code"]) == {"not_translated"}
    assert set(findings["file"]) == {
        "biology/plants",
        "biology/plants/questions_by_GOLD_PRIMARY",
    }
    assert not (tmp_path / "results/materials/translations").exists()


def test_a_long_foreign_text_is_cut_first_and_translated_after(tmp_path: Path) -> None:
    memory = tmp_path / "m.tmx"
    chapters = {
        "Тема 1 Рослини": "Рослини поглинають світло.",
        "Тема 2 Тварини": "Тварини дихають киснем.",
    }
    english = {
        "Рослини поглинають світло.": "Plants absorb light.",
        "Тварини дихають киснем.": "Animals breathe oxygen.",
        "Тема 1 Рослини": "Unit 1 Plants",
        "Тема 2 Тварини": "Unit 2 Animals",
    }
    write_tmx(memory, [{"uk": source, "en": target} for source, target in english.items()])
    text = "\n\n".join(f"{title}\n\n{sentence}" for title, sentence in chapters.items())
    put(tmp_path / "materials/biology/book", text_txt=text, text_en_txt="Plants absorb light.")
    config = overlay(
        tmp_path,
        [
            {
                "id": "biology",
                "language": "uk",
                "sectioning": {"rules": ["marks"], "min_words": 3},
            }
        ],
        mt={"engines": [{"id": "m", "engine": "memory", "file": "m.tmx"}]},
    )
    succeed(
        snakemake(
            "results/materials/sections/biology.parquet", "--configfile", config, folder=tmp_path
        )
    )
    parts = read(SECTIONS, tmp_path, "materials/sections/*.parquet")
    assert "".join(parts["text"]) == text
    assert [" ".join(part.split()) for part in parts["text_en"]] == [
        "Unit 1 Plants Plants absorb light.",
        "Unit 2 Animals Animals breathe oxygen.",
    ]
    assert set(parts["text_en_origin"]) == {"memory"}
    findings = read(FINDINGS, tmp_path, "validation/findings/sections-biology.parquet")
    assert list(findings["code"]) == ["text_en_not_cut"]
    translations = read(TRANSLATIONS, tmp_path, "materials/translations/*.parquet")
    assert set(translations["section_id"]) == set(parts["section_id"])


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"kinds": [{"id": "k", "language": "xx"}]}, "kinds[0].language: unknown language 'xx'"),
        (
            {"mt": {"engines": [{"id": "m", "engine": "memory", "file": "nowhere.tmx"}]}},
            "mt.engines.file: no file 'nowhere.tmx'",
        ),
        ({"asr": {"engine": "whisper"}}, "asr.engine: Input should be 'faster-whisper'"),
    ],
)
def test_a_setting_that_cannot_work_stops_the_run_before_it_starts(
    tmp_path: Path, more: dict[str, Any], message: str
) -> None:
    put(tmp_path / "materials/k/s", text_txt="A text.")
    config = write_overlay(tmp_path, {**CONFIG, "kinds": [{"id": "k", "language": "en"}], **more})
    run = snakemake("table_06", "--configfile", config, folder=tmp_path)
    assert run.status == 1
    assert message in run.text
    assert not (tmp_path / "results").exists()


def test_a_new_question_file_keeps_a_section_from_being_cut(tmp_path: Path) -> None:
    section = put(
        tmp_path / "materials/english/s",
        text_txt="# One\n\nBees fly to flowers.\n\n# Two\n\nAnts walk to the hill.",
    )
    sectioning = {"rules": ["marks"], "min_words": 2}
    config = overlay(tmp_path, [{"id": "english", "language": "en", "sectioning": sectioning}])
    target = "results/materials/sections/english.parquet"
    succeed(snakemake(target, "--configfile", config, folder=tmp_path))
    assert len(read(SECTIONS, tmp_path, "materials/sections/*.parquet")) == 2
    (section / "questions.json").write_text(json.dumps(["Who flies?"]), encoding="utf-8")
    succeed(snakemake(target, "--configfile", config, folder=tmp_path))
    assert list(read(SECTIONS, tmp_path, "materials/sections/*.parquet")["section_id"]) == [
        "english/s"
    ]
