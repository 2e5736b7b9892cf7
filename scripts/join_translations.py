"""Put translations where sections and questions of a kind have no English version."""

from collections.abc import Sequence
from pathlib import Path

from sensemaking.jobs import logged
from sensemaking.io import artifacts
from sensemaking.mt.kinds import join_kind
from sensemaking.schemas import FINDINGS, QUESTIONS, SECTIONS, TRANSLATIONS


def main(
    *,
    original_sections: Path,
    original_questions: Path,
    translations: Sequence[Path],
    sections: Path,
    questions: Path,
    findings: Path,
) -> None:
    translated = None
    if translations:
        translated = artifacts.read(TRANSLATIONS, translations).to_dict("records")
    joined = join_kind(
        artifacts.read(SECTIONS, original_sections).to_dict("records"),
        artifacts.read(QUESTIONS, original_questions).to_dict("records"),
        translated,
    )
    artifacts.write(SECTIONS, sections, joined.sections)
    artifacts.write(QUESTIONS, questions, joined.questions)
    artifacts.write(FINDINGS, findings, [finding.row() for finding in joined.findings])


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            original_sections=Path(snakemake.input.sections),
            original_questions=Path(snakemake.input.questions),
            translations=snakemake.input.translations,
            sections=Path(snakemake.output.sections),
            questions=Path(snakemake.output.questions),
            findings=Path(snakemake.output.findings),
        )
