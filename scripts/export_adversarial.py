"""Write adversarial questions and answers as files to send to participants."""

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from sensemaking.io import artifacts
from sensemaking.io.release import export_answers, export_questions, write_manifest
from sensemaking.jobs import logged
from sensemaking.schemas import ANSWERS, QUESTIONS


def main(
    *,
    questions: Sequence[Path],
    adversarial: Sequence[Path],
    answers: Sequence[Path],
    languages: Mapping[str, str],
    out: Path,
) -> None:
    # What an earlier export wrote would look like a part of this one.
    if out.exists():
        shutil.rmtree(out)
    sets = artifacts.read(QUESTIONS, adversarial).to_dict("records")
    asked = artifacts.read(QUESTIONS, questions).to_dict("records")
    given = artifacts.read(ANSWERS, answers).to_dict("records")
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
            languages=snakemake.params.languages,
            out=Path(snakemake.output.manifest).parent,
        )
