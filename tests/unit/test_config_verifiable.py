"""The configuration of the verifiable evaluation."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from sensemaking import config_verifiable
from sensemaking.config import ConfigError, validate
from sensemaking.config_verifiable import ShownJudge, Verifiable
from sensemaking.verifiable import generator

SHIPPED = yaml.safe_load((Path(__file__).parents[2] / "config.yaml").read_text(encoding="utf-8"))
MADE = {"id": "made", "source": "generated"}
READ = {"id": "read", "source": "recorded", "path": "truth.csv"}
TEXTS = {"id": "texts", "source": "recorded", "path": "Data.JSON"}
RECORDED = {"id": "r", "dataset": "read", "engine": "recorded", "answers": "r.csv"}
FACTS = {"id": "f", "dataset": "made", "engine": "facts"}
ASKED = {"id": "m", "dataset": "made", "engine": "llm", "language_model": "mini"}
MODELS = {"models": [{"id": "mini", "model": "mini"}]}


def config(*datasets: dict[str, Any], judges: tuple[dict[str, Any], ...] = (), **more: Any) -> Any:
    section = {"datasets": list(datasets), "judges": list(judges), **more}
    # Systems and engines of the shipped run may name models of its own.
    known = SHIPPED["llm"]["models"] + MODELS["models"]
    llm = {**SHIPPED["llm"], "models": known}
    return validate({**SHIPPED, "llm": llm, "verifiable": section}).verifiable


def test_the_defaults_are_those_of_the_generator() -> None:
    assert (generator.SEED, generator.DOCUMENTS, generator.SUMMARIES) == (
        config_verifiable.SEED,
        config_verifiable.DOCUMENTS,
        config_verifiable.SUMMARIES,
    )
    found = config(MADE).datasets[0]
    assert (found.seed, found.documents, found.summaries) == (20260923, 6, 12)


def test_the_shipped_run_has_our_data_set_and_the_public_one() -> None:
    found = validate(SHIPPED).verifiable
    assert [one.id for one in found.datasets] == ["generated", "public"]
    assert {judge.engine for judge in found.judges_of("generated")} == {
        *("facts", "length", "overlap", "noisy")
    }
    assert [judge.published_label for judge in found.judges_of("public")] == ["Jev 1.13 (TypeSafe)"]
    assert (found.convention, found.clip, found.prior) == ("default", 1e-3, 0.0)


@pytest.mark.parametrize(
    ("datasets", "judges", "said"),
    [
        ([{**MADE, "summaries": 10}], [], "datasets[0]: summaries is 10; a report has 12"),
        ([{**MADE, "documents": 0}], [], "datasets[0].documents"),
        ([{**MADE, "seed": -1}], [], "datasets[0].seed"),
        ([{**MADE, "path": "x.csv"}], [], "path: no key of the source generated"),
        ([{**READ, "documents": 6}], [], "documents: no key of the source recorded"),
        ([{"id": "x", "source": "recorded"}], [], "path: is missing"),
        ([{**MADE, "id": "a/b"}], [], "cannot be the name of a data set"),
        ([MADE, {**MADE, "id": "Made"}], [], "both become 'made' in paths"),
        ([MADE], [{**FACTS, "dataset": "mad"}], "judges the data set 'mad'; expected one of: made"),
        ([], [FACTS], "none is configured"),
        ([MADE], [FACTS, FACTS], "'made f' occurs twice"),
        ([MADE], [{**FACTS, "id": "Jury"}], "'Jury' is the name of the pooled judges"),
        ([MADE], [{**FACTS, "error": 0.1}], "error: no key of the engine facts"),
        ([MADE], [{**FACTS, "answers": "x.csv"}], "answers: no key of the engine facts"),
        ([MADE], [{**FACTS, "published_label": "x"}], "published_label: no key of the engine"),
        ([READ], [{**FACTS, "dataset": "read"}], "reads texts, and the data set 'read' has none"),
        ([READ], [{"id": "r", "dataset": "read", "engine": "recorded"}], "answers: is missing"),
        ([READ], [{**RECORDED, "cost_usd": -1}], "judges[0].cost_usd"),
        ([MADE], [{**FACTS, "engine": "noisy", "error": 1.5}], "judges[0].error"),
        ([MADE], [{**FACTS, "engine": "noisy", "position": float("inf")}], "judges[0].position"),
        ([MADE], [{**FACTS, "engine": "noise"}], "judges[0].engine"),
        ([MADE], [{**FACTS, "answer": "x"}], "unknown key; did you mean 'answers'?"),
        (
            [MADE],
            [{**ASKED, "language_model": "big"}],
            "'m' has the language_model 'big'; expected",
        ),
        ([MADE], [{**FACTS, "engine": "llm"}], "language_model: is missing"),
        ([MADE], [{**FACTS, "engine": "pointwise"}], "language_model: is missing"),
        ([MADE], [{**FACTS, "prompt": "pairwise"}], "prompt: no key of the engine facts"),
        ([MADE], [{**ASKED, "answers": "x.csv"}], "answers: no key of the engine llm"),
        ([MADE], [{**ASKED, "cost_usd": 1}], "cost_usd: no key of the engine llm"),
        ([MADE], [{**ASKED, "answer_from": "text"}], "judges[0].answer_from"),
        ([MADE], [{**ASKED, "engine": "pointwise", "answer_from": "reply"}], "answer_from: no key"),
        ([READ], [{**ASKED, "dataset": "read"}], "reads texts, and the data set 'read' has none"),
        ([MADE], [ASKED, {**ASKED, "id": "M"}], "both become 'made-m' in paths"),
    ],
)
def test_what_does_not_fit_is_told_with_its_key(
    datasets: list[dict[str, Any]], judges: list[dict[str, Any]], said: str
) -> None:
    with pytest.raises(ConfigError) as error:
        config(*datasets, judges=tuple(judges))
    assert said in str(error.value)
    assert "verifiable" in str(error.value)


@pytest.mark.parametrize(
    ("key", "value"), [("clip", 0.5), ("clip", -0.1), ("prior", -1), ("convention", "printed")]
)
def test_settings_of_the_couplings_have_a_range(key: str, value: Any) -> None:
    with pytest.raises(ConfigError, match=f"verifiable.{key}"):
        config(MADE, **{key: value})
    assert config(MADE, clip=0, prior="1e-3").clip == 0.0


def test_programs_read_a_data_set_that_has_texts_whatever_the_case_of_the_ending() -> None:
    found = config(TEXTS, READ, judges=({**FACTS, "dataset": "texts"},))
    assert [one.has_texts for one in found.datasets] == [True, False]


def test_a_jury_pools_two_or_more_model_judges_of_one_data_set() -> None:
    other = {**RECORDED, "id": "s", "answers": "s.csv"}
    elsewhere = {**RECORDED, "dataset": "texts"}
    found: Verifiable = config(
        READ, TEXTS, judges=(RECORDED, elsewhere, other, {**FACTS, "dataset": "texts"})
    )
    assert [judge.id for judge in found.jury_of("read")] == ["r", "s"]
    assert found.jury_of("texts") == []
    assert [(one.dataset, one.judge) for one in found.shown_judges()] == [
        *(("read", "r"), ("read", "s"), ("read", "jury")),
        *(("texts", "r"), ("texts", "f")),
    ]


def test_judges_that_ask_a_model_are_model_judges_with_a_prompt_and_a_place_of_their_own() -> None:
    counting = {**ASKED, "id": "n", "engine": "pointwise", "prompt": "my/own.md"}
    found: Verifiable = config(MADE, judges=(FACTS, counting, ASKED))
    assert [judge.id for judge in found.asking] == ["n", "m"]
    assert [judge.prompt_name for judge in found.asking] == ["my/own.md", "pairwise"]
    assert [judge.shard for judge in found.asking] == ["made n", "made m"]
    assert [judge.id for judge in found.jury_of("made")] == ["n", "m"]
    assert found.asking[1].answer_from == "logprobs"
    costs = {judge.judge: judge.cost_usd for judge in found.shown_judges()}
    assert costs == {"f": 0.0, "n": None, "m": None, "jury": None}


def test_what_a_judge_costs_is_known_nothing_or_null() -> None:
    def shown(**costs: Any) -> dict[str, float | None]:
        judges = [{**RECORDED, "id": name, **cost} for name, cost in costs.items()]
        found = config(READ, MADE, judges=(*judges, FACTS)).shown_judges()
        return {one.judge: one.cost_usd for one in found}

    known = {"cost_usd": 0.25}
    assert shown(a=known, b=known) == {"a": 0.25, "b": 0.25, "jury": 0.5, "f": 0.0}
    assert shown(a=known, b={}) == {"a": 0.25, "b": None, "jury": None, "f": 0.0}


def test_labels_are_shown_and_ids_where_there_are_none() -> None:
    labelled = {**FACTS, "label": "Facts"}
    (found,) = config({**MADE, "label": "Ours"}, judges=(labelled,)).shown_judges()
    assert found == ShownJudge("made", "Ours", "f", "Facts", "facts", 0.0, None)
    (found,) = config(MADE, judges=(FACTS,)).shown_judges()
    assert (found.dataset_label, found.label) == ("made", "f")
