"""Rows of ``answers``."""

from collections.abc import Mapping, Sequence
from typing import Any

from sensemaking.ids import GENUINE, SetName, answer_id, question_id

Row = Mapping[str, Any]


def answer_row(
    section_id: str,
    name: SetName,
    position: int,
    student: str,
    submission: str,
    *,
    answer: str | None,
    status: str,
    alternatives: Sequence[str] = (),
    answerable: bool | None = None,
    scenario: str = GENUINE,
    origin_answer_id: str | None = None,
    shown_section_id: str | None = None,
) -> dict[str, Any]:
    """Return a row of ``answers``.

    Args:
        section_id: The section that the question is about.
        name: The question's set.
        position: Its place in the set, from 0.
        student: The team that answered.
        submission: Its submission.
        answer: The answer; None if there is none, and the status says why.
        status: ``ok``, or why there is no answer.
        alternatives: Other answers that the Student gave.
        answerable: Whether the Student said that the text answers the question, if it said so.
        scenario: ``genuine``, ``reference`` or an adversarial one.
        origin_answer_id: The answer that an adversarial one was made of.
        shown_section_id: The section that is shown with it, if it is another one.
    """
    teacher, asked_as, variant = name
    return {
        "answer_id": answer_id(
            section_id,
            student,
            submission,
            teacher,
            asked_as,
            position,
            variant=variant,
            scenario=scenario,
        ),
        "question_id": question_id(section_id, teacher, asked_as, position, variant),
        "student": student,
        "submission": submission,
        "scenario": scenario,
        "origin_answer_id": origin_answer_id,
        "shown_section_id": section_id if shown_section_id is None else shown_section_id,
        "answer": answer,
        "alternatives": list(alternatives),
        "answerable": answerable,
        "status": status,
    }


def answer_to(question: Row, student: str, submission: str, **values: Any) -> dict[str, Any]:
    """Return a row of ``answers`` to a row of ``questions``.

    Args:
        question: The row.
        student: The team that answered.
        submission: Its submission.
        values: As for ``answer_row``.
    """
    name = SetName(question["teacher"], question["submission"], question["variant"])
    return answer_row(
        question["section_id"], name, question["position"], student, submission, **values
    )
