import json
import math

import pytest
from asr_files import said

from sensemaking.asr.audio import AudioWarning
from sensemaking.asr.engines import Detection, RawSegment
from sensemaking.asr.transcripts import Record, Transcript, failure, transcript

SEGMENT_COLUMNS = [
    "section_id",
    "segment",
    "start_s",
    "end_s",
    "text",
    "avg_logprob",
    "no_speech_prob",
    "compression_ratio",
    "flag",
]


def record(*segments: RawSegment, **changes: object) -> Record:
    facts = {
        "decoded_s": 30.0,
        "declared_s": 30.0,
        "speech": ((0.0, 30.0),),
        "detected": None,
        "segments": segments,
        "n_retried": 0,
        "warnings": (),
        "seconds": 1.0,
    }
    return Record(**{**facts, **changes})  # type: ignore[arg-type]


def codes(result: Transcript) -> list[str]:
    return [warning.code for warning in result.warnings]


def test_segments_are_joined_by_one_space() -> None:
    got = transcript("a", "uk", record(said("Перше речення."), said(" Друге речення. ", 2, 30)))
    assert (got.status, got.reason) == ("ok", None)
    assert got.text == "Перше речення. Друге речення."
    assert got.n_segments == 2


def test_nothing_but_invented_text_is_a_failure_with_a_reason() -> None:
    invented = RawSegment(0.0, 10.0, " Thanks for watching!", -1.4, 0.97, 0.0)
    got = transcript("a", "en", record(invented, decoded_s=10.0, speech=None))
    assert (got.status, got.text) == ("no_speech", None)
    assert got.reason is not None
    assert "10.0 s" in got.reason
    assert "segments left out as invented: 1" in got.reason
    assert (got.n_segments, got.n_dropped) == (0, 1)
    assert [s.flag for s in got.segments] == ["no_speech"]


@pytest.mark.parametrize("segments", [(), (said("  "),), (said(" ..."),)])
def test_no_text_is_never_an_empty_text(segments: tuple[RawSegment, ...]) -> None:
    got = transcript("a", "en", record(*segments))
    assert (got.status, got.text) == ("no_speech", None)
    assert got.reason


def test_invented_segments_are_left_out_and_stay_as_rows() -> None:
    invented = said(" Thanks for watching!", 12.0, 14.0, logprob=-1.4, silence=0.97)
    got = transcript("a", "en", record(said(" So it is."), invented, speech=None))
    assert got.text == "So it is."
    assert [(s.segment, s.flag) for s in got.segments] == [(0, None), (1, "no_speech")]


def test_loops_stay_in_the_text_and_are_counted() -> None:
    got = transcript("a", "uk", record(said(" Дякую за увагу." * 40, 0.0, 30.0)))
    assert got.text is not None
    assert got.text.startswith("Дякую за увагу. Дякую")
    assert got.n_flagged == 1


@pytest.mark.parametrize(
    ("language", "heard", "probability"), [("uk", "ru", 0.52), ("cs", "sk", 0.61)]
)
def test_the_language_of_the_configuration_wins_and_the_disagreement_is_told(
    language: str, heard: str, probability: float
) -> None:
    got = transcript("a", language, record(said(" Ano."), detected=Detection(heard, probability)))
    assert (got.language, got.detected_language) == (language, heard)
    assert got.detected_probability == probability
    assert "language_disagrees" in codes(got)
    agreeing = transcript("a", heard, record(said(" Ano."), detected=Detection(heard, 0.9)))
    assert "language_disagrees" not in codes(agreeing)


def test_english_text_of_a_czech_recording_is_told() -> None:
    english = "When the rain falls, the river rises and the fields are wet."
    got = transcript("a", "cs", record(said(english, 0.0, 30.0)))
    assert [s.flag for s in got.segments] == ["wrong_language"]
    assert codes(got) == ["text_in_wrong_language"]
    short = [said(f" {w}", 5.0 * i, 5.0 * i + 5) for i, w in enumerate(english.split(","))]
    parts = [said(w, i, i + 1) for i, w in enumerate(english.split())]
    assert codes(transcript("a", "cs", record(*parts, speech=None))) == ["text_in_wrong_language"]
    assert codes(transcript("a", "en", record(*short, speech=None))) == []


def test_speech_without_text_is_told() -> None:
    got = transcript("a", "en", record(said(" So it is.", 0.0, 12.0)))
    assert codes(got) == ["speech_without_text"]
    assert "18.0 s of 30.0 s" in got.warnings[0].message
    assert codes(transcript("a", "en", record(said(" So it is.", 0.0, 26.0)))) == []
    assert codes(transcript("a", "en", record(said(" So it is.", 0.0, 12.0), speech=None))) == []


def test_overlapping_segments_do_not_hide_speech_without_text() -> None:
    twice = [said(" So it is.", 0.0, 14.0), said(" So it is not.", 0.0, 14.0)]
    assert codes(transcript("a", "en", record(*twice))) == ["speech_without_text"]


def test_warnings_of_the_file_are_passed_on() -> None:
    cut = AudioWarning("cut_short", "decoded 30.00 s of the 60.00 s that the file declares")
    got = transcript("a", "en", record(said(" So it is.", 0, 30), warnings=(cut,)))
    assert got.status == "ok"
    assert got.warnings == (cut,)
    assert got.row()["warnings"] == ["cut_short"]


def test_times_stay_within_the_recording() -> None:
    got = transcript("a", "en", record(said(" So it is.", -0.5, 31.5), speech=None))
    assert (got.segments[0].start_s, got.segments[0].end_s) == (0.0, 30.0)


def test_figures_that_are_none_become_none_on_every_way() -> None:
    odd = RawSegment(0.0, 30.0, " So it is.", -math.inf, math.nan, 0.0)
    plain = json.loads(json.dumps(record(odd).plain(), allow_nan=False))
    got = transcript("a", "en", Record.of(plain))
    assert got.segments[0].avg_logprob is None
    assert got.segments[0].no_speech_prob is None
    assert got.text == "So it is."


def test_a_probability_is_never_more_than_one_though_the_model_rounds() -> None:
    got = transcript("a", "en", record(said(" So it is.", 0, 30, silence=1.0000001), speech=None))
    assert got.segments[0].no_speech_prob == 1.0


def test_a_record_comes_back_from_json_as_it_was() -> None:
    whole = record(
        said(" Перше речення."),
        detected=Detection("ru", 0.52),
        warnings=(AudioWarning("cut_short", "x"),),
        declared_s=None,
    )
    assert Record.of(json.loads(json.dumps(whole.plain()))) == whole
    bare = record(speech=None)
    assert Record.of(json.loads(json.dumps(bare.plain()))) == bare
    assert Record.of(json.loads(json.dumps(record(speech=()).plain()))).speech == ()


def test_the_row_of_a_segment_has_the_columns_of_the_artifact() -> None:
    got = transcript("a/b", "en", record(said(" So it is.", 0.0, 30.0)))
    assert list(got.segments[0].row()) == SEGMENT_COLUMNS
    assert got.segments[0].row()["compression_ratio"] == pytest.approx(10 / 18)


def test_the_row_of_a_transcript_holds_no_times_of_the_machine() -> None:
    row = transcript("a", "en", record(said(" So it is.", 0, 30))).row()
    assert "seconds" not in row
    assert "segments" not in row
    assert row["speech_s"] == 30.0


def test_a_failure_has_a_status_a_reason_and_no_text() -> None:
    got = failure("a", "uk", "empty_file", "source.mp3: empty file (0 bytes)")
    assert (got.status, got.text, got.segments) == ("empty_file", None, ())
    assert got.row()["reason"] == "source.mp3: empty file (0 bytes)"
