"""Take the files of answers in the materials, byte by byte, into one artifact."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from sensemaking.jobs import logged
from sensemaking.io import artifacts
from sensemaking.released_answers import answer_file
from sensemaking.schemas import RELEASED_ANSWERS


def main(*, root: Path, files: Sequence[Path], released: Path) -> None:
    rows = [asdict(answer_file(file, root)) for file in files]
    artifacts.write(RELEASED_ANSWERS, released, rows)


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            root=Path(snakemake.params.root),
            files=[Path(path) for path in snakemake.input.files],
            released=Path(snakemake.output.released),
        )
