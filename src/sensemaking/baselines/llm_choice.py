"""What of a run a language model is asked about: everything genuine, and adversarial variants of
the sections that the configuration names, since each of them is a call that costs something.
"""

from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

from sensemaking.ids import GENUINE

Row = Mapping[str, Any]


def fits_any(section_id: str, patterns: Sequence[str]) -> bool:
    """Return whether a section's id fits one of the patterns with * and ?."""
    return any(fnmatchcase(section_id, pattern) for pattern in patterns)


def asked_of_student(
    genuine: Iterable[Row], adversarial: Iterable[Row], patterns: Sequence[str]
) -> list[Row]:
    """Return the questions that a Student gets.

    Args:
        genuine: Rows of ``questions``; only those of the genuine variant are taken.
        adversarial: Rows of ``questions`` of the adversarial variants.
        patterns: Of the sections whose adversarial variants are taken.
    """
    return [
        *(row for row in genuine if row["variant"] == GENUINE),
        *(row for row in adversarial if fits_any(row["section_id"], patterns)),
    ]


def graded_by_evaluator(
    genuine: Iterable[Row], adversarial: Iterable[Row], patterns: Sequence[str]
) -> list[Row]:
    """Return the answers that an Evaluator gets.

    Args:
        genuine: Rows of ``answers``: genuine, golden and reference ones.
        adversarial: Rows of ``answers`` of the adversarial scenarios.
        patterns: Of the sections whose adversarial variants are taken; that is the section which
            the answer is about, whatever text is shown with it.
    """
    return [
        *genuine,
        *(
            row
            for row in adversarial
            # Its file's name, which holds no slash, stands behind the section.
            if fits_any(row["answer_id"].rpartition("/")[0], patterns)
        ),
    ]
