"""Table x2: how good recognised speech is."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from sensemaking.jobs import logged
from sensemaking.io import artifacts
from sensemaking.io.table_files import write_table
from sensemaking.schemas import ASR_SCORES, TRANSCRIPTS
from sensemaking.scoring.estimates import Settings
from sensemaking.tables.catalogue import entry
from sensemaking.tables.quality import ShownKind, asr_table


def main(
    *,
    scores: Path,
    transcripts: Sequence[Path],
    kinds: Sequence[tuple[str, str]],
    references: Sequence[str],
    seed: int,
    draws: int,
    outputs: Mapping[str, Path],
) -> None:
    table = asr_table(
        entry("table_x2"),
        artifacts.read(ASR_SCORES, scores),
        artifacts.read(TRANSCRIPTS, transcripts),
        [ShownKind(*kind) for kind in kinds],
        references,
        Settings(seed, draws),
    )
    write_table(table, outputs)


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            scores=Path(snakemake.input.scores),
            transcripts=snakemake.input.transcripts,
            kinds=snakemake.params.kinds,
            references=snakemake.params.references,
            seed=snakemake.params.seed,
            draws=snakemake.params.draws,
            outputs=dict(snakemake.output.items()),
        )
