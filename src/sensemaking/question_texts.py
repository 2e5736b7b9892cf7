"""The texts of questions that embeddings and scores are made of."""

from collections.abc import Iterable, Mapping
from typing import Any

from sensemaking.ids import GENUINE


def texts_of(questions: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Return question_id to English text of the genuine questions that have one.

    Args:
        questions: Rows of ``questions``. Blank ones are left out: their text decides it, before
            any vector is made of it.
    """
    return {
        row["question_id"]: row["question"]
        for row in questions
        if row["variant"] == GENUINE
        and isinstance(row["question"], str)
        and row["question"].strip()
    }
