"""Question sets in the materials folder: one JSON list per file, in any of the official forms."""

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from sensemaking.findings import Finding
from sensemaking.ids import nfc
from sensemaking.io.json_nodes import Number, clean, kind_of
from sensemaking.io.json_reading import decode_json, has_bad_byte, read_json
from sensemaking.statuses import OK

BLANK = "blank"
INVALID = "invalid_item"
_QUESTION_KEY = "question"
_REFERENCE_KEYS = ("reference-answer", "reference_answer", "reference-answers", "answer", "answers")
# Faults of the syntax that concern a value in its place, so that the others can be relied on.
_LOCAL_FAULTS = frozenset({"duplicate_key", "too_deep"})
_INVISIBLE = frozenset({"Zs", "Zl", "Zp", "Cc", "Cf", "Cs"})


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
        findings: What was wrong; sorted, each once.
    """

    items: tuple[Item, ...] | None
    findings: tuple[Finding, ...]


def parse(data: bytes, file: str) -> QuestionSet:
    """Read the bytes of a question set.

    Accepted are ``[[question, reference, …], …]``, ``[question, …]`` and
    ``[{"question": …, "reference-answer": …}, …]``, mixed too. An item that is none of these keeps
    its place with the status ``invalid_item``, so that the positions of the others stay right.
    Slips of the syntax that have one meaning only (a comma at the end, say) are mended with a
    warning; a file that is cut short or cannot be read on somewhere is left out as a whole.

    Args:
        data: The bytes; UTF-8, UTF-16 or UTF-32, with or without a byte-order mark.
        file: The path to name in findings.
    """
    decoded = decode_json(data)
    document = read_json(decoded.text)
    findings: list[Finding] = []
    for problem in document.problems:
        mended = problem.after is not None and problem.code != "text_around_json"
        if mended or problem.code in _LOCAL_FAULTS:
            found = Finding(
                file,
                problem.pointer,
                problem.code,
                "warning" if mended else "error",
                f"found {problem.found}; mend the file, for example with a JSON checker",
                "read as it is meant" if mended else "the value counts as missing",
            )
            findings.append(found)
        else:
            message = f"not JSON: found {problem.found}; mend the file"
            return _left_out(file, "not_json", message)
    if decoded.bad_byte is not None:
        message = (
            f"byte {decoded.bad_byte} does not fit the encoding {decoded.encoding}; save the file "
            "as UTF-8"
        )
        action = "texts with such bytes count as missing"
        findings.append(Finding(file, "", "not_utf8", "error", message, action))
    if not isinstance(document.value, list):
        message = f"found {kind_of(document.value)}, expected a list of questions"
        return _left_out(file, "not_a_list", message)
    items = [
        _item(entry, file, f"/{number}", findings) for number, entry in enumerate(document.value)
    ]
    if not items:
        message = "the list is empty; expected questions"
        findings.append(Finding(file, "", "empty_set", "warning", message, "kept"))
    findings += _repeated(items, file)
    return QuestionSet(tuple(items), tuple(sorted(set(findings))))


def is_blank(text: str) -> bool:
    """Tell whether nothing of a text can be seen: white space, format and control characters."""
    return all(unicodedata.category(character) in _INVISIBLE for character in text)


def _item(entry: Any, file: str, pointer: str, findings: list[Finding]) -> Item:
    asked: Any
    references: list[tuple[str, Any]]
    asked_pointer = pointer
    if isinstance(entry, str | Number):
        asked, references = entry, []
    elif isinstance(entry, list) and entry:
        asked, asked_pointer = entry[0], f"{pointer}/0"
        references = [(f"{pointer}/{n}", value) for n, value in enumerate(entry) if n]
    elif isinstance(entry, dict) and _QUESTION_KEY in entry:
        asked, asked_pointer = entry[_QUESTION_KEY], f"{pointer}/{_QUESTION_KEY}"
        references = list(_references_of(entry, pointer))
    else:
        message = (
            f"found {kind_of(entry)}; expected a question, [question, answer, …] or "
            '{"question": …, "reference-answer": …}'
        )
        findings.append(_item_finding(file, pointer, INVALID, message))
        return Item(None, (), INVALID)
    kept = []
    for place, value in references:
        reference = _text(value, file, place, findings)
        if reference is not None and not is_blank(reference):
            kept.append(reference)
        else:
            found = kind_of(value) if reference is None else "blank"
            message = f"a reference answer is {found}; expected a text"
            findings.append(
                Finding(file, place, "invalid_reference", "warning", message, "it is left out")
            )
    question = _text(asked, file, asked_pointer, findings)
    if asked is None or (question is not None and is_blank(question)):
        message = "the question is blank; expected a text"
        findings.append(_item_finding(file, pointer, "blank_question", message))
        return Item(None, tuple(kept), BLANK)
    if question is None:
        message = f"the question is {kind_of(asked)}; expected a text"
        findings.append(_item_finding(file, pointer, INVALID, message))
        return Item(None, tuple(kept), INVALID)
    return Item(question, tuple(kept), OK)


def _references_of(entry: dict[str, Any], pointer: str) -> Iterator[tuple[str, Any]]:
    for key in _REFERENCE_KEYS:
        given = entry.get(key, [])
        if isinstance(given, list):
            yield from ((f"{pointer}/{key}/{n}", value) for n, value in enumerate(given))
        else:
            yield f"{pointer}/{key}", given


def _text(value: Any, file: str, pointer: str, findings: list[Finding]) -> str | None:
    """Return a value as the text that it stands for, NFC, or None where it stands for none."""
    if isinstance(value, Number):
        message = f"found {kind_of(value)}; expected a text, in quotes"
        action = "read as the text of its digits"
        findings.append(Finding(file, pointer, "number_for_text", "warning", message, action))
        return value.literal
    if not isinstance(value, str) or has_bad_byte(value):
        return None
    whole = clean(value)
    if whole != value:
        message = "a text holds half of a surrogate pair; write the character itself"
        action = "read as U+FFFD"
        findings.append(Finding(file, pointer, "lone_surrogate", "warning", message, action))
    return nfc(whole)


def _repeated(items: Iterable[Item], file: str) -> Iterator[Finding]:
    """Yield a finding for each question that stands in the set before."""
    first: dict[str, int] = {}
    for number, item in enumerate(items):
        if item.question is None:
            continue
        before = first.setdefault(item.question, number)
        if before != number:
            message = f"the question is that of item {before} again; expected each once"
            yield Finding(file, f"/{number}", "repeated_question", "warning", message, "kept")


def _left_out(file: str, code: str, message: str) -> QuestionSet:
    return QuestionSet(None, (Finding(file, "", code, "error", message, "the file is left out"),))


def _item_finding(file: str, pointer: str, code: str, message: str) -> Finding:
    return Finding(file, pointer, code, "error", message, "the item counts as missing")
