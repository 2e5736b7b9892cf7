"""Table x1: what was submitted, repaired and refused, and why."""

from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd

from sensemaking.scoring.estimates import ALL
from sensemaking.tables.catalogue import Entry
from sensemaking.tables.table import Cell, Header, Table

NO_SUBMISSION = "no submission"

_COUNTS = {
    "items": ("Items", "n_items", "items in the file"),
    "repaired": ("Repaired", "n_repaired", "items that depend on a repair"),
    "refused": ("Refused", "n_refused", "items that could not be used"),
    "excluded": ("Excluded", "n_excluded", "items left out on all sides"),
    "rescaled": ("Ratings × 100", "n_rescaled", "ratings multiplied by 100"),
    "expected": ("Expected", "n_expected", "items (Teachers: sections) asked for"),
    "valid": ("Valid", "n_valid", "items (Teachers: sections) that can be used"),
}
_ROLES = ("teacher", "student", "evaluator")


def submissions_table(
    entry: Entry,
    submissions: pd.DataFrame,
    findings: pd.DataFrame,
    policy: str,
    min_valid_share: float,
) -> Table:
    """Return table x1: a row for each submission, and all together.

    Args:
        entry: The table's entry in the catalogue.
        submissions: Rows of ``validation/submissions``.
        findings: Rows of ``validation/findings`` of the submissions.
        policy: What repaired items count as.
        min_valid_share: The least share of valid items of a submission in the tables.
    """
    order = {role: place for place, role in enumerate(_ROLES)}
    records: list[dict[Any, Any]] = sorted(
        submissions.to_dict("records"), key=lambda row: (order[row["role"]], row["system"])
    )
    errors = findings[(findings["severity"] == "error") & findings["file"].isin(_files(records))]
    codes = sorted(set(errors["code"]))
    reasons = errors.groupby(["file", "code"]).size().to_dict()
    columns = [
        Header("files", "Files", "files"),
        *(Header(name, label, what) for name, (label, _, what) in _COUNTS.items()),
        Header("missing", "Missing", "items (Teachers: sections) asked for and not usable"),
        Header("share", "Valid %", "percent of the expected that is valid"),
        Header("in_tables", "In tables", "submissions that stand in the tables"),
        *(Header(f"refused/{code}", code, "findings of severity error") for code in codes),
    ]
    cells: dict[tuple[str, str], Cell] = {}
    groups = [(row["system"], [row]) for row in records]
    for name, group in (*groups, (ALL, records)):
        own = [row for row in group if isinstance(row["file"], str)]
        count = _counter(own, group)
        for column, (_, source, _) in _COUNTS.items():
            cells[name, column] = count(sum(row[source] for row in own))
        n_expected, n_valid = (sum(row[key] for row in own) for key in ("n_expected", "n_valid"))
        cells[name, "files"] = Cell(float(len(own)), n=len(own))
        cells[name, "missing"] = count(n_expected - n_valid)
        cells[name, "share"] = (
            count(100 * n_valid / n_expected)
            if n_expected
            else Cell(None, n=len(own), reason="nothing was asked" if own else _why(group))
        )
        cells[name, "in_tables"] = count(sum(bool(row["in_tables"]) for row in own))
        for code in codes:
            found = sum(int(reasons.get((row["file"], code), 0)) for row in own)
            cells[name, f"refused/{code}"] = count(found)
    return Table(
        id=entry.id,
        title=entry.title,
        statistic="counts; percent in Valid %",
        rows=(
            *(Header(row["system"], f"{row['label']} ({row['role']})") for row in records),
            Header(ALL, "All"),
        ),
        columns=tuple(columns),
        cells=cells,
        digits=0,
        row_title="Submission",
        unit_of_n="files",
        notes=tuple(_notes(records, policy, min_valid_share)),
    )


def _files(records: Sequence[dict[Any, Any]]) -> set[str]:
    return {row["file"] for row in records if isinstance(row["file"], str)}


def _counter(
    own: Sequence[dict[Any, Any]], group: Sequence[dict[Any, Any]]
) -> Callable[[float], Cell]:
    def count(value: float) -> Cell:
        if not own:
            return Cell(None, reason=_why(group))
        return Cell(float(value), n=len(own))

    return count


def _why(group: Sequence[dict[Any, Any]]) -> str:
    return str(group[0]["status"]) if len(group) == 1 else NO_SUBMISSION


def _notes(records: Sequence[dict[Any, Any]], policy: str, min_valid_share: float) -> list[str]:
    counted = {
        "apply": "count as repaired",
        "exclude": "are left out on all sides",
        "refuse": "count as not given",
    }
    notes = [
        "Items of Teachers are questions, of Students answers, of Evaluators the ratings of one "
        f"question's answers. Repaired items {counted[policy]} (repairs: {policy}). The last "
        "columns count findings by their code; docs/submissions.md explains each, and "
        "results/validation lists every finding and repair."
    ]
    left = "; ".join(
        f"{row['label']} ({row['role']}): {row['status']}"
        for row in records
        if not row["in_tables"]
    )
    if left:
        notes.append(f"Not in the tables (least valid share {min_valid_share:g}): {left}.")
    return notes
