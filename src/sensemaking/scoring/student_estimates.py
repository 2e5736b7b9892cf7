"""Mean ROUGE-L recall of Students, and its correlations (tables 6 to 8)."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import pandas as pd

from sensemaking.ids import GOLD, PRIMARY
from sensemaking.scoring.estimates import (
    ALL,
    Group,
    Settings,
    estimate_correlations,
    estimate_means,
)
from sensemaking.scoring.student import NO_REFERENCE
from sensemaking.statuses import NOT_GIVEN
from sensemaking.systems import in_tables

ANSWERED = "answered by the named student"
EXPERT = "expert questions"


class Estimated(NamedTuple):
    """Rows of ``estimates`` and of ``estimates/correlations``."""

    means: list[dict[str, Any]]
    correlations: list[dict[str, Any]]


def estimate_rouge(
    scores: pd.DataFrame,
    systems: pd.DataFrame,
    sections: pd.DataFrame,
    questions: pd.DataFrame,
    groups: Sequence[Group],
    named_student: str | None,
    settings: Settings,
) -> Estimated:
    """Return mean recalls, over all questions and over those the named Student answered.

    An answer that a Student did not give counts as 0 and is counted; questions without a
    reference are no items; what fails for another reason is left out and counted.

    Args:
        scores: Rows of ``scores/rouge``.
        systems: Rows of ``systems``.
        sections: Rows of ``materials/sections``.
        questions: Rows of ``questions``.
        groups: The groups in order.
        named_student: System id of the Student of table 7, or None.
        settings: Seed and draws.
    """
    students = in_tables(systems, "student")
    names = sorted(students["system"])
    items = (
        scores[scores["status"] != NO_REFERENCE]
        .merge(
            students[["team", "submission", "system"]],
            left_on=["student", "submission"],
            right_on=["team", "submission"],
        )
        .merge(
            questions[["question_id", "section_id", "teacher", "submission"]].rename(
                columns={"submission": "teacher_submission"}
            ),
            on="question_id",
        )
        .merge(sections[["section_id", "kind", "sub_kind"]], on="section_id")
    )
    metric = str(scores["metric"].iloc[0]) if len(scores) else "rouge_l_recall"
    means = estimate_means(
        items, names, groups, subset=ALL, metric=metric, settings=settings, imputed=NOT_GIVEN
    )
    if named_student is not None:
        own = items[(items["system"] == named_student) & items["value"].notna()]
        answered = items[items["question_id"].isin(set(own["question_id"]))]
        means += estimate_means(
            answered,
            names,
            groups,
            subset=ANSWERED,
            metric=metric,
            settings=settings,
            imputed=NOT_GIVEN,
        )
    expert = items[(items["teacher"] == GOLD) & (items["teacher_submission"] == PRIMARY)]
    correlations = estimate_correlations(
        expert, names, item_key="question_id", subset=EXPERT, metric=metric, settings=settings
    )
    return Estimated(means, correlations)
