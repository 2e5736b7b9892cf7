"""Let a programmatic Teacher ask about each section of a kind."""

from pathlib import Path

from sensemaking.jobs import logged
from sensemaking.baselines.teacher_rows import ask
from sensemaking.io import artifacts
from sensemaking.schemas import QUESTIONS, SECTIONS


def main(
    *,
    sections: Path,
    engine: str,
    team: str,
    submission: str,
    number: int,
    seed: int,
    questions: Path,
) -> None:
    rows = artifacts.read(SECTIONS, sections).to_dict("records")
    asked = ask(rows, engine, team, submission, number=number, seed=seed)
    artifacts.write(QUESTIONS, questions, asked)


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            sections=Path(snakemake.input.sections),
            engine=snakemake.params.engine,
            team=snakemake.params.team,
            submission=snakemake.params.submission,
            number=snakemake.params.number,
            seed=snakemake.params.seed,
            questions=Path(snakemake.output.questions),
        )
