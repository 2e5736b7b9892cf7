"""The sections of a kind in their own language: texts read, recognised or extracted, then cut."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sensemaking.findings import Finding
from sensemaking.io.decoding import UndecodableError, decode
from sensemaking.io.materials import PDF, SLIDES, Folder
from sensemaking.sectioning.cutting import Settings, Sources, may_be_cut
from sensemaking.sectioning.outline import Entry
from sensemaking.sectioning.rows import cut_rows
from sensemaking.sectioning.slides import Segment, Slide, SlideTimesError, read_slide_times
from sensemaking.sections import Extracted, KindRules, Read, read_sections

Row = Mapping[str, Any]

_NO_SPEECH = "no_speech"


@dataclass(frozen=True)
class Extractions:
    """What other stages made of recordings and PDFs, as rows of their artifacts.

    Attributes:
        transcripts: Rows of ``materials/transcripts``.
        segments: Rows of ``materials/segments``.
        pdf_texts: Rows of ``materials/pdf_texts``.
        pdf_pages: Rows of ``materials/pdf_pages``.
        outlines: Rows of ``materials/outlines``.
    """

    transcripts: Sequence[Row] = ()
    segments: Sequence[Row] = ()
    pdf_texts: Sequence[Row] = ()
    pdf_pages: Sequence[Row] = ()
    outlines: Sequence[Row] = ()


def original_sections(
    folders: Sequence[Folder],
    rules: KindRules,
    found: Extractions,
    cutting: Settings | None = None,
) -> Read:
    """Return the rows of ``materials/sections`` of a kind before anything is translated.

    Parts stand in the place of the sections that were cut.

    Args:
        folders: The sections of the kind.
        rules: The kind's rules.
        found: What was made of its recordings and PDFs.
        cutting: How sections without questions are cut; None if they are not.
    """
    read = read_sections(folders, rules, _extracted(found))
    if cutting is None:
        return read
    findings: list[Finding] = []
    sources = _sources(
        folders, read.rows, found, rules.language, "slides" in cutting.rules, findings
    )
    names = {folder.section_id: folder.files for folder in folders}
    cut = cut_rows(read.rows, names, cutting, sources)
    return Read(cut.rows, [*read.findings, *findings, *cut.findings])


def _extracted(found: Extractions) -> dict[tuple[str, str], Extracted]:
    return {
        (row["section_id"], row["file"]): Extracted(
            text=_or_none(row["text"]),
            status=row["status"],
            origin=row.get("engine", row["file"]),
            sha256=_or_none(row["source_sha256"]),
        )
        for row in (*found.transcripts, *found.pdf_texts)
    }


def _sources(
    folders: Sequence[Folder],
    rows: Sequence[Row],
    found: Extractions,
    language: str,
    with_slides: bool,
    findings: list[Finding],
) -> dict[str, Sources]:
    """Return what is known of the sections that may be cut, besides their texts."""
    engines = {row["engine"] for row in found.transcripts}
    outlines = _by_section(found.outlines, "entry")
    pages = _by_section(found.pdf_pages, "page")
    segments = _by_section(found.segments, "segment")
    origins = {row["section_id"]: row["text_origin"] for row in rows}
    sources = {}
    for folder in folders:
        if not may_be_cut(folder.files):
            continue
        section_id, origin = folder.section_id, origins[folder.section_id]
        starts = [_or_none(row["start"]) for row in pages[section_id]] if origin == PDF else []
        sources[section_id] = Sources(
            outline=[
                Entry(row["title"], row["level"], _or_none(row["page"]))
                for row in outlines[section_id]
            ],
            page_starts=[] if None in starts else starts,
            segments=[
                Segment(row["start_s"], row["end_s"], row["text"])
                for row in segments[section_id]
                if origin in engines and row["flag"] != _NO_SPEECH
            ],
            slides=_slides(folder, language, findings) if with_slides else [],
        )
    return sources


def _slides(folder: Folder, language: str, findings: list[Finding]) -> list[Slide]:
    if SLIDES not in folder.files:
        return []
    try:
        return read_slide_times(decode(folder.files[SLIDES].read_bytes(), language).text)
    except (OSError, UndecodableError, SlideTimesError) as error:
        message = str(error.strerror if isinstance(error, OSError) else error)
        findings.append(
            Finding(
                f"{folder.section_id}/{SLIDES}",
                "",
                "bad_slide_times",
                "error",
                message,
                "the next rule is used",
            )
        )
        return []


def _by_section(rows: Iterable[Row], order: str) -> defaultdict[str, list[Row]]:
    result: defaultdict[str, list[Row]] = defaultdict(list)
    for row in sorted(rows, key=lambda row: (row["section_id"], row[order])):
        result[row["section_id"]].append(row)
    return result


def _or_none(value: Any) -> Any:
    """Return a value, or None for what artifacts hold in place of one."""
    return value if isinstance(value, str | int) else None
