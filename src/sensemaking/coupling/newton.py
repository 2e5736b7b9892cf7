"""Newton's method for the likelihood of Bradley and Terry on one strongly connected component."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.special import expit
from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]

from sensemaking.coupling import laplacian
from sensemaking.coupling.connectivity import FloatArray

GRADIENT_TOLERANCE = 1e-10
STEP_TOLERANCE = 1e-6
MAX_ITERATIONS = 1_000
MAX_PRODUCTS = 40
WIDEST_RATIO = 500.0
"""Largest difference of log strengths whose exponentials are used without care."""

_ADVICE = (
    "some wins are too small beside others for double precision; use a prior, or leave out the "
    "pairs with next to no wins"
)


class NotConvergedError(ArithmeticError):
    """The maximum of the likelihood was not reached within double precision."""


@dataclass(frozen=True, eq=False)
class Fit:
    """The maximum of one component.

    Attributes:
        log_strengths: K values with mean 0.
        log_standard_errors: K standard errors of them.
        strengths: K positive values, sum 1.
        standard_errors: K standard errors of the strengths.
        iterations: Newton steps taken.
        gradient: Largest relative gradient of an item at the result.
    """

    log_strengths: FloatArray
    log_standard_errors: FloatArray
    strengths: FloatArray
    standard_errors: FloatArray
    iterations: int
    gradient: float


def fit(wins: FloatArray) -> Fit:
    """Return the strengths that maximise the likelihood, with their standard errors.

    Along any line the third derivative of the likelihood is at most r times the second, r being the
    largest change of a difference of two compared items (generalised self-concordance; Bach 2010,
    Electron. J. Statist. 4, 384–414). So a Newton step may be taken in full where r ≤ 1 and by the
    part ln(1 + r)/r of it where r is larger, and the likelihood is sure to rise. That also holds
    for a direction by conjugate gradients, whose slope equals its curvature: they are used while 40
    products with the Hessian are enough, after that Cholesky factors
    (:mod:`sensemaking.coupling.laplacian`).

    The covariance of the log strengths with mean 0 is the pseudo-inverse C of the Hessian, that of
    the strengths with sum 1 is J C Jᵀ with J = diag(s) − ssᵀ.

    Args:
        wins: K × K, K ≥ 2, of one strongly connected component, the diagonal 0.

    Returns:
        The maximum.

    Raises:
        NotConvergedError: 1,000 steps did not reach it, or rounding hides the direction.
    """
    # One thread: the same bits whatever the number of cores, and no waiting for busy ones.
    with _linear_algebra().limit(limits=1):
        surface = _Surface(wins)
        try:
            theta, iterations = _climb(surface)
            variance, of_strengths, strengths = _covariance(surface, theta)
        except np.linalg.LinAlgError as error:
            raise NotConvergedError(f"{error}: {_ADVICE}") from error
    return Fit(
        log_strengths=theta,
        log_standard_errors=np.sqrt(variance),
        strengths=strengths,
        standard_errors=np.sqrt(of_strengths),
        iterations=iterations,
        gradient=surface.relative,
    )


@lru_cache(maxsize=1)
def _linear_algebra() -> ThreadpoolController:
    return ThreadpoolController()


class _Surface:
    """The likelihood's gradient and Hessian at the θ it was last moved to.

    The Hessian of −likelihood is the Laplacian of the weights n_ij p_ij p_ji, kept as
    scale_i · kernel_ij · scale_j so that it costs no further pass over K². The K × K tables are
    made once and written over: fetching new ones takes longer than filling them.
    """

    def __init__(self, wins: FloatArray) -> None:
        self.wins = wins
        self.games = wins + wins.T
        self.kernel = np.empty_like(wins)
        self.work = np.empty_like(wins)
        self.ones = np.ones(len(wins))

    def move_to(self, theta: FloatArray) -> None:
        kernel, work = self.kernel, self.work
        if float(theta.max() - theta.min()) <= WIDEST_RATIO:
            s = np.exp(theta - 0.5 * (theta.max() + theta.min()))
            np.add.outer(s, s, out=kernel)
            np.divide(1.0, kernel, out=kernel)
            np.multiply(self.wins, kernel, out=work)
            won, lost = work @ s, s * (self.ones @ work)
            np.multiply(kernel, kernel, out=kernel)
            self.scale = s
        else:
            # Strengths of a long chain overflow; differences of their logarithms do not.
            np.subtract.outer(-theta, -theta, out=kernel)
            expit(kernel, out=kernel)
            np.multiply(self.wins, kernel, out=work)
            won, lost = work @ self.ones, self.ones @ work
            np.copyto(work, kernel.T)
            np.multiply(kernel, work, out=kernel)
            self.scale = self.ones
        np.multiply(kernel, self.games, out=kernel)
        self.gradient = won - lost
        self.relative = float((np.abs(self.gradient) / (won + lost)).max())
        self.degree = self.scale * (kernel @ self.scale)

    def times(self, x: FloatArray) -> FloatArray:
        """Return Hessian · x."""
        product: FloatArray = self.degree * x - self.scale * (self.kernel @ (self.scale * x))
        return product

    def weights(self) -> FloatArray:
        """Return the weights n_ij p_ij p_ji in a table that the next move overwrites."""
        np.multiply(self.kernel, self.scale, out=self.work)
        np.multiply(self.work, self.scale[:, None], out=self.work)
        return self.work

    def flows(self, theta: FloatArray) -> FloatArray:
        """Return the terms of the gradient, wins[i, j] · p_ji − wins[j, i] · p_ij."""
        won = self.wins * expit(np.subtract.outer(-theta, -theta))
        return np.asarray(won - won.T, dtype=np.float64)

    def largest_change(self, direction: FloatArray) -> float:
        """Return the largest change of a difference of two compared items."""
        span = float(direction.max() - direction.min())
        if span <= STEP_TOLERANCE:
            return span
        np.subtract.outer(direction, direction, out=self.work)
        np.multiply(self.work, self.games > 0.0, out=self.work)
        return float(self.work.max())


def _climb(surface: _Surface) -> tuple[FloatArray, int]:
    """Return the θ of the maximum, with mean 0, and the number of steps; the surface is there."""
    won, asked = surface.wins.sum(axis=1), surface.games.sum(axis=1)
    theta = np.log((won + 0.01 * asked) / (1.01 * asked - won))
    direct, last_step = False, np.inf
    for iteration in range(MAX_ITERATIONS + 1):
        theta -= theta.mean()
        surface.move_to(theta)
        if surface.relative <= GRADIENT_TOLERANCE and last_step <= STEP_TOLERANCE:
            if direct or not laplacian.groups(surface.weights()).any():
                return theta, iteration
            # The gradient between groups may hide in the rounding of the gradient within them.
            direct = True
        direction = None if direct else _conjugate_gradients(surface)
        if direction is None:
            direct = True
            direction = laplacian.solve(surface.weights(), surface.flows(theta))
        last_step = surface.largest_change(direction)
        theta += direction * (1.0 if last_step <= 1.0 else np.log1p(last_step) / last_step)
    raise NotConvergedError(
        f"no maximum of the likelihood after {MAX_ITERATIONS} Newton steps: relative gradient "
        f"{surface.relative:.1e} (wanted {GRADIENT_TOLERANCE:.0e}), last step {last_step:.1e} "
        f"(wanted {STEP_TOLERANCE:.0e}); {_ADVICE}"
    )


def _conjugate_gradients(surface: _Surface) -> FloatArray | None:
    """Solve Hessian · x = gradient, preconditioned by the diagonal; None if it takes too long.

    The residual is brought to the relative size of the gradient (at most 1 %), which keeps the
    convergence of the outer iteration quadratic.
    """
    accuracy = max(1e-9, min(1e-2, surface.relative))
    x: FloatArray = np.zeros(len(surface.gradient))
    residual = surface.gradient - surface.gradient.mean()
    goal = accuracy * float(np.abs(residual).max())
    if goal == 0.0:
        return x
    p = z = residual / surface.degree
    rho = float(residual @ z)
    for _ in range(MAX_PRODUCTS):
        product = surface.times(p)
        step = rho / float(p @ product)
        x += step * p
        residual -= step * product
        if float(np.abs(residual).max()) <= goal:
            return x
        z = residual / surface.degree
        rho, before = float(residual @ z), rho
        p = z + (rho / before) * p
    return None


def _covariance(surface: _Surface, theta: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the variances of θ with mean 0, those of s with sum 1, and s."""
    s = np.exp(theta - theta.max())
    s /= s.sum()
    variance, products = laplacian.pseudo_inverse(surface.weights(), s[:, None])
    c_s = products[:, 0]
    of_strengths = s * s * (variance - 2.0 * c_s + float(s @ c_s))
    return np.maximum(variance, 0.0), np.maximum(of_strengths, 0.0), s
