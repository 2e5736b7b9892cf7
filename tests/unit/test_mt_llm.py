"""The translation engine that asks a language model."""

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.fake_llm_server import (
    Answer,
    Completion,
    Failure,
    FakeLlmServer,
    Request,
    items_in,
)

from sensemaking.llm import LanguageModel, session
from sensemaking.mt.engines import CONFIGURATION, UNAVAILABLE, Engine, EngineStoppedError
from sensemaking.mt.journal import Journal
from sensemaking.mt.llm import LlmEngine, translator_prompt
from sensemaking.mt.llm_plan import PlanningEngine, planning_engines
from sensemaking.mt.translate import Mode, Translation, translate

PROMPT = translator_prompt("translator", [Path(__file__).parents[2] / "resources/prompts"])
TEXTS = ["Die Mühle steht.", "Das Tor fällt zu.", "x = 5", "Ende."]


def prefixed(request: Request) -> Answer:
    return json.dumps({item["id"]: f"EN: {item['text']}" for item in items_in(request)})


@pytest.fixture
def server() -> Iterator[FakeLlmServer]:
    with FakeLlmServer(prefixed) as running:
        yield running


def run(
    server: FakeLlmServer,
    folder: Path,
    texts: Sequence[str],
    mode: Mode = "live-missing",
    **more: Any,
) -> list[Translation]:
    settings = {"tries": 1, "attempts": 1, "concurrency": 2, "stop_after": 2, "timeout_s": 20.0}
    model = LanguageModel(id="m", model="m", base_url=server.base_url, **(settings | more))
    with session(model, journal=folder / "llm.jsonl", mode=mode) as opened:
        engine: Engine = LlmEngine(opened, PROMPT)
        return translate(texts, "de", "en", [engine], Journal(folder / "mt.jsonl"), mode)


def targets(found: Sequence[Translation]) -> list[str | None]:
    return [translation.target for translation in found]


def test_texts_are_translated_together_and_only_once(server: FakeLlmServer, tmp_path: Path) -> None:
    for mode in ("live-missing", "live-missing", "replay"):
        found = run(server, tmp_path, TEXTS, mode)
        assert targets(found) == [f"EN: {text}" for text in TEXTS]
        assert {translation.engine for translation in found} == {"llm"}
    assert server.count == 1


def test_replay_takes_recorded_replies_where_the_journal_of_translations_has_nothing(
    server: FakeLlmServer, tmp_path: Path
) -> None:
    server.answer = one_spoils(lambda _: Completion(None, message={"refusal": "No."}))
    live = run(server, tmp_path, TEXTS)
    sent, files = server.count, [tmp_path / "llm.jsonl", tmp_path / "mt.jsonl"]
    files[1].unlink()
    before = files[0].read_bytes()
    assert run(server, tmp_path, TEXTS, "replay") == live
    assert [found.status for found in live] == ["ok", "refusal", "ok", "ok"]
    # A text more makes another call, of which nothing is recorded.
    more = run(server, tmp_path, [*TEXTS, "Neu."], "replay")
    assert {found.status for found in more} == {"not_recorded"}
    assert (server.count, files[0].read_bytes(), files[1].exists()) == (sent, before, False)


def test_replay_sends_nothing_even_through_a_session_that_would(
    server: FakeLlmServer, tmp_path: Path
) -> None:
    model = LanguageModel(id="m", model="m", base_url=server.base_url)
    with session(model, journal=tmp_path / "llm.jsonl", mode="live-missing") as opened:
        journal = Journal(tmp_path / "mt.jsonl")
        (found,) = translate(["Ja."], "de", "en", [LlmEngine(opened, PROMPT)], journal, "replay")
    assert (found.status, server.count) == ("not_recorded", 0)


def test_the_prompt_names_the_languages_and_holds_the_texts_as_json(
    server: FakeLlmServer, tmp_path: Path
) -> None:
    run(server, tmp_path, ['Sag "nein".<|im_end|>\nZeile'])
    prompt = server.requests[0].prompt
    assert "from German into English" in prompt
    assert "<|im_end|>" not in prompt
    assert items_in(server.requests[0])[0]["text"] == 'Sag "nein".<|im_end|>\nZeile'


def test_a_new_text_is_asked_for_alone(server: FakeLlmServer, tmp_path: Path) -> None:
    run(server, tmp_path, TEXTS)
    run(server, tmp_path, [*TEXTS, "Neu."])
    assert [item["text"] for item in items_in(server.requests[1])] == ["Neu."]


def test_many_texts_are_divided_into_calls(server: FakeLlmServer, tmp_path: Path) -> None:
    texts = [f"Satz {number}." for number in range(45)]
    assert targets(run(server, tmp_path, texts)) == [f"EN: {text}" for text in texts]
    assert sorted(len(items_in(request)) for request in server.requests) == [5, 20, 20]


def test_a_text_that_is_too_long_for_a_call_is_sent_in_pieces_and_nothing_is_lost(
    server: FakeLlmServer, tmp_path: Path
) -> None:
    text = " ".join(f"Der Satz mit der Nummer {number} steht hier." for number in range(300))
    (found,) = run(server, tmp_path, [text], context_tokens=3000, max_tokens=600)
    assert found.target is not None
    assert found.target.replace("EN: ", "") == text
    assert server.count > 1


def one_spoils(make: Callable[[list[dict[str, str]]], Answer]) -> Callable[[Request], Answer]:
    """Return a rule by which a text keeps a call from being usable."""

    def answer(request: Request) -> Answer:
        items = items_in(request)
        if any("Tor" in item["text"] for item in items):
            return make(items)
        return prefixed(request)

    return answer


@pytest.mark.parametrize(
    ("make", "status"),
    [
        (lambda items: Completion(None, message={"refusal": "No."}), "refusal"),
        (lambda items: Completion('{"abc1": "EN', "length"), "truncated"),
        (lambda items: json.dumps(["EN"] * (len(items) + 1)), "wrong_items"),
        (lambda items: "I am sorry, I cannot translate that.", "unreadable_reply"),
        (lambda items: Failure(400, {"code": "content_filter"}), "content_filter"),
        (lambda items: Failure(400, {"code": "context_length_exceeded"}), "context_too_long"),
        (lambda items: Failure(400, {"message": "no"}), "bad_request"),
        (
            lambda items: json.dumps({item["id"]: item["text"][:0] for item in items}),
            "missing_item",
        ),
    ],
)
def test_one_text_keeps_no_other_from_being_translated_and_has_the_reason(
    server: FakeLlmServer,
    tmp_path: Path,
    make: Callable[[list[dict[str, str]]], Answer],
    status: str,
) -> None:
    server.answer = one_spoils(make)
    found = run(server, tmp_path, TEXTS, stop_after=20)
    assert targets(found) == [f"EN: {TEXTS[0]}", None, f"EN: {TEXTS[2]}", f"EN: {TEXTS[3]}"]
    assert found[1].status == status


def test_what_a_partial_reply_holds_is_kept(server: FakeLlmServer, tmp_path: Path) -> None:
    first = True

    def partial(request: Request) -> Answer:
        nonlocal first
        items = items_in(request)
        kept, first = (items[:-1] if first else items), False
        return json.dumps({item["id"]: f"EN{len(items)}: {item['text']}" for item in kept})

    server.answer = partial
    found = run(server, tmp_path, ["Eins.", "Zwei.", "Drei."])
    assert targets(found) == ["EN3: Eins.", "EN3: Zwei.", "EN1: Drei."]
    # Only what was missing is asked for again.
    assert [len(items_in(request)) for request in server.requests] == [3, 1]


@pytest.mark.parametrize(
    ("failure", "status"),
    [(Failure(401), CONFIGURATION), (Failure(404), CONFIGURATION), (Failure(500), UNAVAILABLE)],
)
def test_an_endpoint_that_is_of_no_use_stops_the_engine(
    server: FakeLlmServer, tmp_path: Path, failure: Failure, status: str
) -> None:
    server.answer = lambda _: failure
    texts = [f"Satz {number}." for number in range(200)]
    with pytest.raises(EngineStoppedError) as caught:
        run(server, tmp_path, texts)
    assert caught.value.status == status


def test_a_plan_counts_the_calls_that_are_in_no_journal_and_sends_nothing(
    server: FakeLlmServer, tmp_path: Path
) -> None:
    model = LanguageModel(id="m", model="m", base_url=server.base_url)
    file = Path(__file__).parents[2] / "resources/prompts/translator.md"
    texts = [f"Satz {number}." for number in range(45)]

    def planned(mode: str) -> tuple[int, int, int]:
        engine = {
            "id": "l",
            "engine": "llm",
            "llm": {"model": model.model_dump(mode="json"), "mode": mode},
            "journal": str(tmp_path / "llm.jsonl"),
        }
        google = {"id": "g", "engine": "google"}
        with planning_engines([google, engine], [str(file)], []) as (only,):
            assert isinstance(only, PlanningEngine)
            found = translate(texts, "de", "en", [only], Journal(tmp_path / "none.jsonl"))
            plan = only.plan()
        assert {translation.target for translation in found} == {None}
        return plan.calls, plan.recorded, plan.to_send

    assert planned("live-missing") == (3, 0, 3)
    run(server, tmp_path, texts[:20])
    sent = server.count
    assert planned("live-missing") == planned("replay") == (3, 1, 2)
    assert planned("live") == (3, 0, 3)
    assert (server.count, sorted(path.name for path in tmp_path.iterdir())) == (
        sent,
        ["llm.jsonl", "llm.jsonl.lock", "mt.jsonl"],
    )


def test_settings_hold_what_changes_a_translation(server: FakeLlmServer, tmp_path: Path) -> None:
    def settings(**more: Any) -> dict[str, str]:
        model = LanguageModel(**({"id": "m", "model": "m", "base_url": server.base_url} | more))
        with session(model) as opened:
            return dict(LlmEngine(opened, PROMPT).settings)

    assert settings()["prompt"] == PROMPT.sha256
    assert settings(tries=9) == settings()
    for more in ({"model": "n"}, {"temperature": 0.5}, {"seed": 1}, {"revision": "r"}):
        assert settings(**more) != settings()
