"""Table v2: judges document by document, and what the place of a summary does."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sensemaking.jobs import logged
from sensemaking.config_verifiable import ShownJudge
from sensemaking.io import artifacts
from sensemaking.io.table_files import write_table
from sensemaking.schemas import JUDGE_ESTIMATES, JUDGE_SCORES, TRUTH
from sensemaking.tables.catalogue import entry
from sensemaking.tables.verifiable import document_table


def main(
    *,
    estimates: Sequence[Path],
    scores: Sequence[Path],
    truth: Sequence[Path],
    judges: Sequence[Mapping[str, Any]],
    convention: str,
    outputs: Mapping[str, Path],
) -> None:
    table = document_table(
        entry("table_v2"),
        artifacts.read(JUDGE_ESTIMATES, estimates),
        artifacts.read(JUDGE_SCORES, scores),
        artifacts.read(TRUTH, truth),
        [ShownJudge(**judge) for judge in judges],
        convention,
    )
    write_table(table, outputs)


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            estimates=snakemake.input.estimates,
            scores=snakemake.input.scores,
            truth=snakemake.input.truth,
            judges=snakemake.params.judges,
            convention=snakemake.params.convention,
            outputs=dict(snakemake.output.items()),
        )
