"""The cluster bootstrap against scipy.stats.bootstrap on the same clusters, interleaved.

Usage: python bench/bench_stats.py [clusters] [values] [repeats]
"""

import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable

import numpy as np
from scipy.stats import bootstrap

from sensemaking.seeds import generator
from sensemaking.stats import mean_interval

DRAWS = 10_000


def main(n_clusters: int = 12_000, n_values: int = 100_000, repeats: int = 3) -> None:
    rng = np.random.default_rng(0)
    values = rng.normal(50, 20, n_values)
    codes = np.concatenate(
        [np.arange(n_clusters), rng.integers(n_clusters, size=n_values - n_clusters)]
    )
    clusters = [f"kind/source/chapter/section {code:06}" for code in codes]
    sums = np.bincount(codes, weights=values)
    sizes = np.bincount(codes)

    def with_sensemaking() -> tuple[float, float]:
        found = mean_interval(values, clusters, generator(1, "bench"), draws=DRAWS)
        return float(found.ci_low or 0), float(found.ci_high or 0)

    def with_scipy() -> tuple[float, float]:
        found = bootstrap(
            (sums, sizes),
            lambda s, n, axis: s.sum(axis=axis) / n.sum(axis=axis),
            paired=True,
            n_resamples=DRAWS,
            method="percentile",
            batch=10,
            rng=generator(2, "bench"),
        ).confidence_interval
        return float(found.low), float(found.high)

    functions: dict[str, Callable[[], tuple[float, float]]] = {
        "scipy.stats.bootstrap, sums given": with_scipy,
        "sensemaking.stats.mean_interval": with_sensemaking,
    }
    seconds: dict[str, list[float]] = {name: [] for name in functions}
    ends = {}
    for _ in range(repeats):
        for name, function in functions.items():
            start = time.perf_counter()
            ends[name] = function()
            seconds[name].append(time.perf_counter() - start)
    peaks = {}
    for name, function in functions.items():
        tracemalloc.start()
        function()
        peaks[name] = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    base = statistics.median(seconds["scipy.stats.bootstrap, sums given"])
    print(
        f"{n_clusters} clusters, {n_values} values, {DRAWS} draws, median of {repeats}; "
        "peak memory beyond the input"
    )
    print(f"{'':36}{'seconds':>8}{'times as fast':>15}{'peak MB':>9}   interval")
    for name, taken in seconds.items():
        median = statistics.median(taken)
        low, high = ends[name]
        print(
            f"{name:36}{median:8.2f}{base / median:15.1f}{peaks[name] / 1e6:9.1f}"
            f"   {low:.3f} to {high:.3f}"
        )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
