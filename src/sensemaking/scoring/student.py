"""Scores of answers: a question, a Student and a metric each (tables 6 to 8)."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from sensemaking.metrics.rouge import ROUGE_L_RECALL, ROUGE_L_RECALL_UNICODE, rouge_l_recall
from sensemaking.statuses import NO_ANSWER, OK, REPAIR_EXCLUDED

NO_REFERENCE = "no_reference"
NO_QUESTION = "no_question"

METRIC_OF_TOKENIZER = {"rouge": ROUGE_L_RECALL, "unicode": ROUGE_L_RECALL_UNICODE}


def expected_answers(
    questions: Sequence[Mapping[str, Any]],
    answers: Sequence[Mapping[str, Any]],
    students: Sequence[tuple[str, str]],
) -> list[dict[str, Any]]:
    """Return a row of ``answers_expected`` for each question and Student.

    Args:
        questions: Rows of ``questions``; those without a text are expected of nobody, and get
            the status ``no_question``.
        answers: Rows of ``answers`` of the scenario ``genuine``. One with the status
            ``repair_excluded`` makes its question one that was not asked of its Student.
        students: Team and submission of each Student.
    """
    given = {(row["question_id"], row["student"], row["submission"]): row for row in answers}
    rows = []
    for question in questions:
        asked = isinstance(question["question"], str)
        for student, submission in students:
            answer = given.get((question["question_id"], student, submission))
            if not asked:
                status = NO_QUESTION
            elif answer is None:
                status = NO_ANSWER
            else:
                status = str(answer["status"])
            if status == REPAIR_EXCLUDED:
                continue
            kept = answer is not None and status == OK
            rows.append(
                {
                    "question_id": question["question_id"],
                    "student": student,
                    "submission": submission,
                    "answer_id": answer["answer_id"] if answer is not None and kept else None,
                    "status": status,
                }
            )
    return rows


def score_rouge(
    expected: Sequence[Mapping[str, Any]],
    answers: Mapping[str, str],
    references: Mapping[str, Sequence[str]],
    tokenizer: str,
) -> list[dict[str, Any]]:
    """Return a row of ``scores/rouge`` for each expected answer.

    A missing answer keeps null and its status here; what it counts for is decided with the
    estimate.

    Args:
        expected: Rows of ``answers_expected``.
        answers: answer_id to the text of the answer.
        references: question_id to its reference answers.
        tokenizer: ``rouge`` or ``unicode``.
    """
    metric = METRIC_OF_TOKENIZER[tokenizer]
    texts = [
        answers[row["answer_id"]] if isinstance(row["answer_id"], str) else None for row in expected
    ]
    wanted = [list(references[row["question_id"]]) for row in expected]
    # A reference without tokens makes the score undefined whatever the answer is.
    definable = ~np.isnan(rouge_l_recall(wanted, ["" for _ in wanted], tokenizer=tokenizer))
    values = rouge_l_recall(wanted, texts, tokenizer=tokenizer)
    return [
        {
            "question_id": row["question_id"],
            "student": row["student"],
            "submission": row["submission"],
            "metric": metric.name,
            "metric_version": str(metric.version),
            "value": None if np.isnan(value) else float(value),
            "status": _status(row, bool(can)),
        }
        for row, value, can in zip(expected, values, definable, strict=True)
    ]


def _status(row: Mapping[str, Any], definable: bool) -> str:
    if row["status"] == NO_QUESTION:
        return NO_QUESTION
    if not definable:
        return NO_REFERENCE
    return str(row["status"])
