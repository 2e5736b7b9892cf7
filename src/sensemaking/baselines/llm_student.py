"""The Student baseline: a language model answers all questions of a set from the section alone."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from sensemaking.answers import answer_to
from sensemaking.baselines.llm_sections import (
    Form,
    Parsed,
    Row,
    ignored_finding,
    make_calls,
    readable,
    reply_finding,
)
from sensemaking.ids import answers_name
from sensemaking.llm.calls import Call
from sensemaking.llm.checks import Check, Verdict
from sensemaking.llm.joining import Joined, join
from sensemaking.llm.prompts import Prompt, load_prompt
from sensemaking.llm.raw_rows import status_of, value_of
from sensemaking.llm.reply import Reply
from sensemaking.llm.settings import LanguageModel
from sensemaking.llm.statuses import INVALID_ITEM, MISSING_ITEM, WRONG_ITEMS
from sensemaking.statuses import NO_ANSWER, NO_TEXT_EN, OK

PROMPT: Final = "student"
_NEEDED: Final = ("section", "questions")
_ANSWER_TOKENS: Final = 80

_Read = tuple[str | None, bool | None, str]
"""Answer, answerable flag, status."""


def student_prompt(name: str, folders: Sequence[Path]) -> Prompt:
    """Return the prompt of a name; see ``load_prompt``."""
    return load_prompt(name, folders, _NEEDED)


def prepare(
    sections: Sequence[Row],
    questions: Sequence[Row],
    settings: LanguageModel,
    prompt: Prompt,
    *,
    team: str,
    submission: str,
) -> list[Call]:
    """Return the calls of the Student: one for each question set of a section, if it fits.

    Where it does not fit, the questions are divided into groups, and the text into parts that
    all get the questions of a group; ``parse`` puts their answers together.

    Args:
        sections: Rows of ``materials/sections``.
        questions: Rows of ``questions`` about them, of any variant; those without a text are
            left out, and so are those about a section without an English text.
        settings: The model's settings.
        prompt: The prompt; it uses ``section`` and ``questions``.
        team: The team it plays.
        submission: Its submission.
    """
    form = Form(
        prompt=prompt,
        list_name="questions",
        schema=_schema,
        check=_check,
        item_tokens=_ANSWER_TOKENS,
        values={},
    )
    texts = {section["section_id"]: readable(section) for section in sections}
    calls: list[Call] = []
    for own in _sets(questions):
        first = own[0]
        text = texts.get(first["section_id"])
        if text is None:
            continue
        name = answers_name(
            team, submission, first["teacher"], first["submission"], variant=first["variant"]
        )
        calls += make_calls(
            settings,
            form,
            name=f"{first['section_id']}/{name}",
            section_id=first["section_id"],
            text=text,
            ids=[row["question_id"] for row in own],
            items=[{"question": row["question"]} for row in own],
        )
    return calls


def parse(
    sections: Sequence[Row],
    questions: Sequence[Row],
    raw: Sequence[Row],
    *,
    team: str,
    submission: str,
) -> Parsed:
    """Return the answers in the replies as rows of ``answers``.

    Every question with a text has a row. A blank answer is none (``no_answer``); whatever else is
    missing has the status of the call or of the item. Where a text was divided, the answer from the
    first part that holds one counts (``answerable``), else the first attempt.

    Args:
        sections: Rows of ``materials/sections``, as ``prepare`` got them.
        questions: Rows of ``questions``.
        raw: Rows of ``raw/student``.
        team: The team it plays.
        submission: Its submission.
    """
    findings = []
    found: dict[str, list[_Read]] = {}
    for row in sorted(raw, key=lambda row: (row["call"].rpartition("@")[0], row["part"])):
        status = status_of(row)
        joined = join(value_of(row), row["labels"])
        if status == OK and joined.problem is not None:
            findings.append(reply_finding(row, WRONG_ITEMS, joined.problem, "none of it is used"))
        if joined.ignored:
            findings.append(ignored_finding(row, joined.ignored))
        for identifier, label in zip(row["items"], row["labels"], strict=True):
            found.setdefault(identifier, []).append(_read(status, joined, label))
    texts = {section["section_id"]: readable(section) for section in sections}
    rows = []
    for own in _sets(questions):
        for row in own:
            missing = NO_TEXT_EN if texts.get(row["section_id"]) is None else MISSING_ITEM
            readings = found.get(row["question_id"]) or [(None, None, missing)]
            answer, answerable, status = _best(readings)
            rows.append(
                answer_to(
                    row, team, submission, answer=answer, status=status, answerable=answerable
                )
            )
    return Parsed(rows, findings)


def _sets(questions: Sequence[Row]) -> list[list[Row]]:
    """Return the questions that have a text, set by set, each in the order of its positions."""
    sets: dict[tuple[str, ...], list[Row]] = {}
    for row in questions:
        if isinstance(row["question"], str) and row["question"].strip():
            key = tuple(row[name] for name in ("section_id", "teacher", "submission", "variant"))
            sets.setdefault(key, []).append(row)
    return [sorted(sets[key], key=lambda row: int(row["position"])) for key in sorted(sets)]


def _best(readings: Sequence[_Read]) -> _Read:
    """Return the reading that counts among those of the parts of a text."""
    given = [reading for reading in readings if reading[0] is not None]
    for reading in given:
        if reading[1]:
            return reading
    return (given or list(readings))[0]


def _read(status: str, joined: Joined, label: str) -> _Read:
    if status != OK:
        return None, None, status
    if joined.problem is not None:
        return None, None, WRONG_ITEMS
    return _read_item(joined.items[label])


def _read_item(item: Any) -> _Read:
    if item is None:
        return None, None, MISSING_ITEM
    text = item.get("answer") if isinstance(item, Mapping) else item
    flag = item.get("answerable") if isinstance(item, Mapping) else None
    answerable = flag if isinstance(flag, bool) else None
    if not isinstance(text, str):
        return None, answerable, INVALID_ITEM
    if not text.strip():
        return None, answerable, NO_ANSWER
    return text.strip(), answerable, OK


def _schema(names: Sequence[str]) -> Mapping[str, Any]:
    answer = {
        "type": "object",
        "properties": {"answerable": {"type": "boolean"}, "answer": {"type": "string"}},
        "required": ["answerable", "answer"],
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": dict.fromkeys(names, answer),
        "required": list(names),
        "additionalProperties": False,
    }


def _check(names: Sequence[str]) -> Check:
    def check(reply: Reply) -> Verdict:
        joined = join(reply.data, names)
        if joined.problem is not None:
            return Verdict(WRONG_ITEMS, usable=False)
        missing = sum(
            _read_item(joined.items[name])[2] in (MISSING_ITEM, INVALID_ITEM) for name in names
        )
        return Verdict(MISSING_ITEM, missing=missing) if missing else Verdict()

    return check
