"""A judge's answers beside the truth, which all figures are made of."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from sensemaking.coupling.votes import checked_answers
from sensemaking.verifiable.judges import Criterion
from sensemaking.verifiable.reading import Count

FloatArray = npt.NDArray[np.float64]
Convention = Literal["default", "published"]
CONVENTIONS: tuple[Convention, ...] = ("default", "published")


@dataclass(frozen=True, eq=False)
class Judged:
    """One judge's answers to one question about one document, with the truth.

    Attributes:
        document: The document's id.
        items: The K ids of its summaries.
        q: K × K, ``q[i, j]`` = probability that i, shown first, is better than j; NaN = no answer.
        truth: K values, larger is better.

    Raises:
        ValueError: The shapes do not agree, an answer is no probability, or a truth is not finite.
    """

    document: str
    items: tuple[str, ...]
    q: FloatArray
    truth: FloatArray

    def __post_init__(self) -> None:
        """Check the shapes here, where the document is known."""
        K = len(self.items)
        answers = checked_answers(self.q)
        truth = np.asarray(self.truth, dtype=np.float64)
        if answers.shape != (K, K) or truth.shape != (K,) or not np.isfinite(truth).all():
            raise ValueError(
                f"{self.document}: {K} items need {K} × {K} answers and {K} finite truths, found "
                f"the shapes {answers.shape} and {truth.shape}"
            )
        object.__setattr__(self, "q", answers)
        object.__setattr__(self, "truth", truth)


def truth_of(
    counts: Iterable[Count], criterion: Criterion, document: str, items: Sequence[str]
) -> FloatArray:
    """Return the truth of a document's items: facts mentioned, or minus those that are wrong.

    Raises:
        ValueError: The counts lack an item, or hold it twice.
    """
    found: dict[str, list[Count]] = {}
    for count in counts:
        if count.document == document:
            found.setdefault(count.item, []).append(count)
    for item in items:
        if len(found.get(item, [])) != 1:
            raise ValueError(
                f"{document} {item}: {len(found.get(item, []))} rows of counts, expected 1"
            )
    chosen = [found[item][0] for item in items]
    return np.array(
        [
            -float(count.n_wrong) if criterion == "accuracy" else float(count.n_mentioned)
            for count in chosen
        ]
    )
