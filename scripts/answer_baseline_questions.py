"""Let a programmatic Student answer every genuine question of a kind."""

from collections.abc import Sequence
from pathlib import Path

from sensemaking.baselines.student_rows import answer
from sensemaking.io import artifacts
from sensemaking.jobs import logged
from sensemaking.schemas import ANSWERS, QUESTIONS, SECTIONS


def main(
    *,
    sections: Path,
    questions: Sequence[Path],
    engine: str,
    team: str,
    submission: str,
    answers: Path,
) -> None:
    texts = artifacts.read(SECTIONS, sections).to_dict("records")
    asked = artifacts.read(QUESTIONS, questions).to_dict("records")
    artifacts.write(ANSWERS, answers, answer(texts, asked, engine, team, submission))


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            sections=Path(snakemake.input.sections),
            questions=snakemake.input.questions,
            engine=snakemake.params.engine,
            team=snakemake.params.team,
            submission=snakemake.params.submission,
            answers=Path(snakemake.output.answers),
        )
