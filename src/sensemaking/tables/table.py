"""A table as data: rows, columns and cells, before it is Parquet, CSV, Markdown, LaTeX or HTML."""

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Header:
    """A row or a column.

    Attributes:
        id: Its id.
        label: The label to show.
        statistic: Of a column: what its values are, with their unit, where not all columns of the
            table show the same.
    """

    id: str
    label: str
    statistic: str | None = None


@dataclass(frozen=True)
class Cell:
    """A statistic with all that must be known to judge it.

    Attributes:
        value: The statistic in the table's unit, or None.
        sd: Standard deviation of the items, or None.
        n: Items that count.
        n_missing: Items left out because their score is missing.
        ci_low: Lower end of the 95 % interval, or None.
        ci_high: Upper end of the 95 % interval, or None.
        reason: Why something is null; a cell without a value must have one.
        published: The figure printed for this cell elsewhere, or None.
        published_sd: The standard deviation printed with it, or None.
    """

    value: float | None
    sd: float | None = None
    n: int = 0
    n_missing: int = 0
    ci_low: float | None = None
    ci_high: float | None = None
    reason: str | None = None
    published: float | None = None
    published_sd: float | None = None

    def __post_init__(self) -> None:
        if self.value is None and not self.reason:
            raise ValueError("a cell without a value must say why")
        if self.published_sd is not None and self.published is None:
            raise ValueError("a printed standard deviation must stand beside a printed figure")
        numbers = (
            *(self.value, self.sd, self.ci_low, self.ci_high),
            *(self.published, self.published_sd),
        )
        if not all(math.isfinite(number) for number in numbers if number is not None):
            raise ValueError(f"a cell holds finite numbers or None, not {self}")


@dataclass(frozen=True)
class Table:
    """A complete grid of cells.

    Attributes:
        id: ``table_01`` and so on.
        title: What the table shows.
        statistic: What a value is, with its unit, in columns that do not say so themselves.
        rows: The rows in the order shown.
        columns: The columns in the order shown.
        cells: Cell by (row id, column id), for every pair.
        digits: Digits shown after the point.
        row_title: What the rows are.
        notes: Sentences to show below.
        unit_of_n: What n counts.
    """

    id: str
    title: str
    statistic: str
    rows: tuple[Header, ...]
    columns: tuple[Header, ...]
    cells: Mapping[tuple[str, str], Cell]
    digits: int
    row_title: str
    unit_of_n: str
    notes: tuple[str, ...] = field(default=())

    def __post_init__(self) -> None:
        for headers in (self.rows, self.columns):
            ids = [header.id for header in headers]
            if len(set(ids)) < len(ids):
                raise ValueError(f"{self.id}: the ids of rows and columns must differ: {ids}")
        grid = {(row.id, column.id) for row in self.rows for column in self.columns}
        missing, extra = grid - set(self.cells), set(self.cells) - grid
        if missing or extra:
            raise ValueError(
                f"{self.id}: the grid is not complete: missing {sorted(missing)}, "
                f"without a place {sorted(extra)}"
            )

    def long_rows(self) -> list[dict[str, Any]]:
        """Return the rows of the artifact ``tables``, in the order shown."""
        return [
            {
                "table": self.id,
                "row_id": row.id,
                "row_label": row.label,
                "column_id": column.id,
                "column_label": column.label,
                "statistic": column.statistic or self.statistic,
                **vars(self.cells[row.id, column.id]),
            }
            for row in self.rows
            for column in self.columns
        ]

    @property
    def labels(self) -> list[str]:
        """The head of the table as shown: what the rows are, then the column labels."""
        return [self.row_title, *(column.label for column in self.columns)]

    def shown_rows(self) -> list[list[str]]:
        """Return the cells as texts to show, each row with its label first."""
        return [
            [row.label, *(self._text(self.cells[row.id, column.id]) for column in self.columns)]
            for row in self.rows
        ]

    def shown_notes(self) -> list[str]:
        """Return the legend, the notes, and one note for each reason of an empty cell."""
        shown = self.cells.values()
        parts = [self.statistic]
        if any(cell.sd is not None for cell in shown):
            parts.append("± standard deviation")
        if any(cell.published is not None for cell in shown):
            parts.append("[published figure]")
        missing = "; missing: left out" if any(cell.n_missing for cell in shown) else ""
        legend = f"Cells: {' '.join(parts)} (n: {self.unit_of_n}{missing})."
        reasons = Counter(cell.reason for cell in shown if cell.value is None)
        empty = [
            f"–: {reason} ({count} cell{'s' if count > 1 else ''})."
            for reason, count in sorted(reasons.items(), key=lambda item: str(item[0]))
        ]
        return [legend, *self.notes, *empty]

    def _text(self, cell: Cell) -> str:
        if cell.value is None:
            text = "–"
        else:
            # z: what rounds to 0 has no sign.
            text = f"{cell.value:z.{self.digits}f}"
            if cell.sd is not None:
                text += f" ± {cell.sd:z.{self.digits}f}"
        if cell.published is not None:
            # As printed: no digit is added or lost.
            spread = "" if cell.published_sd is None else f" ± {cell.published_sd:.15g}"
            text += f" [{cell.published:.15g}{spread}]"
        missing = f"; {cell.n_missing} missing" if cell.n_missing else ""
        return f"{text} ({cell.n}{missing})"
