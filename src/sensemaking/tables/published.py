"""Figures printed elsewhere, to stand beside the run's own."""

import math
from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from sensemaking.ids import nfc

Published = Mapping[tuple[str, str], float]
"""(row, column) as printed, NFC, to the figure."""


def read_published(path: str | Path, table_number: str) -> Published:
    """Return the figures printed for a table.

    Args:
        path: CSV with the columns table, row, column, statistic, value, note.
        table_number: The table as printed, such as ``"8"``.

    Raises:
        ValueError: A column is missing, a value is no finite number, or a cell has two figures.
    """
    frame = pd.read_csv(path, dtype=str, keep_default_na=False, encoding="utf-8-sig")
    missing = {"table", "row", "column", "value"} - set(frame.columns)
    if missing:
        raise ValueError(f"{path}: the columns {', '.join(sorted(missing))} are missing")
    own = frame[frame["table"] == table_number]
    found: dict[tuple[str, str], float] = {}
    for number, row in own.to_dict("index").items():
        cell = (nfc(row["row"]), nfc(row["column"]))
        try:
            value = float(row["value"])
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            fault = f"the value {row['value']!r} is no number"
        elif cell in found:
            fault = f"the row {cell[0]!r} and column {cell[1]!r} have a figure already"
        else:
            found[cell] = value
            continue
        # The head of the file is line 1.
        raise ValueError(f"{path}, line {int(str(number)) + 2}: {fault}")
    return found
