"""A small table for tests."""

from collections.abc import Callable
from typing import Any

from sensemaking.tables.table import Cell, Header, Table


def table(
    rows: list[str],
    columns: list[str],
    cell: Callable[[int, int], Cell] = lambda row, column: Cell(row + column / 10, n=3),
    **values: Any,
) -> Table:
    """A table with these labels; ids are numbers, so labels may repeat."""
    row_headers = tuple(Header(f"r{n}", label) for n, label in enumerate(rows))
    column_headers = tuple(Header(f"c{n}", label) for n, label in enumerate(columns))
    settings: dict[str, Any] = {
        "id": "table_07",
        "title": "Title",
        "statistic": "mean",
        "row_title": "System",
        "unit_of_n": "sections",
        "digits": 2,
    }
    return Table(
        rows=row_headers,
        columns=column_headers,
        cells={
            (row.id, column.id): cell(i, j)
            for i, row in enumerate(row_headers)
            for j, column in enumerate(column_headers)
        },
        **{**settings, **values},
    )
