"""Find folders below the materials root that no kind of the configuration names."""

from collections.abc import Sequence
from pathlib import Path

from sensemaking.io import artifacts
from sensemaking.io.materials import unknown_kinds
from sensemaking.jobs import logged
from sensemaking.schemas import FINDINGS


def main(*, root: Path, kinds: Sequence[str], findings: Path) -> None:
    found = unknown_kinds(root, kinds)
    artifacts.write(FINDINGS, findings, [finding.row() for finding in found])


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            root=Path(snakemake.params.root),
            kinds=snakemake.params.kinds,
            findings=Path(snakemake.output.findings),
        )
