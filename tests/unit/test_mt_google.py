"""Google's own client against a local server that speaks the v2 protocol.

Cases mt-01, mt-02, mt-04 and mt-05, and others of their kind.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.fake_translate_server import Answer, Failure, FakeTranslateServer, Request, prefixed

from sensemaking.mt import engines
from sensemaking.mt.engines import EngineStoppedError
from sensemaking.mt.google import GoogleEngine, GoogleSettings
from sensemaking.mt.journal import Journal
from sensemaking.mt.translate import Translation, translate, translate_text

MINUTE = Failure(403, "User Rate Limit Exceeded", "userRateLimitExceeded")
DAY = Failure(403, "Daily Limit Exceeded", "dailyLimitExceeded")
DISABLED = Failure(403, "Cloud Translation API has not been used in project before")


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.fixture
def server() -> Iterator[FakeTranslateServer]:
    with FakeTranslateServer() as server:
        yield server


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal(tmp_path / "kind.jsonl")


def engine(server: FakeTranslateServer, **settings: object) -> GoogleEngine:
    quick = {"first_wait_s": 0.0, "longest_wait_s": 0.0, "attempts": 3}
    given = {"api_endpoint": server.endpoint, **quick, **settings}
    return GoogleEngine(GoogleSettings(**given))  # type: ignore[arg-type]


def targets(translations: list[Translation]) -> list[str | None]:
    return [translation.target for translation in translations]


def test_text_is_asked_for_as_text_and_entities_stay_as_they_come(
    server: FakeTranslateServer, journal: Journal
) -> None:
    known = {
        "Це підручник Тома.": "It's Tom's book.",
        "Пишіть &lt;b&gt;, щоб показати тег.": "Write &lt;b&gt; to show the tag.",
    }

    def service(request: Request) -> Answer:
        found = [known[text] for text in request.texts]
        if request.json.get("format") == "text":
            return found
        return [text.replace("'", "&#39;") for text in found]

    server.translate = service
    found = translate(list(known), "uk", "en", [engine(server)], journal)
    assert targets(found) == list(known.values())
    assert [request.json["format"] for request in server.requests] == ["text"]


def test_the_bytes_on_the_wire_are_those_of_the_protocol(
    server: FakeTranslateServer, journal: Journal
) -> None:
    translate_text("Дім", "uk", "en", [engine(server, model="nmt")], journal)
    (request,) = server.requests
    assert request.path.startswith("/language/translate/v2")
    assert request.headers["content-type"] == "application/json"
    assert "authorization" not in request.headers
    assert request.body == (
        b'{"target": "en", "q": ["\\u0414\\u0456\\u043c"], "cid": [], "format": "text", '
        b'"source": "uk", "model": "nmt"}'
    )


def test_300_short_texts_go_in_requests_of_128(
    server: FakeTranslateServer, journal: Journal
) -> None:
    texts = [f"r{number}" for number in range(300)]
    found = translate(texts, "de", "en", [engine(server)], journal)
    assert [len(request.texts) for request in server.requests] == [128, 128, 44]
    assert targets(found) == [f"EN:r{number}" for number in range(300)]


def test_a_request_is_filled_to_the_last_byte_and_not_beyond(
    server: FakeTranslateServer, tmp_path: Path
) -> None:
    body = {"target": "en", "q": ["a", ""], "cid": [], "format": "text"}
    empty = len(json.dumps({**body, "source": "uk", "model": "nmt"}))
    full = engine(server, max_bytes=1_000, model="nmt")
    texts = ["a", "b" * (1_000 - empty)]
    translate(texts, "uk", "en", [full], Journal(tmp_path / "a.jsonl"))
    assert [len(request.body) for request in server.requests] == [1_000]
    server.requests.clear()
    translate(["a", texts[1] + "b"], "uk", "en", [full], Journal(tmp_path / "b.jsonl"))
    assert [len(request.texts) for request in server.requests] == [1, 1]


@pytest.mark.parametrize("max_bytes", [1_000, 30_000, 100_000])
def test_no_body_exceeds_the_limit_and_the_last_byte_is_used(
    server: FakeTranslateServer, journal: Journal, max_bytes: int
) -> None:
    texts = [f"{number:04d} " + 'їжак 🦔 «№» "a\\b" ' * (number % 7 + 1) for number in range(400)]
    found = translate(texts, "uk", "en", [engine(server, max_bytes=max_bytes)], journal)
    sizes = [len(request.body) for request in server.requests]
    assert max(sizes) <= max_bytes
    for request, following in zip(server.requests, server.requests[1:], strict=False):
        full = len(request.texts) == 128
        more = len(request.body) + 2 + len(json.dumps(following.texts[0]))
        assert full or more > max_bytes
    assert targets(found) == [f"EN:{text.strip()} " for text in texts]


def test_a_text_over_the_limit_is_cut_at_sentences_and_put_together_again(
    server: FakeTranslateServer, journal: Journal
) -> None:
    sentences = [f"Речення номер {number} про їжаків і ліс." for number in range(200)]
    text = " ".join(sentences)
    found = translate_text(f"\n{text} ", "uk", "en", [engine(server, max_bytes=3_000)], journal)
    assert len(server.requests) > 1
    assert all(len(request.body) <= 3_000 for request in server.requests)
    assert all(sent.endswith("ліс.") and sent.startswith("Реч") for sent in server.sent)
    assert found.target is not None
    assert found.target.replace("EN:", "") == f"\n{text} "


def test_blank_texts_are_given_back_byte_for_byte_and_never_sent(
    server: FakeTranslateServer, journal: Journal
) -> None:
    texts = ["Дім", "", "   ", "\r\n", "Сад", "\u200b\ufeff", "\u00a0\t"]
    found = translate(texts, "uk", "en", [engine(server)], journal)
    assert targets(found) == ["EN:Дім", "", "   ", "\r\n", "EN:Сад", "\u200b\ufeff", "\u00a0\t"]
    assert server.sent == ["Дім", "Сад"]


def test_only_blank_texts_make_no_request(server: FakeTranslateServer, journal: Journal) -> None:
    assert targets(translate(["", " "], "uk", "en", [engine(server)], journal)) == ["", " "]
    assert translate([], "uk", "en", [engine(server)], journal) == []
    assert server.requests == []


def test_sentences_are_items_of_a_list_and_never_joined(
    server: FakeTranslateServer, journal: Journal
) -> None:
    def merging(request: Request) -> Answer:
        if any("\n" in text for text in request.texts):
            return ["It is raining. The sun is shining.\nThe wind blows."]
        known = {
            "Йде дощ.": "It is raining.",
            "Світить сонце.": "The sun is shining.",
            "Дме вітер.": "The wind blows.",
        }
        return [known[text] for text in request.texts]

    server.translate = merging
    texts = ["Йде дощ.", "Світить сонце.", "Дме вітер."]
    found = translate(texts, "uk", "en", [engine(server)], journal)
    assert targets(found) == ["It is raining.", "The sun is shining.", "The wind blows."]
    assert [request.texts for request in server.requests] == [texts]


def test_one_text_gives_one_translation_and_a_list_of_one_a_list_of_one(
    server: FakeTranslateServer, journal: Journal
) -> None:
    assert translate_text("Дім", "uk", "en", [engine(server)], journal).target == "EN:Дім"
    assert targets(translate(["Дім"], "uk", "en", [engine(server)], journal)) == ["EN:Дім"]
    with pytest.raises(TypeError, match="found one text"):
        translate("Дім", "uk", "en", [engine(server)], journal)
    assert [request.texts for request in server.requests] == [["Дім"]]


def test_controls_soft_hyphens_and_half_characters_are_not_sent(
    server: FakeTranslateServer, journal: Journal
) -> None:
    texts = ["сере\u00adдовище", "\x07другий\x00", "a\ud800b", "\x07", "рядок\nі\tтабуляція"]
    found = translate(texts, "uk", "en", [engine(server)], journal)
    assert server.sent == ["середовище", "другий", "ab", "рядок\nі\tтабуляція"]
    assert targets(found)[1] == "EN:другий"
    assert targets(found)[3] == "\x07"
    assert len(Journal(journal.path)) == 4


def test_a_missing_text_keeps_its_place_and_is_not_sent(
    server: FakeTranslateServer, journal: Journal
) -> None:
    found = translate(["Дім", None, "Сад"], "uk", "en", [engine(server)], journal)
    assert targets(found) == ["EN:Дім", None, "EN:Сад"]
    assert [translation.status for translation in found] == ["ok", "no_source", "ok"]
    assert server.sent == ["Дім", "Сад"]


def test_white_space_that_the_service_adds_is_taken_away(
    server: FakeTranslateServer, journal: Journal
) -> None:
    server.queue.append([" A house \n"])
    assert targets(translate(["Дім\t"], "uk", "en", [engine(server)], journal)) == ["A house\t"]


def test_another_model_is_asked_although_the_journal_has_an_answer(
    server: FakeTranslateServer, journal: Journal
) -> None:
    for model in (None, "nmt", "base", "nmt"):
        translate(["Дім"], "uk", "en", [engine(server, model=model)], journal)
    assert [request.json["model"] for request in server.requests] == [None, "nmt", "base"]


def test_a_text_that_occurs_twice_is_paid_for_once(
    server: FakeTranslateServer, journal: Journal
) -> None:
    found = translate(["Дім", "Сад", " Дім"], "uk", "en", [engine(server)], journal)
    assert targets(found) == ["EN:Дім", "EN:Сад", " EN:Дім"]
    assert server.sent == ["Дім", "Сад"]


def test_the_servers_wrong_number_of_translations_stops(
    server: FakeTranslateServer, journal: Journal
) -> None:
    server.queue.append(["one", "two"])
    with pytest.raises(EngineStoppedError, match="does not fit") as caught:
        translate(["Дім", "Сад", "Ліс"], "uk", "en", [engine(server)], journal)
    assert caught.value.status == engines.WRONG_REPLY
    assert len(server.requests) == 1
    assert len(journal) == 0


@pytest.mark.parametrize(
    "body",
    [
        b"<html>sign in</html>",
        b"",
        b"[]",
        b"{}",
        b'{"data": {"translations": [{"translatedText": null}]}}',
        b'{"data": {"translations": [{}]}}',
        b'{"data": {"translations": ["House"]}}',
        b'{"data": {"translations": "H"}}',
        b'{"data": null}',
    ],
)
def test_a_reply_of_another_form_stops_and_is_not_asked_for_again(
    server: FakeTranslateServer, journal: Journal, body: bytes
) -> None:
    server.queue.append(body)
    with pytest.raises(EngineStoppedError) as caught:
        translate(["Дім"], "uk", "en", [engine(server)], journal)
    assert caught.value.status == engines.WRONG_REPLY
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("failure", "status"),
    [
        (Failure(400, "Too many text segments", "invalid"), engines.REFUSED),
        (DAY, engines.DAILY_QUOTA),
        (DISABLED, engines.CONFIGURATION),
    ],
)
def test_what_waiting_cannot_mend_is_tried_once(
    server: FakeTranslateServer, journal: Journal, failure: Failure, status: str
) -> None:
    server.fail(failure)
    with pytest.raises(EngineStoppedError) as caught:
        translate(["Дім"], "uk", "en", [engine(server)], journal)
    assert caught.value.status == status
    assert failure.message in str(caught.value)
    assert len(server.requests) == 1


def test_refused_credentials_stop_as_a_fault_of_the_configuration(
    server: FakeTranslateServer, journal: Journal
) -> None:
    server.fail(Failure(401, "Invalid Credentials", "authError"))
    with pytest.raises(EngineStoppedError, match="refuses the credentials") as caught:
        translate(["Дім"], "uk", "en", [engine(server)], journal)
    assert caught.value.status == engines.CONFIGURATION
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "answer", [MINUTE, Failure(429, "Too many requests"), Failure(503, "backend error"), None]
)
def test_what_waiting_can_mend_is_tried_again(
    server: FakeTranslateServer, journal: Journal, answer: Answer
) -> None:
    server.queue += [answer, answer]
    assert translate_text("Дім", "uk", "en", [engine(server)], journal).target == "EN:Дім"
    assert [request.texts for request in server.requests] == [["Дім"]] * 3


def test_a_service_that_stays_busy_stops_after_the_attempts(
    server: FakeTranslateServer, journal: Journal
) -> None:
    server.fail(*[MINUTE] * 5)
    with pytest.raises(EngineStoppedError, match="in 3 attempts") as caught:
        translate(["Дім"], "uk", "en", [engine(server)], journal)
    assert caught.value.status == engines.UNAVAILABLE
    assert len(server.requests) == 3


def test_waits_double_up_to_the_longest_and_heed_the_service(
    server: FakeTranslateServer, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []
    monkeypatch.setattr("tenacity.nap.time.sleep", waits.append)
    patient = Failure(429, "Too many requests", headers={"Retry-After": "7"})
    greedy = Failure(429, "Too many requests", headers={"Retry-After": "3600"})
    server.fail(MINUTE, MINUTE, patient, MINUTE, greedy)
    slow = engine(server, attempts=8, first_wait_s=1.0, longest_wait_s=12.0)
    assert translate_text("Дім", "uk", "en", [slow], journal).target == "EN:Дім"
    assert waits == [1.0, 2.0, 7.0, 8.0, 12.0]


def test_default_waits_outlast_a_limit_per_minute() -> None:
    settings = GoogleSettings()
    waits = [
        min(settings.first_wait_s * 2**number, settings.longest_wait_s)
        for number in range(settings.attempts - 1)
    ]
    assert sum(waits) > 60
    assert max(waits) > 60


def test_a_run_stopped_by_the_daily_limit_resumes_without_paying_twice(
    server: FakeTranslateServer, tmp_path: Path
) -> None:
    texts = [f"текст {number}" for number in range(300)]
    path = tmp_path / "kind.jsonl"
    server.queue += [[f"EN:{text}" for text in texts[:128]], DAY]
    with pytest.raises(EngineStoppedError, match="midnight Pacific"):
        translate(texts, "uk", "en", [engine(server)], Journal(path))
    server.requests.clear()
    found = translate(texts, "uk", "en", [engine(server)], Journal(path))
    assert server.sent == texts[128:]
    assert targets(found) == [f"EN:{text}" for text in texts]
    server.requests.clear()
    assert targets(translate(texts, "uk", "en", [engine(server)], Journal(path))) == targets(found)
    assert server.requests == []


def test_pieces_of_a_long_text_are_not_paid_for_twice(
    server: FakeTranslateServer, tmp_path: Path
) -> None:
    text = " ".join(f"Речення номер {number} про їжаків і ліс." for number in range(60))
    path = tmp_path / "kind.jsonl"

    def stopping(request: Request) -> Answer:
        return DAY if len(server.requests) > 1 else prefixed(request)

    server.translate = stopping
    with pytest.raises(EngineStoppedError):
        translate([text], "uk", "en", [engine(server, max_bytes=2_600)], Journal(path))
    (first,) = server.requests[0].texts
    assert len(first) < len(text)
    server.translate = prefixed
    server.requests.clear()
    found = translate_text(text, "uk", "en", [engine(server, max_bytes=2_600)], Journal(path))
    assert first not in server.sent
    assert found.target is not None
    assert found.target.replace("EN:", "") == text


CHILD = """
import sys
from sensemaking.mt.google import GoogleEngine, GoogleSettings
from sensemaking.mt.journal import Journal
from sensemaking.mt.translate import translate

endpoint, journal = sys.argv[1:]
texts = [f"текст {number}" for number in range(300)]
engine = GoogleEngine(GoogleSettings(api_endpoint=endpoint))
translate(texts, "uk", "en", [engine], Journal(journal))
"""


def test_a_run_that_is_killed_keeps_every_finished_request(
    server: FakeTranslateServer, tmp_path: Path
) -> None:
    path = tmp_path / "kind.jsonl"
    child: list[subprocess.Popen[bytes]] = []

    def killing(request: Request) -> Answer:
        if len(server.requests) == 3:
            os.kill(child[0].pid, signal.SIGKILL)
        return [f"EN:{text}" for text in request.texts]

    server.translate = killing
    arguments = [sys.executable, "-c", CHILD, server.endpoint, str(path)]
    child.append(subprocess.Popen(arguments))
    assert child[0].wait(timeout=60) == -signal.SIGKILL
    with open(path, "ab") as file:
        file.write('{"key": "0a", "source": "текст 256", "tar'.encode())
    server.requests.clear()
    journal = Journal(path)
    assert [finding.code for finding in journal.findings] == ["journal_line"]
    texts = [f"текст {number}" for number in range(300)]
    found = translate(texts, "uk", "en", [engine(server)], journal)
    assert server.sent == texts[256:]
    assert targets(found) == [f"EN:{text}" for text in texts]


def test_replay_sends_nothing_and_says_what_is_not_recorded(
    server: FakeTranslateServer, journal: Journal
) -> None:
    translate(["Дім"], "uk", "en", [engine(server)], journal)
    server.requests.clear()
    found = translate(["Дім", "Сад"], "uk", "en", [engine(server)], journal, "replay")
    assert found == [
        Translation("Дім", "EN:Дім", "google", "ok"),
        Translation("Сад", None, None, "not_recorded"),
    ]
    assert server.requests == []


def test_live_asks_for_all_of_it_again(server: FakeTranslateServer, journal: Journal) -> None:
    translate(["Дім"], "uk", "en", [engine(server)], journal)
    server.translate = lambda request: ["Home"]
    found = translate(["Дім"], "uk", "en", [engine(server)], journal, "live")
    assert targets(found) == ["Home"]
    assert targets(translate(["Дім"], "uk", "en", [engine(server)], journal)) == ["Home"]
    assert len(server.requests) == 2


def test_an_unknown_language_stops_before_anything_is_sent(
    server: FakeTranslateServer, journal: Journal
) -> None:
    for source, target in (("xx", "en"), ("uk", "xx")):
        with pytest.raises(ValueError, match="unknown language 'xx'"):
            translate(["Дім"], source, target, [engine(server)], journal)
    assert server.requests == []


def test_country_codes_reach_the_service_as_language_codes(
    server: FakeTranslateServer, journal: Journal
) -> None:
    translate(["Дім"], "ua", "en-GB", [engine(server)], journal)
    translate(["Dům"], "cz", "en", [engine(server)], journal)
    assert [request.json["source"] for request in server.requests] == ["uk", "cs"]
    assert [request.json["target"] for request in server.requests] == ["en", "en"]


def test_english_is_not_sent(server: FakeTranslateServer, journal: Journal) -> None:
    found = translate(["A house."], "en-GB", "en", [engine(server)], journal)
    assert found == [Translation("A house.", "A house.", None, "ok")]
    assert server.requests == []


@pytest.mark.parametrize(
    ("source", "language", "reply", "status"),
    [
        ("Йде дощ.", "uk", "Йде дощ.", "translation_not_english"),
        ("Йде дощ.", "uk", "Идёт дождь.", "translation_not_english"),
        ("Йде дощ.", "uk", "", "empty_translation"),
        ("Йде дощ.", "uk", " \n", "empty_translation"),
        ("Es regnet heute.", "de", "Es regnet heute.", "translation_unchanged"),
    ],
)
def test_what_is_not_english_never_passes_for_it(
    server: FakeTranslateServer,
    journal: Journal,
    source: str,
    language: str,
    reply: str,
    status: str,
) -> None:
    server.queue.append([reply])
    found = translate([source], language, "en", [engine(server)], journal)
    assert found == [Translation(source, None, None, status)]


def test_a_paid_engine_without_a_journal_is_refused(server: FakeTranslateServer) -> None:
    with pytest.raises(ValueError, match="google needs a journal"):
        translate(["Дім"], "uk", "en", [engine(server)])
    with pytest.raises(ValueError, match="no engine"):
        translate(["Дім"], "uk", "en", [])
    assert server.requests == []


def test_without_credentials_the_error_says_what_to_set(
    journal: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GOOGLE_APPLICATION_CREDENTIALS", raising=False)
    monkeypatch.setenv("CLOUDSDK_CONFIG", str(tmp_path))
    monkeypatch.setenv("NO_GCE_CHECK", "true")
    with pytest.raises(EngineStoppedError, match="GOOGLE_APPLICATION_CREDENTIALS") as caught:
        translate(["Дім"], "uk", "en", [GoogleEngine(GoogleSettings())], journal)
    assert caught.value.status == engines.CONFIGURATION


def test_what_the_journal_holds_needs_no_credentials(
    server: FakeTranslateServer,
    journal: Journal,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    translate(["Дім"], "uk", "en", [engine(server)], journal)
    monkeypatch.delenv("GOOGLE_APPLICATION_CREDENTIALS", raising=False)
    monkeypatch.setenv("CLOUDSDK_CONFIG", str(tmp_path))
    monkeypatch.setenv("NO_GCE_CHECK", "true")
    found = translate(["Дім"], "uk", "en", [GoogleEngine(GoogleSettings())], journal)
    assert targets(found) == ["EN:Дім"]


def test_a_client_that_miscounts_is_not_believed(journal: Journal) -> None:
    class Miscounting:
        def translate(self, values: list[str], **settings: object) -> object:
            return [{"translatedText": "House"}]

    miscounting = GoogleEngine(GoogleSettings(), client=Miscounting())  # type: ignore[arg-type]
    with pytest.raises(EngineStoppedError, match="2 texts were sent and 1 translations came"):
        translate(["Дім", "Сад"], "uk", "en", [miscounting], journal)


def test_an_empty_reply_is_missing_in_any_target_language(
    server: FakeTranslateServer, journal: Journal
) -> None:
    server.queue.append([""])
    assert translate(["Дім"], "uk", "de", [engine(server)], journal) == [
        Translation("Дім", None, None, "empty_translation")
    ]


@pytest.mark.parametrize(
    "settings",
    [
        {"api_endpoint": "http://translate.example"},
        {"api_endpoint": "http://127.0.0.1.example"},
        {"max_bytes": 100_001},
        {"max_bytes": 999},
        {"attempts": 0},
        {"first_wait_s": 5.0, "longest_wait_s": 1.0},
    ],
)
def test_settings_that_cannot_work_are_refused(settings: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"expected|must be"):
        GoogleSettings(**settings)  # type: ignore[arg-type]


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "127.3.2.1"])
def test_only_this_machine_is_asked_without_credentials(host: str) -> None:
    assert GoogleSettings(api_endpoint=f"http://{host}:8080").is_local
    assert not GoogleSettings(api_endpoint="https://translate.example").is_local
    assert not GoogleSettings().is_local
