"""From rows of ``materials/sections`` to the rows of the parts that sections are cut into."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sensemaking.findings import Finding
from sensemaking.sectioning.cutting import Part, Settings, Sources, cut_section, may_be_cut
from sensemaking.statuses import NOT_TRANSLATED, OK
from sensemaking.text.words import words

_ENGLISH = "en"
_ORIGINAL = "original"


@dataclass(frozen=True)
class CutRows:
    """Sections after cutting.

    Attributes:
        rows: Rows of parts, and of sections that stay whole, in the order of the sections.
        parents: The rows of the sections that were cut; their parts stand in their place.
        findings: What the rules could not use.
    """

    rows: list[dict[str, Any]]
    parents: list[dict[str, Any]]
    findings: list[Finding]


def cut_rows(
    sections: Iterable[Mapping[str, Any]],
    files: Mapping[str, Collection[str]],
    settings: Settings,
    sources: Mapping[str, Sources] | None = None,
) -> CutRows:
    """Cut the sections of a kind that may be cut.

    Sections without text, or with a file of questions or answers in their folder, stay whole.
    Parts are cut before anything is translated: an English text that came with the section cannot
    be cut at the same places, so the parts of another language have none yet.

    Args:
        sections: Rows of ``materials/sections``.
        files: Section_id to the names of the files in its folder.
        settings: The rules of the kind.
        sources: Section_id to what else is known of the section.
    """
    rows: list[dict[str, Any]] = []
    parents: list[dict[str, Any]] = []
    findings: list[Finding] = []
    for section in sections:
        row = dict(section)
        section_id, text = row["section_id"], row["text"]
        if not isinstance(text, str) or not may_be_cut(files.get(section_id, ())):
            rows.append(row)
            continue
        cutting = cut_section(
            section_id, text, row["language"], settings, (sources or {}).get(section_id)
        )
        findings += cutting.findings
        if not cutting.parts:
            rows.append(row)
            continue
        parents.append(row)
        rows += [_part_row(row, part) for part in cutting.parts]
        if row["language"] != _ENGLISH and isinstance(row["text_en"], str):
            message = (
                f"the section is cut into {len(cutting.parts)} parts, but its English text cannot "
                "be cut at the same places; the parts are translated by the engine"
            )
            findings.append(
                Finding(section_id, "", "text_en_not_cut", "warning", message, "not used")
            )
    return CutRows(rows, parents, findings)


def _part_row(parent: Mapping[str, Any], part: Part) -> dict[str, Any]:
    english = parent["language"] == _ENGLISH
    return {
        **parent,
        "section_id": part.section_id,
        "parent_id": part.parent_id,
        "text": part.text,
        "text_en": part.text if english else None,
        "n_words_en": len(words(part.text)) if english else None,
        "text_en_origin": _ORIGINAL if english else None,
        "status": OK if english else NOT_TRANSLATED,
    }
