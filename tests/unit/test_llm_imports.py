"""Replay works where neither the client of endpoints nor a local model is installed."""

import subprocess
import sys
from pathlib import Path

import pytest
from tests.fake_llm_server import FakeLlmServer

from sensemaking.llm import LanguageModel, session

CODE = """
import importlib, pkgutil, sys

for name in ("openai", "httpx2", "google", "xllamacpp"):
    sys.modules[name] = None  # As if it were not installed.

import sensemaking.baselines, sensemaking.llm, sensemaking.mt, sensemaking.verifiable

for package in (sensemaking.baselines, sensemaking.llm, sensemaking.mt, sensemaking.verifiable):
    for module in pkgutil.iter_modules(package.__path__, package.__name__ + "."):
        if module.name not in ("sensemaking.llm.client", "sensemaking.mt.google"):
            importlib.import_module(module.name)

from sensemaking.llm.stage import stage_session

model = sensemaking.llm.LanguageModel.model_validate_json(sys.argv[1]).model_dump(mode="json")
choices = {"model": model, "mode": sys.argv[3], "strict": False}
with stage_session(choices, sys.argv[2], []) as opened:
    for text in ("hello", "unknown"):
        reply = opened.ask([{"role": "user", "content": text}])
        print(reply.status, reply.text)
"""


@pytest.mark.parametrize("where", ["endpoint", "local"])
def test_replay_needs_no_client_and_no_local_model(tmp_path: Path, where: str) -> None:
    journal = tmp_path / "journal.jsonl"

    def run(model: LanguageModel, mode: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", CODE, model.model_dump_json(), str(journal), mode]
        return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)

    with FakeLlmServer() as server:
        model = LanguageModel(id="m", model="m", base_url=server.base_url)
        with session(model, journal=journal, mode="live-missing") as opened:
            opened.ask([{"role": "user", "content": "hello"}])
        if where == "local":
            # All ports of this machine are one endpoint, so the replies are its own, too.
            model = model.model_copy(update={"base_url": "local"})
        assert run(model, "replay").stdout.splitlines() == ["ok hello", "not_recorded None"]
        # What is asked for needs them, so they really are out of reach.
        assert "import of openai halted" in run(model, "live-missing").stderr
        assert server.count == 1
