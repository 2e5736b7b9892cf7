"""Table 8: correlation of the Students' ROUGE-L recall on expert questions."""

from collections.abc import Mapping
from pathlib import Path

from sensemaking.jobs import logged
from sensemaking.io import artifacts
from sensemaking.io.table_files import write_table
from sensemaking.schemas import CORRELATIONS, SYSTEMS
from sensemaking.tables.catalogue import entry
from sensemaking.tables.published import read_published
from sensemaking.tables.student import correlation_table


def main(
    *,
    correlations: Path,
    systems: Path,
    published: Path,
    tokenizer: str,
    outputs: Mapping[str, Path],
) -> None:
    shown = entry("table_08")
    table = correlation_table(
        shown,
        artifacts.read(CORRELATIONS, correlations),
        artifacts.read(SYSTEMS, systems),
        tokenizer,
        published=read_published(published, shown.number),
    )
    write_table(table, outputs)


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            correlations=Path(snakemake.input.correlations),
            systems=Path(snakemake.input.systems),
            published=Path(snakemake.input.published),
            tokenizer=snakemake.params.tokenizer,
            outputs=dict(snakemake.output.items()),
        )
