"""What a live run would send is known before anything is sent."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.fake_llm_server import FakeLlmServer

from sensemaking.llm import LanguageModel, session
from sensemaking.llm.calls import Call, ask_all
from sensemaking.llm.plan import describe, plan
from sensemaking.llm.request import make_request
from sensemaking.llm.settings import Price


@pytest.fixture
def server() -> Iterator[FakeLlmServer]:
    with FakeLlmServer() as running:
        yield running


def calls(model: LanguageModel, texts: list[str]) -> list[Call]:
    made = [
        Call(
            name=f"call{number}",
            section_id="s",
            items=("i",),
            labels=("l",),
            part=0,
            parts=1,
            prompt="p v1",
            request=make_request(model, [{"role": "user", "content": text}]),
            expected_tokens=50,
        )
        for number, text in enumerate(texts)
    ]
    too_long = Call("long", "s", ("i",), ("l",), 0, 1, "p v1", None)
    return [*made, too_long]


def test_a_plan_counts_what_is_missing_and_sends_nothing(
    server: FakeLlmServer, tmp_path: Path
) -> None:
    price = Price(input_per_million=2.0, output_per_million=10.0, currency="EUR")
    model = LanguageModel(id="m", model="m", base_url=server.base_url, max_tokens=100, price=price)
    journal = tmp_path / "j.jsonl"
    with session(model, journal=journal, mode="live-missing") as opened:
        ask_all(opened, calls(model, ["a" * 400]))
    assert server.count == 1
    with session(model, journal=journal) as opened:
        found = plan(opened, calls(model, ["a" * 400, "b" * 400, "c" * 400, "b" * 400]))
    assert server.count == 1
    assert (found.calls, found.recorded, found.repeated) == (5, 1, 1)
    assert (found.to_send, found.too_long) == (2, 1)
    # Two prompts of 400 letters: 8 + 400/4 tokens each; at most 8 + ⌈400/3⌉.
    assert (found.prompt_tokens, found.most_prompt_tokens) == (216, 284)
    assert (found.reply_tokens, found.most_reply_tokens) == (100, 200)
    assert found.cost == pytest.approx((216 * 2 + 100 * 10) / 1e6)
    assert found.most_cost == pytest.approx((284 * 2 + 200 * 10) / 1e6)
    assert "2 of 5 calls to send (1 recorded, 1 repeated, 1 too long)" in describe(found)
    assert "0.00 EUR" in describe(found)


def test_a_live_run_sends_everything_again(server: FakeLlmServer, tmp_path: Path) -> None:
    model = LanguageModel(id="m", model="m", base_url=server.base_url)
    journal = tmp_path / "j.jsonl"
    with session(model, journal=journal, mode="live-missing") as opened:
        ask_all(opened, calls(model, ["a"]))
    with session(model, journal=journal, mode="live") as opened:
        assert plan(opened, calls(model, ["a"])).to_send == 1


def test_without_a_price_there_is_no_cost_but_a_reason(
    server: FakeLlmServer, tmp_path: Path
) -> None:
    model = LanguageModel(id="m", model="m", base_url=server.base_url)
    with session(model) as opened:
        found = plan(opened, calls(model, ["a"]))
    assert (found.cost, found.most_cost, found.reason) == (None, None, "no_price")
    assert "no price in the configuration" in describe(found)
