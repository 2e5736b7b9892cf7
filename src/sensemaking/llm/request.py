"""What a model is asked, and the key under which its reply is kept."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

from pydantic import BaseModel

from sensemaking.llm.characters import sendable
from sensemaking.llm.models import MODELS
from sensemaking.llm.settings import LOCAL, LanguageModel

Message = Mapping[str, str]
Schema = Mapping[str, Any] | type[BaseModel]

_FORMAT: Final = 1
"""Goes up when the key of a request is made in another way."""
_ROLES: Final = ("system", "developer", "user", "assistant")


@dataclass(frozen=True)
class Logprobs:
    """Which log-probabilities are asked for and kept.

    Attributes:
        top: Alternatives of a token, at most 20.
        at: A regular expression; alternatives are kept only for tokens in which it is found, and
            only those in which it is found. None for all of them.
    """

    top: int
    at: str | None = None


@dataclass(frozen=True)
class Request:
    """All that can change a reply. Two requests with the same key are the same request.

    Attributes:
        endpoint: What stands for the endpoint.
        model: The model's name there.
        revision: Version of its weights, or None.
        messages: Pairs of role and content.
        schema: JSON schema of the reply, as JSON in its own order, since that is the order in which
            properties are written; None for free text.
        schema_in_prompt: Whether the schema goes into the prompt from the start.
        temperature: Temperature, or None for the endpoint's own.
        top_p: Nucleus, or None for the endpoint's own.
        seed: Seed, or None.
        max_tokens: Most tokens of the reply.
        extra: Further parameters, as canonical JSON.
        logprobs: Log-probabilities asked for, or None.
        attempt: How often the same thing was asked before.
    """

    endpoint: str
    model: str
    revision: str | None
    messages: tuple[tuple[str, str], ...]
    schema: str | None
    schema_in_prompt: bool
    temperature: float | None
    top_p: float | None
    seed: int | None
    max_tokens: int
    extra: str
    logprobs: Logprobs | None
    attempt: int = 0

    @cached_property
    def key(self) -> str:
        """SHA-256 in hexadecimal of all of it."""
        content = {**self.as_json(), "schema": self.schema}
        return hashlib.sha256(_canonical(content).encode()).hexdigest()

    def as_json(self) -> dict[str, Any]:
        """Return the request as JSON holds it."""
        return {
            "format": _FORMAT,
            "endpoint": self.endpoint,
            "model": self.model,
            "revision": self.revision,
            "messages": [{"role": role, "content": text} for role, text in self.messages],
            "schema": None if self.schema is None else json.loads(self.schema),
            "schema_in_prompt": self.schema_in_prompt,
            "temperature": self.temperature,
            "top_p": self.top_p,
            "seed": self.seed,
            "max_tokens": self.max_tokens,
            "extra": json.loads(self.extra),
            "logprobs": None
            if self.logprobs is None
            else {"top": self.logprobs.top, "at": self.logprobs.at},
            "attempt": self.attempt,
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "Request":
        """Return the request that ``as_json`` gave.

        Raises:
            KeyError: Something is missing.
            TypeError: Something is of another type.
            ValueError: It is of another format.
        """
        if value["format"] != _FORMAT:
            raise ValueError(f"is of the format {value['format']!r}, expected {_FORMAT}")
        schema, logprobs = value["schema"], value["logprobs"]
        same = {
            name: value[name]
            for name in (
                *("endpoint", "model", "revision", "schema_in_prompt", "temperature", "top_p"),
                *("seed", "max_tokens", "attempt"),
            )
        }
        return cls(
            **same,
            messages=tuple((message["role"], message["content"]) for message in value["messages"]),
            schema=None if schema is None else _compact(schema),
            extra=_canonical(value["extra"]),
            logprobs=None if logprobs is None else Logprobs(logprobs["top"], logprobs["at"]),
        )

    def again(self, settings: LanguageModel, *, max_tokens: int) -> "Request":
        """Return the same request as the next attempt, which may bring another reply.

        Args:
            settings: The model's settings.
            max_tokens: Most tokens of the reply.
        """
        warmer = self.temperature
        if warmer is not None:
            warmer = max(warmer, settings.retry_temperature)
        seed = None if self.seed is None else self.seed + 1
        return replace(
            self,
            attempt=self.attempt + 1,
            max_tokens=max_tokens,
            temperature=warmer,
            seed=seed,
        )


def make_request(
    settings: LanguageModel,
    messages: Sequence[Message],
    schema: Schema | None = None,
    *,
    logprobs: bool = False,
    logprobs_at: str | None = None,
    max_tokens: int | None = None,
) -> Request:
    """Return the request of messages to a model.

    Args:
        settings: The model's settings.
        messages: ``role`` (system, developer, user, assistant) and ``content`` of each.
        schema: A pydantic model or a JSON schema that the reply must fit; None for free text.
        logprobs: Whether log-probabilities are asked for.
        logprobs_at: See ``Logprobs.at``.
        max_tokens: Most tokens of the reply; the settings' if None.

    Raises:
        TypeError: The messages are one text.
        ValueError: A message has no content or an unknown role.
    """
    if isinstance(messages, str):
        raise TypeError("messages must be a list of messages, found one text")
    if not messages:
        raise ValueError("there is no message; expected at least one")
    return Request(
        endpoint=settings.endpoint_name,
        model=settings.model,
        revision=_revision(settings),
        messages=tuple(_message(message) for message in messages),
        schema=None if schema is None else _compact(json_schema(schema)),
        schema_in_prompt=schema is not None and not settings.json_schema,
        temperature=settings.temperature,
        top_p=settings.top_p,
        seed=settings.seed,
        max_tokens=settings.max_tokens if max_tokens is None else max_tokens,
        extra=_canonical(settings.extra),
        logprobs=Logprobs(settings.top_logprobs, logprobs_at) if logprobs else None,
    )


def json_schema(schema: Schema) -> Mapping[str, Any]:
    """Return the JSON schema of a pydantic model, or the schema itself."""
    if isinstance(schema, Mapping):
        return schema
    return schema.model_json_schema()


def _revision(settings: LanguageModel) -> str | None:
    """Return the version of the weights; for a local model with the threads, if they are set.

    Sums that are made by another number of threads differ in their last digits, and so may replies.
    """
    revision = settings.revision
    if settings.base_url == LOCAL:
        if revision is None and settings.model in MODELS:
            revision = MODELS[settings.model].sha256
        if settings.threads is not None:
            revision = f"{revision or ''} threads={settings.threads}"
    return revision


def _message(message: Message) -> tuple[str, str]:
    role, content = message.get("role"), message.get("content")
    if role not in _ROLES:
        raise ValueError(f"a message has the role {role!r}; expected one of {', '.join(_ROLES)}")
    if not isinstance(content, str) or not content.strip():
        raise ValueError(f"the message of the role {role} has no text")
    return role, sendable(content)


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _canonical(value: Any) -> str:
    return json.dumps(
        value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
    )
