"""A table as Markdown, CSV, LaTeX and HTML, with every text escaped for its format."""

import csv
import html
import io
import re
from typing import Any

import great_tables
import pandas as pd
from great_tables import GT
from tabulate import tabulate

from sensemaking.tables.table import Table

_LINE_BREAK = re.compile(r"\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f\ud800-\udfff]")
_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "±": r"$\pm$",
    **{character: f"\\{character}" for character in "&%$#_{}"},
}
# Two of these in a row print as one other character, and so do ?` and !`.
_LATEX_LIGATURE = re.compile(r"([-<>,`'])(?=\1)|[?!](?=`)")


def to_markdown(table: Table) -> str:
    """Return a GitHub-flavoured Markdown table with its title and notes."""
    grid = tabulate(
        [[_markdown_text(text) for text in row] for row in table.shown_rows()],
        headers=[_markdown_text(label) for label in table.labels],
        tablefmt="github",
        disable_numparse=True,
        colalign=("left", *("right" for _ in table.columns)),
    )
    notes = "\n".join(f"* {_markdown_text(note)}" for note in table.shown_notes())
    return f"**{_markdown_text(table.title)}**\n\n{grid}\n\n{notes}\n"


def to_csv(table: Table) -> str:
    """Return the table as shown as CSV (RFC 4180 quoting, ``\\n`` line ends).

    Cells are texts; a reader must be told not to take labels such as NA for missing values.
    """
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    for row in (table.labels, *table.shown_rows()):
        writer.writerow([_LINE_BREAK.sub("\n", _clean(text)) for text in row])
    return buffer.getvalue()


def to_latex(table: Table) -> str:
    """Return a LaTeX ``table`` with booktabs rules, its caption and its notes.

    It needs the packages booktabs and, for characters such as ``<`` and ``|``, fontenc with T1;
    for labels in other scripts than Latin an engine that knows them, such as LuaLaTeX.
    """
    shown = pd.DataFrame(table.shown_rows(), columns=range(len(table.labels)), dtype=object)
    text: str = (
        shown.style.hide(axis="index")
        .format(lambda cell: _latex_text(str(cell)))
        .format_index(lambda number: _latex_text(table.labels[int(str(number))]), axis="columns")
        .to_latex(
            hrules=True,
            column_format="l" + "r" * len(table.columns),
            caption=_latex_text(f"{table.title}. {' '.join(table.shown_notes())}"),
            label=f"tab:{table.id.removeprefix('table_')}",
            position="t",
            position_float="centering",
        )
    )
    return f"% needs \\usepackage{{booktabs}} and \\usepackage[T1]{{fontenc}}\n{text}"


def to_html(table: Table) -> str:
    """Return an HTML fragment: the table with its title and notes, styled on its own."""
    # Column numbers for names, since labels may occur twice.
    names = [f"column_{number}" for number in range(len(table.labels))]
    rows = [[_clean(text) for text in row] for row in table.shown_rows()]
    first, *others = names
    labels = {name: _html(column.label) for name, column in zip(others, table.columns, strict=True)}
    shown = (
        GT(pd.DataFrame(rows, columns=names, dtype=object), rowname_col=first, id=table.id)
        .tab_header(title=_html(table.title))
        .tab_stubhead(_html(table.row_title))
        .cols_label(labels)
        .cols_align("right", columns=others)
    )
    for note in table.shown_notes():
        shown = shown.tab_source_note(_html(note))
    fragment: str = shown.as_raw_html()
    return fragment.strip() + "\n"


def _clean(text: str) -> str:
    """Return the text with U+FFFD for characters that none of the formats can hold."""
    return _CONTROL.sub("\ufffd", text)


def _markdown_text(text: str) -> str:
    escaped = html.escape(_clean(text), quote=False)
    # Backslashes before a pipe would undo the one that escapes it.
    escaped = re.sub(r"(\\*)\|", lambda match: f"{match[1]}{match[1]}\\|", escaped)
    return _LINE_BREAK.sub("<br>", escaped)


def _latex_text(text: str) -> str:
    line = re.sub(r"\s*\n\s*", " ", _LINE_BREAK.sub("\n", _clean(text)))
    divided = _LATEX_LIGATURE.sub(lambda match: f"{match[0]}\0", line)
    escaped = "".join(_LATEX.get(character, character) for character in divided)
    # At the start of a row, [ and * would belong to the command before it.
    guard = "{}" if line.startswith(("[", "*")) else ""
    return guard + escaped.replace("\0", "{}")


def _html(text: str) -> Any:
    """Return a label as finished HTML, since great_tables escapes only what is in cells."""
    escaped = _LINE_BREAK.sub("<br>", html.escape(_clean(text)))
    # Double braces are its notation of units.
    return great_tables.html(escaped.replace("{", "&#123;"))
