"""Write what was found wrong with the names in the submissions folder."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from sensemaking.jobs import logged
from sensemaking.io import artifacts
from sensemaking.schemas import FINDINGS


def main(*, found: Sequence[Mapping[str, str]], findings: Path) -> None:
    artifacts.write(FINDINGS, findings, found)


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            found=snakemake.params.found,
            findings=Path(snakemake.output.findings),
        )
