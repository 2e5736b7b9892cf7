from pathlib import Path

import pytest

from sensemaking.io.materials import Folder
from sensemaking.modalities import (
    chapter_shard,
    pdfs_to_read,
    recording_of,
    recordings_to_transcribe,
    shards_with_texts,
    source_of_text,
)

ORDER = ("text", "audio", "pdf")


def folder(section_id: str, *names: str) -> Folder:
    return Folder(section_id, Path(section_id), {name: Path(name) for name in names})


@pytest.mark.parametrize(
    ("files", "text_from", "language", "expected"),
    [
        (["text.txt", "source.mp3", "source.pdf"], ORDER, "cs", "text.txt"),
        (["source.mp3", "source.pdf"], ORDER, "cs", "source.mp3"),
        (["source.pdf"], ORDER, "cs", "source.pdf"),
        (["text.txt", "source.pdf"], ("pdf", "text"), "cs", "source.pdf"),
        (["text.txt", "source.wav"], ("audio",), "cs", "source.wav"),
        (["text.txt"], ("audio", "pdf"), "cs", None),
        # Only in a kind in English is the English version the text.
        (["text.en.txt", "source.mp3"], ORDER, "en", "text.en.txt"),
        (["text.en.txt", "source.mp3"], ORDER, "cs", "source.mp3"),
        (["text.txt", "text.en.txt"], ORDER, "en", "text.txt"),
        # A transcript by a person is there to measure by, and is no text.
        (["reference.txt", "slides.csv"], ORDER, "en", None),
        ([], ORDER, "en", None),
    ],
)
def test_the_file_that_gives_the_text_is_the_first_of_the_order_that_is_there(
    files: list[str], text_from: tuple[str, ...], language: str, expected: str | None
) -> None:
    assert source_of_text(files, text_from, language) == expected


def test_of_several_recordings_the_preferred_one_is_taken() -> None:
    assert recording_of(["source.mp4", "source.wav"]) == "source.wav"
    assert recording_of(["text.txt"]) is None


@pytest.mark.parametrize(
    ("section_id", "shard"),
    [
        ("kind/lecture 1/slide 1", "lecture-1"),
        ("kind/book/Лекція 1/slide", "book-lektsiia-1"),
        ("kind/video-22", "sections"),
        ("kind/★/s", "sections"),
        # Names that differ in signs alone share a shard; nothing is lost by it.
        ("kind/lecture (1)/slide", "lecture-1"),
    ],
)
def test_a_chapter_is_a_shard_by_its_name_in_ascii(section_id: str, shard: str) -> None:
    assert chapter_shard(section_id) == shard


def test_the_name_of_a_shard_fits_into_a_file_name() -> None:
    shard = chapter_shard(f"kind/{'щ' * 80}/{'щ' * 80}/s")
    assert 0 < len(f"{shard}.parquet".encode()) <= 255


FOLDERS = [
    folder("k/a/needs", "source.mp3"),
    folder("k/a/has text", "source.mp3", "text.txt"),
    folder("k/b/has both", "source.mp3", "text.txt", "reference.txt"),
    folder("k/b/no recording", "text.txt", "reference.txt"),
    folder("k/needs too", "source.ogg", "reference.txt", "questions.json"),
]


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("none", {"a": ["k/a/needs"], "sections": ["k/needs too"]}),
        (
            "reference",
            {"a": ["k/a/needs"], "b": ["k/b/has both"], "sections": ["k/needs too"]},
        ),
        (
            "all",
            {
                "a": ["k/a/needs", "k/a/has text"],
                "b": ["k/b/has both"],
                "sections": ["k/needs too"],
            },
        ),
    ],
)
def test_recordings_are_transcribed_for_a_text_or_to_be_measured(
    measure: str, expected: dict[str, list[str]]
) -> None:
    found = recordings_to_transcribe(FOLDERS, ORDER, "en", measure)  # type: ignore[arg-type]
    assert {shard: [f.section_id for f in folders] for shard, folders in found.items()} == expected
    assert list(found) == sorted(found)


def test_only_shards_that_give_a_text_are_waited_for_by_the_sections() -> None:
    assert shards_with_texts(FOLDERS, ORDER, "en") == ["a", "sections"]
    assert shards_with_texts(FOLDERS, ("text",), "en") == []


PDFS = [
    folder("k/only", "source.pdf"),
    folder("k/beside", "source.pdf", "text.txt"),
    folder("k/with questions", "source.pdf", "text.txt", "questions.json"),
    folder("k/only with questions", "source.pdf", "questions_by_GPT_PRIMARY.json"),
    folder("k/none", "text.txt"),
]


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ((), ["k/only", "k/only with questions"]),
        (("marks", "length"), ["k/only", "k/only with questions"]),
        (("outline",), ["k/only", "k/beside", "k/only with questions"]),
    ],
)
def test_pdfs_are_read_for_a_text_or_for_an_outline_to_cut_at(
    rules: tuple[str, ...], expected: list[str]
) -> None:
    assert [f.section_id for f in pdfs_to_read(PDFS, ORDER, "en", rules)] == expected
