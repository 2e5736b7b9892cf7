"""The development set's foreign texts through sectioning and translation."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from sensemaking.io import pdf
from sensemaking.metrics.mt import corpus_quality
from sensemaking.mt.checks import check_pair
from sensemaking.mt.engines import NOT_IN_MEMORY, EngineStoppedError
from sensemaking.mt.google import GoogleEngine, GoogleSettings
from sensemaking.mt.journal import Journal
from sensemaking.mt.memory import MemoryEngine
from sensemaking.mt.tmx import write_tmx
from sensemaking.mt.units import english_texts, quality_pairs, text_units, translate_units
from sensemaking.sectioning.cutting import Settings, Sources, cut_section
from sensemaking.sectioning.outline import find_page_starts
from sensemaking.text.words import words
from tests.fake_translate_server import Answer, Failure, FakeTranslateServer, Request, prefixed

pytestmark = pytest.mark.devset

SECTIONS = {
    "popular/video-22": "de",
    "ukrbiology/book01/topic01-Різноманітність тварин": "uk",
    "ukrbiology/book01/topic02-Процеси життєдіяльностітварин": "uk",
    "ukrbiology/book01/topic03-Поведінка тварин": "uk",
}
CASES = pytest.mark.parametrize(("section_id", "language"), SECTIONS.items())
UNSENT = dict.fromkeys(map(ord, "\x03\x07\u00ad"))
"""Controls and soft hyphens that the Ukrainian textbook's text holds."""
DAY = Failure(403, "Daily Limit Exceeded", "dailyLimitExceeded")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeTranslateServer]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with FakeTranslateServer() as server:
        yield server


def text_of(devset: Path, section_id: str, name: str = "text.txt") -> str:
    return (devset / section_id / name).read_text(encoding="utf-8")


@CASES
def test_parts_hold_the_whole_text_and_end_with_sentences(
    devset: Path, section_id: str, language: str
) -> None:
    text = text_of(devset, section_id)
    assert "\n" not in text
    cutting = cut_section(section_id, text, language, Settings(max_words=500))
    assert "".join(part.text for part in cutting.parts) == text
    assert len(cutting.parts) >= len(words(text)) / 500
    assert all(len(words(part.text)) <= 500 for part in cutting.parts)
    assert all(part.text.rstrip()[-1] in ".!?…»”)" for part in cutting.parts)
    assert cutting.findings == []


def test_the_textbooks_pdf_is_cut_at_its_outline(devset: Path) -> None:
    section_id = "ukrbiology/book01/topic03-Поведінка тварин"
    book = pdf.read(devset / section_id / "source.pdf")
    assert book.text is not None
    starts = find_page_starts(book.text, [page.text for page in book.pages])
    assert len(starts) == len(book.pages) == 20
    sources = Sources(outline=book.outline, page_starts=starts)
    settings = Settings(rules=("outline",))
    cutting = cut_section(section_id, book.text, "uk", settings, sources)
    assert "".join(part.text for part in cutting.parts) == book.text
    inner = [item for item in book.outline if item.level == 1]
    assert [part.title for part in cutting.parts[1:]] == [item.title for item in inner]
    for part, item in zip(cutting.parts[1:], inner, strict=True):
        assert part.text.split()[0] == item.title.split(".")[0]


@CASES
def test_a_memory_of_all_sentences_translates_all_parts(
    devset: Path, tmp_path: Path, section_id: str, language: str
) -> None:
    text = text_of(devset, section_id)
    parts = cut_section(section_id, text, language, Settings(max_words=500)).parts
    units = [unit for part in parts for unit in text_units(part.section_id, part.text, language)]
    sentences = sorted({unit.source.strip() for unit in units})
    numbered = {sentence: f"This is sentence {n}." for n, sentence in enumerate(sentences)}
    path = tmp_path / "memory.tmx"
    write_tmx(path, [{language: source, "en": target} for source, target in numbered.items()])
    rows = translate_units(units, [MemoryEngine(path)])
    assert [row["target"].strip() for row in rows] == [
        numbered[unit.source.strip()] for unit in units
    ]
    english = english_texts(rows)
    assert set(english) == {part.section_id for part in parts}
    assert all(made.status == "ok" for made in english.values())


def test_one_sentence_that_the_memory_lacks_leaves_its_part_alone_without_english(
    devset: Path, tmp_path: Path
) -> None:
    section_id, language = "popular/video-22", "de"
    text = text_of(devset, section_id)
    parts = cut_section(section_id, text, language, Settings(max_words=500)).parts
    units = [unit for part in parts for unit in text_units(part.section_id, part.text, language)]
    path = tmp_path / "memory.tmx"
    lost = units[-1].source.strip()
    write_tmx(
        path,
        [
            {language: unit.source.strip(), "en": "A sentence."}
            for unit in units
            if unit.source.strip() != lost
        ],
    )
    english = english_texts(translate_units(units, [MemoryEngine(path)]))
    statuses = [english[part.section_id].status for part in parts]
    assert statuses == ["ok"] * (len(parts) - 1) + [NOT_IN_MEMORY]


@CASES
def test_the_service_gets_nothing_twice_over_two_days_and_within_its_limits(
    devset: Path, tmp_path: Path, server: FakeTranslateServer, section_id: str, language: str
) -> None:
    units = text_units(section_id, text_of(devset, section_id), language)
    engine = GoogleEngine(GoogleSettings(api_endpoint=server.endpoint, max_bytes=3_000))
    path = tmp_path / "journal.jsonl"

    def one_day(request: Request) -> Answer:
        return prefixed(request) if len(server.requests) == 1 else DAY

    server.translate = one_day
    with pytest.raises(EngineStoppedError, match="daily quota"):
        translate_units(units, [engine], Journal(path))
    kept = server.requests[:1]
    server.requests.clear()
    server.translate = prefixed
    rows = translate_units(units, [engine], Journal(path))
    paid = [*kept, *server.requests]
    sent = [text for request in paid for text in request.texts]
    assert len(sent) == len(set(sent))
    assert all(len(request.body) <= 3_000 for request in paid)
    assert all(len(request.texts) <= 128 for request in paid)
    assert all(request.json["format"] == "text" for request in paid)
    assert all(request.json["source"] == language for request in paid)
    made = english_texts(rows)[section_id]
    assert made.text is not None
    # A space comes between sentences that had none, so white space is not compared.
    bare = made.text.replace("EN:", "")
    text = text_of(devset, section_id).translate(UNSENT)
    assert "".join(bare.split()) == "".join(text.split())


@pytest.mark.parametrize(
    ("section_id", "codes"),
    [
        ("popular/video-22", []),
        ("ukrbiology/book01/topic01-Різноманітність тварин", ["text_en_short"]),
        ("ukrbiology/book01/topic02-Процеси життєдіяльностітварин", ["text_en_short"]),
        ("ukrbiology/book01/topic03-Поведінка тварин", []),
    ],
)
def test_english_texts_that_lack_a_part_are_flagged_and_whole_ones_are_not(
    devset: Path, section_id: str, codes: list[str]
) -> None:
    text, text_en = text_of(devset, section_id), text_of(devset, section_id, "text.en.txt")
    found = check_pair(section_id, text, text_en, SECTIONS[section_id])
    assert [finding.code for finding in found] == codes


def test_a_translation_is_measured_against_the_english_that_came_with_the_text(
    devset: Path, tmp_path: Path
) -> None:
    section_id, language = "popular/video-22", "de"
    text_en = text_of(devset, section_id, "text.en.txt")
    units = text_units(section_id, text_of(devset, section_id), language)
    path = tmp_path / "memory.tmx"
    write_tmx(
        path,
        [{language: unit.source.strip(), "en": "Vaccinations are important."} for unit in units],
    )
    rows = translate_units(units, [MemoryEngine(path)])
    section = {"section_id": section_id, "text_en": text_en}
    pairs = quality_pairs([section], [], rows)
    found = corpus_quality([pair.translation for pair in pairs], [pair.reference for pair in pairs])
    assert (found.chrf.n, found.chrf.n_missing) == (1, 0)
    assert found.chrf.value is not None
    assert 0 < found.chrf.value < 50
    assert corpus_quality([text_en], [text_en]).chrf.value == 100
