"""What a failed call means."""

from typing import Any

import pytest

from sensemaking.llm.failures import from_status


@pytest.mark.parametrize(
    ("http_status", "status"),
    [
        (408, "timeout"),
        (409, "server_error"),
        (425, "server_error"),
        (429, "rate_limited"),
        (500, "server_error"),
        (502, "server_error"),
        (503, "server_error"),
        (504, "timeout"),
        (529, "server_error"),
    ],
)
def test_what_passes_is_sent_again(http_status: int, status: str) -> None:
    failure = from_status(http_status, {"error": {"message": "busy"}}, 2.0)
    assert (failure.status, failure.again, failure.stop) == (status, True, None)
    assert failure.wait_s == 2.0


@pytest.mark.parametrize(
    ("http_status", "error", "reason"),
    [
        (401, {"message": "Incorrect API key"}, "credentials"),
        (403, {"message": "Not allowed"}, "credentials"),
        (400, {"message": "API key not valid. Please pass a valid API key."}, "credentials"),
        (402, {"message": "Payment required"}, "no_credit"),
        (429, {"message": "You have no quota", "code": "insufficient_quota"}, "no_credit"),
        (429, {"message": "Insufficient balance"}, "no_credit"),
        (404, {"message": "The model `x` does not exist", "code": "model_not_found"}, "not_found"),
        (405, {}, "not_found"),
    ],
)
def test_what_no_other_call_can_mend_stops_everything(
    http_status: int, error: dict[str, Any], reason: str
) -> None:
    failure = from_status(http_status, {"error": error})
    assert (failure.stop, failure.again) == (reason, False)


@pytest.mark.parametrize(
    ("http_status", "error"),
    [
        (400, {"code": "context_length_exceeded"}),
        (400, {"message": "This model's maximum context length is 8192 tokens."}),
        (400, {"type": "exceed_context_size_error", "code": 400, "message": "try increasing it"}),
        (400, {"message": "prompt is too long: 210000 tokens > 200000 maximum"}),
        (400, {"message": "The input token count (9) exceeds the maximum number of tokens"}),
        (413, {"message": "Request Entity Too Large"}),
        (422, {"message": "Please reduce the length of the messages."}),
    ],
)
def test_a_prompt_that_is_too_long_is_not_sent_again(
    http_status: int, error: dict[str, Any]
) -> None:
    failure = from_status(http_status, {"error": error})
    assert (failure.status, failure.again, failure.stop) == ("context_too_long", False, None)


@pytest.mark.parametrize(
    "error",
    [
        {"code": "content_filter", "message": "filtered"},
        {"code": None, "innererror": {"code": "ResponsibleAIPolicyViolation"}},
    ],
)
def test_a_prompt_that_is_filtered_is_the_items_own_fault(error: dict[str, Any]) -> None:
    failure = from_status(400, {"error": error})
    assert (failure.status, failure.again, failure.stop) == ("content_filter", False, None)


@pytest.mark.parametrize("http_status", [400, 418, 422])
def test_any_other_fault_of_the_request_is_not_sent_again(http_status: int) -> None:
    failure = from_status(http_status, {"error": {"message": "no"}})
    assert (failure.status, failure.again, failure.stop) == ("bad_request", False, None)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"error": {"message": "slow\n down"}}, "HTTP 429: slow down"),
        ({"error": "slow down"}, "HTTP 429: slow down"),
        ({"detail": "slow down"}, "HTTP 429: slow down"),
        ([{"error": {"message": "slow down"}}], "HTTP 429: slow down"),
        ("<html>slow</html>", "HTTP 429: <html>slow</html>"),
        (None, "HTTP 429: no message"),
    ],
)
def test_a_message_is_found_in_any_form_of_body(body: Any, said: str) -> None:
    assert from_status(429, body).message == said
