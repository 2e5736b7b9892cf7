"""Records the replies of the demo's language model: python tools/record_demo_journals.py RUN ROLE

RUN is the folder of a default run, ROLE is teacher, student or evaluator. Calls are chosen, so that
an hour on one core is enough, and asked for live; what is recorded already is not asked for again.
After each role run the pipeline again, since the next role reads what this one gave. The journals
lie in resources/demo/journals; resources/demo/README.md says which calls are chosen.
"""

import argparse
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import yaml

from sensemaking.asr.engines import EngineName
from sensemaking.baselines import llm_evaluator, llm_student, llm_teacher
from sensemaking.baselines.llm_choice import asked_of_student, fits_any, graded_by_evaluator
from sensemaking.config import Config, validate
from sensemaking.config_systems import System
from sensemaking.ids import GOLD
from sensemaking.io import artifacts
from sensemaking.llm.calls import Call, ask_all
from sensemaking.llm.stage import stage_session
from sensemaking.schemas import ANSWERS, QUESTIONS, SECTIONS

ROOT = Path(__file__).parents[1]
PROMPTS = [ROOT / "resources/prompts"]
JOURNALS = ROOT / "resources/demo/journals"
Rows = list[dict[str, Any]]


class Run:
    """A default run: its artifacts, all kinds together."""

    def __init__(self, folder: Path, config: Config) -> None:
        """Read sections, questions and answers."""
        self.folder = folder
        self.config = config
        self.sections = self.rows(SECTIONS, "materials/sections")
        # What a recogniser heard may be another text on another machine.
        self.sections = [
            row for row in self.sections if row["text_origin"] not in get_args(EngineName)
        ]
        self.questions = self.rows(QUESTIONS, "questions", but="adversarial")
        self.variants = self.rows(QUESTIONS, "questions/adversarial")
        self.answers = self.rows(ANSWERS, "answers", but="adversarial")
        self.scenarios = self.rows(ANSWERS, "answers/adversarial")

    def rows(self, artifact: Any, stage: str, *, but: str = "") -> Rows:
        """Return the rows of all shards of a stage."""
        paths = sorted((self.folder / "results" / stage).glob("**/*.parquet"))
        kept = [path for path in paths if not but or path.parent.name not in (but, "original")]
        return artifacts.read(artifact, kept).to_dict("records")


def teacher_calls(run: Run, system: System) -> list[Call]:
    """Return the calls of the Teacher: one for each section."""
    return llm_teacher.prepare(
        run.sections,
        run.config.llm.model_of(str(system.language_model)),
        llm_teacher.teacher_prompt("teacher", PROMPTS),
        team=system.team_name,
        submission=system.submission,
        number=system.questions_per_section,
        span_words=system.span_words,
        answers=system.answers_per_question,
    )


def student_calls(run: Run, system: System) -> list[Call]:
    """Return the chosen calls of the Student.

    Everywhere the expert set; where there are adversarial variants, those of the expert set and
    the model's own set.
    """
    patterns = system.adversarial_sections
    own = {one.team_name for one in _played(run.config, "teacher")}
    genuine = [
        row
        for row in run.questions
        if row["teacher"] == GOLD
        or (row["teacher"] in own and fits_any(row["section_id"], patterns))
    ]
    variants = [row for row in run.variants if row["teacher"] == GOLD]
    return llm_student.prepare(
        run.sections,
        asked_of_student(genuine, variants, patterns),
        run.config.llm.model_of(str(system.language_model)),
        llm_student.student_prompt("student", PROMPTS),
        team=system.team_name,
        submission=system.submission,
    )


def evaluator_calls(run: Run, system: System) -> list[Call]:
    """Return the chosen calls of the Evaluator.

    Where there are adversarial variants, the experts' and the model's own answers to the expert
    set, and the variants of the model's; elsewhere the model's own answers alone.
    """
    patterns = system.adversarial_sections
    gold = {row["question_id"] for row in run.questions if row["teacher"] == GOLD}
    own = {one.team_name for one in _played(run.config, "student")}
    answers = [
        row
        for row in run.answers
        if row["question_id"] in gold
        and (
            row["student"] in own
            or (row["student"] == GOLD and fits_any(row["shown_section_id"], patterns))
        )
    ]
    scenarios = [
        row for row in run.scenarios if row["question_id"] in gold and row["student"] in own
    ]
    return llm_evaluator.prepare(
        run.sections,
        run.questions,
        graded_by_evaluator(answers, scenarios, system.adversarial_sections),
        run.config.llm.model_of(str(system.language_model)),
        llm_evaluator.evaluator_prompt("evaluator", PROMPTS),
        team=system.team_name,
        submission=system.submission,
        grade_from=system.grade_from,
    )


CALLS: dict[str, Callable[[Run, System], list[Call]]] = {
    "teacher": teacher_calls,
    "student": student_calls,
    "evaluator": evaluator_calls,
}


def _played(config: Config, role: str) -> list[System]:
    return [system for system in config.of_role(role) if system.language_model is not None]


def main() -> None:
    """Record the replies to the chosen calls of a role."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("run", type=Path, help="folder of a default run")
    parser.add_argument("role", choices=CALLS)
    parser.add_argument("--genuine", action="store_true", help="leave out adversarial variants")
    parser.add_argument("--count", action="store_true", help="only count the calls")
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    config = validate(yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8")))
    run = Run(options.run, config)
    for system in _played(config, options.role):
        if options.genuine:
            system = system.model_copy(update={"adversarial_sections": []})
        # Calls about one section in a row, so that its text is read once; those with adversarial
        # variants first, in case there is no time for all.
        calls = sorted(
            CALLS[options.role](run, system),
            key=lambda call: (
                not fits_any(call.section_id, system.adversarial_sections),
                call.section_id,
            ),
        )
        print(f"{system.id}: {len(calls)} calls")
        if options.count:
            continue
        choices = {
            "model": config.llm.model_of(str(system.language_model)).model_dump(mode="json"),
            "mode": "live-missing",
            "strict": False,
        }
        journal = JOURNALS / options.role / f"{system.id}.jsonl"
        with stage_session(choices, journal, []) as session:
            ask_all(session, calls)


if __name__ == "__main__":
    main()
