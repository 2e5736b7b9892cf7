"""A session asks once, keeps everything, and gives every item a status."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel
from tests.fake_llm_server import Completion, Failure, FakeLlmServer

from sensemaking.llm import LanguageModel, ask, session
from sensemaking.llm.checks import Verdict
from sensemaking.llm.errors import ModelStoppedError, NoSessionError, NotRecordedError
from sensemaking.llm.pool import each
from sensemaking.llm.reply import Reply

SCHEMA = {
    "type": "object",
    "properties": {"best": {"type": "string", "enum": ["A", "B"]}},
    "required": ["best"],
}


@pytest.fixture
def server() -> Iterator[FakeLlmServer]:
    with FakeLlmServer() as running:
        yield running


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "shard.jsonl"


def model(server: FakeLlmServer, **more: Any) -> LanguageModel:
    settings = {"tries": 2, "first_wait_s": 0.001, "longest_wait_s": 0.01, "timeout_s": 5.0}
    return LanguageModel(id="m", model="m", base_url=server.base_url, **(settings | more))


def say(text: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": text}]


def test_ask_asks_the_model_of_the_open_session(server: FakeLlmServer, path: Path) -> None:
    with session(model(server), journal=path, mode="live-missing"):
        assert ask(say("hello")).text == "hello"
    with pytest.raises(NoSessionError, match="no session is open"):
        ask(say("hello"))


def test_the_inner_of_two_sessions_is_asked(server: FakeLlmServer, tmp_path: Path) -> None:
    with FakeLlmServer(lambda _: "inner") as other:
        outer = session(model(server), journal=tmp_path / "a.jsonl", mode="live-missing")
        inner = session(model(other), journal=tmp_path / "b.jsonl", mode="live-missing")
        with outer:
            with inner:
                assert ask(say("x")).text == "inner"
            assert ask(say("x")).text == "x"


def test_ask_with_a_schema_gives_data_that_fits_it(server: FakeLlmServer, path: Path) -> None:
    server.then('{"best": "C"}', 'Sure: {"best": "B"}')
    with session(model(server), journal=path, mode="live-missing"):
        reply = ask(say("?"), schema=SCHEMA)
    assert (reply.data, reply.attempt, server.count) == ({"best": "B"}, 1, 2)


def test_a_reply_that_never_fits_the_schema_has_a_status_and_no_data(
    server: FakeLlmServer, path: Path
) -> None:
    class Best(BaseModel):
        best: int

    server.then('{"best": "C"}', '{"best": null}')
    with session(model(server), journal=path, mode="live-missing"):
        reply = ask(say("?"), schema=Best)
    assert (reply.status, reply.data, server.count) == ("schema_mismatch", None, 2)


def test_what_the_journal_holds_is_not_asked_again(server: FakeLlmServer, path: Path) -> None:
    for _ in range(2):
        with session(model(server), journal=path, mode="live-missing") as opened:
            assert [opened.ask(say(text)).text for text in ("a", "b", "a")] == ["a", "b", "a"]
    assert server.count == 2
    tally = opened.tally()
    assert (tally.items, tally.from_journal, tally.asked, tally.sent) == (3, 3, 0, 0)


def test_recorded_replies_are_not_asked_again_and_not_copied(
    server: FakeLlmServer, tmp_path: Path
) -> None:
    shipped, own = tmp_path / "shipped.jsonl", tmp_path / "own.jsonl"
    with session(model(server), journal=shipped, mode="live-missing") as opened:
        opened.ask(say("a"))
    with session(model(server), journal=own, recorded=[shipped], mode="live-missing") as opened:
        assert [opened.ask(say(text)).text for text in ("a", "b")] == ["a", "b"]
    assert server.count == 2
    assert '"content": "a"' not in own.read_text()


def test_replay_needs_neither_server_nor_key_and_counts_what_is_not_recorded(
    server: FakeLlmServer, path: Path
) -> None:
    settings = model(server)
    with session(settings, journal=path, mode="live-missing") as opened:
        opened.ask(say("a"))
    before = path.read_bytes()
    with session(settings, journal=path, environment={}) as opened:
        assert opened.ask(say("a")).text == "a"
        missing = opened.ask(say("b"))
        assert (missing.status, missing.text) == ("not_recorded", None)
        tally = opened.tally()
    assert (tally.items, tally.from_journal, tally.not_recorded, tally.asked) == (2, 1, 1, 0)
    assert tally.statuses == {"not_recorded": 1, "ok": 1}
    assert (server.count, path.read_bytes()) == (1, before)


def test_strict_replay_stops_at_what_is_not_recorded(server: FakeLlmServer, path: Path) -> None:
    with (
        session(model(server), journal=path, strict=True) as opened,
        pytest.raises(NotRecordedError, match="live-missing"),
    ):
        opened.ask(say("b"))


def test_live_asks_everything_anew_and_the_new_reply_counts(
    server: FakeLlmServer, path: Path
) -> None:
    settings = model(server)
    for answer in ("old", "new"):
        server.then(answer)
        with session(settings, journal=path, mode="live") as opened:
            assert opened.ask(say("a")).text == answer
            assert opened.ask(say("a")).text == answer
    assert server.count == 2
    with session(settings, journal=path) as opened:
        assert opened.ask(say("a")).text == "new"


def test_a_live_mode_without_a_journal_is_refused(server: FakeLlmServer) -> None:
    with pytest.raises(ValueError, match="needs a journal"), session(model(server), mode="live"):
        pass


def test_a_cut_reply_is_asked_for_with_twice_the_limit(server: FakeLlmServer, path: Path) -> None:
    server.then(Completion('{"a": [80, 9', "length"), '{"a": [80, 95]}')
    with session(model(server, max_tokens=100), journal=path, mode="live-missing") as opened:
        reply = opened.ask(say("?"), schema={"type": "object"})
    assert reply.data == {"a": [80, 95]}
    assert [sent.json["max_tokens"] for sent in server.requests] == [100, 200]


def test_the_higher_limit_leaves_room_for_the_prompt(server: FakeLlmServer, path: Path) -> None:
    settings = model(server, max_tokens=300, context_tokens=512, margin=0.0, attempts=5)
    server.answer = lambda _: Completion("half a sen", "length")
    with session(settings, journal=path, mode="live-missing") as opened:
        reply = opened.ask(say("x" * 300))
    assert reply.status == "truncated"
    # 8 tokens of the template and 100 of the text leave 404 of 512.
    assert [sent.json["max_tokens"] for sent in server.requests] == [300, 404]


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        (Completion(None, message={"refusal": "No."}), "refusal"),
        (Completion(""), "empty_reply"),
        ("I would say B.", "unreadable_reply"),
        (Completion("x", "content_filter"), "content_filter"),
    ],
)
def test_an_unusable_reply_is_asked_for_the_set_number_of_times(
    server: FakeLlmServer, path: Path, answer: Any, status: str
) -> None:
    server.answer = lambda _: answer
    with session(model(server, attempts=3), journal=path, mode="live-missing") as opened:
        reply = opened.ask(say("?"), schema=SCHEMA)
    assert (reply.status, reply.data) == (status, None)
    # A filter gives the same answer to the same prompt.
    assert server.count == (1 if status == "content_filter" else 3)
    temperatures = [sent.json["temperature"] for sent in server.requests]
    assert temperatures == [0.0, 0.5, 0.5][: server.count]


def test_attempts_are_replayed_one_by_one(server: FakeLlmServer, path: Path) -> None:
    server.then("no json", '{"best": "A"}')
    for mode in ("live-missing", "replay", "live-missing"):
        with session(model(server), journal=path, mode=mode, strict=mode == "replay") as opened:
            assert opened.ask(say("?"), schema=SCHEMA).data == {"best": "A"}
    assert server.count == 2


def test_of_partial_replies_the_one_with_the_fewest_missing_counts(
    server: FakeLlmServer, path: Path
) -> None:
    server.then("[1]", "[1, 2]", "[3, 4]")

    def check(reply: Reply) -> Verdict:
        assert isinstance(reply.data, list)
        return Verdict("missing_item", missing=3 - len(reply.data))

    with session(model(server, attempts=3), journal=path, mode="live-missing") as opened:
        reply = opened.ask(say("?"), schema={"type": "array"}, check=check)
    assert (reply.status, reply.data, server.count) == ("ok", [1, 2], 3)


def test_a_partial_reply_counts_for_more_than_a_failure_after_it(
    server: FakeLlmServer, path: Path
) -> None:
    server.then("[1]", Failure(400, {"message": "no"}))
    with session(model(server), journal=path, mode="live-missing") as opened:
        reply = opened.ask(
            say("?"),
            schema={"type": "array"},
            check=lambda _: Verdict("missing_item", missing=1),
        )
    assert (reply.status, reply.data) == ("ok", [1])


def test_a_failed_call_is_a_status_and_is_asked_again_by_the_next_run(
    server: FakeLlmServer, path: Path
) -> None:
    server.then(Failure(500), Failure(500))
    with session(model(server), journal=path, mode="live-missing") as opened:
        reply = opened.ask(say("a"))
    assert (reply.status, reply.message) == ("server_error", 'HTTP 500: {"error": {}}')
    with session(model(server), journal=path) as opened:
        assert opened.ask(say("a")).status == "server_error"
    with session(model(server), journal=path, mode="live-missing") as opened:
        assert opened.ask(say("a")).text == "a"
    with session(model(server), journal=path) as opened:
        assert opened.ask(say("a")).text == "a"


def test_many_failures_in_a_row_stop_the_run(server: FakeLlmServer, path: Path) -> None:
    server.answer = lambda _: Failure(500)
    settings = model(server, tries=1, stop_after=3)
    with session(settings, journal=path, mode="live-missing") as opened:
        for text in "abc":
            assert opened.ask(say(text)).status == "server_error"
        with pytest.raises(ModelStoppedError, match="failed in a row"):
            opened.ask(say("d"))
    assert server.count == 3


def test_a_reply_between_failures_lets_the_run_go_on(server: FakeLlmServer, path: Path) -> None:
    server.answer = lambda sent: "ok" if "fine" in sent.prompt else Failure(500)
    settings = model(server, tries=1, stop_after=2)
    with session(settings, journal=path, mode="live-missing") as opened:
        texts = ["a", "fine 1", "b", "fine 2", "c", "fine 3"]
        statuses = [opened.ask(say(text)).status for text in texts]
    assert statuses == ["server_error", "ok"] * 3


def test_failures_that_are_the_items_own_stop_nothing(server: FakeLlmServer, path: Path) -> None:
    server.answer = lambda _: Failure(400, {"code": "context_length_exceeded"})
    settings = model(server, tries=1, stop_after=2)
    with session(settings, journal=path, mode="live-missing") as opened:
        statuses = {opened.ask(say(text)).status for text in "abcd"}
    assert statuses == {"context_too_long"}


def test_a_refused_key_stops_everything_and_leaves_nothing_in_flight(
    server: FakeLlmServer, path: Path
) -> None:
    server.answer = lambda sent: Failure(401) if "b" in sent.prompt else "ok"
    with session(model(server), journal=path, mode="live-missing") as opened:
        opened.ask(say("a"))
        with pytest.raises(ModelStoppedError, match="OPENAI_API_KEY"):
            each(opened, list("bbbbbbbb"), lambda text: opened.ask(say(text)), 1)
    assert server.count == 2
    with session(model(server), journal=path, mode="live-missing") as opened:
        assert opened.findings == []
        assert opened.ask(say("a")).text == "ok"


def test_the_same_request_in_two_threads_is_sent_once(server: FakeLlmServer, path: Path) -> None:
    server.delay_s = 0.1
    for mode in ("live-missing", "live"):
        with session(model(server), journal=path, mode=mode) as opened:
            replies = each(opened, ["a"] * 6, lambda text: opened.ask(say(text)), 6)
        assert [reply.text for reply in replies] == ["a"] * 6
    assert server.count == 2


def test_ask_knows_the_open_session_in_the_threads_of_a_pool(
    server: FakeLlmServer, path: Path
) -> None:
    with session(model(server), journal=path, mode="live-missing") as opened:
        replies = each(opened, ["a", "b"], lambda text: ask(say(text)))
    assert [reply.text for reply in replies] == ["a", "b"]


def test_concurrency_is_bounded_and_results_keep_their_order(
    server: FakeLlmServer, path: Path
) -> None:
    server.delay_s = 0.02
    texts = [f"text {number}" for number in range(24)]
    with session(model(server, concurrency=3), journal=path, mode="live-missing") as opened:
        replies = each(opened, texts, lambda text: opened.ask(say(text)))
    assert [reply.text for reply in replies] == texts
    assert server.most_at_once == 3


def test_no_further_item_is_begun_after_an_error(server: FakeLlmServer, path: Path) -> None:
    begun = []

    def work(number: int) -> int:
        begun.append(number)
        if number == 3:
            raise RuntimeError("stop")
        return number

    with (
        session(model(server), journal=path, mode="live-missing") as opened,
        pytest.raises(RuntimeError, match="stop"),
    ):
        each(opened, range(1000), work, 2)
    assert len(begun) <= 6


def test_ask_without_a_session_in_another_thread_says_what_to_do(
    server: FakeLlmServer, path: Path
) -> None:
    said = []

    def work() -> None:
        try:
            ask(say("a"))
        except NoSessionError as error:
            said.append(str(error))

    with session(model(server), journal=path, mode="live-missing"):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert "in the thread that opened it" in said[0]
