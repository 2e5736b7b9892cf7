"""List which Student should answer which genuine question of a kind."""

from collections.abc import Sequence
from pathlib import Path

from sensemaking.jobs import logged
from sensemaking.ids import GENUINE
from sensemaking.io import artifacts
from sensemaking.schemas import ANSWERS, ANSWERS_EXPECTED, QUESTIONS
from sensemaking.scoring.student import expected_answers


def main(
    *,
    questions: Sequence[Path],
    answers: Sequence[Path],
    students: Sequence[tuple[str, str]],
    expected: Path,
) -> None:
    asked = artifacts.read(QUESTIONS, questions)
    given = artifacts.read(ANSWERS, answers)
    rows = expected_answers(
        asked[asked["variant"] == GENUINE].to_dict("records"),
        given[given["scenario"] == GENUINE].to_dict("records"),
        students,
    )
    artifacts.write(ANSWERS_EXPECTED, expected, rows)


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            questions=snakemake.input.questions,
            answers=snakemake.input.answers,
            students=snakemake.params.students,
            expected=Path(snakemake.output.expected),
        )
