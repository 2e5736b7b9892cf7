"""From released files of answers in the materials folder to rows of ``answers``."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sensemaking.adversarial.answers import (
    EMPTY,
    SCENARIOS,
    SHUFFLED_WORDS,
    SWAPPED_SECTION,
    UNCHANGED,
)
from sensemaking.findings import Finding
from sensemaking.ids import (
    GENUINE,
    AnswerId,
    KnownTeams,
    answer_id,
    parse_answer_id,
    question_id,
    question_set_name,
)
from sensemaking.io.json_reading import decode_json, read_json
from sensemaking.io.materials import Folder
from sensemaking.io.release import Released
from sensemaking.io.submission_items import Draft, ItemReader
from sensemaking.io.submission_matching import Given, Questions, match
from sensemaking.io.submission_model import BLANK, Report
from sensemaking.io.submission_values import read_entries
from sensemaking.statuses import OK
from sensemaking.submission_rows import AskedSet, answers_key

Row = Mapping[str, Any]


@dataclass(frozen=True)
class AnswerFile:
    """A file of answers in a section's folder.

    Attributes:
        section_id: The section it lies under.
        name: Its name without the ending, NFC.
        data: Its bytes.
    """

    section_id: str
    name: str
    data: bytes


@dataclass(frozen=True)
class ReleasedAnswers:
    """Rows of ``answers`` and what was found wrong while they were read."""

    rows: list[dict[str, Any]]
    findings: list[Finding]


def read_released_answers(
    files: Iterable[AnswerFile],
    asked: Mapping[str, AskedSet],
    kinds: Mapping[str, str],
    manifest: Iterable[Released] = (),
    known: KnownTeams | None = None,
    answers: Iterable[Row] = (),
) -> ReleasedAnswers:
    """Return a row of ``answers`` for each answer in released files.

    Answers are matched to their questions by the question's text, by place only where the numbers
    agree. The section that a swapped section's file is about is what the manifest says, else the
    only one of its kind whose questions are those of the file.

    Args:
        files: The files.
        asked: The question sets, from ``submission_rows.asked_sets``.
        kinds: Section id to kind.
        manifest: The files that the release names.
        known: What is known of the teams.
        answers: Rows of ``answers`` that are known otherwise, to tell which shuffles changed
            nothing.
    """
    sections = {file.path: file.section_id for file in manifest}
    rows: list[dict[str, Any]] = []
    findings: list[Finding] = []
    for file in sorted(files, key=lambda one: (one.section_id, one.name)):
        path = f"{file.section_id}/{file.name}.json"
        try:
            parts = parse_answer_id(f"{file.section_id}/{file.name}#000", known)
        except ValueError as error:
            findings.append(_left_out(path, "bad_name", str(error)))
            continue
        drafts = _drafts(file, path, parts.scenario, findings)
        if drafts is None:
            continue
        origin: str | None = file.section_id
        if parts.scenario == SWAPPED_SECTION:
            origin = sections.get(path) or _origin(drafts, parts, asked, kinds)
        name = question_set_name(parts.teacher, parts.teacher_submission, parts.variant)
        key = f"{origin}/{name}.json"
        if origin is None or key not in asked:
            message = (
                "the question set that it answers is not known: found no set "
                f"{name} with these questions; add the set or remove the file"
            )
            findings.append(_left_out(path, "unknown_set", message))
            continue
        rows += _rows(drafts, parts, asked[key], path, findings)
    return ReleasedAnswers(_with_unchanged(rows, answers), findings)


def prefer_released(made: Iterable[Row], released: Iterable[Row]) -> list[Row]:
    """Return released adversarial answers, and of the made ones those whose file was not released.

    What a released file holds is all there is of it: an answer that it lacks keeps its row only
    if it is null.

    Args:
        made: Rows of ``answers`` that were made here.
        released: Rows of ``answers`` of released files; genuine ones are passed over.
    """
    kept = {row["answer_id"]: row for row in released if row["scenario"] in SCENARIOS}
    files = {answers_key(row)[0] for row in kept.values()}
    return [
        *kept.values(),
        *(
            row
            for row in made
            if row["answer_id"] not in kept
            and (row["answer"] is None or answers_key(row)[0] not in files)
        ),
    ]


def answer_files(folders: Iterable[Folder]) -> list[AnswerFile]:
    """Return the files of answers in sections' folders.

    Args:
        folders: The sections of a kind.
    """
    return [
        AnswerFile(folder.section_id, name.removesuffix(".json"), folder.files[name].read_bytes())
        for folder in folders
        for name in folder.names("answers_by_")
    ]


def _drafts(
    file: AnswerFile, path: str, scenario: str, findings: list[Finding]
) -> list[Draft] | None:
    report = Report(path)
    decoded = decode_json(file.data)
    document = read_json(decoded.text)
    for problem in document.problems:
        report.add(problem.code, problem.pointer, problem.found)
    drafts = None
    if isinstance(document.value, list):
        entries = read_entries(document.value, "", "student", report, lambda _name, _place: None)
        reader = ItemReader(
            "student", report, lambda _name, _place: None, decoded.bad_byte is not None
        )
        drafts = [
            reader.draft(entry, index)
            for index, entry in enumerate(entries if entries is not None else ())
        ]
    elif document.readable:
        report.add("wrong_value", "", "no list")
    if scenario == EMPTY:
        report.findings = [f for f in report.findings if f.code != "blank_text"]
        for draft in drafts or ():
            if draft.status == BLANK:
                draft.text, draft.status = "", OK
    # An item with a question alone is one without an answer, and in order.
    findings += [f for f in report.findings if f.code not in ("null_text", "empty_list")]
    return drafts


def _origin(
    drafts: Sequence[Draft],
    parts: AnswerId,
    asked: Mapping[str, AskedSet],
    kinds: Mapping[str, str],
) -> str | None:
    """Return the only section of the kind whose set has the questions of the file, or None."""
    name = (parts.teacher, parts.teacher_submission, parts.variant)
    kind = kinds.get(parts.section_id)
    given = [draft.question for draft in drafts if draft.question is not None]
    fitting = [
        one.section_id
        for one in asked.values()
        if tuple(one.name) == name
        and kinds.get(one.section_id) == kind
        and one.section_id != parts.section_id
        and len(one.questions) == len(drafts)
        and given
        and all(Questions(one.questions).find(question)[0] for question in given)
    ]
    return fitting[0] if len(fitting) == 1 else None


def _rows(
    drafts: Sequence[Draft],
    parts: AnswerId,
    asked: AskedSet,
    path: str,
    findings: list[Finding],
) -> list[dict[str, Any]]:
    given = [
        Given(d.index, d.question, (d.text, d.texts) if d.status == OK else None) for d in drafts
    ]
    matched = match(given, len(drafts), Questions(asked.questions))
    if matched.refused:
        message = (
            f"{len(matched.refused)} of {len(drafts)} items do not agree with the "
            f"{len(asked.questions)} questions of the set; export the answers again, or restore "
            "the questions that they answer"
        )
        findings.append(
            Finding(path, "", "stale_release", "error", message, "these items are left out")
        )
    rows = []
    for draft in drafts:
        position = matched.positions.get(draft.index)
        if position is None or draft.status != OK:
            continue
        identifiers = {
            scenario: answer_id(
                asked.section_id,
                parts.student,
                parts.student_submission,
                parts.teacher,
                parts.teacher_submission,
                position,
                variant=parts.variant,
                scenario=scenario,
            )
            for scenario in (GENUINE, parts.scenario)
        }
        rows.append(
            {
                "answer_id": identifiers[parts.scenario],
                "question_id": question_id(
                    asked.section_id,
                    parts.teacher,
                    parts.teacher_submission,
                    position,
                    parts.variant,
                ),
                "student": parts.student,
                "submission": parts.student_submission,
                "scenario": parts.scenario,
                "origin_answer_id": identifiers[GENUINE] if parts.scenario in SCENARIOS else None,
                "shown_section_id": parts.section_id,
                "answer": draft.text,
                "alternatives": list(draft.texts),
                "answerable": draft.answerable,
                "status": OK,
            }
        )
    return rows


def _with_unchanged(rows: list[dict[str, Any]], answers: Iterable[Row]) -> list[dict[str, Any]]:
    """Give shuffles that are the genuine answer itself the status of such."""
    genuine = {
        row["answer_id"]: row["answer"] for row in (*answers, *rows) if row["scenario"] == GENUINE
    }
    for row in rows:
        shuffled = row["scenario"] == SHUFFLED_WORDS
        if shuffled and genuine.get(row["origin_answer_id"]) == row["answer"]:
            row["status"] = UNCHANGED
    return rows


def _left_out(path: str, code: str, message: str) -> Finding:
    return Finding(path, "", code, "error", message, "the file is left out")
