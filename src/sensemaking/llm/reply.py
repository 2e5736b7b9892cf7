"""What a model replied, and what can be said of it before it is parsed."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

from sensemaking.io.replies import Json, parse_json
from sensemaking.llm.characters import sendable
from sensemaking.llm.request import Logprobs
from sensemaking.llm.statuses import (
    CONTENT_FILTER,
    EMPTY_REPLY,
    REFUSAL,
    TRUNCATED,
    UNREADABLE,
)
from sensemaking.statuses import OK

FROM_REASONING: Final = "from_reasoning"
"""Note: the content was empty, and the JSON stood in the field of the reasoning."""

WHOLE_AT_LIMIT: Final = "whole_at_limit"
"""Note: the limit was reached, but the JSON is whole."""

PROMPT_LOOKS_CUT: Final = "prompt_tokens_low"
"""Note: the endpoint counted far fewer tokens than the prompt can have; it may have cut it."""

_CUT: Final = frozenset({"length", "max_tokens", "model_length", "max_output_tokens"})
_FILTERED: Final = frozenset({"content_filter", "safety", "blocklist", "prohibited_content"})
_THOUGHT: Final = re.compile(
    r"^\s*<(think|thinking|reasoning)>.*?</\1>\s*", re.DOTALL | re.IGNORECASE
)
_OPEN_THOUGHT: Final = re.compile(r"^\s*<(?:think|thinking|reasoning)>", re.IGNORECASE)
_CLOSED_THOUGHT: Final = re.compile(
    r"^.*</(?:think|thinking|reasoning)>\s*(?=[\[{`])", re.DOTALL | re.IGNORECASE
)
_THOUGHT_PARTS: Final = ("reasoning", "thinking")
_BYTES_PER_TOKEN_AT_MOST: Final = 12


class Alternative(NamedTuple):
    """A token that might have stood in a place, with its natural log-probability."""

    token: str
    logprob: float


@dataclass(frozen=True)
class Token:
    """A token of a reply.

    Attributes:
        token: Its text.
        logprob: Its natural log-probability; None where the endpoint gave none.
        alternatives: The likeliest tokens in its place, itself among them, as the endpoint gave
            them.
    """

    token: str
    logprob: float | None
    alternatives: tuple[Alternative, ...] = ()


@dataclass(frozen=True)
class Usage:
    """Tokens as the endpoint counted them; None where it did not say."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    reasoning_tokens: int | None = None
    cached_tokens: int | None = None


@dataclass(frozen=True)
class Reply:
    """A reply, or why there is none.

    Attributes:
        key: Key of the request that it belongs to.
        status: ``ok``, or why it cannot be used, a word of ``sensemaking.llm.statuses``.
        content: The content, raw; None if there was none.
        refusal: The model's refusal, where it has a field of its own.
        reasoning: Hidden reasoning, where the endpoint shows it.
        finish_reason: Why the model stopped, in the endpoint's words.
        model: The model's name in the endpoint's words.
        tokens: The tokens with their log-probabilities, where they were asked for.
        usage: Tokens used.
        seconds: How long the call took, waits between tries left out; 0 where none was made.
        parameters: What was really sent, messages left out: parameters that the endpoint refused
            are not among them.
        notes: What is worth knowing: refused parameters, JSON from elsewhere.
        message: What the endpoint said of a failed call.
        attempt: Number of the attempt that brought it, from 0.
        expects_json: Whether a JSON value was asked for.
        at: When the journal got it, in UTC; None if it is in none.
    """

    key: str
    status: str
    content: str | None = None
    refusal: str | None = None
    reasoning: str | None = None
    finish_reason: str | None = None
    model: str | None = None
    tokens: tuple[Token, ...] | None = None
    usage: Usage = Usage()
    seconds: float = 0.0
    parameters: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    message: str | None = None
    attempt: int = 0
    expects_json: bool = False
    at: str | None = None

    @property
    def ok(self) -> bool:
        """Whether it can be used."""
        return self.status == OK

    @property
    def text(self) -> str | None:
        """The content without a thought before it; None unless ``ok``."""
        return _without_thought(self.content) if self.ok and self.content is not None else None

    @property
    def data(self) -> Json:
        """The JSON value in the reply; None unless ``ok``, and where none was asked for."""
        return self._json() if self.ok and self.expects_json else None

    def _json(self) -> Json:
        found = read_value(self.content)
        return read_value(self.reasoning) if FROM_REASONING in self.notes else found


class _Said(NamedTuple):
    content: str | None
    refusal: str | None
    reasoning: str | None


def read_value(content: str | None) -> Json:
    """Return the JSON value in a content, thoughts in front of it passed over, or None."""
    found = parse_json(content)
    if found is not None or content is None or _OPEN_THOUGHT.match(content):
        return found
    # Some templates open the thought in the prompt, so that only its end stands in the reply.
    rest = _CLOSED_THOUGHT.sub("", content, count=1)
    return parse_json(rest) if rest != content else None


def is_response(body: Any) -> bool:
    """Tell whether a body is a response of the protocol: an object with a choice."""
    choices = body.get("choices") if isinstance(body, Mapping) else None
    return isinstance(choices, list) and bool(choices) and isinstance(choices[0], Mapping)


def read_reply(
    body: Mapping[str, Any],
    key: str,
    *,
    expects_json: bool,
    logprobs: Logprobs | None,
    prompt_bytes: int,
    parameters: Mapping[str, Any],
    notes: Sequence[str] = (),
    seconds: float = 0.0,
    attempt: int = 0,
) -> Reply:
    """Return the reply in the body of a response.

    ``finish_reason`` is looked at before the content. A reply that was cut counts only if JSON
    was asked for and is whole.

    Args:
        body: The body, for which ``is_response`` holds.
        key: Key of the request.
        expects_json: Whether a JSON value was asked for.
        logprobs: Log-probabilities that were asked for.
        prompt_bytes: Bytes of the prompt in UTF-8.
        parameters: What was sent.
        notes: What happened on the way.
        seconds: How long the call took.
        attempt: Number of the attempt.
    """
    choice = body["choices"][0]
    said = _said(choice)
    usage = _usage(body.get("usage"))
    if usage.prompt_tokens and usage.prompt_tokens * _BYTES_PER_TOKEN_AT_MOST < prompt_bytes:
        notes = (*notes, PROMPT_LOOKS_CUT)
    return judged(
        Reply(
            key=key,
            status=OK,
            content=said.content,
            refusal=said.refusal,
            reasoning=said.reasoning,
            finish_reason=_text(choice.get("finish_reason")),
            model=_text(body.get("model")),
            tokens=None if logprobs is None else _tokens(choice.get("logprobs"), logprobs.at),
            usage=usage,
            seconds=seconds,
            parameters=dict(parameters),
            notes=tuple(notes),
            attempt=attempt,
            expects_json=expects_json,
        )
    )


def judged(reply: Reply) -> Reply:
    """Return a reply with the status that its fields give it, whatever it had before.

    Journals keep what came; whether it can be used is said anew each time.
    """
    said = _Said(reply.content, reply.refusal, reply.reasoning)
    status, more = _state(said, reply.finish_reason, reply.expects_json)
    kept = [note for note in reply.notes if note not in (FROM_REASONING, WHOLE_AT_LIMIT)]
    return replace(reply, status=status, notes=(*kept, *more))


def _state(
    said: _Said, finish_reason: str | None, expects_json: bool
) -> tuple[str, tuple[str, ...]]:
    """Return the status of a reply and notes on it."""
    reason = (finish_reason or "").casefold()
    if said.refusal is not None and said.refusal.strip():
        return REFUSAL, ()
    if reason in _FILTERED:
        return CONTENT_FILTER, ()
    blank = said.content is None or not said.content.strip()
    if reason in _CUT:
        # A number alone may have lost digits.
        whole = expects_json and isinstance(read_value(said.content), dict | list)
        return (OK, (WHOLE_AT_LIMIT,)) if whole else (TRUNCATED, ())
    if blank:
        if expects_json and isinstance(read_value(said.reasoning), dict | list):
            return OK, (FROM_REASONING,)
        return EMPTY_REPLY, ()
    if expects_json:
        return (OK, ()) if read_value(said.content) is not None else (UNREADABLE, ())
    text = _without_thought(said.content or "")
    return (OK, ()) if text else (EMPTY_REPLY, ())


def _without_thought(content: str) -> str:
    text = _THOUGHT.sub("", content, count=1)
    if _OPEN_THOUGHT.match(text):
        return ""
    return text.strip()


def _said(choice: Mapping[str, Any]) -> _Said:
    message = choice.get("message")
    if not isinstance(message, Mapping):
        return _Said(_text(choice.get("text")), None, None)
    content, refusal = message.get("content"), _text(message.get("refusal"))
    if isinstance(content, list):
        parts = [
            part
            for part in content
            if isinstance(part, Mapping) and part.get("type") not in _THOUGHT_PARTS
        ]
        texts = [part["text"] for part in parts if isinstance(part.get("text"), str)]
        refused = [part["refusal"] for part in parts if isinstance(part.get("refusal"), str)]
        content = "".join(texts) if texts else None
        refusal = refusal or ("".join(refused) or None)
    reasoning = _text(message.get("reasoning_content")) or _text(message.get("reasoning"))
    return _Said(_text(content), refusal, reasoning)


def _text(value: Any) -> str | None:
    return sendable(value) if isinstance(value, str) else None


def _usage(value: Any) -> Usage:
    if not isinstance(value, Mapping):
        return Usage()
    prompt, completion = value.get("prompt_tokens_details"), value.get("completion_tokens_details")
    return Usage(
        _count(value, "prompt_tokens"),
        _count(value, "completion_tokens"),
        _count(completion, "reasoning_tokens"),
        _count(prompt, "cached_tokens"),
    )


def _count(value: Any, name: str) -> int | None:
    found = value.get(name) if isinstance(value, Mapping) else None
    return found if isinstance(found, int) and not isinstance(found, bool) and found >= 0 else None


def _tokens(value: Any, at: str | None) -> tuple[Token, ...] | None:
    entries = value.get("content") if isinstance(value, Mapping) else None
    if not isinstance(entries, list):
        return None
    tokens = []
    for entry in entries:
        if not isinstance(entry, Mapping) or not isinstance(entry.get("token"), str):
            # With a hole in it the sequence says nothing about places.
            return None
        token = sendable(entry["token"])
        wanted = at is None or re.search(at, token) is not None
        tokens.append(
            Token(token, _logprob(entry), _alternatives(entry, at) if wanted else ()),
        )
    return tuple(tokens)


def _alternatives(entry: Mapping[str, Any], at: str | None) -> tuple[Alternative, ...]:
    given = entry.get("top_logprobs")
    found = []
    for alternative in given if isinstance(given, list) else ():
        token = alternative.get("token") if isinstance(alternative, Mapping) else None
        if isinstance(token, str) and (at is None or re.search(at, token)):
            logprob = _logprob(alternative)
            if logprob is not None:
                found.append(Alternative(sendable(token), logprob))
    return tuple(found)


def _logprob(entry: Mapping[str, Any]) -> float | None:
    value = entry.get("logprob")
    if not isinstance(value, int | float) or isinstance(value, bool) or not math.isfinite(value):
        return None
    # More digits than a model's arithmetic has would only fill journals.
    return round(float(value), 5)
