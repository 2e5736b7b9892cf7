"""Read the grades in the replies of a language model that played an Evaluator."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sensemaking.jobs import logged
from sensemaking.baselines.llm_choice import graded_by_evaluator
from sensemaking.baselines.llm_evaluator import parse
from sensemaking.io import artifacts
from sensemaking.schemas import ANSWERS, FINDINGS, QUESTIONS, RATINGS, RAW_EVALUATOR, SECTIONS
from sensemaking.shards import by_kind


def main(
    *,
    sections: Sequence[Path],
    questions: Sequence[Path],
    answers: Sequence[Path],
    adversarial: Sequence[Path],
    raw: Path,
    kinds: Sequence[str],
    patterns: Sequence[str],
    options: Mapping[str, Any],
    ratings: Sequence[Path],
    findings: Path,
) -> None:
    parsed = parse(
        artifacts.read(SECTIONS, sections).to_dict("records"),
        artifacts.read(QUESTIONS, questions).to_dict("records"),
        graded_by_evaluator(
            artifacts.read(ANSWERS, answers).to_dict("records"),
            artifacts.read(ANSWERS, adversarial).to_dict("records"),
            patterns,
        ),
        artifacts.read(RAW_EVALUATOR, raw).to_dict("records"),
        **options,
    )
    for rows, shard in zip(by_kind(parsed.rows, kinds, "answer_id"), ratings, strict=True):
        artifacts.write(RATINGS, shard, rows)
    artifacts.write(FINDINGS, findings, [finding.row() for finding in parsed.findings])


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            sections=snakemake.input.sections,
            questions=snakemake.input.questions,
            answers=snakemake.input.answers,
            adversarial=snakemake.input.adversarial,
            raw=Path(snakemake.input.raw),
            kinds=snakemake.params.kinds,
            patterns=snakemake.params.patterns,
            options=snakemake.params.options,
            ratings=[Path(path) for path in snakemake.output.ratings],
            findings=Path(snakemake.output.findings),
        )
