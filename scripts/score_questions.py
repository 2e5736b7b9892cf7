"""Score and rank the question sets of a kind."""

from collections.abc import Sequence
from pathlib import Path

from sensemaking.jobs import logged
from sensemaking.io import artifacts
from sensemaking.schemas import EMBEDDINGS, QUESTIONS, SECTIONS, SYSTEMS, TEACHER_SCORES, WINDOWS
from sensemaking.scoring.teacher import TeacherSettings, score_kind


def main(
    *,
    systems: Path,
    sections: Path,
    windows: Path,
    questions: Sequence[Path],
    embeddings: Path,
    settings: TeacherSettings,
    seed: int,
    scores: Path,
) -> None:
    rows = score_kind(
        section_ids=list(artifacts.read(SECTIONS, sections)["section_id"]),
        systems=artifacts.read(SYSTEMS, systems),
        windows=artifacts.read(WINDOWS, windows),
        questions=artifacts.read(QUESTIONS, questions).to_dict("records"),
        embeddings=artifacts.read(EMBEDDINGS, embeddings),
        settings=settings,
        seed=seed,
    )
    artifacts.write(TEACHER_SCORES, scores, rows)


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            systems=Path(snakemake.input.systems),
            sections=Path(snakemake.input.sections),
            windows=Path(snakemake.input.windows),
            questions=snakemake.input.questions,
            embeddings=Path(snakemake.input.embeddings),
            settings=TeacherSettings(
                sign=snakemake.params.sign,
                floor=snakemake.params.floor,
                relevance=snakemake.params.relevance,
            ),
            seed=snakemake.params.seed,
            scores=Path(snakemake.output.scores),
        )
