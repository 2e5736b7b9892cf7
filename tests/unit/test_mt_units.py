"""From sections and questions to rows of translations, and back."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd
import pytest

from sensemaking.mt.units import (
    English,
    QualityPair,
    Unit,
    english_texts,
    fill_questions,
    fill_sections,
    quality_pairs,
    question_units,
    section_units,
    text_units,
    translate_units,
)


class Dictionary:
    """An engine that knows some texts."""

    name = "memory"
    keeps_journal = False
    replays = False
    settings: Mapping[str, str] = {}

    def __init__(self, known: Mapping[str, str]) -> None:
        self.known = known

    def pieces(self, text: str, language: str) -> list[str]:
        return [text]

    def translate(
        self, texts: Sequence[str], source: str, target: str
    ) -> Iterator[Sequence[str | None]]:
        yield [self.known.get(text) for text in texts]


def section(section_id: str = "k/s", **changed: Any) -> dict[str, Any]:
    return {
        "section_id": section_id,
        "language": "uk",
        "text": "Йде дощ.\n\nДме вітер. ",
        "text_en": None,
        "n_words_en": None,
        "text_origin": "text.txt",
        "text_en_origin": None,
        "status": "not_translated",
        **changed,
    }


def question(position: int = 0, **changed: Any) -> dict[str, Any]:
    return {
        "question_id": f"k/s/questions_by_GOLD_PRIMARY#{position:03d}",
        "section_id": "k/s",
        "question": None,
        "references": [],
        "question_original": "Що таке вид?",
        "references_original": ["Група.", "Рід."],
        "language": "uk",
        "status": "not_translated",
        **changed,
    }


KNOWN = {
    "Йде дощ.": "It is raining.",
    "Дме вітер.": "The wind blows.",
    "Що таке вид?": "What is a species?",
    "Група.": "A group.",
}


def test_a_text_becomes_its_sentences_and_joined_they_are_the_text() -> None:
    text = " Йде дощ.\n\nДме вітер. "
    units = text_units("k/s", text, "uk")
    assert units == [
        Unit("k/s", "text", "000000", "uk", " Йде дощ.\n\n"),
        Unit("k/s", "text", "000001", "uk", "Дме вітер. "),
    ]
    assert text_units("k/s", " \n", "uk") == []


def test_the_numbers_of_sentences_sort_as_text() -> None:
    units = text_units("k/s", "Йде дощ. " * 1200, "uk")
    numbers = [unit.unit for unit in units]
    assert len(numbers) == 1200
    assert numbers == sorted(numbers)


def test_only_sections_without_english_are_translated_unless_measured() -> None:
    rows = [
        section("k/a"),
        section("k/b", text_en="Rain."),
        section("k/c", language="en", text="Rain.", text_en="Rain."),
        section("k/d", text=None, status="no_text"),
        section("k/e", text=float("nan")),
    ]
    assert {unit.section_id for unit in section_units(rows)} == {"k/a"}
    assert {unit.section_id for unit in section_units(rows, measured=True)} == {"k/a", "k/b"}


def test_a_question_and_its_references_are_units_of_their_own() -> None:
    rows = [
        question(0),
        question(1, question="What?", references=["A"], status="ok"),
        question(2, language="en", question_original="What?", question="What?"),
        question(3, question_original=None, status="blank"),
    ]
    assert question_units(rows) == [
        Unit("k/s", "question", "questions_by_GOLD_PRIMARY#000", "uk", "Що таке вид?"),
        Unit("k/s", "reference", "questions_by_GOLD_PRIMARY#000/00", "uk", "Група."),
        Unit("k/s", "reference", "questions_by_GOLD_PRIMARY#000/01", "uk", "Рід."),
    ]
    measured = question_units(rows, measured=True)
    assert [unit.unit for unit in measured if unit.unit_kind == "question"] == [
        "questions_by_GOLD_PRIMARY#000",
        "questions_by_GOLD_PRIMARY#001",
    ]


def test_languages_are_translated_each_by_its_own_code_and_rows_keep_their_order() -> None:
    asked: list[tuple[str, str]] = []

    class Noting(Dictionary):
        def translate(
            self, texts: Sequence[str], source: str, target: str
        ) -> Iterator[Sequence[str | None]]:
            asked.extend((source, text) for text in texts)
            yield ["word" for _ in texts]

    units = [
        Unit("k/a", "text", "000000", "de", "Haus"),
        Unit("k/b", "question", "q#000", "cz", "Dům"),
        Unit("k/c", "text", "000000", "de", "Baum"),
    ]
    rows = translate_units(units, [Noting({})])
    assert [(row["section_id"], row["source_language"]) for row in rows] == [
        ("k/a", "de"),
        ("k/b", "cs"),
        ("k/c", "de"),
    ]
    assert asked == [("de", "Haus"), ("de", "Baum"), ("cs", "Dům")]
    assert list(rows[0]) == [
        *("section_id", "unit_kind", "unit", "source_language"),
        *("source", "target", "engine", "status"),
    ]


def test_an_unknown_language_stops_before_any_engine_is_asked() -> None:
    engine = Dictionary({"Haus": "house"})
    units = [
        Unit("k/a", "text", "000000", "de", "Haus"),
        Unit("k/b", "text", "000000", "xx", "Haus"),
    ]

    def refuse(*arguments: object) -> Iterator[Sequence[str | None]]:
        raise AssertionError("asked")

    engine.translate = refuse  # type: ignore[method-assign, assignment]
    with pytest.raises(ValueError, match="unknown language 'xx'"):
        translate_units(units, [engine])


def test_a_section_is_filled_with_its_sentences_white_space_and_all() -> None:
    rows = translate_units(section_units([section()]), [Dictionary(KNOWN)])
    filled = fill_sections([section()], reversed(rows))
    (row,) = filled.rows
    assert row["text_en"] == "It is raining.\n\nThe wind blows. "
    assert (row["n_words_en"], row["text_en_origin"], row["status"]) == (6, "memory", "ok")
    assert filled.findings == []


def test_a_text_translated_in_part_stays_null_with_the_reason() -> None:
    rows = translate_units(section_units([section()]), [Dictionary({"Йде дощ.": "It is raining."})])
    (row,) = fill_sections([section()], rows).rows
    assert (row["text_en"], row["n_words_en"], row["text_en_origin"]) == (None, None, None)
    assert row["status"] == "not_in_memory"
    assert english_texts(rows) == {"k/s": English(None, None, "not_in_memory")}


def test_a_section_without_rows_is_null_and_not_ok() -> None:
    (row,) = fill_sections([section()], []).rows
    assert (row["text_en"], row["status"]) == (None, "no_translation_row")


def test_several_engines_are_all_named_as_origin() -> None:
    first = Dictionary({"Йде дощ.": "It is raining."})
    second = Dictionary(KNOWN)
    second.name = "human"
    rows = translate_units(section_units([section()]), [first, second])
    assert english_texts(rows)["k/s"].origin == "human+memory"


def test_english_that_came_with_the_materials_is_kept_and_checked() -> None:
    text = "Йде дощ. " * 20
    given = section(text=text, text_en="It is raining.", text_en_origin="text.en.txt", status="ok")
    other = translate_units(section_units([given], measured=True), [Dictionary(KNOWN)])
    filled = fill_sections([given], other)
    assert filled.rows == [given]
    assert [finding.code for finding in filled.findings] == ["text_en_short"]


def test_english_kinds_are_left_alone() -> None:
    row = section(language="en", text="Rain.", text_en="Rain.", status="ok")
    assert fill_sections([row], []).rows == [row]


def test_missing_values_of_a_frame_count_as_missing() -> None:
    frame = pd.DataFrame([section(), section("k/t", text_en="Rain.", status="ok")])
    rows: list[dict[str, Any]] = [dict(row) for _, row in frame.iterrows()]
    assert {unit.section_id for unit in section_units(rows)} == {"k/s"}


def test_a_question_is_filled_and_a_reference_without_translation_is_left_out_and_said() -> None:
    rows = translate_units(question_units([question()]), [Dictionary(KNOWN)])
    filled = fill_questions([question()], rows)
    (row,) = filled.rows
    assert (row["question"], row["status"]) == ("What is a species?", "ok")
    assert row["references"] == ["A group."]
    assert row["question_original"] == "Що таке вид?"
    (finding,) = filled.findings
    assert finding.code == "reference_not_translated"
    assert "1 of 2" in finding.message


def test_a_question_without_translation_is_null_with_the_reason() -> None:
    rows = translate_units(question_units([question()]), [Dictionary({})])
    (row,) = fill_questions([question()], rows).rows
    assert (row["question"], row["references"]) == (None, [])
    assert row["status"] == "not_in_memory"


def test_questions_with_english_of_their_own_are_left_alone() -> None:
    given = [
        question(0, question="What?", references=["A"], status="ok"),
        question(1, question_original=None, status="blank"),
        question(2, language="en", question="What?", question_original="What?", status="ok"),
    ]
    assert fill_questions(given, []).rows == given


def test_references_of_quality_are_what_came_with_the_materials_alone() -> None:
    given = section("k/s", text_en="It rains. Wind blows.", status="ok")
    made = section("k/t")
    asked = question(0, question="What is a kind?", status="ok")
    unasked = question(1)
    sections, questions = [given, made], [asked, unasked]
    units = section_units(sections, measured=True) + question_units(questions, measured=True)
    rows = translate_units(units, [Dictionary(KNOWN)])
    assert quality_pairs(sections, questions, rows) == [
        QualityPair(
            "k/s", "text", "text", "It is raining.\n\nThe wind blows. ", "It rains. Wind blows."
        ),
        QualityPair(
            "k/s",
            "question",
            "questions_by_GOLD_PRIMARY#000",
            "What is a species?",
            "What is a kind?",
        ),
    ]


def test_a_failed_translation_of_a_measured_text_is_missing_and_not_dropped() -> None:
    given = section("k/s", text_en="It rains.", status="ok")
    rows = translate_units(section_units([given], measured=True), [Dictionary({})])
    assert quality_pairs([given], [], rows) == [
        QualityPair("k/s", "text", "text", None, "It rains.")
    ]
