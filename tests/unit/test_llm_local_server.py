"""A local model for real: llama.cpp beside this process, and the smallest of models."""

import json
import math
import re
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator

import pytest
from local_model import needs_local_model

from sensemaking.llm import LanguageModel, Session, session
from sensemaking.llm.errors import ModelStoppedError
from sensemaking.llm.local_server import local_server
from sensemaking.llm.models import SMOLLM2
from sensemaking.llm.weights import WeightsError

pytestmark = needs_local_model

MODEL = LanguageModel(
    id="smoke",
    model=SMOLLM2.name,
    base_url="local",
    context_tokens=512,
    max_tokens=40,
    threads=1,
    concurrency=1,
    attempts=1,
    tries=1,
    timeout_s=60.0,
    seed=1,
)
SCHEMA = {
    "type": "object",
    "properties": {"grade": {"type": "integer", "enum": [0, 1, 2, 3, 4, 5]}},
    "required": ["grade"],
    "additionalProperties": False,
}


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    journal = tmp_path_factory.mktemp("local") / "journal.jsonl"
    with session(MODEL, journal=journal, mode="live-missing") as running:
        yield running


def say(text: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": text}]


def test_a_schema_holds_the_reply_and_log_probabilities_come_with_it(opened: Session) -> None:
    reply = opened.ask(say("Grade the answer Paris from 0 to 5."), SCHEMA, logprobs=True)
    assert reply.ok
    assert isinstance(reply.data, dict)
    assert reply.data["grade"] in range(6)
    assert reply.tokens is not None
    (digit,) = [token for token in reply.tokens if re.fullmatch(r"\s*[0-5]\s*", token.token)]
    assert 0 < math.fsum(math.exp(a.logprob) for a in digit.alternatives) <= 1.0001
    assert reply.usage.prompt_tokens


def test_a_prompt_that_is_too_long_is_refused_and_not_cut(opened: Session) -> None:
    reply = opened.ask(say("word " * 600))
    assert (reply.status, reply.text) == ("context_too_long", None)


def test_a_reply_that_reaches_the_limit_is_truncated(opened: Session) -> None:
    reply = opened.ask(say("Tell a long story."), max_tokens=4)
    assert (reply.status, reply.usage.completion_tokens) == ("truncated", 4)


def test_only_this_machine_is_served_and_the_port_is_given_up() -> None:
    with local_server(MODEL) as server:
        host, _, port = server.base_url.removeprefix("http://").removesuffix("/v1").partition(":")
        assert host == "127.0.0.1"
        socket.create_connection((host, int(port)), timeout=5).close()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((host, int(port)), timeout=5)


def test_a_server_stops_at_once_though_a_call_is_under_way() -> None:
    ended = threading.Event()

    def call(base_url: str) -> None:
        body = json.dumps({"messages": say("Tell a long story."), "max_tokens": 400})
        head = {"Content-Type": "application/json"}
        sent = urllib.request.Request(f"{base_url}/chat/completions", body.encode(), head)
        try:
            urllib.request.urlopen(sent, timeout=60).close()
        except OSError:
            ended.set()

    with local_server(MODEL) as server:
        thread = threading.Thread(target=call, args=(server.base_url,), daemon=True)
        thread.start()
        time.sleep(0.2)
    thread.join(60)
    assert ended.is_set()


KILLED = """
import os, signal, sys
from sensemaking.llm import LanguageModel
from sensemaking.llm.local_server import local_server

model = LanguageModel.model_validate_json(sys.argv[1])
with local_server(model) as server:
    print(server.base_url, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_server_ends_with_a_job_that_is_killed() -> None:
    command = [sys.executable, "-c", KILLED, MODEL.model_dump_json()]
    # The server has the standard error of the job, which ends with it.
    said = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False).stdout
    port = int(said.strip().removesuffix("/v1").rpartition(":")[2])
    for _ in range(200):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=5).close()
        except ConnectionRefusedError:
            break
        time.sleep(0.05)
    else:
        pytest.fail("the server outlives its job by ten seconds")


def test_a_server_that_does_not_start_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sensemaking.llm.local_server.path_of", lambda _: "/no/such.gguf")
    with pytest.raises(ModelStoppedError, match="does not start"), local_server(MODEL):
        pass


def test_weights_that_are_not_there_are_said_before_anything_starts() -> None:
    with (
        pytest.raises(WeightsError, match="no local model"),
        local_server(MODEL.model_copy(update={"model": "huge"})),
    ):
        pass
