"""Read the texts of a kind, in its own language, and cut sections where the kind asks for it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sensemaking.jobs import logged
from sensemaking.io import artifacts
from sensemaking.io.materials import scan
from sensemaking.original_sections import Extractions, original_sections
from sensemaking.schemas import (
    FINDINGS,
    OUTLINES,
    PDF_PAGES,
    PDF_TEXTS,
    SECTIONS,
    SEGMENTS,
    TRANSCRIPTS,
)
from sensemaking.sectioning.cutting import Settings
from sensemaking.sections import KindRules


def main(
    *,
    root: Path,
    kind: str,
    language: str,
    text_from: Sequence[str],
    sub_kinds: Sequence[tuple[str, Sequence[str]]],
    sectioning: Mapping[str, Any] | None,
    transcripts: Sequence[Path],
    segments: Sequence[Path],
    pdf_texts: Sequence[Path],
    pdf_pages: Sequence[Path],
    outlines: Sequence[Path],
    sections: Path,
    findings: Path,
) -> None:
    scanned = scan(root, kind)
    rules = KindRules(kind, language, tuple(text_from), dict(sub_kinds))
    extracted = Extractions(
        transcripts=artifacts.read(TRANSCRIPTS, transcripts).to_dict("records"),
        segments=artifacts.read(SEGMENTS, segments).to_dict("records"),
        pdf_texts=artifacts.read(PDF_TEXTS, pdf_texts).to_dict("records"),
        pdf_pages=artifacts.read(PDF_PAGES, pdf_pages).to_dict("records"),
        outlines=artifacts.read(OUTLINES, outlines).to_dict("records"),
    )
    cutting = None
    if sectioning is not None:
        cutting = Settings(**{**sectioning, "rules": tuple(sectioning["rules"])})
    read = original_sections(scanned.folders, rules, extracted, cutting)
    artifacts.write(SECTIONS, sections, read.rows)
    found = [*scanned.findings, *read.findings]
    artifacts.write(FINDINGS, findings, [finding.row() for finding in found])


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            root=Path(snakemake.params.root),
            kind=snakemake.params.kind,
            language=snakemake.params.language,
            text_from=snakemake.params.text_from,
            sub_kinds=snakemake.params.sub_kinds,
            sectioning=snakemake.params.sectioning,
            transcripts=snakemake.input.transcripts,
            segments=snakemake.input.segments,
            pdf_texts=snakemake.input.pdf_texts,
            pdf_pages=snakemake.input.pdf_pages,
            outlines=snakemake.input.outlines,
            sections=Path(snakemake.output.sections),
            findings=Path(snakemake.output.findings),
        )
