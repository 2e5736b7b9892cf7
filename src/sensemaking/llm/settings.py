"""The settings of a language model: which one, where, how it samples, and what it costs."""

import ipaddress
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, ConfigDict, Field, model_validator

from sensemaking.config_types import Finite, Model, Name

LOCAL = "local"
"""``base_url`` of a model that runs in the process that asks it."""

Mode = Literal["replay", "live-missing", "live"]

_RESERVED = frozenset(
    {
        *("model", "messages", "response_format", "stream", "n", "logprobs", "top_logprobs"),
        *("temperature", "top_p", "seed", "max_tokens", "max_completion_tokens"),
    }
)
_SECRET = ("key", "token", "secret", "password", "authorization")


def _without_slash(url: str) -> str:
    return url.strip().rstrip("/")


def _names_in(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield str(name)
            yield from _names_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _names_in(inner)


class Price(Model):
    """What an endpoint charges."""

    input_per_million: Finite = Field(ge=0, description="Price of a million tokens of prompts.")
    output_per_million: Finite = Field(ge=0, description="Price of a million tokens of replies.")
    currency: str = Field(default="USD", min_length=1, description="Currency of both.")


class LanguageModel(Model):
    """A language model behind an OpenAI-compatible endpoint."""

    # What was given may hold a secret in the wrong place, so errors do not repeat it.
    model_config = ConfigDict(hide_input_in_errors=True)

    id: Name = Field(description="Name by which the configuration refers to it.")
    model: str = Field(
        min_length=1,
        description="Its name at the endpoint; for local, qwen2.5-coder-1.5b or smollm2-135m.",
    )
    base_url: Annotated[str, AfterValidator(_without_slash)] = Field(
        default="https://api.openai.com/v1",
        description="Address of the endpoint, up to and with /v1, or local for a model that runs "
        "in the job itself.",
    )
    api_key_env: str | None = Field(
        default="OPENAI_API_KEY",
        description="Environment variable that holds the key; null for an endpoint that needs "
        "none. The key itself never stands in a configuration.",
    )
    endpoint: str | None = Field(
        default=None,
        min_length=1,
        description="Name that stands for the endpoint in journals. Null for the address, where "
        "all ports of this machine are one endpoint, local.",
    )
    revision: str | None = Field(
        default=None,
        description="Version of the weights, where the name alone does not fix them; part of what "
        "a reply is kept under.",
    )
    temperature: Finite | None = Field(
        default=0.0, ge=0, le=2, description="Temperature; null for the endpoint's own."
    )
    top_p: Finite | None = Field(
        default=None, gt=0, le=1, description="Nucleus; null for the endpoint's own."
    )
    seed: int | None = Field(
        default=None, ge=0, le=2**31 - 1, description="Seed of the sampling, if it knows one."
    )
    max_tokens: int = Field(
        default=2048, ge=1, description="Most tokens of a reply, hidden reasoning included."
    )
    context_tokens: int = Field(
        default=8192, ge=256, description="Tokens of prompt and reply that the model can hold."
    )
    margin: Finite = Field(
        default=0.1,
        ge=0,
        lt=1,
        description="Share of the context that is left free, since tokens are only estimated.",
    )
    top_logprobs: int = Field(
        default=20, ge=0, le=20, description="Alternatives of a token, where they are asked for."
    )
    json_schema: bool = Field(
        default=True,
        description="Whether the endpoint holds replies to a JSON schema; if not, the schema "
        "stands in the prompt.",
    )
    extra: dict[str, Any] = Field(
        default={}, description="Further parameters of a request, such as reasoning_effort."
    )
    attempts: int = Field(
        default=2,
        ge=1,
        le=10,
        description="How often an item is asked for in all while its reply cannot be used "
        "(cut, refused, empty, unreadable, other items).",
    )
    retry_temperature: Finite = Field(
        default=0.5,
        ge=0,
        le=2,
        description="Least temperature of the attempts after the first, which at 0 would bring "
        "the same reply. Without effect where temperature is null.",
    )
    tries: int = Field(
        default=6,
        ge=1,
        le=50,
        description="How often a call is sent in all while the endpoint is busy, fails or does "
        "not answer.",
    )
    first_wait_s: Finite = Field(
        default=1.0, ge=0, description="Seconds before the second try; each wait doubles."
    )
    longest_wait_s: Finite = Field(
        default=60.0,
        ge=0,
        description="Most seconds of a wait, even if the endpoint asks for more.",
    )
    timeout_s: Finite = Field(
        default=300.0, gt=0, description="Seconds without a sign of life until a call has failed."
    )
    concurrency: int = Field(default=4, ge=1, le=256, description="Calls at the same time.")
    stop_after: int = Field(
        default=20,
        ge=1,
        description="Failed calls in a row, with all their tries, after which the job stops.",
    )
    threads: int | None = Field(
        default=None,
        ge=1,
        description="Threads of a local model; null for all there are. They may change replies, so "
        "a number is part of what a reply is kept under.",
    )
    price: Price | None = Field(default=None, description="What it costs; null if unknown.")

    @model_validator(mode="after")
    def _address_is_safe(self) -> "LanguageModel":
        if self.base_url == LOCAL:
            return self
        parts = urlsplit(self.base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(
                f"base_url of {self.id!r} is no address; expected {LOCAL} or https://…/v1"
            )
        if parts.username or parts.password or parts.query or parts.fragment:
            # The address is not repeated here, since it may hold a key.
            raise ValueError(
                f"base_url of {self.id!r} holds a user name, a query or a fragment; give the bare "
                "address and put the key into the environment (api_key_env)"
            )
        if parts.scheme == "http" and self.api_key_env and not self.on_this_machine:
            raise ValueError(
                f"base_url of {self.id!r} is http:// on another machine, which would send the key "
                "unencrypted; use https://, or api_key_env: null if it needs no key"
            )
        return self

    @model_validator(mode="after")
    def _extra_is_extra(self) -> "LanguageModel":
        for name in self.extra:
            if name in _RESERVED:
                raise ValueError(f"extra.{name} of {self.id!r}: it has a key of its own")
        for name in _names_in(self.extra):
            if any(part in _SECRET for part in name.casefold().replace("-", "_").split("_")):
                raise ValueError(
                    f"{name} in extra of {self.id!r} looks like a secret, which would be stored "
                    "with each reply; put it into the environment (api_key_env)"
                )
        return self

    @model_validator(mode="after")
    def _reply_fits(self) -> "LanguageModel":
        if self.max_tokens >= self.usable_tokens:
            raise ValueError(
                f"max_tokens of {self.id!r} is {self.max_tokens}, which leaves no room for a "
                f"prompt in {self.usable_tokens} usable tokens; lower it or raise context_tokens"
            )
        return self

    @property
    def on_this_machine(self) -> bool:
        """Whether the endpoint is this machine."""
        if self.base_url == LOCAL:
            return True
        host = urlsplit(self.base_url).hostname or ""
        if host == "localhost":
            return True
        try:
            return ipaddress.ip_address(host).is_loopback
        except ValueError:
            return False

    @property
    def endpoint_name(self) -> str:
        """What stands for the endpoint in keys: ports of this machine differ from run to run."""
        if self.endpoint is not None:
            return self.endpoint
        if self.on_this_machine:
            return LOCAL
        parts = urlsplit(self.base_url)
        return f"{parts.netloc}{parts.path}"

    @property
    def usable_tokens(self) -> int:
        """Tokens of the context without the margin."""
        return int(self.context_tokens * (1 - self.margin))
