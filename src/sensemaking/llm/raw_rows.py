"""Rows of ``raw/<stage>``: what a model replied, stored by one rule and parsed by another."""

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from sensemaking.io.replies import Json
from sensemaking.llm.reply import FROM_REASONING, Alternative, Reply, Token, read_value
from sensemaking.llm.statuses import CONTEXT_TOO_LONG, SCALE_SUSPECT, SCHEMA_MISMATCH, WRONG_ITEMS
from sensemaking.statuses import OK

if TYPE_CHECKING:
    from sensemaking.llm.calls import Call

Row = Mapping[str, Any]

_READABLE: Final = frozenset({OK, WRONG_ITEMS, SCALE_SUSPECT, SCHEMA_MISMATCH})


def raw_row(call: "Call", reply: Reply | None) -> dict[str, Any]:
    """Return the row of a call; ``reply`` is None if it was not made."""
    text, tokens = None, None
    if reply is not None:
        text = reply.reasoning if FROM_REASONING in reply.notes else reply.content
        tokens = reply.tokens
    return {
        "call": call.name,
        "request_key": None if reply is None else reply.key,
        "section_id": call.section_id,
        "items": list(call.items),
        "labels": list(call.labels),
        "part": call.part,
        "parts": call.parts,
        "prompt": call.prompt,
        "model": None if call.request is None else call.request.model,
        "replied_at": None if reply is None else reply.at,
        "attempt": None if reply is None else reply.attempt,
        "reply": text,
        "refusal": None if reply is None else reply.refusal,
        "finish_reason": None if reply is None else reply.finish_reason,
        "prompt_tokens": None if reply is None else reply.usage.prompt_tokens,
        "completion_tokens": None if reply is None else reply.usage.completion_tokens,
        "parameters": _json(dict(reply.parameters) if reply is not None else {}),
        "notes": [] if reply is None else list(reply.notes),
        "logprobs": None if tokens is None else _json([_plain(token) for token in tokens]),
        "message": None if reply is None else reply.message,
        "status": CONTEXT_TOO_LONG if reply is None else reply.status,
    }


def status_of(row: Row) -> str:
    """Return ``ok`` for a raw row whose reply can be read, else why it cannot.

    What is wrong with its items is not counted: whoever parses the row says that anew.
    """
    return OK if row["status"] in _READABLE else str(row["status"])


def value_of(row: Row) -> Json:
    """Return the JSON value in a raw row's reply; None if it cannot be read."""
    reply = row["reply"]
    return read_value(reply) if status_of(row) == OK and isinstance(reply, str) else None


def tokens_of(row: Row) -> list[Token] | None:
    """Return the tokens of a raw row's reply with their log-probabilities; None without."""
    if not isinstance(row["logprobs"], str):
        return None
    return [
        Token(token, logprob, tuple(Alternative(*pair) for pair in pairs))
        for token, logprob, pairs in json.loads(row["logprobs"])
    ]


def _plain(token: Token) -> Sequence[Any]:
    return [token.token, token.logprob, [list(pair) for pair in token.alternatives]]


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
