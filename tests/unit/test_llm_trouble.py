"""An endpoint with every kind of trouble, and a key that appears nowhere."""

import itertools
import json
import traceback
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from tests.fake_llm_server import (
    Answer,
    Completion,
    Failure,
    FakeLlmServer,
    Request,
    Silence,
)

from sensemaking.jobs import logged
from sensemaking.baselines.llm_evaluator import evaluator_prompt, parse, prepare
from sensemaking.llm import LanguageModel, session
from sensemaking.llm.calls import ask_all
from sensemaking.llm.errors import ModelStoppedError

ROOT = Path(__file__).parents[2]
KEY = 'sk-live-"0123456789\\abcdef'
SECTIONS = 40
ANSWERS = 3


def rows() -> tuple[list[dict[str, Any]], list[dict[str, Any]], list[dict[str, Any]]]:
    """Return sections, questions and answers: three answers to each section."""
    names = [f"kind/section{number:02d}" for number in range(SECTIONS)]
    sections = [{"section_id": name, "text_en": f"Text of {name}. It is short."} for name in names]
    asked = [(name, position) for name in names for position in range(ANSWERS)]
    questions = [
        {"question_id": f"{name}/questions_by_GOLD_PRIMARY#{n:03d}", "question": f"Which {n}?"}
        for name, n in asked
    ]
    answers = [
        {
            "answer_id": f"{name}/answers_by_S_PRIMARY_to_GOLD_PRIMARY#{n:03d}",
            "question_id": f"{name}/questions_by_GOLD_PRIMARY#{n:03d}",
            "shown_section_id": name,
            "answer": f"Answer {n}.",
        }
        for name, n in asked
    ]
    return sections, questions, answers


def labels(request: Request) -> list[str]:
    schema = request.json["response_format"]["json_schema"]["schema"]
    return list(schema["properties"])


def in_turn(request: Request, turn: int) -> Answer:
    """Answer with the next kind of trouble, or with a good reply."""
    names = labels(request)
    good = json.dumps(dict.fromkeys(names, 4))
    kinds: list[Answer] = [
        Failure(429, {"message": f"slow down, {KEY}"}),
        Failure(500, {"message": f"key {KEY} crashed us"}),
        Completion(good[:-4], "length"),
        Completion(None, message={"refusal": f"I will not rate for {KEY}."}),
        f"<think>{names[0]} is fine, so 5.</think>{good}",
        json.dumps(dict.fromkeys(names[:-1], 3)),
        json.dumps([1] * (len(names) + 1)),
        None,
        Silence(0.25),
        b'{"choices": [{"message": {"content": "{',
        b"<html>Log in to the network first.</html>",
        Completion(good, "content_filter"),
        Completion(None, "tool_calls", {"tool_calls": [{"function": {"arguments": good}}]}),
        Completion([{"type": "thinking", "text": "5"}, {"type": "text", "text": good}]),
        good,
    ]
    return kinds[turn % len(kinds)]


@pytest.mark.parametrize("attempts", [1, 2])
def test_every_item_ends_with_a_value_or_a_status_and_the_counts_add_up(
    tmp_path: Path, attempts: int
) -> None:
    turns = itertools.count()
    sections, questions, answers = rows()
    who = {"team": "J", "submission": "PRIMARY", "grade_from": "reply"}
    with FakeLlmServer(lambda request: in_turn(request, next(turns))) as server:
        model = LanguageModel(
            id="m",
            model="m",
            base_url=server.base_url,
            tries=2,
            attempts=attempts,
            first_wait_s=0.001,
            longest_wait_s=0.01,
            timeout_s=0.2,
            concurrency=3,
        )
        prompt = evaluator_prompt("evaluator", [ROOT / "resources/prompts"])
        calls = prepare(sections, questions, answers, model, prompt, **who)
        assert len(calls) == SECTIONS
        with session(
            model,
            journal=tmp_path / "journal.jsonl",
            mode="live-missing",
            environment={"OPENAI_API_KEY": KEY},
        ) as opened:
            raw = ask_all(opened, calls)
            tally = opened.tally()
        sent = server.count
        with session(model, journal=tmp_path / "journal.jsonl", strict=True) as opened:
            replayed = ask_all(opened, calls)
            assert opened.tally().statuses == tally.statuses
        assert server.count == sent

    assert [row["call"] for row in raw] == [call.name for call in calls]
    assert tally.items == tally.asked == SECTIONS
    assert sum(tally.statuses.values()) == SECTIONS
    assert dict(Counter(row["status"] for row in raw)) == tally.statuses
    assert tally.sent == sent
    # With the same times, parameters and messages of failures.
    assert replayed == raw
    parsed = parse(sections, questions, answers, raw, **who)
    assert [row["answer_id"] for row in parsed.rows] == sorted(a["answer_id"] for a in answers)
    for row in parsed.rows:
        assert (row["rating"] is None) == (row["status"] != "ok")
        assert row["rating"] in (None, 60.0, 80.0)
    statuses = Counter(row["status"] for row in parsed.rows)
    assert statuses["ok"] > 0
    if attempts == 1:
        assert {"refusal", "truncated", "wrong_items", "missing_item"} <= set(statuses)
        assert {"content_filter", "empty_reply"} <= set(statuses)
        # Two items of three are kept of a reply that lacks one.
        assert statuses["missing_item"] * 2 == sum(row["rating"] == 60.0 for row in parsed.rows)
    _appears_nowhere(tmp_path)


def _appears_nowhere(folder: Path) -> None:
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert files
    for path in files:
        text = path.read_text(encoding="utf-8")
        for form in (KEY, json.dumps(KEY)[1:-1], "0123456789"):
            assert form not in text, path


def test_the_key_appears_in_no_file_and_no_exception(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    def echoing(request: Request) -> Answer:
        head = request.headers["authorization"]
        if "refuse" in request.prompt:
            return Failure(401, {"message": f"who is {head}?"}, {"x-echo": "1"})
        return Completion(
            f"You sent {head}.",
            message={"reasoning_content": head},
            usage={"prompt_tokens": 1, "note": head},
            model=head,
        )

    with FakeLlmServer(echoing) as server:
        model = LanguageModel(id="m", model="m", base_url=server.base_url)

        def job() -> None:
            with (
                logged(tmp_path / "logs" / "job.log") as log,
                session(
                    model,
                    journal=tmp_path / "journals" / "shard.jsonl",
                    mode="live-missing",
                    environment={"OPENAI_API_KEY": KEY},
                ) as opened,
            ):
                log.info("%s", opened.ask([{"role": "user", "content": "hello"}]))
                opened.ask([{"role": "user", "content": "refuse"}])

        with pytest.raises(ModelStoppedError) as caught:
            job()
        assert f"Bearer {KEY}" in [sent.headers["authorization"] for sent in server.requests]
    said = "".join(traceback.format_exception(caught.value)) + "".join(capfd.readouterr())
    assert "0123456789" not in said
    assert "[key]" in said
    _appears_nowhere(tmp_path)
