"""The real client against an endpoint on the loopback interface."""

import time
from collections.abc import Iterator
from email.utils import formatdate
from typing import Any

import pytest
from tests.fake_llm_server import Answer, Completion, FakeLlmServer, Silence, token_logprobs
from tests.fake_llm_server import Failure as Fault

from sensemaking.llm.client import Client
from sensemaking.llm.credentials import key_of
from sensemaking.llm.errors import ModelStoppedError
from sensemaking.llm.failures import Failure
from sensemaking.llm.reply import Reply
from sensemaking.llm.request import Request, make_request
from sensemaking.llm.settings import LanguageModel

KEY = "sk-0123456789-secret"


@pytest.fixture
def server() -> Iterator[FakeLlmServer]:
    with FakeLlmServer() as running:
        yield running


def model(server: FakeLlmServer, **more: Any) -> LanguageModel:
    settings = {"tries": 3, "first_wait_s": 0.001, "longest_wait_s": 0.01, "timeout_s": 0.3}
    return LanguageModel(id="m", model="m", base_url=server.base_url, **(settings | more))


def request(settings: LanguageModel, text: str = "hello", **more: Any) -> Request:
    return make_request(settings, [{"role": "user", "content": text}], **more)


def ask(server: FakeLlmServer, *answers: Answer, **more: Any) -> tuple[Reply | Failure, int]:
    """Return the outcome of a request to which the server answers so, and the calls sent."""
    settings = model(server, **more)
    server.then(*answers)
    with Client(settings, KEY, server.base_url) as client:
        return client.ask(request(settings)), client.sent


def test_a_reply_is_returned_with_usage_and_seconds(server: FakeLlmServer) -> None:
    reply, sent = ask(server, Completion("Yes.", usage={"prompt_tokens": 5}))
    assert isinstance(reply, Reply)
    assert (reply.text, reply.usage.prompt_tokens, sent) == ("Yes.", 5, 1)
    assert reply.seconds >= 0
    assert (reply.model, reply.parameters["temperature"]) == ("fake-model-2026", 0.0)
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize(
    "trouble",
    [
        Fault(429),
        Fault(500),
        Fault(503),
        None,
        Silence(0.6),
        b'{"choices": [{"mess',
        b"<html>bad gateway</html>",
        b'{"choices": []}',
        b'{"error": {"code": 502, "message": "upstream"}}',
        Completion("half", "error"),
    ],
)
def test_passing_trouble_is_got_over(server: FakeLlmServer, trouble: Answer) -> None:
    reply, sent = ask(server, trouble, "Yes.")
    assert isinstance(reply, Reply)
    assert (reply.text, sent, server.count) == ("Yes.", 2, 2)


@pytest.mark.parametrize(
    ("trouble", "status"),
    [
        (Fault(429), "rate_limited"),
        (Fault(500), "server_error"),
        (None, "no_connection"),
        (Silence(0.6), "timeout"),
        (b"{", "malformed_response"),
    ],
)
def test_lasting_trouble_ends_after_all_tries(
    server: FakeLlmServer, trouble: Answer, status: str
) -> None:
    failure, sent = ask(server, *[trouble] * 3)
    assert isinstance(failure, Failure)
    assert (failure.status, sent, server.count) == (status, 3, 3)


@pytest.mark.parametrize(
    ("fault", "status"),
    [
        (Fault(400, {"message": "no"}), "bad_request"),
        (Fault(400, {"code": "context_length_exceeded"}), "context_too_long"),
        (Fault(400, {"code": "content_filter"}), "content_filter"),
    ],
)
def test_what_would_fail_again_is_sent_once(
    server: FakeLlmServer, fault: Fault, status: str
) -> None:
    failure, sent = ask(server, fault)
    assert isinstance(failure, Failure)
    assert (failure.status, sent) == (status, 1)


@pytest.mark.parametrize(
    ("fault", "reason", "advice"),
    [
        (Fault(401, {"message": f"bad key {KEY}"}), "credentials", "OPENAI_API_KEY"),
        (Fault(403), "credentials", "OPENAI_API_KEY"),
        (Fault(404, {"message": "no such model"}), "not_found", "base_url and model"),
        (Fault(429, {"code": "insufficient_quota"}), "no_credit", "credit"),
    ],
)
def test_what_stops_everything_says_what_to_do_and_not_the_key(
    server: FakeLlmServer, fault: Fault, reason: str, advice: str
) -> None:
    with pytest.raises(ModelStoppedError, match=advice) as caught:
        ask(server, fault)
    assert caught.value.reason == reason
    assert KEY not in str(caught.value)
    assert (server.count, caught.value.__cause__, caught.value.__context__) == (1, None, None)


def test_an_endpoint_that_is_not_there_is_no_connection() -> None:
    with FakeLlmServer() as gone:
        settings = model(gone)
    with Client(settings, None, settings.base_url) as client:
        failure = client.ask(request(settings))
    assert isinstance(failure, Failure)
    assert failure.status == "no_connection"


def test_the_wait_is_the_one_that_the_endpoint_asks_for(server: FakeLlmServer) -> None:
    busy = Fault(429, headers={"Retry-After": "0.3"})
    begin = time.monotonic()
    ask(server, busy, "Yes.", longest_wait_s=5.0)
    assert time.monotonic() - begin >= 0.3


@pytest.mark.parametrize(
    ("headers", "low", "high"),
    [
        ({"Retry-After": "7"}, 7, 7),
        ({"Retry-After": "0.25"}, 0.25, 0.25),
        ({"Retry-After": "7", "Retry-After-Ms": "1500"}, 1.5, 1.5),
        ({"Retry-After": formatdate(time.time() + 3600, usegmt=True)}, 3000, 3600),
        # The same without a zone, which is UTC wherever this machine is.
        ({"Retry-After": formatdate(time.time() + 3600)}, 3000, 3600),
        ({"Retry-After": formatdate(time.time() - 3600, usegmt=True)}, 0, 0),
        ({"Retry-After": "-5"}, 0, 0),
    ],
)
def test_the_wait_is_read_in_seconds_and_as_a_date(
    server: FakeLlmServer,
    headers: dict[str, str],
    low: float,
    high: float,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    failure, _ = ask(server, Fault(429, headers=headers), tries=1)
    monkeypatch.undo()
    time.tzset()
    assert isinstance(failure, Failure)
    assert failure.wait_s is not None
    assert low <= failure.wait_s <= high


def test_a_page_of_a_proxy_is_no_reply_though_its_status_is_200(server: FakeLlmServer) -> None:
    page = b"<!DOCTYPE html><html><body>Log in to the network</body></html>"
    failure, _ = ask(server, page, page, page)
    assert isinstance(failure, Failure)
    assert failure.status == "malformed_response"
    assert "Log in to the network" in failure.message


def test_the_longest_wait_is_kept_whatever_the_endpoint_asks_for(server: FakeLlmServer) -> None:
    for value in ("86400", "inf", "Fri, 31 Dec 2100 23:59:59 GMT", "soon"):
        busy = Fault(429, headers={"Retry-After": value})
        reply, _ = ask(server, busy, "Yes.")
        assert isinstance(reply, Reply)


def test_a_client_that_is_stopping_does_not_wait_for_another_try(server: FakeLlmServer) -> None:
    settings = model(server, first_wait_s=60.0, longest_wait_s=60.0)
    server.then(Fault(500), "Yes.")
    with Client(settings, KEY, server.base_url) as client:
        client.stopping.set()
        failure = client.ask(request(settings))
    assert isinstance(failure, Failure)
    assert server.count == 1


def test_a_refused_parameter_is_remembered_for_later_calls(server: FakeLlmServer) -> None:
    settings = model(server)
    server.then(
        Fault(400, {"code": "unsupported_parameter", "param": "max_tokens"}),
        Fault(400, {"code": "unsupported_value", "param": "temperature"}),
    )
    with Client(settings, KEY, server.base_url) as client:
        first, second = client.ask(request(settings)), client.ask(request(settings, "again"))
    assert server.count == 4
    assert isinstance(first, Reply)
    assert isinstance(second, Reply)
    for reply in (first, second):
        assert "temperature" not in reply.parameters
        assert reply.parameters["max_completion_tokens"] == 2048
        assert set(reply.notes) == {"temperature_not_applied", "sent_max_completion_tokens"}


def test_further_parameters_are_sent_at_the_top_of_the_request(server: FakeLlmServer) -> None:
    ask(server, extra={"reasoning_effort": "low", "chat_template_kwargs": {"thinking": False}})
    sent = server.requests[0].json
    assert sent["reasoning_effort"] == "low"
    assert sent["chat_template_kwargs"] == {"thinking": False}


def test_log_probabilities_are_read(server: FakeLlmServer) -> None:
    settings = model(server)
    server.then(Completion("A", logprobs=token_logprobs([("A", {"A": -0.5, "B": -1.0})])))
    with Client(settings, KEY, server.base_url) as client:
        reply = client.ask(request(settings, logprobs=True))
    assert isinstance(reply, Reply)
    assert reply.tokens is not None
    assert reply.tokens[0].alternatives == (("A", -0.5), ("B", -1.0))


def test_tokens_that_joined_are_the_key_are_not_kept(server: FakeLlmServer) -> None:
    settings = model(server)
    pieces = [("I ", {"I ": -0.1}), (KEY[:6], {KEY[:6]: -0.1}), (KEY[6:], {KEY[6:]: -0.1})]
    server.then(Completion(f"I {KEY}", logprobs=token_logprobs(pieces)))
    with Client(settings, KEY, server.base_url) as client:
        reply = client.ask(request(settings, logprobs=True))
    assert isinstance(reply, Reply)
    assert (reply.text, reply.tokens) == ("I [key]", None)


def test_a_proxy_of_the_environment_is_not_asked_for_this_machine(
    server: FakeLlmServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    reply, _ = ask(server, "Yes.")
    assert isinstance(reply, Reply)


def remote(**more: Any) -> LanguageModel:
    return LanguageModel(id="m", model="m", base_url="https://llm.example/v1", **more)


def test_a_missing_key_is_said_before_anything_is_sent() -> None:
    with pytest.raises(ModelStoppedError, match="MY_KEY is not set"):
        key_of(remote(api_key_env="MY_KEY"), {"OPENAI_API_KEY": KEY})


def test_white_space_around_a_key_is_no_part_of_it() -> None:
    assert key_of(remote(), {"OPENAI_API_KEY": f" {KEY}\n"}) == KEY


@pytest.mark.parametrize("key", ["sk-one two", "sk-\u0441ecret-key", "sk-one\nsk-two"])
def test_a_key_that_cannot_be_sent_is_refused_and_not_shown(key: str) -> None:
    with pytest.raises(ModelStoppedError, match="white space or characters") as caught:
        key_of(remote(), {"OPENAI_API_KEY": key})
    assert key not in str(caught.value)


def test_an_endpoint_that_needs_no_key_gets_none(server: FakeLlmServer) -> None:
    assert key_of(remote(api_key_env=None), {"OPENAI_API_KEY": KEY}) is None
    assert key_of(model(server), {}) is None
