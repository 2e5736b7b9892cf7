"""Figures of judges: equal data give equal bytes, and labels of users do no harm."""

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import matplotlib
import pandas as pd
import pytest

from sensemaking.config_verifiable import ShownJudge
from sensemaking.figures.catalogue import FIGURES
from sensemaking.figures.judges import bias_figure, strength_figure, tau_figure

SVG = "{http://www.w3.org/2000/svg}"
JUDGE = ShownJudge("s", "Set", "j", "Judge", "recorded", None, None)
TRUTH = pd.DataFrame(
    [("s", "D1", name, n, n) for n, name in enumerate("abc")],
    columns=["dataset", "document", "item", "n_mentioned", "n_wrong"],
)


def estimates(judge: ShownJudge = JUDGE, mean: float | None = 0.5) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "dataset": judge.dataset,
                "judge": judge.judge,
                "criterion": criterion,
                "convention": "default",
                "metric": metric,
                "mean": mean,
                "ci_low": mean and mean - 0.1,
                "ci_high": mean and mean + 0.1,
            }
            for criterion in ("accuracy", "completeness")
            for metric in ("tau_pkpd", "tau_bradley_terry", "position_bias")
        ]
    )


def scores(judge: ShownJudge = JUDGE) -> pd.DataFrame:
    row = {"dataset": judge.dataset, "judge": judge.judge, "convention": "default"}
    return pd.DataFrame(
        [
            {**row, "document": "D1", "criterion": name, "metric": "tau_pkpd", "value": 0.25}
            for name in ("accuracy", "completeness")
        ]
    )


def strengths(
    judge: ShownJudge = JUDGE, logs: tuple[float | None, ...] = (-1.0, 0.0, 1.0)
) -> pd.DataFrame:
    row = {"dataset": judge.dataset, "judge": judge.judge, "group": "D1", "method": "pkpd"}
    return pd.DataFrame(
        [
            {**row, "criterion": criterion, "item": item, "log_strength": log}
            for criterion in ("accuracy", "completeness")
            for item, log in zip("abc", logs, strict=True)
        ]
    ).astype({"log_strength": float})


def drawn(judge: ShownJudge = JUDGE) -> dict[str, str]:
    return {
        "tau": tau_figure(estimates(judge), scores(judge), [judge], "default"),
        "bias": bias_figure(estimates(judge), [judge], "default"),
        "strength": strength_figure(strengths(judge), TRUTH, [judge]),
    }


def texts(svg: str) -> list[str]:
    return [str(node.text) for node in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def test_equal_data_give_equal_bytes_however_matplotlib_is_set() -> None:
    before = drawn()
    with matplotlib.rc_context({"svg.hashsalt": "other", "font.size": 20, "axes.grid": True}):
        assert drawn() == before
    for svg in before.values():
        assert "date" not in svg.lower()
        assert matplotlib.__version__ not in svg.partition("<defs>")[0]


def test_another_process_draws_the_same_bytes(tmp_path: Path) -> None:
    (tmp_path / "matplotlibrc").write_text("lines.linewidth: 9\n")
    code = (
        "import sys; from tests.unit.test_figures_judges import drawn; "
        "sys.stdout.buffer.write(''.join(drawn().values()).encode())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=Path(__file__).parents[2],
        env={"MPLCONFIGDIR": str(tmp_path), "PATH": "", "PYTHONPATH": "src"},
        capture_output=True,
        check=True,
    )
    assert done.stdout.decode() == "".join(drawn().values())


@pytest.mark.parametrize(
    "label", ["$a_b$", "<i>&amp;</i>", "Суддя", "100 % \\frac{1", "_x", "a\nb"]
)
def test_labels_are_shown_as_they_are(label: str) -> None:
    for svg in drawn(JUDGE._replace(label=label)).values():
        shown = "\n".join(texts(svg))
        assert label in shown


def test_what_is_undefined_is_a_dash_and_no_point() -> None:
    whole = tau_figure(estimates(), scores(), [JUDGE], "default")
    empty = scores().assign(value=float("nan"))
    nothing = tau_figure(estimates(mean=None), empty, [JUDGE], "default")
    assert texts(nothing).count(" –") == 4
    assert " –" not in texts(whole)
    part = strength_figure(strengths(logs=(None, None, 1.0)), TRUTH, [JUDGE])
    assert texts(part).count("2 of 3 without") == 2


def test_every_judge_has_its_row_and_its_panels() -> None:
    judges = [JUDGE._replace(judge=f"j{n}", label=f"Judge {n}") for n in range(7)]
    rows = [pd.concat([make(judge) for judge in judges]) for make in (estimates, scores, strengths)]
    tau = texts(tau_figure(rows[0], rows[1], judges, "default"))
    strength = texts(strength_figure(rows[2], TRUTH, judges))
    for judge in judges:
        assert tau.count(f"Set: {judge.label}") == 1
        assert strength.count(judge.label) == 1
    assert strength.count("facts wrong") == strength.count("facts mentioned") == 7


def test_better_summaries_stand_on_the_right_in_both_questions() -> None:
    svg = strength_figure(strengths(), TRUTH, [JUDGE])
    shown = [text for text in texts(svg) if text in ("0", "1", "2")]
    assert shown[:3] in (["0", "1", "2"], ["2", "1", "0"])
    places = {}
    for node in ElementTree.fromstring(svg).iter(f"{SVG}text"):
        if node.text in ("0", "2"):
            x = float(str(node.get("x") or str(node.get("transform")).split("(")[1].split()[0]))
            places.setdefault(node.text, []).append(x)
    assert places["0"][0] > places["2"][0]
    assert places["0"][-1] < places["2"][-1]


def test_no_judge_gives_figures_all_the_same() -> None:
    empty = (estimates().iloc[:0], scores().iloc[:0], strengths().iloc[:0])
    for svg in (
        tau_figure(empty[0], empty[1], [], "default"),
        bias_figure(empty[0], [], "default"),
        strength_figure(empty[2], TRUTH, []),
    ):
        assert ElementTree.fromstring(svg).tag == f"{SVG}svg"


def test_the_catalogue_names_each_figure_once_with_a_caption() -> None:
    assert [figure.id for figure in FIGURES] == ["judges_tau", "judges_strength", "judges_bias"]
    assert all(len(figure.caption) > 40 for figure in FIGURES)
