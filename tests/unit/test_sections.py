import hashlib
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from sensemaking import sections
from sensemaking.io import artifacts
from sensemaking.io.materials import scan
from sensemaking.schemas import FINDINGS, SECTIONS
from sensemaking.sections import (
    KindRules,
    Read,
    modality_of,
    place_of,
    read_sections,
    sub_kind_of,
)


def put(root: Path, files: dict[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return root


def read(
    root: Path,
    language: str = "en",
    text_from: tuple[str, ...] = ("text", "audio", "pdf"),
    sub_kinds: dict[str, list[str]] | None = None,
) -> Read:
    """Read the kind; its rows and findings must fit into their artifacts."""
    found = read_sections(
        scan(root, "kind").folders, KindRules("kind", language, text_from, sub_kinds or {})
    )
    artifacts.to_table(SECTIONS, found.rows)
    artifacts.to_table(FINDINGS, [finding.row() for finding in found.findings])
    return found


def only(found: Read) -> dict[str, Any]:
    (row,) = found.rows
    return row


def codes(found: Read) -> list[tuple[str, str, str]]:
    return [(f.file, f.code, f.severity) for f in found.findings]


def test_an_english_section_has_its_text_as_both_texts(tmp_path: Path) -> None:
    text = "Bees collect nectar.\nThey fly."
    found = read(put(tmp_path, {"kind/chapter/s": "", "kind/ch/s/text.txt": text}))
    assert only(found) == {
        "section_id": "kind/ch/s",
        "kind": "kind",
        "sub_kind": None,
        "source": None,
        "chapter": "ch",
        "parent_id": None,
        "language": "en",
        "modality": "text",
        "text": text,
        "text_en": text,
        "n_words_en": 5,
        "text_origin": "text.txt",
        "text_en_origin": "original",
        "source_sha256": hashlib.sha256(text.encode()).hexdigest(),
        "status": "ok",
    }
    assert found.findings == []


def test_a_foreign_section_has_its_english_version_beside_it(tmp_path: Path) -> None:
    put(
        tmp_path, {"kind/s/text.txt": "Де Київ стоїть.", "kind/s/text.en.txt": "Where Kyiv stands."}
    )
    row = only(read(tmp_path, "uk"))
    assert (row["text"], row["text_en"], row["n_words_en"]) == (
        "Де Київ стоїть.",
        "Where Kyiv stands.",
        3,
    )
    assert (row["text_origin"], row["text_en_origin"]) == ("text.txt", "text.en.txt")
    assert row["status"] == "ok"


def test_a_section_without_an_english_version_says_so(tmp_path: Path) -> None:
    row = only(read(put(tmp_path, {"kind/s/text.txt": "Де Київ?"}), "uk"))
    assert (row["text"], row["text_en"], row["status"]) == ("Де Київ?", None, "not_translated")
    assert row["n_words_en"] is None


def test_a_section_with_only_an_english_version_keeps_it(tmp_path: Path) -> None:
    found = read(put(tmp_path, {"kind/s/text.en.txt": "Where is Kyiv?"}), "uk")
    row = only(found)
    assert (row["text"], row["text_en"], row["status"]) == (None, "Where is Kyiv?", "no_text")
    assert codes(found) == [("kind/s", "no_text", "warning")]


def test_the_english_version_of_an_english_section_is_its_text_if_there_is_no_other(
    tmp_path: Path,
) -> None:
    put(tmp_path, {"kind/a/text.en.txt": "The only text.", "kind/b/text.txt": "The text."})
    put(tmp_path, {"kind/b/text.en.txt": "Another text."})
    found = read(tmp_path)
    assert [(r["text"], r["text_en"], r["status"]) for r in found.rows] == [
        ("The only text.", "The only text.", "ok"),
        ("The text.", "The text.", "ok"),
    ]
    assert found.rows[0]["text_origin"] == "text.en.txt"
    assert codes(found) == [("kind/b/text.en.txt", "superfluous_file", "info")]


@pytest.mark.parametrize(
    ("content", "status", "severity"),
    [
        ("", "empty_text", "error"),
        (" \n\t", "empty_text", "error"),
        ("— … !", "empty_text", "error"),
        (b"\x00\xff\x00\x00\xfe\x00", "undecodable", "error"),
    ],
)
def test_a_text_that_is_none_keeps_its_row_with_the_reason(
    tmp_path: Path, content: str | bytes, status: str, severity: str
) -> None:
    put(tmp_path, {"kind/bad/text.txt": content, "kind/good/text.txt": "Good text."})
    found = read(tmp_path)
    assert [(r["section_id"], r["text"], r["status"]) for r in found.rows] == [
        ("kind/bad", None, status),
        ("kind/good", "Good text.", "ok"),
    ]
    assert codes(found) == [("kind/bad/text.txt", status, severity)]


def test_a_broken_english_version_says_what_it_is(tmp_path: Path) -> None:
    put(tmp_path, {"kind/s/text.txt": "Де Київ?", "kind/s/text.en.txt": " "})
    found = read(tmp_path, "uk")
    row = only(found)
    assert (row["text"], row["text_en"], row["status"]) == (
        "Де Київ?",
        None,
        "english_empty_text",
    )
    assert codes(found) == [("kind/s/text.en.txt", "empty_text", "error")]


def test_a_doubtful_encoding_is_read_and_told(tmp_path: Path) -> None:
    put(tmp_path, {"kind/s/text.txt": "Де Київ стоїть".encode("cp1251")})
    found = read(tmp_path, "uk")
    assert only(found)["text"] == "Де Київ стоїть"
    assert codes(found) == [("kind/s/text.txt", "doubtful_encoding", "warning")]
    assert found.findings[0].action == "read"


def test_a_file_that_cannot_be_opened_after_all_costs_its_section_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path, {"kind/a/text.txt": "One.", "kind/b/text.txt": "Two.", "kind/c/source.mp3": "x"})
    read_bytes, sha256_of = Path.read_bytes, sections.sha256_of

    def failing_read(path: Path) -> bytes:
        if path.parent.name == "a":
            raise OSError(5, "Input/output error")
        return read_bytes(path)

    def failing_sha256(path: Path) -> str:
        raise OSError(5, f"Input/output error of {path.name} {sha256_of.__name__}")

    monkeypatch.setattr(Path, "read_bytes", failing_read)
    monkeypatch.setattr(sections, "sha256_of", failing_sha256)
    found = read(tmp_path)
    assert [(r["section_id"], r["status"]) for r in found.rows] == [
        ("kind/a", "unreadable"),
        ("kind/b", "ok"),
        ("kind/c", "recording_not_transcribed"),
    ]
    assert ("kind/a/text.txt", "unreadable", "error") in codes(found)
    assert "Input/output error" in found.findings[0].message


@pytest.mark.parametrize(
    ("files", "text_from", "status"),
    [
        (["source.mp3"], ("text", "audio", "pdf"), "recording_not_transcribed"),
        (["source.pdf"], ("text", "audio", "pdf"), "pdf_not_read"),
        (["source.pdf", "source.wav"], ("text", "audio", "pdf"), "recording_not_transcribed"),
        (["source.pdf", "source.wav"], ("pdf", "audio"), "pdf_not_read"),
        (["source.pdf"], ("text", "audio"), "no_text"),
        (["reference.txt"], ("text", "audio", "pdf"), "no_text"),
        (["text.txt"], ("audio", "pdf"), "no_text"),
    ],
)
def test_the_source_of_a_text_is_the_first_of_the_kinds_order_that_is_there(
    tmp_path: Path, files: list[str], text_from: tuple[str, ...], status: str
) -> None:
    put(tmp_path, {f"kind/s/{name}": "some words" for name in files})
    found = read(tmp_path, text_from=text_from)
    assert only(found)["status"] == status
    assert only(found)["text"] is None
    assert [finding.code for finding in found.findings] == [status]


def test_a_text_goes_before_a_recording_and_keeps_the_modality(tmp_path: Path) -> None:
    put(tmp_path, {"kind/s/text.txt": "Words.", "kind/s/source.mp3": "x", "kind/s/source.pdf": "x"})
    row = only(read(tmp_path))
    assert (row["text"], row["modality"], row["text_origin"]) == ("Words.", "audio", "text.txt")


@pytest.mark.parametrize(
    ("files", "modality"),
    [
        (["text.txt"], "text"),
        (["questions.json"], "text"),
        (["source.pdf"], "pdf"),
        (["source.flac", "source.pdf"], "audio"),
        (["source.webm", "source.pdf"], "video"),
        (["source.mp4", "source.mp3"], "audio"),
    ],
)
def test_a_section_is_a_record_of_its_recording_else_of_its_pdf_else_of_text(
    tmp_path: Path, files: list[str], modality: str
) -> None:
    put(tmp_path, {f"kind/s/{name}": "x" for name in files})
    (folder,) = scan(tmp_path, "kind").folders
    assert modality_of(folder) == modality


def test_folders_that_collide_give_one_row_that_says_so(tmp_path: Path) -> None:
    for form in ("NFC", "NFD"):
        name = unicodedata.normalize(form, "й")
        put(tmp_path, {f"kind/{name}/text.txt": "Text."})
    row = only(read(tmp_path))
    assert (row["section_id"], row["text"], row["text_en"]) == ("kind/й", None, None)
    assert row["status"] == "name_collision"


@pytest.mark.parametrize(
    ("section", "expected"),
    [
        ("kind", (None, None)),
        ("kind/section", (None, None)),
        ("kind/chapter/section", (None, "chapter")),
        ("kind/source/chapter/section", ("source", "chapter")),
        ("kind/source/part/chapter/section", ("source", "part/chapter")),
    ],
)
def test_source_and_chapter_are_the_folders_between_kind_and_section(
    section: str, expected: tuple[str | None, str | None]
) -> None:
    assert place_of(section) == expected


FACT_CHECKS = {
    "determine-statement": ["explanation_only_id*"],
    "determine-explanation": ["statement_only_id*"],
    "statement-w-explanation": ["*"],
}


@pytest.mark.parametrize(
    ("section", "expected"),
    [
        ("facts/explanation_only_id12", "determine-statement"),
        ("facts/statement_only_id12", "determine-explanation"),
        ("facts/id12", "statement-w-explanation"),
        # A folder above counts too, and the first sub-kind wins.
        ("facts/explanation_only_id1/part", "determine-statement"),
        ("facts/statement_only_id1/explanation_only_id2", "determine-statement"),
        ("facts", None),
        ("explanation_only_id1", None),
    ],
)
def test_the_sub_kind_is_the_first_with_a_pattern_that_a_folder_fits(
    section: str, expected: str | None
) -> None:
    assert sub_kind_of(section, FACT_CHECKS) == expected


@pytest.mark.parametrize(
    ("folder", "pattern", "fits"),
    [
        ("id7", "id?", True),
        ("id17", "id?", False),
        ("xid7", "id*", False),
        ("ID7", "id*", False),
        # Brackets are part of names.
        ("[draft] id7", "[draft]*", True),
        ("d", "[draft]*", False),
        ("йод", unicodedata.normalize("NFD", "йо?"), True),
    ],
)
def test_only_star_and_question_mark_have_a_meaning_in_patterns(
    folder: str, pattern: str, fits: bool
) -> None:
    assert (sub_kind_of(f"kind/{folder}", {"x": [pattern]}) == "x") is fits


def test_rows_do_not_depend_on_the_order_of_the_folders(tmp_path: Path) -> None:
    put(tmp_path, {f"kind/{n}/text.txt": f"Text {n}." for n in "abc"})
    folders = scan(tmp_path, "kind").folders
    rules = KindRules("kind", "en", ("text",), {})
    forward, backward = read_sections(folders, rules), read_sections(folders[::-1], rules)
    assert forward.rows == backward.rows[::-1]
