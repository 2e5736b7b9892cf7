"""Truth and answers as rows of artifacts, and back."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from sensemaking.statuses import OK
from sensemaking.verifiable.data import Document
from sensemaking.verifiable.judged import Judged, truth_of
from sensemaking.verifiable.judges import CRITERIA, Criterion, answers_of, jury
from sensemaking.verifiable.reading import Count

FloatArray = npt.NDArray[np.float64]
Tables = Mapping[Criterion, FloatArray]
"""A judge's answers about one document, a K × K table for each question."""
Statuses = Mapping[tuple[str, str, frozenset[str]], str]
"""(document, criterion, the two items as a set) to why an answer is missing."""

MEMBER_WITHOUT_ANSWER = "member_without_answer"
"""A judge of the jury has no answer, so the jury has none."""


def truth_rows(dataset: str, counts: Iterable[Count]) -> list[dict[str, Any]]:
    """Return rows of ``verifiable/truth``; documents and items are numbered in the order given."""
    rows: list[dict[str, Any]] = []
    numbers: dict[str, int] = {}
    items: dict[str, int] = {}
    for count in counts:
        numbers.setdefault(count.document, len(numbers))
        place = items.get(count.document, 0)
        items[count.document] = place + 1
        rows.append(
            {
                "dataset": dataset,
                "document": count.document,
                "item": count.item,
                "document_number": numbers[count.document],
                "item_number": place,
                "n_mentioned": count.n_mentioned,
                "n_wrong": count.n_wrong,
            }
        )
    return rows


def counts_of(truth: pd.DataFrame) -> list[Count]:
    """Return the counts of rows of ``verifiable/truth`` of one data set, in the order of the data.

    Published conventions depend on that order, not on the one of the rows.
    """
    ordered = truth.sort_values(["document_number", "item_number"])
    return [
        Count(row["document"], row["item"], int(row["n_mentioned"]), int(row["n_wrong"]))
        for row in ordered.to_dict("records")
    ]


def documents_of(counts: Iterable[Count]) -> list[Document]:
    """Return the documents of counts, without texts."""
    items: dict[str, list[str]] = {}
    for count in counts:
        items.setdefault(count.document, []).append(count.item)
    return [Document(document, tuple(own)) for document, own in items.items()]


def pair_rows(
    dataset: str,
    judge: str,
    document: Document,
    tables: Tables,
    statuses: Statuses,
    otherwise: str,
) -> Iterator[dict[str, Any]]:
    """Yield rows of ``judgements/pairs``: every pair of a document, for both questions.

    Args:
        dataset: The data set.
        judge: The judge.
        document: The document.
        tables: The judge's answers about it.
        statuses: Why an answer is missing, for pairs of which that is known.
        otherwise: Why it is, for all others.
    """
    for criterion in CRITERIA:
        for answer in answers_of(document, criterion, tables[criterion]):
            status = OK
            if answer.q_ab is None or answer.q_ba is None:
                pair = (document.document, criterion, frozenset((answer.a, answer.b)))
                status = statuses.get(pair, otherwise)
            yield {"dataset": dataset, "judge": judge, "status": status, **vars(answer)}


def jury_tables(members: Sequence[Tables]) -> Tables:
    """Return the jury's answers about one document.

    Args:
        members: The answers of each model judge of the data set.
    """
    return {criterion: jury([tables[criterion] for tables in members]) for criterion in CRITERIA}


def judged_of(
    pairs: pd.DataFrame, counts: Sequence[Count]
) -> dict[tuple[str, Criterion], list[Judged]]:
    """Return (judge, criterion) to its answers about each document beside the truth.

    Args:
        pairs: Rows of ``judgements/pairs`` of one data set.
        counts: Its counts in the order of the data.

    Raises:
        ValueError: A pair is of a document or an item that the counts lack.
    """
    documents = documents_of(counts)
    places = {
        document.document: {item: place for place, item in enumerate(document.items)}
        for document in documents
    }
    strange = sorted(set(pairs["document"]) - set(places))
    if strange:
        raise ValueError(f"the truth lacks the documents {', '.join(strange)}; make it again")
    judged: dict[tuple[str, Criterion], list[Judged]] = {}
    parts = dict(iter(pairs.groupby(["judge", "criterion", "document"])))
    for judge in sorted(set(pairs["judge"])):
        for criterion in CRITERIA:
            judged[judge, criterion] = [
                Judged(
                    document.document,
                    document.items,
                    _table(parts.get((judge, criterion, document.document)), document, places),
                    truth_of(counts, criterion, document.document, document.items),
                )
                for document in documents
            ]
    return judged


def _table(
    rows: pd.DataFrame | None, document: Document, places: Mapping[str, Mapping[str, int]]
) -> FloatArray:
    q = np.full((len(document.items), len(document.items)), np.nan)
    if rows is None:
        return q
    try:
        a, b = ([places[document.document][item] for item in rows[name]] for name in ("a", "b"))
    except KeyError as error:
        raise ValueError(
            f"the truth lacks the item {error} of {document.document}; make it again"
        ) from error
    q[a, b], q[b, a] = rows["q_ab"].to_numpy(float), rows["q_ba"].to_numpy(float)
    return q
