"""A local model behind llama.cpp's OpenAI-compatible server, on the loopback interface alone."""

import math
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from sensemaking.llm import serve_gguf
from sensemaking.llm.errors import UNAVAILABLE, ModelStoppedError
from sensemaking.llm.settings import LanguageModel
from sensemaking.llm.weights import path_of

SECONDS_TO_START: Final = 300.0
"""A gigabyte from a slow disk on a busy machine takes a minute."""

_SECONDS_TO_END = 10.0


@dataclass(frozen=True)
class LocalServer:
    """A server that runs.

    Attributes:
        base_url: Its address.
        process: Its process.
    """

    base_url: str
    process: "subprocess.Popen[str]"

    def trouble(self) -> str | None:
        """Return why no call can succeed any more; None while the server runs."""
        status = self.process.poll()
        if status is None:
            return None
        hint = "; mostly there was no memory left" if status == -signal.SIGKILL else ""
        return f"the server of the local model has ended with the exit status {status}{hint}"


@contextmanager
def local_server(
    settings: LanguageModel, start_s: float = SECONDS_TO_START
) -> Iterator[LocalServer]:
    """Serve a local model while the block runs.

    Calls are answered one after the other, so the model has all threads to itself. A prompt that
    is too long is refused; the context is never shifted, which would cut it in silence. The server
    ends with the block, whatever it is doing, and with the job if the job is killed.

    Args:
        settings: The model's settings; ``model`` is a name of ``sensemaking.llm.weights``.
        start_s: Seconds until it must listen.

    Yields:
        The server.

    Raises:
        WeightsError: The weights are not there.
        ModelStoppedError: The server does not start.
    """
    command = [
        # Without its folder on the path, whose modules have names that others use, too.
        *(sys.executable, "-P", serve_gguf.__file__, str(path_of(settings.model))),
        *("--alias", settings.model, "--context", str(settings.context_tokens)),
        *("--threads", str(settings.threads or len(os.sched_getaffinity(0)))),
        *("--start-s", str(math.ceil(start_s))),
    ]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            yield LocalServer(f"{_address(process, start_s)}/v1", process)
        finally:
            assert process.stdin is not None
            process.stdin.close()
            try:
                process.wait(_SECONDS_TO_END)
            except subprocess.TimeoutExpired:
                process.kill()


def _address(process: "subprocess.Popen[str]", start_s: float) -> str:
    assert process.stdout is not None
    begin = time.monotonic()
    # Its end is the end of its standard output, for which the loop waits.
    limit = threading.Timer(start_s, process.kill)
    limit.daemon = True
    limit.start()
    try:
        for line in process.stdout:
            if line.startswith(serve_gguf.LISTENING):
                return line.removeprefix(serve_gguf.LISTENING).strip()
        status = process.wait()
    finally:
        limit.cancel()
    how = f"exit status {status}"
    if time.monotonic() - begin >= start_s:
        how = f"not within {start_s:g} s"
    raise ModelStoppedError(
        UNAVAILABLE,
        f"the server of the local model does not start ({how}); what it says stands above. Is "
        "xllamacpp installed, is there memory for the weights, and is a core free?",
    )
