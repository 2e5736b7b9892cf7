"""The translation of a kind: what is asked for, and the English put in its place."""

import logging
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sensemaking.findings import Finding
from sensemaking.io.question_files import BLANK, INVALID
from sensemaking.mt.checks import ENGLISH, check_pair
from sensemaking.mt.engines import Engine
from sensemaking.mt.journal import Journal
from sensemaking.mt.memory import MemoryEngine
from sensemaking.mt.translate import Mode
from sensemaking.mt.units import (
    fill_questions,
    fill_sections,
    question_units,
    section_units,
    translate_units,
)
from sensemaking.statuses import OK

Row = Mapping[str, Any]
Measure = Literal["none", "free", "all"]

_LOG = logging.getLogger(__name__)
_ADVICE = "give its English version in the materials, or name an engine for it in mt.engines"


@dataclass(frozen=True)
class Translated:
    """Rows of ``materials/translations`` and what is doubtful about the engines."""

    rows: list[dict[str, Any]]
    findings: list[Finding]


@dataclass(frozen=True)
class Joined:
    """Sections and questions with their English, and what of it is missing or doubtful."""

    sections: list[dict[str, Any]]
    questions: list[dict[str, Any]]
    findings: list[Finding]


def translate_kind(
    kind: str,
    sections: Sequence[Row],
    questions: Sequence[Row],
    engines: Sequence[Engine],
    journal: Journal | None,
    *,
    mode: Mode,
    measure: Measure,
) -> Translated:
    """Translate what of a kind has no English version, and what is to be measured.

    Args:
        kind: The kind.
        sections: Rows of ``materials/sections`` before translation.
        questions: Rows of ``questions`` before translation.
        engines: The engines, the preferred first.
        journal: Where paid translations are kept; needed by engines that keep one.
        mode: See ``sensemaking.mt.translate``.
        measure: Which texts with an English version are translated, too, to compare the two: none,
            all by the engines that cost nothing, or all by the whole chain.

    Raises:
        EngineStoppedError: An engine cannot go on; what it finished is in the journal.
    """
    needed = [*section_units(sections), *question_units(questions)]
    rows = translate_units(needed, engines, journal, mode) if needed else []
    measuring = [engine for engine in engines if measure == "all" or not engine.keeps_journal]
    if measure != "none" and measuring:
        asked = set(needed)
        both = [
            *section_units(sections, measured=True),
            *question_units(questions, measured=True),
        ]
        extra = [unit for unit in both if unit not in asked]
        rows += translate_units(extra, measuring, journal, mode) if extra else []
    if journal is not None:
        # A line that a killed run left is no finding about the materials.
        for finding in journal.findings:
            _LOG.warning("%s: %s; %s", journal.path, finding.message, finding.action)
    findings = [
        Finding(
            kind, "", found.code, found.severity, f"{found.file}: {found.message}", found.action
        )
        for engine in engines
        if isinstance(engine, MemoryEngine)
        for found in engine.findings
    ]
    return Translated(rows, sorted(set(findings)))


def join_kind(
    sections: Sequence[Row], questions: Sequence[Row], translations: Sequence[Row] | None
) -> Joined:
    """Put translations where there is no English version.

    Args:
        sections: Rows of ``materials/sections`` before translation.
        questions: Rows of ``questions`` before translation.
        translations: Rows of ``materials/translations``; None if nothing was to be translated.
    """
    if translations is None:
        plain = [dict(row) for row in sections]
        asked = [dict(row) for row in questions]
        return Joined(plain, asked, [*_doubts(plain), *_untranslated(plain, asked, ())])
    filled, filled_questions = (
        fill_sections(sections, translations),
        fill_questions(questions, translations),
    )
    return Joined(
        filled.rows,
        filled_questions.rows,
        [
            *filled.findings,
            *filled_questions.findings,
            *_untranslated(filled.rows, filled_questions.rows, translations),
        ],
    )


def _doubts(sections: Iterable[Row]) -> Iterator[Finding]:
    for row in sections:
        text, text_en = row["text"], row["text_en"]
        if row["language"] != ENGLISH and isinstance(text, str) and isinstance(text_en, str):
            yield from check_pair(row["section_id"], text, text_en, row["language"])


def _untranslated(
    sections: Iterable[Row], questions: Iterable[Row], translations: Iterable[Row]
) -> Iterator[Finding]:
    """Yield a finding for each section, and each set of questions, that lacks English."""
    units: defaultdict[str, list[str]] = defaultdict(list)
    for row in translations:
        if row["unit_kind"] == "text":
            units[row["section_id"]].append(row["status"])
    for row in sections:
        if isinstance(row["text"], str) and not isinstance(row["text_en"], str):
            statuses = units[row["section_id"]]
            lost = [status for status in statuses if status != OK]
            how_many = f", since {len(lost)} of {len(statuses)} sentences have none" if lost else ""
            message = f"the text has no English version ({row['status']}){how_many}; {_ADVICE}"
            yield _missing(row["section_id"], row["status"], message)
    sets: defaultdict[str, list[str]] = defaultdict(list)
    for row in questions:
        sets[str(row["question_id"]).rpartition("#")[0]].append(
            OK if isinstance(row["question"], str) else row["status"]
        )
    for name, statuses in sets.items():
        counts = Counter(status for status in statuses if status not in (OK, BLANK, INVALID))
        for status, count in sorted(counts.items()):
            message = (
                f"{count} of {len(statuses)} questions have no English version ({status}); "
                f"{_ADVICE}"
            )
            yield _missing(name, status, message)


def _missing(place: str, code: str, message: str) -> Finding:
    return Finding(place, "", code, "warning", message, "left out of all that reads English")
