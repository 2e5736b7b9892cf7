"""All systems of a run: the configured ones, the experts, and teams found in the materials."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

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
    rows = [dict(row) for row in configured]
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
            }
        )
    return rows
