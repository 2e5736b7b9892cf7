"""List the systems of the run."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sensemaking.jobs import logged
from sensemaking.ids import GENUINE
from sensemaking.io import artifacts
from sensemaking.schemas import QUESTIONS, SYSTEMS
from sensemaking.systems import list_systems


def main(
    *, questions: Sequence[Path], configured: Sequence[Mapping[str, Any]], systems: Path
) -> None:
    found = artifacts.read(QUESTIONS, questions)
    # Who has only adversarial sets there was asked elsewhere, or is none of this run.
    genuine = found[found["variant"] == GENUINE]
    teams = genuine[["teacher", "submission"]].drop_duplicates().itertuples(index=False)
    artifacts.write(SYSTEMS, systems, list_systems(configured, (tuple(team) for team in teams)))


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            questions=snakemake.input.questions,
            configured=snakemake.params.configured,
            systems=Path(snakemake.output.systems),
        )
