"""Let a programmatic Student answer every genuine question of a kind."""

from collections.abc import Sequence
from pathlib import Path

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
    engine: str,
    team: str,
    submission: str,
    answers: Path,
) -> None:
    texts = artifacts.read(SECTIONS, sections).to_dict("records")
    asked = artifacts.read(QUESTIONS, questions).to_dict("records")
    files = [answer_file(file, root) for file in released]
    sent = released_to_run(root, files, texts, asked, [(team, submission)])
    own = [row for row in sent.rows if (row["student"], row["submission"]) == (team, submission)]
    made = answer(texts, asked, engine, team, submission)
    artifacts.write(ANSWERS, answers, prefer_released(made, own, (GENUINE,)))


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            sections=Path(snakemake.input.sections),
            questions=snakemake.input.questions,
            released=[Path(path) for path in snakemake.input.released],
            root=Path(snakemake.params.root),
            engine=snakemake.params.engine,
            team=snakemake.params.team,
            submission=snakemake.params.submission,
            answers=Path(snakemake.output.answers),
        )
