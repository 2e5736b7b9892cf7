"""Table 7: Students' ROUGE-L recall on the questions that one Student answered."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sensemaking.jobs import logged
from sensemaking.io import artifacts
from sensemaking.io.table_files import write_table
from sensemaking.schemas import ESTIMATES, SYSTEMS
from sensemaking.tables.catalogue import entry
from sensemaking.tables.grids import KindColumn
from sensemaking.tables.published import read_published
from sensemaking.tables.student import answered_table


def main(
    *,
    estimates: Path,
    systems: Path,
    published: Path,
    kinds: Sequence[Mapping[str, Any]],
    tokenizer: str,
    named_student: str | None,
    outputs: Mapping[str, Path],
) -> None:
    shown = entry("table_07")
    table = answered_table(
        shown,
        artifacts.read(ESTIMATES, estimates),
        artifacts.read(SYSTEMS, systems),
        [KindColumn(**kind) for kind in kinds],
        tokenizer,
        named_student,
        published=read_published(published, shown.number),
    )
    write_table(table, outputs)


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            estimates=Path(snakemake.input.estimates),
            systems=Path(snakemake.input.systems),
            published=Path(snakemake.input.published),
            kinds=snakemake.params.kinds,
            tokenizer=snakemake.params.tokenizer,
            named_student=snakemake.params.named_student,
            outputs=dict(snakemake.output.items()),
        )
