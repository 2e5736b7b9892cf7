"""From what judges answer to what is coupled: both orders, ties and rankings."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sensemaking.coupling.connectivity import FloatArray, checked_wins


def symmetrise(q: npt.ArrayLike) -> FloatArray:
    """Return P_ij = (q_ij + 1 − q_ji) / 2, from which a constant preference for a place cancels.

    Args:
        q: K × K, ``q[i, j]`` = the judge's probability that i, shown first, is better than j, shown
            second; 0 to 1. The diagonal is ignored. NaN = not asked, or not answered.

    Returns:
        K × K with ``P[j, i] = 1 − P[i, j]``; NaN where one of the two orders is missing, and on the
        diagonal.

    Raises:
        ValueError: Not a square table, or an entry outside 0 to 1.
    """
    answers = checked_answers(q)
    # Terms in the order of the formula, and the complement for the other triangle: published AUCs
    # count equal probabilities as ties, and these are the roundings they were made with.
    P = (answers + 1.0 - answers.T) / 2.0
    lower = np.tril_indices(len(P), -1)
    P[lower] = 1.0 - P.T[lower]
    return np.asarray(P, dtype=np.float64)


def position_gap(q: npt.ArrayLike) -> FloatArray:
    """Return |q_ij − (1 − q_ji)|: how far the judge's two answers about a pair are apart.

    Args:
        q: K × K, as for :func:`symmetrise`.

    Returns:
        K × K, symmetric, 0 to 1; NaN where one of the two orders is missing, and on the diagonal.

    Raises:
        ValueError: As :func:`symmetrise`.
    """
    answers = checked_answers(q)
    return np.asarray(np.abs(answers + answers.T - 1.0), dtype=np.float64)


def wins_from_answers(q: npt.ArrayLike) -> FloatArray:
    """Return wins_ij = q_ij + 1 − q_ji: two answers about a pair are two comparisons.

    Args:
        q: K × K, as for :func:`symmetrise`.

    Returns:
        K × K, ``wins[i, j] + wins[j, i]`` = 2 for a pair asked in both orders, 0 for any other.

    Raises:
        ValueError: As :func:`symmetrise`.
    """
    return np.asarray(np.nan_to_num(2.0 * symmetrise(q), nan=0.0), dtype=np.float64)


def checked_answers(q: npt.ArrayLike) -> FloatArray:
    """Return a copy of a table of answers with NaN on the diagonal.

    Raises:
        ValueError: Not a square table, or an entry outside 0 to 1.
    """
    answers = np.array(q, dtype=np.float64)
    if answers.ndim != 2 or answers.shape[0] != answers.shape[1]:
        raise ValueError(f"q must be K × K, not of shape {answers.shape}")
    np.fill_diagonal(answers, np.nan)
    outside = (answers < 0.0) | (answers > 1.0)
    if outside.any():
        i, j = np.argwhere(outside)[0]
        raise ValueError(
            f"q[{i}, {j}] = {answers[i, j]} is not a probability from 0 to 1; an answer that "
            "failed or was not asked for is NaN"
        )
    return answers


def wins_from_rankings(
    rankings: Iterable[Sequence[Hashable]], items: Sequence[Hashable]
) -> FloatArray:
    """Count who stood above whom: a triplet of best, middle and worst is three comparisons.

    Args:
        rankings: Rankings, each its items from best to worst, two or more of them.
        items: The K items in the order of the result.

    Returns:
        K × K, ``wins[i, j]`` = in how many rankings item i stood above item j.

    Raises:
        ValueError: An item occurs twice, in ``items`` or in a ranking, or is not in ``items``, or a
            ranking has fewer than two.
    """
    place = {item: index for index, item in enumerate(items)}
    if len(place) != len(items):
        raise ValueError(f"items must be distinct, found {list(items)}")
    wins = np.zeros((len(items), len(items)))
    for number, ranking in enumerate(rankings):
        unknown = [item for item in ranking if item not in place]
        if unknown:
            raise ValueError(f"ranking {number} holds {unknown[0]!r}, which is not in items")
        order = [place[item] for item in ranking]
        if len(order) < 2 or len(set(order)) != len(order):
            raise ValueError(
                f"ranking {number} must hold two or more distinct items, found {list(ranking)}"
            )
        for rank, better in enumerate(order):
            wins[better, order[rank + 1 :]] += 1.0
    return wins


@dataclass(frozen=True, eq=False)
class Tally:
    """Wins and ties between K items.

    Attributes:
        wins: K × K, wins and half of the ties.
        win_rate: K × K, ``wins`` as a share of the pair's comparisons, 0 to 1; NaN without any.
        tie_share: K × K, the ties as a share of them, 0 to 1; NaN without any.
    """

    wins: FloatArray
    win_rate: FloatArray
    tie_share: FloatArray


def tally(wins: npt.ArrayLike, ties: npt.ArrayLike) -> Tally:
    """Count each tie as half a win for both sides.

    Args:
        wins: K × K, ``wins[i, j]`` = how often i beat j; 0 or more.
        ties: K × K, symmetric, ``ties[i, j]`` = how often i and j tied; 0 or more.

    Returns:
        The wins to couple, with the shares to report.

    Raises:
        ValueError: Tables of different or not square shapes, negative or not finite entries, or
            ties that are not the same both ways.
    """
    won, tied = checked_wins(wins), checked_wins(ties)
    if won.shape != tied.shape:
        raise ValueError(f"wins {won.shape} and ties {tied.shape} must have the same shape")
    if not np.array_equal(tied, tied.T):
        i, j = np.argwhere(tied != tied.T)[0]
        raise ValueError(
            f"ties[{i}, {j}] = {tied[i, j]} but ties[{j}, {i}] = {tied[j, i]}; "
            "a tie counts for both sides"
        )
    comparisons = won + won.T + tied
    counted = won + 0.5 * tied
    asked = comparisons > 0.0
    none = np.full_like(won, np.nan)
    return Tally(
        wins=counted,
        win_rate=np.divide(counted, comparisons, out=none.copy(), where=asked),
        tie_share=np.divide(tied, comparisons, out=none, where=asked),
    )
