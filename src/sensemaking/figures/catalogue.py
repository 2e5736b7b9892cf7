"""The catalogue of the report's figures."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """A figure of the report.

    Attributes:
        id: The name of its file.
        title: What it shows.
        caption: How to read it.
    """

    id: str
    title: str
    caption: str


FIGURES: tuple[Figure, ...] = (
    Figure(
        "judges_tau",
        "Judges on verifiable data: τ with intervals",
        "Accuracy: which summary contradicts the source less? Completeness: which mentions more of "
        "its facts? Kendall's τ-b of the truth and the coupled strengths, mean over documents by "
        "PKPD (discs) and by Bradley-Terry (squares) with 95 % intervals; strokes are single "
        "documents by PKPD.",
    ),
    Figure(
        "judges_strength",
        "Judges on verifiable data: truth against coupled strength",
        "A point is a summary; PKPD log strengths have mean 0 in each document. The better "
        "summaries stand on the right.",
    ),
    Figure(
        "judges_bias",
        "Judges on verifiable data: position bias",
        "How much likelier a summary is preferred for being shown first, with 95 % intervals; 0 is "
        "none, 0.5 always the first, -0.5 always the second.",
    ),
)
