"""Score transcripts against what was said."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from sensemaking.jobs import logged
from sensemaking.io import artifacts
from sensemaking.schemas import ASR_SCORES, TRANSCRIPTS
from sensemaking.scoring.asr import read_reference, score_transcripts


def main(
    *,
    transcripts: Sequence[Path],
    references: Iterable[tuple[str, str, Path]],
    scores: Path,
) -> None:
    found = artifacts.read(TRANSCRIPTS, transcripts).to_dict("records")
    read = [read_reference(section, path, language) for section, language, path in references]
    artifacts.write(ASR_SCORES, scores, score_transcripts(found, read))


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            transcripts=snakemake.input.transcripts,
            references=[
                (section, language, Path(path))
                for (section, language), path in zip(
                    snakemake.params.references, snakemake.input.references, strict=True
                )
            ],
            scores=Path(snakemake.output.scores),
        )
