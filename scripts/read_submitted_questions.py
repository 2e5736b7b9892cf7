"""Read the questions that a Teacher submitted."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sensemaking.jobs import logged
from sensemaking.io import artifacts
from sensemaking.io.materials import section_ids
from sensemaking.io.taken_artifacts import write_taken
from sensemaking.schemas import QUESTIONS, SECTIONS
from sensemaking.submitted import Choices, Source, take_questions


def main(
    *,
    source: Mapping[str, Any],
    choices: Mapping[str, Any],
    kinds: Sequence[str],
    root: Path,
    other_kinds: Sequence[str],
    whole: Sequence[str],
    cut: Sequence[Path],
    released: Sequence[Path],
    questions: Sequence[Path],
    findings: Path,
    repairs: Path,
    summary: Path,
) -> None:
    path = source["path"]
    taken = take_questions(
        Source(**{**source, "path": path and Path(path)}),
        [*whole, *(artifacts.read(SECTIONS, cut)["section_id"] if cut else ())],
        artifacts.read(QUESTIONS, released).to_dict("records"),
        Choices(**choices),
        section_ids(root, other_kinds),
    )
    write_taken(
        taken,
        QUESTIONS,
        questions,
        kinds,
        "section_id",
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
            whole=snakemake.params.whole,
            cut=snakemake.input.cut,
            released=snakemake.input.released,
            questions=[Path(path) for path in snakemake.output.questions],
            findings=Path(snakemake.output.findings),
            repairs=Path(snakemake.output.repairs),
            summary=Path(snakemake.output.summary),
        )
