"""Estimate each Teacher's mean ranks."""

from collections.abc import Sequence
from pathlib import Path

from sensemaking.jobs import logged
from sensemaking.io import artifacts
from sensemaking.schemas import ESTIMATES, SECTIONS, SYSTEMS, TEACHER_SCORES
from sensemaking.scoring.estimates import Settings, groups
from sensemaking.scoring.teacher_estimates import estimate_ranks


def main(
    *,
    systems: Path,
    sections: Sequence[Path],
    scores: Sequence[Path],
    kinds: Sequence[tuple[str, Sequence[str]]],
    seed: int,
    draws: int,
    estimates: Path,
) -> None:
    rows = estimate_ranks(
        artifacts.read(TEACHER_SCORES, scores),
        artifacts.read(SYSTEMS, systems),
        artifacts.read(SECTIONS, sections),
        groups(kinds),
        Settings(seed, draws),
    )
    artifacts.write(ESTIMATES, estimates, rows)


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            systems=Path(snakemake.input.systems),
            sections=snakemake.input.sections,
            scores=snakemake.input.scores,
            kinds=snakemake.params.kinds,
            seed=snakemake.params.seed,
            draws=snakemake.params.draws,
            estimates=Path(snakemake.output.estimates),
        )
