"""A local server that speaks the protocol of Cloud Translation Basic v2, for tests.

Google's own client talks to it over a loopback socket. It keeps the bytes of every request, checks
them as the service does, and answers from rules that a test sets.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.loopback import HttpRequest, HttpResponse, LoopbackServer

PATH = "/language/translate/v2"
MAX_SEGMENTS = 128
MAX_BYTES = 100_000


class Request(HttpRequest):
    """A request to the service."""

    @property
    def texts(self) -> list[str]:
        """The texts to translate."""
        value: list[str] = self.json["q"]
        return value


@dataclass(frozen=True)
class Failure:
    """An answer that is an error.

    Attributes:
        status: The HTTP status.
        message: The message of the body.
        reason: The reason of the error in the body; none if empty.
        headers: Further headers.
    """

    status: int
    message: str
    reason: str = ""
    headers: dict[str, str] = field(default_factory=dict)

    def body(self) -> bytes:
        """Return the body in the form of Google's services."""
        detail = {"message": self.message, "domain": "usageLimits"}
        if self.reason:
            detail["reason"] = self.reason
        error = {"code": self.status, "message": self.message, "errors": [detail]}
        return json.dumps({"error": error}).encode()


Answer = Failure | list[str] | bytes | None
"""Failure; the translations; the whole body; or None to close the connection without an answer."""


def prefixed(request: Request) -> Answer:
    """Translate by putting ``EN:`` before each text."""
    return [f"EN:{text}" for text in request.texts]


class FakeTranslateServer(LoopbackServer):
    """The server; use it as a context manager.

    Attributes:
        requests: The requests so far, refused ones included.
        translate: What answers a request that is not refused and for which no answer is queued.
        queue: Answers to the next requests, before ``translate`` is asked.
    """

    content_type = "application/json; charset=UTF-8"

    def __init__(self, translate: Callable[[Request], Answer] = prefixed) -> None:
        """Prepare the server; it listens when the block is entered."""
        super().__init__()
        self.requests: list[Request] = []
        self.queue: list[Answer] = []
        self.translate = translate

    def respond(self, path: str, headers: dict[str, str], body: bytes) -> HttpResponse | None:
        """Keep the request, and refuse or answer it."""
        request = Request(path, headers, body)
        self.requests.append(request)
        answer = self._answer_to(request)
        if answer is None:
            return None
        if isinstance(answer, Failure):
            return HttpResponse(answer.status, answer.body(), answer.headers)
        if not isinstance(answer, bytes):
            items = [{"translatedText": text} for text in answer]
            answer = json.dumps({"data": {"translations": items}}).encode()
        return HttpResponse(200, answer, {})

    @property
    def endpoint(self) -> str:
        """The address for ``api_endpoint``."""
        return self.address

    @property
    def sent(self) -> list[str]:
        """All texts of all requests, in order."""
        return [text for request in self.requests for text in request.texts]

    def fail(self, *failures: Failure) -> None:
        """Queue failures for the next requests."""
        self.queue.extend(failures)

    def _answer_to(self, request: Request) -> Answer:
        refused = _refusal(request)
        if refused is not None:
            return refused
        return self.queue.pop(0) if self.queue else self.translate(request)


def _refusal(request: Request) -> Failure | None:
    """Return what the service would refuse the request with."""
    if request.path.partition("?")[0] != PATH:
        return Failure(404, "Not Found")
    if len(request.body) > MAX_BYTES:
        return Failure(400, "Request payload size exceeds the limit", "badRequest")
    try:
        body = json.loads(request.body)
    except ValueError:
        return Failure(400, "Invalid JSON payload received", "badRequest")
    texts: Sequence[Any] = body.get("q") or []
    if not texts:
        return Failure(400, "Required Text", "required")
    if len(texts) > MAX_SEGMENTS:
        return Failure(400, "Too many text segments", "invalid")
    if not body.get("target"):
        return Failure(400, "Missing the target language", "invalid")
    if any(not isinstance(text, str) or not text.strip() for text in texts):
        return Failure(400, "Invalid Value", "invalid")
    return None
