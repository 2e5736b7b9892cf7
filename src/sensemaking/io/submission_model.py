"""What a submission is after reading: its items, what was found, and what was repaired."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from sensemaking.findings import Finding
from sensemaking.io.json_nodes import clean
from sensemaking.io.submission_codes import CODES
from sensemaking.repairs import Repair, make_repair
from sensemaking.statuses import BLANK, INVALID_ITEM, NOT_GIVEN, OK, REPAIR_REFUSED

__all__ = [
    "BLANK",
    "INVALID_ITEM",
    "INVALID_RATING",
    "NOT_GIVEN",
    "NO_RATING",
    "REPAIR_REFUSED",
    "ROLES",
    "AnyItem",
    "EvaluatorItem",
    "Item",
    "Rating",
    "Report",
    "Role",
    "StudentItem",
    "Submission",
    "SubmissionFinding",
    "TeacherItem",
    "sorted_items",
    "without_content",
]

Role = Literal["teacher", "student", "evaluator"]
ROLES: tuple[Role, ...] = ("teacher", "student", "evaluator")

INVALID_RATING = "invalid_rating"
NO_RATING = "no_rating"


@dataclass(frozen=True, order=True)
class SubmissionFinding(Finding):
    """A finding in a submission, with its parts.

    Attributes:
        found: What was found.
        expected: What was expected.
    """

    found: str = ""
    expected: str = ""

    @property
    def path(self) -> str:
        """The JSON pointer (RFC 6901) of the place in the file; empty for the whole."""
        return self.json_pointer

    def row(self) -> dict[str, str]:
        """Return the finding as a row of ``validation/findings``."""
        return {
            "file": self.file,
            "json_pointer": self.json_pointer,
            "severity": self.severity,
            "code": self.code,
            "message": self.message,
            "action": self.action,
        }


@dataclass(frozen=True, kw_only=True, slots=True)
class Item:
    """What a submission says about one question.

    Attributes:
        section_id: The section.
        position: The question's place in its set, from 0.
        key: The set in canonical form: ``<section_id>/questions_by_<TEAM>_<SUBMISSION>.json``
            for Students (the expert set is GOLD_PRIMARY), ``<section_id>/answers_by_….json`` for
            Evaluators, the section_id alone for Teachers or where no set is named.
        pointer: The item's place in the file, a JSON pointer.
        status: ``ok``, or why nothing can be used of it.
        repairs: Hashes of the repairs that it depends on.
    """

    section_id: str
    position: int
    key: str
    pointer: str
    status: str = OK
    repairs: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class TeacherItem(Item):
    """A question; ``references`` are its reference answers."""

    question: str | None
    references: tuple[str, ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        """Question and reference answers."""
        return (*((self.question,) if self.question is not None else ()), *self.references)


@dataclass(frozen=True, kw_only=True, slots=True)
class StudentItem(Item):
    """An answer to a question.

    Attributes:
        question: The question as the Student gave it, else as it was asked, else None.
        answer: The answer that counts.
        alternatives: Further answers.
        answerable: Whether the Student says that the question can be answered.
    """

    question: str | None
    answer: str | None
    alternatives: tuple[str, ...] = ()
    answerable: bool | None = None

    @property
    def texts(self) -> tuple[str, ...]:
        """The question if there is one, and the answers."""
        return tuple(
            text for text in (self.question, self.answer, *self.alternatives) if text is not None
        )


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating.

    Attributes:
        raw: The rating as given, as JSON.
        value: From 0 to 100, as given and never rescaled; None where there is no valid one.
        status: ``ok``, ``invalid_rating``, ``no_rating`` or ``repair_refused``.
    """

    raw: str
    value: float | None
    status: str = OK


@dataclass(frozen=True, kw_only=True, slots=True)
class EvaluatorItem(Item):
    """The ratings of the answers to a question; rating j belongs to answer j."""

    ratings: tuple[Rating, ...]
    question: str | None = None

    @property
    def rating(self) -> float | None:
        """The rating of the answer that counts, or None."""
        return self.ratings[0].value if self.ratings else None


AnyItem = TeacherItem | StudentItem | EvaluatorItem


@dataclass(frozen=True, kw_only=True)
class Submission:
    """A submission as far as it could be read.

    Attributes:
        role: The track.
        file: The file, as findings name it.
        items: What can be used, by key and position.
        findings: All that was found: in the file as a whole, its keys, then its items.
        repairs: What was repaired.
        missing: Items in the file that hold nothing usable (null, blank, refused), each with its
            status; their places are certain.
        excluded: Items left out on all sides by ``repairs: exclude``.
        n_refused: Items in the file whose place could not be made certain, so that they are
            neither in ``items`` nor in ``missing``.
        n_expected: Questions that were asked (for Teachers: sections), or None if not known.
        stale_keys: Sets whose items could not all be joined, because their number or the text of
            a question does not agree with what was asked.
        missing_keys: Sets (for Teachers: sections) that the file does not name at all.
        checked: Whether numbers of items and texts of questions were checked.
        readable: Whether the file could be read at all.
    """

    role: Role
    file: str
    items: tuple[AnyItem, ...] = ()
    findings: tuple[SubmissionFinding, ...] = ()
    repairs: tuple[Repair, ...] = ()
    missing: tuple[AnyItem, ...] = ()
    excluded: tuple[AnyItem, ...] = ()
    n_refused: int = 0
    n_expected: int | None = None
    stale_keys: tuple[str, ...] = ()
    missing_keys: tuple[str, ...] = ()
    checked: bool = False
    readable: bool = True

    @property
    def repaired(self) -> tuple[AnyItem, ...]:
        """The items that depend on a repair."""
        return tuple(item for item in self.items if item.repairs)


@dataclass
class Report:
    """Findings and repairs of a file while it is read."""

    file: str
    findings: list[SubmissionFinding] = field(default_factory=list)
    repairs: list[Repair] = field(default_factory=list)

    def add(self, code: str, pointer: str, found: str, hint: str = "") -> None:
        """Note a finding.

        Args:
            code: One of ``CODES``.
            pointer: Where.
            found: What was found.
            hint: What else helps, such as the nearest known name.
        """
        kind = CODES[code]
        found = clean(found)
        message = f"found {found}; expected {kind.expected}; {kind.advice}"
        if hint:
            message = f"{message} ({clean(hint)})"
        self.findings.append(
            SubmissionFinding(
                self.file,
                pointer,
                code,
                kind.severity,
                message,
                kind.action,
                found,
                kind.expected,
            )
        )

    def repair(self, code: str, pointer: str, found: str, before: str, after: str) -> str:
        """Note a repair with its finding; return the repair's hash."""
        self.add(code, pointer, found)
        made = make_repair(self.file, pointer, code, clean(before), clean(after))
        self.repairs.append(made)
        return made.hash


def without_content(item: AnyItem, status: str) -> AnyItem:
    """Return the item with nothing usable left in it, and the reason as its status."""
    if isinstance(item, TeacherItem):
        return replace(item, question=None, references=(), status=status)
    if isinstance(item, StudentItem):
        return replace(item, answer=None, alternatives=(), answerable=None, status=status)
    refused = tuple(Rating(rating.raw, None, status) for rating in item.ratings)
    return replace(item, ratings=refused, status=status)


def sorted_items(items: Sequence[AnyItem]) -> tuple[AnyItem, ...]:
    """Return the items by key and position."""
    return tuple(sorted(items, key=lambda item: (item.key, item.position, item.pointer)))
