"""Find folders of the materials root that no kind names, and models without recorded replies."""

from collections.abc import Sequence
from pathlib import Path

from sensemaking.jobs import logged
from sensemaking.io import artifacts
from sensemaking.io.materials import unknown_kinds
from sensemaking.schemas import FINDINGS
from sensemaking.systems import nothing_recorded


def main(*, root: Path, kinds: Sequence[str], silent: Sequence[str], findings: Path) -> None:
    found = [*unknown_kinds(root, kinds), *map(nothing_recorded, silent)]
    artifacts.write(FINDINGS, findings, [finding.row() for finding in found])


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            root=Path(snakemake.params.root),
            kinds=snakemake.params.kinds,
            silent=snakemake.params.silent,
            findings=Path(snakemake.output.findings),
        )
