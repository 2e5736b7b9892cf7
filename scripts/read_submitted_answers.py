"""Read the answers that a Student submitted."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sensemaking.jobs import logged
from sensemaking.io import artifacts
from sensemaking.io.materials import section_ids
from sensemaking.io.release import stale_questions
from sensemaking.io.taken_artifacts import write_taken
from sensemaking.released_answers import answer_file, released_to_run
from sensemaking.schemas import ANSWERS, QUESTIONS, SECTIONS
from sensemaking.submitted import Choices, Source, take_answers


def main(
    *,
    source: Mapping[str, Any],
    choices: Mapping[str, Any],
    kinds: Sequence[str],
    root: Path,
    other_kinds: Sequence[str],
    students: Sequence[tuple[str, str]],
    released: Sequence[Path],
    sections: Sequence[Path],
    questions: Sequence[Path],
    answers: Sequence[Path],
    findings: Path,
    repairs: Path,
    summary: Path,
) -> None:
    path = source["path"]
    places = artifacts.read(SECTIONS, sections)
    asked = artifacts.read(QUESTIONS, questions).to_dict("records")
    files = [answer_file(file, root) for file in released]
    sent = released_to_run(root, files, places.to_dict("records"), asked, students)
    taken = take_answers(
        Source(**{**source, "path": path and Path(path)}),
        list(places["section_id"]),
        asked,
        Choices(**choices),
        released=sent.rows,
        stale=stale_questions(root),
        not_run=section_ids(root, other_kinds),
    )
    write_taken(
        taken,
        ANSWERS,
        answers,
        kinds,
        "question_id",
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
            root=Path(snakemake.params.root),
            other_kinds=snakemake.params.other_kinds,
            students=snakemake.params.students,
            released=[Path(path) for path in snakemake.input.released],
            sections=snakemake.input.sections,
            questions=snakemake.input.questions,
            answers=[Path(path) for path in snakemake.output.answers],
            findings=Path(snakemake.output.findings),
            repairs=Path(snakemake.output.repairs),
            summary=Path(snakemake.output.summary),
        )
