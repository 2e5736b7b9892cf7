"""What tests of the baselines that ask a language model share."""

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
from tests.fake_llm_server import (
    Answer,
    FakeLlmServer,
    Request,
)

from sensemaking.ids import SetName
from sensemaking.io import artifacts
from sensemaking.llm import LanguageModel, session
from sensemaking.llm.calls import Call, ask_all
from sensemaking.questions import question_row
from sensemaking.schemas import Artifact
from sensemaking.schemas_llm import raw_artifact

PROMPTS = [Path(__file__).parents[2] / "resources/prompts"]
GOLD_SET = SetName("GOLD", "PRIMARY", "genuine")
WHO = {"team": "LLM", "submission": "PRIMARY"}

TEXT = "The mill turns at low water. The pond fills at high water. The gate shuts by itself."
LONG = " ".join(
    f"Sentence number {number} says that {number} is a number." for number in range(120)
)


def model(server: FakeLlmServer, **more: Any) -> LanguageModel:
    settings: dict[str, Any] = {"tries": 1, "attempts": 1, "concurrency": 2}
    settings |= {"context_tokens": 8192, "timeout_s": 20.0}
    return LanguageModel(id="m", model="m", base_url=server.base_url, **(settings | more))


def asked(settings: LanguageModel, calls: Sequence[Call], folder: Path) -> list[dict[str, Any]]:
    """Ask the calls, and give them once more from the journal."""
    journal = folder / "journal.jsonl"
    with session(settings, journal=journal, mode="live-missing") as opened:
        raw = ask_all(opened, calls)
    with session(settings, journal=journal, strict=True) as opened:
        assert ask_all(opened, calls) == raw
    # As one rule stores them and another one reads them.
    return back(raw_artifact("stage"), raw, folder)


def back(artifact: Artifact, rows: Sequence[dict[str, Any]], folder: Path) -> list[dict[str, Any]]:
    """Return rows as they come back from an artifact, which checks them."""
    path = folder / "rows.parquet"
    artifacts.write(artifact, path, rows)
    found: list[dict[str, Any]] = artifacts.read(artifact, path).to_dict("records")
    return [{name: _plain(value) for name, value in row.items()} for row in found]


def _plain(value: Any) -> Any:
    return None if not isinstance(value, list) and pd.isna(value) else value


def items_of(request: Request) -> list[dict[str, Any]]:
    """Return the items that a prompt shows."""
    found = re.findall(r"^\[\n.*?^\]$|^\[\n\{.*?\}\n\]", request.prompt, re.MULTILINE | re.DOTALL)
    value: list[dict[str, Any]] = json.loads(found[-1])
    return value


def section_of(call: Call) -> str:
    """Return the text of the section that a call shows."""
    assert call.request is not None
    user = call.request.messages[-1][1]
    found = re.search(r"<<< ([0-9a-f]{12})\n(.*)\n\1 >>>", user, re.DOTALL)
    assert found is not None
    return found[2]


def replying(make: Callable[[list[dict[str, Any]], str], Any]) -> Callable[[Request], Answer]:
    """Return a rule that replies with JSON made of the items and the prompt."""
    return lambda request: json.dumps(make(items_of(request), request.prompt))


def section(identifier: str = "kind/s1", text: str | None = TEXT) -> dict[str, Any]:
    return {"section_id": identifier, "text_en": text}


def questions(
    number: int,
    identifier: str = "kind/s1",
    name: SetName = GOLD_SET,
) -> list[dict[str, Any]]:
    return [
        question_row(identifier, name, position, question=f"What is {position}?", references=["x"])
        for position in range(number)
    ]


def answer(
    position: int,
    text: str | None = "It is so.",
    *,
    student: str = "S",
    scenario: str = "",
    shown: str = "kind/s1",
) -> dict[str, Any]:
    name = f"answers_by_{student}_PRIMARY_to_GOLD_PRIMARY{scenario}"
    return {
        "answer_id": f"kind/s1/{name}#{position:03d}",
        "question_id": f"kind/s1/questions_by_GOLD_PRIMARY#{position:03d}",
        "shown_section_id": shown,
        "answer": text,
    }
