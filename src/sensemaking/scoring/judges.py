"""Judges of verifiable data: couplings, scores by document, and estimates with intervals."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from sensemaking.coupling import BradleyTerryResult, PkpdResult
from sensemaking.metrics.declaration import Metric
from sensemaking.metrics.judging import (
    AUC,
    CONSISTENCY,
    OF_JUDGES,
    PAIRS_RIGHT,
    POSITION_BIAS,
    POSITION_GAP,
    RAW_SUM,
    TAU_BRADLEY_TERRY,
    TAU_PKPD,
    TOP,
    UNDECIDED,
)
from sensemaking.scoring.estimates import Settings
from sensemaking.seeds import generator
from sensemaking.statistic import Statistic
from sensemaking.stats import mean_interval
from sensemaking.statuses import OK
from sensemaking.verifiable.judged import CONVENTIONS, Convention, Judged
from sensemaking.verifiable.judges import Criterion
from sensemaking.verifiable.pair_figures import scored_answers
from sensemaking.verifiable.scoring import JudgeScore, score

PAIRS_MISSING = "pairs_missing"
NO_FINITE_STRENGTH = "no_finite_strength"
NOT_CONVERGED = "not_converged"

FloatArray = npt.NDArray[np.float64]
MIN_CLUSTERS = 5
"""With fewer documents there is no interval, as in ``sensemaking.stats.mean_interval``."""

_OF_DOCUMENTS = (TAU_PKPD, TAU_BRADLEY_TERRY, TOP, RAW_SUM)
_OF_PAIRS = (PAIRS_RIGHT, UNDECIDED, POSITION_BIAS, POSITION_GAP, CONSISTENCY)


class Rows(NamedTuple):
    """Rows of ``couplings/strengths`` and ``couplings/figures``, of scores and of estimates."""

    strengths: list[dict[str, Any]]
    couplings: list[dict[str, Any]]
    scores: list[dict[str, Any]]
    estimates: list[dict[str, Any]]


def score_judges(
    dataset: str,
    judged: Mapping[tuple[str, Criterion], Sequence[Judged]],
    settings: Settings,
    *,
    clip: float,
    prior: float,
) -> Rows:
    """Couple and score the answers of all judges of a data set, by both conventions.

    Args:
        dataset: The data set.
        judged: (judge, criterion) to the answers about each document, in the order of the data.
        settings: Seed and draws of the intervals.
        clip: The clip of PKPD.
        prior: The prior of Bradley–Terry.
    """
    rows = Rows([], [], [], [])
    for (judge, criterion), documents in judged.items():
        key = {"dataset": dataset, "criterion": criterion, "judge": judge}
        for convention in CONVENTIONS:
            whole = score(documents, criterion, convention=convention, clip=clip, prior=prior)
            single = [
                score([one], criterion, convention=convention, clip=clip, prior=prior)
                for one in documents
            ]
            own = {**key, "convention": convention}
            for one in single:
                rows.scores.extend(_score_rows(own, one))
            rows.estimates.extend(_estimate_rows(own, documents, whole, single, settings))
            if convention == CONVENTIONS[0]:
                # Strengths are the same by both.
                for answers, found in zip(documents, whole.documents, strict=True):
                    group = {**key, "group": found.document}
                    coupled = (found.pkpd, found.bradley_terry)
                    rows.strengths.extend(_strength_rows(group, answers.items, *coupled))
                    rows.couplings.extend(_coupling_rows(group, answers, *coupled, clip, prior))
    return rows


def statistic_of(found: JudgeScore, metric: Metric) -> Statistic:
    """Return a figure of a score."""
    if metric is UNDECIDED:
        right = found.pairs_right
        if right.value is None:
            return right
        return Statistic(value=found.n_undecided / right.n, n=right.n, n_missing=right.n_missing)
    statistic: Statistic = getattr(found, metric.name)
    return statistic


def _score_rows(key: Mapping[str, Any], found: JudgeScore) -> Iterator[dict[str, Any]]:
    for metric in OF_JUDGES:
        if metric is AUC:
            # Only pooled: the published one counts on across documents.
            continue
        statistic = statistic_of(found, metric)
        yield {
            **key,
            "document": found.documents[0].document,
            "metric": metric.name,
            "metric_version": str(metric.version),
            "value": statistic.value,
            "status": OK if statistic.value is not None else str(statistic.reason),
        }


def _estimate_rows(
    key: Mapping[str, Any],
    documents: Sequence[Judged],
    whole: JudgeScore,
    single: Sequence[JudgeScore],
    settings: Settings,
) -> Iterator[dict[str, Any]]:
    names = [one.document for one in documents]
    for metric in OF_JUDGES:
        statistic = statistic_of(whole, metric)
        of_documents = [statistic_of(one, metric) for one in single]
        item = "\x1f".join(str(key[name]) for name in ("dataset", "criterion", "judge"))
        # One and the same draw of documents for both conventions.
        rng = generator(settings.seed, f"interval of {metric.name} of a judge", item)
        sd: float | None = None
        if metric in _OF_DOCUMENTS:
            values = [float(one) for one in of_documents]
            found = mean_interval(values, names, rng, draws=settings.draws, ddof=0)
            sd, interval = found.sd, _Interval(found.ci_low, found.ci_high, found.reason)
        elif metric in _OF_PAIRS:
            interval = _of_pairs(of_documents, names, rng, settings.draws)
        else:
            interval = _of_auc(documents, whole.convention, names, rng, settings.draws)
        present = sum(one.value is not None for one in of_documents)
        reasons = [statistic.reason]
        if statistic.value is not None:
            reasons.append(interval.reason)
        yield {
            **key,
            "metric": metric.name,
            "mean": statistic.value,
            "sd": sd,
            "n": statistic.n,
            "n_missing": statistic.n_missing,
            "n_imputed": 0,
            "n_clusters": present,
            "ci_low": interval.low,
            "ci_high": interval.high,
            "reason": "; ".join(reason for reason in reasons if reason) or None,
        }


class _Interval(NamedTuple):
    low: float | None
    high: float | None
    reason: str | None


def _drawn(
    documents: Sequence[str],
    figure: Callable[[FloatArray], FloatArray],
    rng: np.random.Generator,
    draws: int,
) -> _Interval:
    """Return the interval of a figure, whole documents drawn with replacement.

    Args:
        documents: The D documents, in any order.
        figure: Takes how often each document was drawn, draws × D, and gives a figure for each.
        rng: The source of the draws.
        draws: Their number.
    """
    D = len(documents)
    if D < MIN_CLUSTERS:
        return _Interval(None, None, f"fewer than {MIN_CLUSTERS} clusters")
    counts = rng.multinomial(D, np.full(D, 1 / D), size=draws).astype(np.float64)
    # By name, so that another order of the documents is another order of columns only.
    values = figure(counts[:, np.argsort(np.argsort(documents))])
    low, high = np.quantile(values, [0.025, 0.975])
    return _Interval(float(low), float(high), None)


def _of_pairs(
    of_documents: Sequence[Statistic], names: Sequence[str], rng: np.random.Generator, draws: int
) -> _Interval:
    """Return the interval of a mean over pairs."""
    kept = [index for index, one in enumerate(of_documents) if one.value is not None]
    n = np.array([of_documents[index].n for index in kept], dtype=np.float64)
    sums = n * [float(of_documents[index]) for index in kept]
    return _drawn([names[index] for index in kept], lambda w: (w @ sums) / (w @ n), rng, draws)


def _of_auc(
    documents: Sequence[Judged],
    convention: Convention,
    names: Sequence[str],
    rng: np.random.Generator,
    draws: int,
) -> _Interval:
    """Return the interval of the AUC.

    With w how often each document was drawn, the AUC is wᵀUw / (w·p)(w·n): U counts, for two
    documents, the pairs of a right one of the first and a wrong one of the second that are ranked
    rightly; p and n count the right and the wrong ones.
    """
    kept = [
        (name, scores[labels], scores[~labels])
        for name, (scores, labels) in zip(names, scored_answers(documents, convention), strict=True)
        if labels.size
    ]
    if any(not right.size or not wrong.size for _, right, wrong in kept):
        return _Interval(None, None, "a document whose pairs all point one way")
    U = _ranked_rightly([right for _, right, _ in kept], [wrong for *_, wrong in kept])
    p = np.array([float(right.size) for _, right, _ in kept])
    n = np.array([float(wrong.size) for *_, wrong in kept])
    return _drawn(
        [name for name, *_ in kept],
        lambda w: ((w @ U) * w).sum(axis=1) / ((w @ p) * (w @ n)),
        rng,
        draws,
    )


def _ranked_rightly(right: Sequence[FloatArray], wrong: Sequence[FloatArray]) -> FloatArray:
    """Return Mann and Whitney's U of the right ones of i and the wrong ones of j, ties half."""
    if not right:
        return np.zeros((0, 0))
    everyone = np.concatenate(right)
    starts = np.cumsum([0, *(part.size for part in right[:-1])])
    columns = []
    for part in wrong:
        ordered = np.sort(part)
        below = np.searchsorted(ordered, everyone, "left")
        beaten = 0.5 * (below + np.searchsorted(ordered, everyone, "right"))
        columns.append(np.add.reduceat(beaten, starts))
    return np.column_stack(columns)


def _strength_rows(
    group: Mapping[str, Any],
    items: Sequence[str],
    by_pkpd: PkpdResult | None,
    by_bradley_terry: BradleyTerryResult | None,
) -> Iterator[dict[str, Any]]:
    nothing = np.full(len(items), np.nan)
    one_part = np.zeros(len(items), dtype=int)
    pkpd = (nothing, nothing, nothing, nothing)
    if by_pkpd is not None:
        pkpd = (by_pkpd.strengths, nothing, by_pkpd.log_strengths, nothing)
    bradley_terry, parts, why = (nothing, nothing, nothing, nothing), one_part, NOT_CONVERGED
    if by_bradley_terry is not None:
        found = by_bradley_terry
        bradley_terry = (
            found.strengths,
            found.standard_errors,
            found.log_strengths,
            found.log_standard_errors,
        )
        parts = one_part.copy()
        for number, part in enumerate(found.components):
            parts[part] = number
        why = NO_FINITE_STRENGTH
    methods = (
        ("pkpd", pkpd, one_part, PAIRS_MISSING),
        ("bradley_terry", bradley_terry, parts, why),
    )
    for method, columns, components, missing in methods:
        for place, item in enumerate(items):
            strength, se, log_strength, log_se = (
                None if math.isnan(column[place]) else float(column[place]) for column in columns
            )
            yield {
                **group,
                "method": method,
                "item": item,
                "strength": strength,
                "se": se,
                "log_strength": log_strength,
                "log_se": log_se,
                "component": int(components[place]),
                "status": missing if strength is None else OK,
            }


def _coupling_rows(
    group: Mapping[str, Any],
    answers: Judged,
    by_pkpd: PkpdResult | None,
    by_bradley_terry: BradleyTerryResult | None,
    clip: float,
    prior: float,
) -> Iterator[dict[str, Any]]:
    K = len(answers.items)
    both = ~np.isnan(answers.q) & ~np.isnan(answers.q.T)
    n_pairs = int(both.sum()) // 2
    n_missing = K * (K - 1) // 2 - n_pairs
    shared = {**group, "n_items": K, "n_pairs": n_pairs, "n_missing": n_missing}
    nothing = dict.fromkeys(("raw_sum", "clip", "prior", "gradient", "reason"))
    yield {
        **shared,
        **nothing,
        "method": "pkpd",
        "raw_sum": None if by_pkpd is None else by_pkpd.raw_sum,
        "clip": clip,
        "components": 1,
        "iterations": 0,
        "converged": by_pkpd is not None,
        "reason": _why_no_pkpd(by_pkpd, n_missing),
    }
    found = by_bradley_terry
    yield {
        **shared,
        **nothing,
        "method": "bradley_terry",
        "prior": prior,
        "components": 1 if found is None else len(found.components),
        "iterations": 0 if found is None else found.iterations,
        "gradient": None if found is None else found.gradient,
        "converged": found is not None,
        "reason": NOT_CONVERGED.replace("_", " ") if found is None else found.reason,
    }


def _why_no_pkpd(found: PkpdResult | None, n_missing: int) -> str | None:
    if found is None:
        return f"PKPD needs every pair, {n_missing} missing"
    return "all strengths equal by convention (0/0)" if found.uniform else None
