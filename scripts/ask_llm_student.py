"""Let a language model answer the questions of all kinds; its replies are kept raw."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sensemaking.jobs import logged
from sensemaking.baselines.llm_choice import asked_of_student
from sensemaking.baselines.llm_student import prepare, student_prompt
from sensemaking.io import artifacts
from sensemaking.llm.calls import ask_all
from sensemaking.llm.stage import stage_session
from sensemaking.schemas import QUESTIONS, RAW_STUDENT, SECTIONS


def main(
    *,
    sections: Sequence[Path],
    questions: Sequence[Path],
    adversarial: Sequence[Path],
    prompt: str,
    recorded: Sequence[Path],
    llm: Mapping[str, Any],
    journal: str,
    patterns: Sequence[str],
    team: str,
    submission: str,
    raw: Path,
) -> None:
    texts = artifacts.read(SECTIONS, sections).to_dict("records")
    asked = asked_of_student(
        artifacts.read(QUESTIONS, questions).to_dict("records"),
        artifacts.read(QUESTIONS, adversarial).to_dict("records"),
        patterns,
    )
    with stage_session(llm, journal, recorded) as session:
        calls = prepare(
            texts,
            asked,
            session.settings,
            student_prompt(prompt, [Path()]),
            team=team,
            submission=submission,
        )
        artifacts.write(RAW_STUDENT, raw, ask_all(session, calls))


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            sections=snakemake.input.sections,
            questions=snakemake.input.questions,
            adversarial=snakemake.input.adversarial,
            prompt=snakemake.input.prompt,
            recorded=snakemake.input.recorded,
            llm=snakemake.params.llm,
            journal=snakemake.params.journal,
            patterns=snakemake.params.patterns,
            team=snakemake.params.team,
            submission=snakemake.params.submission,
            raw=Path(snakemake.output.raw),
        )
