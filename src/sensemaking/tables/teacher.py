"""Tables 1 to 3: Teachers' mean ranks."""

from collections.abc import Sequence

import pandas as pd

from sensemaking.systems import left_out_notes
from sensemaking.tables.catalogue import Entry
from sensemaking.tables.grids import KindColumn, by_kind, systems_of
from sensemaking.tables.published import Published
from sensemaking.tables.table import Table


def rank_table(
    entry: Entry,
    metric: str,
    estimates: pd.DataFrame,
    systems: pd.DataFrame,
    kinds: Sequence[KindColumn],
    published: Published,
    notes: Sequence[str] = (),
) -> Table:
    """Return the table of Teachers' mean ranks by a metric.

    Args:
        entry: The table's entry in the catalogue.
        metric: ``relevance``, ``coverage`` or ``diversity``.
        estimates: Rows of ``estimates``.
        systems: Rows of ``systems``.
        kinds: The kinds in order.
        published: Figures printed elsewhere.
        notes: Further sentences to show below.
    """
    teachers = systems_of(systems, "teacher")
    return by_kind(
        entry,
        estimates[estimates["metric"] == f"rank_{metric}"],
        teachers,
        kinds,
        statistic="mean rank",
        unit_of_n="sections",
        digits=2,
        published=published,
        notes=[
            f"{len(teachers)} Teachers are ranked in each section; {len(teachers)} is best and 1 "
            "worst. A Teacher without questions there gets the worst rank.",
            *left_out_notes(systems, "teacher"),
            *notes,
        ],
    )
