"""The judges that ask a language model, by the name of their engine in the configuration."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sensemaking.llm.calls import Call
from sensemaking.llm.settings import LanguageModel
from sensemaking.verifiable import llm_pairwise, llm_pointwise
from sensemaking.verifiable.data import Document
from sensemaking.verifiable.llm_calls import ModelAnswers, Row

_POINTWISE = "pointwise"


def asked_as(choices: Mapping[str, Any], judge: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return how the model of a judge is asked: once, if its probabilities are wanted.

    Another attempt would be made at another temperature, at which some endpoints give other
    log-probabilities, and a letter is read from a reply that was cut as well as from a whole one.

    Args:
        choices: ``model`` (the settings as plain values), ``mode`` and ``strict``.
        judge: ``engine`` (``llm`` or ``pointwise``) and ``answer_from``.
    """
    if judge["engine"] == _POINTWISE or judge["answer_from"] == "reply":
        return choices
    return {**choices, "model": {**choices["model"], "attempts": 1}}


def prepare(
    judge: Mapping[str, Any], documents: Sequence[Document], settings: LanguageModel, prompt: str
) -> list[Call]:
    """Return the calls of a judge.

    Args:
        judge: ``engine`` and ``answer_from``.
        documents: The documents, with texts.
        settings: The model's settings.
        prompt: Path of its prompt.

    Raises:
        PromptError: The file is no prompt, or lacks something needed.
        ValueError: A document has no texts.
    """
    if judge["engine"] == _POINTWISE:
        loaded = llm_pointwise.pointwise_prompt(prompt, [Path()])
        return llm_pointwise.prepare(documents, settings, loaded)
    loaded = llm_pairwise.pairwise_prompt(prompt, [Path()])
    return llm_pairwise.prepare(documents, settings, loaded, answer_from=judge["answer_from"])


def parse(
    judge: Mapping[str, Any], documents: Sequence[Document], raw: Sequence[Row]
) -> ModelAnswers:
    """Return the answers in the replies to a judge.

    Args:
        judge: ``engine`` and ``answer_from``.
        documents: The documents; texts are not needed.
        raw: Rows of ``raw/judge``.
    """
    if judge["engine"] == _POINTWISE:
        return llm_pointwise.parse(documents, raw)
    return llm_pairwise.parse(documents, raw, answer_from=judge["answer_from"])
