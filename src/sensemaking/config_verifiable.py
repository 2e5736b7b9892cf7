"""The configuration of the verifiable evaluation: data sets with a known truth, and judges."""

import math
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field, model_validator

from sensemaking.config_types import Finite, Model, Name, Place, Text, check_unique
from sensemaking.ids import check_name, unique_slugs

SEED = 20260923
DOCUMENTS = 6
SUMMARIES = 12
"""Those of the generator, which is not imported: each job reads the configuration first."""

JURY = "jury"
"""The mean of the model judges of a data set, which is a judge too."""

ASKING_ENGINES = frozenset({"llm", "pointwise"})
"""Engines that ask a language model of the configuration."""

MODEL_ENGINES = frozenset({"recorded", *ASKING_ENGINES})
"""Engines whose answers come from a model: the jury pools these and no others."""

Probability = Annotated[float, Field(ge=0, le=1, strict=False, allow_inf_nan=False)]
Clip = Annotated[float, Field(ge=0, lt=0.5, strict=False, allow_inf_nan=False)]
NotNegative = Annotated[float, Field(ge=0, strict=False, allow_inf_nan=False)]

_KEYS_OF_SOURCES = {
    "generated": frozenset({"documents", "summaries", "seed"}),
    "recorded": frozenset({"path"}),
}
_KEYS_OF_ENGINES = {
    "facts": frozenset[str](),
    "length": frozenset[str](),
    "overlap": frozenset[str](),
    "noisy": frozenset({"error", "position", "seed"}),
    "recorded": frozenset({"answers", "cost_usd", "published_label"}),
    "llm": frozenset({"language_model", "prompt", "answer_from"}),
    "pointwise": frozenset({"language_model", "prompt"}),
}
_PROMPTS = {"llm": "pairwise", "pointwise": "pointwise"}


class DataSet(Model):
    """A data set of documents with summaries whose facts and errors are counted."""

    id: Name = Field(description="Name of the data set; it is part of every key.")
    label: Text = Field(default="", description="Name to show; the id if empty.")
    source: Literal["generated", "recorded"] = Field(
        description="generated makes reports and summaries from a seed; recorded reads a file."
    )
    documents: int = Field(
        default=DOCUMENTS, ge=1, le=10_000, description="generated: how many reports."
    )
    summaries: int = Field(
        default=SUMMARIES,
        description="generated: summaries of a report, 12 and no other number, since they mention "
        "5, 6, … 16 of its facts.",
    )
    seed: int = Field(default=SEED, ge=0, description="generated: the seed of all texts.")
    path: Place | None = Field(
        default=None,
        description="recorded: a CSV of counts (doc, id, n_mentioned, n_wrong), to which only "
        "recorded judges apply, or a JSON file of reports and summaries, which is recounted. A "
        "relative path is looked for below the working directory first, then below the folder of "
        "the Snakefile.",
    )

    @model_validator(mode="after")
    def _keys_fit_the_source(self) -> "DataSet":
        check_name("data set", self.id)
        _check_keys(self, "source", self.source, _KEYS_OF_SOURCES)
        if self.summaries != SUMMARIES:
            raise ValueError(
                f"summaries is {self.summaries}; a report has {SUMMARIES}, which mention 5 to 16 "
                f"of its facts, each number once; leave it at {SUMMARIES}"
            )
        if self.source == "recorded" and self.path is None:
            raise ValueError("path: is missing; it names the file of counts or of texts")
        return self

    @property
    def shown(self) -> str:
        """The name to show."""
        return self.label or self.id

    @property
    def has_texts(self) -> bool:
        """Whether there is something to read, so that not only recorded judges apply."""
        return self.path is None or self.path.casefold().endswith(".json")


class PairJudge(Model):
    """A judge of all pairs of summaries of a data set, asked in both orders."""

    id: Name = Field(description="Name of the judge, unique in its data set.")
    label: Text = Field(default="", description="Name to show in tables; the id if empty.")
    dataset: Name = Field(description="The data set that it judges.")
    engine: Literal["facts", "length", "overlap", "noisy", "recorded", "llm", "pointwise"] = Field(
        description="facts counts sentences that the report holds, length prefers the longer, "
        "overlap the one that shares more words, noisy is facts with known errors, recorded reads "
        "the answers of a model from a file, llm shows a language model two summaries at a time, "
        "pointwise lets it count the facts and errors of one."
    )
    error: Probability = Field(
        default=0.1,
        description="noisy: probability that an answer is turned round, to a thousandth.",
    )
    position: Finite = Field(
        default=0.5,
        description="noisy: log-odds added for what is shown first; negative for the second.",
    )
    seed: Annotated[int, Field(ge=0)] | None = Field(
        default=None, description="noisy: seed of its errors; that of the run if null."
    )
    answers: Place | None = Field(
        default=None,
        description="recorded: CSV of its answers (doc, dim, a, b, q_ab, q_ba), found as the path "
        "of a data set is.",
    )
    cost_usd: NotNegative | None = Field(
        default=None, description="recorded: what all its answers cost in US dollars, if known."
    )
    language_model: Name | None = Field(
        default=None, description="llm, pointwise: the model, an id in llm.models."
    )
    prompt: Place | None = Field(
        default=None,
        description="llm, pointwise: name of a prompt in resources/prompts, or path of a file of "
        "your own that ends in .md; null for pairwise, or pointwise.",
    )
    answer_from: Literal["logprobs", "reply"] = Field(
        default="logprobs",
        description="llm: the probability of the first summary by the log-probabilities of the "
        "letter, for which the endpoint must give them, or the letter itself, 1 or 0.",
    )
    published_label: Name | None = Field(
        default=None,
        description="recorded: its name among published figures of the same data set, to show "
        "them beside its own.",
    )

    @model_validator(mode="after")
    def _keys_fit_the_engine(self) -> "PairJudge":
        check_name("judge", self.id)
        _check_keys(self, "engine", self.engine, _KEYS_OF_ENGINES)
        if self.engine == "recorded" and self.answers is None:
            raise ValueError("answers: is missing; it names the CSV of the judge's answers")
        if self.engine in ASKING_ENGINES and self.language_model is None:
            raise ValueError("language_model: is missing; it names one of llm.models")
        return self

    @property
    def settings(self) -> dict[str, Any]:
        """How its answers are made or read, as plain values."""
        return self.model_dump(
            include={"id", "engine", "error", "position", "seed", "answers", "answer_from"}
        )

    @property
    def prompt_name(self) -> str:
        """The prompt of a judge that asks a language model."""
        return self.prompt or _PROMPTS[self.engine]

    @property
    def shard(self) -> str:
        """What its replies are filed under, together with its data set."""
        return f"{self.dataset} {self.id}"

    @property
    def shown(self) -> str:
        """The name to show."""
        return self.label or self.id


class ShownJudge(NamedTuple):
    """A judge as a row of tables.

    Attributes:
        dataset: Its data set.
        dataset_label: The name of that to show.
        judge: The judge.
        label: Its name to show.
        engine: What it answers by.
        cost_usd: What its answers cost in US dollars; None if that is not known.
        published_label: Its name among published figures, or None.
    """

    dataset: str
    dataset_label: str
    judge: str
    label: str
    engine: str
    cost_usd: float | None
    published_label: str | None


class Verifiable(Model):
    """The verifiable evaluation of judges."""

    datasets: list[DataSet] = Field(
        default=[], description="The data sets. Judges of different ones are never pooled."
    )
    judges: list[PairJudge] = Field(
        default=[],
        description="The judges. With two or more of a model in a data set, their jury is one too.",
    )
    convention: Literal["default", "published"] = Field(
        default="default",
        description="default counts an undecided answer as half right and each pair in both "
        "orientations; published reproduces the page that the printed figures come from.",
    )
    clip: Clip = Field(
        default=1e-3, description="PKPD: probabilities are clipped to [clip, 1 - clip]."
    )
    prior: NotNegative = Field(
        default=0.0, description="Bradley-Terry: wins added both ways to each pair that was asked."
    )

    @model_validator(mode="after")
    def _names_agree(self) -> "Verifiable":
        try:
            unique_slugs([dataset.id for dataset in self.datasets])
        except ValueError as error:
            raise ValueError(f"datasets: {error}") from None
        texts = {dataset.id: dataset.has_texts for dataset in self.datasets}
        check_unique("judges", [judge.shard for judge in self.judges])
        try:
            unique_slugs([judge.shard for judge in self.asking])
        except ValueError as error:
            raise ValueError(f"judges: {error}") from None
        for judge in self.judges:
            if judge.id.casefold() == JURY:
                raise ValueError(f"judges: {judge.id!r} is the name of the pooled judges")
            if judge.dataset not in texts:
                raise ValueError(
                    f"judges: {judge.id!r} judges the data set {judge.dataset!r}; expected one "
                    f"of: {', '.join(texts) or 'none is configured'}"
                )
            if judge.engine != "recorded" and not texts[judge.dataset]:
                raise ValueError(
                    f"judges: {judge.id!r} reads texts, and the data set {judge.dataset!r} has "
                    "none; only the engine recorded applies to it"
                )
        return self

    def judges_of(self, dataset: str) -> list[PairJudge]:
        """Return the judges of a data set in the order of the file."""
        return [judge for judge in self.judges if judge.dataset == dataset]

    @property
    def asking(self) -> list[PairJudge]:
        """The judges that ask a language model, in the order of the file."""
        return [judge for judge in self.judges if judge.engine in ASKING_ENGINES]

    def jury_of(self, dataset: str) -> list[PairJudge]:
        """Return the model judges that a data set's jury pools; none if there is no jury.

        A jury of one would be that judge again.
        """
        members = [judge for judge in self.judges_of(dataset) if judge.engine in MODEL_ENGINES]
        return members if len(members) > 1 else []

    def shown_judges(self) -> list[ShownJudge]:
        """Return all judges in table order: by data set, the jury last."""
        shown = []
        for dataset in self.datasets:
            shown += [_shown(dataset, judge) for judge in self.judges_of(dataset.id)]
            members = self.jury_of(dataset.id)
            if members:
                costs = [judge.cost_usd for judge in members]
                known = [cost for cost in costs if cost is not None]
                shown.append(
                    ShownJudge(
                        dataset=dataset.id,
                        dataset_label=dataset.shown,
                        judge=JURY,
                        label=f"jury of {len(members)}",
                        engine=JURY,
                        cost_usd=math.fsum(known) if len(known) == len(costs) else None,
                        published_label=None,
                    )
                )
        return shown


def _shown(dataset: DataSet, judge: PairJudge) -> ShownJudge:
    return ShownJudge(
        dataset=dataset.id,
        dataset_label=dataset.shown,
        judge=judge.id,
        label=judge.shown,
        engine=judge.engine,
        # A program asks no model.
        cost_usd=judge.cost_usd if judge.engine in MODEL_ENGINES else 0.0,
        published_label=judge.published_label,
    )


def _check_keys(model: Model, what: str, chosen: str, keys: dict[str, frozenset[str]]) -> None:
    """Refuse keys that belong to another source or engine than the chosen one."""
    others = frozenset[str]().union(*keys.values()) - keys[chosen]
    foreign = sorted(model.model_fields_set & others)
    if foreign:
        raise ValueError(f"{', '.join(foreign)}: no key of the {what} {chosen}")
