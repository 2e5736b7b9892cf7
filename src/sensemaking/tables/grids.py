"""Tables 1 to 3 and 6 to 8 from estimates: systems by kinds, and systems by systems."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from sensemaking.scoring.estimates import ALL
from sensemaking.systems import in_tables
from sensemaking.tables.catalogue import Entry
from sensemaking.tables.published import Published
from sensemaking.tables.table import Cell, Header, Table

SAME_SYSTEM = "the system itself"


@dataclass(frozen=True)
class KindColumn:
    """A kind with its sub-kinds, as columns.

    Attributes:
        kind: The kind's id.
        label: Its label.
        sub_kinds: Sub-kind id to label.
    """

    kind: str
    label: str
    sub_kinds: Mapping[str, str]


def systems_of(systems: pd.DataFrame, role: str) -> pd.DataFrame:
    """Return the systems of a role that stand in the tables, sorted by id."""
    return in_tables(systems, role).sort_values("system").reset_index(drop=True)


def by_kind(
    entry: Entry,
    estimates: pd.DataFrame,
    systems: pd.DataFrame,
    kinds: Sequence[KindColumn],
    *,
    statistic: str,
    unit_of_n: str,
    digits: int,
    scale: float = 1.0,
    published: Published | None = None,
    notes: Sequence[str] = (),
) -> Table:
    """Return a table of systems by kinds, sub-kinds and all; best system first.

    Args:
        entry: The table's entry in the catalogue.
        estimates: Rows of ``estimates`` of one subset and metric; larger is better.
        systems: Rows of ``systems`` to show.
        kinds: The kinds in order.
        statistic: What a cell is.
        unit_of_n: What n counts.
        digits: Digits after the point.
        scale: Factor from the estimate's unit to that of the table.
        published: Figures printed elsewhere.
        notes: Sentences to show below.

    Raises:
        ValueError: There are two estimates of one cell.
    """
    columns = []
    for kind in kinds:
        columns.append((Header(kind.kind, kind.label), (kind.kind, ALL)))
        columns += [
            (Header(f"{kind.kind}/{sub_kind}", label), (kind.kind, sub_kind))
            for sub_kind, label in kind.sub_kinds.items()
        ]
    columns.append((Header(ALL, "All"), (ALL, ALL)))
    found = _unique(estimates, ["system", "kind", "sub_kind"])
    labels = _published_labels(systems)
    cells = {
        (system, header.id): _cell(
            found.get((system, *group)),
            scale,
            _published(published, labels.get(system), {header.id, header.label}),
        )
        for system in systems["system"]
        for header, group in columns
    }
    rows = sorted(
        (Header(row["system"], row["label"]) for row in systems.to_dict("records")),
        key=lambda header: (_worst_last(cells[header.id, ALL].value), header.id),
    )
    return Table(
        id=entry.id,
        title=entry.title,
        statistic=statistic,
        rows=tuple(rows),
        columns=tuple(header for header, _ in columns),
        cells=cells,
        digits=digits,
        row_title="System",
        unit_of_n=unit_of_n,
        notes=tuple(notes),
    )


def by_pair(
    entry: Entry,
    correlations: pd.DataFrame,
    systems: pd.DataFrame,
    *,
    statistic: str,
    unit_of_n: str,
    digits: int,
    published: Published | None = None,
    notes: Sequence[str] = (),
) -> Table:
    """Return a square table of systems by systems.

    Args:
        entry: The table's entry in the catalogue.
        correlations: Rows of ``estimates/correlations`` of one subset and metric.
        systems: Rows of ``systems`` to show.
        statistic: What a cell is.
        unit_of_n: What n counts.
        digits: Digits after the point.
        published: Figures printed elsewhere.
        notes: Sentences to show below.

    Raises:
        ValueError: There are two estimates of one cell.
    """
    found = _unique(correlations, ["system", "versus"])
    labels = _published_labels(systems)
    headers = [Header(row["system"], row["label"]) for row in systems.to_dict("records")]
    cells = {}
    for row in headers:
        for column in headers:
            if row == column:
                cells[row.id, column.id] = Cell(None, reason=SAME_SYSTEM)
                continue
            # A printed correlation is that of the pair, whichever of the two heads the row.
            printed = _published(published, labels.get(row.id), {labels.get(column.id)})
            if printed is None:
                printed = _published(published, labels.get(column.id), {labels.get(row.id)})
            cells[row.id, column.id] = _cell(found.get((row.id, column.id)), 1.0, printed)
    return Table(
        id=entry.id,
        title=entry.title,
        statistic=statistic,
        rows=tuple(headers),
        columns=tuple(headers),
        cells=cells,
        digits=digits,
        row_title="System",
        unit_of_n=unit_of_n,
        notes=tuple(notes),
    )


def _unique(estimates: pd.DataFrame, key: list[str]) -> dict[tuple[Any, ...], dict[Any, Any]]:
    """Return rows by key; of two, either could be meant, so neither is taken."""
    twice = estimates[estimates.duplicated(key)]
    if len(twice):
        found = ", ".join(f"{name}={twice.iloc[0][name]!r}" for name in key)
        raise ValueError(f"two estimates of {found}; expected those of one subset and metric")
    return {tuple(row[name] for name in key): row for row in estimates.to_dict("records")}


def _cell(row: Mapping[Any, Any] | None, scale: float, published: float | None) -> Cell:
    if row is None:
        return Cell(None, reason="not estimated", published=published)
    numbers = {
        name: None if pd.isna(row[source]) else float(row[source]) * scale
        for name, source in (
            ("value", "mean"),
            ("sd", "sd"),
            ("ci_low", "ci_low"),
            ("ci_high", "ci_high"),
        )
    }
    return Cell(
        **numbers,
        n=int(row["n"]),
        n_missing=int(row["n_missing"]),
        reason=None if pd.isna(row["reason"]) else str(row["reason"]),
        published=published,
    )


def _published_labels(systems: pd.DataFrame) -> dict[str, str]:
    return {
        row["system"]: row["published_label"]
        for row in systems.to_dict("records")
        if isinstance(row["published_label"], str)
    }


def _published(
    published: Published | None, row: str | None, columns: set[str | None]
) -> float | None:
    if not published or row is None:
        return None
    for column in sorted(name for name in columns if name is not None):
        if (row, column) in published:
            return published[row, column]
    return None


def _worst_last(value: float | None) -> float:
    return float("inf") if value is None else -value
