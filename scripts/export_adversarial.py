"""Write adversarial questions and answers as files to send to participants."""

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from sensemaking.jobs import logged
from sensemaking.baselines.llm_choice import fits_any
from sensemaking.io import artifacts
from sensemaking.io.release import export_answers, export_questions, write_manifest
from sensemaking.schemas import ANSWERS, QUESTIONS


def main(
    *,
    questions: Sequence[Path],
    adversarial: Sequence[Path],
    answers: Sequence[Path],
    sections: Sequence[str],
    languages: Mapping[str, str],
    out: Path,
) -> None:
    # What an earlier export wrote would look like a part of this one.
    if out.exists():
        shutil.rmtree(out)
    variants = artifacts.read(QUESTIONS, adversarial).to_dict("records")
    sets = [row for row in variants if fits_any(row["section_id"], sections)]
    asked = artifacts.read(QUESTIONS, questions).to_dict("records")
    # The section that an answer is about, not the one that is shown with it.
    given = [
        row
        for row in artifacts.read(ANSWERS, answers).to_dict("records")
        if fits_any(row["answer_id"].rpartition("/")[0], sections)
    ]
    released = [
        *export_questions(out, sets, references=False, languages=languages),
        *export_answers(out, given, asked),
    ]
    write_manifest(out, released)


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            questions=snakemake.input.questions,
            adversarial=snakemake.input.adversarial,
            answers=snakemake.input.answers,
            sections=snakemake.params.sections,
            languages=snakemake.params.languages,
            out=Path(snakemake.output.manifest).parent,
        )
