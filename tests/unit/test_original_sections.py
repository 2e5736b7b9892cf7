"""Recordings and PDFs become texts of sections, and long sections are cut."""

from pathlib import Path
from typing import Any

import pytest

from sensemaking.io import artifacts
from sensemaking.io.materials import scan
from sensemaking.original_sections import Extractions, original_sections
from sensemaking.schemas import FINDINGS, SECTIONS
from sensemaking.sectioning.cutting import Settings
from sensemaking.sections import KindRules, Read

MP3 = "source.mp3"
RULES = KindRules("kind", "en", ("text", "audio", "pdf"), {})


def put(root: Path, *names: str, text: str = "Some words.") -> Path:
    for name in names:
        path = root / "kind" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


def read(
    root: Path,
    found: Extractions,
    cutting: Settings | None = None,
    rules: KindRules = RULES,
) -> Read:
    result = original_sections(scan(root, "kind").folders, rules, found, cutting)
    artifacts.to_table(SECTIONS, result.rows)
    artifacts.to_table(FINDINGS, [finding.row() for finding in result.findings])
    return result


def transcript(text: str | None, status: str = "ok", section: str = "kind/s") -> dict[str, Any]:
    return {
        "section_id": section,
        "file": MP3,
        "text": text,
        "status": status,
        "engine": "faster-whisper",
        "source_sha256": "ab" * 32,
    }


def segment(number: int, start: float, text: str, flag: Any = None) -> dict[str, Any]:
    times = {"start_s": start, "end_s": start + 10.0}
    return {"section_id": "kind/s", "segment": number, **times, "text": text, "flag": flag}


def pdf_text(text: str | None, status: str = "ok") -> dict[str, Any]:
    return {
        "section_id": "kind/s",
        "file": "source.pdf",
        "text": text,
        "status": status,
        "source_sha256": "cd" * 32,
    }


def test_what_was_recognised_is_the_text_and_the_engine_its_origin(tmp_path: Path) -> None:
    found = read(put(tmp_path, f"s/{MP3}"), Extractions(transcripts=[transcript("Hello all.")]))
    (row,) = found.rows
    assert (row["text"], row["text_en"], row["status"]) == ("Hello all.", "Hello all.", "ok")
    assert (row["text_origin"], row["text_en_origin"]) == ("faster-whisper", "original")
    assert row["source_sha256"] == "ab" * 32
    assert found.findings == []


def test_a_text_file_is_never_replaced_by_a_transcript(tmp_path: Path) -> None:
    put(tmp_path, f"s/{MP3}", "s/text.txt")
    (row,) = read(tmp_path, Extractions(transcripts=[transcript("Something else.")])).rows
    assert (row["text"], row["text_origin"]) == ("Some words.", "text.txt")


@pytest.mark.parametrize("missing", [None, float("nan")])
def test_a_recording_without_a_text_gives_its_status_to_the_section(
    tmp_path: Path, missing: Any
) -> None:
    found = read(
        put(tmp_path, f"s/{MP3}"), Extractions(transcripts=[transcript(missing, "no_speech")])
    )
    (row,) = found.rows
    assert (row["text"], row["text_en"], row["status"]) == (None, None, "no_speech")
    assert (row["text_origin"], row["source_sha256"]) == (None, "ab" * 32)


def test_a_foreign_recording_may_have_an_english_version_beside_it(tmp_path: Path) -> None:
    put(tmp_path, f"s/{MP3}", "s/text.en.txt", f"t/{MP3}")
    rows = read(
        tmp_path,
        Extractions(transcripts=[transcript("Ein Satz."), transcript("Zwei.", section="kind/t")]),
        rules=KindRules("kind", "de", ("audio",), {}),
    ).rows
    assert [(row["text"], row["text_en"], row["status"]) for row in rows] == [
        ("Ein Satz.", "Some words.", "ok"),
        ("Zwei.", None, "not_translated"),
    ]


def test_a_pdf_gives_its_text_and_else_its_reason(tmp_path: Path) -> None:
    put(tmp_path, "s/source.pdf")
    (row,) = read(tmp_path, Extractions(pdf_texts=[pdf_text("A page.")])).rows
    assert (row["text"], row["text_origin"], row["source_sha256"]) == (
        "A page.",
        "source.pdf",
        "cd" * 32,
    )
    (row,) = read(tmp_path, Extractions(pdf_texts=[pdf_text(None, "no_text_layer")])).rows
    assert (row["text"], row["status"]) == (None, "no_text_layer")


def test_sections_are_cut_only_if_the_kind_asks_for_it_and_no_questions_lie_there(
    tmp_path: Path,
) -> None:
    text = "# One\n\n" + "Bees fly. " * 20 + "\n\n# Two\n\n" + "Ants walk. " * 20
    put(tmp_path, "s/text.txt", "whole/text.txt", text=text)
    put(tmp_path, "whole/questions.json")
    assert [row["section_id"] for row in read(tmp_path, Extractions()).rows] == [
        "kind/s",
        "kind/whole",
    ]
    rows = read(tmp_path, Extractions(), Settings()).rows
    assert [(row["section_id"], row["parent_id"]) for row in rows] == [
        ("kind/s/~part-001", "kind/s"),
        ("kind/s/~part-002", "kind/s"),
        ("kind/whole", None),
    ]
    assert "".join(row["text"] for row in rows[:2]) == text
    assert all(row["text_en"] == row["text"] for row in rows)


SPOKEN = [
    segment(0, 0.0, "Bees collect nectar."),
    segment(1, 10.0, "Thanks for watching.", flag="no_speech"),
    segment(2, 20.0, "Ants build hills."),
    segment(3, 30.0, "Wasps make paper.", flag="repetition"),
]
SAID = "Bees collect nectar. Ants build hills. Wasps make paper."


def test_a_transcript_is_cut_where_slides_change(tmp_path: Path) -> None:
    put(tmp_path, f"s/{MP3}")
    put(tmp_path, "s/slides.csv", text="start,title\n0:00,Bees\n0:19,Ants\n0:30,Wasps\n")
    found = Extractions(transcripts=[transcript(SAID)], segments=SPOKEN)
    result = read(tmp_path, found, Settings(rules=("slides",)))
    assert [row["text"].strip() for row in result.rows] == [
        "Bees collect nectar.",
        "Ants build hills.",
        "Wasps make paper.",
    ]
    assert result.findings == []


def test_slide_times_are_of_no_use_for_a_text_that_is_no_transcript(tmp_path: Path) -> None:
    put(tmp_path, f"s/{MP3}", "s/text.txt")
    put(tmp_path, "s/slides.csv", text="0\n20\n")
    found = Extractions(transcripts=[transcript(SAID)], segments=SPOKEN)
    result = read(tmp_path, found, Settings(rules=("slides",)))
    assert [row["section_id"] for row in result.rows] == ["kind/s"]
    assert [finding.code for finding in result.findings] == ["slides_without_times"]


def test_slide_times_that_cannot_be_read_are_told_with_their_line(tmp_path: Path) -> None:
    put(tmp_path, f"s/{MP3}")
    put(tmp_path, "s/slides.csv", text="0:00\nlater\n")
    found = Extractions(transcripts=[transcript(SAID)], segments=SPOKEN)
    result = read(tmp_path, found, Settings(rules=("slides", "length")))
    assert [row["section_id"] for row in result.rows] == ["kind/s"]
    (finding,) = result.findings
    assert (finding.file, finding.code) == ("kind/s/slides.csv", "bad_slide_times")
    assert "line 2: found 'later'" in finding.message


def test_slide_times_of_a_section_with_questions_are_not_looked_at(tmp_path: Path) -> None:
    put(tmp_path, f"s/{MP3}", "s/questions.json")
    put(tmp_path, "s/slides.csv", text="later")
    found = Extractions(transcripts=[transcript(SAID)], segments=SPOKEN)
    assert read(tmp_path, found, Settings(rules=("slides",))).findings == []


def test_the_text_of_a_pdf_is_cut_at_its_outline(tmp_path: Path) -> None:
    put(tmp_path, "s/source.pdf")
    text = "Bees collect nectar all day. Ants build hills. Wasps make paper nests."
    pages = [
        {"section_id": "kind/s", "page": page, "start": text.index(word)}
        for page, word in ((3, "Wasps"), (1, "Bees"), (2, "Ants"))
    ]
    titles = [("Of wasps", 3), ("Of bees", 1), ("Of ants", 2)]
    outlines = [
        {"section_id": "kind/s", "entry": page, "level": 0, "title": title, "page": page}
        for title, page in titles
    ]
    found = Extractions(pdf_texts=[pdf_text(text)], pdf_pages=pages, outlines=outlines)
    result = read(tmp_path, found, Settings(rules=("outline",), min_words=1))
    assert [row["text"] for row in result.rows] == [
        "Bees collect nectar all day. ",
        "Ants build hills. ",
        "Wasps make paper nests.",
    ]
    # Offsets in the text of the PDF say nothing about a text that lies beside it.
    put(tmp_path, "s/text.txt", text="Of bees. Of ants. Of wasps. All live in the garden.")
    beside = read(tmp_path, found, Settings(rules=("outline",), min_words=1))
    assert [row["text"] for row in beside.rows] == [
        "Of bees. ",
        "Of ants. ",
        "Of wasps. All live in the garden.",
    ]
