"""Programmatic Students as rows of ``answers``."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sensemaking.answers import answer_to
from sensemaking.baselines.students import best_sentence, lead_sentence
from sensemaking.ids import GENUINE
from sensemaking.statuses import NO_ANSWER, NO_TEXT_EN, OK
from sensemaking.text.sentences import split

ENGLISH = "en"

_STUDENTS: dict[str, Callable[[list[str], list[str]], list[str | None]]] = {
    "best-sentence": best_sentence,
    "lead-sentence": lead_sentence,
}

Row = Mapping[str, Any]


def answer(
    sections: Sequence[Row], questions: Sequence[Row], engine: str, team: str, submission: str
) -> list[dict[str, Any]]:
    """Return the answers of a programmatic Student as rows of ``answers``.

    Every genuine question with a text gets a row. Where the Student gives no answer the row has
    a null answer and the status ``no_answer``; where there is no English text to answer from,
    ``no_text_en``.

    Args:
        sections: Rows of ``materials/sections``.
        questions: Rows of ``questions`` about them.
        engine: ``best-sentence`` or ``lead-sentence``.
        team: The team it plays.
        submission: Its submission.
    """
    texts = {section["section_id"]: section["text_en"] for section in sections}
    asked: dict[str, list[Row]] = {}
    for row in questions:
        if row["variant"] == GENUINE and isinstance(row["question"], str):
            asked.setdefault(row["section_id"], []).append(row)
    rows = []
    for identifier, own in asked.items():
        text = texts.get(identifier)
        readable = isinstance(text, str)
        sentences = split(text, ENGLISH) if isinstance(text, str) else []
        given = _STUDENTS[engine](sentences, [row["question"] for row in own])
        for row, said in zip(own, given, strict=True):
            status = OK if said is not None else NO_ANSWER if readable else NO_TEXT_EN
            answerable = (said is not None) if readable else None
            rows.append(
                answer_to(row, team, submission, answer=said, status=status, answerable=answerable)
            )
    return rows
