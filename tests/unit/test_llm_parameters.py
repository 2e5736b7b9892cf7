"""Parameters that an endpoint refuses are left out once, and the reply says so."""

import json
from dataclasses import replace
from typing import Any

import pytest
from pydantic import BaseModel

from sensemaking.llm.failures import from_status
from sensemaking.llm.parameters import Refused, parameters, shown
from sensemaking.llm.request import Request, make_request
from sensemaking.llm.settings import LanguageModel

MODEL = LanguageModel(
    id="m", model="m", temperature=0.0, top_p=0.9, seed=7, max_tokens=50, extra={"verbosity": "low"}
)
SCHEMA = {
    "type": "object",
    "properties": {"b": {}, "a": {}},
    "required": ["a", "b"],
    "additionalProperties": False,
}


def request(**more: Any) -> Request:
    messages = [{"role": "system", "content": "S"}, {"role": "user", "content": "U"}]
    return make_request(MODEL, messages, SCHEMA, logprobs=True, **more)


def refused(http_status: int, error: dict[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return parameters and notes of the call after one that failed."""
    names = Refused()
    sent, _ = parameters(request(), names)
    assert names.learn(from_status(http_status, {"error": error}), sent)
    return parameters(request(), names)


def test_everything_that_is_set_is_sent() -> None:
    sent, notes = parameters(request(), Refused())
    assert notes == ()
    assert {name: sent[name] for name in sent if name not in ("messages", "response_format")} == {
        "model": "m",
        "temperature": 0.0,
        "top_p": 0.9,
        "seed": 7,
        "max_tokens": 50,
        "verbosity": "low",
        "logprobs": True,
        "top_logprobs": 20,
    }
    assert sent["response_format"]["json_schema"]["strict"] is True
    assert list(sent["response_format"]["json_schema"]["schema"]["properties"]) == ["b", "a"]


class Loose(BaseModel):
    grade: int
    why: str = ""


class Inner(BaseModel, extra="forbid"):
    grade: int


class Closed(BaseModel, extra="forbid"):
    grades: list[Inner]


@pytest.mark.parametrize(
    ("schema", "strict"),
    [
        (SCHEMA, True),
        (Closed, True),
        (Loose, False),
        ({**SCHEMA, "required": ["a"]}, False),
        ({"type": "array", "items": {"type": "object"}}, False),
        ({"type": "array", "items": {"type": "string"}}, True),
    ],
)
def test_a_schema_is_strict_only_if_its_objects_have_just_their_properties(
    schema: Any, strict: bool
) -> None:
    asked = make_request(MODEL, [{"role": "user", "content": "U"}], schema)
    sent, _ = parameters(asked, Refused())
    assert sent["response_format"]["json_schema"]["strict"] is strict


@pytest.mark.parametrize(
    "error",
    [
        {"code": "unsupported_parameter", "param": "max_tokens"},
        {"message": "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."},
    ],
)
def test_max_tokens_is_sent_by_its_new_name(error: dict[str, Any]) -> None:
    sent, notes = refused(400, error)
    assert "max_tokens" not in sent
    assert sent["max_completion_tokens"] == 50
    assert notes == ("sent_max_completion_tokens",)


@pytest.mark.parametrize(
    ("http_status", "error", "name"),
    [
        (400, {"code": "unsupported_value", "param": "temperature"}, "temperature"),
        (400, {"message": "temperature: only the default (1) value is supported"}, "temperature"),
        (400, {"message": 'Unknown name "seed": Cannot find field.'}, "seed"),
        (422, {"message": "[{'loc': ['body', 'top_p'], 'msg': 'Extra inputs are not permitted'}]"},
         "top_p"),
        (400, {"message": "Unrecognized request argument supplied: verbosity"}, "verbosity"),
        (400, {"param": "logprobs", "message": "not for this model"}, "logprobs"),
        (400, {"message": "This model does not support logprobs"}, "logprobs"),
    ],
)  # fmt: skip
def test_a_refused_parameter_is_left_out_and_noted(
    http_status: int, error: dict[str, Any], name: str
) -> None:
    sent, notes = refused(http_status, error)
    assert name not in sent
    assert notes == (f"{name}_not_applied",)


def test_alternatives_are_not_asked_for_where_log_probabilities_are_refused() -> None:
    sent, _ = refused(400, {"param": "logprobs"})
    assert "top_logprobs" not in sent


@pytest.mark.parametrize(
    "error",
    [
        {"param": "response_format"},
        {"param": "response_format.json_schema.schema"},
        {"message": "json_schema is not supported by this model"},
        {"message": "Structured output is not supported"},
    ],
)
def test_a_refused_schema_goes_into_the_prompt_behind_what_was_there(
    error: dict[str, Any],
) -> None:
    sent, notes = refused(400, error)
    assert "response_format" not in sent
    assert notes == ("schema_in_prompt",)
    last = sent["messages"][-1]["content"]
    assert last.startswith("U\n")
    assert last.endswith(json.dumps(SCHEMA, separators=(",", ":")))
    assert sent["messages"][0]["content"] == "S"


@pytest.mark.parametrize(
    "error",
    [
        {"message": "messages: the role tool is not supported"},
        {
            "message": "max_tokens is too large: 50. At most 40 are supported.",
            "param": "max_tokens",
        },
        {"message": "top_logprobs must be between 0 and 5", "param": "top_logprobs"},
        {"message": "the seed of an idea"},
        {},
    ],
)
def test_what_no_parameter_was_refused_for_teaches_nothing(error: dict[str, Any]) -> None:
    names = Refused()
    sent, _ = parameters(request(), names)
    assert not names.learn(from_status(400, {"error": error}), sent)


def test_of_two_parameters_the_one_that_is_named_first_is_at_fault() -> None:
    sent, notes = refused(400, {"message": "top_p is not supported; use temperature instead"})
    assert ("top_p" in sent, "temperature" in sent) == (False, True)
    assert notes == ("top_p_not_applied",)


@pytest.mark.parametrize(
    "message", ["System role not supported", "Unexpected role 'system' in the chat template"]
)
def test_a_system_message_that_is_refused_goes_before_the_first_one(message: str) -> None:
    sent, notes = refused(400, {"message": message})
    assert sent["messages"] == [{"role": "user", "content": "S\n\nU"}]
    assert notes == ("system_message_in_first_message",)


def test_nothing_is_learnt_twice_so_that_no_call_repeats_for_ever() -> None:
    names = Refused()
    failure = from_status(400, {"error": {"param": "temperature"}})
    sent, _ = parameters(request(), names)
    assert names.learn(failure, sent)
    sent, _ = parameters(request(), names)
    assert not names.learn(failure, sent)
    longer = from_status(400, {"error": {"param": "max_completion_tokens"}})
    names.learn(from_status(400, {"error": {"param": "max_tokens"}}), sent)
    sent, _ = parameters(request(), names)
    assert not names.learn(longer, sent)


def test_a_model_without_schemas_gets_them_in_the_prompt_from_the_start() -> None:
    sent, notes = parameters(replace(request(), schema_in_prompt=True), Refused())
    assert "response_format" not in sent
    assert notes == ("schema_in_prompt",)


def test_a_reply_keeps_what_was_sent_but_not_the_messages() -> None:
    sent, _ = parameters(request(), Refused())
    assert shown(sent)["response_format"] == "json_schema"
    assert "messages" not in shown(sent)
