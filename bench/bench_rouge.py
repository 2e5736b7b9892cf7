"""ROUGE-L recall against rouge-score and rouge-score-rs, in one run and interleaved.

Usage: python bench/bench_rouge.py [pairs] [repeats]
"""

import os

# One thread for all, so that the ratios are of the work and not of the cores.
os.environ["RAYON_NUM_THREADS"] = "1"

import random
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

from rouge_score import rouge_scorer
from rouge_score_rs import rouge_scorer as rouge_scorer_rs

from sensemaking.metrics.rouge import rouge_l_recall

Pairs = tuple[list[str], list[str]]


def texts(rng: random.Random, n: int, shortest: int, longest: int) -> list[str]:
    """English-like texts: a few words are frequent, most are rare."""
    letters = "etaoinshrdlucmfwypvbgkqjxz"
    vocabulary = ["".join(rng.choices(letters, k=rng.randint(1, 10))) for _ in range(3000)]
    weights = [1 / (rank + 3) for rank in range(len(vocabulary))]
    return [
        " ".join(rng.choices(vocabulary, weights, k=rng.randint(shortest, longest))) + "."
        for _ in range(n)
    ]


def with_rouge_score(pairs: Pairs) -> list[float]:
    scorer = rouge_scorer.RougeScorer(["rougeL"], use_stemmer=False)
    return [scorer.score(r, a)["rougeL"].recall for r, a in zip(*pairs, strict=True)]


def with_rouge_score_rs(pairs: Pairs) -> list[float]:
    untyped: Any = rouge_scorer_rs.RougeScorer
    scorer = untyped(["rougeL"], use_stemmer=False)
    return [score["rougeL"].recall for score in scorer.score_batch(*pairs)]


def with_sensemaking(pairs: Pairs) -> list[float]:
    references, answers = pairs
    found: list[float] = rouge_l_recall([[r] for r in references], answers).tolist()
    return found


def with_unicode_words(pairs: Pairs) -> list[float]:
    references, answers = pairs
    found: list[float] = rouge_l_recall(
        [[r] for r in references], answers, tokenizer="unicode"
    ).tolist()
    return found


def main(n_pairs: int = 2000, repeats: int = 5) -> None:
    rng = random.Random(1)
    pairs = texts(rng, n_pairs, 3, 40), texts(rng, n_pairs, 3, 120)
    functions: dict[str, Callable[[Pairs], list[float]]] = {
        "rouge-score 0.1.2": with_rouge_score,
        "rouge-score-rs": with_rouge_score_rs,
        "sensemaking, rouge": with_sensemaking,
        "sensemaking, unicode": with_unicode_words,
    }
    expected = with_rouge_score(pairs)
    seconds: dict[str, list[float]] = {name: [] for name in functions}
    for _ in range(repeats):
        for name, function in functions.items():
            start = time.perf_counter()
            found = function(pairs)
            seconds[name].append(time.perf_counter() - start)
            if found != expected:
                raise SystemExit(f"{name} gives other values than rouge-score")
    base = statistics.median(seconds["rouge-score 0.1.2"])
    print(f"{n_pairs} pairs, references of 3-40 and answers of 3-120 words, median of {repeats}")
    print(f"{'':22}{'us a pair':>10}{'times as fast':>15}")
    for name, taken in seconds.items():
        median = statistics.median(taken)
        print(f"{name:22}{median / n_pairs * 1e6:10.1f}{base / median:15.1f}")

    words = [f"w{i}" for i in range(5000)]
    long_pair = [[" ".join(words)]], [" ".join(words[::2])]
    taken = []
    for _ in range(repeats):
        start = time.perf_counter()
        rouge_l_recall(*long_pair)
        taken.append(time.perf_counter() - start)
    print(f"one pair of 5,000 and 2,500 words: {statistics.median(taken) * 1e3:.1f} ms")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
