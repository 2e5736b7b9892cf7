"""Read the questions in the replies of a language model that played a Teacher."""

from pathlib import Path

from sensemaking.jobs import logged
from sensemaking.baselines.llm_teacher import parse
from sensemaking.io import artifacts
from sensemaking.schemas import FINDINGS, QUESTIONS, RAW_TEACHER


def main(
    *,
    raw: Path,
    team: str,
    submission: str,
    questions: Path,
    findings: Path,
) -> None:
    parsed = parse(
        artifacts.read(RAW_TEACHER, raw).to_dict("records"), team=team, submission=submission
    )
    artifacts.write(QUESTIONS, questions, parsed.rows)
    artifacts.write(FINDINGS, findings, [finding.row() for finding in parsed.findings])


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            raw=Path(snakemake.input.raw),
            team=snakemake.params.team,
            submission=snakemake.params.submission,
            questions=Path(snakemake.output.questions),
            findings=Path(snakemake.output.findings),
        )
