"""Let the programmatic Students answer every genuine question of a kind."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sensemaking.jobs import logged
from sensemaking.baselines.student_rows import answer
from sensemaking.ids import GENUINE
from sensemaking.io import artifacts
from sensemaking.released_answers import answer_file, prefer_released, released_to_run
from sensemaking.schemas import ANSWERS, QUESTIONS, SECTIONS


def main(
    *,
    sections: Path,
    questions: Sequence[Path],
    released: Sequence[Path],
    root: Path,
    students: Sequence[Mapping[str, Any]],
    answers: Sequence[Path],
) -> None:
    texts = artifacts.read(SECTIONS, sections).to_dict("records")
    asked = artifacts.read(QUESTIONS, questions).to_dict("records")
    files = [answer_file(file, root) for file in released]
    teams = [(student["team"], student["submission"]) for student in students]
    sent = released_to_run(root, files, texts, asked, teams).rows
    for student, team, shard in zip(students, teams, answers, strict=True):
        own = [row for row in sent if (row["student"], row["submission"]) == team]
        made = answer(texts, asked, **student)
        artifacts.write(ANSWERS, shard, prefer_released(made, own, (GENUINE,)))


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            sections=Path(snakemake.input.sections),
            questions=snakemake.input.questions,
            released=[Path(path) for path in snakemake.input.released],
            root=Path(snakemake.params.root),
            students=snakemake.params.students,
            answers=[Path(path) for path in snakemake.output.answers],
        )
