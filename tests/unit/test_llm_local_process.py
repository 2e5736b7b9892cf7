"""The process of a local model: it starts in time or is a message, and it can always be ended.

A module stands in for xllamacpp, so that all of it runs without the package and without weights.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from sensemaking.llm import LanguageModel, local_server, session
from sensemaking.llm.client import Client
from sensemaking.llm.errors import UNAVAILABLE, ModelStoppedError
from sensemaking.llm.pool import each

MODEL = LanguageModel(
    id="m",
    model="smollm2-135m",
    base_url="local",
    tries=50,
    first_wait_s=0.02,
    longest_wait_s=0.1,
    timeout_s=5.0,
)
# Nothing listens at the port "discard" of this machine.
STAND_IN = """
import os, signal, sys, threading, time

class Params:
    def __getattr__(self, name):
        self.__dict__[name] = Params()
        return self.__dict__[name]

CommonParams = Params

class Server:
    listening_address = "http://127.0.0.1:9"

    def __init__(self, params):
        print("loading", flush=True)
        {behaviour}
"""
SAY = [{"role": "user", "content": "hello"}]

StandIn = Callable[[str], Path]


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> StandIn:
    """A function that lets a server behave in some way while it loads its model."""

    def write(behaviour: str) -> Path:
        (tmp_path / "xllamacpp.py").write_text(STAND_IN.format(behaviour=behaviour))
        monkeypatch.setenv("PYTHONPATH", str(tmp_path))
        monkeypatch.setattr(local_server, "path_of", lambda _: tmp_path / "model.gguf")
        return tmp_path

    return write


@pytest.mark.parametrize("behaviour", ["time.sleep(600)", "os.kill(os.getpid(), signal.SIGSTOP)"])
def test_a_server_that_takes_too_long_to_start_is_ended_and_a_message(
    stand_in: StandIn, behaviour: str
) -> None:
    stand_in(behaviour)
    with (
        pytest.raises(ModelStoppedError, match=r"does not start \(not within 1 s\)") as caught,
        local_server.local_server(MODEL, start_s=1.0),
    ):
        pass
    assert caught.value.reason == UNAVAILABLE


def test_a_start_that_takes_for_ever_outlives_no_job(stand_in: StandIn) -> None:
    stand_in("time.sleep(600)")
    command = [sys.executable, local_server.serve_gguf.__file__, "x", "--alias", "x"]
    command += ["--context", "512", "--threads", "1", "--start-s", "1"]
    # Nothing but its own alarm ends it, since its job neither kills it nor goes away.
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.wait(60) == -signal.SIGALRM


def test_a_server_that_ends_while_it_starts_says_how(stand_in: StandIn) -> None:
    stand_in("os._exit(3)")
    with (
        pytest.raises(ModelStoppedError, match=r"does not start \(exit status 3\)"),
        local_server.local_server(MODEL),
    ):
        pass


def test_a_server_that_does_not_start_is_started_once_for_all_threads(
    stand_in: StandIn, tmp_path: Path
) -> None:
    folder = stand_in("open(os.path.join(os.path.dirname(__file__), 'starts'), 'a').write('x')")
    module = folder / "xllamacpp.py"
    module.write_text(module.read_text() + "\n        os._exit(3)\n")
    with (
        session(MODEL, journal=tmp_path / "journal.jsonl", mode="live-missing") as opened,
        pytest.raises(ModelStoppedError, match="exit status 3"),
    ):
        each(opened, range(8), lambda number: opened.ask([{**SAY[0], "content": f"{number}"}]), 4)
    assert (folder / "starts").read_text() == "x"


@pytest.mark.parametrize("sign", [signal.SIGCONT, signal.SIGSTOP, signal.SIGKILL])
def test_a_server_always_ends_with_its_block(
    stand_in: StandIn, monkeypatch: pytest.MonkeyPatch, sign: signal.Signals
) -> None:
    stand_in("pass")
    if sign == signal.SIGSTOP:
        monkeypatch.setattr(local_server, "_SECONDS_TO_END", 0.2)
    with local_server.local_server(MODEL) as server:
        assert (server.base_url, server.trouble()) == ("http://127.0.0.1:9/v1", None)
        os.kill(server.process.pid, sign)
    assert server.process.returncode == (0 if sign == signal.SIGCONT else -signal.SIGKILL)


def test_a_server_that_writes_much_does_not_wait_for_a_reader(stand_in: StandIn) -> None:
    stand_in("os.write(1, b'x' * (1 << 20))")
    with local_server.local_server(MODEL) as server:
        assert server.trouble() is None


def test_a_call_of_a_server_that_has_ended_is_a_message_and_not_tried_again(
    stand_in: StandIn,
) -> None:
    stand_in("pass")
    with local_server.local_server(MODEL) as server:
        os.kill(server.process.pid, signal.SIGKILL)
        server.process.wait(60)
        with (
            Client(MODEL, None, server.base_url, server.trouble) as client,
            session(MODEL) as opened,
            pytest.raises(ModelStoppedError, match="has ended with the exit status -9") as caught,
        ):
            client.ask(opened.request(SAY))
    assert (caught.value.reason, client.sent) == (UNAVAILABLE, 1)


def test_a_session_whose_server_ends_on_the_way_stops_and_keeps_what_it_has(
    stand_in: StandIn, tmp_path: Path
) -> None:
    stand_in("threading.Timer(0.3, os._exit, [7]).start()")
    journal = tmp_path / "journal.jsonl"
    with (
        session(MODEL, journal=journal, mode="live-missing") as opened,
        pytest.raises(ModelStoppedError, match="exit status 7"),
    ):
        opened.ask(SAY)
    with session(MODEL, journal=journal, mode="live-missing") as opened:
        assert opened.findings == []
