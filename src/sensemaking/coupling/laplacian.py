"""Laplacians of graphs whose weights may lie many orders of magnitude apart.

Of nearly separable data the strengths fall into groups with next to no weight between them. One
Cholesky factor over all items loses that weight in the rounding of the weight within the groups.
So groups are solved one by one, then the graph whose nodes are the groups, and so on; what is left
out between two levels is a millionth of what is kept.
"""

import numpy as np
from scipy.linalg import blas, lapack
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from sensemaking.coupling.connectivity import FloatArray, IntArray, reaches_all

WEAKEST_LINK = 1e-6
"""Weights below this share of the largest one do not hold a group together."""


def groups(weights: FloatArray) -> IntArray:
    """Return each node's group, connected by weights of a millionth of the largest or more.

    Args:
        weights: n × n, symmetric, 0 or more, the diagonal 0.

    Returns:
        n whole numbers from 0; all 0 if one group holds all.
    """
    strong = weights >= WEAKEST_LINK * weights.max()
    if reaches_all(strong):
        return np.zeros(len(weights), dtype=np.intp)
    _, labels = connected_components(csr_array(strong), directed=False)
    return np.asarray(labels, dtype=np.intp)


def solve(weights: FloatArray, flows: FloatArray) -> FloatArray:
    """Return x with Σ_j weights_ij · (x_i − x_j) = Σ_j flows_ij, nearly so if there are groups.

    Flows, not their sums, are passed because what flows inside a group is to cancel exactly when
    groups are looked at from outside.

    Args:
        weights: n × n, symmetric, 0 or more, connected, the diagonal 0.
        flows: n × n, antisymmetric.

    Returns:
        n values, their origin of no meaning.

    Raises:
        numpy.linalg.LinAlgError: A factor does not exist in double precision.
    """
    labels = groups(weights)
    source = flows.sum(axis=1)
    x = np.zeros(len(weights))
    for members in _of_two_or_more(labels):
        lower, _ = _factor(weights[np.ix_(members, members)])
        local = source[members] - source[members].mean()
        x[members], _ = lapack.dpotrs(lower, local, lower=1)
    if labels.max() > 0:
        x += solve(_between(weights, labels), _between(flows, labels))[labels]
    return x


def pseudo_inverse(weights: FloatArray, vectors: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the diagonal of the Laplacian's pseudo-inverse C, and C · vectors.

    Args:
        weights: n × n, as for :func:`solve`; overwritten.
        vectors: n × m.

    Returns:
        n variances and n × m products.

    Raises:
        numpy.linalg.LinAlgError: As :func:`solve`.
    """
    n = len(weights)
    diagonal, products = _generalised_inverse(weights, np.column_stack([vectors, np.ones(n)]))
    # Any generalised inverse G gives C = JGJ with J = I − 11ᵀ/n.
    ones = products[:, -1] / n
    centred = products[:, :-1] - np.outer(ones, vectors.sum(axis=0))
    return diagonal - 2.0 * ones + ones.mean(), centred - centred.mean(axis=0)


def _generalised_inverse(weights: FloatArray, vectors: FloatArray) -> tuple[FloatArray, FloatArray]:
    labels = groups(weights)
    diagonal, products = np.zeros(len(weights)), np.zeros_like(vectors)
    if labels.max() > 0:
        sums = np.zeros((int(labels.max()) + 1, vectors.shape[1]))
        np.add.at(sums, labels, vectors)
        outer_diagonal, outer_products = _generalised_inverse(_between(weights, labels), sums)
        diagonal, products = outer_diagonal[labels], outer_products[labels]
    for members in _of_two_or_more(labels):
        whole = len(members) == len(weights)
        lower, alpha = _factor(weights if whole else weights[np.ix_(members, members)])
        inverse, _ = lapack.dpotri(lower, lower=1, overwrite_c=1)
        # Adding α11ᵀ to a matrix whose null space is 1 added this to every entry of the inverse.
        added = 1.0 / (alpha * len(members) ** 2)
        diagonal[members] += inverse.diagonal() - added
        for column, vector in enumerate(vectors[members].T):
            product = blas.dsymv(1.0, inverse, vector, lower=1)
            products[members, column] += product - added * vector.sum()
    return diagonal, products


def _factor(weights: FloatArray) -> tuple[FloatArray, float]:
    """Return the Cholesky factor of Laplacian + α11ᵀ, which has an inverse, and α; overwrites."""
    degree = weights.sum(axis=1)
    alpha = float(degree.mean()) / len(degree)
    np.subtract(alpha, weights, out=weights)
    np.fill_diagonal(weights, degree + alpha)
    # The transpose of a symmetric table is itself, in the order that spares a copy.
    lower, failed = lapack.dpotrf(weights.T, lower=1, clean=0, overwrite_a=1)
    if failed:
        raise np.linalg.LinAlgError("a Laplacian is singular in double precision")
    return lower, alpha


def _of_two_or_more(labels: IntArray) -> list[IntArray]:
    order = np.argsort(labels, kind="stable")
    cuts = np.cumsum(np.bincount(labels))[:-1]
    return [members for members in np.split(order, cuts) if len(members) > 1]


def _between(table: FloatArray, labels: IntArray) -> FloatArray:
    """Return the sums of a table over pairs of groups, the diagonal 0."""
    n = int(labels.max()) + 1
    rows = np.zeros((n, len(table)))
    np.add.at(rows, labels, table)
    sums = np.zeros((n, n))
    np.add.at(sums, labels, rows.T)
    np.fill_diagonal(sums, 0.0)
    return np.ascontiguousarray(sums.T)
