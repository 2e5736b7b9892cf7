"""From released files of answers in the materials folder to rows of ``answers``."""

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sensemaking.adversarial.answers import (
    EMPTY,
    SCENARIOS,
    SHUFFLED_WORDS,
    SWAPPED_SECTION,
    UNCHANGED,
)
from sensemaking.answers import answer_row
from sensemaking.findings import Finding
from sensemaking.ids import (
    GENUINE,
    AnswerId,
    KnownTeams,
    SetName,
    answer_id,
    nfc,
    parse_answer_id,
    question_set_name,
)
from sensemaking.io.json_reading import decode_json, read_json
from sensemaking.io.release import Released, read_manifest
from sensemaking.io.submission_items import Draft, ItemReader
from sensemaking.io.submission_matching import Given, Questions, match
from sensemaking.io.submission_model import BLANK, Report
from sensemaking.io.submission_values import read_entries
from sensemaking.questions import declared_teams
from sensemaking.statuses import OK, REPAIR_EXCLUDED, REPAIR_REFUSED
from sensemaking.submission_rows import STALE_RELEASE, AskedSet, answers_key, asked_sets

Row = Mapping[str, Any]

_CHOSEN = (REPAIR_EXCLUDED, REPAIR_REFUSED)
_STALE: Row = {"answer": None, "alternatives": [], "answerable": None, "status": STALE_RELEASE}


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
    """What released files hold.

    Attributes:
        rows: Rows of ``answers``.
        findings: What was found wrong while they were read.
        items: Key of a file to the answer_id of each of its items, in order, which is that of the
            ratings; None for an item that belongs to no question.
    """

    rows: list[dict[str, Any]]
    findings: list[Finding]
    items: dict[str, tuple[str | None, ...]] = field(default_factory=dict)


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
    agree and the file is the one that was sent. A question of a file with items that do not agree
    with the questions has a null answer and the status ``stale_release``. The section that a
    swapped section's file is about is what the manifest says, else the only one of its kind whose
    questions are those of the file.

    Args:
        files: The files.
        asked: The question sets, from ``submission_rows.asked_sets``.
        kinds: Section id to kind.
        manifest: The files that the release names.
        known: What is known of the teams.
        answers: Rows of ``answers`` that are known otherwise, to tell which shuffles changed
            nothing.
    """
    sent = {file.path: file for file in manifest}
    rows: list[dict[str, Any]] = []
    findings: list[Finding] = []
    items: dict[str, tuple[str | None, ...]] = {}
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
            named = sent.get(path)
            origin = named.section_id if named else _origin(drafts, parts, asked, kinds)
        name = question_set_name(parts.teacher, parts.teacher_submission, parts.variant)
        key = f"{origin}/{name}.json"
        if origin is None or key not in asked:
            message = (
                "the question set that it answers is not known: found no set "
                f"{name} with these questions; add the set or remove the file"
            )
            findings.append(_left_out(path, "unknown_set", message))
            continue
        as_sent = path not in sent or sent[path].sha256 == hashlib.sha256(file.data).hexdigest()
        if not as_sent:
            findings.append(_changed(path))
        own, items[path] = _rows(drafts, parts, asked[key], path, findings, by_place=as_sent)
        rows += own
    return ReleasedAnswers(_with_unchanged(rows, answers), findings, items)


def released_to_run(
    root: Path,
    files: Iterable[AnswerFile],
    sections: Iterable[Row],
    questions: Sequence[Row],
    students: Iterable[Sequence[str]],
    answers: Iterable[Row] = (),
) -> ReleasedAnswers:
    """Return what released files hold, read with the manifest and the teams of a run.

    Args:
        root: The root of the materials.
        files: The files.
        sections: Rows of ``materials/sections``.
        questions: Rows of ``questions``.
        students: Team and submission of the Students.
        answers: Rows of ``answers`` that are known otherwise.

    Raises:
        ManifestError: The manifest is not one of this version.
    """
    teachers = {(row["teacher"], row["submission"]) for row in questions}
    return read_released_answers(
        files,
        asked_sets(questions),
        {row["section_id"]: row["kind"] for row in sections},
        read_manifest(root),
        declared_teams([*sorted(teachers), *students]),
        answers,
    )


def prefer_released(
    made: Iterable[Row], released: Iterable[Row], scenarios: Collection[str] = SCENARIOS
) -> list[Row]:
    """Return released answers, and of the made ones those whose file was not released.

    What a released file holds is all there is of it: an answer that it lacks keeps its row only
    if it is null. So does one that the setting of repairs leaves out or refuses, because that is
    the choice of the run.

    Args:
        made: Rows of ``answers`` that were made here, or submitted.
        released: Rows of ``answers`` of released files.
        scenarios: The scenarios wanted; released answers of others are passed over.
    """
    made = list(made)
    chosen = {row["answer_id"] for row in made if row["status"] in _CHOSEN}
    own = [row for row in released if row["scenario"] in scenarios]
    files = {answers_key(row)[0] for row in own}
    kept = {row["answer_id"]: row for row in own if row["answer_id"] not in chosen}
    return [
        *kept.values(),
        *(
            row
            for row in made
            if row["answer_id"] not in kept
            and (row["answer"] is None or answers_key(row)[0] not in files)
        ),
    ]


def answer_file(path: Path, root: Path) -> AnswerFile:
    """Return a file of answers by its path on disk.

    Args:
        path: The file.
        root: The root of the materials.
    """
    section = nfc(path.parent.relative_to(root).as_posix())
    return AnswerFile(section, nfc(path.name).removesuffix(".json"), path.read_bytes())


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
    # An item with a question alone is one without an answer, and in order. Markup was told where
    # the answers came from.
    passed_over = ("null_text", "empty_list", "markup")
    findings += [finding for finding in report.findings if finding.code not in passed_over]
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
    *,
    by_place: bool,
) -> tuple[list[dict[str, Any]], tuple[str | None, ...]]:
    """Return the rows of a file, and for each of its items the answer_id that it has."""
    given = [
        Given(d.index, d.question, (d.text, d.texts) if d.status == OK else None) for d in drafts
    ]
    n_items = len(drafts) if by_place else None
    matched = match(given, n_items, Questions(asked.questions))
    of_place = {position: index for index, position in matched.positions.items()}
    if matched.refused:
        message = (
            f"{len(matched.refused)} of {len(drafts)} items do not agree with the "
            f"{len(asked.questions)} questions of the set; export the answers again, or restore "
            "the questions that they answer"
        )
        findings.append(
            Finding(path, "", STALE_RELEASE, "error", message, "these items are left out")
        )
    rows = []
    for position in range(len(asked.questions)):
        draft = drafts[of_place[position]] if position in of_place else None
        if draft is not None and draft.status == OK:
            answer = {
                "answer": draft.text,
                "alternatives": list(draft.texts),
                "answerable": draft.answerable,
                "status": OK,
            }
            rows.append(_row(parts, asked.section_id, position, answer))
        elif draft is None and matched.refused:
            rows.append(_row(parts, asked.section_id, position, _STALE))
    names = [
        _row_id(parts, asked.section_id, matched.positions[draft.index], parts.scenario)
        if draft.index in matched.positions
        else None
        for draft in drafts
    ]
    return rows, tuple(names)


def _row(parts: AnswerId, section: str, position: int, answer: Mapping[str, Any]) -> dict[str, Any]:
    adversarial = parts.scenario in SCENARIOS
    return answer_row(
        section,
        SetName(parts.teacher, parts.teacher_submission, parts.variant),
        position,
        parts.student,
        parts.student_submission,
        scenario=parts.scenario,
        origin_answer_id=_row_id(parts, section, position, GENUINE) if adversarial else None,
        shown_section_id=parts.section_id,
        **answer,
    )


def _row_id(parts: AnswerId, section: str, position: int, scenario: str) -> str:
    return answer_id(
        section,
        parts.student,
        parts.student_submission,
        parts.teacher,
        parts.teacher_submission,
        position,
        variant=parts.variant,
        scenario=scenario,
    )


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


def _changed(path: str) -> Finding:
    message = (
        "the file is not the one that the manifest names; put back what was sent, or export again"
    )
    action = "answers are joined by their questions' texts alone, and ratings of it are not joined"
    return Finding(path, "", STALE_RELEASE, "error", message, action)


def _left_out(path: str, code: str, message: str) -> Finding:
    return Finding(path, "", code, "error", message, "the file is left out")
