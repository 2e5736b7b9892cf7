"""Let a language model grade the answers of all kinds; its replies are kept raw."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sensemaking.jobs import logged
from sensemaking.baselines.llm_choice import graded_by_evaluator
from sensemaking.baselines.llm_evaluator import evaluator_prompt, prepare
from sensemaking.io import artifacts
from sensemaking.llm.calls import ask_all
from sensemaking.llm.stage import stage_session
from sensemaking.schemas import ANSWERS, QUESTIONS, RAW_EVALUATOR, SECTIONS


def main(
    *,
    sections: Sequence[Path],
    questions: Sequence[Path],
    answers: Sequence[Path],
    adversarial: Sequence[Path],
    prompt: str,
    recorded: Sequence[Path],
    llm: Mapping[str, Any],
    journal: str,
    patterns: Sequence[str],
    options: Mapping[str, Any],
    raw: Path,
) -> None:
    graded = graded_by_evaluator(
        artifacts.read(ANSWERS, answers).to_dict("records"),
        artifacts.read(ANSWERS, adversarial).to_dict("records"),
        patterns,
    )
    with stage_session(llm, journal, recorded) as session:
        calls = prepare(
            artifacts.read(SECTIONS, sections).to_dict("records"),
            artifacts.read(QUESTIONS, questions).to_dict("records"),
            graded,
            session.settings,
            evaluator_prompt(prompt, [Path()]),
            **options,
        )
        artifacts.write(RAW_EVALUATOR, raw, ask_all(session, calls))


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            sections=snakemake.input.sections,
            questions=snakemake.input.questions,
            answers=snakemake.input.answers,
            adversarial=snakemake.input.adversarial,
            prompt=snakemake.input.prompt,
            recorded=snakemake.input.recorded,
            llm=snakemake.params.llm,
            journal=snakemake.params.journal,
            patterns=snakemake.params.patterns,
            options=snakemake.params.options,
            raw=Path(snakemake.output.raw),
        )
