"""Tables as Markdown, LaTeX, HTML, CSV and Parquet, whatever stands in their cells."""

import csv
import io
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from table_making import table

from sensemaking.io import artifacts
from sensemaking.io.table_files import write_table
from sensemaking.schemas import TABLES
from sensemaking.tables.render import to_csv, to_html, to_latex, to_markdown
from sensemaking.tables.table import Cell, Table

ROOT = Path(__file__).parents[2]
CASE = ["left | right", "a\nb", "m_1", "50%", "<b>", "`x|y`"]
IN_MARKDOWN = ["left \\| right", "a<br>b", "m_1", "50%", "&lt;b&gt;", "`x\\|y`"]
IN_LATEX = ["left | right", "a b", "m\\_1", "50\\%", "<b>", "`x|y`"]
LABELS = st.text(
    st.sampled_from("ab|\\`*_{}[]<>&%$#^~\"'-?!\n\r\t±éЖ\u2028") | st.characters(), max_size=8
)


def markdown_rows(text: str) -> list[list[str]]:
    """Cells of each line of the table, divided at the pipes that are not escaped."""
    lines = [line for line in text.split("\n") if line.startswith("|")]
    return [
        [cell.strip() for cell in re.split(r"(?<!\\)(?:\\\\)*\|", line)[1:-1]] for line in lines
    ]


def latex_rows(text: str) -> list[list[str]]:
    body = text.split("\\toprule\n")[1].split("\\bottomrule")[0]
    lines = [line for line in body.split("\n") if line and not line.startswith("\\midrule")]
    return [re.split(r" & ", line.removesuffix(" \\\\")) for line in lines]


class Cells(HTMLParser):
    """The texts of the cells of an HTML table by row, and whether every tag is closed."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.rows: list[list[str]] = []
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        if tag == "br":
            self.rows[-1][-1] += "\n"
            return
        if tag in ("meta", "link"):
            return
        self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "td" in self.open or "th" in self.open:
            self.rows[-1][-1] += data


def rendered(text: str) -> list[list[str]]:
    """The table of a Markdown text as a renderer shows it, by row."""
    html_text = MarkdownIt("commonmark").enable("table").render(text)
    return Cells(html_text).rows


# pq-05


@pytest.mark.parametrize(
    ("text", "markdown", "latex"), [*zip(CASE, IN_MARKDOWN, IN_LATEX, strict=True)]
)
def test_a_text_is_escaped_for_each_format(text: str, markdown: str, latex: str) -> None:
    shown = table([text], [text], row_title=text)
    assert markdown_rows(to_markdown(shown))[0] == [markdown, markdown]
    assert markdown_rows(to_markdown(shown))[2][0] == markdown
    assert latex_rows(to_latex(shown)) == [[latex, latex], [latex, "0.00 (3)"]]
    assert list(csv.reader(io.StringIO(to_csv(shown)))) == [[text, text], [text, "0.00 (3)"]]
    assert Cells(to_html(shown)).rows[1:3] == [[text, text], [text, "0.00 (3)"]]


def test_texts_around_the_table_are_escaped_too() -> None:
    shown = table(["x"], ["y"], title="\n".join(CASE), notes=CASE, unit_of_n="<i>", statistic="50%")
    markdown = to_markdown(shown)
    assert f"**{'<br>'.join(IN_MARKDOWN)}**" in markdown
    for note in IN_MARKDOWN:
        assert f"\n* {note}\n" in markdown
    latex = to_latex(shown)
    assert " ".join(IN_LATEX) in latex
    assert "Cells: 50\\% (n: <i>)." in latex
    cells = Cells(to_html(shown))
    assert cells.rows[0] == ["\n".join(CASE)]
    assert [row[0] for row in cells.rows[3:]] == ["Cells: 50% (n: <i>).", *CASE]
    assert "b" not in cells.tags
    assert "i" not in cells.tags


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        # A backslash before a pipe must not undo the one that escapes it.
        ("a\\|b", "a\\\\\\|b"),
        ("a\\\\|b", "a\\\\\\\\\\|b"),
        ("||", "\\|\\|"),
        ("a\r\nb", "a<br>b"),
        ("a\rb\u2028c", "a<br>b<br>c"),
        ("AT&T", "AT&amp;T"),
        ("&lt;", "&amp;lt;"),
        ("C:\\x", "C:\\x"),
        ("\x1b[31m", "\ufffd[31m"),
    ],
)
def test_other_texts_that_would_break_a_markdown_table_are_escaped(
    text: str, markdown: str
) -> None:
    shown = to_markdown(table([text], ["c"]))
    assert f"| {markdown} " in shown
    assert len([line for line in shown.split("\n") if line.startswith("|")]) == 3


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("\\x", "\\textbackslash{}x"),
        ("a & b", "a \\& b"),
        ("$1", "\\$1"),
        ("#1", "\\#1"),
        ("{x}", "\\{x\\}"),
        ("a~b^c", "a\\textasciitilde{}b\\textasciicircum{}c"),
        ("1 ± 2", "1 $\\pm$ 2"),
        # After \\ these would be its argument or its star.
        ("[x]", "{}[x]"),
        ("*x", "{}*x"),
        ("a [x] *", "a [x] *"),
        # Pairs that print as one other character.
        ("a--b", "a-{}-b"),
        ("---", "-{}-{}-"),
        ("<<a>>", "<{}<a>{}>"),
        ("``a''", "`{}`a'{}'"),
        (",,a", ",{},a"),
        ("?`", "?{}`"),
        ("a\r\n\u2028 b", "a b"),
    ],
)
def test_other_texts_that_latex_would_take_for_commands_are_escaped(text: str, latex: str) -> None:
    assert f"\n{latex} & 0.00 (3) \\\\\n" in to_latex(table([text], ["c"]))


@settings(deadline=None, max_examples=60)
@given(st.lists(LABELS, min_size=1, max_size=3), st.lists(LABELS, min_size=1, max_size=3))
def test_every_row_has_as_many_cells_as_the_head_in_every_format(
    rows: list[str], columns: list[str]
) -> None:
    shown = table(rows, columns)
    width = len(columns) + 1
    markdown = rendered(to_markdown(shown))
    assert [len(row) for row in markdown] == [width] * (len(rows) + 1)
    records = list(csv.reader(io.StringIO(to_csv(shown), newline="")))
    assert [len(row) for row in records] == [width] * (len(rows) + 1)
    html_rows = Cells(to_html(shown)).rows[1 : len(rows) + 2]
    assert [len(row) for row in html_rows] == [width] * (len(rows) + 1)
    latex = to_latex(shown)
    body = latex.split("\\toprule\n")[1].split("\\bottomrule")[0]
    lines = [line for line in body.split("\n") if line and line != "\\midrule"]
    assert len(lines) == len(rows) + 1
    for line in lines:
        assert len(re.findall(r"(?<!\\)&", line)) == width - 1
        assert line.endswith(" \\\\")
    for text in (to_markdown(shown), to_csv(shown), latex, to_html(shown)):
        text.encode("utf-8")


@settings(deadline=None, max_examples=60)
@given(st.text(st.characters(exclude_categories=["C", "Zl", "Zp"]), max_size=12))
def test_html_and_csv_show_every_text_as_it_is(text: str) -> None:
    shown = table([text], [text], notes=[text])
    cells = Cells(to_html(shown)).rows
    assert cells[1][1] == text
    assert cells[2][0] == text
    assert cells[4][0] == text
    assert next(csv.reader(io.StringIO(to_csv(shown), newline="")))[1] == text


@pytest.mark.parametrize("text", ["a | b", "<b>x</b>", "AT&T", "&amp;", "a\\|b", "50 % of m_1"])
def test_a_renderer_shows_a_markdown_label_as_it_is(text: str) -> None:
    assert rendered(to_markdown(table([text], [text])))[0][1] == text
    assert rendered(to_markdown(table([text], [text])))[1][0] == text


# sub-06


def test_teams_with_the_names_of_missing_values_keep_their_rows_in_every_format(
    tmp_path: Path,
) -> None:
    teams = ["NA", "null", "None", "nan", "007", "1e5", "True", ""]
    shown = table(teams, ["NA", "007"])
    (tmp_path / "t.csv").write_text(to_csv(shown), encoding="utf-8")
    read = pd.read_csv(tmp_path / "t.csv", dtype=str, keep_default_na=False)
    assert list(read["System"]) == teams
    assert list(read.columns) == ["System", "NA", "007"]
    assert len(read.groupby("System")) == len(teams)
    assert [row[0] for row in markdown_rows(to_markdown(shown))[2:]] == teams
    assert [row[0] for row in latex_rows(to_latex(shown))[1:]] == teams
    assert [row[0] for row in Cells(to_html(shown)).rows[2:10]] == teams


def test_labels_that_occur_twice_stay_apart() -> None:
    shown = table(["same", "same"], ["both", "both", "System"])
    expected = [
        ["System", "both", "both", "System"],
        ["same", "0.00 (3)", "0.10 (3)", "0.20 (3)"],
        ["same", "1.00 (3)", "1.10 (3)", "1.20 (3)"],
    ]
    assert list(csv.reader(io.StringIO(to_csv(shown)))) == expected
    assert latex_rows(to_latex(shown)) == expected
    assert Cells(to_html(shown)).rows[1:4] == expected
    markdown = markdown_rows(to_markdown(shown))
    assert [markdown[0], *markdown[2:]] == expected


def test_a_table_without_rows_has_its_head_in_every_format(tmp_path: Path) -> None:
    shown = table([], ["a", "b"])
    assert to_csv(shown) == "System,a,b\n"
    assert markdown_rows(to_markdown(shown))[0] == ["System", "a", "b"]
    assert latex_rows(to_latex(shown)) == [["System", "a", "b"]]
    assert Cells(to_html(shown)).rows[1] == ["System", "a", "b"]
    outputs = {name: tmp_path / name for name in ("parquet", "md", "csv", "tex", "html")}
    write_table(shown, outputs)
    assert len(artifacts.read(TABLES, outputs["parquet"])) == 0


def test_a_latex_table_has_its_rules_caption_and_label() -> None:
    text = to_latex(table(["x"], ["a", "b"]))
    lines = text.split("\n")
    assert lines[0] == "% needs \\usepackage{booktabs} and \\usepackage[T1]{fontenc}"
    assert lines[1:7] == [
        "\\begin{table}[t]",
        "\\centering",
        "\\caption{Title. Cells: mean (n: sections).}",
        "\\label{tab:07}",
        "\\begin{tabular}{lrr}",
        "\\toprule",
    ]
    assert lines[-3:] == ["\\end{tabular}", "\\end{table}", ""]
    assert text.count("{") - text.count("\\{") == text.count("}") - text.count("\\}")


@pytest.mark.parametrize("render", [to_markdown, to_csv, to_latex, to_html])
def test_a_table_is_rendered_alike_each_time(render: Callable[[Table], str]) -> None:
    shown = table(CASE, CASE)
    assert render(shown) == render(shown)
    assert render(shown).endswith("\n")


# Cells


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        (Cell(1.005, n=4), "1.00 (4)"),
        (Cell(12.345, sd=0.678, n=40), "12.35 ± 0.68 (40)"),
        (Cell(None, n=0, reason="no items"), "– (0)"),
        (Cell(None, n=0, n_missing=3, reason="failed"), "– (0; 3 missing)"),
        (Cell(2.0, n=5, n_missing=1), "2.00 (5; 1 missing)"),
        (Cell(2.0, n=5, published=1.48), "2.00 [1.48] (5)"),
        (Cell(2.0, n=5, published=65.0), "2.00 [65] (5)"),
        (Cell(2.0, n=5, published=1234567.25), "2.00 [1234567.25] (5)"),
        (Cell(2.0, n=5, published=-0.21), "2.00 [-0.21] (5)"),
        (Cell(None, n=0, reason="no items", published=0.3), "– [0.3] (0)"),
        # What rounds to nothing has no sign.
        (Cell(-0.001, sd=0.0, n=2), "0.00 ± 0.00 (2)"),
        (Cell(-1.0, n=2), "-1.00 (2)"),
    ],
)
def test_a_cell_shows_value_spread_published_figure_and_counts(cell: Cell, expected: str) -> None:
    shown = table(["x"], ["c"], lambda row, column: cell)
    assert shown.shown_rows() == [["x", expected]]


def test_the_legend_says_what_stands_in_the_cells_and_why_some_are_empty() -> None:
    cells = [
        Cell(1.0, sd=0.5, n=3, published=2.0),
        Cell(None, reason="no items"),
        Cell(None, reason="failed", n_missing=2),
        Cell(None, reason="no items"),
    ]
    shown = table(["x"], list("abcd"), lambda row, column: cells[column], notes=("A note.",))
    assert shown.shown_notes() == [
        "Cells: mean ± standard deviation [published figure] (n: sections; missing: left out).",
        "A note.",
        "–: failed (1 cell).",
        "–: no items (2 cells).",
    ]
    plain = table(["x"], ["a"])
    assert plain.shown_notes() == ["Cells: mean (n: sections)."]


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), float("-inf")])
@pytest.mark.parametrize("field", ["value", "sd", "ci_low", "ci_high", "published"])
def test_no_cell_holds_what_is_no_number(field: str, bad: float) -> None:
    with pytest.raises(ValueError, match="finite numbers or None"):
        Cell(**{"value": 1.0, field: bad})


@pytest.mark.parametrize("reason", [None, ""])
def test_a_cell_without_a_value_must_say_why(reason: str | None) -> None:
    with pytest.raises(ValueError, match="must say why"):
        Cell(None, reason=reason)


def test_a_table_is_a_complete_grid_of_different_rows_and_columns() -> None:
    good = table(["x"], ["a"])
    values: dict[str, Any] = {**vars(good)}
    for cells in ({}, {**good.cells, ("r9", "c0"): Cell(1.0)}):
        with pytest.raises(ValueError, match="table_07: the grid is not complete"):
            Table(**{**values, "cells": cells})
    for name in ("rows", "columns"):
        with pytest.raises(ValueError, match="the ids of rows and columns must differ"):
            Table(**{**values, name: (*values[name], *values[name])})


def test_the_artifact_has_a_row_for_each_cell_in_the_order_shown(tmp_path: Path) -> None:
    cells = {
        (0, 0): Cell(1.0, 0.5, 3, 1, 0.5, 1.5, None, 2.0),
        (0, 1): Cell(None, reason="no items"),
        (1, 0): Cell(2.0, n=1, reason="below 5 clusters"),
        (1, 1): Cell(0.0, n=2),
    }
    shown = table(["NA", "NA"], ["first", "second"], lambda row, column: cells[row, column])
    outputs = {name: tmp_path / "t" / name for name in ("parquet", "md", "csv", "tex", "html")}
    write_table(shown, outputs)
    read = artifacts.read(TABLES, outputs["parquet"]).to_dict("records")
    assert [(r["row_id"], r["column_id"]) for r in read] == [
        *(("r0", "c0"), ("r0", "c1"), ("r1", "c0"), ("r1", "c1")),
    ]
    first: dict[str, Any] = {
        "table": "table_07",
        "row_id": "r0",
        "row_label": "NA",
        "column_id": "c0",
        "column_label": "first",
        "statistic": "mean",
        "value": 1.0,
        "sd": 0.5,
        "n": 3,
        "n_missing": 1,
        "ci_low": 0.5,
        "ci_high": 1.5,
        "published": 2.0,
    }
    assert first.items() <= read[0].items()
    assert [pd.isna(r["value"]) for r in read] == [False, True, False, False]
    assert [None if pd.isna(r["reason"]) else r["reason"] for r in read] == [
        *(None, "no items", "below 5 clusters", None),
    ]
    for name, render in (
        ("md", to_markdown),
        ("csv", to_csv),
        ("tex", to_latex),
        ("html", to_html),
    ):
        assert outputs[name].read_bytes() == render(shown).encode()
