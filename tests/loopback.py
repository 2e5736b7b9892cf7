"""What the fake servers of the tests share: HTTP on a loopback socket, one thread a request."""

import json
import threading
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self


@dataclass(frozen=True)
class HttpRequest:
    """A request as it came over the socket.

    Attributes:
        path: The path that was asked for.
        headers: Header names in lower case to values.
        body: The body.
    """

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> dict[str, Any]:
        """The body as the service reads it."""
        value: dict[str, Any] = json.loads(self.body)
        return value


@dataclass(frozen=True)
class HttpResponse:
    """What goes back over the socket."""

    status: int
    body: bytes
    headers: Mapping[str, str]


class _QuietServer(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of clients that go away; tests kill some."""


class LoopbackServer(ABC):
    """A server on a free port of the loopback address; use it as a context manager."""

    content_type = "application/json"

    def __init__(self) -> None:
        """Prepare the server; it listens when the block is entered."""
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = -1  # Head and body in one packet; two would wait for each other.

            def do_POST(self) -> None:
                length = int(self.headers["Content-Length"])
                headers = {name.lower(): value for name, value in self.headers.items()}
                response = server.respond(self.path, headers, self.rfile.read(length))
                if response is None:
                    self.close_connection = True
                    return
                self.send_response(response.status)
                self.send_header("Content-Type", server.content_type)
                self.send_header("Content-Length", str(len(response.body)))
                for name, value in response.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(response.body)

            def log_message(self, *arguments: object) -> None:
                pass

        self._http = _QuietServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True)

    @property
    def address(self) -> str:
        """The address without a path."""
        return f"http://127.0.0.1:{self._http.server_port}"

    @abstractmethod
    def respond(self, path: str, headers: dict[str, str], body: bytes) -> HttpResponse | None:
        """Return what goes back, or None to close the connection; called in many threads."""

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
