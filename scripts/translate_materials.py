"""Translate what of a kind is not in English."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sensemaking.jobs import logged
from sensemaking.io import artifacts
from sensemaking.mt.chain import opened_engines
from sensemaking.mt.journal import Journal
from sensemaking.mt.kinds import translate_kind
from sensemaking.schemas import FINDINGS, QUESTIONS, SECTIONS, TRANSLATIONS


def main(
    *,
    kind: str,
    sections: Path,
    questions: Path,
    engines: Sequence[Mapping[str, Any]],
    prompts: Sequence[str],
    recorded: Sequence[str],
    mode: Any,
    measure: Any,
    journal: Path,
    translations: Path,
    findings: Path,
) -> None:
    with opened_engines(engines, prompts, recorded) as chain:
        made = translate_kind(
            kind,
            artifacts.read(SECTIONS, sections).to_dict("records"),
            artifacts.read(QUESTIONS, questions).to_dict("records"),
            chain,
            Journal(journal),
            mode=mode,
            measure=measure,
        )
    artifacts.write(TRANSLATIONS, translations, made.rows)
    artifacts.write(FINDINGS, findings, [finding.row() for finding in made.findings])


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            kind=snakemake.params.kind,
            sections=Path(snakemake.input.sections),
            questions=Path(snakemake.input.questions),
            engines=snakemake.params.engines,
            prompts=snakemake.input.prompts,
            recorded=snakemake.input.recorded,
            mode=snakemake.params.mode,
            measure=snakemake.params.measure,
            journal=Path(snakemake.params.journal),
            translations=Path(snakemake.output.translations),
            findings=Path(snakemake.output.findings),
        )
