"""Transcripts against references: scores of recordings."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sensemaking.io.decoding import UndecodableError, decode
from sensemaking.metrics.asr import (
    CER,
    NO_REFERENCE,
    WER,
    Errors,
    character_errors,
    normalise_transcript,
    word_errors,
)
from sensemaking.metrics.declaration import Metric
from sensemaking.statuses import OK

Row = Mapping[str, Any]

UNREADABLE_REFERENCE = "unreadable_reference"

_METRICS: tuple[tuple[Metric, Callable[[str, str], Errors]], ...] = (
    (WER, word_errors),
    (CER, character_errors),
)


@dataclass(frozen=True)
class Reference:
    """What a transcript is held against.

    Attributes:
        section_id: The section.
        file: Name of the file, ``reference.txt`` or ``text.txt``.
        text: Its text; None if it cannot be read.
    """

    section_id: str
    file: str
    text: str | None


def read_reference(section_id: str, path: Path, language: str) -> Reference:
    """Read a reference.

    Args:
        section_id: The section.
        path: The file.
        language: Its language, ISO 639 code.
    """
    try:
        text = decode(path.read_bytes(), language).text
    except (OSError, UndecodableError):
        text = None
    return Reference(section_id, path.name, text)


def score_transcripts(
    transcripts: Iterable[Row], references: Iterable[Reference]
) -> list[dict[str, Any]]:
    """Return a row of ``scores/asr`` for each reference of a recording and each metric.

    A recording without a transcript has no score, and a reference that cannot be read or holds no
    word gives none; the status says which.

    Args:
        transcripts: Rows of ``materials/transcripts``.
        references: What they are held against; those of other sections are passed over.
    """
    found = {row["section_id"]: row for row in transcripts}
    return [
        _row(found[reference.section_id], reference, metric, count)
        for reference in references
        if reference.section_id in found
        for metric, count in _METRICS
    ]


def _row(
    transcript: Row, reference: Reference, metric: Metric, count: Callable[[str, str], Errors]
) -> dict[str, Any]:
    errors: Errors | None = None
    status = _status(transcript, reference)
    if status == OK and reference.text is not None:
        errors = count(reference.text, transcript["text"])
    return {
        "section_id": reference.section_id,
        "reference": reference.file,
        "metric": metric.name,
        "metric_version": str(metric.version),
        "value": None if errors is None else errors.rate.value,
        "status": status,
        "n_errors": None if errors is None else errors.n_errors,
        "n_reference": None if errors is None else errors.n_reference,
    }


def _status(transcript: Row, reference: Reference) -> str:
    if reference.text is None:
        return UNREADABLE_REFERENCE
    if not normalise_transcript(reference.text):
        return NO_REFERENCE
    return str(transcript["status"])
