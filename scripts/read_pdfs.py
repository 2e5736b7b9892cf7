"""Read the PDFs of a kind."""

from collections.abc import Collection
from pathlib import Path

from sensemaking.jobs import logged
from sensemaking.io import artifacts
from sensemaking.io.materials import scan
from sensemaking.pdf_rows import read_pdfs
from sensemaking.schemas import FINDINGS, OUTLINES, PDF_PAGES, PDF_TEXTS


def main(
    *,
    root: Path,
    kind: str,
    sections: Collection[str],
    texts: Path,
    pages: Path,
    outlines: Path,
    findings: Path,
) -> None:
    wanted = [folder for folder in scan(root, kind).folders if folder.section_id in sections]
    read = read_pdfs(wanted)
    artifacts.write(PDF_TEXTS, texts, read.texts)
    artifacts.write(PDF_PAGES, pages, read.pages)
    artifacts.write(OUTLINES, outlines, read.outlines)
    artifacts.write(FINDINGS, findings, [finding.row() for finding in read.findings])


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            root=Path(snakemake.params.root),
            kind=snakemake.params.kind,
            sections=snakemake.params.sections,
            texts=Path(snakemake.output.texts),
            pages=Path(snakemake.output.pages),
            outlines=Path(snakemake.output.outlines),
            findings=Path(snakemake.output.findings),
        )
