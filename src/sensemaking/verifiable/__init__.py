"""Verifiable data: an exact ground truth for judges.

Docs: ``docs/verifiable.md``.
"""

from sensemaking.verifiable.data import Document, Mismatch, UnusableDataError, documents
from sensemaking.verifiable.generator import generate
from sensemaking.verifiable.judged import Convention, Judged, truth_of
from sensemaking.verifiable.judges import (
    CRITERIA,
    QUESTIONS,
    Answer,
    Criterion,
    Judge,
    Noisy,
    Recorded,
    answers_from_values,
    answers_of,
    facts,
    jury,
    length,
    overlap,
)
from sensemaking.verifiable.reading import Count, recount, verify
from sensemaking.verifiable.scoring import (
    DocumentScore,
    JudgeScore,
    differing,
    score,
    truth_correlation,
)

__all__ = [
    "CRITERIA",
    "QUESTIONS",
    "Answer",
    "Convention",
    "Count",
    "Criterion",
    "Document",
    "DocumentScore",
    "Judge",
    "JudgeScore",
    "Judged",
    "Mismatch",
    "Noisy",
    "Recorded",
    "UnusableDataError",
    "answers_from_values",
    "answers_of",
    "differing",
    "documents",
    "facts",
    "generate",
    "jury",
    "length",
    "overlap",
    "recount",
    "score",
    "truth_correlation",
    "truth_of",
    "verify",
]
