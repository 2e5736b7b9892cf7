"""Figures of judges on data with a known truth: τ, strengths against truth, position bias."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from sensemaking.config_verifiable import ShownJudge
from sensemaking.figures.drawing import ACCENT, DIM, LINE, SECOND, canvas, rows_of, to_svg
from sensemaking.metrics.judging import POSITION_BIAS, TAU_BRADLEY_TERRY, TAU_PKPD
from sensemaking.verifiable.judges import CRITERIA

_ROW_HEIGHT = 0.32
_PANEL = 1.9
_COLUMN = 2.1
_TRUTH = {"accuracy": "facts wrong", "completeness": "facts mentioned"}
_MOST_COLUMNS = 5

Estimates = Mapping[tuple[Any, ...], Mapping[Any, Any]]


def tau_figure(
    estimates: pd.DataFrame, scores: pd.DataFrame, judges: Sequence[ShownJudge], convention: str
) -> str:
    """Return, as SVG, each judge's τ by both couplings, with intervals and single documents.

    Args:
        estimates: Rows of ``estimates/verifiable``.
        scores: Rows of ``scores/verifiable``.
        judges: The judges in order.
        convention: The convention of the run.
    """
    found = _by_key(estimates, convention)
    single = scores[(scores["convention"] == convention) & (scores["metric"] == TAU_PKPD.name)]
    methods = ((TAU_PKPD, -0.13, ACCENT, "o"), (TAU_BRADLEY_TERRY, 0.17, SECOND, "s"))
    with canvas(10.0, 1.3 + _ROW_HEIGHT * len(judges)) as figure:
        all_axes = figure.subplots(1, 2, squeeze=False)[0]
        for axes, criterion in zip(all_axes, CRITERIA, strict=True):
            rows_of(axes, [_label(judge) for judge in judges], shown=criterion == CRITERIA[0])
            for row, judge in enumerate(judges):
                own = single[_is(single, judge, criterion)].sort_values("document")
                taus = own["value"].dropna().to_numpy(float)
                axes.plot(
                    taus, np.full(len(taus), row - 0.13), "|", color=DIM, markersize=7, alpha=0.7
                )
                for metric, shift, colour, marker in methods:
                    estimate = found[judge.dataset, judge.judge, criterion, metric.name]
                    _whisker(axes, estimate, row + shift, colour, marker)
            for metric, _, colour, marker in methods:
                axes.plot([], [], marker, color=colour, label=metric.label)
            axes.plot([], [], "|", color=DIM, label="a document (PKPD)")
            _title(axes, criterion)
            axes.set_xlabel("Kendall's τ-b with the truth, 95 % interval")
        # One scale for both questions, with 0 and 1 on it.
        low = min(-0.05, *(axes.get_xlim()[0] for axes in all_axes))
        for axes in all_axes:
            axes.set_xlim(low, 1.05)
        figure.legend(*all_axes[0].get_legend_handles_labels(), loc="upper right", ncols=3)
        _margins(figure, judges)
        return to_svg(figure)


def bias_figure(estimates: pd.DataFrame, judges: Sequence[ShownJudge], convention: str) -> str:
    """Return, as SVG, each judge's position bias with intervals.

    Args:
        estimates: Rows of ``estimates/verifiable``.
        judges: The judges in order.
        convention: The convention of the run.
    """
    found = _by_key(estimates, convention)
    with canvas(10.0, 1.3 + _ROW_HEIGHT * len(judges)) as figure:
        all_axes = figure.subplots(1, 2, squeeze=False)[0]
        for axes, criterion in zip(all_axes, CRITERIA, strict=True):
            rows_of(axes, [_label(judge) for judge in judges], shown=criterion == CRITERIA[0])
            axes.axvline(0.0, color=DIM, linewidth=0.8)
            for row, judge in enumerate(judges):
                estimate = found[judge.dataset, judge.judge, criterion, POSITION_BIAS.name]
                _whisker(axes, estimate, row, ACCENT, "o")
            _title(axes, criterion)
            axes.set_xlim(-0.52, 0.52)
            axes.set_xlabel("position bias: ← second shown, first shown →")
        _margins(figure, judges)
        return to_svg(figure)


def strength_figure(
    strengths: pd.DataFrame, truth: pd.DataFrame, judges: Sequence[ShownJudge]
) -> str:
    """Return, as SVG, each judge's PKPD log strengths against the truth, all documents.

    Args:
        strengths: Rows of ``couplings/strengths``.
        truth: Rows of ``verifiable/truth``.
        judges: The judges in order.
    """
    own = strengths[strengths["method"] == "pkpd"].rename(columns={"group": "document"})
    own = own.merge(truth, on=["dataset", "document", "item"], validate="many_to_one")
    own = own.sort_values(["dataset", "document", "item"])
    columns = min(_MOST_COLUMNS, max(1, len(judges)))
    blocks = max(1, math.ceil(len(judges) / columns))
    with canvas(0.9 + _COLUMN * columns, 0.4 + 2 * _PANEL * blocks) as figure:
        grid = figure.subplots(2 * blocks, columns, squeeze=False)
        for place in range(blocks * columns):
            block, column = divmod(place, columns)
            for line, criterion in enumerate(CRITERIA):
                axes = grid[2 * block + line, column]
                if place >= len(judges):
                    axes.set_axis_off()
                    continue
                judge = judges[place]
                part = own[_is(own, judge, criterion)]
                _scatter(axes, part, criterion)
                if line == 0:
                    axes.set_title(f"{judge.dataset_label}:\n{judge.label}", fontsize=9, loc="left")
                if column == 0:
                    axes.set_ylabel("log strength")
        height = figure.get_size_inches()[1]
        figure.subplots_adjust(
            left=0.75 / figure.get_size_inches()[0],
            right=0.985,
            top=1 - 0.5 / height,
            bottom=0.5 / height,
            hspace=0.9,
            wspace=0.28,
        )
        return to_svg(figure)


def _scatter(axes: Axes, part: pd.DataFrame, criterion: str) -> None:
    there = part[part["log_strength"].notna()]
    counts = there["n_wrong" if criterion == "accuracy" else "n_mentioned"].to_numpy(float)
    axes.plot(counts, there["log_strength"].to_numpy(float), ".", color=ACCENT, alpha=0.6)
    if criterion == "accuracy":
        # The better ones on the right, as in the other question.
        axes.invert_xaxis()
    axes.set_xlabel(_TRUTH[criterion])
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.grid(color=LINE, linewidth=0.6)
    axes.set_axisbelow(True)
    gone = len(part) - len(there)
    if gone:
        axes.text(0.5, 0.5, f"{gone} of {len(part)} without", transform=axes.transAxes, ha="center")


def _whisker(axes: Axes, estimate: Mapping[Any, Any], row: float, colour: str, marker: str) -> None:
    if pd.isna(estimate["mean"]):
        axes.text(0.0, row, " –", color=colour, va="center")
        return
    if not pd.isna(estimate["ci_low"]):
        axes.plot([estimate["ci_low"], estimate["ci_high"]], [row, row], color=colour)
    axes.plot([estimate["mean"]], [row], marker, color=colour, markersize=4.5)


def _by_key(estimates: pd.DataFrame, convention: str) -> Estimates:
    return {
        tuple(row[name] for name in ("dataset", "judge", "criterion", "metric")): row
        for row in estimates[estimates["convention"] == convention].to_dict("records")
    }


def _is(frame: pd.DataFrame, judge: ShownJudge, criterion: str) -> "pd.Series[bool]":
    return (
        (frame["dataset"] == judge.dataset)
        & (frame["judge"] == judge.judge)
        & (frame["criterion"] == criterion)
    )


def _label(judge: ShownJudge) -> str:
    return f"{judge.dataset_label}: {judge.label}"


def _title(axes: Axes, criterion: str) -> None:
    axes.set_title(criterion.capitalize(), fontsize=10, loc="left")


def _margins(figure: Any, judges: Sequence[ShownJudge]) -> None:
    """Leave room for the labels, by their number of letters: measuring depends on fonts."""
    width, height = figure.get_size_inches()
    longest = max((len(_label(judge)) for judge in judges), default=0)
    left = min(0.45, (0.2 + 0.075 * longest) / width)
    figure.subplots_adjust(
        left=left, right=0.985, top=1 - 0.62 / height, bottom=0.5 / height, wspace=0.06
    )
