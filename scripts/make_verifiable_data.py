"""Make the texts of a data set, or take them from a file, and count their facts and errors."""

from pathlib import Path

from sensemaking.jobs import logged
from sensemaking.io import artifacts
from sensemaking.io.verifiable_data import read_data, write_data
from sensemaking.schemas import TRUTH
from sensemaking.verifiable.generator import generate
from sensemaking.verifiable.reading import recount
from sensemaking.verifiable.rows import truth_rows


def main(
    *,
    dataset: str,
    seed: int,
    documents: int,
    texts: Path | None,
    data: Path,
    truth: Path,
) -> None:
    write_data(data, generate(seed, documents) if texts is None else read_data(texts))
    # What was written is recounted, not what was meant.
    artifacts.write(TRUTH, truth, truth_rows(dataset, recount(read_data(data))))


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        given = [Path(path) for path in snakemake.input.texts]
        main(
            dataset=snakemake.params.dataset,
            seed=snakemake.params.seed,
            documents=snakemake.params.documents,
            texts=given[0] if given else None,
            data=Path(snakemake.output.data),
            truth=Path(snakemake.output.truth),
        )
