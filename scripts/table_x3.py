"""Table x3: how good machine translations are."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from sensemaking.jobs import logged
from sensemaking.io import artifacts
from sensemaking.io.table_files import write_table
from sensemaking.mt.units import quality_pairs
from sensemaking.schemas import MT_SCORES, QUESTIONS, SECTIONS, TRANSLATIONS
from sensemaking.scoring.estimates import Settings
from sensemaking.tables.catalogue import entry
from sensemaking.tables.quality import ShownKind, engines_of, mt_table


def main(
    *,
    scores: Path,
    sections: Sequence[Path],
    questions: Sequence[Path],
    translations: Sequence[Path],
    kinds: Sequence[tuple[str, str]],
    seed: int,
    draws: int,
    outputs: Mapping[str, Path],
) -> None:
    translated = artifacts.read(TRANSLATIONS, translations).to_dict("records")
    pairs = quality_pairs(
        artifacts.read(SECTIONS, sections).to_dict("records"),
        artifacts.read(QUESTIONS, questions).to_dict("records"),
        translated,
    )
    table = mt_table(
        entry("table_x3"),
        artifacts.read(MT_SCORES, scores),
        pairs,
        engines_of(translated),
        [ShownKind(*kind) for kind in kinds],
        Settings(seed, draws),
    )
    write_table(table, outputs)


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            scores=Path(snakemake.input.scores),
            sections=snakemake.input.sections,
            questions=snakemake.input.questions,
            translations=snakemake.input.translations,
            kinds=snakemake.params.kinds,
            seed=snakemake.params.seed,
            draws=snakemake.params.draws,
            outputs=dict(snakemake.output.items()),
        )
