"""Programmatic Evaluators as rows of ``ratings``."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from sensemaking.baselines.evaluators import overlap
from sensemaking.statuses import NO_TEXT_EN, OK

NO_TOKENS = "answer_without_words"

Row = Mapping[str, Any]


def rate(
    sections: Sequence[Row], answers: Sequence[Row], engine: str, team: str, submission: str
) -> list[dict[str, Any]]:
    """Return the ratings of a programmatic Evaluator as rows of ``ratings``.

    Only the answer that counts is rated (index 0), not the alternatives. An answer that is
    missing gets no row.

    Args:
        sections: Rows of ``materials/sections``.
        answers: Rows of ``answers``.
        engine: ``overlap``.
        team: The team it plays.
        submission: Its submission.

    Raises:
        ValueError: The engine is unknown.
    """
    if engine != "overlap":
        raise ValueError(f"unknown engine {engine!r}; known: overlap")
    texts = {section["section_id"]: section["text_en"] for section in sections}
    given = [row for row in answers if isinstance(row["answer"], str)]
    readable = [row for row in given if isinstance(texts.get(row["shown_section_id"]), str)]
    values = overlap(
        [texts[row["shown_section_id"]] for row in readable], [row["answer"] for row in readable]
    )
    found = {row["answer_id"]: float(v) for row, v in zip(readable, values, strict=True)}
    rows = []
    for row in given:
        value = found.get(row["answer_id"])
        status = NO_TEXT_EN if value is None else NO_TOKENS if np.isnan(value) else OK
        rows.append(
            {
                "answer_id": row["answer_id"],
                "evaluator": team,
                "submission": submission,
                "answer_index": 0,
                "raw": json.dumps(value) if status == OK else None,
                "rating": value if status == OK else None,
                "rescaled": False,
                "status": status,
            }
        )
    return rows
