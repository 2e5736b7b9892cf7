"""The parameters of a call, and what to do where an endpoint refuses one of them."""

import json
import re
import threading
from collections.abc import Mapping
from typing import Any, Final

from sensemaking.llm.failures import Failure
from sensemaking.llm.request import Request

SCHEMA_IN_PROMPT: Final = "schema_in_prompt"
"""Note: the schema went into the prompt."""

_LENGTH: Final = "max_tokens"
_NEW_LENGTH: Final = "max_completion_tokens"
_SCHEMA: Final = "response_format"
_SYSTEM: Final = "system_role"
"""No parameter, but refused like one: some chat templates know no system message."""
_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    _LENGTH: (_LENGTH,),
    _NEW_LENGTH: (_NEW_LENGTH,),
    _SCHEMA: (_SCHEMA, "json_schema", "structured output", "json mode", "guided_json"),
    "logprobs": ("logprobs", "top_logprobs"),
    _SYSTEM: ("system role", "role system", "role 'system'", 'role "system"', "system message"),
}
"""What error messages call a parameter, where that is more than its name."""
_REFUSED: Final = re.compile(
    r"unsupported|not (?:be )?(?:supported|permitted|allowed|available|accepted|recogni[sz]ed)"
    r"|does(?: not|n't) support|do(?: not|n't) support|only the default|unknown|unrecogni[sz]ed"
    r"|unexpected|deprecated|extra (?:inputs|fields)|no longer|additional properties"
    r"|cannot be (?:used|specified|set)|must be|invalid",
    re.IGNORECASE,
)
_TOO_MUCH: Final = re.compile(
    r"too (?:large|high|many|big)|at most|less than|exceed|between|<=", re.IGNORECASE
)


class Refused:
    """Which parameters an endpoint has refused; shared by all calls of a model.

    A parameter is left out, or replaced by its other name, once and for all.
    """

    def __init__(self) -> None:
        """Start with nothing refused."""
        self._lock = threading.Lock()
        self._names: dict[str, str] = {}

    def learn(self, failure: Failure, sent: Mapping[str, Any]) -> bool:
        """Note the parameter that a failed call was refused for.

        Args:
            failure: What the endpoint said.
            sent: The parameters of that call.

        Returns:
            Whether a call without it makes sense.
        """
        name = _refused(failure, sent)
        if name is None:
            return False
        with self._lock:
            if name == _LENGTH and _NEW_LENGTH in self._names:
                return False
            self._names.setdefault(name, failure.message)
        return True

    def __contains__(self, name: str) -> bool:
        """Tell whether a parameter has been refused."""
        with self._lock:
            return name in self._names


def parameters(request: Request, refused: Refused) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return the parameters of a call, messages among them, and notes on those left out.

    Args:
        request: What is asked.
        refused: What the endpoint does not take.
    """
    wanted: dict[str, Any] = {
        "temperature": request.temperature,
        "top_p": request.top_p,
        "seed": request.seed,
        **json.loads(request.extra),
    }
    notes = []
    sent: dict[str, Any] = {"model": request.model}
    for name, value in wanted.items():
        if value is None:
            continue
        if name in refused:
            notes.append(f"{name}_not_applied")
        else:
            sent[name] = value
    if _LENGTH in refused:
        sent[_NEW_LENGTH] = request.max_tokens
        notes.append(f"sent_{_NEW_LENGTH}")
    else:
        sent[_LENGTH] = request.max_tokens
    if request.logprobs is not None:
        if "logprobs" in refused:
            notes.append("logprobs_not_applied")
        else:
            sent["logprobs"] = True
            sent["top_logprobs"] = request.logprobs.top
    messages = [{"role": role, "content": text} for role, text in request.messages]
    if _SYSTEM in refused and len(messages) > 1 and messages[0]["role"] == "system":
        text = messages.pop(0)["content"]
        messages[0]["content"] = f"{text}\n\n{messages[0]['content']}"
        notes.append("system_message_in_first_message")
    if request.schema is not None:
        if request.schema_in_prompt or _SCHEMA in refused:
            _put_schema(messages, request.schema)
            notes.append(SCHEMA_IN_PROMPT)
        else:
            sent[_SCHEMA] = {
                "type": "json_schema",
                "json_schema": {
                    "name": "reply",
                    "strict": _is_strict(json.loads(request.schema)),
                    "schema": json.loads(request.schema),
                },
            }
    sent["messages"] = messages
    return sent, tuple(notes)


def _is_strict(schema: Any) -> bool:
    """Tell whether all objects of a schema have just their properties, as strict endpoints want."""
    if isinstance(schema, list):
        return all(_is_strict(inner) for inner in schema)
    if not isinstance(schema, Mapping):
        return True
    if "properties" in schema or schema.get("type") == "object":
        names = schema.get("properties", {})
        closed = schema.get("additionalProperties") is False
        if not closed or sorted(schema.get("required", [])) != sorted(names):
            return False
    return all(_is_strict(inner) for inner in schema.values())


def shown(sent: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a reply keeps of the parameters: all but the messages and the schema itself."""
    kept = {name: value for name, value in sent.items() if name not in ("messages", _SCHEMA)}
    if _SCHEMA in sent:
        kept[_SCHEMA] = sent[_SCHEMA]["type"]
    return kept


def _put_schema(messages: list[dict[str, str]], schema: str) -> None:
    """Add the schema to the end of the last message, behind what is the same in many calls."""
    messages[-1]["content"] += (
        "\n\nReply with one JSON value and nothing else. It must fit this JSON schema:\n" + schema
    )


def _refused(failure: Failure, sent: Mapping[str, Any]) -> str | None:
    """Return the parameter that a failure refuses, or None."""
    droppable = [name for name in sent if name not in ("model", "messages", "top_logprobs")]
    if sent["messages"][0]["role"] == "system":
        droppable.append(_SYSTEM)
    param = (failure.param or "").replace("top_logprobs", "logprobs")
    named = [name for name in droppable if re.match(rf"{re.escape(name)}\b", param)]
    if not named and not _REFUSED.search(failure.message):
        return None
    if not named:
        # The parameter at fault is named before the one that is recommended instead.
        places = {name: _place(name, failure.message.casefold()) for name in droppable}
        named = sorted(
            (name for name in droppable if places[name] >= 0), key=lambda name: places[name]
        )
    if not named:
        return None
    if named[0] in (_LENGTH, _NEW_LENGTH, "logprobs") and _TOO_MUCH.search(failure.message):
        # A value is refused, not the parameter; without it the replies would be other replies.
        return None
    return named[0] if named[0] != _NEW_LENGTH else None


def _place(name: str, text: str) -> int:
    """Return where a text first speaks of a parameter; -1 if it does not."""
    found = [
        match.start()
        for word in _NAMES.get(name, (name,))
        if (match := re.search(rf"(?<![a-z_]){re.escape(word)}(?![a-z_])", text))
    ]
    return min(found, default=-1)
