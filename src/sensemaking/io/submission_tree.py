"""Walking the object of a submission: which of its keys are paths, and what stands under them."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from sensemaking.io.json_nodes import MAX_DEPTH, Refused, dump, escape, kind_of, shown
from sensemaking.io.submission_keys import Located, Sections
from sensemaking.io.submission_model import Report, Role
from sensemaking.io.submission_values import Entries, has_item_fields, is_wrapper, read_entries


@dataclass(frozen=True)
class Slot:
    """A key with a certain section, and what stands under it.

    Attributes:
        place: What the key stands for.
        pointer: The key's place in the file.
        value: What stands under it.
        entries: The items in it; None for an object of none of the forms.
        repairs: Hashes of the repairs that led here.
    """

    place: Located
    pointer: str
    value: Any
    entries: Entries | None
    repairs: tuple[str, ...]


@dataclass
class TreeReader:
    """Collects the slots of a submission.

    Attributes:
        role: The track.
        sections: The sections.
        report: Where findings go.
        not_run: Sections that are no part of the run, whose keys are counted and passed over.
        slots: What was found, in the order of the file.
        n_refused: Items under keys that were refused.
    """

    role: Role
    sections: Sections
    report: Report
    not_run: Sections | None = None
    slots: list[Slot] = field(default_factory=list)
    n_refused: int = 0
    _fields: dict[str, list[str]] = field(default_factory=dict)
    _passed_over: dict[str, list[str]] = field(default_factory=dict)

    def read(self, root: dict[str, Any], pointer: str) -> None:
        """Collect the slots of an object.

        Args:
            root: The object.
            pointer: Its place in the file.
        """
        outermost = _Member("", (), pointer, root, ())
        pending: list[Iterator[_Member]] = [self._members(outermost)]
        while pending:
            member = next(pending[-1], None)
            if member is None:
                pending.pop()
                continue
            inner = self._member(member)
            if inner is None:
                continue
            if len(pending) > MAX_DEPTH:
                self.report.add("too_deep", member.pointer, kind_of(member.value))
                self.n_refused += 1
                continue
            pending.append(inner)

    def note(self, name: str, pointer: str) -> None:
        """Remember a field that was passed over; each name is reported once."""
        self._fields.setdefault(name, []).append(pointer)

    def report_passed_over(self) -> None:
        """Report the fields and the sections that were passed over."""
        for kind, places in sorted(self._passed_over.items()):
            sections = "1 key" if len(places) == 1 else f"{len(places)} keys"
            self.report.add("kind_not_run", places[0], f"{sections} of the kind {shown(kind)}")
        for name, places in self._fields.items():
            times = f" ({len(places)} times)" if len(places) > 1 else ""
            self.report.add("unknown_field", places[0], f"the field {shown(name)}{times}")

    def _members(self, outer: "_Member") -> Iterator["_Member"]:
        for key, inner in outer.value.items():
            path = f"{outer.path}/{key}" if outer.path else key
            place = f"{outer.pointer}/{escape(key)}"
            yield _Member(path, (*outer.parts, key), place, inner, outer.repairs)

    def _member(self, member: "_Member") -> Iterator["_Member"] | None:
        """Take a member as a slot, or return the members in it to go on with, or refuse it."""
        value = member.value
        place = self.sections.locate(member.path, self.role)
        if isinstance(place, Located):
            if isinstance(value, dict) and self._holds_paths(value, member, place):
                return self._members(member)
            self._slot(member, place)
            return None
        elsewhere = self.not_run and self.not_run.locate(member.path, self.role)
        if isinstance(elsewhere, Located):
            kind = elsewhere.section_id.partition("/")[0]
            self._passed_over.setdefault(kind, []).append(member.pointer)
            return None
        if isinstance(value, dict) and value and place.code == "unknown_section":
            if len(member.parts) == 1 and is_wrapper(member.path, self.role):
                made = f"the object under {shown(member.path)}"
                wrapped = self.report.repair(
                    "wrapped_list", member.pointer, made, dump(member.path), '""'
                )
                return self._members(_Member("", (), member.pointer, value, (wrapped,)))
            if not has_item_fields(value):
                return self._members(member)
        if not isinstance(value, Refused):
            found = f"the key {shown(member.path)}"
            unknown = place.code == "unknown_section"
            hint = self.sections.nearest(member.path) if unknown else ""
            self.report.add(place.code, member.pointer, found, hint)
        self.n_refused += _size(value)
        return None

    def _holds_paths(self, value: dict[str, Any], member: "_Member", place: Located) -> bool:
        """Tell whether an object under the path of a section is a folder, not a list of items."""
        if not value or has_item_fields(value) or any(is_wrapper(k, self.role) for k in value):
            return False
        if self.sections.known is None:
            return place.stem is None and all(isinstance(v, list | dict) for v in value.values())
        return any(
            isinstance(self.sections.locate(f"{member.path}/{key}", self.role), Located)
            and "/" not in key
            for key in value
        )

    def _slot(self, member: "_Member", place: Located) -> None:
        made = list(member.repairs)
        for code in place.notes:
            found = f"the key {shown(member.path)}"
            if code == "decomposed_key":
                self.report.add(code, member.pointer, found)
            else:
                made.append(
                    self.report.repair(
                        code, member.pointer, found, dump(member.path), dump(place.key)
                    )
                )
        if len(member.parts) > 1:
            made.append(
                self.report.repair(
                    "nested_folders",
                    member.pointer,
                    f"{len(member.parts)} keys inside one another",
                    dump(list(member.parts)),
                    dump(member.path),
                )
            )
        repairs = tuple(made)
        entries = read_entries(
            member.value, member.pointer, self.role, self.report, self.note, repairs
        )
        self.slots.append(Slot(place, member.pointer, member.value, entries, repairs))


@dataclass(frozen=True)
class _Member:
    path: str
    parts: tuple[str, ...]
    pointer: str
    value: Any
    repairs: tuple[str, ...]


def _size(value: Any) -> int:
    return len(value) if isinstance(value, list) else 1
