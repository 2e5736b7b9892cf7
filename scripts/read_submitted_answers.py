"""Read the answers that a Student submitted."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sensemaking.io import artifacts
from sensemaking.jobs import logged
from sensemaking.schemas import ANSWERS, FINDINGS, QUESTIONS, REPAIRS, SECTIONS, SUBMISSIONS
from sensemaking.submitted import Choices, Source, by_kind, take_answers


def main(
    *,
    source: Mapping[str, Any],
    choices: Mapping[str, Any],
    kinds: Sequence[str],
    sections: Sequence[Path],
    questions: Sequence[Path],
    answers: Sequence[Path],
    findings: Path,
    repairs: Path,
    summary: Path,
) -> None:
    path = source["path"]
    taken = take_answers(
        Source(**{**source, "path": path and Path(path)}),
        list(artifacts.read(SECTIONS, sections)["section_id"]),
        artifacts.read(QUESTIONS, questions).to_dict("records"),
        Choices(**choices),
    )
    for rows, shard in zip(by_kind(taken.rows, kinds, "question_id"), answers, strict=True):
        artifacts.write(ANSWERS, shard, rows)
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
            answers=[Path(path) for path in snakemake.output.answers],
            findings=Path(snakemake.output.findings),
            repairs=Path(snakemake.output.repairs),
            summary=Path(snakemake.output.summary),
        )
