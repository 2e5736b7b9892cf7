"""Estimate each Student's mean ROUGE-L recall and how the recalls correlate."""

from collections.abc import Sequence
from pathlib import Path

from sensemaking.jobs import logged
from sensemaking.io import artifacts
from sensemaking.schemas import (
    CORRELATIONS,
    ESTIMATES,
    QUESTIONS,
    ROUGE_SCORES,
    SECTIONS,
    SYSTEMS,
)
from sensemaking.scoring.estimates import Settings, groups
from sensemaking.scoring.student_estimates import estimate_rouge


def main(
    *,
    systems: Path,
    sections: Sequence[Path],
    questions: Sequence[Path],
    scores: Sequence[Path],
    kinds: Sequence[tuple[str, Sequence[str]]],
    named_student: str | None,
    seed: int,
    draws: int,
    estimates: Path,
    correlations: Path,
) -> None:
    estimated = estimate_rouge(
        artifacts.read(ROUGE_SCORES, scores),
        artifacts.read(SYSTEMS, systems),
        artifacts.read(SECTIONS, sections),
        artifacts.read(QUESTIONS, questions),
        groups(kinds),
        named_student,
        Settings(seed, draws),
    )
    artifacts.write(ESTIMATES, estimates, estimated.means)
    artifacts.write(CORRELATIONS, correlations, estimated.correlations)


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            systems=Path(snakemake.input.systems),
            sections=snakemake.input.sections,
            questions=snakemake.input.questions,
            scores=snakemake.input.scores,
            kinds=snakemake.params.kinds,
            named_student=snakemake.params.named_student,
            seed=snakemake.params.seed,
            draws=snakemake.params.draws,
            estimates=Path(snakemake.output.estimates),
            correlations=Path(snakemake.output.correlations),
        )
