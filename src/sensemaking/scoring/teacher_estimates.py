"""Mean ranks of Teachers (tables 1 to 3)."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from sensemaking.scoring.estimates import ALL, Group, Settings, estimate_means
from sensemaking.scoring.teacher import RANKED, rank_name
from sensemaking.systems import in_tables


def estimate_ranks(
    scores: pd.DataFrame,
    systems: pd.DataFrame,
    sections: pd.DataFrame,
    groups: Sequence[Group],
    settings: Settings,
) -> list[dict[str, Any]]:
    """Return the rows of ``estimates`` for the ranks by relevance, coverage and diversity.

    Args:
        scores: Rows of ``scores/teacher``.
        systems: Rows of ``systems``.
        sections: Rows of ``materials/sections``.
        groups: The groups in order.
        settings: Seed and draws.
    """
    teachers = in_tables(systems, "teacher")
    items = scores.merge(
        teachers[["team", "submission", "system"]],
        left_on=["teacher", "submission"],
        right_on=["team", "submission"],
    ).merge(sections[["section_id", "kind", "sub_kind"]], on="section_id")
    rows = []
    for metric in RANKED:
        name = rank_name(metric)
        rows += estimate_means(
            items[items["metric"] == name],
            sorted(teachers["system"]),
            groups,
            subset=ALL,
            metric=name,
            settings=settings,
        )
    return rows
