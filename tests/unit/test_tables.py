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

from sensemaking.io import artifacts
from sensemaking.io.table_files import write_table
from sensemaking.schemas import TABLES
from sensemaking.tables.catalogue import CATALOGUE, Entry, entry
from sensemaking.tables.grids import KindColumn, by_kind, by_pair, systems_of
from sensemaking.tables.published import read_published
from sensemaking.tables.render import to_csv, to_html, to_latex, to_markdown
from sensemaking.tables.table import Cell, Header, Table

ROOT = Path(__file__).parents[2]
CASE = ["left | right", "a\nb", "m_1", "50%", "<b>", "`x|y`"]
IN_MARKDOWN = ["left \\| right", "a<br>b", "m_1", "50%", "&lt;b&gt;", "`x\\|y`"]
IN_LATEX = ["left | right", "a b", "m\\_1", "50\\%", "<b>", "`x|y`"]
LABELS = st.text(
    st.sampled_from("ab|\\`*_{}[]<>&%$#^~\"'-?!\n\r\t±éЖ\u2028") | st.characters(), max_size=8
)


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


# Grids

KINDS = [KindColumn("facts", "Fact-checks", {"part": "Part"}), KindColumn("nmt", "MT class", {})]
SYSTEMS = pd.DataFrame(
    {
        "system": ["zulu", "NA", "best", "gold"],
        "role": ["student", "student", "student", "teacher"],
        "label": ["Zulu", "NA", "Best | one", "Experts"],
        "published_label": ["Z (Team)", None, "B (Team)", None],
    }
)
ENTRY = Entry("table_06", "Title", "Question?", "truth")


def estimate(system: str, kind: str, mean: float | None, **values: Any) -> dict[str, Any]:
    return {
        "system": system,
        "kind": kind,
        "sub_kind": "all",
        "mean": mean,
        "sd": 0.1,
        "n": 4,
        "n_missing": 1,
        "ci_low": None,
        "ci_high": None,
        "reason": None if mean is not None else "no items",
        **values,
    }


def grid(estimates: list[dict[str, Any]], **values: Any) -> Table:
    return by_kind(
        ENTRY,
        pd.DataFrame(estimates, columns=list(estimate("x", "y", 1.0))),
        systems_of(SYSTEMS, "student"),
        KINDS,
        statistic="mean recall x 100",
        unit_of_n="questions",
        digits=1,
        **values,
    )


def test_systems_stand_best_first_and_those_without_a_value_last() -> None:
    found = grid(
        [
            estimate("best", "all", 0.25),
            estimate("zulu", "all", 0.5),
            estimate("NA", "all", None),
        ]
    )
    assert [row.id for row in found.rows] == ["zulu", "best", "NA"]
    assert [column.label for column in found.columns] == ["Fact-checks", "Part", "MT class", "All"]
    assert [column.id for column in found.columns] == ["facts", "facts/part", "nmt", "all"]
    tied = grid([estimate(name, "all", 0.5) for name in ("zulu", "best")])
    assert [row.id for row in tied.rows] == ["best", "zulu", "NA"]


def test_estimates_are_scaled_and_absent_ones_say_so() -> None:
    found = grid([estimate("best", "facts", 0.25, ci_low=0.125, ci_high=0.5)], scale=100.0)
    assert found.cells["best", "facts"] == Cell(25.0, 10.0, 4, 1, 12.5, 50.0)
    assert found.cells["best", "nmt"] == Cell(None, reason="not estimated")
    assert len(found.cells) == 3 * 4


def test_a_sub_kind_has_a_cell_of_its_own() -> None:
    found = grid(
        [estimate("best", "facts", 0.25), estimate("best", "facts", 0.75, sub_kind="part")]
    )
    assert found.cells["best", "facts"].value == 0.25
    assert found.cells["best", "facts/part"].value == 0.75


def test_two_estimates_of_one_cell_are_refused() -> None:
    with pytest.raises(ValueError, match="two estimates of system='best', kind='all'"):
        grid([estimate("best", "all", 0.25), estimate("best", "all", 0.5)])


def test_published_figures_stand_where_system_and_column_match() -> None:
    printed = {
        ("Z (Team)", "MT class"): 1.5,
        ("B (Team)", "facts"): 2.5,
        ("NA", "All"): 3.5,
        ("Z (Team)", "other"): 4.5,
    }
    found = grid([estimate("zulu", "nmt", 0.5)], published=printed)
    shown = {key: cell.published for key, cell in found.cells.items() if cell.published}
    assert shown == {("zulu", "nmt"): 1.5, ("best", "facts"): 2.5}
    # A figure is not scaled, and it stands also where the run has none.
    assert found.cells["best", "facts"].value is None


def test_a_pair_has_the_same_published_figure_either_way_and_a_system_none_with_itself() -> None:
    rows = [
        {**estimate(a, "all", r), "versus": b}
        for a, b, r in (("best", "zulu", 0.5), ("zulu", "best", 0.5))
    ]
    found = by_pair(
        ENTRY,
        pd.DataFrame(rows),
        systems_of(SYSTEMS, "student"),
        statistic="Pearson r",
        unit_of_n="questions",
        digits=2,
        published={("Z (Team)", "B (Team)"): 0.24},
    )
    assert [row.id for row in found.rows] == ["NA", "best", "zulu"] == [c.id for c in found.columns]
    assert found.cells["zulu", "best"].published == 0.24
    assert found.cells["best", "zulu"].published == 0.24
    assert found.cells["best", "zulu"].value == 0.5
    assert found.cells["NA", "zulu"] == Cell(None, reason="not estimated")
    for name in ("NA", "best", "zulu"):
        assert found.cells[name, name] == Cell(None, reason="the system itself")


# Published figures and catalogue


def write_csv(tmp_path: Path, *lines: str, encoding: str = "utf-8") -> Path:
    path = tmp_path / "published.csv"
    head = "table,row,column,statistic,value,note"
    path.write_text("\n".join([head, *lines]) + "\n", encoding=encoding)
    return path


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_figures_of_one_table_are_read_with_names_as_they_are(
    tmp_path: Path, encoding: str
) -> None:
    path = write_csv(
        tmp_path,
        "6,NA,null,mean,1.50,",
        "6,007,None,mean,-2,a note",
        "60,NA,null,mean,3,",
        encoding=encoding,
    )
    assert read_published(path, "6") == {("NA", "null"): 1.5, ("007", "None"): -2.0}
    assert read_published(path, "7") == {}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("about 3", "'about 3' is no number"),
        ("", "'' is no number"),
        ("nan", "'nan' is no number"),
        ("inf", "'inf' is no number"),
        ("1,5", "no number"),
    ],
)
def test_a_figure_that_is_no_number_is_named_with_its_line(
    tmp_path: Path, value: str, expected: str
) -> None:
    path = write_csv(tmp_path, "6,a,b,mean,1,", f'6,c,d,mean,"{value}",')
    with pytest.raises(ValueError, match=rf"published\.csv, line 3: .*{expected}"):
        read_published(path, "6")


def test_two_figures_of_one_cell_are_refused(tmp_path: Path) -> None:
    path = write_csv(tmp_path, "6,a,b,mean,1,", "6,a,b,sd,2,")
    with pytest.raises(ValueError, match="line 3: the row 'a' and column 'b' have a figure"):
        read_published(path, "6")


def test_a_column_that_is_missing_is_named(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("table,row,value\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"p\.csv: the columns column are missing"):
        read_published(tmp_path / "p.csv", "6")


@pytest.mark.parametrize("shown", CATALOGUE, ids=lambda shown: shown.id)
def test_the_shipped_figures_can_be_read_for_every_table(shown: Entry) -> None:
    found = read_published(ROOT / "resources/published/sensemaking2025.csv", shown.number)
    assert (len(found) > 0) == (shown.number in ("7", "8"))


def test_a_table_is_known_by_its_id_and_numbered_as_printed() -> None:
    assert entry("table_08").number == "8"
    assert Entry("table_10", "t", "q", "g").number == "10"
    assert Entry("table_v1", "t", "q", "g").number == "v1"
    assert len({shown.id for shown in CATALOGUE}) == len(CATALOGUE)
    with pytest.raises(KeyError, match="no table 'table_99'; known: table_01"):
        entry("table_99")


def test_a_printed_standard_deviation_stands_beside_its_figure() -> None:
    shown = table(
        ["x"], ["y"], lambda i, j: Cell(0.5, sd=0.25, n=3, published=0.82, published_sd=0.07)
    )
    assert shown.shown_rows() == [["x", "0.50 ± 0.25 [0.82 ± 0.07] (3)"]]
    (row,) = shown.long_rows()
    assert (row["published"], row["published_sd"]) == (0.82, 0.07)
    with pytest.raises(ValueError, match="beside a printed figure"):
        Cell(0.5, n=1, published_sd=0.07)
    with pytest.raises(ValueError, match="finite numbers"):
        Cell(0.5, n=1, published=0.8, published_sd=float("nan"))


def test_a_column_may_say_itself_what_its_values_are() -> None:
    plain = table(["x"], ["y", "z"])
    columns = (plain.columns[0], Header("c1", "z", "US dollars"))
    shown = Table(**{**vars(plain), "columns": columns})
    assert [row["statistic"] for row in shown.long_rows()] == ["mean", "US dollars"]
