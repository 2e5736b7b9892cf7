"""The judge that shows a language model two summaries at a time and asks for a letter."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, Literal

from sensemaking.llm.calls import Call
from sensemaking.llm.checks import Verdict
from sensemaking.llm.delimiters import fenced, json_items
from sensemaking.llm.prompts import Prompt, load_prompt
from sensemaking.llm.raw_rows import status_of, tokens_of
from sensemaking.llm.reply import Reply
from sensemaking.llm.settings import LanguageModel
from sensemaking.llm.statuses import INVALID_ITEM, MISSING_ITEM, TRUNCATED
from sensemaking.statuses import OK
from sensemaking.verifiable.data import Document
from sensemaking.verifiable.judges import CRITERIA, QUESTIONS, Answer, Criterion
from sensemaking.verifiable.letters import LETTERS, letter_in, preference
from sensemaking.verifiable.llm_calls import ModelAnswers, Row, make_call, texts_of

AnswerFrom = Literal["logprobs", "reply"]

_NEEDED: Final = ("source", "summaries", "question")
_REPLY_TOKENS: Final = 2


def pairwise_prompt(name: str, folders: Sequence[Path]) -> Prompt:
    """Return the prompt of a name; see ``load_prompt``."""
    return load_prompt(name, folders, _NEEDED)


def prepare(
    documents: Iterable[Document],
    settings: LanguageModel,
    prompt: Prompt,
    *,
    answer_from: AnswerFrom,
) -> list[Call]:
    """Return the calls: one for each document, question and pair of summaries, in both orders.

    All calls about a document begin with the same text, its report, which endpoints keep.

    Args:
        documents: The documents, with texts.
        settings: The model's settings.
        prompt: The prompt; it uses ``source``, ``summaries`` and ``question``.
        answer_from: ``logprobs`` asks for log-probabilities, too.

    Raises:
        ValueError: A document has no texts.
    """
    calls = []
    for document in documents:
        source, texts = texts_of(document)
        text_of = dict(zip(document.items, texts, strict=True))
        for criterion, first, second in _asked(document):
            shown = zip(LETTERS, (first, second), strict=True)
            messages = prompt.messages(
                source=fenced(source),
                summaries=json_items([{"id": name, "text": text_of[item]} for name, item in shown]),
                question=QUESTIONS[criterion],
                criterion=criterion,
            )
            calls.append(
                make_call(
                    settings,
                    prompt,
                    messages,
                    name=_name(document, criterion, first, second),
                    document=document.document,
                    items=(first, second),
                    labels=LETTERS,
                    expected_tokens=_REPLY_TOKENS,
                    logprobs=answer_from == "logprobs",
                    check=_names_a_letter if answer_from == "reply" else None,
                )
            )
    return calls


def parse(
    documents: Iterable[Document], raw: Iterable[Row], *, answer_from: AnswerFrom
) -> ModelAnswers:
    """Return the answers in the replies.

    Args:
        documents: The documents, as ``prepare`` got them.
        raw: Rows of ``raw/judge``.
        answer_from: ``logprobs`` takes the probability of the letter A in the place of the letter
            in the reply, ``reply`` the letter itself, 1 for A and 0 for B. A probability is never
            replaced by a letter.
    """
    by_name = {row["call"]: row for row in raw}
    answers: list[Answer] = []
    statuses: dict[tuple[str, str, frozenset[str]], str] = {}
    for document in documents:
        found = {
            key: _read(by_name.get(_name(document, *key)), answer_from) for key in _asked(document)
        }
        for criterion in CRITERIA:
            for place, a in enumerate(document.items):
                for b in document.items[place + 1 :]:
                    q_ab, status_ab = found[criterion, a, b]
                    q_ba, status_ba = found[criterion, b, a]
                    answers.append(Answer(document.document, criterion, a, b, q_ab, q_ba))
                    status = status_ab if status_ab != OK else status_ba
                    if status != OK:
                        statuses[document.document, criterion, frozenset((a, b))] = status
    return ModelAnswers(tuple(answers), statuses)


def _asked(document: Document) -> Iterator[tuple[Criterion, str, str]]:
    """Yield the question, the summary shown first and the one shown second of each call."""
    for criterion in CRITERIA:
        for first in document.items:
            for second in document.items:
                if first != second:
                    yield criterion, first, second


def _name(document: Document, criterion: str, first: str, second: str) -> str:
    return f"{document.document}/{criterion}/{first}/{second}"


def _read(row: Row | None, answer_from: AnswerFrom) -> tuple[float | None, str]:
    """Return the probability that the first summary is better, and the status."""
    if row is None:
        return None, MISSING_ITEM
    status = status_of(row)
    if answer_from == "reply":
        if status != OK:
            return None, status
        letter = letter_in(row["reply"])
        return (None, INVALID_ITEM) if letter is None else (float(letter == LETTERS[0]), OK)
    # What follows the letter does not matter, so it may have been cut.
    if status not in (OK, TRUNCATED):
        return None, status
    found = preference(tokens_of(row))
    if status == TRUNCATED and (found.reason == INVALID_ITEM or not isinstance(row["reply"], str)):
        return None, TRUNCATED
    return found.value, found.reason or OK


def _names_a_letter(reply: Reply) -> Verdict:
    return Verdict() if letter_in(reply.text) else Verdict(INVALID_ITEM, missing=1)
