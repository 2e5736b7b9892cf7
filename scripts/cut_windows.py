"""Cut the English texts of a kind into windows."""

from pathlib import Path

from sensemaking.jobs import logged
from sensemaking.io import artifacts
from sensemaking.schemas import SECTIONS, WINDOWS
from sensemaking.section_windows import window_rows_of


def main(*, sections: Path, max_words: int, windows: Path) -> None:
    rows = artifacts.read(SECTIONS, sections).to_dict("records")
    artifacts.write(WINDOWS, windows, window_rows_of(rows, max_words))


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            sections=Path(snakemake.input.sections),
            max_words=snakemake.params.max_words,
            windows=Path(snakemake.output.windows),
        )
