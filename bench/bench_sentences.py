"""Sentence splitting: how many hand-made groups come out right, and how fast, beside libraries.

Run ``python bench/bench_sentences.py``. Libraries that are not installed are left out. A group is
right if every sentence of it is; times are medians of interleaved repeats on one text of about
36,000 characters without a line break, as a multiple of this project's time.
"""

import importlib
import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from sensemaking.text.sentences import split

DATA = Path(__file__).parents[1] / "tests" / "data"
FOLDERS = ("sentences", "sentences_hard", "sentences_unseen")
LANGUAGES = ("en", "de", "cs", "uk")
# The nearest language that the library knows.
PYSBD = {"en": "en", "de": "de", "cs": "sk", "uk": "ru"}
SENTENCE_SPLITTER = {"en": "en", "de": "de", "cs": "cs", "uk": "ru"}
REPEATS = 5
SLOWEST = 20.0

Splitter = Callable[[str], list[str]]


def main() -> None:
    """Print the table."""
    print(f"{'language':9}{'splitter':20}{'groups right':>14}{'unseen':>9}{'time':>8}")
    for language in LANGUAGES:
        groups = {name: list(read_groups(name, language)) for name in FOLDERS}
        text = long_text(groups["sentences"])
        splitters = dict(peers(language))
        times = measure(splitters, text)
        for name, splitter in splitters.items():
            right, total = score(splitter, [g for name in FOLDERS for g in groups[name]])
            unseen, of = score(splitter, groups["sentences_unseen"])
            ratio = times[name] / times["sensemaking"]
            shown = (f"{right}/{total}", f"{unseen}/{of}", f"{ratio:.1f}x")
            print(f"{language:9}{name:20}{shown[0]:>14}{shown[1]:>9}{shown[2]:>8}")


def read_groups(folder: str, language: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the text and the sentences of each group."""
    content = (DATA / folder / f"{language}.txt").read_text(encoding="utf-8")
    for block in content.split("\n\n"):
        lines = [line for line in block.split("\n") if line and not line.startswith("#")]
        if lines:
            text = "".join(line[1:] if line.startswith("+") else f" {line}" for line in lines)
            yield text.strip(), [line.removeprefix("+") for line in lines]


def long_text(groups: list[tuple[str, list[str]]]) -> str:
    """Return a text of about 36,000 characters on one line."""
    once = " ".join(text for text, _ in groups)
    return (once + " ") * (36_000 // len(once) + 1)


def peers(language: str) -> Iterator[tuple[str, Splitter]]:
    """Yield this project's splitter and those of the libraries that are installed."""
    yield "sensemaking", lambda text: split(text, language)
    if sentencex := load("sentencex"):
        yield "sentencex", lambda text: list(sentencex.segment(language, text))
    if pysbd := load("pysbd"):
        yield f"pysbd ({PYSBD[language]})", pysbd.Segmenter(PYSBD[language], clean=False).segment
    if syntok := load("syntok.segmenter"):
        yield (
            "syntok",
            lambda text: [
                "".join(token.spacing + token.value for token in sentence)
                for paragraph in syntok.process(text)
                for sentence in paragraph
            ],
        )
    if yasbd := load("yasbd"):
        detector = yasbd.BoundaryDetector(language)
        yield "yasbd-lib", lambda text: list(detector.segment(text))
    if simplemma := load("simplemma"):
        yield "simplemma", lambda text: list(simplemma.split_sentences(text, lang=language))
    if splitter := load("sentence_splitter"):
        code = SENTENCE_SPLITTER[language]
        yield f"sentence-splitter ({code})", splitter.SentenceSplitter(language=code).split
    if language == "en" and (nupunkt := load("nupunkt")):
        yield "nupunkt", nupunkt.sent_tokenize
    if language != "cs" and (choppa := load("choppa")):
        rules = Path(choppa.__file__).parent / "data" / "srx" / "languagetool_segment.srx"
        document = choppa.SrxDocument(ruleset=str(rules))
        yield (
            "choppa-srx",
            lambda text: list(choppa.SrxTextIterator(document, f"{language}_two", text)),
        )
    if language == "uk" and (ukrainian := load("ukrainian_tn")):
        yield "ukrainian-tn", lambda text: [s.text for s in ukrainian.split_sentences(text)]


def load(name: str) -> Any:
    """Import a library, or return None where it is not installed."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        return None


def score(splitter: Splitter, groups: list[tuple[str, list[str]]]) -> tuple[int, int]:
    """Return how many groups are split as expected, and how many there are."""
    right = sum(
        [" ".join(s.split()) for s in splitter(text) if s.strip()] == sentences
        for text, sentences in groups
    )
    return right, len(groups)


def measure(splitters: dict[str, Splitter], text: str) -> dict[str, float]:
    """Return the median time of each splitter; the repeats are interleaved."""
    seconds: dict[str, list[float]] = {name: [] for name in splitters}
    for _ in range(REPEATS):
        for name, splitter in splitters.items():
            if seconds[name] and seconds[name][0] > SLOWEST / REPEATS:
                continue
            start = time.perf_counter()
            splitter(text)
            seconds[name].append(time.perf_counter() - start)
    return {name: statistics.median(values) for name, values in seconds.items()}


if __name__ == "__main__":
    main()
