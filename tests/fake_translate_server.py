"""A local server that speaks the protocol of Cloud Translation Basic v2, for tests.

Google's own client talks to it over a loopback socket. It keeps the bytes of every request, checks
them as the service does, and answers from rules that a test sets.
"""

import json
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

PATH = "/language/translate/v2"
MAX_SEGMENTS = 128
MAX_BYTES = 100_000


@dataclass(frozen=True)
class Request:
    """A request as it came over the socket."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> dict[str, Any]:
        """The body as the service reads it."""
        value: dict[str, Any] = json.loads(self.body)
        return value

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


class _QuietServer(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of clients that go away; tests kill some."""


class FakeTranslateServer:
    """The server; use it as a context manager.

    Attributes:
        requests: The requests so far, refused ones included.
        translate: What answers a request that is not refused and for which no answer is queued.
        queue: Answers to the next requests, before ``translate`` is asked.
    """

    def __init__(self, translate: Callable[[Request], Answer] = prefixed) -> None:
        """Prepare the server; it listens when the block is entered."""
        self.requests: list[Request] = []
        self.queue: list[Answer] = []
        self.translate = translate
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = -1  # Head and body in one packet; two would wait for each other.

            def do_POST(self) -> None:
                length = int(self.headers["Content-Length"])
                headers = {name.lower(): value for name, value in self.headers.items()}
                request = Request(self.path, headers, self.rfile.read(length))
                server.requests.append(request)
                self._answer(server._answer_to(request))

            def _answer(self, answer: Answer) -> None:
                if answer is None:
                    self.close_connection = True
                    return
                status, headers = 200, {}
                if isinstance(answer, Failure):
                    status, headers, body = answer.status, answer.headers, answer.body()
                elif isinstance(answer, bytes):
                    body = answer
                else:
                    items = [{"translatedText": text} for text in answer]
                    body = json.dumps({"data": {"translations": items}}).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json; charset=UTF-8")
                self.send_header("Content-Length", str(len(body)))
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *arguments: object) -> None:
                pass

        self._http = _QuietServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True)

    @property
    def endpoint(self) -> str:
        """The address for ``api_endpoint``."""
        return f"http://127.0.0.1:{self._http.server_port}"

    @property
    def sent(self) -> list[str]:
        """All texts of all requests, in order."""
        return [text for request in self.requests for text in request.texts]

    def fail(self, *failures: Failure) -> None:
        """Queue failures for the next requests."""
        self.queue.extend(failures)

    def __enter__(self) -> Self:
        """Start to listen."""
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop to listen."""
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

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
