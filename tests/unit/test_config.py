import copy
import json
import shutil
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import BaseModel

from sensemaking import config, config_file, config_systems
from sensemaking.config import Config, ConfigError, model_at, validate
from sensemaking.config_file import render_schema, render_yaml
from sensemaking.scoring import estimates
from sensemaking.systems import GOLD_SYSTEM

ROOT = Path(__file__).parents[2]
SMALL: dict[str, Any] = {
    "kinds": [{"id": "popular", "language": "de", "sub_kinds": [{"id": "s", "folders": ["*"]}]}],
    "systems": [{"id": "best", "role": "student", "engine": "best-sentence"}],
}


def changed(*changes: tuple[tuple[str | int, ...], Any]) -> dict[str, Any]:
    """The small configuration with values put in at places."""
    result = copy.deepcopy(SMALL)
    for path, value in changes:
        place: Any = result
        for part in path[:-1]:
            place = place.setdefault(part, {}) if isinstance(place, dict) else place[part]
        place[path[-1]] = value
    return result


def fault(raw: Any) -> str:
    with pytest.raises(ConfigError) as caught:
        validate(raw)
    return str(caught.value)


def mappings(raw: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Places of all mappings in the shipped configuration."""
    if isinstance(raw, dict):
        yield path
        for name, value in raw.items():
            yield from mappings(value, (*path, name))
    elif isinstance(raw, list):
        for number, value in enumerate(raw):
            yield from mappings(value, (*path, number))


SHIPPED: dict[str, Any] = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
PLACES = list(mappings(SHIPPED))


def test_the_shipped_configuration_is_valid_and_defaults_fill_a_small_one() -> None:
    assert [kind.id for kind in validate(SHIPPED).kinds][:2] == [
        "demagog-statements-public",
        "flat-earth-book",
    ]
    small = validate(SMALL)
    assert (small.seed, small.windows.max_words, small.intervals.draws) == (20250923, 50, 10_000)
    assert small.kinds[0].text_from == ["text", "audio", "pdf"]
    assert (small.kinds[0].label, small.systems[0].team_name) == ("popular", "best")
    assert (small.systems[0].shown, small.systems[0].submission) == ("best", "PRIMARY")
    assert [system.id for system in small.of_role("student")] == ["best"]
    assert small.of_role("teacher") == []


@given(st.sampled_from(PLACES), st.from_regex(r"[A-Za-z_]{1,12}", fullmatch=True))
def test_every_unknown_key_is_named_with_its_place_and_the_nearest_known_one(
    path: tuple[str | int, ...], key: str
) -> None:
    raw = copy.deepcopy(SHIPPED)
    place: Any = raw
    for part in path:
        place = place[part]
    model = model_at(path)
    assert model is not None
    if key in model.model_fields:
        return
    place[key] = "secret-value"
    message = fault(raw)
    dotted = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in (*path, key))
    assert f"  {dotted.lstrip('.')}: unknown key; " in message
    assert any(f"'{name}'" in message for name in model.model_fields) or "did you mean" in message
    assert "secret-value" not in message


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (("seeed",), "seeed: unknown key; did you mean 'seed'?"),
        (("SEED",), "SEED: unknown key; did you mean 'seed'?"),
        (("windows", "max_word"), "windows.max_word: unknown key; did you mean 'max_words'?"),
        (("kinds", 0, "lang"), "kinds[0].lang: unknown key; did you mean 'language'?"),
        (
            ("kinds", 0, "sub_kinds", 0, "folder"),
            "kinds[0].sub_kinds[0].folder: unknown key; did you mean 'folders'?",
        ),
        # The right name at the wrong place.
        (
            ("max_words",),
            "max_words: unknown key; did you mean 'kinds[].sectioning.max_words' or "
            "'windows.max_words'?",
        ),
        (("systems", 0, "folders"), "did you mean 'kinds[].sub_kinds[].folders'?"),
        (("batch_size",), "batch_size: unknown key; did you mean 'embedding.batch_size'?"),
        # Like no other.
        (("windows", "zzz"), "the nearest known key is 'max_words'; known keys: max_words"),
    ],
)
def test_the_nearest_known_key_is_the_one_that_was_meant(
    path: tuple[str | int, ...], expected: str
) -> None:
    assert expected in fault(changed((path, 1)))


def test_all_faults_are_told_at_once() -> None:
    message = fault(changed((("seed",), -1), (("windows", "max_word"), 5), (("intervals",), 3)))
    assert message.startswith("the configuration has 3 faults:\n")
    for key in ("seed: ", "windows.max_word: ", "intervals: "):
        assert f"\n  {key}" in message


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        (("seed",), 1.0, "seed: Input should be a valid integer; found 1.0"),
        (("seed",), "1", "seed: Input should be a valid integer; found '1'"),
        (("seed",), True, "seed: Input should be a valid integer; found True"),
        (("seed",), -1, "seed: Input should be greater than or equal to 0; found -1"),
        (("seed",), None, "seed: "),
        (("kinds",), [], "kinds: List should have at least 1 item"),
        (("kinds",), {}, "kinds: "),
        (("windows",), None, "windows: "),
        (("windows", "max_words"), 0, "windows.max_words: "),
        (("teacher_metrics", "floor"), 0, "teacher_metrics.floor: "),
        (("teacher_metrics", "floor"), "nan", "teacher_metrics.floor: "),
        (("teacher_metrics", "sign"), 2, "teacher_metrics.sign: "),
        (("intervals", "draws"), 10, "intervals.draws: "),
        (("embedding", "sha256"), "abc", "embedding.sha256: "),
        (("kinds", 0, "language"), "xx", "kinds[0].language: unknown language 'xx'"),
        (("kinds", 0, "text_from"), ["text", "video"], "kinds[0].text_from[1]: "),
        (("kinds", 0, "id"), "a/b", "kinds[0]: 'a/b' cannot be the name of a kind"),
        (("kinds", 0, "id"), "a{b", "kinds[0]: a kind is one folder name"),
        (("kinds", 0, "id"), "..", "kinds[0]: a kind is one folder name"),
        (("kinds", 0, "id"), " a", "kinds[0]: ' a' cannot be the name of a kind"),
        (("kinds", 0, "id"), "all", "kinds[0]: 'all' is the name of the column of all kinds"),
        (("kinds", 0, "sub_kinds", 0, "id"), "all", "kinds[0]: 'all' is the name of the column"),
        (("kinds", 0, "sub_kinds", 0, "folders"), [], "kinds[0].sub_kinds[0].folders: "),
        (("systems", 0, "id"), "a/b", "systems[0]: 'a/b' cannot be the name of a system"),
        (("systems", 0, "team"), "a#b", "systems[0]: 'a#b' cannot be the name of a team"),
        (("systems", 0, "submission"), "a\nb", "systems[0]: "),
        (("systems", 0, "engine"), "cloze", "'cloze' is no engine for a student; known: best-"),
        (("systems", 0, "engine"), "materials", "the engine materials is for teachers"),
        (("systems", 0, "role"), "judge", "systems[0].role: "),
        (("systems", 0, "id"), "gold", "systems: the names 'gold' and 'gold' both become"),
        (("systems", 0, "id"), "!!!", "systems: the name '!!!' has no letter or digit"),
        (("student_metrics", "named_student"), "other", "expected a student system: best"),
    ],
)
def test_a_value_that_does_not_fit_is_told_with_its_key(
    path: tuple[str | int, ...], value: Any, expected: str
) -> None:
    assert expected in fault(changed((path, value)))


def test_required_keys_are_named() -> None:
    message = fault({"kinds": [{}]})
    for key in ("kinds[0].id", "kinds[0].language", "systems"):
        assert f"  {key}: is missing; it is required" in message


@pytest.mark.parametrize("raw", [None, [], "text", 7])
def test_what_is_no_mapping_is_told(raw: Any) -> None:
    assert "expected keys with values" in fault(raw)


@pytest.mark.parametrize("key", [1, None, 1.5, True])
def test_a_key_that_is_no_text_is_told(key: Any) -> None:
    assert "Keys should be strings" in fault({**SMALL, key: 2})


def test_a_long_value_is_shown_shortened() -> None:
    assert len(fault(changed((("seed",), "9" * 100_000)))) < 300


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("nmt-book", "nmt book", "kinds: the names 'nmt-book' and 'nmt book' both become"),
        ("лекція", "lektsiia", "kinds: the names 'лекція' and 'lektsiia' both become"),
        ("a", "a", "kinds: the names 'a' and 'a' both become 'a' in paths"),
    ],
)
def test_kinds_that_are_one_in_paths_are_refused(first: str, second: str, expected: str) -> None:
    kinds = [{"id": name, "language": "en"} for name in (first, second)]
    assert expected in fault({**SMALL, "kinds": kinds})


def test_sub_kinds_and_submissions_are_unique() -> None:
    sub_kinds = [{"id": "a", "folders": ["x"]}, {"id": "a", "folders": ["y"]}]
    assert "sub_kinds: 'a' occurs twice" in fault(changed((("kinds", 0, "sub_kinds"), sub_kinds)))
    systems = [{**SMALL["systems"][0], "id": name, "team": "T"} for name in "ab"]
    assert "'student T/PRIMARY' occurs twice" in fault({**SMALL, "systems": systems})


@pytest.mark.parametrize(
    ("team", "submission", "expected"),
    [
        ("GOLD", "PRIMARY", "GOLD/PRIMARY is the expert set"),
        ("a_SHUFFLEDW", "PRIMARY", "marks adversarial sets"),
        ("a", "SHUFFLEDx", "marks adversarial sets"),
    ],
)
def test_a_teacher_has_a_name_that_question_sets_can_have(
    team: str, submission: str, expected: str
) -> None:
    teacher = {"id": "t", "role": "teacher", "engine": "materials", "team": team}
    assert expected in fault({**SMALL, "systems": [{**teacher, "submission": submission}]})


def test_names_become_nfc_since_ids_are() -> None:
    name = unicodedata.normalize("NFD", "přednáška")
    kind = {"id": name, "language": "cs", "sub_kinds": [{"id": name, "folders": [name]}]}
    system = {**SMALL["systems"][0], "id": name, "team": name, "submission": name}
    found = validate(
        {"kinds": [kind], "systems": [system], "student_metrics": {"named_student": name}}
    )
    composed = unicodedata.normalize("NFC", name)
    assert composed != name
    read = found.kinds[0]
    assert (read.id, read.sub_kinds[0].id, read.sub_kinds[0].folders) == (
        *(composed, composed),
        [composed],
    )
    assert (found.systems[0].id, found.systems[0].team) == (composed, composed)
    assert found.student_metrics.named_student == composed


@pytest.mark.parametrize(("given_code", "read"), [("ua", "uk"), ("cz", "cs"), ("de-AT", "de")])
def test_codes_of_countries_are_read_as_the_languages_that_are_meant(
    given_code: str, read: str
) -> None:
    assert validate(changed((("kinds", 0, "language"), given_code))).kinds[0].language == read


def test_a_small_share_may_be_written_as_yaml_reads_it() -> None:
    # YAML 1.1 takes 1e-9 for a text.
    assert yaml.safe_load("1e-9") == "1e-9"
    found = validate(changed((("teacher_metrics", "floor"), "1e-9")))
    assert found.teacher_metrics.floor == 1e-9


def test_a_configuration_cannot_be_changed_afterwards() -> None:
    with pytest.raises(ValueError, match="frozen"):
        validate(SMALL).seed = 2  # type: ignore[misc]


def test_names_that_are_used_elsewhere_agree() -> None:
    assert estimates.ALL == config.ALL
    assert GOLD_SYSTEM in config_systems.RESERVED_SYSTEMS


# Drift of config.yaml and of the JSON schema


def test_the_shipped_files_are_what_the_models_say() -> None:
    assert config_file.main(["--check", "--root", str(ROOT)]) == 0


def test_a_drift_is_told_and_mended(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copy(ROOT / "config.yaml", tmp_path)
    assert config_file.main(["--check", "--root", str(tmp_path)]) == 1
    assert "config.schema.json differs from the models; run make config" in capsys.readouterr().err
    assert config_file.main(["--root", str(tmp_path)]) == 0
    assert config_file.main(["--check", "--root", str(tmp_path)]) == 0
    path = tmp_path / "config.yaml"
    edited = path.read_text(encoding="utf-8").replace("# Seed of every random draw.", "# Luck.")
    path.write_text(edited.replace("seed: 20250923", "seed: 7"), encoding="utf-8")
    assert config_file.main(["--check", "--root", str(tmp_path)]) == 1
    config_file.main(["--root", str(tmp_path)])
    # The comment is mended, the value is kept.
    assert "# Seed of every random draw.\nseed: 7\n" in path.read_text(encoding="utf-8")


def test_config_yaml_explains_every_key() -> None:
    text = (ROOT / "config.yaml").read_text(encoding="utf-8")
    comments = " ".join(
        line.strip().removeprefix("#").strip()
        for line in text.splitlines()
        if line.strip().startswith("#")
    )

    def descriptions(model: type[BaseModel]) -> Iterator[str]:
        for name, field in model.model_fields.items():
            assert field.description, f"{model.__name__}.{name} has no description"
            yield field.description
            inner = next(config._models_in(field.annotation), None)
            if inner is not None:
                yield from descriptions(inner)

    assert all(description in comments for description in descriptions(Config))


def test_the_rendered_yaml_reads_back_as_the_same_configuration() -> None:
    for raw in (SHIPPED, SMALL):
        found = validate(raw)
        assert validate(yaml.safe_load(render_yaml(found))) == found


NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)


@given(NAMES, NAMES, st.floats(1e-300, 0.999, exclude_min=True), st.integers(0, 2**70))
@example("a\x85b", "\x85R7", 1e-9, 0)
@example("a\u2028b", "a\u2029", 1e-9, 0)
@example("no", "1e5", 1e-9, 0)
def test_any_values_survive_rendering(root: str, label: str, floor: float, seed: int) -> None:
    raw = changed(
        (("materials", "root"), root),
        (("systems", 0, "label"), label),
        (("kinds", 0, "title"), label),
        (("teacher_metrics", "floor"), floor),
        (("seed",), seed),
    )
    found = validate(raw)
    assert validate(yaml.safe_load(render_yaml(found))) == found


SCHEMA = json.loads(render_schema())


def test_the_json_schema_is_one_and_accepts_the_shipped_configuration() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    jsonschema.validate(SHIPPED, SCHEMA)
    jsonschema.validate(SMALL, SCHEMA)
    shipped = json.loads((ROOT / "resources/config.schema.json").read_text(encoding="utf-8"))
    assert shipped == SCHEMA


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("seeed",), 1),
        (("windows", "max_word"), 1),
        (("kinds", 0, "lang"), "de"),
        (("kinds", 0, "sub_kinds", 0, "folder"), "x"),
        (("seed",), "1"),
        (("seed",), True),
        (("seed",), -1),
        (("kinds",), []),
        (("windows",), None),
        (("windows", "max_words"), 0),
        (("teacher_metrics", "floor"), 1),
        (("teacher_metrics", "sign"), 2),
        (("intervals", "draws"), 10),
        (("embedding", "sha256"), "abc"),
        (("kinds", 0, "text_from"), ["video"]),
        (("kinds", 0, "sub_kinds", 0, "folders"), []),
        (("systems", 0, "role"), "judge"),
        (("systems", 0, "questions_per_section"), 0),
        (("student_metrics", "tokenizer"), "other"),
    ],
)
def test_the_json_schema_rejects_what_the_models_reject(
    path: tuple[str | int, ...], value: Any
) -> None:
    raw = changed((path, value))
    assert fault(raw)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(raw, SCHEMA)


@pytest.mark.parametrize("key", ["kinds", "systems"])
def test_the_json_schema_knows_what_is_required(key: str) -> None:
    raw = {name: value for name, value in SMALL.items() if name != key}
    assert fault(raw)
    with pytest.raises(jsonschema.ValidationError, match="required"):
        jsonschema.validate(raw, SCHEMA)
