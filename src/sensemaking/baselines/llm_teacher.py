"""The Teacher baseline: a language model asks a question about each of some spans of a section."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeGuard

from sensemaking.baselines.llm_sections import (
    ENGLISH,
    Form,
    Parsed,
    Row,
    ignored_finding,
    make_calls,
    most_items,
    prompt_tokens,
    readable,
    reply_finding,
    room,
)
from sensemaking.ids import GENUINE, SetName, question_id, question_set_name
from sensemaking.llm.calls import Call
from sensemaking.llm.checks import Check, Verdict
from sensemaking.llm.delimiters import labels
from sensemaking.llm.joining import join
from sensemaking.llm.prompts import Prompt, load_prompt
from sensemaking.llm.raw_rows import status_of, value_of
from sensemaking.llm.reply import Reply
from sensemaking.llm.settings import LanguageModel
from sensemaking.llm.splitting import NoRoomError, text_parts
from sensemaking.llm.statuses import INVALID_ITEM, MISSING_ITEM, WRONG_ITEMS
from sensemaking.questions import question_row
from sensemaking.statuses import OK
from sensemaking.text.words import normalise

PROMPT: Final = "teacher"
_Read = tuple[str | None, list[str], str]
"""Question, answers, status."""

_NEEDED: Final = ("section", "spans", "answers")
_QUESTION_TOKENS: Final = 40
_ANSWER_TOKENS: Final = 40


def teacher_prompt(name: str, folders: Sequence[Path]) -> Prompt:
    """Return the prompt of a name; see ``load_prompt``."""
    return load_prompt(name, folders, _NEEDED)


def cut_spans(text: str, number: int, span_words: int) -> list[str]:
    """Cut spans of words uniformly from a text: their first words lie equally far apart.

    The first span begins with the text and the last one ends with it. Neighbours overlap by half a
    span at most, so a short text gives fewer spans than wanted, at least one. A single one lies in
    the middle.

    Args:
        text: The text.
        number: Spans wanted, 1 or more.
        span_words: Words of a span, 1 or more; words are what stands between white space.

    Returns:
        The spans, as the text writes them, in its order; none for a blank text.
    """
    places = [found.span() for found in re.finditer(r"\S+", text)]
    if not places:
        return []
    room_left = max(0, len(places) - span_words)
    most = 1 + room_left // max(1, (span_words + 1) // 2)
    count = min(number, most)
    starts = [room_left // 2]
    if count > 1:
        starts = [round(index * room_left / (count - 1)) for index in range(count)]
    ends = [min(start + span_words, len(places)) for start in starts]
    return [
        text[places[start][0] : places[end - 1][1]] for start, end in zip(starts, ends, strict=True)
    ]


def prepare(
    sections: Sequence[Row],
    settings: LanguageModel,
    prompt: Prompt,
    *,
    team: str,
    submission: str,
    number: int,
    span_words: int = 50,
    answers: int = 5,
) -> list[Call]:
    """Return the calls of the Teacher: one for each section that fits into the context.

    A longer section is divided at the ends of sentences, and each part gets its share of the
    spans. A section without an English text gets no call.

    Args:
        sections: Rows of ``materials/sections``.
        settings: The model's settings.
        prompt: The prompt; it uses ``section``, ``spans`` and ``answers``.
        team: The team it plays.
        submission: Its submission.
        number: Spans, so questions, of a section.
        span_words: Words of a span.
        answers: Answers to each question.
    """
    form = Form(
        prompt=prompt,
        list_name="spans",
        schema=lambda names: _schema(names, answers),
        check=lambda names: _check(names, answers),
        item_tokens=_QUESTION_TOKENS + answers * _ANSWER_TOKENS,
        values={"answers": answers},
    )
    calls: list[Call] = []
    for section in sections:
        text = readable(section)
        if text is None:
            continue
        identifier = section["section_id"]
        position = 0
        own: list[Call] = []
        for part in _parts(text, number, span_words, settings, form):
            spans = cut_spans(part, _share(part, text, number), span_words)
            own += make_calls(
                settings,
                form,
                name=f"{identifier}/{question_set_name(team, submission)}@{len(own)}",
                section_id=identifier,
                text=part,
                ids=[
                    question_id(identifier, team, submission, position + n)
                    for n in range(len(spans))
                ],
                items=[{"span": span} for span in spans],
            )
            position += len(spans)
        calls += own
    return calls


def parse(raw: Sequence[Row], *, team: str, submission: str) -> Parsed:
    """Return the questions in the replies as rows of ``questions``.

    Each span has a row. Where there is no question, the row is null and its status says why.
    Answers that differ in case, white space or kinds of apostrophe alone count as one.

    Args:
        raw: Rows of ``raw/teacher``.
        team: The team it plays.
        submission: Its submission.
    """
    findings = []
    found: dict[str, _Read] = {}
    sections: dict[str, str] = {}
    for row in raw:
        status = status_of(row)
        joined = join(value_of(row), row["labels"])
        if status == OK and joined.problem is not None:
            findings.append(reply_finding(row, WRONG_ITEMS, joined.problem, "none of it is used"))
        if joined.ignored:
            findings.append(ignored_finding(row, joined.ignored))
        for identifier, label in zip(row["items"], row["labels"], strict=True):
            read: _Read = (None, [], status)
            if status == OK:
                read = _read(joined.items[label])
                if joined.problem is not None:
                    read = (None, [], WRONG_ITEMS)
            sections[identifier] = row["section_id"]
            # A span may have been asked about with several parts of a text.
            if identifier not in found or (found[identifier][0] is None and read[0] is not None):
                found[identifier] = read
    rows = []
    for identifier, (question, answers, status) in found.items():
        rows.append(
            question_row(
                sections[identifier],
                SetName(team, submission, GENUINE),
                int(identifier.rpartition("#")[2]),
                question=question,
                references=answers,
                status=status,
            )
        )
    return Parsed(rows, findings)


def _parts(
    text: str, number: int, span_words: int, settings: LanguageModel, form: Form
) -> list[str]:
    """Divide a text so that each part fits beside its spans."""
    most = most_items(settings, form)

    def fits(part: str) -> bool:
        spans = cut_spans(part, _share(part, text, number), span_words)[:most]
        shown = [{"span": span} for span in spans]
        names = labels(len(shown), [text])
        return prompt_tokens(form, part, names, shown) <= room(settings)

    try:
        return text_parts(text, ENGLISH, fits)
    except NoRoomError:
        # ``make_calls`` says of each span that it does not fit.
        return [text]


def _share(part: str, text: str, number: int) -> int:
    """Return how many spans a part of a text gets."""
    return max(1, round(number * len(part.split()) / len(text.split())))


def _schema(names: Sequence[str], answers: int) -> Mapping[str, Any]:
    entry = {
        "type": "object",
        "properties": {
            "id": {"type": "string", "enum": list(names)},
            "question": {"type": "string"},
            "answers": {
                "type": "array",
                "items": {"type": "string"},
                "minItems": answers,
                "maxItems": answers,
            },
        },
        "required": ["id", "question", "answers"],
        "additionalProperties": False,
    }
    questions = {
        "type": "array",
        "items": entry,
        "minItems": len(names),
        "maxItems": len(names),
    }
    return {
        "type": "object",
        "properties": {"questions": questions},
        "required": ["questions"],
        "additionalProperties": False,
    }


def _check(names: Sequence[str], answers: int) -> Check:
    def check(reply: Reply) -> Verdict:
        joined = join(reply.data, names)
        if joined.problem is not None:
            return Verdict(WRONG_ITEMS, usable=False)
        read = [_read(joined.items[name]) for name in names]
        # A question counts for as much as all its answers.
        missing = sum(answers for question, _, _ in read if question is None)
        missing += sum(max(0, answers - len(given)) for _, given, _ in read)
        return Verdict(MISSING_ITEM, missing=missing) if missing else Verdict()

    return check


def _read(entry: Any) -> _Read:
    if entry is None:
        return None, [], MISSING_ITEM
    question = entry.get("question") if isinstance(entry, Mapping) else None
    if not isinstance(question, str) or not question.strip():
        return None, [], INVALID_ITEM
    given = entry.get("answers")
    texts = [text.strip() for text in given if isinstance(text, str)] if _is_list(given) else []
    distinct: dict[str, str] = {}
    for text in filter(None, texts):
        distinct.setdefault(normalise(text), text)
    return question.strip(), list(distinct.values()), OK


def _is_list(value: Any) -> TypeGuard[list[Any]]:
    return isinstance(value, list)
