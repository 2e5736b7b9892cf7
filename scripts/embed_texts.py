"""Embed each distinct window and genuine question of a kind once."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from sensemaking.jobs import logged
from sensemaking.io import artifacts
from sensemaking.io.embedding import embed, load, truncation_findings
from sensemaking.question_texts import texts_of
from sensemaking.schemas import EMBEDDINGS, FINDINGS, QUESTIONS, WINDOWS


def main(
    *,
    windows: Path,
    questions: Sequence[Path],
    model: str,
    revision: str | None,
    sha256: str | None,
    batch_size: int,
    threads: int,
    embeddings: Path,
    findings: Path,
) -> None:
    cut = artifacts.read(WINDOWS, windows)
    asked = texts_of(artifacts.read(QUESTIONS, questions).to_dict("records"))
    texts = [*cut["text"], *asked.values()]
    found, cut_off = [], []
    # A kind without texts needs no model, which takes seconds to load.
    if texts:
        loaded = load(model, revision=revision, sha256=sha256)
        found = embed(loaded, texts, batch_size=batch_size, threads=threads)
        places = {f"{row.section_id}#window{row.window}": row.text for row in cut.itertuples()}
        cut_off = truncation_findings(found, {**places, **asked}, loaded.max_seq_length)
    artifacts.write(EMBEDDINGS, embeddings, [asdict(item) for item in found])
    artifacts.write(FINDINGS, findings, [finding.row() for finding in cut_off])


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            windows=Path(snakemake.input.windows),
            questions=snakemake.input.questions,
            model=snakemake.params.model,
            revision=snakemake.params.revision,
            sha256=snakemake.params.sha256,
            batch_size=snakemake.params.batch_size,
            threads=snakemake.params.threads,
            embeddings=Path(snakemake.output.embeddings),
            findings=Path(snakemake.output.findings),
        )
