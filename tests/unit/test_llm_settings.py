"""The settings of a language model."""

from typing import Any

import pytest
from pydantic import ValidationError

from sensemaking.llm.settings import LanguageModel


def model(**more: Any) -> LanguageModel:
    return LanguageModel(**({"id": "m", "model": "m"} | more))


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"base_url": "https://user:hunter22@llm.example/v1"}, "holds a user name"),
        ({"base_url": "https://llm.example/v1?api_key=hunter22"}, "a query"),
        ({"base_url": "http://llm.example/v1"}, "unencrypted"),
        ({"base_url": "llm.example"}, "is no address"),
        ({"extra": {"api_key": "hunter22"}}, "looks like a secret"),
        ({"extra": {"Authorization": "hunter22"}}, "looks like a secret"),
        ({"extra": {"temperature": 1}}, "a key of its own"),
        ({"extra": {"headers": {"x-api-key": "hunter22"}}}, "looks like a secret"),
        ({"max_tokens": 8000, "context_tokens": 8192}, "no room for a prompt"),
        ({"temperature": float("nan")}, "finite"),
        ({"top_logprobs": 21}, "less than or equal to 20"),
    ],
)
def test_settings_that_would_leak_or_fail_are_refused(more: dict[str, Any], said: str) -> None:
    with pytest.raises(ValidationError, match=said) as caught:
        model(**more)
    assert "hunter22" not in str(caught.value)


def test_an_endpoint_without_a_key_may_be_unencrypted() -> None:
    assert model(base_url="http://gpu:8000/v1/", api_key_env=None).base_url == "http://gpu:8000/v1"


@pytest.mark.parametrize(
    ("base_url", "name"),
    [
        ("https://api.openai.com/v1/", "api.openai.com/v1"),
        ("http://127.0.0.1:8080/v1", "local"),
        ("http://localhost:9090/v1", "local"),
        ("http://[::1]:9/v1", "local"),
        ("local", "local"),
    ],
)
def test_ports_of_this_machine_are_one_endpoint(base_url: str, name: str) -> None:
    assert model(base_url=base_url).endpoint_name == name
    assert model(base_url=base_url, endpoint="mine").endpoint_name == "mine"


def test_the_margin_is_left_free() -> None:
    assert model(context_tokens=1000, margin=0.25, max_tokens=10).usable_tokens == 750
