"""The Student that asks a language model: what it asks, and the rows that replies give."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from llm_baselines import (
    LONG,
    PROMPTS,
    WHO,
    asked,
    back,
    items_of,
    model,
    questions,
    replying,
    section,
    section_of,
)
from tests.fake_llm_server import (
    Answer,
    Completion,
    FakeLlmServer,
    Request,
)

from sensemaking.baselines import llm_student
from sensemaking.baselines.llm_sections import Parsed
from sensemaking.ids import SetName
from sensemaking.llm import session
from sensemaking.llm.calls import Call, ask_all
from sensemaking.llm.tokens import estimate_tokens
from sensemaking.schemas import ANSWERS

STUDENT = llm_student.student_prompt("student", PROMPTS)


@pytest.fixture
def server() -> Iterator[FakeLlmServer]:
    with FakeLlmServer() as running:
        yield running


def answer_all(items: list[dict[str, Any]], prompt: str) -> Any:
    return {item["id"]: {"answer": f"To {item['question']}", "answerable": True} for item in items}


def study(
    server: FakeLlmServer,
    folder: Path,
    sections: list[dict[str, Any]],
    rows: list[dict[str, Any]],
    **more: Any,
) -> tuple[Parsed, list[Call]]:
    settings = model(server, **more)
    calls = llm_student.prepare(sections, rows, settings, STUDENT, **WHO)
    raw = asked(settings, calls, folder)
    return llm_student.parse(sections, rows, raw, **WHO), calls


def test_a_student_answers_all_questions_of_a_set_in_one_call(
    server: FakeLlmServer, tmp_path: Path
) -> None:
    server.answer = replying(answer_all)
    other = SetName("T", "PRIMARY", "W")
    rows = [*questions(3), *questions(2, name=other), *questions(1, "kind/s2")]
    parsed, calls = study(server, tmp_path, [section(), section("kind/s2", None)], rows[::-1])
    assert [len(call.items) for call in calls] == [3, 2]
    found = back(ANSWERS, parsed.rows, tmp_path)
    assert [row["status"] for row in found] == ["ok"] * 5 + ["no_text_en"]
    by_id = {row["answer_id"]: row for row in found}
    row = by_id["kind/s1/answers_by_LLM_PRIMARY_to_T_SHUFFLEDWPRIMARY#001"]
    assert (row["answer"], row["answerable"]) == ("To What is 1?", True)


def test_what_a_student_did_not_answer_has_the_right_reason(
    server: FakeLlmServer, tmp_path: Path
) -> None:
    def some(items: list[dict[str, Any]], prompt: str) -> Any:
        a, b, _, d, e = (item["id"] for item in items)
        return {
            a: {"answer": "Yes.", "answerable": "maybe"},
            b: {"answer": " ", "answerable": False},
            d: {"answer": 5, "answerable": True},
            e: "Only a text.",
            "zzz1": "x",
        }

    server.answer = replying(some)
    parsed, _ = study(server, tmp_path, [section()], questions(5))
    rows = back(ANSWERS, parsed.rows, tmp_path)
    assert [row["status"] for row in rows] == [
        "ok",
        "no_answer",
        "missing_item",
        "unusable_item",
        "ok",
    ]
    assert [row["answer"] for row in rows] == ["Yes.", None, None, None, "Only a text."]
    assert [row["answerable"] for row in rows] == [None, False, None, True, None]
    assert [finding.code for finding in parsed.findings] == ["unknown_id"]


def test_a_refusal_is_never_taken_for_an_answer(server: FakeLlmServer, tmp_path: Path) -> None:
    text = "I am sorry, I cannot help with that."
    server.answer = lambda _: Completion(text, message={"refusal": text})
    parsed, _ = study(server, tmp_path, [section()], questions(2))
    assert [(row["answer"], row["status"]) for row in parsed.rows] == [(None, "refusal")] * 2


def test_json_in_the_field_of_the_reasoning_is_read_and_flagged(
    server: FakeLlmServer, tmp_path: Path
) -> None:
    def hidden(request: Request) -> Answer:
        told = json.dumps(answer_all(items_of(request), ""))
        return Completion(None, message={"reasoning_content": told})

    server.answer = hidden
    parsed, calls = study(server, tmp_path, [section()], questions(1))
    assert parsed.rows[0]["answer"] == "To What is 0?"
    with session(model(server), journal=tmp_path / "journal.jsonl", strict=True) as opened:
        assert ask_all(opened, calls)[0]["notes"] == ["from_reasoning"]


def test_of_the_parts_of_a_text_the_first_that_holds_the_answer_counts(
    server: FakeLlmServer, tmp_path: Path
) -> None:
    def from_its_part(items: list[dict[str, Any]], prompt: str) -> Any:
        known = "Sentence number 119 " in prompt
        part = re.findall(r"Part (\d+) of", prompt)[0]
        return {
            item["id"]: {
                "answer": f"From part {part}.",
                "answerable": known and item["question"] == "What is 0?",
            }
            for item in items
        }

    server.answer = replying(from_its_part)
    small = {"context_tokens": 3000, "max_tokens": 400}
    parsed, calls = study(server, tmp_path, [section(text=LONG)], questions(2), **small)
    parts = calls[0].parts
    assert parts > 1
    assert len(calls) == parts
    for call in calls:
        assert call.request is not None
        prompt = sum(estimate_tokens(text) for _, text in call.request.messages)
        # 3000 tokens without the margin of a tenth and the limit of the reply.
        assert prompt <= 2700 - 400
    assert "".join("".join(map(section_of, calls)).split()) == "".join(LONG.split())
    assert [row["answer"] for row in parsed.rows] == [f"From part {parts}.", "From part 1."]
    assert [row["answerable"] for row in parsed.rows] == [True, False]


def test_a_question_that_is_longer_than_the_context_says_so_and_the_others_go_on(
    server: FakeLlmServer, tmp_path: Path
) -> None:
    server.answer = replying(answer_all)
    rows = questions(3)
    rows[1]["question"] = "Why " * 5000
    parsed, _ = study(server, tmp_path, [section()], rows, context_tokens=3000, max_tokens=400)
    assert [row["status"] for row in parsed.rows] == ["ok", "context_too_long", "ok"]
    assert server.count == 1
