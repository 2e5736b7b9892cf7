"""Question sets in the materials folder: one JSON list per file, in any of the official forms."""

import json
from dataclasses import dataclass
from typing import Any

from sensemaking.findings import Finding
from sensemaking.ids import nfc
from sensemaking.statuses import OK

BLANK = "blank"
INVALID = "invalid_item"
_QUESTION_KEYS = ("question",)
_REFERENCE_KEYS = ("reference-answer", "reference_answer", "reference-answers", "answer", "answers")


@dataclass(frozen=True)
class Item:
    """An item of a question set.

    Attributes:
        question: The question, NFC, or None where there is none.
        references: Its reference answers; may be empty.
        status: ``ok``, ``blank``, or ``invalid_item``.
    """

    question: str | None
    references: tuple[str, ...]
    status: str


@dataclass(frozen=True)
class QuestionSet:
    """A question set as its file gives it.

    Attributes:
        items: The items in order, the unusable ones in their places; None if the file as a whole
            cannot be read.
        findings: What was wrong.
    """

    items: tuple[Item, ...] | None
    findings: tuple[Finding, ...]


def parse(data: bytes, file: str) -> QuestionSet:
    """Read the bytes of a question set.

    Accepted are ``[[question, reference, …], …]``, ``[question, …]`` and
    ``[{"question": …, "reference-answer": …}, …]``, mixed too. An item that is none of these keeps
    its place with the status ``invalid_item``, so that the positions of the others stay right.

    Args:
        data: The bytes; UTF-8, UTF-16 or UTF-32, with or without a byte-order mark.
        file: The path to name in findings.
    """
    try:
        value = json.loads(data)
    except (ValueError, RecursionError) as error:
        return QuestionSet(None, (_file_finding(file, "not_json", _reason(error)),))
    if not isinstance(value, list):
        message = f"found {_type_name(value)}, expected a list of questions"
        return QuestionSet(None, (_file_finding(file, "not_a_list", message),))
    findings: list[Finding] = []
    items = [_item(entry, file, f"/{number}", findings) for number, entry in enumerate(value)]
    if not items:
        findings.append(
            Finding(
                file, "", "empty_set", "warning", "the list is empty; expected questions", "kept"
            )
        )
    return QuestionSet(tuple(items), tuple(findings))


def _item(entry: Any, file: str, pointer: str, findings: list[Finding]) -> Item:
    question: Any
    references: list[Any]
    pointers: list[str]
    if isinstance(entry, str):
        question, references, pointers = entry, [], []
    elif isinstance(entry, list) and entry:
        question, references = entry[0], entry[1:]
        pointers = [f"{pointer}/{number}" for number in range(1, len(entry))]
    elif isinstance(entry, dict) and any(key in entry for key in _QUESTION_KEYS):
        question = entry["question"]
        key = next((key for key in _REFERENCE_KEYS if key in entry), None)
        given = [] if key is None else entry[key]
        references = given if isinstance(given, list) else [given]
        pointers = [f"{pointer}/{key}"] * len(references)
    else:
        message = (
            f"found {_type_name(entry)}; expected a question, [question, answer, …] or "
            '{"question": …, "reference-answer": …}'
        )
        findings.append(_item_finding(file, pointer, "invalid_item", message))
        return Item(None, (), INVALID)
    if question is not None and not isinstance(question, str):
        message = f"the question is {_type_name(question)}; expected a text"
        findings.append(_item_finding(file, pointer, "invalid_item", message))
        return Item(None, (), INVALID)
    kept = []
    for reference, place in zip(references, pointers, strict=True):
        if isinstance(reference, str) and reference.strip():
            kept.append(nfc(reference))
        elif isinstance(reference, int | float) and not isinstance(reference, bool):
            kept.append(json.dumps(reference))
            message = f"the reference answer is the number {reference!r}; expected a text"
            findings.append(Finding(file, place, "number_for_text", "warning", message, "as text"))
        else:
            found = "blank" if isinstance(reference, str) else _type_name(reference)
            message = f"a reference answer is {found}; expected a text"
            findings.append(
                Finding(file, place, "invalid_reference", "warning", message, "it is left out")
            )
    if question is None or not question.strip():
        message = "the question is blank; expected a text"
        findings.append(_item_finding(file, pointer, "blank_question", message))
        return Item(None, tuple(kept), BLANK)
    return Item(nfc(question), tuple(kept), OK)


def _file_finding(file: str, code: str, message: str) -> Finding:
    return Finding(file, "", code, "error", message, "the file is left out")


def _item_finding(file: str, pointer: str, code: str, message: str) -> Finding:
    return Finding(file, pointer, code, "error", message, "the item counts as missing")


def _reason(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return (
            f"not JSON: {error.msg} at line {error.lineno}, column {error.colno}; "
            "mend the file, for example with a JSON checker"
        )
    if isinstance(error, UnicodeDecodeError):
        return f"not UTF-8: byte {error.start} does not fit; save the file as UTF-8"
    if isinstance(error, RecursionError):
        return "nested too deeply; expected a list of lists"
    return f"cannot be read as JSON: {error}"


def _type_name(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "an empty list" if not value else "a list"
    return "a text" if isinstance(value, str) else f"the number {value!r:.40}"
