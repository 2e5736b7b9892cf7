"""From the configuration to the settings of a transcription, and from transcripts to artifacts."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sensemaking.asr.engines import EngineSettings
from sensemaking.asr.flags import Thresholds
from sensemaking.asr.transcribe import AsrSettings
from sensemaking.asr.transcripts import Transcript
from sensemaking.findings import Finding
from sensemaking.io.files import sha256_of
from sensemaking.statuses import OK

TIMINGS_HEAD = "section_id\tseconds_of_sound\tseconds_taken\treal_time_factor"
"""First line of a file of timings."""


@dataclass(frozen=True)
class ChapterRows:
    """What a chapter's recordings became.

    Attributes:
        transcripts: Rows of ``materials/transcripts``.
        segments: Rows of ``materials/segments``.
        findings: What is wrong with the recordings or doubtful about their texts.
        timings: How long they took, as tab-separated values. When a recording was finished in an
            earlier run, it is the time of that run.
    """

    transcripts: list[dict[str, Any]]
    segments: list[dict[str, Any]]
    findings: list[Finding]
    timings: str


def settings_of(asr: Mapping[str, Any], seed: int) -> AsrSettings:
    """Return the settings that the configuration asks for.

    Args:
        asr: The configuration of speech recognition, as plain values.
        seed: The run's seed.
    """
    return AsrSettings(
        engine=EngineSettings(
            **{name: asr[name] for name in ("engine", "model", "device", "compute_type", "threads")}
        ),
        beam_size=asr["beam_size"],
        condition_on_previous_text=asr["condition_on_previous_text"],
        retry_temperatures=tuple(asr["retry_temperatures"]),
        voice_activity=asr["voice_activity"],
        thresholds=Thresholds(
            asr["no_speech_threshold"],
            asr["logprob_threshold"],
            asr["compression_ratio_threshold"],
        ),
        seed=seed,
    )


def chapter_rows(
    transcripts: Sequence[Transcript], recordings: Mapping[str, Path], settings: AsrSettings
) -> ChapterRows:
    """Return the rows of a chapter's recordings, and what is to be said of them.

    Args:
        transcripts: What the recordings became.
        recordings: section_id to file.
        settings: The settings they were transcribed with.
    """
    rows = []
    findings: list[Finding] = []
    for found in transcripts:
        path = recordings[found.section_id]
        rows.append(
            {
                **found.row(),
                "file": path.name,
                "engine": settings.engine.engine,
                "model": settings.engine.model,
                "source_sha256": _sha256(path),
            }
        )
        findings += _findings(found, path.name)
    return ChapterRows(
        transcripts=rows,
        segments=[segment.row() for found in transcripts for segment in found.segments],
        findings=findings,
        timings="\n".join([TIMINGS_HEAD, *map(_timing, transcripts)]) + "\n",
    )


def _findings(found: Transcript, name: str) -> Iterable[Finding]:
    place = f"{found.section_id}/{name}"
    if found.status != OK:
        reason = found.reason or found.status
        yield Finding(place, "", found.status, "error", reason, "no transcript")
    for warning in found.warnings:
        action = "transcribed as it is"
        yield Finding(place, "", warning.code, "warning", warning.message, action)
    if found.n_flagged:
        kinds = [
            segment.flag for segment in found.segments if segment.flag not in (None, "no_speech")
        ]
        counts = ", ".join(f"{kind} {kinds.count(kind)}" for kind in dict.fromkeys(kinds))
        message = (
            f"{found.n_flagged} of {found.n_segments} segments are doubtful ({counts}); listen to "
            "them, materials/segments has their times"
        )
        yield Finding(place, "", "doubtful_segments", "warning", message, "they are in the text")
    if found.n_dropped and found.status == OK:
        message = f"{found.n_dropped} segments hold text that nobody said"
        yield Finding(place, "", "invented_segments", "info", message, "they are left out")


def _timing(found: Transcript) -> str:
    factor = f"{found.seconds / found.decoded_s:.4f}" if found.seconds and found.decoded_s else ""
    cells = [_seconds(found.decoded_s), _seconds(found.seconds), factor]
    return "\t".join([found.section_id, *cells])


def _seconds(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _sha256(path: Path) -> str | None:
    try:
        return sha256_of(path)
    except OSError:
        # The transcript says that it cannot be read.
        return None
