"""What a submission gives to a run: rows, findings, repairs, and whether it is valid enough."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sensemaking.findings import Finding
from sensemaking.ids import GENUINE, REFERENCE
from sensemaking.io.release import Released
from sensemaking.io.submission_matching import Asked
from sensemaking.io.submission_model import (
    INVALID_ITEM,
    REPAIR_REFUSED,
    Role,
    StudentItem,
    Submission,
)
from sensemaking.io.submissions import read
from sensemaking.rated_files import rated_files, whole_rated_sets
from sensemaking.released_answers import ReleasedAnswers, prefer_released
from sensemaking.repairs import Policy
from sensemaking.rescaling import Mode
from sensemaking.statuses import OK, REPAIR_EXCLUDED
from sensemaking.submission_policy import of_sets, under_policy, valid_share
from sensemaking.submission_rows import (
    STALE_RELEASE,
    answer_rows,
    answers_key,
    asked_sets,
    question_rows,
    rating_rows,
)

NO_FILE = "no file was submitted"

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Source:
    """A submission to read.

    Attributes:
        system: System id.
        role: Its track.
        label: The name to show.
        team: The team.
        submission: The submission's name.
        path: The file, or None if there is none.
        file: Its name in findings, or None.
    """

    system: str
    role: Role
    label: str
    team: str
    submission: str
    path: Path | None
    file: str | None


@dataclass(frozen=True)
class Choices:
    """The settings; the configuration explains them."""

    repairs: Policy = "apply"
    undone: Collection[str] = ()
    rescale: Mode = "each"
    min_valid_share: float = 0.5


@dataclass(frozen=True)
class Taken:
    """What is taken of a submission.

    Attributes:
        rows: Rows of ``questions``, ``answers`` or ``ratings``; none if it is not in the tables.
        findings: Rows of ``validation/findings``.
        repairs: Rows of ``validation/repairs``.
        summary: Its row of ``validation/submissions``.
    """

    rows: list[dict[str, Any]]
    findings: list[dict[str, Any]]
    repairs: list[dict[str, Any]]
    summary: dict[str, Any]


def take_questions(
    source: Source,
    sections: Collection[str],
    released: Iterable[Row],
    choices: Choices,
    not_run: Collection[str] = (),
) -> Taken:
    """Take the questions of a Teacher.

    Where the materials hold the Teacher's set of a section, that one is the set, since it is what
    Students were sent.

    Args:
        source: The submission.
        sections: Ids of the sections.
        released: Rows of ``questions`` of the materials.
        choices: The settings.
        not_run: Ids of sections of the materials that are no part of the run.
    """
    submission = _read(source, sections, None, not_run)
    counted = under_policy(submission, choices.repairs, choices.undone)
    rows = question_rows(counted, source.team, source.submission)
    own = {
        row["section_id"]
        for row in released
        if (row["teacher"], row["submission"], row["variant"])
        == (source.team, source.submission, GENUINE)
    }
    kept = [row for row in rows if row["section_id"] not in own]
    found = []
    replaced = {row["section_id"] for row in rows} & own
    if replaced and source.file is not None:
        message = (
            f"the materials hold the set of {len(replaced)} of its sections, such as "
            f"{min(replaced)}; those are what Students were sent, and are taken"
        )
        found.append(Finding(source.file, "", "released_set", "info", message, "they are read"))
    return _taken(source, submission, counted, kept, choices, found, released=bool(own))


def take_answers(
    source: Source,
    sections: Collection[str],
    questions: Iterable[Row],
    choices: Choices,
    *,
    released: Iterable[Row] = (),
    stale: Collection[str] = (),
    not_run: Collection[str] = (),
) -> Taken:
    """Take the answers of a Student.

    Where the materials hold the Student's answers to a set, those are the answers, since they are
    what Evaluators were sent.

    Args:
        source: The submission.
        sections: Ids of the sections.
        questions: Rows of ``questions`` that Students are asked.
        choices: The settings.
        released: Rows of ``answers`` of files in the materials.
        stale: Keys of question sets that have changed since they were sent out, whose answers are
            joined by the question's text alone.
        not_run: Ids of sections of the materials that are no part of the run.
    """
    asked = asked_sets(questions)
    known = {key: one.questions for key, one in asked.items()}
    submission = _read(source, sections, known, not_run, stale)
    # Tables 6 to 9 rest on genuine questions; who answers no adversarial ones still stands there.
    genuine = {key for key, one in asked.items() if one.name.variant == GENUINE}
    n_asked = sum(bool(versions) for key in genuine for versions in asked[key].questions)
    submission = replace(submission, n_expected=n_asked)
    counted = under_policy(submission, choices.repairs, choices.undone)
    rows = answer_rows(counted, source.team, source.submission, asked)
    excluded = [
        replace(item, answer=None, alternatives=(), answerable=None, status=REPAIR_EXCLUDED)
        for item in counted.excluded
        if isinstance(item, StudentItem)
    ]
    rows += answer_rows(
        replace(counted, items=(), missing=tuple(excluded), excluded=(), stale_keys=()),
        source.team,
        source.submission,
        asked,
    )
    mine = (source.team, source.submission)
    own = [row for row in released if (row["student"], row["submission"]) == mine]
    if not own:
        return _taken(source, submission, counted, rows, choices, counts=genuine)
    kept = [dict(row) for row in prefer_released(rows, own, (GENUINE,))]
    sets = {key.removesuffix(".json") for key in genuine}
    n_valid = sum(row["status"] == OK and _set_of(row["question_id"]) in sets for row in kept)
    files = {answers_key(row)[0] for row in own}
    message = (
        f"the materials hold the answers to {len(files)} of the sets, such as {min(files)}; those "
        "are what Evaluators were sent, and are taken"
    )
    found = [
        Finding(place, "", "released_answers", "info", message, "they are read")
        for place in [source.file]
        if place is not None
    ]
    return _taken(
        source, submission, counted, kept, choices, found, counts=genuine, n_valid=n_valid
    )


def take_ratings(
    source: Source,
    sections: Collection[str],
    answers: Iterable[Row],
    questions: Iterable[Row],
    choices: Choices,
    stale: Collection[str] = (),
    *,
    released: ReleasedAnswers | None = None,
    manifest: Iterable[Released] = (),
    not_run: Collection[str] = (),
) -> Taken:
    """Take the ratings of an Evaluator.

    The ratings of a released file belong to its items, in the order of the file. Those of a file
    that has changed since are not joined.

    Args:
        source: The submission.
        sections: Ids of the sections.
        answers: Rows of ``answers`` that are to be rated.
        questions: Rows of ``questions``.
        choices: The settings.
        stale: Keys of files of answers that have changed since they were sent out.
        released: The files of answers in the materials.
        manifest: The files that the release names.
        not_run: Ids of sections of the materials that are no part of the run.
    """
    answers = list(answers)
    rated = whole_rated_sets(answers, questions)
    if released is not None:
        rated = rated_files(released, rated, manifest)
    genuine = {answers_key(row)[0] for row in answers if row["scenario"] in (GENUINE, REFERENCE)}
    asked = {key: one.questions for key, one in rated.items()}
    submission = _read(source, sections, asked, not_run)
    n_asked = sum(one is not None for key in genuine for one in rated[key].answer_ids)
    submission = replace(submission, n_expected=n_asked)
    counted = under_policy(submission, choices.repairs, choices.undone)
    made = rating_rows(counted, source.team, source.submission, rated, choices.rescale, stale)
    return _taken(
        source,
        submission,
        counted,
        made.rows,
        choices,
        _stale_ratings(source, submission, stale),
        n_rescaled=made.n_rescaled,
        counts=genuine,
    )


def _read(
    source: Source,
    sections: Collection[str],
    known: Mapping[str, Asked] | None,
    not_run: Collection[str],
    changed: Collection[str] = (),
) -> Submission:
    if source.path is not None:
        return read(
            source.path,
            source.role,
            sections,
            known,
            file=source.file,
            sender=(source.team, source.submission),
            not_run=not_run,
            changed=changed,
        )
    n_expected = len(sections) if known is None else sum(map(len, known.values()))
    return Submission(
        role=source.role, file=source.system, n_expected=n_expected, checked=True, readable=False
    )


def _stale_ratings(source: Source, submission: Submission, stale: Collection[str]) -> list[Finding]:
    """Return a finding if some files that an Evaluator rated have changed since."""
    given = {item.key for item in (*submission.items, *submission.missing)} & set(stale)
    if not given or source.file is None:
        return []
    message = (
        f"{len(given)} files that it rates have changed since they were sent out, such as "
        f"{min(given)}; organisers: put back what was sent"
    )
    action = "the ratings of these files are not joined"
    return [Finding(source.file, "", STALE_RELEASE, "warning", message, action)]


def _taken(
    source: Source,
    submission: Submission,
    counted: Submission,
    rows: list[dict[str, Any]],
    choices: Choices,
    findings: Sequence[Finding] = (),
    *,
    n_rescaled: int = 0,
    released: bool = False,
    counts: Collection[str] | None = None,
    n_valid: int | None = None,
) -> Taken:
    """Return what is taken of a submission.

    Args:
        source: The submission.
        submission: As it was read.
        counted: As it counts under the setting of repairs.
        rows: What it gives.
        choices: The settings.
        findings: Further findings.
        n_rescaled: How many ratings were multiplied.
        released: Whether sets of it are in the materials, so that it stands in the tables.
        counts: Keys of the sets that its share is taken of; None for all.
        n_valid: How many usable items it has with those of the materials, if these hold any.
    """
    share = valid_share(counted if counts is None else of_sets(counted, counts))
    n_expected = share.n_expected
    if not submission.readable and source.role == "teacher":
        n_expected = max(n_expected, submission.n_expected or 0)
    with_released = n_valid is not None
    n_valid = min(share.n_valid if n_valid is None else n_valid, n_expected)
    value = n_valid / n_expected if n_expected else None
    status = OK
    if source.path is None and not with_released:
        status = NO_FILE
    elif not submission.readable and not with_released:
        status = "the file cannot be read"
    elif value is None:
        status = "nothing was asked"
    elif value < choices.min_valid_share:
        status = f"valid share below {choices.min_valid_share:g}"
    in_tables = status == OK or released
    refused = sum(item.status in (INVALID_ITEM, REPAIR_REFUSED) for item in counted.missing)
    n_items = len(submission.items) + len(submission.missing) + submission.n_refused
    found = list(findings)
    if not in_tables:
        message = f"{source.label} is left out of the tables: {status}"
        if value is not None:
            message += f" ({n_valid} of {n_expected} valid)"
        place = source.file or source.system
        found.append(
            Finding(place, "", "below_min_valid_share", "warning", message, "it is left out")
        )
    every = [*(finding.row() for finding in (*submission.findings, *found))]
    return Taken(
        rows=rows if in_tables else [],
        findings=_distinct(every, lambda row: tuple(row.values())),
        repairs=_distinct([one.row() for one in submission.repairs], lambda row: row["hash"]),
        summary={
            "system": source.system,
            "role": source.role,
            "label": source.label,
            "file": source.file,
            "n_items": n_items,
            "n_repaired": len(submission.repaired),
            "n_refused": submission.n_refused + refused,
            "n_excluded": len(counted.excluded),
            "n_rescaled": n_rescaled,
            "n_expected": n_expected,
            "n_valid": n_valid,
            "share": value,
            "in_tables": in_tables,
            "status": OK if in_tables else status,
        },
    )


def _distinct(
    rows: Iterable[dict[str, Any]], key: Callable[[dict[str, Any]], Any]
) -> list[dict[str, Any]]:
    return list({key(row): row for row in rows}.values())


def _set_of(identifier: str) -> str:
    return str(identifier).rpartition("#")[0]
