"""Tables v1 and v2 from hand-made rows, and the figures printed for judges."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from sensemaking.config_verifiable import ShownJudge
from sensemaking.metrics.judging import OF_JUDGES
from sensemaking.tables.catalogue import entry
from sensemaking.tables.published import Published, read_published_judges
from sensemaking.tables.table import Table
from sensemaking.tables.verifiable import document_table, judge_table

ROOT = Path(__file__).parents[2]
OURS = ShownJudge("made", "Made", "f", "Facts", "facts", 0.0, None)
THEIRS = ShownJudge("read", "Read", "r", "Model", "recorded", None, "A Model")
JURY = ShownJudge("read", "Read", "jury", "jury of 2", "jury", 0.5, None)
ALL = (OURS, THEIRS, JURY)


def estimates(judges: Sequence[ShownJudge] = ALL, **changed: Any) -> pd.DataFrame:
    """Estimates of all figures: 0.5, or what ``changed`` says for judge_metric_convention."""
    rows = []
    for judge in judges:
        for criterion in ("accuracy", "completeness"):
            for convention in ("default", "published"):
                for metric in OF_JUDGES:
                    key = f"{judge.judge}_{metric.name}_{convention}"
                    mean = changed.get(key, 0.5)
                    rows.append(
                        {
                            "dataset": judge.dataset,
                            "criterion": criterion,
                            "judge": judge.judge,
                            "convention": convention,
                            "metric": metric.name,
                            "mean": mean,
                            "sd": 0.25 if metric.name.startswith("tau") else None,
                            "n": 6,
                            "n_missing": 1,
                            "ci_low": 0.25,
                            "ci_high": 0.75,
                            "reason": None if mean is not None else "why not",
                        }
                    )
    return pd.DataFrame(rows)


def pairs(*, lost: int = 0) -> pd.DataFrame:
    rows = []
    for judge in ALL:
        for n in range(4):
            gone = n < lost and judge is THEIRS
            row = {"dataset": judge.dataset, "judge": judge.judge, "q_ab": 0.5}
            rows.append(
                {
                    **row,
                    "q_ba": None if gone else 0.5,
                    "status": "no_answer_given" if gone else "ok",
                }
            )
    return pd.DataFrame(rows)


def costs(**paid: float | None) -> pd.DataFrame:
    """Costs of judges of the data set read; None is one that is not known."""
    rows = [("read", judge, cost, "ok" if cost else "no_price") for judge, cost in paid.items()]
    return pd.DataFrame(rows, columns=["dataset", "judge", "cost_usd", "status"])


def v1(found: pd.DataFrame, convention: str = "default", **more: Any) -> Table:
    return judge_table(
        entry("table_v1"),
        found,
        more.get("pairs", pairs()),
        more.get("costs", costs()),
        more.get("judges", ALL),
        convention,
        more.get("published", {}),
    )


def columns(table: Table) -> list[str]:
    return [column.id for column in table.columns]


PLAIN = [
    f"{criterion}/{name}"
    for criterion in ("accuracy", "completeness")
    for name in ("tau_pkpd", "tau_bradley_terry", "pairs_right", "auc")
]


def test_without_a_difference_one_convention_is_shown() -> None:
    table = v1(estimates())
    assert columns(table) == [*PLAIN, "cost_usd"]
    assert [row.id for row in table.rows] == ["made/f", "read/r", "read/jury"]
    assert [row.label for row in table.rows] == ["Made: Facts", "Read: Model", "Read: jury of 2"]
    cell = table.cells["read/r", "accuracy/tau_pkpd"]
    assert (cell.value, cell.sd, cell.n, cell.n_missing) == (0.5, 0.25, 6, 1)
    assert (cell.ci_low, cell.ci_high) == (0.25, 0.75)


def test_a_figure_that_differs_for_one_judge_is_shown_by_both_for_all() -> None:
    table = v1(estimates(r_auc_published=0.75))
    assert "accuracy/auc/published" in columns(table)
    assert "accuracy/pairs_right/published" not in columns(table)
    assert table.cells["read/r", "accuracy/auc"].value == 0.5
    assert table.cells["read/r", "accuracy/auc/published"].value == 0.75
    assert table.cells["made/f", "accuracy/auc/published"].value == 0.5
    turned = v1(estimates(r_auc_published=0.75), "published")
    assert turned.cells["read/r", "accuracy/auc"].value == 0.75
    assert turned.cells["read/r", "accuracy/auc/default"].value == 0.5
    # One that is undefined by both is no difference, one that is so by one of them is.
    undefined = {"r_auc_published": None, "r_auc_default": None}
    assert "accuracy/auc/published" not in columns(v1(estimates(**undefined)))
    one = v1(estimates(r_pairs_right_published=None))
    assert one.cells["read/r", "completeness/pairs_right/published"].reason == "why not"


def test_printed_figures_stand_beside_those_of_the_judge_they_are_of() -> None:
    published: Published = {
        ("A Model", "accuracy_tau"): 0.82,
        ("A Model", "accuracy_tau_sd"): 0.07,
        ("A Model", "accuracy_tau_bt"): 0.88,
        ("A Model", "completeness_pairs_right"): 0.944,
        ("A Model", "cost_usd"): 0.022,
        ("Another", "accuracy_tau"): 0.1,
    }
    table = v1(estimates(r_auc_published=0.75), published=published)
    found = {
        key: (cell.published, cell.published_sd)
        for key, cell in table.cells.items()
        if cell.published is not None
    }
    assert found == {
        ("read/r", "accuracy/tau_pkpd"): (0.82, 0.07),
        ("read/r", "accuracy/tau_bradley_terry"): (0.88, None),
        ("read/r", "completeness/pairs_right"): (0.944, None),
        ("read/r", "cost_usd"): (0.022, None),
    }
    assert table.shown_rows()[1][1] == "0.5000 ± 0.2500 [0.82 ± 0.07] (6; 1 missing)"


def test_cost_is_null_with_a_reason_where_it_is_not_known() -> None:
    cells = v1(estimates()).cells
    assert (cells["made/f", "cost_usd"].value, cells["made/f", "cost_usd"].n) == (0.0, 8)
    assert cells["read/r", "cost_usd"].value is None
    assert cells["read/r", "cost_usd"].reason == "cost not recorded"
    assert cells["read/jury", "cost_usd"].value == 0.5


def test_what_a_model_cost_is_shown_and_a_jury_costs_what_its_members_do() -> None:
    asked = ShownJudge("read", "Read", "l", "Asked", "llm", None, None)
    recorded = THEIRS._replace(cost_usd=0.25)
    judges = (OURS, recorded, asked, JURY._replace(cost_usd=None))

    def found(paid: pd.DataFrame) -> list[tuple[float | None, str | None]]:
        own = pairs()
        own = pd.concat([own, own[own["judge"] == "r"].assign(judge="l")])
        cells = v1(estimates(judges), costs=paid, judges=judges, pairs=own).cells
        return [(c.value, c.reason) for (_, column), c in cells.items() if column == "cost_usd"]

    assert found(costs(l=0.5)) == [(0.0, None), (0.25, None), (0.5, None), (0.75, None)]
    unknown = (None, "cost not recorded")
    assert found(costs(l=None)) == [(0.0, None), (0.25, None), (None, "no price"), unknown]
    assert found(costs())[2:] == [unknown, unknown]


def test_notes_tell_what_judges_are_and_what_was_left_out() -> None:
    notes = " ".join(v1(estimates(), pairs=pairs(lost=3)).notes)
    assert "Convention default: an undecided answer is half right" in notes
    assert "Facts: counts sentences that the report holds word for word" in notes
    assert "near-perfect by construction" in notes
    assert "jury of 2: is the mean of the model judges" in notes
    assert "Read: Model: 3 of 4 pairs left out (no answer given 3)." in notes
    cost = v1(estimates(), pairs=pairs(lost=3)).cells["read/r", "cost_usd"]
    assert (cost.n, cost.n_missing) == (5, 3)
    (first, *_) = v1(estimates(), "published").notes
    assert first.startswith("Convention published: an undecided answer is a vote for the second")


def test_each_column_says_what_its_statistic_is() -> None:
    rows = {row["column_id"]: row["statistic"] for row in v1(estimates()).long_rows()}
    assert "τ-b" in rows["accuracy/tau_pkpd"]
    assert "Answered pairs" in rows["accuracy/pairs_right"]
    assert "US dollars" in rows["cost_usd"]


# v2

TRUTH = pd.DataFrame(
    [
        ("made", "D1", "a", 0, 0, 5, 0),
        ("made", "D1", "b", 0, 1, 6, 1),
        ("made", "D1", "c", 0, 2, 7, 2),
        ("read", "D2", "a", 0, 0, 5, 2),
        ("read", "D2", "b", 0, 1, 6, 1),
        ("read", "D1", "c", 1, 0, 7, 1),
        ("read", "D1", "d", 1, 1, 8, 0),
    ],
    columns=[
        "dataset",
        "document",
        "item",
        "document_number",
        "item_number",
        "n_mentioned",
        "n_wrong",
    ],
)


def scores() -> pd.DataFrame:
    rows = []
    for judge in ALL:
        for document in TRUTH.loc[TRUTH["dataset"] == judge.dataset, "document"].unique():
            for criterion in ("accuracy", "completeness"):
                for convention, value in (("default", 0.5), ("published", 0.25)):
                    gone = (judge.judge, document) == ("r", "D2")
                    rows.append(
                        {
                            "dataset": judge.dataset,
                            "document": document,
                            "criterion": criterion,
                            "judge": judge.judge,
                            "convention": convention,
                            "metric": "tau_pkpd",
                            "value": None if gone else value,
                            "status": "3 pairs missing" if gone else "ok",
                        }
                    )
    return pd.DataFrame(rows)


def v2(convention: str = "default") -> Table:
    found = estimates(f_position_bias_default=-0.125)
    return document_table(entry("table_v2"), found, scores(), TRUTH, ALL, convention)


def test_each_document_has_its_cell_and_absent_ones_say_so() -> None:
    table = v2()
    assert columns(table)[:2] == ["tau_pkpd/D1", "tau_pkpd/D2"]
    assert [row.label for row in table.rows[:2]] == [
        "Made: Facts, accuracy",
        "Made: Facts, completeness",
    ]
    assert (table.cells["made/f/accuracy", "tau_pkpd/D1"].value) == 0.5
    assert (table.cells["made/f/accuracy", "tau_pkpd/D1"].n) == 3
    absent = table.cells["made/f/accuracy", "tau_pkpd/D2"]
    assert (absent.value, absent.n, absent.reason) == (None, 0, "no such document in the data set")
    refused = table.cells["read/r/accuracy", "tau_pkpd/D2"]
    assert (refused.value, refused.n, refused.n_missing) == (None, 0, 2)
    assert refused.reason == "3 pairs missing"
    assert v2("published").cells["made/f/accuracy", "tau_pkpd/D1"].value == 0.25


def test_the_truths_correlation_is_that_of_the_data_set() -> None:
    cells = v2().cells
    ours = cells["made/f/accuracy", "truth_correlation"]
    assert (ours.value, ours.n) == (pytest.approx(1.0, abs=1e-12), 3)
    theirs = cells["read/jury/completeness", "truth_correlation"]
    # 5, 6, 7, 8 against 2, 1, 1, 0.
    assert theirs.value == pytest.approx(-3 / (5 * 2) ** 0.5, abs=1e-12)
    assert theirs.n == 4


def test_position_bias_is_a_column() -> None:
    assert v2().cells["made/f/completeness", "position_bias"].value == -0.125
    assert v2("published").cells["made/f/completeness", "position_bias"].value == 0.5


def test_no_judge_gives_an_empty_grid_that_says_so() -> None:
    empty = estimates().iloc[:0]
    table = v1(empty, judges=())
    assert table.rows == ()
    assert "No judge is configured" in " ".join(table.notes)
    other = document_table(entry("table_v2"), empty, scores().iloc[:0], TRUTH, (), "default")
    assert "No judge is configured" in " ".join(other.notes)


# Printed figures


def test_the_printed_figures_are_read_by_judge_and_column() -> None:
    found = read_published_judges(ROOT / "resources/published/verifiable2026.csv")
    assert found["Jev 1.13 (TypeSafe)", "accuracy_tau"] == 0.82
    assert found["Claude Sonnet 5, pointwise rubric", "completeness_pairs_right"] == 0.949
    assert ("Claude Sonnet 5, pointwise rubric", "accuracy_tau_bt") not in found
    assert len({judge for judge, _ in found}) == 6


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name,x\na,1\n", "the column judge is missing"),
        ("judge,x\na,1\nb,high\n", "line 3: x is 'high', no number"),
        ("judge,x\na,nan\n", "line 2: x is 'nan', no number"),
        ("judge,x\na,1\na,2\n", "line 3: 'a' stands in line 2 too"),
    ],
)
def test_a_fault_in_the_printed_figures_is_told(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "p.csv").write_text(text)
    with pytest.raises(ValueError, match=said):
        read_published_judges(tmp_path / "p.csv")
