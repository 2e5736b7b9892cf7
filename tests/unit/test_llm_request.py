"""The key of a request holds all that can change the reply."""

from typing import Any

import pytest
from pydantic import BaseModel

from sensemaking.llm.models import QWEN
from sensemaking.llm.request import Request, make_request
from sensemaking.llm.settings import LanguageModel

MESSAGES = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Where?"}]
SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}}


def model(**more: Any) -> LanguageModel:
    return LanguageModel(**({"id": "m", "model": "m", "seed": 3} | more))


def request(settings: LanguageModel | None = None, **more: Any) -> Request:
    arguments = {"messages": MESSAGES, "schema": SCHEMA} | more
    return make_request(settings or model(), **arguments)


OTHERS = {
    "model": request(model(model="other")),
    "endpoint": request(model(base_url="https://llm.example/v1")),
    "revision": request(model(revision="2026-01")),
    "temperature": request(model(temperature=0.5)),
    "no temperature": request(model(temperature=None)),
    "top_p": request(model(top_p=0.5)),
    "seed": request(model(seed=4)),
    "limit": request(model(max_tokens=100)),
    "limit of a call": request(max_tokens=101),
    "extra": request(model(extra={"reasoning_effort": "low"})),
    "schema in prompt": request(model(json_schema=False)),
    "no schema": request(schema=None),
    "order of properties": request(
        schema={"type": "object", "properties": dict(reversed(SCHEMA["properties"].items()))}
    ),
    "log-probabilities": request(logprobs=True),
    "fewer of them": request(model(top_logprobs=5), logprobs=True),
    "others of them": request(logprobs=True, logprobs_at="[0-9]"),
    "role": request(messages=[MESSAGES[0] | {"role": "developer"}, MESSAGES[1]]),
    "text": request(messages=[MESSAGES[0], MESSAGES[1] | {"content": "Where? "}]),
    "order": request(messages=MESSAGES[::-1]),
    "attempt": request().again(model(), max_tokens=2048),
}


def test_whatever_can_change_the_reply_changes_the_key() -> None:
    keys = [request().key, *(other.key for other in OTHERS.values())]
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize(
    "more",
    [
        {"id": "other"},
        {"api_key_env": "OTHER"},
        {"tries": 2},
        {"timeout_s": 5.0},
        {"concurrency": 9},
        {"context_tokens": 100_000},
        {"attempts": 5},
        {"base_url": "https://api.openai.com/v1/"},
    ],
)
def test_what_cannot_change_the_reply_changes_no_key(more: dict[str, Any]) -> None:
    assert request(model(**more)).key == request().key


def test_the_key_is_the_same_in_every_run() -> None:
    assert request().key == "2e71512150a2a4b0515d5852ca9017463316fc70a997063505b5e3cba496fceb"


@pytest.mark.parametrize("name", OTHERS)
def test_a_request_comes_back_from_json(name: str) -> None:
    back = Request.from_json(OTHERS[name].as_json())
    assert back == OTHERS[name]
    assert back.key == OTHERS[name].key


def test_the_next_attempt_is_warmer_and_has_the_next_seed() -> None:
    again = request().again(model(retry_temperature=0.7), max_tokens=99)
    assert (again.attempt, again.temperature, again.seed, again.max_tokens) == (1, 0.7, 4, 99)
    hot = request(model(temperature=1.2, seed=None)).again(model(), max_tokens=99)
    assert (hot.temperature, hot.seed) == (1.2, None)
    own = request(model(temperature=None)).again(model(), max_tokens=99)
    assert own.temperature is None


def test_a_pydantic_model_is_a_schema() -> None:
    class Verdict(BaseModel):
        best: str

    schema = request(schema=Verdict).as_json()["schema"]
    assert schema["properties"]["best"]["type"] == "string"
    assert schema["required"] == ["best"]


def test_a_local_model_is_known_by_its_weights() -> None:
    local = {"model": QWEN.name, "base_url": "local"}
    assert request(model(**local)).revision == QWEN.sha256
    assert request(model(**local, threads=2)).revision == f"{QWEN.sha256} threads=2"
    assert request(model(threads=2)).revision is None


def test_halves_of_surrogate_pairs_are_replaced_before_anything_is_sent() -> None:
    sent = request(messages=[{"role": "user", "content": "a\ud83db\U0001f600"}])
    assert sent.messages == (("user", "a\ufffdb\U0001f600"),)


@pytest.mark.parametrize(
    ("messages", "error", "said"),
    [
        ("hello", TypeError, "list of messages"),
        ([], ValueError, "no message"),
        ([{"role": "robot", "content": "x"}], ValueError, "'robot'"),
        ([{"role": "user", "content": " "}], ValueError, "no text"),
        ([{"role": "user"}], ValueError, "no text"),
    ],
)
def test_messages_that_ask_nothing_are_refused(
    messages: Any, error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        request(messages=messages)
