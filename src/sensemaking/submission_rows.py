"""From submissions to rows of ``questions``, ``answers`` and ``ratings``, and back to what to ask.

What is asked of participants has the key of its file: ``asked_sets`` and ``rated_sets`` give the
``known_items`` that ``sensemaking.io.submissions.read`` checks a submission against.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from sensemaking.answers import answer_row
from sensemaking.ids import GENUINE, SetName, question_id, question_set_name
from sensemaking.io.submission_model import (
    NO_RATING,
    EvaluatorItem,
    StudentItem,
    Submission,
    TeacherItem,
)
from sensemaking.questions import ENGLISH, question_row
from sensemaking.rescaling import Mode, rescale
from sensemaking.statuses import NOT_TRANSLATED, OK

STALE_RELEASE = "stale_release"
"""Status of an answer or rating whose file is not the one that was asked about."""

EXTRA_RATING = "extra_rating"
"""Status of a rating of an answer that does not exist."""

Row = Mapping[str, Any]
T = TypeVar("T")


@dataclass(frozen=True)
class AskedSet:
    """A question set that Students answer.

    Attributes:
        section_id: Its section.
        name: Whose set it is.
        questions: For each position the versions of the question, English first; may be empty.
    """

    section_id: str
    name: SetName
    questions: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class RatedSet:
    """A file of answers that Evaluators rate.

    Attributes:
        questions: For each position the versions of the question; may be empty.
        answer_ids: For each position the id of the answer, or None where there is none.
        n_answers: For each position how many answers it has, alternatives included.
    """

    questions: tuple[tuple[str, ...], ...]
    answer_ids: tuple[str | None, ...]
    n_answers: tuple[int, ...]


@dataclass(frozen=True)
class RatingRows:
    """Rows of ``ratings``, and how many of them were multiplied by 100.

    Attributes:
        rows: The rows.
        n_rescaled: Ratings that were multiplied.
        share_rescaled: Their share of the valid ratings, or None if there are none.
    """

    rows: list[dict[str, Any]]
    n_rescaled: int
    share_rescaled: float | None


def asked_sets(questions: Iterable[Row]) -> dict[str, AskedSet]:
    """Return canonical key to question set.

    Args:
        questions: Rows of ``questions``, genuine and adversarial.
    """
    found: dict[str, dict[int, tuple[str, ...]]] = defaultdict(dict)
    names: dict[str, tuple[str, SetName]] = {}
    for row in questions:
        name = SetName(row["teacher"], row["submission"], row["variant"])
        key = f"{row['section_id']}/{question_set_name(*name)}.json"
        names[key] = (row["section_id"], name)
        found[key][row["position"]] = _versions(row)
    return {
        key: AskedSet(*names[key], _in_order(places, ())) for key, places in sorted(found.items())
    }


def rated_sets(answers: Iterable[Row], questions: Iterable[Row]) -> dict[str, RatedSet]:
    """Return canonical key to file of answers; a swapped section's lies under the one shown.

    Args:
        answers: Rows of ``answers``.
        questions: Rows of ``questions``, of which the answers are.
    """
    texts = {row["question_id"]: _versions(row) for row in questions}
    found: dict[str, dict[int, Row]] = defaultdict(dict)
    for row in answers:
        key, position = answers_key(row)
        found[key][position] = row
    result = {}
    for key, places in sorted(found.items()):
        rows = _in_order(places, None)
        result[key] = RatedSet(
            tuple(texts.get(row["question_id"], ()) if row else () for row in rows),
            tuple(row["answer_id"] if row else None for row in rows),
            tuple(_n_answers(row) for row in rows),
        )
    return result


def answers_key(row: Row) -> tuple[str, int]:
    """Return the canonical key of the file of answers that a row belongs to, and its place there.

    Args:
        row: A row of ``answers``.
    """
    head, _, position = row["answer_id"].rpartition("#")
    return f"{row['shown_section_id']}/{head.rpartition('/')[2]}.json", int(position)


def question_rows(
    submission: Submission, team: str, name: str, language: str = ENGLISH
) -> list[dict[str, Any]]:
    """Return the questions of a Teacher as rows of ``questions``.

    An item without a question keeps its place, with a null question and its status.

    Args:
        submission: What the Teacher sent.
        team: The team.
        name: The submission's name, such as PRIMARY.
        language: The language of its questions; if it is not English the English is null with
            the status ``not_translated``.
    """
    rows = []
    for item in (*submission.items, *submission.missing):
        if not isinstance(item, TeacherItem):
            continue
        english = language == ENGLISH
        status = NOT_TRANSLATED if item.status == OK and not english else item.status
        rows.append(
            question_row(
                item.section_id,
                SetName(team, name, GENUINE),
                item.position,
                question=item.question if english else None,
                references=item.references if english else (),
                status=status,
                question_original=item.question,
                references_original=item.references,
                language=language,
            )
        )
    return rows


def answer_rows(
    submission: Submission, team: str, name: str, asked: Mapping[str, AskedSet]
) -> list[dict[str, Any]]:
    """Return the answers of a Student as rows of ``answers``.

    An item without a usable answer has a null answer and its status. A question of a set whose
    items do not agree with what was asked has the status ``stale_release``. Questions that the
    submission does not mention get no row.

    Args:
        submission: What the Student sent, read against ``asked``.
        team: The team.
        name: The submission's name.
        asked: The sets, from ``asked_sets``.
    """
    rows = []
    seen: set[tuple[str, int]] = set()
    for item in (*submission.items, *submission.missing):
        if isinstance(item, StudentItem) and item.key in asked:
            seen.add((item.key, item.position))
            row = _answer_row(asked[item.key], item.position, team, name)
            row |= {
                "answer": item.answer,
                "alternatives": list(item.alternatives),
                "answerable": item.answerable,
                "status": item.status,
            }
            rows.append(row)
    seen |= {(item.key, item.position) for item in submission.excluded}
    for key in submission.stale_keys:
        for position in range(len(asked[key].questions)):
            if (key, position) not in seen:
                row = _answer_row(asked[key], position, team, name)
                rows.append(row | {"status": STALE_RELEASE})
    return rows


def excluded_questions(submission: Submission, asked: Mapping[str, AskedSet]) -> set[str]:
    """Return the ids of the questions that are left out for a Student on all sides.

    Args:
        submission: The submission under the policy ``exclude``.
        asked: The sets, from ``asked_sets``.
    """
    return {
        question_id(
            asked[item.key].section_id,
            asked[item.key].name.teacher,
            asked[item.key].name.submission,
            item.position,
            asked[item.key].name.variant,
        )
        for item in submission.excluded
        if item.key in asked
    }


def rating_rows(
    submission: Submission,
    team: str,
    name: str,
    rated: Mapping[str, RatedSet],
    mode: Mode,
    stale: Collection[str] = (),
) -> RatingRows:
    """Return the ratings of an Evaluator as rows of ``ratings``.

    Every answer that was to be rated has a row for its index 0. A missing rating is null with
    its status: ``no_rating``, ``invalid_rating``, ``stale_release`` or ``repair_refused``.

    Args:
        submission: What the Evaluator sent, read against ``rated``.
        team: The team.
        name: The submission's name.
        rated: The files of answers, from ``rated_sets``.
        mode: Which ratings are multiplied by 100.
        stale: Canonical keys of files that have changed since they were sent out.
    """
    given = {
        (item.key, item.position): item
        for item in (*submission.items, *submission.missing)
        if isinstance(item, EvaluatorItem)
    }
    excluded = {(item.key, item.position) for item in submission.excluded}
    not_joined = {*stale, *submission.stale_keys}
    rows: list[dict[str, Any]] = []
    replies: list[str] = []
    for key, one in rated.items():
        for position, identifier in enumerate(one.answer_ids):
            if identifier is None or (key, position) in excluded:
                continue
            item = None if key in stale else given.get((key, position))
            otherwise = STALE_RELEASE if key in not_joined else NO_RATING
            own = _rating_rows(identifier, item, one.n_answers[position], otherwise)
            rows += [{**row, "evaluator": team, "submission": name} for row in own]
            replies += [key] * len(own)
    mended = rescale([row["rating"] for row in rows], mode, replies)
    for row, rating, changed in zip(rows, mended.ratings, mended.changed, strict=True):
        row["rating"] = rating
        row["rescaled"] = changed
    return RatingRows(rows, mended.n, mended.share)


def _rating_rows(
    identifier: str, item: EvaluatorItem | None, n_answers: int, otherwise: str
) -> list[dict[str, Any]]:
    if item is None or not item.ratings:
        status = otherwise if item is None or item.status == OK else item.status
        return [_rating_row(identifier, 0, None, None, status)]
    rows = []
    for index, rating in enumerate(item.ratings):
        if index >= max(n_answers, 1):
            rows.append(_rating_row(identifier, index, rating.raw, None, EXTRA_RATING))
        else:
            rows.append(_rating_row(identifier, index, rating.raw, rating.value, rating.status))
    return rows


def _rating_row(
    identifier: str, index: int, raw: str | None, rating: float | None, status: str
) -> dict[str, Any]:
    return {
        "answer_id": identifier,
        "answer_index": index,
        "raw": raw,
        "rating": rating,
        "rescaled": False,
        "status": status,
    }


def _answer_row(asked: AskedSet, position: int, team: str, name: str) -> dict[str, Any]:
    return answer_row(
        asked.section_id, asked.name, position, team, name, answer=None, status=STALE_RELEASE
    )


def _versions(row: Row) -> tuple[str, ...]:
    """Return the English question and the one as asked, those that there are."""
    both = (row["question"], row["question_original"])
    return tuple(dict.fromkeys(text for text in both if isinstance(text, str)))


def _n_answers(row: Row | None) -> int:
    if row is None or not isinstance(row["answer"], str):
        return 0
    return 1 + len(row["alternatives"])


def _in_order(places: Mapping[int, T], otherwise: T) -> tuple[T, ...]:
    return tuple(places.get(position, otherwise) for position in range(max(places) + 1))
