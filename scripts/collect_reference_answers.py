"""Take golden answers and Teachers' reference answers as rows of ``answers``."""

from collections.abc import Sequence
from pathlib import Path

from sensemaking.jobs import logged
from sensemaking.ids import GENUINE, REFERENCE
from sensemaking.io import artifacts
from sensemaking.questions import reference_answers
from sensemaking.released_answers import answer_file, prefer_released, released_to_run
from sensemaking.schemas import ANSWERS, QUESTIONS


def main(*, questions: Sequence[Path], released: Sequence[Path], root: Path, answers: Path) -> None:
    asked = artifacts.read(QUESTIONS, questions).to_dict("records")
    files = [answer_file(file, root) for file in released]
    sent = released_to_run(root, files, [], asked, [])
    rows = prefer_released(reference_answers(asked), sent.rows, (GENUINE, REFERENCE))
    artifacts.write(ANSWERS, answers, rows)


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            questions=snakemake.input.questions,
            released=[Path(path) for path in snakemake.input.released],
            root=Path(snakemake.params.root),
            answers=Path(snakemake.output.answers),
        )
