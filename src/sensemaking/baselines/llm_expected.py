"""Stand-ins for what language models have not written yet, to plan what a live run would send.

A Student's calls hang on what Teachers ask, an Evaluator's on what Students answer. Where those are
not there yet, a text of ordinary length stands for each question and answer to come.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from sensemaking.answers import answer_to
from sensemaking.baselines.llm_sections import readable
from sensemaking.baselines.llm_teacher import cut_spans
from sensemaking.ids import GENUINE, SetName
from sensemaking.questions import question_row
from sensemaking.statuses import OK

WORDS: Final = 20
"""Words of a question or an answer to come."""

Row = Mapping[str, Any]


def expected_questions(
    sections: Iterable[Row],
    given: Iterable[Row],
    *,
    team: str,
    submission: str,
    number: int,
    span_words: int,
) -> list[dict[str, Any]]:
    """Return a Teacher's questions: those that it has asked, and stand-ins for the others.

    Args:
        sections: Rows of ``materials/sections``; those without an English text get none.
        given: Rows of ``questions`` of the Teacher from an earlier run; none if there was none.
        team: The team it plays.
        submission: Its submission.
        number: Questions to a section.
        span_words: Words of a span.
    """
    asked = {row["question_id"]: row for row in given if isinstance(row["question"], str)}
    rows = []
    for section in sections:
        text = readable(section)
        if text is None:
            continue
        for position in range(len(cut_spans(text, number, span_words))):
            row = question_row(
                section["section_id"],
                SetName(team, submission, GENUINE),
                position,
                question=_text("question", position),
                references=[_text("reference", position)],
                status=OK,
            )
            rows.append({**row, **asked.get(row["question_id"], {})})
    return rows


def expected_answers(
    questions: Iterable[Row], given: Iterable[Row], *, team: str, submission: str
) -> list[dict[str, Any]]:
    """Return a Student's answers: those that it has given, and stand-ins for the others.

    Args:
        questions: Rows of ``questions`` of the genuine variant.
        given: Rows of ``answers`` of the Student from an earlier run; none if there was none.
        team: The team it plays.
        submission: Its submission.
    """
    known = {row["question_id"]: row for row in given if isinstance(row["answer"], str)}
    rows = []
    for row in questions:
        if row["variant"] != GENUINE or not isinstance(row["question"], str):
            continue
        stand_in = _text("answer", row["position"])
        expected = answer_to(row, team, submission, answer=stand_in, status=OK)
        rows.append({**expected, **known.get(row["question_id"], {})})
    return rows


def in_order(systems: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return systems in the order in which they can be asked."""
    roles = ("teacher", "student", "evaluator")
    return sorted(systems, key=lambda system: roles.index(system["role"]))


def _text(what: str, position: int) -> str:
    # No two are alike, because a variant may need another text than its own.
    return f"{what} {position} " + "word " * (WORDS - 2)
