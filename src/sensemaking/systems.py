"""All systems of a run: the configured ones, the experts, and teams found in the materials."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from sensemaking.findings import Finding
from sensemaking.ids import GOLD, PRIMARY

GOLD_SYSTEM = "gold"
GOLD_LABEL = "Experts"


def list_systems(
    configured: Sequence[Mapping[str, Any]], teams: Iterable[tuple[str, ...]]
) -> list[dict[str, Any]]:
    """Return the rows of ``systems``.

    Args:
        configured: Rows of the configured systems.
        teams: Team and submission of each question set found in the materials. One that no
            configured Teacher has becomes the system ``<team>/<submission>``.
    """
    rows = [{**row, "left_out": None} for row in configured]
    known = {(row["team"], row["submission"]) for row in rows if row["role"] == "teacher"}
    rows.append(
        {
            "system": GOLD_SYSTEM,
            "role": "teacher",
            "label": GOLD_LABEL,
            "team": GOLD,
            "submission": PRIMARY,
            "origin": "expert",
            "published_label": None,
            "left_out": None,
        }
    )
    for team, submission in sorted(set(teams) - known - {(GOLD, PRIMARY)}):
        rows.append(
            {
                "system": f"{team}/{submission}",
                "role": "teacher",
                "label": f"{team} {submission}",
                "team": team,
                "submission": submission,
                "origin": "submitted",
                "published_label": None,
                "left_out": None,
            }
        )
    return rows


def leave_out(
    systems: Iterable[Mapping[str, Any]], role: str, submissions: Iterable[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Return the systems of a role, each with why it is left out of the tables, if it is.

    Args:
        systems: Rows of ``systems``.
        role: The track.
        submissions: Rows of ``validation/submissions``.
    """
    reasons = {row["system"]: row["status"] for row in submissions if not row["in_tables"]}
    return [
        {**row, "left_out": reasons.get(row["system"])} for row in systems if row["role"] == role
    ]


def in_tables(systems: pd.DataFrame, role: str) -> pd.DataFrame:
    """Return the systems of a role that stand in the tables.

    Args:
        systems: Rows of ``systems``.
        role: The track.
    """
    own = systems[systems["role"] == role]
    return own[own["left_out"].isna()] if "left_out" in own else own


def left_out_notes(systems: pd.DataFrame, role: str) -> list[str]:
    """Return a note that names the systems of a role that are left out; none if there are none.

    Args:
        systems: Rows of ``systems``.
        role: The track.
    """
    own = systems[systems["role"] == role]
    if "left_out" not in own or own["left_out"].isna().all():
        return []
    rows = own[own["left_out"].notna()].sort_values("system").to_dict("records")
    names = "; ".join(f"{row['label']} ({row['left_out']})" for row in rows)
    return [f"Left out: {names}. Table x1 says more."]


def nothing_recorded(system: str) -> Finding:
    """Return the finding that a language model has no replies to replay for these materials."""
    return Finding(
        "config.yaml",
        "/systems",
        "nothing_recorded",
        "warning",
        f"the system {system!r} is played by a language model, llm.mode is replay, and there is no "
        "journal of its replies for these materials; ask it with llm.mode: live-missing, name the "
        "folder of its journals in llm.recorded, or leave it out of systems",
        "it is left out of the run",
    )
