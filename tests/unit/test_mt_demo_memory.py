"""The demo's translation memory, and the tool that makes it from the demo's translations."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from sensemaking.mt.memory import MemoryEngine
from sensemaking.mt.tmx import read_tmx
from sensemaking.mt.units import english_texts, text_units, translate_units

ROOT = Path(__file__).parents[2]
DEMO = ROOT / "resources" / "demo"
LANGUAGES = {"demagog-statements-public": "cs", "popular": "de", "ukr-biology": "uk"}


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "make_demo_memory", ROOT / "tools" / "make_demo_memory.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_foreign_text_of_the_demo_is_translated_by_its_memory() -> None:
    engine = MemoryEngine(DEMO / "memory.tmx")
    found = 0
    for kind, language in LANGUAGES.items():
        for path in sorted((DEMO / "materials" / kind).rglob("text.txt")):
            section_id = path.parent.relative_to(DEMO / "materials").as_posix()
            units = text_units(section_id, path.read_text(encoding="utf-8"), language)
            made = english_texts(translate_units(units, [engine]))[section_id]
            advice = f"{section_id}: run python tools/make_demo_memory.py"
            assert made.text is not None, advice
            english = path.with_name("text.en.txt").read_text(encoding="utf-8")
            assert made.text.split() == english.split(), advice
            found += 1
    assert found >= len(LANGUAGES)
    assert engine.findings == []


def test_the_tool_writes_the_same_bytes_again(tool: ModuleType, tmp_path: Path) -> None:
    first, second = tmp_path / "a.tmx", tmp_path / "b.tmx"
    for path in (first, second):
        assert tool.main(DEMO / "materials", ROOT / "config.yaml", path) == 0
    assert first.read_bytes() == second.read_bytes()
    assert len(read_tmx(first).units) > 100


def test_surplus_sentences_are_joined_where_lengths_fit_best(tool: ModuleType) -> None:
    assert tool.joined(["aaaa", "aaaaaaaaaa", "aa"], ["bbbb", "bbbbb", "bbbb", "bb"]) == [
        "bbbb",
        "bbbbb bbbb",
        "bb",
    ]
    assert tool.joined(["a", "a"], ["b", "c"]) == ["b", "c"]


def test_a_paragraph_with_fewer_sentences_in_english_is_one_unit_and_told(
    tool: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "materials" / "popular" / "video"
    folder.mkdir(parents=True)
    (folder / "text.txt").write_text("Es regnet.\n\nEs weht. Es schneit.", encoding="utf-8")
    (folder / "text.en.txt").write_text("It rains.\n\nIt blows and snows.", encoding="utf-8")
    (folder / "questions.json").write_text('[["Warum?", "Darum."], "Wann?"]', encoding="utf-8")
    (folder / "questions.en.json").write_text('[["Why?", "So."], "When?"]', encoding="utf-8")
    memory = tmp_path / "memory.tmx"
    tool.main(tmp_path / "materials", ROOT / "config.yaml", memory)
    assert read_tmx(memory).units == (
        {"de": "Es regnet.", "en": "It rains."},
        {"de": "Es weht. Es schneit.", "en": "It blows and snows."},
        {"de": "Warum?", "en": "Why?"},
        {"de": "Darum.", "en": "So."},
        {"de": "Wann?", "en": "When?"},
    )
    assert "popular/video, paragraph 2: 2 sentences, 1 in English" in capsys.readouterr().err
