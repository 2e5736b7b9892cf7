"""Read the counts of a data set that comes without texts."""

from pathlib import Path

from sensemaking.jobs import logged
from sensemaking.io import artifacts
from sensemaking.io.judgement_files import read_counts
from sensemaking.schemas import TRUTH
from sensemaking.verifiable.rows import truth_rows


def main(*, dataset: str, counts: Path, truth: Path) -> None:
    artifacts.write(TRUTH, truth, truth_rows(dataset, read_counts(counts)))


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            dataset=snakemake.params.dataset,
            counts=Path(snakemake.input.counts),
            truth=Path(snakemake.output.truth),
        )
