"""Let the programmatic Teachers ask about each section of a kind."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sensemaking.jobs import logged
from sensemaking.baselines.teacher_rows import ask
from sensemaking.io import artifacts
from sensemaking.schemas import QUESTIONS, SECTIONS


def main(
    *, sections: Path, teachers: Sequence[Mapping[str, Any]], seed: int, questions: Sequence[Path]
) -> None:
    rows = artifacts.read(SECTIONS, sections).to_dict("records")
    for teacher, shard in zip(teachers, questions, strict=True):
        artifacts.write(QUESTIONS, shard, ask(rows, **teacher, seed=seed))


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            sections=Path(snakemake.input.sections),
            teachers=snakemake.params.teachers,
            seed=snakemake.params.seed,
            questions=[Path(path) for path in snakemake.output.questions],
        )
