"""Read the ratings that an Evaluator submitted."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sensemaking.jobs import logged
from sensemaking.adversarial.answers import SCENARIOS
from sensemaking.io import artifacts
from sensemaking.io.materials import section_ids
from sensemaking.io.release import read_manifest, stale_answers
from sensemaking.io.taken_artifacts import write_taken
from sensemaking.released_answers import AnswerFile, released_to_run
from sensemaking.schemas import (
    ANSWERS,
    QUESTIONS,
    RATINGS,
    RELEASED_ANSWERS,
    SECTIONS,
)
from sensemaking.submitted import Choices, Source, take_ratings


def main(
    *,
    source: Mapping[str, Any],
    choices: Mapping[str, Any],
    kinds: Sequence[str],
    sections: Sequence[Path],
    questions: Sequence[Path],
    answers: Sequence[Path],
    released: Path,
    root: Path,
    other_kinds: Sequence[str],
    students: Sequence[tuple[str, str]],
    ratings: Sequence[Path],
    findings: Path,
    repairs: Path,
    summary: Path,
) -> None:
    path = source["path"]
    places = artifacts.read(SECTIONS, sections)
    asked = artifacts.read(QUESTIONS, questions).to_dict("records")
    files = [
        AnswerFile(**row) for row in artifacts.read(RELEASED_ANSWERS, released).to_dict("records")
    ]
    sent = released_to_run(root, files, places.to_dict("records"), asked, students)
    taken = take_ratings(
        Source(**{**source, "path": path and Path(path)}),
        list(places["section_id"]),
        [
            *artifacts.read(ANSWERS, answers).to_dict("records"),
            # Of adversarial answers only what was sent out is asked of Evaluators.
            *(row for row in sent.rows if row["scenario"] in SCENARIOS),
        ],
        asked,
        Choices(**choices),
        stale_answers(root),
        released=sent,
        manifest=read_manifest(root),
        not_run=section_ids(root, other_kinds),
    )
    write_taken(
        taken,
        RATINGS,
        ratings,
        kinds,
        "answer_id",
        findings=findings,
        repairs=repairs,
        summary=summary,
    )


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            source=snakemake.params.source,
            choices=snakemake.params.choices,
            kinds=snakemake.params.kinds,
            sections=snakemake.input.sections,
            questions=snakemake.input.questions,
            answers=snakemake.input.answers,
            released=Path(snakemake.input.released),
            root=Path(snakemake.params.root),
            other_kinds=snakemake.params.other_kinds,
            students=snakemake.params.students,
            ratings=[Path(path) for path in snakemake.output.ratings],
            findings=Path(snakemake.output.findings),
            repairs=Path(snakemake.output.repairs),
            summary=Path(snakemake.output.summary),
        )
