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


def read_published_judges(path: str | Path) -> Published:
    """Return the figures printed for judges, by judge and column.

    Args:
        path: CSV with the column judge and a column for each figure; an empty cell is none.

    Raises:
        ValueError: There is no column judge, a judge stands there twice, or a value is no finite
            number.
    """
    frame = pd.read_csv(path, dtype=str, keep_default_na=False, encoding="utf-8-sig")
    if "judge" not in frame.columns:
        raise ValueError(f"{path}: the column judge is missing")
    found: dict[tuple[str, str], float] = {}
    lines: dict[str, int] = {}
    for number, row in enumerate(frame.to_dict("records"), start=2):
        judge = nfc(str(row["judge"]))
        if lines.setdefault(judge, number) != number:
            raise ValueError(f"{path}, line {number}: {judge!r} stands in line {lines[judge]} too")
        for column, text in row.items():
            if column == "judge" or not str(text).strip():
                continue
            try:
                value = float(text)
            except ValueError:
                value = math.nan
            if not math.isfinite(value):
                raise ValueError(f"{path}, line {number}: {column} is {text!r}, no number")
            found[judge, str(column)] = value
    return found
