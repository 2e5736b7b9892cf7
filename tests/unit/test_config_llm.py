"""Language models in the configuration, and the systems that they play."""

from typing import Any

import pytest

from sensemaking.config import ConfigError, validate

MODEL = {"id": "mini", "model": "gpt-mini"}
STUDENT = {"id": "s", "role": "student", "engine": "llm", "language_model": "mini"}


def config(*systems: dict[str, Any], models: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    return {
        "kinds": [{"id": "k", "language": "en"}],
        "systems": list(systems),
        "llm": {"models": [MODEL] if models is None else models},
    }


def test_a_system_is_played_by_a_model_of_the_list() -> None:
    found = validate(config(STUDENT))
    assert found.llm.mode == "replay"
    assert found.llm.model_of("mini").model == "gpt-mini"
    (system,) = found.systems
    assert (system.adversarial_sections, system.is_program) == (["*"], False)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"language_model": "maxi"}, r"'s' has the language_model 'maxi'.*: mini"),
        ({"language_model": None}, "language_model: is missing"),
        ({"span_words": 5}, "span_words: no key of a student with the engine llm"),
        ({"grade_from": "reply"}, "grade_from: no key of a student with the engine llm"),
        ({"engine": "best-sentence"}, "language_model: no key of a student with the engine best"),
        ({"engine": "gpt"}, "'gpt' is no engine for a student; known: .*llm"),
        ({"adversarial_sections": [""]}, "adversarial_sections"),
    ],
)
def test_a_system_that_cannot_be_played_is_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        validate(config({**STUDENT, **change}))


def test_two_models_cannot_have_one_name() -> None:
    with pytest.raises(ConfigError, match=r"llm: models: .*mini"):
        validate(config(STUDENT, models=[MODEL, {**MODEL, "id": "Mini"}]))


def test_a_key_in_the_configuration_is_refused_and_not_repeated() -> None:
    model = {**MODEL, "extra": {"api_key": "sk-very-secret"}}
    with pytest.raises(ConfigError, match="looks like a secret") as caught:
        validate(config(STUDENT, models=[model]))
    assert "sk-very-secret" not in str(caught.value)


def test_a_translation_engine_needs_its_own_keys() -> None:
    raw = config(STUDENT)
    raw["mt"] = {"engines": [{"id": "m", "engine": "llm", "language_model": "maxi"}]}
    with pytest.raises(ConfigError, match=r"mt\.engines: 'm' has the language_model 'maxi'"):
        validate(raw)
    raw["mt"] = {"engines": [{"id": "m", "engine": "llm"}]}
    with pytest.raises(ConfigError, match="language_model: is missing"):
        validate(raw)
    raw["mt"] = {"engines": [{"id": "m", "engine": "memory", "file": "x", "prompt": "p"}]}
    with pytest.raises(ConfigError, match="prompt: no key of the engine memory"):
        validate(raw)
