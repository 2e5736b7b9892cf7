"""Table x1: what was submitted, repaired and refused."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from sensemaking.jobs import logged
from sensemaking.io import artifacts
from sensemaking.io.table_files import write_table
from sensemaking.schemas import FINDINGS, SUBMISSIONS
from sensemaking.tables.catalogue import entry
from sensemaking.tables.submissions import submissions_table


def main(
    *,
    submissions: Sequence[Path],
    findings: Sequence[Path],
    policy: str,
    min_valid_share: float,
    outputs: Mapping[str, Path],
) -> None:
    table = submissions_table(
        entry("table_x1"),
        artifacts.read(SUBMISSIONS, submissions),
        artifacts.read(FINDINGS, findings),
        policy,
        min_valid_share,
    )
    write_table(table, outputs)


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            submissions=snakemake.input.submissions,
            findings=snakemake.input.findings,
            policy=snakemake.params.policy,
            min_valid_share=snakemake.params.min_valid_share,
            outputs=dict(snakemake.output.items()),
        )
