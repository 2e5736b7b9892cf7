"""The configuration of recordings, translation and cutting."""

import dataclasses
from typing import Any

import pytest

from sensemaking.asr.engines import EngineSettings
from sensemaking.asr.flags import Thresholds
from sensemaking.asr.rows import settings_of
from sensemaking.asr.transcribe import AsrSettings
from sensemaking.config import Config, ConfigError, validate
from sensemaking.config_modalities import Asr, MtEngine, Sectioning
from sensemaking.mt.google import GoogleSettings
from sensemaking.sectioning.cutting import RULES, Settings

SMALL: dict[str, Any] = {
    "kinds": [{"id": "popular", "language": "de"}],
    "systems": [{"id": "best", "role": "student", "engine": "best-sentence"}],
}
MEMORY = {"id": "m", "engine": "memory", "file": "m.tmx"}


def engines(*found: dict[str, Any]) -> dict[str, Any]:
    return {**SMALL, "mt": {"engines": list(found)}}


def kind(**keys: Any) -> dict[str, Any]:
    return {**SMALL, "kinds": [{"id": "popular", "language": "de", **keys}]}


def fault(raw: dict[str, Any]) -> str:
    with pytest.raises(ConfigError) as caught:
        validate(raw)
    return str(caught.value)


def test_the_defaults_are_those_of_the_library() -> None:
    assert settings_of(Asr().model_dump(exclude={"measure"}), 0) == AsrSettings()
    cutting = Sectioning().model_dump()
    assert Settings(**{**cutting, "rules": tuple(cutting["rules"])}) == Settings()
    assert tuple(cutting["rules"]) == RULES
    google = MtEngine(id="g", engine="google").model_dump()
    for field in dataclasses.fields(GoogleSettings):
        assert google[field.name] == field.default


def test_every_setting_of_an_engine_can_be_configured() -> None:
    names = {field.name for field in dataclasses.fields(EngineSettings)}
    names |= {"beam_size", "condition_on_previous_text", "retry_temperatures", "voice_activity"}
    names |= {f"{field.name}_threshold" for field in dataclasses.fields(Thresholds)}
    assert set(Asr.model_fields) == names | {"measure"}


@pytest.mark.parametrize(
    ("given", "expected"),
    [("uk-UA", "uk"), ("ua", "uk"), ("cz", "cs"), ("ukr", "uk"), ("de_AT.UTF-8", "de")],
)
def test_languages_may_be_written_in_any_usual_way(given: str, expected: str) -> None:
    read = validate(kind(language=given, question_language=given)).kinds[0]
    assert (read.language, read.question_language) == (expected, expected)


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("xx", "kinds[0].language: unknown language 'xx'"),
        ("Czech", "kinds[0].language: unknown language 'Czech'"),
        (False, "in YAML, write no, the code of Norwegian, in quotes"),
    ],
)
def test_an_unknown_language_is_refused_before_anything_runs(language: Any, expected: str) -> None:
    assert expected in fault(kind(language=language))


def test_a_kind_is_cut_only_if_it_asks_for_it() -> None:
    assert validate(SMALL).kinds[0].sectioning is None
    assert validate(kind(sectioning={})).kinds[0].sectioning == Sectioning()


@pytest.mark.parametrize(
    ("sectioning", "expected"),
    [
        ({"rules": ["pages"]}, "Input should be 'outline', 'marks', 'slides' or 'length'"),
        ({"rules": []}, "sectioning.rules"),
        ({"rules": ["length", "length"]}, "rules: 'length' occurs twice"),
        ({"max_words": 20}, "min_words (30) must be less than max_words (20)"),
        ({"max_wrods": 20}, "did you mean 'max_words'?"),
    ],
)
def test_rules_that_cannot_be_followed_are_refused(sectioning: Any, expected: str) -> None:
    assert expected in fault(kind(sectioning=sectioning))


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        ([{"id": "m", "engine": "memory"}], "engines[0]: file: is missing"),
        ([{**MEMORY, "api_endpoint": "https://x"}], "api_endpoint: no key of the engine memory"),
        ([{**MEMORY, "engine": "google"}], "file: no key of the engine google"),
        (
            [{"id": "d", "engine": "deepl"}],
            "Input should be 'memory', 'google' or 'llm'; found 'deepl'",
        ),
        ([MEMORY, MEMORY], "engines: 'm' occurs twice"),
        (
            [{"id": "g", "engine": "google", "api_endpoint": "http://example.org"}],
            "expected https://…, or http:// and this machine",
        ),
        (
            [{"id": "g", "engine": "google", "api_endpoint": "http://127.0.0.1.example.org/"}],
            "expected https://…",
        ),
        (
            [{"id": "g", "engine": "google", "first_wait_s": 5, "longest_wait_s": 1}],
            "longest_wait_s (1) must not be less than first_wait_s (5)",
        ),
        ([{"id": "g", "engine": "google", "max_bytes": 100_001}], "mt.engines[0].max_bytes"),
        ([{"id": "g", "engine": "google", "key": "secret"}], "key: unknown key"),
        ([{"id": "l", "engine": "llm"}], "language_model: is missing"),
        ([{"id": "l", "engine": "llm", "language_model": "no such"}], "expected one of llm.models"),
        ([{**MEMORY, "prompt": "translator"}], "prompt: no key of the engine memory"),
    ],
)
def test_an_engine_that_cannot_be_used_is_refused(
    found: list[dict[str, Any]], expected: str
) -> None:
    assert expected in fault(engines(*found))


@pytest.mark.parametrize(
    "endpoint",
    ["https://example.org", "http://127.0.0.1:8080", "http://localhost", "http://[::1]:9/x"],
)
def test_an_endpoint_is_encrypted_or_on_this_machine(endpoint: str) -> None:
    raw = engines({"id": "g", "engine": "google", "api_endpoint": endpoint})
    (engine,) = validate(raw).mt.engines
    assert engine.api_endpoint == endpoint
    # What passes here must not be refused when the job starts.
    assert GoogleSettings(api_endpoint=endpoint).api_endpoint == endpoint


def test_the_shipped_configuration_asks_nothing_of_a_network() -> None:
    import yaml
    from tests.conftest import ROOT

    shipped = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
    config: Config = validate(shipped)
    assert [engine.engine for engine in config.mt.engines] == ["memory"]
    assert config.mt.measure == "free"
    assert config.asr.model.startswith("package:")
