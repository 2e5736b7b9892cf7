"""Make the adversarial variants of all genuine questions; released ones win."""

from collections.abc import Sequence
from pathlib import Path

from sensemaking.jobs import logged
from sensemaking.adversarial.questions import adversarial_questions
from sensemaking.io import artifacts
from sensemaking.io.sentence_list import read_sentences
from sensemaking.schemas import QUESTIONS, SECTIONS
from sensemaking.shards import by_kind


def main(
    *,
    sections: Sequence[Path],
    questions: Sequence[Path],
    sentences: Path,
    kinds: Sequence[str],
    codes: Sequence[str],
    seed: int,
    adversarial: Sequence[Path],
) -> None:
    places = artifacts.read(SECTIONS, sections)
    rows = artifacts.read(QUESTIONS, questions).to_dict("records")
    made = adversarial_questions(
        rows,
        dict(zip(places["section_id"], places["kind"], strict=True)),
        read_sentences(sentences),
        seed,
        codes,
    )
    for own, shard in zip(by_kind(made, kinds, "section_id"), adversarial, strict=True):
        artifacts.write(QUESTIONS, shard, own)


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            sections=snakemake.input.sections,
            questions=snakemake.input.questions,
            sentences=Path(snakemake.input.sentences),
            kinds=snakemake.params.kinds,
            codes=snakemake.params.codes,
            seed=snakemake.params.seed,
            adversarial=[Path(path) for path in snakemake.output.questions],
        )
