"""Mark the systems of a track whose submissions are not valid enough for the tables."""

from collections.abc import Sequence
from pathlib import Path

from sensemaking.jobs import logged
from sensemaking.io import artifacts
from sensemaking.schemas import SUBMISSIONS, SYSTEMS
from sensemaking.systems import leave_out


def main(*, systems: Path, submissions: Sequence[Path], role: str, out: Path) -> None:
    rows = leave_out(
        artifacts.read(SYSTEMS, systems).to_dict("records"),
        role,
        artifacts.read(SUBMISSIONS, submissions).to_dict("records"),
    )
    artifacts.write(SYSTEMS, out, rows)


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            systems=Path(snakemake.input.systems),
            submissions=snakemake.input.submissions,
            role=snakemake.params.role,
            out=Path(snakemake.output.systems),
        )
