"""The judge that lets a language model count the facts and errors of one summary at a time."""

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from sensemaking.llm.calls import Call
from sensemaking.llm.checks import Verdict
from sensemaking.llm.delimiters import fenced, json_items
from sensemaking.llm.prompts import Prompt, load_prompt
from sensemaking.llm.raw_rows import status_of, value_of
from sensemaking.llm.reply import Reply
from sensemaking.llm.settings import LanguageModel
from sensemaking.llm.statuses import INVALID_ITEM, MISSING_ITEM
from sensemaking.statuses import OK
from sensemaking.verifiable.data import Document
from sensemaking.verifiable.judges import (
    CRITERIA,
    Answer,
    Criterion,
    answers_from_values,
    answers_of,
)
from sensemaking.verifiable.llm_calls import ModelAnswers, Row, make_call, texts_of

_NEEDED: Final = ("source", "summary")
_REPLY_TOKENS: Final = 20

_COUNTS: Final[Mapping[Criterion, str]] = {"accuracy": "wrong", "completeness": "mentioned"}
"""The count that answers a question."""

_BETTER: Final[Mapping[Criterion, float]] = {"accuracy": -1.0, "completeness": 1.0}
"""Whether more is better."""

SCHEMA: Final[Mapping[str, Any]] = {
    "type": "object",
    # In this order, since what is counted as wrong is among what is mentioned.
    "properties": {name: {"type": "integer", "minimum": 0} for name in ("mentioned", "wrong")},
    "required": ["mentioned", "wrong"],
    "additionalProperties": False,
}


def pointwise_prompt(name: str, folders: Sequence[Path]) -> Prompt:
    """Return the prompt of a name; see ``load_prompt``."""
    return load_prompt(name, folders, _NEEDED)


def prepare(documents: Iterable[Document], settings: LanguageModel, prompt: Prompt) -> list[Call]:
    """Return the calls: one for each summary, which asks for both counts.

    Args:
        documents: The documents, with texts.
        settings: The model's settings.
        prompt: The prompt; it uses ``source`` and ``summary``.

    Raises:
        ValueError: A document has no texts.
    """
    calls = []
    for document in documents:
        source, texts = texts_of(document)
        for item, text in zip(document.items, texts, strict=True):
            messages = prompt.messages(
                source=fenced(source), summary=json_items([{"summary": text}])
            )
            calls.append(
                make_call(
                    settings,
                    prompt,
                    messages,
                    name=_name(document, item),
                    document=document.document,
                    items=(item,),
                    labels=("summary",),
                    expected_tokens=_REPLY_TOKENS,
                    schema=SCHEMA,
                    check=_has_counts,
                )
            )
    return calls


def parse(documents: Iterable[Document], raw: Iterable[Row]) -> ModelAnswers:
    """Return the answers that the counts in the replies imply: 1, 0, or ½ where they are equal.

    A summary without a count leaves all its pairs without an answer.

    Args:
        documents: The documents, as ``prepare`` got them.
        raw: Rows of ``raw/judge``.
    """
    by_name = {row["call"]: row for row in raw}
    answers: list[Answer] = []
    statuses: dict[tuple[str, str, frozenset[str]], str] = {}
    for document in documents:
        rows = [by_name.get(_name(document, item)) for item in document.items]
        for criterion in CRITERIA:
            found = [_read(row, criterion) for row in rows]
            values = [_BETTER[criterion] * value for value, _ in found]
            of_pairs = answers_of(document, criterion, answers_from_values(values))
            status_of_item = dict(zip(document.items, (why for _, why in found), strict=True))
            for answer in of_pairs:
                missing = [
                    status_of_item[item]
                    for item in (answer.a, answer.b)
                    if status_of_item[item] != OK
                ]
                if missing:
                    key = (document.document, criterion, frozenset((answer.a, answer.b)))
                    statuses[key] = missing[0]
            answers += of_pairs
    return ModelAnswers(tuple(answers), statuses)


def _name(document: Document, item: str) -> str:
    return f"{document.document}/{item}"


def _read(row: Row | None, criterion: Criterion) -> tuple[float, str]:
    """Return a count, NaN where there is none, and the status."""
    if row is None:
        return math.nan, MISSING_ITEM
    status = status_of(row)
    if status != OK:
        return math.nan, status
    return _count(value_of(row), _COUNTS[criterion])


def _count(data: Any, name: str) -> tuple[float, str]:
    if not isinstance(data, Mapping) or data.get(name) is None:
        return math.nan, MISSING_ITEM
    value = data[name]
    if isinstance(value, bool) or not isinstance(value, int | float):
        return math.nan, INVALID_ITEM
    if value < 0 or value != int(value):
        return math.nan, INVALID_ITEM
    return float(value), OK


def _has_counts(reply: Reply) -> Verdict:
    read = [_count(reply.data, name) for name in _COUNTS.values()]
    missing = sum(status != OK for _, status in read)
    return Verdict(MISSING_ITEM, missing=missing) if missing else Verdict()
