"""Transcribe the recordings of a chapter; what is finished is kept in a journal."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sensemaking.jobs import logged
from sensemaking.asr.journal import Journal
from sensemaking.asr.rows import chapter_rows, settings_of
from sensemaking.asr.transcribe import transcribe_chapter
from sensemaking.io import artifacts
from sensemaking.io.files import write_text
from sensemaking.schemas import FINDINGS, SEGMENTS, TRANSCRIPTS


def main(
    *,
    recordings: Mapping[str, Path],
    language: str,
    asr: Mapping[str, Any],
    seed: int,
    journal: Path,
    transcripts: Path,
    segments: Path,
    findings: Path,
    timings: Path,
) -> None:
    settings = settings_of(asr, seed)
    found = transcribe_chapter(recordings, language, settings, Journal(journal))
    made = chapter_rows(found, recordings, settings)
    artifacts.write(TRANSCRIPTS, transcripts, made.transcripts)
    artifacts.write(SEGMENTS, segments, made.segments)
    artifacts.write(FINDINGS, findings, [finding.row() for finding in made.findings])
    write_text(timings, made.timings)


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            recordings={
                section: Path(path)
                for section, path in zip(
                    snakemake.params.sections, snakemake.input.recordings, strict=True
                )
            },
            language=snakemake.params.language,
            asr=snakemake.params.asr,
            seed=snakemake.params.seed,
            journal=Path(snakemake.params.journal),
            transcripts=Path(snakemake.output.transcripts),
            segments=Path(snakemake.output.segments),
            findings=Path(snakemake.output.findings),
            timings=Path(snakemake.output.timings),
        )
