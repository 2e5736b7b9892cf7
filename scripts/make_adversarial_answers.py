"""Make the adversarial variants of all genuine answers; released ones win."""

from collections.abc import Sequence
from pathlib import Path

from sensemaking.jobs import logged
from sensemaking.adversarial.answers import answer_variants
from sensemaking.io import artifacts
from sensemaking.io.release import read_manifest
from sensemaking.rated_files import missing_files
from sensemaking.released_answers import AnswerFile, prefer_released, released_to_run
from sensemaking.schemas import ANSWERS, FINDINGS, QUESTIONS, RELEASED_ANSWERS, SECTIONS
from sensemaking.shards import by_kind


def main(
    *,
    root: Path,
    sections: Sequence[Path],
    questions: Sequence[Path],
    answers: Sequence[Path],
    released: Path,
    kinds: Sequence[str],
    scenarios: Sequence[str],
    seed: int,
    adversarial: Sequence[Path],
    findings: Path,
) -> None:
    places = artifacts.read(SECTIONS, sections).to_dict("records")
    asked = artifacts.read(QUESTIONS, questions).to_dict("records")
    given = artifacts.read(ANSWERS, answers).to_dict("records")
    students = {(row["student"], row["submission"]) for row in given}
    files = [
        AnswerFile(**row) for row in artifacts.read(RELEASED_ANSWERS, released).to_dict("records")
    ]
    sent = released_to_run(root, files, places, asked, sorted(students), given)
    made = answer_variants(given, asked, places, seed, scenarios)
    kept = prefer_released(made, sent.rows)
    for own, shard in zip(by_kind(kept, kinds, "question_id"), adversarial, strict=True):
        artifacts.write(ANSWERS, shard, own)
    found = [*sent.findings, *missing_files(read_manifest(root), files, kinds)]
    artifacts.write(FINDINGS, findings, [finding.row() for finding in found])


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            root=Path(snakemake.params.root),
            sections=snakemake.input.sections,
            questions=snakemake.input.questions,
            answers=snakemake.input.answers,
            released=Path(snakemake.input.released),
            kinds=snakemake.params.kinds,
            scenarios=snakemake.params.scenarios,
            seed=snakemake.params.seed,
            adversarial=[Path(path) for path in snakemake.output.answers],
            findings=Path(snakemake.output.findings),
        )
