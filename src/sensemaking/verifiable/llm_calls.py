"""What the judges that ask a language model share: calls about a document, and what they give."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sensemaking.llm.calls import Call
from sensemaking.llm.checks import Check
from sensemaking.llm.prompts import Prompt
from sensemaking.llm.request import Message, make_request
from sensemaking.llm.settings import LanguageModel
from sensemaking.llm.tokens import estimate_tokens
from sensemaking.verifiable.data import Document
from sensemaking.verifiable.judges import Answer

Row = Mapping[str, Any]


@dataclass(frozen=True)
class ModelAnswers:
    """The answers that a model's replies give.

    Attributes:
        answers: A row for each pair and question; None where there is no answer.
        statuses: (document, criterion, the two items as a set) to why an answer of the pair is
            missing, for pairs that lack one or both.
    """

    answers: tuple[Answer, ...]
    statuses: Mapping[tuple[str, str, frozenset[str]], str]


def texts_of(document: Document) -> tuple[str, tuple[str, ...]]:
    """Return the report and the summaries of a document.

    Raises:
        ValueError: The document has no texts.
    """
    if document.source is None or document.texts is None:
        raise ValueError(f"{document.document} has no texts, so that no model can judge it")
    return document.source, document.texts


def make_call(
    settings: LanguageModel,
    prompt: Prompt,
    messages: Sequence[Message],
    *,
    name: str,
    document: str,
    items: tuple[str, ...],
    labels: tuple[str, ...],
    expected_tokens: int,
    schema: Mapping[str, Any] | None = None,
    logprobs: bool = False,
    check: Check | None = None,
) -> Call:
    """Return a call about one document; a prompt that is too long for the context has no request.

    Args:
        settings: The model's settings.
        prompt: The prompt that the messages are made of.
        messages: The messages.
        name: The call's name, unique in the shard.
        document: The document.
        items: The summaries that are shown, in order.
        labels: What they are called in the prompt.
        expected_tokens: Tokens that the reply may have, for an estimate.
        schema: The JSON schema of the reply; None for free text.
        logprobs: Whether log-probabilities are needed.
        check: What the reply must be.
    """
    tokens = sum(estimate_tokens(message["content"]) for message in messages)
    if schema is not None:
        tokens += estimate_tokens(str(schema))
    request = None
    if tokens <= settings.usable_tokens - settings.max_tokens:
        request = make_request(settings, messages, schema, logprobs=logprobs)
    return Call(
        name=name,
        section_id=document,
        items=items,
        labels=labels,
        part=0,
        parts=1,
        prompt=prompt.label,
        request=request,
        expected_tokens=expected_tokens,
        check=check,
    )
