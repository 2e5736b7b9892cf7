"""Judges that need no model, and the one form that all judges share.

A judge is any callable from a :class:`~sensemaking.verifiable.data.Document` to its answers: for
each criterion a K × K table q with q[i, j] = its probability that summary i, shown first, is better
than summary j, shown second; NaN where it was not asked or did not answer. A judge that asks a
model fulfils :class:`Judge` in the same way and leaves NaN for each failed call.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
import numpy.typing as npt

from sensemaking.coupling.votes import checked_answers
from sensemaking.text.words import words
from sensemaking.verifiable.data import Document
from sensemaking.verifiable.draws import Draws
from sensemaking.verifiable.statements import sentences

FloatArray = npt.NDArray[np.float64]
Criterion = Literal["accuracy", "completeness"]
CRITERIA: tuple[Criterion, ...] = ("accuracy", "completeness")
QUESTIONS: dict[Criterion, str] = {
    "accuracy": "Which summary contradicts the source less?",
    "completeness": "Which summary mentions more of the facts in the source?",
}


class Judge(Protocol):
    """What answers both questions about all pairs of a document."""

    def __call__(self, document: Document) -> Mapping[Criterion, FloatArray]:
        """Return a K × K table of answers for each criterion."""
        ...


@dataclass(frozen=True)
class Answer:
    """A pair as it was judged in both orders; None = not asked, or not answered.

    Attributes:
        document: The document's id.
        criterion: The question.
        a: One item.
        b: Another item.
        q_ab: Probability that a is better, a shown first.
        q_ba: Probability that b is better, b shown first.
    """

    document: str
    criterion: str
    a: str
    b: str
    q_ab: float | None
    q_ba: float | None


def answers_of(document: Document, criterion: str, q: npt.ArrayLike) -> list[Answer]:
    """Return the rows of a table of answers, one for each pair in the order of the items.

    Raises:
        ValueError: The table is not K × K for the K items, or holds no probabilities.
    """
    table = checked_answers(q)
    K = len(document.items)
    if table.shape != (K, K):
        raise ValueError(
            f"{document.document} has {K} items but the answers have the shape {table.shape}"
        )
    return [
        Answer(
            document.document,
            criterion,
            document.items[i],
            document.items[j],
            _or_none(table[i, j]),
            _or_none(table[j, i]),
        )
        for i in range(K)
        for j in range(i + 1, K)
    ]


def _or_none(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


class Recorded:
    """A judge that gives the answers it was recorded with, whatever the order of the rows.

    Args:
        answers: The rows. A pair may have its two items either way round.

    Raises:
        ValueError: A pair is there twice, an item is paired with itself, a criterion is unknown, or
            an answer is not a probability.
    """

    def __init__(self, answers: Iterable[Answer]) -> None:
        """Sort the rows by document."""
        self._answers: dict[str, dict[tuple[str, str, str], float]] = {}
        for row in answers:
            where = f"{row.document} {row.criterion} {row.a}–{row.b}"
            if row.criterion not in CRITERIA:
                raise ValueError(f"{where}: the criterion must be one of {', '.join(CRITERIA)}")
            if row.a == row.b:
                raise ValueError(f"{where}: an item cannot be compared with itself")
            of_document = self._answers.setdefault(row.document, {})
            for first, second, q in ((row.a, row.b, row.q_ab), (row.b, row.a, row.q_ba)):
                value = math.nan if q is None else float(q)
                if not (math.isnan(value) or 0.0 <= value <= 1.0):
                    raise ValueError(f"{where}: {value} is not a probability from 0 to 1")
                key = (row.criterion, first, second)
                if key in of_document:
                    raise ValueError(f"{where}: the pair is there twice")
                of_document[key] = value

    @property
    def documents(self) -> list[str]:
        """The documents there are answers for."""
        return list(self._answers)

    def __call__(self, document: Document) -> dict[Criterion, FloatArray]:
        """Return the recorded answers; pairs without a row are NaN.

        Raises:
            ValueError: A row names an item that the document does not have.
        """
        place = {item: index for index, item in enumerate(document.items)}
        tables = {criterion: _unasked(document) for criterion in CRITERIA}
        for (criterion, first, second), q in self._answers.get(document.document, {}).items():
            for item in (first, second):
                if item not in place:
                    raise ValueError(
                        f"the recorded answers name {item!r}, which is not a summary of "
                        f"{document.document}: {', '.join(document.items)}"
                    )
            tables[criterion][place[first], place[second]] = q  # type: ignore[index]
        return tables


def facts(document: Document) -> dict[Criterion, FloatArray]:
    """Judge by counting sentences that the report holds word for word.

    Near-perfect by construction, because the summaries are made of the report's sentences: it shows
    what the scoring gives a judge that makes no mistakes. Log-odds are the difference of counts.

    Raises:
        ValueError: The document has no texts.
    """
    wrong, mentioned = _counts(document)
    return {
        "accuracy": answers_from_log_odds(_differences(-wrong)),
        "completeness": answers_from_log_odds(_differences(mentioned)),
    }


def length(document: Document) -> dict[Criterion, FloatArray]:
    """Judge both questions by length: ten words more are log-odds of 1 for the longer summary.

    Raises:
        ValueError: The document has no texts.
    """
    _, texts = _texts(document)
    lengths = np.array([len(words(text)) for text in texts], dtype=np.float64)
    q = answers_from_log_odds(_differences(lengths / 10.0))
    return {"accuracy": q, "completeness": q.copy()}


def overlap(document: Document) -> dict[Criterion, FloatArray]:
    """Judge both questions by the Jaccard index of word types with the report.

    A tenth more is log-odds of 1 for the summary that has it.

    Raises:
        ValueError: The document has no texts.
    """
    source, texts = _texts(document)
    of_source = set(words(source.casefold()))
    types = [set(words(text.casefold())) for text in texts]
    index = np.array([len(found & of_source) / len(found | of_source) for found in types])
    q = answers_from_log_odds(_differences(10.0 * index))
    return {"accuracy": q, "completeness": q.copy()}


@dataclass(frozen=True)
class Noisy:
    """The judge :func:`facts` with errors and a preference for a place, to test the scoring with.

    Attributes:
        seed: A whole number of 0 or more.
        error: The probability that an answer is turned round, 0 to 1, to a thousandth.
        position: Log-odds added for the summary shown first; negative for the second.
    """

    seed: int
    error: float = 0.1
    position: float = 0.5

    def __post_init__(self) -> None:
        """Refuse settings out of range."""
        if self.seed < 0 or not 0.0 <= self.error <= 1.0 or not math.isfinite(self.position):
            raise ValueError(
                f"needs a seed of 0 or more, an error from 0 to 1 and a finite position, not {self}"
            )

    def __call__(self, document: Document) -> dict[Criterion, FloatArray]:
        """Return the answers; each draw depends on its own pair alone.

        Raises:
            ValueError: The document has no texts.
        """
        wrong, mentioned = _counts(document)
        truths: dict[Criterion, FloatArray] = {"accuracy": -wrong, "completeness": mentioned}
        tables = {}
        for criterion, truth in truths.items():
            q = answers_from_log_odds(_differences(truth) + self.position)
            for i, first in enumerate(document.items):
                for j, second in enumerate(document.items):
                    key = (document.document, criterion, first, second)
                    draws = Draws("noisy", self.seed, *key)
                    if i != j and draws.happens(round(1000 * self.error), 1000):
                        q[i, j] = 1.0 - q[i, j]
            tables[criterion] = q
        return tables


def answers_from_values(values: npt.ArrayLike) -> FloatArray:
    """Return the pair answers that pointwise values imply: 1, 0, or ½ where they are equal.

    Args:
        values: K values, larger is better; NaN = the judge gave none, which leaves all pairs of the
            item without an answer.

    Returns:
        K × K answers.
    """
    difference = _differences(np.asarray(values, dtype=np.float64))
    return np.asarray(0.5 + 0.5 * np.sign(difference), dtype=np.float64)


def answers_from_log_odds(log_odds: npt.ArrayLike) -> FloatArray:
    """Return probabilities to six digits, the precision of recorded answers.

    Rounded so that the last bits of a mathematical library do not decide between a tie and none.

    Args:
        log_odds: K × K, NaN = no answer.
    """
    x = np.asarray(log_odds, dtype=np.float64)
    return np.asarray(np.round(1.0 / (1.0 + np.exp(-np.clip(x, -700.0, 700.0))), 6))


def jury(answers: Sequence[npt.ArrayLike]) -> FloatArray:
    """Return the mean answer of several judges of one document.

    Where one of them has no answer the jury has none: a mean over fewer is another jury's.

    Args:
        answers: One K × K table for each judge, before symmetrising.

    Raises:
        ValueError: No judge, or tables of different shapes.
    """
    tables = [checked_answers(table) for table in answers]
    shapes = {table.shape for table in tables}
    if len(shapes) != 1:
        raise ValueError(f"a jury needs tables of one shape, found {sorted(shapes) or 'none'}")
    return np.asarray(np.mean(tables, axis=0), dtype=np.float64)


def _unasked(document: Document) -> FloatArray:
    return np.full((len(document.items), len(document.items)), np.nan)


def _differences(values: FloatArray) -> FloatArray:
    differences = np.subtract.outer(values, values)
    np.fill_diagonal(differences, np.nan)
    return np.asarray(differences, dtype=np.float64)


def _texts(document: Document) -> tuple[str, tuple[str, ...]]:
    if document.source is None or document.texts is None:
        raise ValueError(
            f"{document.document} has no texts, so that only recorded judges apply to it"
        )
    return document.source, document.texts


def _counts(document: Document) -> tuple[FloatArray, FloatArray]:
    source, texts = _texts(document)
    true = set(sentences(source))
    stated = [set(sentences(text)) for text in texts]
    wrong = np.array([len(found - true) for found in stated], dtype=np.float64)
    mentioned = np.array([len(found) for found in stated], dtype=np.float64)
    return wrong, mentioned
