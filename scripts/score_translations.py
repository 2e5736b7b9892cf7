"""Score translations against those that came with the materials."""

from collections.abc import Sequence
from pathlib import Path

from sensemaking.jobs import logged
from sensemaking.io import artifacts
from sensemaking.mt.units import quality_pairs
from sensemaking.schemas import MT_SCORES, QUESTIONS, SECTIONS, TRANSLATIONS
from sensemaking.scoring.mt import score_translations


def main(
    *,
    sections: Sequence[Path],
    questions: Sequence[Path],
    translations: Sequence[Path],
    scores: Path,
) -> None:
    pairs = quality_pairs(
        artifacts.read(SECTIONS, sections).to_dict("records"),
        artifacts.read(QUESTIONS, questions).to_dict("records"),
        artifacts.read(TRANSLATIONS, translations).to_dict("records"),
    )
    artifacts.write(MT_SCORES, scores, score_translations(pairs))


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            sections=snakemake.input.sections,
            questions=snakemake.input.questions,
            translations=snakemake.input.translations,
            scores=Path(snakemake.output.scores),
        )
