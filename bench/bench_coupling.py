"""Coupling beside pairsort and evalica, in one run: `python bench/bench_coupling.py`.

Each line is the median of interleaved repeats, and how many times ours that is. Bradley–Terry runs
on complete noisy data, 20 votes a pair; its last column is the largest difference of centred log
strengths from a fit of evalica's at tolerance 1e-13, that of PKPD the largest difference of
strengths. The peak of memory is that of a process of its own.
"""

import argparse
import subprocess
import sys
import time
from collections.abc import Callable
from statistics import median

import evalica
import numpy as np
from pairsort.couple import bradley_terry as pairsort_bradley_terry
from pairsort.couple import pkpd as pairsort_pkpd
from pairsort.pairwise import PairwiseMatrix

from sensemaking.coupling import bradley_terry, pkpd

VOTES = 20


def noisy_wins(K: int, seed: int = 1) -> np.ndarray:
    rng = np.random.default_rng(seed)
    theta = rng.normal(size=K)
    upper = np.triu(rng.binomial(VOTES, 1 / (1 + np.exp(theta[None] - theta[:, None]))), 1)
    return np.ascontiguousarray(upper + np.triu(VOTES - upper, 1).T, dtype=float)


def seconds(calls: dict[str, Callable[[], object]], repeats: int) -> dict[str, float]:
    times: dict[str, list[float]] = {name: [] for name in calls}
    for call in calls.values():
        call()
    for _ in range(repeats):
        for name, call in calls.items():
            start = time.perf_counter()
            call()
            times[name].append(time.perf_counter() - start)
    return {name: median(values) for name, values in times.items()}


def show(what: str, times: dict[str, float], errors: dict[str, float]) -> None:
    own = times["sensemaking"]
    for name, value in times.items():
        error = f"{errors[name]:9.1e}" if name in errors else ""
        print(f"{what:24s} {name:12s} {value * 1e3:10.3f} ms {value / own:8.1f} × {error}")


def bench_pkpd(what: str, P: np.ndarray, repeats: int) -> None:
    times = seconds({"sensemaking": lambda: pkpd(P), "pairsort": lambda: pairsort_pkpd(P)}, repeats)
    gap = float(np.abs(pkpd(P).strengths - pairsort_pkpd(P).posterior).max())
    show(f"PKPD K={len(P)}, {what}", times, {"pairsort": gap})


def bench_bradley_terry(K: int, repeats: int) -> None:
    wins = noisy_wins(K)
    matrix = PairwiseMatrix(K)
    matrix.wins, matrix.n = wins.copy(), wins + wins.T
    first, second = np.nonzero(wins)
    xs, ys, weights = first.tolist(), second.tolist(), wins[first, second].tolist()
    winners = [evalica.Winner.X] * len(xs)
    index = evalica.indexing(xs, ys)[2]

    def of_evalica(tolerance: float = 1e-6, limit: int = 100) -> np.ndarray:
        result = evalica.bradley_terry(
            xs, ys, winners, index=index, weights=weights, tolerance=tolerance, limit=limit
        )
        return result.scores.loc[list(range(K))].to_numpy()

    times = seconds(
        {
            "sensemaking": lambda: bradley_terry(wins),
            "pairsort": lambda: pairsort_bradley_terry(matrix, prior=0.0),
            "evalica": of_evalica,
        },
        repeats,
    )
    exact = centred(np.log(of_evalica(1e-13, 10_000)))
    errors = {
        "sensemaking": bradley_terry(wins).log_strengths,
        "pairsort": pairsort_bradley_terry(matrix, prior=0.0).log_strength,
        "evalica": np.log(of_evalica()),
    }
    show(
        f"Bradley–Terry K={K}",
        times,
        {name: float(np.abs(centred(log) - exact).max()) for name, log in errors.items()},
    )


def centred(log_strengths: np.ndarray) -> np.ndarray:
    return log_strengths - log_strengths.mean()


def bench_memory(K: int) -> None:
    code = (
        "import resource; import numpy as np\n"
        "from sensemaking.coupling import bradley_terry\n"
        "rng = np.random.default_rng(1); theta = rng.normal(size=K)\n"
        "p = 1 / (1 + np.exp(theta[None] - theta[:, None]))\n"
        "upper = np.triu(rng.binomial(20, p), 1); wins = upper + np.triu(20 - upper, 1).T * 1.0\n"
        "result = bradley_terry(wins)\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, result.iterations)\n"
    )
    start = time.perf_counter()
    out = subprocess.run(
        [sys.executable, "-c", f"K = {K}\n{code}"], capture_output=True, text=True, check=True
    )
    kilobytes, iterations = out.stdout.split()
    print(
        f"{f'Bradley–Terry K={K}':24s} sensemaking  {time.perf_counter() - start:10.2f} s for a "
        f"whole process, {int(kilobytes) / 2**20:.2f} GiB at its peak, {iterations} Newton steps"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=9)
    repeats = parser.parse_args().repeats
    shares = noisy_wins(400) / VOTES
    np.fill_diagonal(shares, 0.5)
    # Shares of votes of 0 and 1 have to be clipped, which is a pass more over the table.
    bench_pkpd("shares", shares, 20 * repeats)
    bench_pkpd("inside", np.clip(shares, 0.5 / VOTES, 1 - 0.5 / VOTES), 20 * repeats)
    for size in (400, 1000):
        bench_bradley_terry(size, repeats)
    bench_memory(2000)
