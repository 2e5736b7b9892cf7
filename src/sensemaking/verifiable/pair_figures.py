"""Figures of single pairs: how many answers are right, and what the place of a summary does."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from sensemaking.coupling import position_gap, symmetrise
from sensemaking.statistic import Statistic
from sensemaking.verifiable.judged import Convention, FloatArray, Judged

BoolArray = npt.NDArray[np.bool_]

UNDECIDED = 1e-9
"""An answer this near to ½ decides nothing."""

NO_PAIRS = "no answered pair with different truths"
ONE_SIDED = "all pairs point one way"


def scored_answers(
    judged: Sequence[Judged], convention: Convention
) -> list[tuple[FloatArray, BoolArray]]:
    """Return what the AUC is of: for each document answers P_ij, and whether i is truly better.

    By ``default`` each scored pair is there in both orientations, by ``published`` in one, every
    second one turned round.
    """
    found = []
    before = 0
    for one in judged:
        P, better, _ = scored_pairs([one])
        if convention == "default":
            found.append((np.concatenate([P, 1.0 - P]), np.concatenate([better, ~better])))
        else:
            turned = np.arange(before, before + len(P)) % 2 == 1
            found.append((np.where(turned, 1.0 - P, P), better ^ turned))
            before += len(P)
    return found


def scored_pairs(judged: Sequence[Judged]) -> tuple[FloatArray, BoolArray, int]:
    """Return P_ij and whether i is truly better, for pairs i < j with different truths."""
    answers, better, n_missing = [np.empty(0)], [np.empty(0, dtype=np.bool_)], 0
    for one in judged:
        first, second = np.triu_indices(len(one.items), 1)
        P = symmetrise(one.q)[first, second]
        difference = one.truth[first] - one.truth[second]
        scored = (difference != 0.0) & ~np.isnan(P)
        n_missing += int(((difference != 0.0) & np.isnan(P)).sum())
        answers.append(P[scored])
        better.append(difference[scored] > 0.0)
    return np.concatenate(answers), np.concatenate(better), n_missing


def pairs_right(
    P: FloatArray, better: BoolArray, n_missing: int, convention: Convention
) -> Statistic:
    """Return the share of answers that prefer the truly better item.

    Args:
        P: Answers P_ij.
        better: Whether i is truly better.
        n_missing: Pairs without an answer.
        convention: What an undecided answer counts: half, or as a vote for j.
    """
    if not P.size:
        return Statistic(value=None, n=0, reason=NO_PAIRS, n_missing=n_missing)
    undecided = np.abs(P - 0.5) <= UNDECIDED
    right = ((P > 0.5) == better).astype(np.float64)
    right[undecided] = 0.5 if convention == "default" else ~better[undecided]
    return Statistic(value=float(right.sum()) / len(P), n=len(P), n_missing=n_missing)


def auc(answers: Sequence[tuple[FloatArray, BoolArray]], n: int, n_missing: int) -> Statistic:
    """Return the area under the ROC curve.

    Args:
        answers: What ``scored_answers`` gave.
        n: Pairs that are scored.
        n_missing: Pairs without an answer.
    """
    scores = np.concatenate([np.empty(0), *(part for part, _ in answers)])
    labels = np.concatenate([np.empty(0, dtype=np.bool_), *(part for _, part in answers)])
    positive, negative = int(labels.sum()), int((~labels).sum())
    if not positive or not negative:
        reason = ONE_SIDED if n else NO_PAIRS
        return Statistic(value=None, n=n, reason=reason, n_missing=n_missing)
    # Takes longer to import than all else, and most users of this module need none of it.
    from scipy.stats import rankdata

    # Mann and Whitney's U, ties counting half.
    u = float(rankdata(scores)[labels].sum()) - positive * (positive + 1) / 2
    return Statistic(value=u / (positive * negative), n=n, n_missing=n_missing)


def position(judged: Sequence[Judged]) -> tuple[list[float], list[float], list[float]]:
    """Return position gap, signed bias and agreement of both orders for each pair; NaN missing."""
    gaps: list[float] = []
    biases: list[float] = []
    agreements: list[float] = []
    for one in judged:
        first, second = np.triu_indices(len(one.items), 1)
        q_ab, q_ba = one.q[first, second], one.q[second, first]
        gaps += position_gap(one.q)[first, second].tolist()
        biases += (0.5 * (q_ab + q_ba) - 0.5).tolist()
        for_a, for_b = _vote(q_ab), _vote(q_ba)
        agreements += (1.0 - 0.5 * np.abs(for_a + for_b)).tolist()
    return gaps, biases, agreements


def _vote(q: FloatArray) -> FloatArray:
    return np.where(np.abs(q - 0.5) <= UNDECIDED, 0.0, np.sign(q - 0.5))
