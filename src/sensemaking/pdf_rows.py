"""From the PDFs of a kind to rows of artifacts."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sensemaking.findings import Finding
from sensemaking.io.files import sha256_of
from sensemaking.io.materials import PDF, Folder
from sensemaking.io.pdf import PdfText, read
from sensemaking.sectioning.outline import find_page_starts
from sensemaking.statuses import OK


@dataclass(frozen=True)
class PdfRows:
    """What the PDFs became.

    Attributes:
        texts: Rows of ``materials/pdf_texts``.
        pages: Rows of ``materials/pdf_pages``.
        outlines: Rows of ``materials/outlines``.
        findings: What is wrong with the files or doubtful about their texts.
    """

    texts: list[dict[str, Any]]
    pages: list[dict[str, Any]]
    outlines: list[dict[str, Any]]
    findings: list[Finding]


def read_pdfs(folders: Sequence[Folder]) -> PdfRows:
    """Read the PDFs of sections; one that cannot be used gives a row with the reason.

    Args:
        folders: Sections that have a PDF.
    """
    result = PdfRows([], [], [], [])
    for folder in folders:
        found = read(folder.files[PDF])
        section_id = folder.section_id
        result.texts.append(_text_row(section_id, folder.files[PDF], found))
        result.pages.extend(_page_rows(section_id, found))
        result.outlines.extend(
            {
                "section_id": section_id,
                "entry": number,
                "level": item.level,
                "title": item.title,
                "page": item.page,
            }
            for number, item in enumerate(found.outline)
        )
        result.findings.extend(_findings(f"{section_id}/{PDF}", found))
    return result


def _text_row(section_id: str, path: Path, found: PdfText) -> dict[str, Any]:
    return {
        "section_id": section_id,
        "file": PDF,
        "text": found.text,
        "status": found.status,
        "reason": found.reason,
        "n_pages": len(found.pages),
        "n_pages_without_text": sum(page.state == "no_text" for page in found.pages),
        "source_sha256": None if found.status == "unreadable_file" else sha256_of(path),
    }


def _page_rows(section_id: str, found: PdfText) -> list[dict[str, Any]]:
    starts: Sequence[int | None] = []
    if found.text is not None:
        starts = find_page_starts(found.text, [page.text for page in found.pages])
    return [
        {
            "section_id": section_id,
            "page": page.number,
            "label": page.label,
            "start": start,
            "state": page.state,
            "n_letters": page.n_letters,
            "image_share": min(max(page.image_share, 0.0), 1.0),
        }
        for page, start in zip(found.pages, starts or [None] * len(found.pages), strict=True)
    ]


def _findings(place: str, found: PdfText) -> Iterable[Finding]:
    if found.status != OK:
        yield Finding(place, "", found.status, "error", found.reason or found.status, "no text")
    for warning in found.warnings:
        yield Finding(place, "", warning.code, "warning", warning.message, "read as it is")
