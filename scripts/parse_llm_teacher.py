"""Read the questions in the replies of a language model that played a Teacher."""

from collections.abc import Sequence
from pathlib import Path

from sensemaking.jobs import logged
from sensemaking.baselines.llm_teacher import parse
from sensemaking.io import artifacts
from sensemaking.schemas import FINDINGS, QUESTIONS, RAW_TEACHER
from sensemaking.shards import by_kind


def main(
    *,
    raw: Path,
    kinds: Sequence[str],
    team: str,
    submission: str,
    questions: Sequence[Path],
    findings: Path,
) -> None:
    parsed = parse(
        artifacts.read(RAW_TEACHER, raw).to_dict("records"), team=team, submission=submission
    )
    for rows, shard in zip(by_kind(parsed.rows, kinds, "section_id"), questions, strict=True):
        artifacts.write(QUESTIONS, shard, rows)
    artifacts.write(FINDINGS, findings, [finding.row() for finding in parsed.findings])


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            raw=Path(snakemake.input.raw),
            kinds=snakemake.params.kinds,
            team=snakemake.params.team,
            submission=snakemake.params.submission,
            questions=[Path(path) for path in snakemake.output.questions],
            findings=Path(snakemake.output.findings),
        )
