"""CSV files of the verifiable evaluation: counts that are the truth, and recorded answers.

A fault in the truth stops everything, since all figures rest on it. A fault in a judge's answers
costs the pairs it concerns, and is told.
"""

import csv
import io
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sensemaking.findings import Finding, Severity
from sensemaking.io.decoding import Decoded, UndecodableError, decode
from sensemaking.statuses import OK
from sensemaking.verifiable.data import Document
from sensemaking.verifiable.judges import CRITERIA, Answer
from sensemaking.verifiable.reading import Count

NOT_RECORDED = "not_recorded"
"""The file has no row for the pair."""
NO_ANSWER_GIVEN = "no_answer_given"
"""An answer of the pair is empty or nan."""
INVALID_ANSWER = "invalid_answer"
"""An answer of the pair is no probability."""
DUPLICATE_PAIR = "duplicate_pair"
"""The file has two rows for the pair."""

_DOCUMENT, _ITEM, _CRITERION = ("doc", "document"), ("id", "item"), ("dim", "criterion")
_ANSWERS = (_DOCUMENT, _CRITERION, ("a",), ("b",), ("q_ab",), ("q_ba",))
_COUNTS = (_DOCUMENT, _ITEM, ("n_mentioned",), ("n_wrong",))
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_WHOLE = re.compile(r"[0-9]{1,9}")
_MOST_SHOWN = 10


class TruthError(ValueError):
    """A file of counts cannot be taken for the truth; the message names each fault's line."""


@dataclass(frozen=True)
class _Row:
    line: int
    cells: tuple[str, ...]


@dataclass(frozen=True)
class _Fault:
    """What is wrong with a line; line 0 stands for the whole file."""

    line: int
    code: str
    message: str
    severity: Severity = "error"

    def __str__(self) -> str:
        return f"line {self.line}: {self.message}" if self.line else self.message


@dataclass(frozen=True)
class RecordedAnswers:
    """What a file of recorded answers holds.

    Attributes:
        answers: The usable rows; an answer that is missing or unusable is None.
        statuses: (document, criterion, the two items as a set) to why an answer of the pair is
            missing, for pairs that have a row but not both answers.
        findings: What is wrong with the file.
    """

    answers: tuple[Answer, ...]
    statuses: Mapping[tuple[str, str, frozenset[str]], str]
    findings: tuple[Finding, ...]


def read_counts(path: str | Path) -> list[Count]:
    """Return the counts of a data set that comes without texts.

    Args:
        path: CSV with the columns doc, id, n_mentioned, n_wrong (document and item are other names
            of the first two); the order of its rows is that of documents and items.

    Raises:
        TruthError: The file cannot be decoded, a column is missing, or a row has a fault: another
            number of cells, no document or item, a count that is no whole number, more wrong facts
            than mentioned ones, an item twice, a document with a single item.
    """
    path = Path(path)
    try:
        decoded = _decoded(path)
    except UndecodableError as error:
        raise TruthError(f"{path}: {error}") from error
    rows, faults = _rows(decoded, _COUNTS)
    if decoded.warning:
        faults.append(_Fault(0, "encoding", decoded.warning))
    counts: list[Count] = []
    lines: dict[tuple[str, str], int] = {}
    for row in rows:
        document, item, *numbers = row.cells
        wrong = _fault_of_counts(document, item, numbers)
        if wrong is None and (first := lines.setdefault((document, item), row.line)) != row.line:
            wrong = f"{document} {item} stands in line {first} already"
        if wrong is not None:
            faults.append(_Fault(row.line, "count", wrong))
            continue
        counts.append(Count(document, item, int(numbers[0]), int(numbers[1])))
    for document in dict.fromkeys(count.document for count in counts):
        own = [item for name, item in lines if name == document]
        if len(own) == 1 and not faults:
            wrong = f"{document} has one item only, so that there is no pair"
            faults.append(_Fault(lines[document, own[0]], "count", wrong))
    if not rows and not faults:
        faults.append(_Fault(0, "empty", "no row of counts"))
    if faults:
        faults.sort(key=lambda fault: fault.line)
        shown = "; ".join(map(str, faults[:_MOST_SHOWN]))
        more = f"; and {len(faults) - _MOST_SHOWN} more" if len(faults) > _MOST_SHOWN else ""
        raise TruthError(f"{path}: {shown}{more}; mend the file, all figures rest on it")
    return counts


def _fault_of_counts(document: str, item: str, numbers: Sequence[str]) -> str | None:
    if not document or not item:
        return "the document or the item is empty"
    for name, number in zip(("n_mentioned", "n_wrong"), numbers, strict=True):
        if not _WHOLE.fullmatch(number):
            return f"{name} is {number!r}, expected a whole number of 0 or more"
    if int(numbers[1]) > int(numbers[0]):
        return f"{numbers[1]} wrong facts of {numbers[0]} mentioned"
    return None


def read_answers(
    path: str | Path, documents: Sequence[Document], *, name: str = ""
) -> RecordedAnswers:
    """Return the recorded answers of a judge to the pairs of a data set.

    A pair may have its items either way round. Rows with a fault are left out, and so are all rows
    of a pair that has two.

    Args:
        path: CSV with the columns doc, dim, a, b, q_ab, q_ba (document and criterion are other
            names of the first two). Further columns are passed over.
        documents: The documents of the data set.
        name: The name of the file in findings; its path if empty.

    Returns:
        The answers, and a finding for each fault: for a line its number is the JSON pointer, and
        pairs without a row are told once for each document and question.
    """
    path = Path(path)
    name = name or str(path)
    try:
        decoded = _decoded(path)
    except UndecodableError as error:
        fault = _Fault(0, "undecodable", str(error))
        return RecordedAnswers((), {}, (_finding(name, fault), *_missing(name, {}, documents)))
    rows, faults = _rows(decoded, _ANSWERS)
    if decoded.warning:
        faults.append(_Fault(0, "encoding", decoded.warning, "warning"))
    items = {document.document: frozenset(document.items) for document in documents}
    of_pair: dict[tuple[str, str, frozenset[str]], list[_Row]] = {}
    for row in rows:
        if (strange := _fault_of_names(row, items)) is not None:
            faults.append(strange)
            continue
        document, criterion, a, b, *_ = row.cells
        of_pair.setdefault((document, criterion, frozenset((a, b))), []).append(row)
    answers: list[Answer] = []
    statuses: dict[tuple[str, str, frozenset[str]], str] = {}
    for key, found in of_pair.items():
        if len(found) > 1:
            statuses[key] = DUPLICATE_PAIR
            faults += _duplicates(found)
            continue
        document, criterion, a, b, *texts = found[0].cells
        read = [_probability(text) for text in texts]
        wrong = [
            _fault_of_answer(found[0].line, column, text, status)
            for column, text, (_, status) in zip(("q_ab", "q_ba"), texts, read, strict=True)
            if status != OK
        ]
        if wrong:
            faults += wrong
            invalid = any(fault.code == INVALID_ANSWER for fault in wrong)
            statuses[key] = INVALID_ANSWER if invalid else NO_ANSWER_GIVEN
        answers.append(Answer(document, criterion, a, b, read[0][0], read[1][0]))
    faults.sort(key=lambda fault: (fault.line, fault.code, fault.message))
    findings = [_finding(name, fault) for fault in faults]
    return RecordedAnswers(
        tuple(answers), statuses, (*findings, *_missing(name, of_pair, documents))
    )


def _decoded(path: Path) -> Decoded:
    return decode(path.read_bytes(), "en")


def _rows(decoded: Decoded, wanted: Sequence[tuple[str, ...]]) -> tuple[list[_Row], list[_Fault]]:
    """Return the wanted columns of each row, stripped, and what is wrong with the others."""
    reader = csv.reader(io.StringIO(decoded.text, newline=""), strict=True)
    lines = _numbered(reader)
    faults: list[_Fault] = []
    rows: list[_Row] = []
    head: list[str] | None = None
    places: list[int] = []
    try:
        for line, cells in lines:
            stripped = [cell.strip() for cell in cells]
            if head is None:
                head = stripped
                places, fault = _places(head, wanted, line)
                if fault is not None:
                    return [], [fault]
            elif len(stripped) != len(head):
                message = f"{len(stripped)} cells, expected {len(head)} as in the head"
                faults.append(_Fault(line, "cells", message))
            else:
                rows.append(_Row(line, tuple(stripped[place] for place in places)))
    except csv.Error as error:
        message = f"not CSV: {error}; what stands here and below was not read"
        faults.append(_Fault(reader.line_num, "not_csv", message))
    if head is None and not faults:
        names = ", ".join(names[0] for names in wanted)
        faults.append(_Fault(0, "empty", f"the file is empty, expected a head: {names}"))
    return rows, faults


def _numbered(reader: "Iterator[list[str]]") -> Iterator[tuple[int, list[str]]]:
    """Yield the number of the line where a row begins, and its cells; blank lines are none."""
    start = 1
    for cells in reader:
        if any(cell.strip() for cell in cells):
            yield start, cells
        start = reader.line_num + 1  # type: ignore[attr-defined]


def _places(
    head: Sequence[str], wanted: Sequence[tuple[str, ...]], line: int
) -> tuple[list[int], _Fault | None]:
    places = []
    for names in wanted:
        found = [place for place, name in enumerate(head) if name in names]
        if len(found) != 1:
            what = f"{len(found)} columns" if found else "no column"
            shown = ", ".join(head)
            message = f"{what} {' or '.join(names)}, expected one; found {shown!r}"
            return [], _Fault(line, "columns", message)
        places += found
    return places, None


def _fault_of_names(row: _Row, items: Mapping[str, frozenset[str]]) -> _Fault | None:
    document, criterion, a, b, *_ = row.cells
    if document not in items:
        known = ", ".join(items) or "none"
        message = f"no document {document!r} in the data set; there are {known}"
        return _Fault(row.line, "unknown_document", message)
    if criterion not in CRITERIA:
        message = f"no question {criterion!r}; there are {', '.join(CRITERIA)}"
        return _Fault(row.line, "unknown_criterion", message)
    for item in (a, b):
        if item not in items[document]:
            known = ", ".join(sorted(items[document]))
            message = f"{document} has no item {item!r}; it has {known}"
            return _Fault(row.line, "unknown_item", message)
    if a == b:
        return _Fault(row.line, "same_item", f"{a} is compared with itself")
    return None


def _duplicates(found: Sequence[_Row]) -> list[_Fault]:
    document, criterion, a, b, *_ = found[0].cells
    lines = ", ".join(str(row.line) for row in found)
    message = f"the pair {a}–{b} of {document}, {criterion}, stands in the lines {lines}"
    return [_Fault(row.line, DUPLICATE_PAIR, message) for row in found]


def _probability(text: str) -> tuple[float | None, str]:
    if text.casefold() in ("", "nan", "null", "none", "na"):
        return None, NO_ANSWER_GIVEN
    value = float(text) if _NUMBER.fullmatch(text) else math.nan
    return (value + 0.0, OK) if 0.0 <= value <= 1.0 else (None, INVALID_ANSWER)


def _fault_of_answer(line: int, column: str, text: str, status: str) -> _Fault:
    if status == NO_ANSWER_GIVEN:
        return _Fault(line, status, f"{column} is {text!r}: no answer", "warning")
    message = f"{column} is {text!r}, expected a probability from 0 to 1, such as 0.97"
    return _Fault(line, status, message)


def _finding(name: str, fault: _Fault) -> Finding:
    return Finding(
        file=name,
        json_pointer=f"/{fault.line}" if fault.line else "",
        code=fault.code,
        severity=fault.severity,
        message=str(fault),
        action="used all the same" if fault.code == "encoding" else "left out, counted as missing",
    )


def _missing(
    name: str,
    of_pair: Mapping[tuple[str, str, frozenset[str]], object],
    documents: Sequence[Document],
) -> Iterator[Finding]:
    """Yield a finding for each document and question with pairs that no row is about."""
    for document in documents:
        for criterion in CRITERIA:
            pairs = [(a, b) for i, a in enumerate(document.items) for b in document.items[i + 1 :]]
            gone = [
                f"{a}–{b}"
                for a, b in pairs
                if (document.document, criterion, frozenset((a, b))) not in of_pair
            ]
            if gone:
                more = ", …" if len(gone) > 3 else ""
                message = (
                    f"{document.document}, {criterion}: {len(gone)} of {len(pairs)} pairs have no "
                    f"row: {', '.join(gone[:3])}{more}"
                )
                yield Finding(
                    name, "", NOT_RECORDED, "warning", message, "left out, counted as missing"
                )
