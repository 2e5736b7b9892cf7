"""A language model translates what has no English version; nothing is asked for twice."""

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from sensemaking.io import artifacts
from sensemaking.schemas import FINDINGS, QUESTIONS, SECTIONS, TRANSLATIONS
from tests.conftest import ROOT, snakemake, succeed
from tests.fake_llm_server import Answer, Completion, Failure, FakeLlmServer, Request, items_in
from tests.workflow.corpus import CONFIG, write_json, write_overlay

pytestmark = pytest.mark.workflow

TEXT = "Rostliny pohlcují světlo. Vyrábějí kyslík. Zvířata ho dýchají."
ASKED = [["Co pohlcují rostliny?", "Světlo."], ["Odmítni tuto otázku."], ["Kdo dýchá kyslík?"]]
KEY = "sk-0123456789-secret"


@dataclass(frozen=True)
class Translated:
    """A run folder in which a model has translated, and the model's endpoint."""

    folder: Path
    server: FakeLlmServer
    config: dict[str, Any]

    def run(self, *targets: str, **more: Any) -> str:
        """Make targets, by default what is translated, with changes of the configuration."""
        config = write_overlay(self.folder, self.config | more)
        targets = targets or (
            "results/materials/sections/biology.parquet",
            "results/questions/materials/biology.parquet",
        )
        key = {"OPENAI_API_KEY": KEY}
        command = (*targets, "--configfile", config)
        return succeed(snakemake(*command, folder=self.folder, environment=key)).text

    def read(self, artifact: Any, pattern: str) -> pd.DataFrame:
        return artifacts.read(artifact, sorted((self.folder / "results").glob(pattern)))


def english(request: Request) -> Answer:
    """Translate by a mark; refuse what says so, and repeat the key that came."""
    items = items_in(request)
    if any("Odmítni" in item["text"] for item in items):
        return Completion(None, message={"refusal": f"No, {request.headers['authorization']}"})
    return json.dumps({item["id"]: f"EN {item['text']}" for item in items})


@pytest.fixture(scope="module")
def translated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Translated]:
    folder = tmp_path_factory.mktemp("llm-translation")
    section = folder / "materials/biology/plants"
    section.mkdir(parents=True)
    (section / "text.txt").write_text(TEXT, encoding="utf-8")
    write_json(section / "questions.json", ASKED)
    shipped = (ROOT / "resources/prompts/translator.md").read_text(encoding="utf-8")
    (folder / "mine.md").write_text(shipped + "\nHurry.\n", encoding="utf-8")
    with FakeLlmServer(english) as server:
        server.then(Failure(500, {"message": f"crashed on {KEY}"}))
        model = {"id": "fake", "model": "m", "base_url": server.base_url, "first_wait_s": 0.01}
        engine = {"id": "LLM", "engine": "llm", "language_model": "fake", "prompt": "mine.md"}
        kinds = [{"id": "biology", "language": "cs"}]
        config = {**CONFIG, "kinds": kinds, "llm": {"models": [model]}, "mt": {"engines": [engine]}}
        made = Translated(folder, server, config)
        plan = made.run("plan_translation")
        assert "LLM, biology: fake: 1 of 1 calls to send (0 recorded" in plan
        assert server.count == 0
        made.run()
        yield made


def test_what_a_model_translates_is_english_and_what_it_refuses_is_null_with_the_reason(
    translated: Translated,
) -> None:
    assert "from Czech into English" in translated.server.requests[0].prompt
    assert translated.server.requests[0].prompt.endswith("Hurry.")
    statuses = translated.read(TRANSLATIONS, "materials/translations/*.parquet").set_index(
        "source"
    )["status"]
    assert statuses.pop("Odmítni tuto otázku.") == "refusal"
    assert set(statuses) == {"ok"}
    (row,) = translated.read(SECTIONS, "materials/sections/*.parquet").to_dict("records")
    assert (row["text_en_origin"], row["status"]) == ("llm", "ok")
    assert row["text_en"].replace("EN ", "") == TEXT
    questions = translated.read(QUESTIONS, "questions/materials/*.parquet")
    assert list(questions["question"].fillna("-")) == [
        "EN Co pohlcují rostliny?",
        "-",
        "EN Kdo dýchá kyslík?",
    ]
    assert list(questions["status"]) == ["ok", "refusal", "ok"]
    findings = translated.read(FINDINGS, "validation/findings/translations-biology.parquet")
    assert list(findings["code"]) == ["refusal"]


def test_a_run_anew_asks_nothing_from_its_own_journals_or_from_recorded_ones(
    translated: Translated,
) -> None:
    folder, sent = translated.folder, translated.server.count
    before = translated.read(TRANSLATIONS, "materials/translations/*.parquet")
    shutil.rmtree(folder / "results")
    translated.run()
    again = translated.read(TRANSLATIONS, "materials/translations/*.parquet")
    pd.testing.assert_frame_equal(again, before)

    shutil.rmtree(folder / "results")
    (folder / "journals").rename(folder / "shipped")
    translated.run(
        llm={**translated.config["llm"], "recorded": "shipped"},
        mt={**translated.config["mt"], "mode": "replay"},
    )
    again = translated.read(TRANSLATIONS, "materials/translations/*.parquet")
    pd.testing.assert_frame_equal(again, before)
    assert translated.server.count == sent
    assert not (folder / "journals").exists()


def test_the_key_goes_to_the_endpoint_and_into_no_file(translated: Translated) -> None:
    heads = {request.headers["authorization"] for request in translated.server.requests}
    assert heads == {f"Bearer {KEY}"}
    files = [path for path in translated.folder.rglob("*") if path.is_file()]
    assert any(path.suffix == ".jsonl" and b"[key]" in path.read_bytes() for path in files)
    for path in files:
        assert KEY.encode() not in path.read_bytes(), path
