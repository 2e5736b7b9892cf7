"""Units of translation: from sections and questions to ``materials/translations`` and back.

A section's text is translated sentence by sentence, a question and a reference answer each as a
whole. Sources of a text's units joined are the text, white space and all.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple

from sensemaking.findings import Finding
from sensemaking.mt.checks import EMPTY_TARGET, ENGLISH, check_pair, is_blank
from sensemaking.mt.engines import Engine
from sensemaking.mt.journal import Journal
from sensemaking.mt.translate import Mode, join_targets, translate
from sensemaking.sectioning.spans import sentence_spans
from sensemaking.statuses import OK
from sensemaking.text.languages import canonical
from sensemaking.text.words import words

UnitKind = Literal["text", "question", "reference"]
Row = Mapping[str, Any]

NO_UNIT: Final = "no_translation_row"
"""A text should have been translated, but there are no rows of it."""


class Unit(NamedTuple):
    """Something to translate.

    Attributes:
        section_id: The section that it belongs to.
        unit_kind: What it is.
        unit: Its place in the section: the number of a sentence (``000017``), the end of a
            question_id (``questions_by_GOLD_PRIMARY#003``), or that and the number of a reference
            (``questions_by_GOLD_PRIMARY#003/00``).
        source_language: Its language, ISO 639-1 code.
        source: The text.
    """

    section_id: str
    unit_kind: UnitKind
    unit: str
    source_language: str
    source: str


@dataclass(frozen=True)
class English:
    """The English of a text as its units give it.

    Attributes:
        text: The text; None if any unit of it has no translation.
        origin: The engines that translated it, joined by ``+``; None without a text.
        status: ``ok``, or why there is none: the status of the first unit without translation.
    """

    text: str | None
    origin: str | None
    status: str


@dataclass(frozen=True)
class Filled:
    """Rows with what was translated, and what is doubtful about it."""

    rows: list[dict[str, Any]]
    findings: list[Finding]


class QualityPair(NamedTuple):
    """A machine translation and the reference translation that came with the materials.

    Attributes:
        section_id: The section.
        unit_kind: What was translated: ``text`` or ``question``.
        unit: ``text``, or the end of the question_id.
        translation: The machine translation; None if there is none.
        reference: The reference translation.
    """

    section_id: str
    unit_kind: UnitKind
    unit: str
    translation: str | None
    reference: str


def text_units(section_id: str, text: str, language: str) -> list[Unit]:
    """Return the sentences of a text as units; none if it is blank.

    Args:
        section_id: The section.
        text: Its text.
        language: The language, ISO 639-1 code.
    """
    return [
        Unit(section_id, "text", f"{number:06d}", language, text[span.start : span.end])
        for number, span in enumerate(sentence_spans(text, language))
    ]


def section_units(sections: Iterable[Row], *, measured: bool = False) -> list[Unit]:
    """Return the units of the sections that have no English text.

    Args:
        sections: Rows of ``materials/sections``.
        measured: Whether sections whose English text came with the materials are translated, too,
            to compare the two.
    """
    return [
        unit
        for row in sections
        if _text(row["text"]) is not None
        and row["language"] != ENGLISH
        and (measured or _text(row["text_en"]) is None)
        for unit in text_units(row["section_id"], row["text"], row["language"])
    ]


def question_units(questions: Iterable[Row], *, measured: bool = False) -> list[Unit]:
    """Return the questions that have no English version, and their references, as units.

    Args:
        questions: Rows of ``questions``.
        measured: Whether questions whose English version came with the materials are translated,
            too, to compare the two. Their references are not.
    """
    units = []
    for row in questions:
        original = _text(row["question_original"])
        if original is None or row["language"] == ENGLISH:
            continue
        missing = _text(row["question"]) is None
        place = _place(row)
        if missing or measured:
            units.append(Unit(row["section_id"], "question", place, row["language"], original))
        if missing:
            units += [
                Unit(row["section_id"], "reference", f"{place}/{n:02d}", row["language"], text)
                for n, text in enumerate(row["references_original"])
            ]
    return units


def translate_units(
    units: Sequence[Unit],
    engines: Sequence[Engine],
    journal: Journal | None = None,
    mode: Mode = "live-missing",
    target: str = ENGLISH,
) -> list[dict[str, Any]]:
    """Return a row of ``materials/translations`` for each unit, in the same order.

    Args:
        units: What to translate.
        engines: The engines, the preferred first.
        journal: Where paid translations are kept.
        mode: See ``translate``.
        target: The language to translate into.

    Raises:
        UnknownLanguageError: A language code is unknown; nothing has been sent then.
        EngineStoppedError: An engine cannot go on; what it finished is in the journal.
    """
    by_language: dict[str, list[int]] = defaultdict(list)
    for position, unit in enumerate(units):
        by_language[canonical(unit.source_language)].append(position)
    rows: list[dict[str, Any]] = [{} for _ in units]
    for language, positions in by_language.items():
        texts = [units[position].source for position in positions]
        found = translate(texts, language, target, engines, journal, mode)
        for position, translation in zip(positions, found, strict=True):
            rows[position] = {
                **units[position]._asdict(),
                "source_language": language,
                "target": translation.target,
                "engine": translation.engine,
                "status": translation.status,
            }
    return rows


def english_texts(translations: Iterable[Row]) -> dict[str, English]:
    """Return the English text of each section that has units of its text.

    Args:
        translations: Rows of ``materials/translations``, in any order.
    """
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in translations:
        if row["unit_kind"] == "text":
            groups[row["section_id"]].append(row)
    return {
        section_id: _english(sorted(rows, key=lambda row: str(row["unit"])))
        for section_id, rows in sorted(groups.items())
    }


def fill_sections(sections: Iterable[Row], translations: Iterable[Row]) -> Filled:
    """Return the sections with English texts where there were none.

    A text that is translated in part stays null, with the reason: half a text would pass for the
    whole. English texts that came with the materials are kept, and checked like the others.

    Args:
        sections: Rows of ``materials/sections``.
        translations: Rows of ``materials/translations``.
    """
    english = english_texts(translations)
    rows: list[dict[str, Any]] = []
    findings: list[Finding] = []
    for section in sections:
        row = dict(section)
        text = _text(row["text"])
        if text is not None and row["language"] != ENGLISH:
            if _text(row["text_en"]) is None:
                found = english.get(row["section_id"], English(None, None, NO_UNIT))
                row["text_en"] = found.text
                row["n_words_en"] = None if found.text is None else len(words(found.text))
                row["text_en_origin"] = found.origin
                row["status"] = found.status
            if _text(row["text_en"]) is not None:
                findings += check_pair(row["section_id"], text, row["text_en"], row["language"])
        rows.append(row)
    return Filled(rows, findings)


def fill_questions(questions: Iterable[Row], translations: Iterable[Row]) -> Filled:
    """Return the questions with English versions where there were none.

    A reference without translation is left out, with a finding, since lists hold no nulls.

    Args:
        questions: Rows of ``questions``.
        translations: Rows of ``materials/translations``.
    """
    units = {(row["section_id"], row["unit_kind"], row["unit"]): row for row in translations}
    rows: list[dict[str, Any]] = []
    findings: list[Finding] = []
    for question in questions:
        row = dict(question)
        rows.append(row)
        original = _text(row["question_original"])
        if original is None or row["language"] == ENGLISH or _text(row["question"]) is not None:
            continue
        place = _place(row)
        found = units.get((row["section_id"], "question", place))
        row["question"] = None if found is None else _text(found["target"])
        row["status"] = NO_UNIT if found is None else found["status"]
        references = [
            units.get((row["section_id"], "reference", f"{place}/{number:02d}"))
            for number in range(len(row["references_original"]))
        ]
        targets = [None if ref is None else _text(ref["target"]) for ref in references]
        row["references"] = [target for target in targets if target is not None]
        lost = sum(target is None for target in targets)
        if lost:
            message = (
                f"{lost} of {len(targets)} reference answers have no translation; translate them "
                "or give the English version of the set"
            )
            findings.append(
                Finding(
                    row["question_id"],
                    "",
                    "reference_not_translated",
                    "warning",
                    message,
                    "they are left out",
                )
            )
    return Filled(rows, findings)


def quality_pairs(
    sections: Iterable[Row], questions: Iterable[Row], translations: Iterable[Row]
) -> list[QualityPair]:
    """Return machine translations beside the reference translations of the same texts.

    Only what came with the materials is a reference: a text or question that an engine
    translated is none.

    Args:
        sections: Rows of ``materials/sections`` before ``fill_sections``.
        questions: Rows of ``questions`` before ``fill_questions``.
        translations: Rows of ``materials/translations``, made with ``measured``.
    """
    translations = list(translations)
    english = english_texts(translations)
    units = {
        (row["section_id"], row["unit"]): row
        for row in translations
        if row["unit_kind"] == "question"
    }
    pairs = [
        QualityPair(
            row["section_id"], "text", "text", english[row["section_id"]].text, row["text_en"]
        )
        for row in sections
        if row["section_id"] in english and _text(row["text_en"]) is not None
    ]
    for row in questions:
        found = units.get((row["section_id"], _place(row)))
        if found is not None and _text(row["question"]) is not None:
            pairs.append(
                QualityPair(
                    row["section_id"],
                    "question",
                    _place(row),
                    _text(found["target"]),
                    row["question"],
                )
            )
    return pairs


def _english(rows: Sequence[Row]) -> English:
    missing = next((row for row in rows if _text(row["target"]) is None), None)
    if missing is not None:
        return English(None, None, missing["status"])
    engines = dict.fromkeys(
        engine for engine in (_text(row["engine"]) for row in rows) if engine is not None
    )
    text = join_targets(row["target"] for row in rows)
    if is_blank(text):
        return English(None, None, EMPTY_TARGET)
    return English(text, "+".join(sorted(engines)) or None, OK)


def _place(question: Row) -> str:
    prefix = f"{question['section_id']}/"
    return str(question["question_id"]).removeprefix(prefix)


def _text(value: Any) -> str | None:
    """Return a text, or None for what artifacts hold in place of one."""
    return value if isinstance(value, str) else None
