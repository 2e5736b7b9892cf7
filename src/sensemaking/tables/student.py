"""Tables 6 to 8: Students' ROUGE-L recall."""

from collections.abc import Sequence

import pandas as pd

from sensemaking.scoring.estimates import ALL
from sensemaking.scoring.student_estimates import ANSWERED, EXPERT
from sensemaking.systems import left_out_notes
from sensemaking.tables.catalogue import Entry
from sensemaking.tables.grids import KindColumn, by_kind, by_pair, systems_of
from sensemaking.tables.published import Published
from sensemaking.tables.table import Table

_STATISTIC = "mean ROUGE-L recall x 100"
_UNIT = "questions with a reference answer"


def recall_table(
    entry: Entry,
    estimates: pd.DataFrame,
    systems: pd.DataFrame,
    kinds: Sequence[KindColumn],
    tokenizer: str,
    *,
    published: Published,
) -> Table:
    """Return table 6: over all genuine questions, missing answers counted as 0.

    Args:
        entry: The table's entry in the catalogue.
        estimates: Rows of ``estimates``.
        systems: Rows of ``systems``.
        kinds: The kinds in order.
        tokenizer: The tokens that ROUGE-L compared.
        published: Figures printed elsewhere.
    """
    own = estimates[estimates["subset"] == ALL]
    students = systems_of(systems, "student")
    return by_kind(
        entry,
        own,
        students,
        kinds,
        statistic=_STATISTIC,
        unit_of_n=_UNIT,
        digits=1,
        scale=100.0,
        published=published,
        notes=[
            _tokens(tokenizer),
            *_imputed(own, students),
            *left_out_notes(systems, "student"),
        ],
    )


def answered_table(
    entry: Entry,
    estimates: pd.DataFrame,
    systems: pd.DataFrame,
    kinds: Sequence[KindColumn],
    tokenizer: str,
    named_student: str | None,
    *,
    published: Published,
) -> Table:
    """Return table 7: as table 6, on the questions that the named Student answered.

    Without a named Student all cells are empty and say so.

    Args:
        entry: The table's entry in the catalogue.
        estimates: Rows of ``estimates``.
        systems: Rows of ``systems``.
        kinds: The kinds in order.
        tokenizer: The tokens that ROUGE-L compared.
        named_student: System id of the named Student, or None.
        published: Figures printed elsewhere.
    """
    own = estimates[estimates["subset"] == ANSWERED]
    students = systems_of(systems, "student")
    labels = dict(zip(systems["system"], systems["label"], strict=True))
    named = (
        "No Student is named: set student_metrics.named_student."
        if named_student is None
        else f"Only questions that {labels[named_student]} answered."
    )
    return by_kind(
        entry,
        own,
        students,
        kinds,
        statistic=_STATISTIC,
        unit_of_n=_UNIT,
        digits=1,
        scale=100.0,
        published=published,
        notes=[
            named,
            _tokens(tokenizer),
            *_imputed(own, students),
            *left_out_notes(systems, "student"),
        ],
    )


def correlation_table(
    entry: Entry,
    correlations: pd.DataFrame,
    systems: pd.DataFrame,
    tokenizer: str,
    *,
    published: Published,
) -> Table:
    """Return table 8: Pearson's r of the recalls of each two Students on expert questions.

    Args:
        entry: The table's entry in the catalogue.
        correlations: Rows of ``estimates/correlations``.
        systems: Rows of ``systems``.
        tokenizer: The tokens that ROUGE-L compared.
        published: Figures printed elsewhere.
    """
    return by_pair(
        entry,
        correlations[correlations["subset"] == EXPERT],
        systems_of(systems, "student"),
        statistic="Pearson r",
        unit_of_n="expert questions that both answered",
        digits=2,
        published=published,
        notes=[_tokens(tokenizer), *left_out_notes(systems, "student")],
    )


def _tokens(tokenizer: str) -> str:
    if tokenizer == "unicode":
        return "Tokens: runs of letters and digits of any script, lower case."
    return "Tokens: as rouge-score makes them (a-z and 0-9, lower case)."


def _imputed(estimates: pd.DataFrame, students: pd.DataFrame) -> list[str]:
    """Return a note on the answers that were not given and count as 0."""
    labels = dict(zip(students["system"], students["label"], strict=True))
    total = estimates[(estimates["kind"] == ALL) & (estimates["n_imputed"] > 0)]
    parts = [
        f"{labels[row['system']]} {row['n_imputed']} of {row['n']}"
        for row in total.to_dict("records")
    ]
    return [f"Answers not given, counted as 0: {', '.join(parts)}."] if parts else []
