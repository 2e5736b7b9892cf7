"""A local endpoint that speaks the protocol of OpenAI's chat completions, for tests.

The real client talks to it over a loopback socket. It counts and keeps every request, and answers
from rules that a test sets.
"""

import json
import re
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.loopback import HttpRequest, HttpResponse, LoopbackServer

PATH = "/v1/chat/completions"


class Request(HttpRequest):
    """A request to the endpoint."""

    @property
    def prompt(self) -> str:
        """All messages, joined."""
        return "\n".join(message["content"] for message in self.json["messages"])


@dataclass(frozen=True)
class Completion:
    """An answer that is a completion.

    Attributes:
        content: The content, or a list of parts.
        finish_reason: Why it stopped.
        message: Further fields of the message, such as refusal.
        logprobs: The choice's log-probabilities.
        usage: The usage; counts of words if None.
        model: The name that the endpoint gives the model.
    """

    content: Any
    finish_reason: str | None = "stop"
    message: dict[str, Any] = field(default_factory=dict)
    logprobs: dict[str, Any] | None = None
    usage: dict[str, Any] | None = None
    model: str = "fake-model-2026"


@dataclass(frozen=True)
class Failure:
    """An answer that is an error.

    Attributes:
        status: The HTTP status.
        error: The error in the body.
        headers: Further headers.
    """

    status: int
    error: dict[str, Any] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Silence:
    """No answer at all, for some seconds; then the connection is closed."""

    seconds: float


Answer = Completion | Failure | Silence | bytes | str | None
"""Completion; its content; Failure; the whole body; or None to close the connection at once."""


def echo(request: Request) -> Answer:
    """Answer with the last message."""
    return str(request.json["messages"][-1]["content"])


class FakeLlmServer(LoopbackServer):
    """The server; use it as a context manager.

    Attributes:
        requests: The requests so far.
        answer: What answers a request for which no answer is queued.
        queue: Answers to the next requests.
        delay_s: Seconds that each answer takes.
        most_at_once: Most requests that were under way at a time.
        hold_after: Requests after this many get no answer before ``released`` is set.
        released: Lets held requests go on.
    """

    def __init__(self, answer: Callable[[Request], Answer] = echo, delay_s: float = 0.0) -> None:
        """Prepare the server; it listens when the block is entered."""
        super().__init__()
        self.requests: list[Request] = []
        self.queue: list[Answer] = []
        self.answer = answer
        self.delay_s = delay_s
        self.most_at_once = 0
        self.hold_after: int | None = None
        self.released = threading.Event()
        self._at_once = 0
        # An answer may look at the counts, in the thread that holds the lock while it is made.
        self._lock = threading.RLock()

    def respond(self, path: str, headers: dict[str, str], body: bytes) -> HttpResponse | None:
        """Count and keep the request, wait as the test wants, and answer."""
        request = Request(path, headers, body)
        with self._lock:
            self.requests.append(request)
            answer = self.queue.pop(0) if self.queue else self.answer(request)
            held = self.hold_after is not None and len(self.requests) > self.hold_after
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
        time.sleep(self.delay_s)
        if held:
            self.released.wait(60)
        with self._lock:
            self._at_once -= 1
        return _response(answer)

    @property
    def base_url(self) -> str:
        """The address for ``base_url``."""
        return f"{self.address}/v1"

    @property
    def count(self) -> int:
        """How many requests came."""
        with self._lock:
            return len(self.requests)

    def then(self, *answers: Answer) -> None:
        """Queue answers to the next requests."""
        self.queue.extend(answers)


def _response(answer: Answer) -> HttpResponse | None:
    if isinstance(answer, Silence):
        time.sleep(answer.seconds)
        return None
    if answer is None:
        return None
    if isinstance(answer, bytes):
        return HttpResponse(200, answer, {})
    status, headers = 200, {}
    if isinstance(answer, Failure):
        status, headers = answer.status, answer.headers
    return HttpResponse(status, json.dumps(_body(answer)).encode(), headers)


def _body(answer: Completion | Failure | str) -> dict[str, Any]:
    if isinstance(answer, Failure):
        return {"error": answer.error}
    completion = Completion(answer) if isinstance(answer, str) else answer
    choice = {
        "index": 0,
        "finish_reason": completion.finish_reason,
        "message": {"role": "assistant", "content": completion.content, **completion.message},
    }
    if completion.logprobs is not None:
        choice["logprobs"] = completion.logprobs
    usage = completion.usage
    if usage is None:
        words = len(completion.content.split()) if isinstance(completion.content, str) else 0
        usage = {"prompt_tokens": 1000, "completion_tokens": words, "total_tokens": 1000 + words}
    return {"id": "x", "object": "chat.completion", "model": completion.model} | {
        "choices": [choice],
        "usage": usage,
    }


def items_in(request: Request) -> list[dict[str, str]]:
    """Return the items that a prompt shows as JSON, one on each line."""
    found = re.search(r"^\[\n.*^\]", request.prompt, re.MULTILINE | re.DOTALL)
    assert found is not None
    value: list[dict[str, str]] = json.loads(found[0])
    return value


def token_logprobs(tokens: Sequence[tuple[str, dict[str, float]]]) -> dict[str, Any]:
    """Return the log-probabilities of a choice.

    Args:
        tokens: Each token with the log-probabilities of what might stand in its place.
    """
    return {
        "content": [
            {
                "token": token,
                "logprob": others.get(token, -9.0),
                "bytes": list(token.encode()),
                "top_logprobs": [
                    {"token": other, "logprob": logprob, "bytes": list(other.encode())}
                    for other, logprob in others.items()
                ],
            }
            for token, others in tokens
        ]
    }
