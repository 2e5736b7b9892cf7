"""Read the ratings that an Evaluator submitted."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sensemaking.io import artifacts
from sensemaking.io.release import stale_answers
from sensemaking.jobs import logged
from sensemaking.schemas import (
    ANSWERS,
    FINDINGS,
    QUESTIONS,
    RATINGS,
    REPAIRS,
    SECTIONS,
    SUBMISSIONS,
)
from sensemaking.submitted import Choices, Source, by_kind, of_files, take_ratings


def main(
    *,
    source: Mapping[str, Any],
    choices: Mapping[str, Any],
    kinds: Sequence[str],
    sections: Sequence[Path],
    questions: Sequence[Path],
    answers: Sequence[Path],
    adversarial: Sequence[Path],
    released: Sequence[Path],
    root: Path,
    ratings: Sequence[Path],
    findings: Path,
    repairs: Path,
    summary: Path,
) -> None:
    path = source["path"]
    taken = take_ratings(
        Source(**{**source, "path": path and Path(path)}),
        list(artifacts.read(SECTIONS, sections)["section_id"]),
        [
            *artifacts.read(ANSWERS, answers).to_dict("records"),
            *of_files(artifacts.read(ANSWERS, adversarial).to_dict("records"), released, root),
        ],
        artifacts.read(QUESTIONS, questions).to_dict("records"),
        Choices(**choices),
        stale_answers(root),
    )
    for rows, shard in zip(by_kind(taken.rows, kinds, "answer_id"), ratings, strict=True):
        artifacts.write(RATINGS, shard, rows)
    artifacts.write(FINDINGS, findings, taken.findings)
    artifacts.write(REPAIRS, repairs, taken.repairs)
    artifacts.write(SUBMISSIONS, summary, [taken.summary])


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            source=snakemake.params.source,
            choices=snakemake.params.choices,
            kinds=snakemake.params.kinds,
            sections=snakemake.input.sections,
            questions=snakemake.input.questions,
            answers=snakemake.input.answers,
            adversarial=snakemake.input.adversarial,
            released=[Path(path) for path in snakemake.input.released],
            root=Path(snakemake.params.root),
            ratings=[Path(path) for path in snakemake.output.ratings],
            findings=Path(snakemake.output.findings),
            repairs=Path(snakemake.output.repairs),
            summary=Path(snakemake.output.summary),
        )
