"""How far a judge can be trusted: its pair answers against counts that are known."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from sensemaking.coupling import (
    BradleyTerryResult,
    MissingPairsError,
    NotConvergedError,
    PkpdResult,
    bradley_terry,
    limit_levels,
    pkpd,
    symmetrise,
)
from sensemaking.statistic import Statistic
from sensemaking.stats import kendall_tau_b, mean, pearson
from sensemaking.verifiable.judged import CONVENTIONS, Convention, FloatArray, Judged
from sensemaking.verifiable.pair_figures import (
    NO_PAIRS,
    UNDECIDED,
    auc,
    pairs_right,
    position,
    scored_answers,
    scored_pairs,
)
from sensemaking.verifiable.reading import Count

LOG_DIGITS = 9
"""Log strengths that are equal to so many decimals are tied; what differs beyond is rounding."""

NOT_CONVERGED = "not converged: some answers are too near to 0 or 1 for double precision"


@dataclass(frozen=True, eq=False)
class DocumentScore:
    """A judge's ranking of one document's summaries beside the true one.

    Attributes:
        document: The document's id.
        tau_pkpd: Kendall's τ-b of the truth and the PKPD strengths; n = items.
        tau_bradley_terry: The same with Bradley–Terry strengths. Where the likelihood has no finite
            maximum but the order of its components is settled, that order is used and ``reason``
            says so beside the value. Items without any answered pair are left out, as missing.
        pkpd: The coupling; None where pairs are missing.
        bradley_terry: The coupling; None where its maximum was not reached.
        top: Share, of the items with the greatest PKPD strength, that are best in truth: 0 or 1
            without a tie; None without strengths.
    """

    document: str
    tau_pkpd: Statistic
    tau_bradley_terry: Statistic
    pkpd: PkpdResult | None
    bradley_terry: BradleyTerryResult | None
    top: float | None


@dataclass(frozen=True, eq=False)
class JudgeScore:
    """A judge's score on one question.

    Attributes:
        criterion: The question.
        convention: How undecided answers are counted and pairs oriented; see :func:`score`.
        pairs_right: Share of answers that prefer the truly better item; n = answered pairs with
            different truths, n_missing = pairs of that kind without an answer.
        auc: Area under the ROC curve of the answers; n = the scored pairs.
        tau_pkpd: Mean over documents; n = documents.
        tau_pkpd_sd: Standard deviation over the same documents, ddof 0; None without any.
        tau_bradley_terry: Mean over documents.
        tau_bradley_terry_sd: As above.
        top: Mean of the documents' shares, so the share of documents with the right first item.
        position_bias: Mean of (q_ab + q_ba)/2 − ½ over pairs asked in both orders: from −½ (always
            the second shown) to ½ (always the first); n = pairs.
        position_gap: Mean of \\|q_ab − (1 − q_ba)\\| over the same pairs, 0 to 1.
        consistency: Share of the same pairs in which both orders prefer the same item; half where
            just one of them is undecided.
        raw_sum: Mean of PKPD's consistency figure, 1 if the answers agree with one another;
            n = documents.
        n_undecided: Scored pairs whose symmetrised answer is ½.
        documents: Document by document.
    """

    criterion: str
    convention: Convention
    pairs_right: Statistic
    auc: Statistic
    tau_pkpd: Statistic
    tau_pkpd_sd: float | None
    tau_bradley_terry: Statistic
    tau_bradley_terry_sd: float | None
    top: Statistic
    position_bias: Statistic
    position_gap: Statistic
    consistency: Statistic
    raw_sum: Statistic
    n_undecided: int
    documents: tuple[DocumentScore, ...]


def score(
    judged: Sequence[Judged],
    criterion: str,
    *,
    convention: Convention = "default",
    clip: float = 1e-3,
    prior: float = 0.0,
) -> JudgeScore:
    """Score one judge on one question over the documents of one data set.

    Pairs that are tied in truth are left out of pairs right and AUC. By the convention ``default``
    an undecided answer (P_ij = ½ within 1e-9) is half right, and the AUC takes each pair in both
    orientations. By ``published``, that of the published page, an undecided answer is a vote for
    the second item, and the AUC takes each pair once, the orientation of every second one turned
    round, counting on across documents; first and second, and the order of pairs, are those of the
    items. There, too, only the first of several items that are best in truth is the right one.

    Args:
        judged: The documents in order.
        criterion: The question, kept in the result.
        convention: ``default`` or ``published``.
        clip: The clip ε of PKPD.
        prior: The prior of Bradley–Terry. Its wins are q_ij + 1 − q_ji: two answers, two votes.

    Returns:
        The score. An undefined figure is None with a reason.

    Raises:
        ValueError: An unknown convention, a document twice, or an unusable ε or prior.
    """
    if convention not in CONVENTIONS:
        raise ValueError(f"convention must be default or published, not {convention!r}")
    names = [one.document for one in judged]
    if len(set(names)) != len(names):
        raise ValueError(f"each document is scored once, found {', '.join(names)}")
    documents = tuple(_score_document(one, convention, clip, prior) for one in judged)
    P, better, n_missing = scored_pairs(judged)
    gap, bias, consistency = position(judged)
    tau_pkpd = [one.tau_pkpd for one in documents]
    tau_bradley_terry = [one.tau_bradley_terry for one in documents]
    return JudgeScore(
        criterion=criterion,
        convention=convention,
        pairs_right=pairs_right(P, better, n_missing, convention),
        auc=auc(scored_answers(judged, convention), len(P), n_missing),
        tau_pkpd=_mean(tau_pkpd),
        tau_pkpd_sd=_sd(tau_pkpd),
        tau_bradley_terry=_mean(tau_bradley_terry),
        tau_bradley_terry_sd=_sd(tau_bradley_terry),
        top=mean([np.nan if one.top is None else one.top for one in documents]),
        position_bias=mean(bias),
        position_gap=mean(gap),
        consistency=mean(consistency),
        raw_sum=mean([np.nan if one.pkpd is None else one.pkpd.raw_sum for one in documents]),
        n_undecided=int((np.abs(P - 0.5) <= UNDECIDED).sum()),
        documents=documents,
    )


def truth_correlation(counts: Iterable[Count]) -> Statistic:
    """Return Pearson's correlation of facts mentioned and facts wrong over all summaries.

    Near 0, neither question gives away the answer to the other.
    """
    rows = list(counts)
    return pearson([count.n_mentioned for count in rows], [count.n_wrong for count in rows])


def kendall_of_strengths(truth: npt.ArrayLike, log_strengths: npt.ArrayLike) -> Statistic:
    """Return Kendall's τ-b, log strengths that agree to nine decimals being tied.

    Args:
        truth: K values.
        log_strengths: K values; NaN = none.
    """
    return kendall_tau_b(truth, np.round(np.asarray(log_strengths, dtype=np.float64), LOG_DIGITS))


def _score_document(
    judged: Judged, convention: Convention, clip: float, prior: float
) -> DocumentScore:
    P = symmetrise(judged.q)
    couple, tau, top = _by_pkpd(P, judged.truth, convention, clip)
    wins = np.nan_to_num(2.0 * P, nan=0.0)
    try:
        strengths = bradley_terry(wins, prior=prior)
    except NotConvergedError:
        strengths = None
    return DocumentScore(
        document=judged.document,
        tau_pkpd=tau,
        tau_bradley_terry=_by_bradley_terry(wins, strengths, judged.truth),
        pkpd=couple,
        bradley_terry=strengths,
        top=top,
    )


def _by_pkpd(
    P: FloatArray, truth: FloatArray, convention: Convention, clip: float
) -> tuple[PkpdResult | None, Statistic, float | None]:
    try:
        couple = pkpd(P, clip=clip)
    except MissingPairsError as error:
        reason = f"{len(error.pairs)} pairs missing"
        return None, Statistic(value=None, n=0, reason=reason, n_missing=len(truth)), None
    # The strength 0 of an item that surely lost, without a clip, is below all others.
    logs = np.round(np.log(np.maximum(couple.strengths, 1e-300)), LOG_DIGITS)
    if convention == "published":
        top = float(np.argmax(logs) == np.argmax(truth))
    else:
        top = float((truth == truth.max())[logs == logs.max()].mean())
    return couple, kendall_of_strengths(truth, logs), top


def _by_bradley_terry(
    wins: FloatArray, strengths: BradleyTerryResult | None, truth: FloatArray
) -> Statistic:
    if strengths is None:
        return Statistic(value=None, n=0, reason=NOT_CONVERGED, n_missing=len(truth))
    if strengths.finite:
        return kendall_of_strengths(truth, strengths.log_strengths)
    asked = np.flatnonzero((wins + wins.T).any(axis=1))
    n_missing = len(truth) - len(asked)
    if not asked.size:
        return Statistic(value=None, n=0, reason=NO_PAIRS, n_missing=n_missing)
    levels = limit_levels(wins[np.ix_(asked, asked)])
    if levels is None:
        return Statistic(
            value=None,
            n=0,
            reason=f"{strengths.reason}, not in one order",
            n_missing=len(truth),
        )
    # Within a component by strength, between components by their order in the limit.
    within = np.nan_to_num(np.round(strengths.log_strengths[asked], LOG_DIGITS), nan=0.0)
    _, places = np.unique(np.column_stack([levels, within]), axis=0, return_inverse=True)
    tau = kendall_tau_b(truth[asked], places.reshape(-1))
    reason = tau.reason
    if levels.max() > levels.min():
        reason = tau.reason or f"order in the limit of {int(np.unique(levels).size)} components"
    return Statistic(value=tau.value, n=tau.n, reason=reason, n_missing=n_missing)


def _mean(statistics: Sequence[Statistic]) -> Statistic:
    """Return the mean of what is there; without any, the reasons why each is not."""
    found = mean([float(one) for one in statistics])
    reasons = sorted({one.reason for one in statistics if one.reason})
    if found.value is None and reasons:
        return replace(found, reason="; ".join(reasons))
    return found


def _sd(statistics: Sequence[Statistic]) -> float | None:
    present = np.array([float(one) for one in statistics], dtype=np.float64)
    present = present[~np.isnan(present)]
    return float(present.std()) if present.size else None


def differing(one: JudgeScore, other: JudgeScore) -> Mapping[str, tuple[Statistic, Statistic]]:
    """Return the figures in which two scores of the same answers differ, as by two conventions."""
    pairs = {
        name: (getattr(one, name), getattr(other, name)) for name in ("pairs_right", "auc", "top")
    }
    return {name: both for name, both in pairs.items() if both[0].value != both[1].value}
