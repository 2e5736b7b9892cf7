"""Reports on fictional institutes, and summaries of them with known numbers of errors."""

from dataclasses import dataclass
from typing import Any

from sensemaking.verifiable.draws import Draws
from sensemaking.verifiable.statements import FACTS, FILLERS, SYLLABLES, Fact, Report

FORMAT = "sensemaking verifiable data 1"
SEED = 20260923
DOCUMENTS = 6
SUMMARIES = 12
"""Fixed, because 5 to 16 of the 16 facts are mentioned, each number of them in one summary."""
MENTIONED = tuple(range(len(FACTS) - SUMMARIES + 1, len(FACTS) + 1))
WRONG = tuple(number // 2 for number in range(SUMMARIES))


def generate(seed: int = SEED, documents: int = DOCUMENTS) -> dict[str, Any]:
    """Return verifiable data: reports with twelve summaries each, and two counts of each summary.

    A report states 16 facts. Its summaries mention 5, 6, …, 16 of them, each number once, and give
    0, 0, 1, 1, …, 5, 5 of the mentioned ones a wrong value; who gets which is drawn independently.
    The seed and a document's number alone decide its report; the report alone decides its summaries
    and the one wrong value that a fact has in them, so that :func:`~.verify` can find every change
    without the seed. More documents leave the first ones as they are.

    Args:
        seed: A whole number of 0 or more.
        documents: How many reports, 1 or more.

    Returns:
        What a JSON file holds: ``format``, ``seed`` and ``documents``, each with ``document`` (D1,
        D2, …), ``source`` (the report) and ``summaries``, each with ``item`` (D1S01, …), ``text``,
        ``n_mentioned`` (5 to 16) and ``n_wrong`` (0 to 5).

    Raises:
        ValueError: A negative seed or fewer than 1 document.
        TypeError: One of them is not a whole number.
    """
    for name, value, least in (("seed", seed, 0), ("documents", documents, 1)):
        if isinstance(value, bool) or not isinstance(value, int):
            raise TypeError(f"{name} must be a whole number, not {value!r}")
        if value < least:
            raise ValueError(f"{name} must be {least} or more, not {value}")
    return {
        "format": FORMAT,
        "seed": seed,
        "documents": [_document(seed, number) for number in range(1, documents + 1)],
    }


def _document(seed: int, number: int) -> dict[str, Any]:
    document = f"D{number}"
    report, text = make_report(seed, document)
    return {
        "document": document,
        "source": text,
        "summaries": [
            {
                "item": summary.item,
                "text": " ".join(summary.sentences),
                "n_mentioned": summary.n_mentioned,
                "n_wrong": summary.n_wrong,
            }
            for summary in make_summaries(document, report)
        ],
    }


def make_report(seed: int, document: str) -> tuple[Report, str]:
    """Return the report that a seed gives for a document, and its text."""
    draws = Draws("report", seed, document)
    names = _Names(draws)
    institute = f"{names.new()} {names.new()} Institute"
    prize = f"{names.new()} Prize"
    values = {}
    for fact in FACTS:
        if fact.kind in ("place", "person"):
            values[fact.key] = names.value(fact)
        else:
            values[fact.key] = str(draws.between(fact.low, fact.high))
    fillers = tuple(draws.sample(FILLERS, 3))
    report = Report(institute, prize, values, fillers)
    body = [report.stated(fact, values[fact.key]) for fact in FACTS]
    for filler in fillers:
        body.insert(draws.below(len(body) + 1), filler)
    return report, f"{report.title}\n\n{' '.join(body)}"


@dataclass(frozen=True)
class Summary:
    """A summary and its counts.

    Attributes:
        item: Its id, such as D1S01.
        sentences: One sentence for each fact that it mentions.
        n_mentioned: Their number, 5 to 16.
        n_wrong: How many of them give another value than the report, 0 to 5.
    """

    item: str
    sentences: tuple[str, ...]
    n_mentioned: int
    n_wrong: int


def make_summaries(document: str, report: Report) -> list[Summary]:
    """Return the summaries that a report determines."""
    key = (*(report.values[fact.key] for fact in FACTS), *sorted(report.fillers))
    draws = Draws("summaries", document, report.institute, report.prize, *key)
    wrong_values = make_wrong_values(document, report)
    summaries = []
    counts = zip(draws.shuffled(MENTIONED), draws.shuffled(WRONG), strict=True)
    for number, (n_mentioned, n_wrong) in enumerate(counts, start=1):
        mentioned = draws.sample(FACTS, n_mentioned)
        wrong = set(draws.sample([fact.key for fact in mentioned], n_wrong))
        stated = tuple(
            report.stated(fact, (wrong_values if fact.key in wrong else report.values)[fact.key])
            for fact in mentioned
        )
        summaries.append(Summary(f"{document}S{number:02d}", stated, n_mentioned, n_wrong))
    return summaries


def make_wrong_values(document: str, report: Report) -> dict[str, str]:
    """Return the one wrong value that each fact may have in the summaries of a report."""
    key = (*(report.values[fact.key] for fact in FACTS), *sorted(report.fillers))
    draws = Draws("wrong values", document, report.institute, report.prize, *key)
    names = _Names(draws, taken=" ".join((report.institute, report.prize, *key)).split())
    return {fact.key: _wrong(fact, report.values[fact.key], draws, names) for fact in FACTS}


def _wrong(fact: Fact, true: str, draws: Draws, names: "_Names") -> str:
    if fact.kind in ("place", "person"):
        return names.value(fact)
    number = int(true)
    if fact.kind == "year":
        distance = draws.between(3, 15)
    elif fact.kind == "percent":
        distance = draws.between(8, 25)
    else:
        distance = draws.between(max(2, number // 4), max(4, number // 2))
    options = [number - distance, number + distance]
    # No report speaks of one laboratory or of more than all of the work.
    highest = 99 if fact.kind == "percent" else 9999
    return str(draws.choice([option for option in options if 2 <= option <= highest]))


class _Names:
    """Names of random syllables, none used twice in a document."""

    def __init__(self, draws: Draws, taken: list[str] | None = None) -> None:
        self._draws = draws
        self._taken = set(taken or ())

    def new(self) -> str:
        while True:
            n = self._draws.between(2, 3)
            name = "".join(self._draws.choice(SYLLABLES) for _ in range(n)).capitalize()
            if name not in self._taken:
                self._taken.add(name)
                return name

    def value(self, fact: Fact) -> str:
        return f"{self.new()} {self.new()}" if fact.kind == "person" else self.new()
