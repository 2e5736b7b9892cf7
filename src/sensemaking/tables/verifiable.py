"""Tables v1 and v2: how far judges can be trusted on data with a known truth."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd

from sensemaking.config_verifiable import JURY, MODEL_ENGINES, ShownJudge
from sensemaking.metrics.declaration import Metric
from sensemaking.metrics.judging import (
    AUC,
    CONSISTENCY,
    PAIRS_RIGHT,
    POSITION_BIAS,
    POSITION_GAP,
    RAW_SUM,
    TAU_BRADLEY_TERRY,
    TAU_PKPD,
    UNDECIDED,
)
from sensemaking.statuses import OK
from sensemaking.tables.catalogue import Entry
from sensemaking.tables.published import Published
from sensemaking.tables.table import Cell, Header, Table
from sensemaking.verifiable.judged import CONVENTIONS
from sensemaking.verifiable.judges import CRITERIA
from sensemaking.verifiable.rows import counts_of
from sensemaking.verifiable.scoring import truth_correlation

COST_UNKNOWN = "cost not recorded"
NO_DOCUMENT = "no such document in the data set"

_SHOWN = (TAU_PKPD, TAU_BRADLEY_TERRY, PAIRS_RIGHT, AUC)
_CONVENTIONAL = (PAIRS_RIGHT, AUC)
_POSITION = (POSITION_BIAS, POSITION_GAP, CONSISTENCY, UNDECIDED, RAW_SUM)
_PRINTED = {TAU_PKPD.name: "tau", TAU_BRADLEY_TERRY.name: "tau_bt", PAIRS_RIGHT.name: "pairs_right"}
"""Metric to the end of the name of its printed column."""
_MEANING = {
    "default": "an undecided answer is half right, and the AUC takes each pair both ways round",
    "published": "an undecided answer is a vote for the second item, and the AUC takes each pair "
    "once, every second one turned round",
}
_ENGINES = {
    "facts": "counts sentences that the report holds word for word, so that it is near-perfect by "
    "construction",
    "length": "prefers the longer summary, whatever is asked",
    "overlap": "prefers the summary that shares more words with the report, whatever is asked",
    "noisy": "counts facts with known errors and a known preference for a place, to test the "
    "scoring",
    "llm": "is asked which of two summaries is better, in both orders",
    "pointwise": "is asked for the facts and errors of one summary at a time, whose counts decide",
    JURY: "is the mean of the model judges of the data set, for pairs that all of them answered",
}


class _Paid(NamedTuple):
    """A cost in US dollars, and why there is none if it is None."""

    value: float | None
    reason: str


def judge_table(
    entry: Entry,
    estimates: pd.DataFrame,
    pairs: pd.DataFrame,
    costs: pd.DataFrame,
    judges: Sequence[ShownJudge],
    convention: str,
    published: Published,
) -> Table:
    """Return table v1: τ, pairs right, AUC for both questions, and cost.

    Figures that differ by the other convention for some judge are columns of their own.

    Args:
        entry: The table's entry in the catalogue.
        estimates: Rows of ``estimates/verifiable``.
        pairs: Rows of ``judgements/pairs``.
        costs: Rows of ``judgements/costs``.
        judges: The judges in order.
        convention: The convention of the run.
        published: Figures printed elsewhere.
    """
    (other,) = (name for name in CONVENTIONS if name != convention)
    found = {
        tuple(row[name] for name in ("dataset", "judge", "criterion", "metric", "convention")): row
        for row in estimates.to_dict("records")
    }
    cells: dict[tuple[str, str], Cell] = {}
    columns: list[Header] = []
    for criterion in CRITERIA:
        for metric in _SHOWN:
            here = _column(criterion, metric)
            columns.append(here)
            for judge in judges:
                key = (judge.dataset, judge.judge, criterion, metric.name)
                printed = _printed(published, judge, criterion, metric)
                cells[_row(judge), here.id] = _estimate(found[*key, convention], *printed)
            there = _column(criterion, metric, other)
            if metric in _CONVENTIONAL and _differ(found, judges, criterion, metric):
                columns.append(there)
                for judge in judges:
                    key = (judge.dataset, judge.judge, criterion, metric.name)
                    cells[_row(judge), there.id] = _estimate(found[*key, other])
    cost = Header("cost_usd", "Cost in USD", "cost of all answers in US dollars")
    columns.append(cost)
    paid = _paid(judges, costs)
    for judge in judges:
        cells[_row(judge), cost.id] = _cost(judge, paid[_row(judge)], pairs, published)
    return Table(
        id=entry.id,
        title=entry.title,
        statistic="the figure that the column names",
        rows=tuple(_header(judge) for judge in judges),
        columns=tuple(columns),
        cells=cells,
        digits=4,
        row_title="Judge",
        unit_of_n="documents for τ, pairs with different truths for pairs right and AUC, answers "
        "for cost",
        notes=(
            f"Convention {convention}: {_MEANING[convention]}. Convention {other}: "
            f"{_MEANING[other]}; it has columns of its own where a figure differs by it.",
            "The standard deviation of τ is over documents, with ddof 0.",
            *_judge_notes(judges),
            *_missing_notes(judges, pairs),
        ),
    )


def document_table(
    entry: Entry,
    estimates: pd.DataFrame,
    scores: pd.DataFrame,
    truth: pd.DataFrame,
    judges: Sequence[ShownJudge],
    convention: str,
) -> Table:
    """Return table v2: τ of each document, what the place does, and the truths' correlation.

    Args:
        entry: The table's entry in the catalogue.
        estimates: Rows of ``estimates/verifiable``.
        scores: Rows of ``scores/verifiable``.
        truth: Rows of ``verifiable/truth``.
        judges: The judges in order.
        convention: The convention of the run.
    """
    estimated = {
        tuple(row[name] for name in ("dataset", "judge", "criterion", "metric")): row
        for row in estimates[estimates["convention"] == convention].to_dict("records")
    }
    taus = scores[(scores["convention"] == convention) & (scores["metric"] == TAU_PKPD.name)]
    scored = {
        tuple(row[name] for name in ("dataset", "judge", "criterion", "document")): row
        for row in taus.to_dict("records")
    }
    sizes = {key: len(part) for key, part in truth.groupby(["dataset", "document"])}
    ordered = truth.sort_values(["document_number", "document"])
    documents = list(dict.fromkeys(ordered["document"]))
    of_documents = [
        Header(f"{TAU_PKPD.name}/{document}", f"τ {document}", "Kendall's τ-b with PKPD")
        for document in documents
    ]
    of_pairs = [Header(m.name, m.label.capitalize(), m.description) for m in _POSITION]
    correlated = Header(
        "truth_correlation",
        "Correlation of the truths",
        "Pearson r of facts mentioned and facts wrong over all summaries",
    )
    correlations = {
        dataset: truth_correlation(counts_of(part)) for dataset, part in truth.groupby("dataset")
    }
    rows, cells = [], {}
    for judge in judges:
        for criterion in CRITERIA:
            row = _header(judge, criterion)
            rows.append(row)
            for document, header in zip(documents, of_documents, strict=True):
                key = (judge.dataset, judge.judge, criterion, document)
                cells[row.id, header.id] = _score(
                    scored.get(key), sizes.get((judge.dataset, document), 0)
                )
            for metric in _POSITION:
                key = (judge.dataset, judge.judge, criterion, metric.name)
                cells[row.id, metric.name] = _estimate(estimated[key])
            r = correlations[judge.dataset]
            cells[row.id, correlated.id] = Cell(
                r.value, n=r.n, n_missing=r.n_missing, reason=r.reason
            )
    return Table(
        id=entry.id,
        title=entry.title,
        statistic="the figure that the column names",
        rows=tuple(rows),
        columns=(*of_documents, *of_pairs, correlated),
        cells=cells,
        digits=3,
        row_title="Judge and question",
        unit_of_n="items for τ, pairs for what follows, documents for the raw sum, summaries for "
        "the correlation of the truths",
        notes=(
            "Position bias: from -0.5 (always the second shown) to 0.5 (always the first). "
            "Position gap: how far the answers in both orders are apart. Consistency: share of "
            "pairs in which both orders prefer the same item. Raw sum: 1 if the answers agree with "
            "one another.",
            *([] if judges else _judge_notes(judges)),
            "Near 0, the correlation of the two truths, facts mentioned and facts wrong, says that "
            "neither question gives away the answer to the other.",
        ),
    )


def _row(judge: ShownJudge) -> str:
    return f"{judge.dataset}/{judge.judge}"


def _header(judge: ShownJudge, criterion: str | None = None) -> Header:
    suffix, words = (f"/{criterion}", f", {criterion}") if criterion else ("", "")
    return Header(f"{_row(judge)}{suffix}", f"{judge.dataset_label}: {judge.label}{words}")


def _column(criterion: str, metric: Metric, convention: str | None = None) -> Header:
    suffix, words = (f"/{convention}", f", {convention}") if convention else ("", "")
    return Header(
        f"{criterion}/{metric.name}{suffix}",
        f"{criterion.capitalize()}: {metric.label}{words}",
        metric.description.rstrip("."),
    )


def _differ(
    found: Mapping[tuple[Any, ...], Mapping[Any, Any]],
    judges: Sequence[ShownJudge],
    criterion: str,
    metric: Metric,
) -> bool:
    for judge in judges:
        key = (judge.dataset, judge.judge, criterion, metric.name)
        one, two = (found[*key, convention]["mean"] for convention in CONVENTIONS)
        if one != two and not (pd.isna(one) and pd.isna(two)):
            return True
    return False


def _printed(
    published: Published, judge: ShownJudge, criterion: str, metric: Metric
) -> tuple[float | None, float | None]:
    """Return the printed figure and its standard deviation."""
    if judge.published_label is None or metric.name not in _PRINTED:
        return None, None
    column = f"{criterion}_{_PRINTED[metric.name]}"
    value = published.get((judge.published_label, column))
    sd = published.get((judge.published_label, f"{column}_sd"))
    return value, None if value is None else sd


def _estimate(
    row: Mapping[Any, Any], published: float | None = None, published_sd: float | None = None
) -> Cell:
    value, sd, low, high = (
        None if pd.isna(row[name]) else float(row[name])
        for name in ("mean", "sd", "ci_low", "ci_high")
    )
    return Cell(
        value,
        sd=sd,
        n=int(row["n"]),
        n_missing=int(row["n_missing"]),
        ci_low=low,
        ci_high=high,
        reason=None if pd.isna(row["reason"]) else str(row["reason"]),
        published=published,
        published_sd=published_sd,
    )


def _score(row: Mapping[Any, Any] | None, items: int) -> Cell:
    if row is None:
        return Cell(None, reason=NO_DOCUMENT)
    if pd.isna(row["value"]):
        return Cell(None, n_missing=items, reason=str(row["status"]))
    return Cell(float(row["value"]), n=items)


def _paid(judges: Sequence[ShownJudge], costs: pd.DataFrame) -> dict[str, _Paid]:
    """Return what each judge costs: as configured, by its tokens, or as its members do."""
    paid = {_row(judge): _Paid(judge.cost_usd, COST_UNKNOWN) for judge in judges}
    for row in costs.to_dict("records"):
        value = None if pd.isna(row["cost_usd"]) else float(row["cost_usd"])
        paid[f"{row['dataset']}/{row['judge']}"] = _Paid(value, str(row["status"]))
    for jury in judges:
        if jury.judge == JURY and jury.cost_usd is None:
            of_members = [
                paid[_row(judge)].value
                for judge in judges
                if judge.dataset == jury.dataset and judge.engine in MODEL_ENGINES
            ]
            known = [value for value in of_members if value is not None]
            whole = len(known) == len(of_members)
            paid[_row(jury)] = _Paid(math.fsum(known) if whole else None, COST_UNKNOWN)
    return paid


def _cost(judge: ShownJudge, paid: _Paid, pairs: pd.DataFrame, published: Published) -> Cell:
    own = pairs[(pairs["dataset"] == judge.dataset) & (pairs["judge"] == judge.judge)]
    n = int(own["q_ab"].notna().sum() + own["q_ba"].notna().sum())
    printed = None
    if judge.published_label is not None:
        printed = published.get((judge.published_label, "cost_usd"))
    return Cell(
        paid.value,
        n=n,
        n_missing=2 * len(own) - n,
        reason=paid.reason.replace("_", " ") if paid.value is None else None,
        published=printed,
    )


def _judge_notes(judges: Sequence[ShownJudge]) -> Iterator[str]:
    if not judges:
        yield "No judge is configured: see verifiable.judges."
    for engine, words in _ENGINES.items():
        names = dict.fromkeys(judge.label for judge in judges if judge.engine == engine)
        if names:
            yield f"{', '.join(names)}: {words}."


def _missing_notes(judges: Sequence[ShownJudge], pairs: pd.DataFrame) -> Iterator[str]:
    for judge in judges:
        own = pairs[(pairs["dataset"] == judge.dataset) & (pairs["judge"] == judge.judge)]
        lost = own.loc[own["status"] != OK, "status"].value_counts().sort_index()
        if len(lost):
            why = ", ".join(f"{name} {count}" for name, count in lost.items()).replace("_", " ")
            yield (
                f"{judge.dataset_label}: {judge.label}: {lost.sum()} of {len(own)} pairs left out "
                f"({why})."
            )
