"""Grids of estimates: which rows and columns there are, their order, and published figures."""

from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from table_making import table

from sensemaking.tables.catalogue import CATALOGUE, Entry, entry
from sensemaking.tables.grids import KindColumn, by_kind, by_pair, systems_of
from sensemaking.tables.published import read_published
from sensemaking.tables.table import Cell, Header, Table

ROOT = Path(__file__).parents[2]

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
