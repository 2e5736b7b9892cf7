"""The part of the configuration about the systems that are evaluated."""

from typing import Final, Literal

from pydantic import Field, model_validator

from sensemaking.config_types import Model, Name, Place, Text
from sensemaking.ids import PRIMARY, check_name, question_set_name

BASELINE_ENGINES: Final = {
    "cloze": "teacher",
    "lead": "teacher",
    "best-sentence": "student",
    "lead-sentence": "student",
    "overlap": "evaluator",
}
"""Programmatic engine to the role that it plays."""

LLM: Final = "llm"
"""Engine of a system that a language model plays."""

MATERIALS: Final = "materials"
"""Engine of a Teacher whose question sets lie in the materials folder."""

SUBMITTED: Final = "submitted"
"""Engine of a system whose output lies in the submissions folder."""

RESERVED_SYSTEMS: Final = ("materials", "original", "gold", "reference", "adversarial")
"""Names that stand beside those of systems in paths and ids."""

_KEYS_OF_LLM: Final = {
    "teacher": frozenset({"language_model", "prompt", "span_words", "answers_per_question"}),
    "student": frozenset({"language_model", "prompt", "adversarial_sections"}),
    "evaluator": frozenset({"language_model", "prompt", "adversarial_sections", "grade_from"}),
}


class System(Model):
    """A Teacher, Student or Evaluator whose output is evaluated."""

    id: Name = Field(description="Name of the system, unique over all roles.")
    role: Literal["teacher", "student", "evaluator"] = Field(description="Its track.")
    label: Text = Field(default="", description="Name to show in tables; the id if empty.")
    team: Text = Field(default="", description="Team, as in file names and ids; the id if empty.")
    submission: Name = Field(default=PRIMARY, description="The team's submission.")
    engine: str = Field(
        description="What makes its output: llm for a language model, a program (cloze, lead for "
        "teachers; best-sentence, lead-sentence for students; overlap for evaluators), materials "
        "for a Teacher whose question sets lie in the materials folder, or submitted for what "
        "lies in the submissions folder. Submissions need no entry here; one gives them a label."
    )
    questions_per_section: int = Field(
        default=8,
        ge=1,
        le=1000,
        description="Teacher baselines: how many questions a section gets.",
    )
    language_model: Name | None = Field(
        default=None, description="llm: the model, an id in llm.models."
    )
    prompt: Place | None = Field(
        default=None,
        description="llm: name of a prompt in resources/prompts, or path of a file of your own "
        "that ends in .md; null for that of the role.",
    )
    span_words: int = Field(
        default=50, ge=1, description="llm, teachers: words of the spans that are asked about."
    )
    answers_per_question: int = Field(
        default=5, ge=1, le=20, description="llm, teachers: answers to a question."
    )
    adversarial_sections: list[Name] = Field(
        default=["*"],
        description="llm, students and evaluators: patterns with * and ? of the sections, such as "
        "popular/*, whose adversarial variants they get too. Empty for none.",
    )
    grade_from: Literal["expected", "reply"] = Field(
        default="expected",
        description="llm, evaluators: the mean grade under the model's probabilities, for which "
        "the endpoint must give log-probabilities, or the grade in the reply.",
    )
    published_label: Name | None = Field(
        default=None, description="Its name among published figures, to show them beside its own."
    )

    @model_validator(mode="after")
    def _ids_can_hold_the_names(self) -> "System":
        check_name("system", self.id)
        check_name("team", self.team_name)
        check_name("submission", self.submission)
        if self.role == "teacher":
            question_set_name(self.team_name, self.submission)
        return self

    @model_validator(mode="after")
    def _engine_fits_role(self) -> "System":
        if self.engine == MATERIALS:
            if self.role != "teacher":
                raise ValueError("the engine materials is for teachers")
        elif self.engine not in (SUBMITTED, LLM) and BASELINE_ENGINES.get(self.engine) != self.role:
            known = [name for name, role in BASELINE_ENGINES.items() if role == self.role]
            raise ValueError(
                f"{self.engine!r} is no engine for a {self.role}; known: {', '.join(known)}"
                + (f", {MATERIALS}" if self.role == "teacher" else "")
                + f", {LLM}, {SUBMITTED}"
            )
        return self

    @model_validator(mode="after")
    def _keys_fit_the_engine(self) -> "System":
        allowed = _KEYS_OF_LLM[self.role] if self.engine == LLM else frozenset[str]()
        others = frozenset[str]().union(*_KEYS_OF_LLM.values()) - allowed
        foreign = sorted(self.model_fields_set & others)
        if foreign:
            raise ValueError(
                f"{', '.join(foreign)}: no key of a {self.role} with the engine {self.engine}"
            )
        if self.engine == LLM and self.language_model is None:
            raise ValueError("language_model: is missing; it names one of llm.models")
        return self

    @property
    def team_name(self) -> str:
        """The team, as in ids."""
        return self.team or self.id

    @property
    def shown(self) -> str:
        """The name to show."""
        return self.label or self.id

    @property
    def is_program(self) -> bool:
        """Whether a program without a model makes its output."""
        return self.engine in BASELINE_ENGINES
