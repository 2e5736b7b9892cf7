"""The translation of a whole kind: what is asked for, and what is put in its place."""

import logging
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from sensemaking.config_modalities import MtEngine
from sensemaking.ids import SetName
from sensemaking.io import artifacts
from sensemaking.mt.chain import opened_engines
from sensemaking.mt.google import GoogleEngine
from sensemaking.mt.journal import Journal
from sensemaking.mt.kinds import Joined, join_kind, translate_kind
from sensemaking.mt.memory import MemoryEngine
from sensemaking.mt.tmx import write_tmx
from sensemaking.questions import question_row
from sensemaking.schemas import FINDINGS, QUESTIONS, SECTIONS, TRANSLATIONS

GOLD = SetName("GOLD", "PRIMARY", "genuine")


class Engine:
    """Puts a mark before each text and remembers what it was asked."""

    settings: Mapping[str, str] = {}
    replays = False

    def __init__(self, name: str, keeps_journal: bool) -> None:
        self.name = name
        self.keeps_journal = keeps_journal
        self.asked: list[str] = []

    def pieces(self, text: str, language: str) -> list[str]:
        return [text]

    def translate(
        self, texts: Sequence[str], source: str, target: str
    ) -> Iterator[Sequence[str | None]]:
        self.asked += texts
        yield [f"{self.name}: {number}" for number, _ in enumerate(texts)]


def section(name: str, text: str | None, text_en: str | None, **more: Any) -> dict[str, Any]:
    status = "ok" if text_en else "not_translated" if text else "no_text"
    row = dict.fromkeys(SECTIONS.names)
    return {
        **row,
        "section_id": f"k/{name}",
        "kind": "k",
        "language": "de",
        "modality": "text",
        "text": text,
        "text_en": text_en,
        "n_words_en": None if text_en is None else len(text_en.split()),
        "status": status,
        **more,
    }


def question(name: str, position: int, original: str, english: str | None) -> dict[str, Any]:
    return question_row(
        f"k/{name}",
        GOLD,
        position,
        question=english,
        references=[] if english is None else ["Yes."],
        references_original=["Ja."],
        question_original=original,
        language="de",
        status="ok" if english else "not_translated",
    )


SECTIONS_OF_K = [
    section("open", "Der Hund bellt. Die Katze schläft.", None),
    section("done", "Der Vogel singt.", "The bird sings."),
    section("empty", None, None),
]
QUESTIONS_OF_K = [question("open", 0, "Wer bellt?", None), question("done", 0, "Was?", "What?")]
NO_QUESTION = question_row(
    "k/open", GOLD, 1, question=None, references=[], language="de", status="blank"
)


def join(*arguments: Any) -> Joined:
    joined = join_kind(*arguments)
    artifacts.to_table(SECTIONS, joined.sections)
    artifacts.to_table(QUESTIONS, joined.questions)
    artifacts.to_table(FINDINGS, [finding.row() for finding in joined.findings])
    return joined


@pytest.mark.parametrize("measure", ["none", "free", "all"])
def test_a_paid_engine_is_asked_for_what_is_needed_and_for_more_only_if_all_is_measured(
    tmp_path: Path, measure: Any
) -> None:
    paid = Engine("paid", keeps_journal=True)
    made = translate_kind(
        "k",
        SECTIONS_OF_K,
        QUESTIONS_OF_K,
        [paid],
        Journal(tmp_path / "k.jsonl"),
        mode="live-missing",
        measure=measure,
    )
    artifacts.to_table(TRANSLATIONS, made.rows)
    needed = {"Der Hund bellt.", "Die Katze schläft.", "Wer bellt?", "Ja."}
    assert set(paid.asked) == needed | ({"Der Vogel singt.", "Was?"} if measure == "all" else set())
    assert len(paid.asked) == len(set(paid.asked))


@pytest.mark.parametrize("measure", ["none", "free"])
def test_a_free_engine_is_asked_for_what_is_measured_and_the_paid_one_behind_it_is_not(
    tmp_path: Path, measure: Any
) -> None:
    free, paid = Engine("free", keeps_journal=False), Engine("paid", keeps_journal=True)
    made = translate_kind(
        "k",
        SECTIONS_OF_K,
        QUESTIONS_OF_K,
        [free, paid],
        Journal(tmp_path / "k.jsonl"),
        mode="live-missing",
        measure=measure,
    )
    artifacts.to_table(TRANSLATIONS, made.rows)
    measured = {"Der Vogel singt.", "Was?"} & set(free.asked)
    assert len(measured) == (2 if measure == "free" else 0)
    assert paid.asked == []
    # References are there to be compared with, and are not measured.
    assert free.asked.count("Ja.") == 1


def test_without_anything_foreign_nothing_is_asked(tmp_path: Path) -> None:
    engine = Engine("paid", keeps_journal=True)
    rows = [section("a", "A text.", "A text.", language="en")]
    made = translate_kind("k", rows, [], [engine], None, mode="live-missing", measure="all")
    assert (made.rows, made.findings, engine.asked) == ([], [], [])


def test_a_line_that_a_killed_run_left_is_logged_and_is_no_finding(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "k.jsonl"
    path.write_text('{"key": "half', encoding="utf-8")
    with caplog.at_level(logging.WARNING):
        made = translate_kind(
            "k",
            SECTIONS_OF_K,
            [],
            [Engine("paid", keeps_journal=True)],
            Journal(path),
            mode="live-missing",
            measure="none",
        )
    assert "k.jsonl: line 1" in caplog.text
    assert made.findings == []


def test_what_a_memory_lacks_is_a_finding_of_the_kind(tmp_path: Path) -> None:
    path = tmp_path / "memory.tmx"
    write_tmx(path, [{"uk": "Так.", "en": "Yes."}])
    made = translate_kind(
        "k", SECTIONS_OF_K, [], [MemoryEngine(path)], None, mode="live-missing", measure="none"
    )
    assert [(finding.file, finding.code) for finding in made.findings] == [("k", "memory_pair")]
    assert "memory.tmx: it holds nothing from de into en" in made.findings[0].message


def test_translations_stand_where_there_was_no_english(tmp_path: Path) -> None:
    engine = Engine("free", keeps_journal=False)
    made = translate_kind(
        "k", SECTIONS_OF_K, QUESTIONS_OF_K, [engine], None, mode="live", measure="free"
    )
    joined = join(SECTIONS_OF_K, QUESTIONS_OF_K, made.rows)
    open_section, done, empty = joined.sections
    assert open_section["text_en"] == "free: 0 free: 1"
    assert (open_section["text_en_origin"], open_section["status"]) == ("free", "ok")
    assert open_section["n_words_en"] == 4
    # What came with the materials is kept though it was translated, too.
    assert done == SECTIONS_OF_K[1]
    assert (empty["text_en"], empty["status"]) == (None, "no_text")
    asked, with_english = joined.questions
    assert (asked["question"], asked["references"]) == ("free: 2", ["free: 3"])
    assert with_english == QUESTIONS_OF_K[1]


def test_what_has_no_translation_is_null_and_told_for_section_and_set(tmp_path: Path) -> None:
    path = tmp_path / "memory.tmx"
    write_tmx(path, [{"de": "Der Hund bellt.", "en": "The dog barks."}])
    made = translate_kind(
        "k",
        SECTIONS_OF_K,
        QUESTIONS_OF_K,
        [MemoryEngine(path)],
        None,
        mode="live-missing",
        measure="none",
    )
    joined = join(SECTIONS_OF_K, QUESTIONS_OF_K, made.rows)
    assert (joined.sections[0]["text_en"], joined.sections[0]["status"]) == (None, "not_in_memory")
    found = {(finding.file, finding.code): finding.message for finding in joined.findings}
    assert set(found) == {
        ("k/open", "not_in_memory"),
        ("k/open/questions_by_GOLD_PRIMARY", "not_in_memory"),
        ("k/open/questions_by_GOLD_PRIMARY#000", "reference_not_translated"),
    }
    assert "1 of 2 sentences have none" in found["k/open", "not_in_memory"]


def test_without_an_engine_all_stays_as_it_was_and_is_told() -> None:
    # What is no question in any language is not to be translated.
    asked = [*QUESTIONS_OF_K, NO_QUESTION]
    joined = join(SECTIONS_OF_K, asked, None)
    assert joined.sections == SECTIONS_OF_K
    assert joined.questions == asked
    assert [(finding.file, finding.code) for finding in joined.findings] == [
        ("k/open", "not_translated"),
        ("k/open/questions_by_GOLD_PRIMARY", "not_translated"),
    ]


@pytest.mark.parametrize("translations", [None, []])
def test_an_english_version_that_lacks_most_of_the_text_is_flagged(translations: Any) -> None:
    long = section("long", "Ein Satz mit acht Wörtern steht hier noch. " * 5, "A short sentence.")
    joined = join([long], [], translations)
    assert "text_en_short" in [finding.code for finding in joined.findings]


def test_the_chain_is_made_of_the_configuration(tmp_path: Path) -> None:
    path = tmp_path / "memory.tmx"
    write_tmx(path, [{"de": "Ja.", "en": "Yes."}])
    memory = MtEngine(id="m", engine="memory", file=str(path)).model_dump()
    google = MtEngine(
        id="g", engine="google", model="base", max_bytes=2000, api_endpoint="http://127.0.0.1:9"
    ).model_dump()
    with opened_engines([memory, google]) as (first, second):
        assert isinstance(first, MemoryEngine)
        assert isinstance(second, GoogleEngine)
        assert second.settings["model"] == "base"
    with (
        pytest.raises(ValueError, match="no translation engine 'deepl'"),
        opened_engines([{"engine": "deepl"}]),
    ):
        pass


def test_googles_client_is_imported_only_by_who_configures_it(tmp_path: Path) -> None:
    path = tmp_path / "memory.tmx"
    write_tmx(path, [{"de": "Ja.", "en": "Yes."}])
    code = (
        "import sys\n"
        "from sensemaking.mt.chain import opened_engines\n"
        "import sensemaking.mt.kinds\n"
        f"with opened_engines([{{'engine': 'memory', 'file': {str(path)!r}}}]):\n"
        "    print([name for name in sys.modules if name.split('.')[0] in ('google', 'openai')])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120
    )
    assert done.stdout.strip() == "[]"
