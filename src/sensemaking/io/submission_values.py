"""From the value under a key to the list of items that it stands for."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sensemaking.io.json_nodes import (
    CutList,
    CutObject,
    DoubtfulList,
    NotJson,
    Number,
    Refused,
    dump,
    escape,
    kind_of,
    shown,
)
from sensemaking.io.submission_model import Report, Role

QUESTION_FIELDS = {"question": "question", "q": "question"}
CONTENT_FIELDS: dict[Role, dict[str, str]] = {
    "teacher": {
        "referenceanswer": "reference-answer",
        "referenceanswers": "reference-answer",
        "reference": "reference-answer",
        "references": "reference-answer",
        "answer": "reference-answer",
        "answers": "reference-answer",
    },
    "student": {"answer": "answer", "answers": "answer", "response": "answer"},
    "evaluator": {"rating": "rating", "ratings": "rating", "score": "rating", "scores": "rating"},
}
"""Role to the names of the field with the content, squeezed, and the name as documented."""

_WRAPPERS: dict[Role, tuple[str, ...]] = {
    "teacher": ("questions", "items", "data", "results"),
    "student": ("answers", "responses", "items", "data", "results"),
    "evaluator": ("ratings", "scores", "items", "data", "results"),
}
_NUMBER = re.compile(r" *[0-9]{1,9} *")
_SQUEEZED = re.compile(r"[^a-z]")


@dataclass(frozen=True, slots=True)
class Entry:
    """An element of the list under a key.

    Attributes:
        value: The element.
        pointer: Its place in the file.
        repairs: Hashes of the repairs that led to it.
    """

    value: Any
    pointer: str
    repairs: tuple[str, ...] = ()


@dataclass(frozen=True)
class Entries:
    """The list under a key. Iterating gives its elements as ``Entry``, one at a time.

    Attributes:
        values: Its elements in order.
        base: The place of the list in the file.
        names: The last part of each element's place, escaped; the indices by default, empty for
            a value that stands for the list itself.
        repairs: Hashes of the repairs that led to it.
        cut: Whether its end is missing, so that its length is not known.
        doubtful: Whether brackets are missing around it, so that a text in it may be a part of an
            element.
        flat: Whether its elements are all texts, numbers or null.
        n_refused: Items that were refused with a finding, and have no place.
    """

    values: Sequence[Any] = ()
    base: str = ""
    names: Sequence[str] | None = None
    repairs: tuple[str, ...] = ()
    cut: bool = False
    doubtful: bool = False
    flat: bool = False
    n_refused: int = 0

    def __len__(self) -> int:
        """Return the number of elements."""
        return len(self.values)

    def _is_whole(self, number: int) -> bool:
        """Tell whether an element of a doubtful list is neither a part nor followed by parts."""
        return not any(map(is_scalar, self.values[number : number + 2]))

    def __iter__(self) -> Iterator[Entry]:
        """Yield the elements."""
        for number, value in enumerate(self.values):
            if self.doubtful and not self._is_whole(number):
                value = Refused("not_json")
            name = str(number) if self.names is None else self.names[number]
            yield Entry(value, f"{self.base}/{name}" if name else self.base, self.repairs)


def squeezed(name: str) -> str:
    """Return the name of a field without case, hyphens, underscores and spaces."""
    return _SQUEEZED.sub("", name.casefold())


def is_scalar(value: Any) -> bool:
    """Tell whether a value is a text, a number, true, false or null."""
    return value is None or isinstance(value, str | bool | Number | NotJson)


def has_item_fields(value: dict[str, Any]) -> bool:
    """Tell whether an object looks like an item, or like numbered items, of any role."""
    if all(map(_NUMBER.fullmatch, value)):
        return True
    names = {squeezed(name) for name in value}
    return bool(names & QUESTION_FIELDS.keys()) or any(
        names & fields.keys() for fields in CONTENT_FIELDS.values()
    )


def is_wrapper(name: str, role: Role) -> bool:
    """Tell whether a key is a word such as ``answers`` that stands around the content."""
    return squeezed(name) in {*_WRAPPERS[role], "submission", "predictions"}


def read_entries(
    value: Any,
    pointer: str,
    role: Role,
    report: Report,
    note: Callable[[str, str], None],
    repairs: tuple[str, ...] = (),
) -> Entries | None:
    """Return the items under a key, or None where the value is an object of none of the forms.

    An object of none of the forms may be a folder of further keys, so it is not reported here.

    Args:
        value: The value.
        pointer: Its place.
        role: The track.
        report: Where findings go.
        note: Called with the name and place of each field that is passed over.
        repairs: Hashes of the repairs that led to the value.
    """
    if isinstance(value, list):
        return _list(value, pointer, report, repairs)
    if value is None or (value == {} and not isinstance(value, CutObject)):
        report.add("empty_list", pointer, kind_of(value))
        return Entries()
    if isinstance(value, dict):
        return _object(value, pointer, role, report, note, repairs)
    if isinstance(value, Refused):
        return Entries(n_refused=1)
    good = isinstance(value, str) or (isinstance(value, Number) and role != "teacher")
    if not good or (isinstance(value, str) and not value.strip()):
        report.add("wrong_value", pointer, kind_of(value))
        return Entries(n_refused=1)
    made = report.repair("value_for_list", pointer, kind_of(value), dump(value), f"[{dump(value)}]")
    return Entries((value,), pointer, ("",), (*repairs, made), flat=True)


def _list(value: list[Any], pointer: str, report: Report, repairs: tuple[str, ...]) -> Entries:
    cut = isinstance(value, CutList)
    if (
        not isinstance(value, DoubtfulList)
        and len(value) == 1
        and isinstance(value[0], list)
        and value[0]
        and all(isinstance(inner, list | dict) for inner in value[0])
    ):
        inner = value[0]
        found = f"a list in a list, {len(inner)} in it"
        made = report.repair("extra_nesting", pointer, found, dump(value), dump(inner))
        repairs = (*repairs, made)
        value = inner
        pointer = f"{pointer}/0"
    if not value and not cut:
        report.add("empty_list", pointer, "an empty list")
    flat = bool(value) and all(map(is_scalar, value))
    doubtful = isinstance(value, DoubtfulList)
    return Entries(value, pointer, None, repairs, cut, doubtful, flat)


def _object(
    value: dict[str, Any],
    pointer: str,
    role: Role,
    report: Report,
    note: Callable[[str, str], None],
    repairs: tuple[str, ...],
) -> Entries | None:
    cut = isinstance(value, CutObject)
    if not value:
        return Entries(cut=cut)
    if all(map(_NUMBER.fullmatch, value)):
        return _numbered(value, pointer, report, repairs, cut)
    fields = {squeezed(name): name for name in value}
    if any(name in QUESTION_FIELDS for name in fields):
        return _single(value, pointer, report, repairs)
    parallel = _parallel(value, fields, pointer, role, report, note, repairs)
    if parallel is not None:
        return parallel
    wrapper = next((fields[name] for name in _WRAPPERS[role] if name in fields), None)
    if wrapper is not None and not _is_folder(value[wrapper]):
        _note_others(value, {wrapper}, pointer, note)
        inner = f"{pointer}/{escape(wrapper)}"
        found = f"an object with the list under {shown(wrapper)}"
        made = report.repair("wrapped_list", pointer, found, dump(value), dump(value[wrapper]))
        return read_entries(value[wrapper], inner, role, report, note, (*repairs, made))
    if any(name in CONTENT_FIELDS[role] for name in fields) and all(
        is_scalar(inner) or isinstance(inner, list) for inner in value.values()
    ):
        return _single(value, pointer, report, repairs)
    return None


def _single(
    value: dict[str, Any], pointer: str, report: Report, repairs: tuple[str, ...]
) -> Entries:
    made = report.repair("value_for_list", pointer, kind_of(value), dump(value), f"[{dump(value)}]")
    return Entries((value,), pointer, ("",), (*repairs, made))


def _numbered(
    value: dict[str, Any], pointer: str, report: Report, repairs: tuple[str, ...], cut: bool
) -> Entries:
    names = sorted(value, key=int)
    if len({int(name) for name in names}) < len(names):
        report.add("wrong_value", pointer, f"{kind_of(value)}, one number twice")
        return Entries(n_refused=len(names))
    values = [value[name] for name in names]
    made = report.repair("numbered_object", pointer, kind_of(value), dump(value), dump(values))
    flat = all(map(is_scalar, values))
    places = [*map(escape, names)]
    return Entries(values, pointer, places, (*repairs, made), cut, flat=flat)


def _parallel(
    value: dict[str, Any],
    fields: dict[str, str],
    pointer: str,
    role: Role,
    report: Report,
    note: Callable[[str, str], None],
    repairs: tuple[str, ...],
) -> Entries | None:
    """Join the lists of questions and of their answers or ratings."""
    content = next(
        (name for name in fields if name in CONTENT_FIELDS[role] and name.endswith("s")), None
    )
    if content is None or "questions" not in fields:
        return None
    questions, contents = value[fields["questions"]], value[fields[content]]
    lists = isinstance(questions, list) and isinstance(contents, list)
    if not lists or len(questions) != len(contents) or not all(map(is_scalar, questions)):
        report.add("wrong_value", pointer, f"{kind_of(value)}, not as many of both")
        return Entries(n_refused=max(_length(questions), _length(contents)))
    _note_others(value, {fields["questions"], fields[content]}, pointer, note)
    name = CONTENT_FIELDS[role][content]
    items = [
        {"question": question, name: given}
        for question, given in zip(questions, contents, strict=True)
    ]
    found = f"{kind_of(value)}, {len(items)} of both"
    made = report.repair("parallel_lists", pointer, found, dump(value), dump(items))
    place = f"{pointer}/{escape(fields[content])}"
    cut = isinstance(contents, CutList) or isinstance(questions, CutList)
    return Entries(items, place, None, (*repairs, made), cut)


def _length(value: Any) -> int:
    return len(value) if isinstance(value, list) else 1


def _is_folder(value: Any) -> bool:
    """Tell whether a value can only be an object of further paths."""
    return isinstance(value, dict) and not all(map(_NUMBER.fullmatch, value))


def _note_others(
    value: dict[str, Any], used: set[str], pointer: str, note: Callable[[str, str], None]
) -> None:
    for name in value:
        if name not in used:
            note(name, f"{pointer}/{escape(name)}")
