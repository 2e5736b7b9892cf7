"""Score the answers of a kind by ROUGE-L recall."""

from collections.abc import Sequence
from pathlib import Path

from sensemaking.jobs import logged
from sensemaking.io import artifacts
from sensemaking.schemas import ANSWERS, ANSWERS_EXPECTED, QUESTIONS, ROUGE_SCORES
from sensemaking.scoring.student import score_rouge


def main(
    *,
    questions: Sequence[Path],
    answers: Sequence[Path],
    expected: Path,
    tokenizer: str,
    scores: Path,
) -> None:
    asked = artifacts.read(QUESTIONS, questions)
    given = artifacts.read(ANSWERS, answers)
    rows = score_rouge(
        artifacts.read(ANSWERS_EXPECTED, expected).to_dict("records"),
        dict(zip(given["answer_id"], given["answer"], strict=True)),
        dict(zip(asked["question_id"], asked["references"], strict=True)),
        tokenizer,
    )
    artifacts.write(ROUGE_SCORES, scores, rows)


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            questions=snakemake.input.questions,
            answers=snakemake.input.answers,
            expected=Path(snakemake.input.expected),
            tokenizer=snakemake.params.tokenizer,
            scores=Path(snakemake.output.scores),
        )
