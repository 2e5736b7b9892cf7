"""What a failed call means: send it again, give the item up, or stop everything."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from sensemaking.llm.errors import CREDENTIALS, NO_CREDIT, NOT_FOUND
from sensemaking.llm.statuses import (
    BAD_REQUEST,
    CONTENT_FILTER,
    CONTEXT_TOO_LONG,
    RATE_LIMITED,
    SERVER_ERROR,
    TIMEOUT,
)

_TOO_LONG_CODES: Final = frozenset({"context_length_exceeded", "exceed_context_size_error"})
_TOO_LONG: Final = re.compile(
    r"context[ _](?:length|window|size)|maximum context|prompt is too long|input is too long"
    r"|too many (?:input )?tokens|exceeds? the (?:maximum|max)\b.{0,40}\btokens"
    r"|reduce the length|input token count",
    re.IGNORECASE,
)
_FILTER_CODES: Final = frozenset(
    {"content_filter", "content_policy_violation", "responsibleaipolicyviolation"}
)
_NO_CREDIT_CODES: Final = frozenset(
    {"insufficient_quota", "billing_hard_limit_reached", "billing_not_active"}
)
_NO_CREDIT: Final = re.compile(
    r"insufficient (?:quota|balance|credits?|funds)|exceeded your current quota.{0,40}billing",
    re.IGNORECASE | re.DOTALL,
)
_NO_KEY: Final = re.compile(
    r"api[ _]key (?:not valid|invalid|expired)|invalid api key|api_key_inv", re.I
)


@dataclass(frozen=True)
class Failure:
    """What a failed call means.

    Attributes:
        status: The status of the item if it stays so.
        message: What the endpoint said.
        again: Whether the same call may succeed if it is sent again.
        wait_s: How long the endpoint asks to wait, in seconds, or None.
        stop: Why no other call can succeed either (``sensemaking.llm.errors``), or None.
        code: The endpoint's word for the fault, or None.
        param: The parameter at fault, or None.
    """

    status: str
    message: str
    again: bool = False
    wait_s: float | None = None
    stop: str | None = None
    code: str | None = None
    param: str | None = None


def from_status(http_status: int, body: Any, wait_s: float | None = None) -> Failure:
    """Return what an error of the endpoint means.

    Sent again are 408, 409, 425, 429 and 5xx, because they pass. 401, 402, 403, 404 and an
    account without credit stop everything. Any other 4xx is the request's own fault and would
    fail again.

    Args:
        http_status: The HTTP status, or the code in a body that says so.
        body: The body, or the ``error`` in it; any form.
        wait_s: How long the endpoint asks to wait.
    """
    error = error_of(body)
    code = _word(error.get("code")) or _word(error.get("type"))
    param = _word(error.get("param"))
    said = _message_of(error, body)
    message = f"HTTP {http_status}: {said}"
    codes = {_word(error.get(name)).casefold() for name in ("code", "type")}
    inner = error.get("innererror")
    if isinstance(inner, Mapping):
        codes.add(_word(inner.get("code")).casefold())

    def failure(status: str, **more: Any) -> Failure:
        return Failure(status, message, code=code or None, param=param or None, **more)

    if codes & _FILTER_CODES:
        return failure(CONTENT_FILTER)
    if http_status == 402 or codes & _NO_CREDIT_CODES or _NO_CREDIT.search(said):
        return failure(RATE_LIMITED, stop=NO_CREDIT)
    if http_status in (401, 403, 407) or (http_status == 400 and _NO_KEY.search(said)):
        return failure(BAD_REQUEST, stop=CREDENTIALS)
    if http_status in (400, 413, 422, 500) and (
        codes & _TOO_LONG_CODES or (http_status != 500 and _TOO_LONG.search(said))
    ):
        return failure(CONTEXT_TOO_LONG)
    if http_status == 413:
        return failure(CONTEXT_TOO_LONG)
    if http_status in (404, 405, 410):
        return failure(BAD_REQUEST, stop=NOT_FOUND)
    if http_status == 429:
        return failure(RATE_LIMITED, again=True, wait_s=wait_s)
    if http_status in (408, 504, 524):
        return failure(TIMEOUT, again=True, wait_s=wait_s)
    if http_status in (409, 425) or http_status >= 500:
        return failure(SERVER_ERROR, again=True, wait_s=wait_s)
    return failure(BAD_REQUEST)


def error_of(body: Any) -> Mapping[str, Any]:
    """Return the error in a body; an empty mapping where there is none in a known form."""
    if isinstance(body, list) and body:
        body = body[0]
    if isinstance(body, Mapping):
        inner = body.get("error")
        return inner if isinstance(inner, Mapping) else body
    return {}


def _message_of(error: Mapping[str, Any], body: Any) -> str:
    for name in ("message", "detail", "error", "msg"):
        value = error.get(name)
        if value:
            return " ".join(str(value).split())[:500]
    return " ".join(str(body or "no message").split())[:500]


def _word(value: Any) -> str:
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""
