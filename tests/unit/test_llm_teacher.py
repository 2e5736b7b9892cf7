"""The Teacher that asks a language model: what it asks, and the rows that replies give."""

import json
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
    replying,
    section,
    section_of,
)
from tests.fake_llm_server import (
    FakeLlmServer,
    Request,
)

from sensemaking.baselines import llm_teacher
from sensemaking.baselines.llm_sections import Parsed
from sensemaking.llm import LanguageModel
from sensemaking.llm.calls import Call
from sensemaking.schemas import QUESTIONS

TEACHER = llm_teacher.teacher_prompt("teacher", PROMPTS)
WORDS = " ".join(f"w{number}" for number in range(100))


@pytest.fixture
def server() -> Iterator[FakeLlmServer]:
    with FakeLlmServer() as running:
        yield running


def test_spans_lie_equally_far_apart_from_the_beginning_to_the_end() -> None:
    spans = llm_teacher.cut_spans(WORDS, 4, 10)
    assert [span.split()[0] for span in spans] == ["w0", "w30", "w60", "w90"]
    assert [span.split()[-1] for span in spans] == ["w9", "w39", "w69", "w99"]


@pytest.mark.parametrize(
    ("text", "number", "span_words", "expected"),
    [
        ("a b c", 5, 50, ["a b c"]),
        ("a b c d", 9, 2, ["a b", "b c", "c d"]),
        ("a b c d e f", 9, 4, ["a b c d", "c d e f"]),
        ("a b c d e", 1, 3, ["b c d"]),
        ("", 3, 5, []),
        ("a\n  b", 1, 2, ["a\n  b"]),
    ],
)
def test_a_short_text_gives_fewer_spans(
    text: str, number: int, span_words: int, expected: list[str]
) -> None:
    assert llm_teacher.cut_spans(text, number, span_words) == expected


def ask_one_each(items: list[dict[str, Any]], prompt: str) -> Any:
    return {
        "questions": [
            {
                "id": item["id"],
                "question": f"What of {item['span'].split()[0]}?",
                "answers": [f"A{n}" for n in range(5)],
            }
            for item in items
        ]
    }


def teach(
    server: FakeLlmServer, folder: Path, sections: list[dict[str, Any]], **more: Any
) -> tuple[Parsed, list[Call]]:
    settings = model(server, **{k: v for k, v in more.items() if k in LanguageModel.model_fields})
    wanted = {"number": 4, "span_words": 10} | {
        k: v for k, v in more.items() if k not in LanguageModel.model_fields
    }
    calls = llm_teacher.prepare(sections, settings, TEACHER, **WHO, **wanted)
    return llm_teacher.parse(asked(settings, calls, folder), **WHO), calls


def test_a_teacher_asks_a_question_with_five_answers_about_each_span(
    server: FakeLlmServer, tmp_path: Path
) -> None:
    server.answer = replying(ask_one_each)
    parsed, calls = teach(server, tmp_path, [section(text=WORDS), section("kind/s2", None)])
    assert len(calls) == server.count == 1
    rows = back(QUESTIONS, parsed.rows, tmp_path)
    assert [row["question"] for row in rows] == [f"What of w{n}?" for n in (0, 30, 60, 90)]
    assert rows[2]["question_id"] == "kind/s1/questions_by_LLM_PRIMARY#002"
    assert rows[2]["references"] == ["A0", "A1", "A2", "A3", "A4"]
    assert {row["status"] for row in rows} == {"ok"}


def test_a_span_without_a_usable_question_has_a_row_that_says_why(
    server: FakeLlmServer, tmp_path: Path
) -> None:
    def some(items: list[dict[str, Any]], prompt: str) -> Any:
        full = ask_one_each(items, prompt)["questions"]
        full[1]["question"] = " "
        full[3]["answers"] = ["One.", "one.", " ", 7, "Two."]
        return [full[0], full[1], full[3], {"id": "zzz9", "question": "?", "answers": []}]

    server.answer = replying(some)
    parsed, _ = teach(server, tmp_path, [section(text=WORDS)])
    rows = back(QUESTIONS, parsed.rows, tmp_path)
    assert [row["status"] for row in rows] == ["ok", "unusable_item", "missing_item", "ok"]
    assert [row["question"] is None for row in rows] == [False, True, True, False]
    assert rows[3]["references"] == ["One.", "Two."]
    assert [finding.code for finding in parsed.findings] == ["unknown_id"]


def test_another_number_of_questions_without_ids_is_not_joined(
    server: FakeLlmServer, tmp_path: Path
) -> None:
    server.answer = lambda _: json.dumps([{"question": "Which?", "answers": ["x"]}] * 3)
    parsed, _ = teach(server, tmp_path, [section(text=WORDS)])
    assert {row["status"] for row in parsed.rows} == {"wrong_items"}
    assert [finding.message for finding in parsed.findings] == ["3 items for 4 ids"]


def test_too_few_answers_are_asked_for_again(server: FakeLlmServer, tmp_path: Path) -> None:
    def some(items: list[dict[str, Any]], prompt: str) -> Any:
        full = ask_one_each(items, prompt)
        del full["questions"][2]["answers"][5 if server.count > 1 else 3 :]
        return full

    server.answer = replying(some)
    parsed, _ = teach(server, tmp_path, [section(text=WORDS)], attempts=2)
    assert server.count == 2
    assert [len(row["references"]) for row in parsed.rows] == [5, 5, 5, 5]


def test_a_span_that_was_asked_about_twice_has_one_row_with_the_first_question() -> None:
    def raw(number: int, label: str, question: str | None) -> dict[str, Any]:
        return {
            "call": f"call@{number}",
            "section_id": "kind/s1",
            "items": ["kind/s1/questions_by_LLM_PRIMARY#000"],
            "labels": [label],
            "status": "ok",
            "reply": json.dumps(
                {"questions": [{"id": label, "question": question, "answers": []}]}
            ),
        }

    rows = [raw(0, "a", None), raw(1, "b", "First?"), raw(2, "c", "Second?"), raw(3, "d", "")]
    (row,) = llm_teacher.parse(rows, **WHO).rows
    assert (row["question"], row["status"]) == ("First?", "ok")


def test_the_parts_of_a_long_section_share_the_spans(server: FakeLlmServer, tmp_path: Path) -> None:
    server.answer = replying(ask_one_each)
    small = {"context_tokens": 3000, "max_tokens": 600, "number": 6}
    parsed, calls = teach(server, tmp_path, [section(text=LONG)], **small)
    shown = [section_of(call) for call in calls]
    assert len(set(shown)) > 1
    assert "".join("".join(dict.fromkeys(shown)).split()) == "".join(LONG.split())
    rows = back(QUESTIONS, parsed.rows, tmp_path)
    assert [row["position"] for row in rows] == list(range(len(rows)))
    assert 5 <= len(rows) <= 7
    assert {row["status"] for row in rows} == {"ok"}
    for call in calls:
        assert call.request is not None
        body = json.dumps({"messages": call.request.as_json()["messages"]}).encode()
        spans = [item["span"] for item in items_of(Request("", {}, body))]
        assert all(span in section_of(call) for span in spans)
