"""Take golden answers and Teachers' reference answers as rows of ``answers``."""

from collections.abc import Sequence
from pathlib import Path

from sensemaking.io import artifacts
from sensemaking.jobs import logged
from sensemaking.questions import reference_answers
from sensemaking.schemas import ANSWERS, QUESTIONS


def main(*, questions: Sequence[Path], answers: Path) -> None:
    rows = artifacts.read(QUESTIONS, questions).to_dict("records")
    artifacts.write(ANSWERS, answers, reference_answers(rows))


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            questions=snakemake.input.questions,
            answers=Path(snakemake.output.answers),
        )
