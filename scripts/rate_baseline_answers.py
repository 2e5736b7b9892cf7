"""Let a programmatic Evaluator rate all answers of a kind."""

from collections.abc import Sequence
from pathlib import Path

from sensemaking.jobs import logged
from sensemaking.baselines.evaluator_rows import rate
from sensemaking.io import artifacts
from sensemaking.schemas import ANSWERS, RATINGS, SECTIONS


def main(
    *,
    sections: Path,
    answers: Sequence[Path],
    engine: str,
    team: str,
    submission: str,
    ratings: Path,
) -> None:
    texts = artifacts.read(SECTIONS, sections).to_dict("records")
    given = artifacts.read(ANSWERS, answers).to_dict("records")
    artifacts.write(RATINGS, ratings, rate(texts, given, engine, team, submission))


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            sections=Path(snakemake.input.sections),
            answers=snakemake.input.answers,
            engine=snakemake.params.engine,
            team=snakemake.params.team,
            submission=snakemake.params.submission,
            ratings=Path(snakemake.output.ratings),
        )
