"""Read the answers in the replies of a language model that played a Student."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from sensemaking.jobs import logged
from sensemaking.baselines.llm_choice import asked_of_student
from sensemaking.baselines.llm_student import parse
from sensemaking.ids import GENUINE
from sensemaking.io import artifacts
from sensemaking.released_answers import answer_file, prefer_released, released_to_run
from sensemaking.schemas import ANSWERS, FINDINGS, QUESTIONS, RAW_STUDENT, SECTIONS
from sensemaking.shards import by_kind


def main(
    *,
    sections: Sequence[Path],
    questions: Sequence[Path],
    adversarial: Sequence[Path],
    raw: Path,
    released: Sequence[Path],
    root: Path,
    kinds: Sequence[str],
    patterns: Sequence[str],
    team: str,
    submission: str,
    answers: Sequence[Path],
    to_adversarial: Sequence[Path],
    findings: Path,
) -> None:
    texts = artifacts.read(SECTIONS, sections).to_dict("records")
    genuine = artifacts.read(QUESTIONS, questions).to_dict("records")
    asked = asked_of_student(
        genuine, artifacts.read(QUESTIONS, adversarial).to_dict("records"), patterns
    )
    parsed = parse(
        texts,
        asked,
        artifacts.read(RAW_STUDENT, raw).to_dict("records"),
        team=team,
        submission=submission,
    )
    files = [answer_file(file, root) for file in released]
    sent = released_to_run(root, files, texts, asked, [(team, submission)])
    mine = [row for row in sent.rows if (row["student"], row["submission"]) == (team, submission)]
    own = {row["question_id"] for row in genuine if row["variant"] == GENUINE}
    rows: list[list[Mapping[str, object]]] = [[], []]
    for row in prefer_released(parsed.rows, mine, (GENUINE,)):
        rows[row["question_id"] not in own].append(row)
    for part, shards in zip(rows, (answers, to_adversarial), strict=True):
        for given, shard in zip(by_kind(part, kinds, "question_id"), shards, strict=True):
            artifacts.write(ANSWERS, shard, given)
    artifacts.write(FINDINGS, findings, [finding.row() for finding in parsed.findings])


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            sections=snakemake.input.sections,
            questions=snakemake.input.questions,
            adversarial=snakemake.input.adversarial,
            raw=Path(snakemake.input.raw),
            released=[Path(path) for path in snakemake.input.released],
            root=Path(snakemake.params.root),
            kinds=snakemake.params.kinds,
            patterns=snakemake.params.patterns,
            team=snakemake.params.team,
            submission=snakemake.params.submission,
            answers=[Path(path) for path in snakemake.output.answers],
            to_adversarial=[Path(path) for path in snakemake.output.to_adversarial],
            findings=Path(snakemake.output.findings),
        )
