"""Read the question sets of a kind into ``questions``."""

from collections.abc import Sequence
from pathlib import Path

from sensemaking.jobs import logged
from sensemaking.io import artifacts
from sensemaking.io.materials import scan
from sensemaking.questions import declared_teams, read_questions
from sensemaking.schemas import FINDINGS, QUESTIONS


def main(
    *,
    root: Path,
    kind: str,
    language: str,
    teams: Sequence[tuple[str, str]],
    questions: Path,
    findings: Path,
) -> None:
    read = read_questions(scan(root, kind).folders, language, declared_teams(teams))
    artifacts.write(QUESTIONS, questions, read.rows)
    artifacts.write(FINDINGS, findings, [finding.row() for finding in read.findings])


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            root=Path(snakemake.params.root),
            kind=snakemake.params.kind,
            language=snakemake.params.language,
            teams=snakemake.params.teams,
            questions=Path(snakemake.output.questions),
            findings=Path(snakemake.output.findings),
        )
