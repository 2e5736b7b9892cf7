"""Table 6: Students' ROUGE-L recall, missing answers counted as 0."""

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
from sensemaking.tables.student import recall_table


def main(
    *,
    estimates: Path,
    systems: Path,
    published: Path,
    kinds: Sequence[Mapping[str, Any]],
    tokenizer: str,
    outputs: Mapping[str, Path],
) -> None:
    shown = entry("table_06")
    table = recall_table(
        shown,
        artifacts.read(ESTIMATES, estimates),
        artifacts.read(SYSTEMS, systems),
        [KindColumn(**kind) for kind in kinds],
        tokenizer,
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
            outputs=dict(snakemake.output.items()),
        )
