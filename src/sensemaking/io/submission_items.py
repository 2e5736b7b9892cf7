"""From an element of a list to a question, an answer or ratings."""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from sensemaking.ids import nfc
from sensemaking.io.json_nodes import (
    CutList,
    CutObject,
    Number,
    Refused,
    clean,
    dump,
    escape,
    kind_of,
    shown,
)
from sensemaking.io.json_reading import has_bad_byte
from sensemaking.io.replies import parse_rating
from sensemaking.io.submission_model import (
    BLANK,
    INVALID_ITEM,
    INVALID_RATING,
    NO_RATING,
    Rating,
    Report,
    Role,
)
from sensemaking.io.submission_values import (
    CONTENT_FIELDS,
    QUESTION_FIELDS,
    Entry,
    is_scalar,
    squeezed,
)
from sensemaking.statuses import NO_ANSWER, OK

SCALE = 100.0
_MARKUP = re.compile(
    r"</?[a-zA-Z][^<>]{0,200}>|&(?:[a-zA-Z]{2,8}|#[0-9]{1,6}|#x[0-9a-fA-F]{1,6});"
    r"|```|\*\*[^*\n]{1,200}\*\*|^[ ]{0,3}#{1,6} |\]\(https?:",
    re.MULTILINE,
)
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_WORDY = re.compile(r"^[^0-9]*[^\W\d_][^0-9]*$")
_INVISIBLE = frozenset({"Cc", "Cf", "Zs", "Zl", "Zp"})
_CANONICAL_FIELDS = frozenset(
    {
        "question",
        "reference-answer",
        "reference_answer",
        "reference-answers",
        "answer",
        "answers",
        "answerable",
        "rating",
        "ratings",
    }
)
_IGNORED_FIELDS = frozenset({"id", "number", "position", "index"})


@dataclass(slots=True)
class Draft:
    """An item whose place among the questions that were asked is not settled yet.

    Attributes:
        pointer: Its place in the file.
        index: Its place in the list, from 0.
        question: The question, NFC, or None where none is given.
        texts: A Teacher's reference answers; a Student's answer and alternatives.
        text: A Student's answer that counts, or None.
        ratings: An Evaluator's ratings.
        answerable: Whether a Student says that the question can be answered.
        status: ``ok``, or why nothing can be used.
        repairs: Hashes of the repairs that it depends on.
    """

    pointer: str
    index: int
    question: str | None = None
    texts: list[str] = field(default_factory=list)
    text: str | None = None
    ratings: list[Rating] = field(default_factory=list)
    answerable: bool | None = None
    status: str = OK
    repairs: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class ItemReader:
    """Reads the items of a file.

    Attributes:
        role: The track.
        report: Where findings go.
        note: Called with the name and place of each field that is passed over.
        bad_bytes: Whether the file holds bytes that are not UTF-8.
    """

    role: Role
    report: Report
    note: Callable[[str, str], None]
    bad_bytes: bool = False

    def draft(self, entry: Entry, index: int, *, cut: bool = False) -> Draft:
        """Return the item in an element of a list.

        Args:
            entry: The element.
            index: Its place in the list.
            cut: Whether the end of the list is missing: a list inside the element then may be an
                element of its own, whose bracket is lost.
        """
        draft = Draft(entry.pointer, index, repairs=list(entry.repairs))
        value = entry.value
        if isinstance(value, Refused):
            draft.status = INVALID_ITEM
        elif isinstance(value, CutList | CutObject):
            # Its end is missing, so another text or rating may have followed.
            draft.status = INVALID_ITEM
        elif cut and isinstance(value, list) and any(isinstance(v, list) for v in value):
            draft.status = INVALID_ITEM
        elif isinstance(value, dict):
            self._object(draft, value)
        elif isinstance(value, list):
            self._list(draft, value)
        elif self.role == "teacher":
            self._question(draft, value, draft.pointer)
        elif self.role == "student":
            self._bare_answer(draft, value)
        else:
            self._bare_rating(draft, value)
        self._settle(draft)
        return draft

    def _settle(self, draft: Draft) -> None:
        if draft.status != OK:
            return
        if self.role == "teacher" and draft.question is None:
            draft.status = BLANK
        elif self.role == "student" and draft.text is None:
            draft.status = NO_ANSWER
        elif self.role == "evaluator" and not any(r.status == OK for r in draft.ratings):
            draft.status = draft.ratings[0].status if draft.ratings else NO_RATING

    def _list(self, draft: Draft, value: list[Any]) -> None:
        pointer = draft.pointer
        if len(value) == 1 and isinstance(value[0], list) and all(map(is_scalar, value[0])):
            draft.repairs.append(
                self.report.repair(
                    "extra_nesting", pointer, "a list in a list", dump(value), dump(value[0])
                )
            )
            value, pointer = value[0], f"{pointer}/0"
        if not value:
            self.report.add("null_rating" if self.role == "evaluator" else "null_text", pointer,
                            "an empty list")  # fmt: skip
            return
        if self.role == "evaluator":
            self._ratings(draft, value, pointer)
            return
        self._question(draft, value[0], f"{pointer}/0")
        if draft.status == INVALID_ITEM:
            return
        rest = [(inner, f"{pointer}/{number}") for number, inner in enumerate(value[1:], 1)]
        if len(rest) == 1 and isinstance(rest[0][0], list):
            rest = self._flattened(draft, rest[0][0], rest[0][1])
        self._contents(draft, rest)

    def _object(self, draft: Draft, value: dict[str, Any]) -> None:
        names: dict[str, tuple[str, str]] = {}
        for name, inner in value.items():
            plain = squeezed(name)
            meant = QUESTION_FIELDS.get(plain) or CONTENT_FIELDS[self.role].get(plain)
            if plain == "answerable" and self.role == "student":
                meant = "answerable"
            place = f"{draft.pointer}/{escape(name)}"
            if meant is None:
                if plain not in _IGNORED_FIELDS:
                    self.note(name, place)
                continue
            if meant in names:
                self._wrong_item(draft, f"{kind_of(value)}, both {names[meant][0]} and {name}")
                return
            names[meant] = (name, place)
            if name not in _CANONICAL_FIELDS and inner is not None:
                found = f"the field {shown(name)}"
                draft.repairs.append(
                    self.report.repair("field_name", place, found, dump(name), dump(meant))
                )
        content = {"teacher": "question", "student": "answer", "evaluator": "rating"}[self.role]
        if content not in names:
            self._wrong_item(draft, kind_of(value), f"no field {content}")
            return
        if "question" in names:
            name, place = names["question"]
            self._question(draft, value[name], place)
            if draft.status == INVALID_ITEM:
                return
        if "answerable" in names:
            name, place = names["answerable"]
            given = value[name]
            if isinstance(given, bool):
                draft.answerable = given
            elif given is not None:
                self.note(name, place)
        content = "reference-answer" if self.role == "teacher" else content
        if content not in names:
            return
        name, place = names[content]
        given = value[name]
        if self.role == "evaluator":
            values = given if isinstance(given, list) else [given]
            self._ratings(draft, values, place, listed=isinstance(given, list))
        elif isinstance(given, list):
            self._contents(draft, [(v, f"{place}/{n}") for n, v in enumerate(given)])
        elif given is not None or self.role == "student":
            self._contents(draft, [(given, place)])

    def _flattened(self, draft: Draft, inner: list[Any], pointer: str) -> list[tuple[Any, str]]:
        draft.repairs.append(
            self.report.repair(
                "nested_texts", pointer, kind_of(inner), dump(inner), dump(inner)[1:-1]
            )
        )
        return [(text, f"{pointer}/{number}") for number, text in enumerate(inner)]

    def _question(self, draft: Draft, value: Any, pointer: str) -> None:
        if value is None and self.role != "teacher":
            return
        text, status, made = self.text(value, pointer)
        draft.repairs += made
        draft.question = text
        if status == INVALID_ITEM or (self.role == "teacher" and status != OK):
            draft.status = BLANK if status == NO_ANSWER else status

    def _contents(self, draft: Draft, values: list[tuple[Any, str]]) -> None:
        if self.role == "student" and not values:
            self.report.add("null_text", draft.pointer, "a question without an answer")
            return
        for number, (value, place) in enumerate(values):
            text, status, made = self.text(value, place)
            draft.repairs += made
            if self.role == "student" and number == 0:
                draft.text, draft.status = text, status
            elif text is not None:
                draft.texts.append(text)

    def _bare_answer(self, draft: Draft, value: Any) -> None:
        text, draft.status, made = self.text(value, draft.pointer)
        draft.text = text
        draft.repairs += made
        if text is not None:
            draft.repairs.append(
                self.report.repair(
                    "text_for_item", draft.pointer, kind_of(value), dump(value),
                    f"[null, {dump(text)}]",
                )
            )  # fmt: skip

    def _bare_rating(self, draft: Draft, value: Any) -> None:
        self._ratings(draft, [value], draft.pointer, listed=False)
        if draft.ratings[0].status == OK:
            draft.repairs.append(
                self.report.repair(
                    "value_for_ratings", draft.pointer, kind_of(value), dump(value),
                    f"[{dump(value)}]",
                )
            )  # fmt: skip

    def _ratings(
        self, draft: Draft, values: list[Any], pointer: str, *, listed: bool = True
    ) -> None:
        first = values[0] if values else None
        if len(values) > 1 and isinstance(first, str) and _WORDY.search(first):
            # A text before the ratings would shift each of them to the answer after its own.
            self._wrong_item(draft, f"{kind_of(first)} before the ratings")
            return
        for number, value in enumerate(values):
            place = f"{pointer}/{number}" if listed else pointer
            draft.ratings.append(self._rating(draft, value, place))

    def _rating(self, draft: Draft, value: Any, pointer: str) -> Rating:
        raw = dump(value)
        if value is None or (isinstance(value, str) and not value.strip()):
            self.report.add("null_rating", pointer, kind_of(value))
            return Rating(raw, None, NO_RATING)
        if isinstance(value, Number):
            number = parse_rating(value.value, SCALE)
            if number is not None:
                return Rating(raw, number)
        elif isinstance(value, str):
            number = parse_rating(value, SCALE)
            if number is not None:
                after = repr(number).removesuffix(".0")
                draft.repairs.append(
                    self.report.repair("rating_as_text", pointer, kind_of(value), raw, after)
                )
                return Rating(raw, number)
        if not isinstance(value, Refused):
            self.report.add("invalid_rating", pointer, kind_of(value))
        return Rating(raw, None, INVALID_RATING)

    def _wrong_item(self, draft: Draft, found: str, hint: str = "") -> None:
        self.report.add("wrong_item", draft.pointer, found, hint)
        draft.status = INVALID_ITEM

    def text(self, value: Any, pointer: str) -> tuple[str | None, str, list[str]]:
        """Return a text in NFC, its status, and the hashes of repairs made to it."""
        if isinstance(value, str):
            return self._checked_text(value, pointer)
        if isinstance(value, Number):
            made = self.report.repair(
                "number_for_text", pointer, kind_of(value), dump(value), f'"{value.literal}"'
            )
            return value.literal, OK, [made]
        if value is None:
            self.report.add("null_text", pointer, "null")
            return None, NO_ANSWER, []
        if not isinstance(value, Refused):
            self.report.add("wrong_text", pointer, kind_of(value))
        return None, INVALID_ITEM, []

    def _checked_text(self, value: str, pointer: str) -> tuple[str | None, str, list[str]]:
        made: list[str] = []
        text = value
        if not text.isascii():
            if self.bad_bytes and has_bad_byte(text):
                self.report.add(
                    "undecodable_text", pointer, f"bytes that are not UTF-8 in {shown(text)}"
                )
                return None, INVALID_ITEM, []
            if _SURROGATE.search(text):
                text = clean(text)
                found = f"half a character in {shown(text)}"
                before = "".join(_escaped(char) for char in value)
                made.append(
                    self.report.repair("lone_surrogate", pointer, found, before, dump(text))
                )
            text = nfc(text)
        if is_blank(text):
            self.report.add("blank_text", pointer, kind_of(value))
            return None, BLANK, made
        if _MARKUP.search(text):
            self.report.add("markup", pointer, f"markup in {kind_of(text)}")
        if _CONTROL.search(text):
            self.report.add("control_character", pointer, f"a control character in {kind_of(text)}")
        return text, OK, made


def is_blank(text: str) -> bool:
    """Tell whether a text has no visible character."""
    if text[:1].isalnum():
        return False
    return all(unicodedata.category(char) in _INVISIBLE for char in text)


def _escaped(char: str) -> str:
    return f"\\u{ord(char):04x}" if 0xD800 <= ord(char) < 0xE000 else char
