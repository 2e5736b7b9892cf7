"""Transcripts as artifacts, findings and timings."""

import hashlib
from pathlib import Path

import pytest
from asr_files import said

from sensemaking.asr.audio import AudioWarning
from sensemaking.asr.rows import TIMINGS_HEAD, chapter_rows, settings_of
from sensemaking.asr.timings import Timing, read_timings, render_page, total
from sensemaking.asr.transcribe import AsrSettings
from sensemaking.asr.transcripts import Record, Transcript, failure, transcript
from sensemaking.config import Config
from sensemaking.io import artifacts
from sensemaking.schemas import FINDINGS, SEGMENTS, TRANSCRIPTS

LOOP = "all right, " * 40


def made(path: Path) -> tuple[list[Transcript], dict[str, Path]]:
    """A transcript with all there can be, one without speech and one of a broken file."""
    record = Record(
        decoded_s=60.0,
        declared_s=61.0,
        speech=((0.0, 50.0),),
        detected=None,
        segments=(
            said(" Bees collect nectar.", 0, 5),
            said(LOOP, 5, 30),
            said(" Thanks for watching!", 55, 60, logprob=-1.4, silence=0.97),
        ),
        n_retried=1,
        warnings=(AudioWarning("cut_short", "decoded 60 s of 61 s"),),
        seconds=6.0,
    )
    invented = said(" Thank you.", 0, 3, logprob=-1.4, silence=0.97)
    silent = Record(3.0, None, (), None, (invented,), 0, (), 0.25)
    found = [
        transcript("k/c/a", "en", record),
        transcript("k/c/b", "en", silent),
        failure("k/c/c", "en", "empty_file", "source.mp3: empty file (0 bytes)"),
    ]
    files = {name: path / name / "source.mp3" for name in ("k/c/a", "k/c/b", "k/c/c")}
    for file in files.values():
        file.parent.mkdir(parents=True)
        file.write_bytes(file.parent.name.encode())
    return found, files


def test_the_rows_fit_their_artifacts_and_name_file_engine_and_model(tmp_path: Path) -> None:
    found, files = made(tmp_path)
    rows = chapter_rows(found, files, AsrSettings())
    artifacts.to_table(TRANSCRIPTS, rows.transcripts)
    artifacts.to_table(SEGMENTS, rows.segments)
    artifacts.to_table(FINDINGS, [finding.row() for finding in rows.findings])
    assert [row["status"] for row in rows.transcripts] == ["ok", "no_speech", "empty_file"]
    first = rows.transcripts[0]
    assert (first["n_segments"], first["n_dropped"], first["n_flagged"]) == (2, 1, 1)
    assert (first["file"], first["engine"]) == ("source.mp3", "faster-whisper")
    assert first["source_sha256"] == hashlib.sha256(b"a").hexdigest()
    flags = [None, "repetition", "no_speech", "no_speech"]
    assert [row["flag"] for row in rows.segments] == flags


def test_what_is_wrong_with_a_recording_is_a_finding(tmp_path: Path) -> None:
    found, files = made(tmp_path)
    rows = chapter_rows(found, files, AsrSettings())
    assert {(f.file, f.code, f.severity) for f in rows.findings} == {
        ("k/c/a/source.mp3", "cut_short", "warning"),
        ("k/c/a/source.mp3", "speech_without_text", "warning"),
        ("k/c/a/source.mp3", "doubtful_segments", "warning"),
        ("k/c/a/source.mp3", "invented_segments", "info"),
        ("k/c/b/source.mp3", "no_speech", "error"),
        ("k/c/c/source.mp3", "empty_file", "error"),
    }
    messages = {finding.code: finding.message for finding in rows.findings}
    assert "1 of 2 segments are doubtful (repetition 1)" in messages["doubtful_segments"]
    assert messages["empty_file"] == "source.mp3: empty file (0 bytes)"


def test_a_recording_that_cannot_be_read_has_no_checksum(tmp_path: Path) -> None:
    gone = tmp_path / "source.mp3"
    reason = "source.mp3: cannot be read"
    rows = chapter_rows(
        [failure("k/s", "en", "unreadable_file", reason)], {"k/s": gone}, AsrSettings()
    )
    assert rows.transcripts[0]["source_sha256"] is None


def test_times_are_in_the_timings_and_in_no_row(tmp_path: Path) -> None:
    found, files = made(tmp_path)
    rows = chapter_rows(found, files, AsrSettings())
    assert all("seconds" not in row for row in rows.transcripts)
    assert rows.timings == (
        f"{TIMINGS_HEAD}\nk/c/a\t60.000\t6.000\t0.1000\nk/c/b\t3.000\t0.250\t0.0833\nk/c/c\t\t\t\n"
    )
    # A file that nothing could be done with took no time.
    assert read_timings(rows.timings) == Timing(2, 63.0, 6.25)


def test_the_page_of_timings_adds_the_chapters_up() -> None:
    timings = {"k/a <b>": Timing(2, 120.0, 12.0), "k/b": Timing(1, 60.0, 33.0)}
    page = render_page(timings)
    assert "<td>k/a &lt;b&gt;</td><td>2</td><td>2.0</td><td>0.2</td><td>0.100</td>" in page
    assert "<td>All</td><td>3</td><td>3.0</td><td>0.8</td><td>0.250</td>" in page
    assert total([]).factor is None
    assert "<td>All</td><td>0</td><td>0.0</td><td>0.0</td><td>–</td>" in render_page({})


def test_a_quotation_mark_in_a_folders_name_hides_no_line() -> None:
    text = f'{TIMINGS_HEAD}\n"k/a\t10.000\t1.000\t0.1\nk/b\t10.000\t1.000\t0.1\n'
    assert read_timings(text) == Timing(2, 20.0, 2.0)


def test_the_settings_are_those_of_the_configuration() -> None:
    config = Config.model_fields["asr"].default
    plain = config.model_dump(exclude={"measure"})
    assert settings_of(plain, 7) == AsrSettings(seed=7)
    changed = {
        **plain,
        "engine": "openai-whisper",
        "model": "turbo",
        "device": "cuda",
        "compute_type": "float16",
        "threads": 3,
        "beam_size": 5,
        "condition_on_previous_text": True,
        "retry_temperatures": [0.4],
        "voice_activity": False,
        "no_speech_threshold": 0.5,
        "logprob_threshold": -2.0,
        "compression_ratio_threshold": 3.0,
    }
    found = settings_of(changed, 0)
    assert (found.engine.engine, found.engine.model) == ("openai-whisper", "turbo")
    assert (found.engine.device, found.engine.compute_type, found.engine.threads) == (
        "cuda",
        "float16",
        3,
    )
    assert (found.beam_size, found.condition_on_previous_text) == (5, True)
    assert (found.retry_temperatures, found.voice_activity) == ((0.4,), False)
    assert (found.thresholds.no_speech, found.thresholds.logprob) == (0.5, -2.0)
    assert found.thresholds.compression_ratio == pytest.approx(3.0)
