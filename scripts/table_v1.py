"""Table v1: how well judges tell the better of two summaries."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sensemaking.jobs import logged
from sensemaking.config_verifiable import ShownJudge
from sensemaking.io import artifacts
from sensemaking.io.table_files import write_table
from sensemaking.schemas import JUDGE_COSTS, JUDGE_ESTIMATES, PAIRS
from sensemaking.tables.catalogue import entry
from sensemaking.tables.published import read_published_judges
from sensemaking.tables.verifiable import judge_table


def main(
    *,
    estimates: Sequence[Path],
    pairs: Sequence[Path],
    costs: Sequence[Path],
    published: Path,
    judges: Sequence[Mapping[str, Any]],
    convention: str,
    outputs: Mapping[str, Path],
) -> None:
    table = judge_table(
        entry("table_v1"),
        artifacts.read(JUDGE_ESTIMATES, estimates),
        artifacts.read(PAIRS, pairs),
        artifacts.read(JUDGE_COSTS, costs),
        [ShownJudge(**judge) for judge in judges],
        convention,
        read_published_judges(published),
    )
    write_table(table, outputs)


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            estimates=snakemake.input.estimates,
            pairs=snakemake.input.pairs,
            costs=snakemake.input.costs,
            published=Path(snakemake.input.published),
            judges=snakemake.params.judges,
            convention=snakemake.params.convention,
            outputs=dict(snakemake.output.items()),
        )
