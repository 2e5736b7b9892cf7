"""Let a language model ask about the sections of a kind; its replies are kept raw."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sensemaking.jobs import logged
from sensemaking.baselines.llm_teacher import prepare, teacher_prompt
from sensemaking.io import artifacts
from sensemaking.llm.calls import ask_all
from sensemaking.llm.stage import stage_session
from sensemaking.schemas import RAW_TEACHER, SECTIONS


def main(
    *,
    sections: Path,
    prompt: str,
    recorded: Sequence[Path],
    llm: Mapping[str, Any],
    journal: str,
    options: Mapping[str, Any],
    raw: Path,
) -> None:
    texts = artifacts.read(SECTIONS, sections).to_dict("records")
    with stage_session(llm, journal, recorded) as session:
        calls = prepare(texts, session.settings, teacher_prompt(prompt, [Path()]), **options)
        artifacts.write(RAW_TEACHER, raw, ask_all(session, calls))


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            sections=Path(snakemake.input.sections),
            prompt=snakemake.input.prompt,
            recorded=snakemake.input.recorded,
            llm=snakemake.params.llm,
            journal=snakemake.params.journal,
            options=snakemake.params.options,
            raw=Path(snakemake.output.raw),
        )
