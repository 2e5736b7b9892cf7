"""Rows of parts in place of the rows of sections."""

from typing import Any

from sensemaking.io.artifacts import to_table
from sensemaking.schemas import SECTIONS
from sensemaking.sectioning.cutting import Settings
from sensemaking.sectioning.rows import cut_rows

SETTINGS = Settings(max_words=50, min_words=2)
TEXT = "# One\nRivers flow.\n# Two\nSeas are deep.\n"


def section(section_id: str, **changed: Any) -> dict[str, Any]:
    return {
        "section_id": section_id,
        "kind": "k",
        "sub_kind": None,
        "source": None,
        "chapter": "book",
        "parent_id": None,
        "language": "en",
        "modality": "pdf",
        "text": TEXT,
        "text_en": TEXT,
        "n_words_en": 7,
        "text_origin": "source.pdf",
        "text_en_origin": "original",
        "source_sha256": "ab",
        "status": "ok",
        **changed,
    }


def test_parts_stand_in_place_of_their_parent_and_fit_the_artifact() -> None:
    found = cut_rows([section("k/a"), section("k/b", text="Short.")], {}, SETTINGS)
    assert [row["section_id"] for row in found.rows] == ["k/a/~part-001", "k/a/~part-002", "k/b"]
    assert [row["parent_id"] for row in found.rows] == ["k/a", "k/a", None]
    assert "".join(row["text"] for row in found.rows[:2]) == TEXT
    assert [row["n_words_en"] for row in found.rows[:2]] == [3, 4]
    assert found.parents == [section("k/a")]
    assert to_table(SECTIONS, found.rows).num_rows == 3


def test_parts_in_another_language_are_not_translated_yet() -> None:
    row = section("k/a", language="de", text_en="Rivers. Seas.", text_en_origin="text.en.txt")
    found = cut_rows([row], {}, SETTINGS)
    assert [part["text_en"] for part in found.rows] == [None, None]
    assert [part["status"] for part in found.rows] == ["not_translated"] * 2
    assert [finding.code for finding in found.findings] == ["text_en_not_cut"]
    assert to_table(SECTIONS, found.rows).num_rows == 2


def test_sections_with_questions_or_without_text_stay_whole() -> None:
    rows = [section("k/a"), section("k/b", text=None, text_en=None, status="no_text")]
    found = cut_rows(rows, {"k/a": ["source.pdf", "questions.json"]}, SETTINGS)
    assert found.rows == rows
    assert found.parents == []
