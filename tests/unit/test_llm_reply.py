"""What can be said of a reply before it is parsed."""

import json
from typing import Any

import pytest

from sensemaking.llm.reply import (
    FROM_REASONING,
    PROMPT_LOOKS_CUT,
    WHOLE_AT_LIMIT,
    Reply,
    Usage,
    is_response,
    judged,
    read_reply,
)
from sensemaking.llm.request import Logprobs


def reply(
    message: dict[str, Any] | None,
    finish_reason: str | None = "stop",
    *,
    expects_json: bool = True,
    logprobs: Any = None,
    keep: Logprobs | None = None,
    usage: Any = None,
    prompt_bytes: int = 100,
) -> Reply:
    choice = {"message": message, "finish_reason": finish_reason, "logprobs": logprobs}
    return read_reply(
        {"choices": [choice], "usage": usage, "model": "m-1"},
        "k",
        expects_json=expects_json,
        logprobs=keep,
        prompt_bytes=prompt_bytes,
        parameters={"temperature": 0},
    )


@pytest.mark.parametrize(
    ("content", "status"),
    [
        ('{"ratings": [80, 75, 9', "truncated"),
        (None, "truncated"),
        ("", "truncated"),
        ("[80, 75, 9", "truncated"),
        # A number alone may have lost digits.
        ("9", "truncated"),
        ("<think>80 or 75", "truncated"),
        ('```json\n{"ratings": [80, 75', "truncated"),
    ],
)
def test_a_reply_that_was_cut_is_truncated_and_never_parsed(
    content: str | None, status: str
) -> None:
    found = reply({"content": content}, "length")
    assert (found.status, found.data, found.text) == (status, None, None)


def test_a_cut_reply_counts_if_its_json_is_whole_and_says_so() -> None:
    found = reply({"content": '{"ratings": [80, 75, 90]}'}, "length")
    assert (found.status, found.data) == ("ok", {"ratings": [80, 75, 90]})
    assert found.notes == (WHOLE_AT_LIMIT,)


def test_free_text_that_was_cut_is_never_used() -> None:
    assert reply({"content": "A whole sentence."}, "length", expects_json=False).text is None


@pytest.mark.parametrize("reason", ["max_tokens", "MAX_TOKENS", "model_length"])
def test_other_words_for_the_limit_are_known(reason: str) -> None:
    assert reply({"content": '{"a": [1'}, reason).status == "truncated"


@pytest.mark.parametrize(
    "message",
    [
        {"content": None, "refusal": "I am sorry, I cannot help with that."},
        {
            "content": "I am sorry, I cannot help with that.",
            "refusal": "I am sorry, I cannot help with that.",
        },
        {"content": '{"answers": ["24"]}', "refusal": "No."},
        {"content": [{"type": "refusal", "refusal": "No."}]},
    ],
)
def test_a_refusal_is_a_status_of_its_own_and_no_answer(message: dict[str, Any]) -> None:
    found = reply(message)
    assert (found.status, found.data, found.text) == ("refusal", None, None)


def test_an_empty_refusal_field_is_no_refusal() -> None:
    assert reply({"content": "[1]", "refusal": ""}).status == "ok"


def test_json_in_the_reasoning_field_is_recovered_and_flagged() -> None:
    found = reply({"content": None, "reasoning_content": '{"answers": ["24"]}'})
    assert (found.status, found.data) == ("ok", {"answers": ["24"]})
    assert found.notes == (FROM_REASONING,)


def test_prose_in_the_reasoning_field_is_no_reply() -> None:
    assert reply({"content": None, "reasoning": "Let me see: 24."}).status == "empty_reply"


def test_reasoning_never_stands_in_for_free_text() -> None:
    found = reply({"content": "", "reasoning_content": "[1]"}, expects_json=False)
    assert (found.status, found.text) == ("empty_reply", None)


@pytest.mark.parametrize("message", [{"content": ""}, {"content": " \n"}, {}, None])
def test_no_content_is_an_empty_reply(message: dict[str, Any] | None) -> None:
    assert reply(message).status == "empty_reply"


@pytest.mark.parametrize("content", ["Half", '{"a": 1}', "", None])
@pytest.mark.parametrize("reason", ["content_filter", "SAFETY"])
def test_a_filtered_reply_is_no_refusal_and_never_used(content: str | None, reason: str) -> None:
    found = reply({"content": content}, reason)
    assert (found.status, found.data, found.text) == ("content_filter", None, None)


def test_prose_where_json_was_asked_for_is_unreadable() -> None:
    assert reply({"content": "I would say four."}).status == "unreadable_reply"


@pytest.mark.parametrize(
    "content",
    [
        '<think>first {"a": 2}?</think>{"a": 1}',
        'so {"a": 2}? no</think>\n{"a": 1}',
        '{"a": 1}',
        '```json\n{"a": 1}\n```',
    ],
)
def test_thoughts_and_fences_around_json_are_passed_over(content: str) -> None:
    assert reply({"content": content}).data == {"a": 1}


def test_the_end_of_a_thought_within_a_json_text_ends_nothing() -> None:
    content = '{"a": "</think>{\\"a\\": 5}"}'
    assert reply({"content": content}).data == {"a": '</think>{"a": 5}'}


def test_a_thought_is_no_part_of_free_text() -> None:
    found = reply({"content": "<think>hm</think> Yes."}, expects_json=False)
    assert found.text == "Yes."
    assert reply({"content": "<think>hm"}, expects_json=False).status == "empty_reply"


def test_a_content_in_parts_is_joined() -> None:
    found = reply({"content": [{"type": "text", "text": '{"a"'}, {"type": "text", "text": ": 1}"}]})
    assert found.data == {"a": 1}


@pytest.mark.parametrize("kind", ["reasoning", "thinking"])
def test_a_thought_among_the_parts_of_a_content_is_no_part_of_the_reply(kind: str) -> None:
    parts = [{"type": kind, "text": '{"a": 2}', kind: [{"text": '{"a": 2}'}]}, {"text": '{"a": 1}'}]
    assert reply({"content": parts}).data == {"a": 1}


@pytest.mark.parametrize("expects_json", [True, False])
@pytest.mark.parametrize(
    "message",
    [
        {"content": None, "tool_calls": [{"function": {"name": "reply", "arguments": "[1]"}}]},
        {"content": "", "function_call": {"name": "reply", "arguments": "[1]"}},
        {"content": [{"type": "tool_use", "input": {"a": 1}}]},
    ],
)
def test_calls_of_tools_in_place_of_a_content_are_an_empty_reply(
    message: dict[str, Any], expects_json: bool
) -> None:
    found = reply(message, "tool_calls", expects_json=expects_json)
    assert (found.status, found.data, found.text) == ("empty_reply", None, None)


def test_halves_of_surrogate_pairs_are_replaced_so_that_replies_can_be_stored() -> None:
    found = reply({"content": "x\ud83d"}, expects_json=False)
    assert found.content == "x\ufffd"
    assert json.dumps(found.content, ensure_ascii=False).encode()


def test_usage_is_kept_where_it_is_a_number() -> None:
    usage = {
        "prompt_tokens": 12,
        "completion_tokens": "7",
        "prompt_tokens_details": {"cached_tokens": 8},
        "completion_tokens_details": None,
    }
    assert reply({"content": "[1]"}, usage=usage).usage == Usage(12, None, None, 8)


def test_far_too_few_prompt_tokens_are_noted_since_the_prompt_may_have_been_cut() -> None:
    few, many = {"prompt_tokens": 100}, {"prompt_tokens": 900}
    assert PROMPT_LOOKS_CUT in reply({"content": "[1]"}, usage=few, prompt_bytes=4000).notes
    assert PROMPT_LOOKS_CUT not in reply({"content": "[1]"}, usage=many, prompt_bytes=4000).notes


def test_alternatives_are_kept_where_the_pattern_says() -> None:
    entries = [
        {"token": ' "a', "logprob": -0.1, "top_logprobs": [{"token": "b", "logprob": -3.0}]},
        {
            "token": "4",
            "logprob": -0.25,
            "top_logprobs": [
                {"token": "4", "logprob": -0.25},
                {"token": " ", "logprob": -2.0},
                {"token": "5", "logprob": float("-inf")},
                {"token": "3", "logprob": None},
            ],
        },
    ]
    found = reply({"content": "[1]"}, logprobs={"content": entries}, keep=Logprobs(5, "[0-9]"))
    assert found.tokens is not None
    assert [token.alternatives for token in found.tokens] == [(), (("4", -0.25),)]


@pytest.mark.parametrize("logprobs", [None, {}, {"content": None}, {"content": [{"x": 1}]}, []])
def test_log_probabilities_in_no_known_form_are_none(logprobs: Any) -> None:
    assert reply({"content": "[1]"}, logprobs=logprobs, keep=Logprobs(5)).tokens is None


@pytest.mark.parametrize("body", [None, [], "x", {}, {"choices": []}, {"choices": [None]}])
def test_what_has_no_choice_is_no_response(body: Any) -> None:
    assert not is_response(body)


def test_a_status_is_said_anew_from_what_came() -> None:
    stored = Reply("k", "unreadable_reply", content='{"a": 1}', expects_json=True, notes=("x",))
    assert judged(stored).status == "ok"
    assert judged(judged(stored)).notes == ("x",)
