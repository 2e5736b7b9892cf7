"""A table in all its formats on disk."""

from collections.abc import Mapping
from pathlib import Path

from sensemaking.io import artifacts
from sensemaking.io.files import write_text
from sensemaking.schemas import TABLES
from sensemaking.tables import render
from sensemaking.tables.table import Table

_FORMATS = {
    "md": render.to_markdown,
    "csv": render.to_csv,
    "tex": render.to_latex,
    "html": render.to_html,
}


def write_table(table: Table, outputs: Mapping[str, str | Path]) -> None:
    """Write a table as Parquet (long form) and as Markdown, CSV, LaTeX and HTML.

    Args:
        table: The table.
        outputs: Format (parquet, md, csv, tex, html) to path; all five.
    """
    artifacts.write(TABLES, outputs["parquet"], table.long_rows())
    for name, to_text in _FORMATS.items():
        write_text(outputs[name], to_text(table))
