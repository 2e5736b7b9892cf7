"""Programmatic Teachers as rows of ``questions``."""

from collections.abc import Mapping, Sequence
from typing import Any

from sensemaking.baselines.teachers import Asked, cloze, lead
from sensemaking.ids import GENUINE, SetName
from sensemaking.questions import question_row
from sensemaking.text.sentences import split

ENGLISH = "en"

Row = Mapping[str, Any]


def ask(
    sections: Sequence[Row], engine: str, team: str, submission: str, *, number: int, seed: int
) -> list[dict[str, Any]]:
    """Return the questions of a programmatic Teacher as rows of ``questions``.

    A section without an English text gets none.

    Args:
        sections: Rows of ``materials/sections``.
        engine: ``cloze`` or ``lead``.
        team: The team it plays.
        submission: Its submission.
        number: Questions wanted for a section.
        seed: The run's seed.
    """
    name = SetName(team, submission, GENUINE)
    rows = []
    for section in sections:
        identifier = section["section_id"]
        if not isinstance(section["text_en"], str):
            continue
        for position, asked in enumerate(_asked(section, engine, number, seed)):
            rows.append(
                question_row(
                    identifier,
                    name,
                    position,
                    question=asked.question,
                    references=[asked.reference],
                )
            )
    return rows


def _asked(section: Row, engine: str, number: int, seed: int) -> list[Asked]:
    sentences = split(section["text_en"], ENGLISH)
    if engine == "cloze":
        return cloze(sentences, number, seed, section["section_id"])
    if engine == "lead":
        return lead(sentences, number)
    raise ValueError(f"unknown engine {engine!r}; known: cloze, lead")
