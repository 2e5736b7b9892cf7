"""Strengths after Bradley and Terry at the exact maximum of the likelihood."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sensemaking.coupling.connectivity import FloatArray, checked_wins, component_labels, grouped
from sensemaking.coupling.newton import Fit, fit


@dataclass(frozen=True, eq=False)
class BradleyTerryResult:
    """Strengths by Bradley–Terry.

    Items of different components cannot be compared: no likelihood says how far apart they are.
    Within each component of two items or more the strengths are those of its own maximum; an item
    alone in its component has none, and its entries are NaN. No entry is infinite.

    Attributes:
        strengths: K positive values that sum to 1 within each component, in the order of the
            input; with ``finite`` they sum to 1 over all. NaN where undefined.
        log_strengths: K natural logarithms of them, shifted to mean 0 within each component.
        standard_errors: K standard errors of ``strengths`` (delta method). NaN where undefined.
        log_standard_errors: K standard errors of ``log_strengths``.
        components: The strongly connected components, each its indices in ascending order,
            ordered by their first index.
        data_components: The same without the prior. Where it has more parts than ``components``,
            distances between its parts rest on the prior alone.
        finite: True if there is one component, so that all items have a finite maximum together.
        reason: Why there is no finite maximum for all items; None if there is one.
        prior: The wins that were added both ways to each observed pair.
        iterations: Newton steps taken, the most of any component.
        gradient: The largest, over items, of |won − expected| / (won against the odds + lost
            against the odds) at the result: see :func:`bradley_terry`.
    """

    strengths: FloatArray
    log_strengths: FloatArray
    standard_errors: FloatArray
    log_standard_errors: FloatArray
    components: list[list[int]]
    data_components: list[list[int]]
    finite: bool
    reason: str | None
    prior: float
    iterations: int
    gradient: float

    def log_ratio(self, i: int, j: int) -> float | None:
        """Return ln(strength i / strength j), None where the two cannot be compared."""
        if any(i in part and j in part for part in self.components):
            return 0.0 if i == j else float(self.log_strengths[i] - self.log_strengths[j])
        return None


def bradley_terry(wins: npt.ArrayLike, prior: float = 0.0) -> BradleyTerryResult:
    """Return the strengths s that maximise Σ_{i≠j} wins[i, j] · ln(s_i / (s_i + s_j)).

    Whether a maximum exists is decided first, by strong connectivity; then each component is
    brought to its maximum by Newton's method, with steps short enough to be sure of rising
    (:mod:`sensemaking.coupling.newton`). With θ = ln s and p_ij = s_i / (s_i + s_j) the gradient is
    g_i = Σ_j (wins[i, j] · p_ji − wins[j, i] · p_ij). The fit ends when every |g_i| is at most
    1e-10 of the sum of the terms it is the difference of, and the last step was a full Newton step
    that moved no difference of two compared items by more than 1e-6: the error that is left is of
    the order of the square of that.

    Source: Bradley and Terry 1952, Biometrika 39, 324–345; Ford 1957; Hunter 2004, Ann. Statist.
    32, 384–406.

    Args:
        wins: K × K, ``wins[i, j]`` = times i beat j, 0 or more, fractions allowed (a tie is half a
            win each way). The diagonal is ignored. NaN both ways = not asked.
        prior: So many wins are added both ways to each pair that has any; 0 or more.

    Returns:
        The strengths and their figures.

    Raises:
        ValueError: An unusable table (see
            :func:`~sensemaking.coupling.connectivity.checked_wins`) or a negative prior.
        NotConvergedError: The maximum was not reached within double precision.
    """
    if not 0.0 <= prior < np.inf:
        raise ValueError(f"prior must be a finite number of 0 or more, not {prior}")
    table = checked_wins(wins)
    data_labels = component_labels(table)
    labels = data_labels
    if prior > 0.0:
        table += prior * ((table > 0.0) | (table.T > 0.0))
        labels = component_labels(table)
    parts = grouped(labels)
    fits = {tuple(part): _fit(table, part) for part in parts if len(part) > 1}
    K = len(table)
    columns = np.full((4, K), np.nan)
    if K == 1:
        columns[:, 0] = 1.0, 0.0, 0.0, 0.0
    for part, found in fits.items():
        columns[:, part] = (
            found.strengths,
            found.log_strengths,
            found.standard_errors,
            found.log_standard_errors,
        )
    strengths, log_strengths, errors, log_errors = columns
    return BradleyTerryResult(
        strengths=strengths,
        log_strengths=log_strengths,
        standard_errors=errors,
        log_standard_errors=log_errors,
        components=parts,
        data_components=grouped(data_labels),
        finite=len(parts) == 1,
        reason=None if len(parts) == 1 else f"no finite maximum: {len(parts)} components",
        prior=prior,
        iterations=max((found.iterations for found in fits.values()), default=0),
        gradient=max((found.gradient for found in fits.values()), default=0.0),
    )


def _fit(table: FloatArray, part: list[int]) -> Fit:
    return fit(table if len(part) == len(table) else table[np.ix_(part, part)])
