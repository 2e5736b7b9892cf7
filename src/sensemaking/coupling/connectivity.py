"""Which items of a table of wins can be put on one scale: strong connectivity of its graph."""

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]
IntArray = npt.NDArray[np.intp]


def checked_wins(wins: npt.ArrayLike) -> FloatArray:
    """Return a copy of a table of wins that is fit to count with.

    Args:
        wins: K × K, ``wins[i, j]`` = how often i beat j, 0 or more, fractions allowed. The diagonal
            is ignored. NaN both ways says that the pair was not asked, the same as 0 both ways.

    Returns:
        K × K floats without NaN, the diagonal 0.

    Raises:
        ValueError: Not a square table with at least one item; a negative or infinite entry; NaN
            in one direction of a pair only.
    """
    table = np.array(wins, dtype=np.float64, order="C")
    if table.ndim != 2 or table.shape[0] != table.shape[1] or table.shape[0] == 0:
        raise ValueError(f"wins must be K × K with K of 1 or more, not of shape {table.shape}")
    np.fill_diagonal(table, 0.0)
    # NaN and infinities reach the sum, so that one pass over sound input is enough.
    if not np.isfinite(table.sum()):
        missing = np.isnan(table)
        _refuse(missing & ~missing.T, table, "is NaN but its other direction is a number")
        table[missing] = 0.0
        _refuse(~np.isfinite(table), table, "is not finite")
    if table.min() < 0.0:
        _refuse(table < 0.0, table, "is negative")
    return table


def _refuse(bad: BoolArray, table: FloatArray, what: str) -> None:
    if bad.any():
        i, j = (int(index) for index in np.argwhere(bad)[0])
        raise ValueError(
            f"wins[{i}, {j}] = {table[i, j]} {what} ({int(bad.sum())} such entries); a win count "
            "is a finite number of 0 or more, and a pair that was not asked is 0 (or NaN) both ways"
        )


def component_labels(wins: FloatArray) -> IntArray:
    """Return each item's component, numbered by first appearance: K whole numbers from 0.

    Args:
        wins: A table as :func:`checked_wins` returns it.
    """
    beats = wins > 0.0
    # Most tables are one component; a search each way from item 0 shows it at the price of a few
    # rows, where the general algorithm needs the whole graph in sparse form.
    if reaches_all(beats) and reaches_all(beats.T):
        return np.zeros(len(wins), dtype=np.intp)
    _, labels = connected_components(csr_array(beats), directed=True, connection="strong")
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    return np.asarray(np.argsort(np.argsort(first))[inverse], dtype=np.intp)


def reaches_all(beats: BoolArray) -> bool:
    """Tell whether every node of a graph can be reached from node 0."""
    reached = np.zeros(len(beats), dtype=np.bool_)
    reached[0] = True
    frontier = np.array([0])
    while frontier.size and not reached.all():
        found = beats[frontier].any(axis=0) & ~reached
        reached |= found
        frontier = np.flatnonzero(found)
    return bool(reached.all())


def components(wins: npt.ArrayLike) -> list[list[int]]:
    """Return the strongly connected components of the graph in which i points to j that it beat.

    The likelihood of Bradley and Terry has a finite maximum for all items together exactly if there
    is one component (Ford 1957, Am. Math. Monthly 64(8), 28–33; Hunter 2004, Ann. Statist. 32,
    384–406, assumption 1). Otherwise only items of one component can be compared.

    Args:
        wins: K × K, ``wins[i, j]`` = how often i beat j (see :func:`checked_wins`).

    Returns:
        The components, each its indices in ascending order, ordered by their first index.

    Raises:
        ValueError: As :func:`checked_wins`.
    """
    return grouped(component_labels(checked_wins(wins)))


def grouped(labels: IntArray) -> list[list[int]]:
    """Return the indices that carry label 0, label 1 and so on."""
    order = np.argsort(labels, kind="stable")
    cuts = np.cumsum(np.bincount(labels))[:-1]
    return [[int(index) for index in part] for part in np.split(order, cuts)]


def limit_levels(wins: npt.ArrayLike) -> IntArray | None:
    """Return where each item's component stands when the likelihood has no finite maximum.

    Along every sequence of strengths whose likelihood rises to its supremum, an item of a component
    that beat another, directly or through others, and never lost to it moves infinitely far above
    that one. If this settles the order of every two components, the order is a fact of the data
    though the distance is not.

    Args:
        wins: K × K, as in :func:`components`.

    Returns:
        K whole numbers, larger is stronger, equal within a component; None where two components
        are left without an order.

    Raises:
        ValueError: As :func:`checked_wins`.
    """
    table = checked_wins(wins)
    labels = component_labels(table)
    n = int(labels.max()) + 1
    won, lost = np.nonzero(table)
    edges = np.zeros((n, n), dtype=np.bool_)
    edges[labels[won], labels[lost]] = True
    np.fill_diagonal(edges, False)
    # The components form a graph without cycles. Its order is unique exactly if taking away the
    # one component that nobody left beats never leaves a choice.
    beaten_by = edges.sum(axis=0)
    level = np.zeros(n, dtype=np.intp)
    left = np.ones(n, dtype=np.bool_)
    for place in range(n, 0, -1):
        top = np.flatnonzero(left & (beaten_by == 0))
        if top.size != 1:
            return None
        level[top] = place
        left[top] = False
        beaten_by = beaten_by - edges[top[0]]
    return np.asarray(level[labels], dtype=np.intp)
