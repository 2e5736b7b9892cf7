"""Print what a live run would send to language models: calls, tokens and cost. Nothing is sent."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sensemaking.jobs import logged
from sensemaking.adversarial.answers import answer_variants
from sensemaking.adversarial.questions import adversarial_questions
from sensemaking.baselines import llm_evaluator, llm_student, llm_teacher
from sensemaking.baselines.llm_choice import asked_of_student, graded_by_evaluator
from sensemaking.baselines.llm_expected import expected_answers, expected_questions, in_order
from sensemaking.io import artifacts
from sensemaking.io.sentence_list import read_sentences
from sensemaking.llm.calls import Call
from sensemaking.llm.plan import describe, plan
from sensemaking.llm.sessions import session
from sensemaking.llm.settings import LanguageModel
from sensemaking.questions import reference_answers
from sensemaking.schemas import ANSWERS, QUESTIONS, SECTIONS

Rows = list[dict[str, Any]]


def main(
    *,
    sections: Sequence[Path],
    questions: Sequence[Path],
    sentences: Path,
    students: Sequence[Mapping[str, Any]],
    systems: Sequence[Mapping[str, Any]],
    codes: Sequence[str],
    scenarios: Sequence[str],
    seed: int,
) -> None:
    places = artifacts.read(SECTIONS, sections).to_dict("records")
    asked = artifacts.read(QUESTIONS, questions).to_dict("records")
    kinds = {row["section_id"]: row["kind"] for row in places}
    for system in in_order(systems):
        who = {"team": system["team"], "submission": system["submission"]}
        settings = LanguageModel.model_validate(system["model"])
        calls: list[Call] = []
        if system["role"] == "teacher":
            options = system["options"]
            prompt = llm_teacher.teacher_prompt(system["prompt"], [Path()])
            calls = llm_teacher.prepare(places, settings, prompt, **who, **options)
            earlier = [path for path in map(Path, system["results"]) if path.is_file()]
            known = artifacts.read(QUESTIONS, earlier).to_dict("records")
            size = {name: options[name] for name in ("number", "span_words")}
            asked += expected_questions(places, known, **who, **size)
        elif system["role"] == "student":
            prompt = llm_student.student_prompt(system["prompt"], [Path()])
            made = adversarial_questions(asked, kinds, read_sentences(sentences), seed, codes)
            chosen = asked_of_student(asked, made, system["patterns"])
            calls = llm_student.prepare(places, chosen, settings, prompt, **who)
        else:
            given: Rows = reference_answers(asked)
            for student in students:
                earlier = [path for path in map(Path, student["results"]) if path.is_file()]
                known = artifacts.read(ANSWERS, earlier).to_dict("records")
                name = {"team": student["team"], "submission": student["submission"]}
                given += expected_answers(asked, known, **name)
            prompt = llm_evaluator.evaluator_prompt(system["prompt"], [Path()])
            variants = answer_variants(given, asked, places, seed, scenarios)
            graded = graded_by_evaluator(given, variants, system["patterns"])
            calls = llm_evaluator.prepare(
                places, asked, graded, settings, prompt, **who, grade_from=system["grade_from"]
            )
        # Replay never sends; live would ask for what journals hold, too.
        journals = [] if system["mode"] == "live" else system["journals"]
        kept = [path for path in map(Path, journals) if path.is_file()]
        with session(settings, recorded=kept) as replay:
            print(f"{system['role']} {system['system']}: {describe(plan(replay, calls))}")


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            sections=snakemake.input.sections,
            questions=snakemake.input.questions,
            sentences=Path(snakemake.input.sentences),
            students=snakemake.params.students,
            systems=snakemake.params.systems,
            codes=snakemake.params.codes,
            scenarios=snakemake.params.scenarios,
            seed=snakemake.params.seed,
        )
