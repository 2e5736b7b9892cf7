"""From what stands under a key to items with their places among the questions of the set."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from sensemaking.io.json_nodes import dump, escape, kind_of, shown
from sensemaking.io.submission_items import Draft, ItemReader
from sensemaking.io.submission_keys import Located, Sections, canonical, known_index
from sensemaking.io.submission_matching import Asked, Given, Questions, match
from sensemaking.io.submission_model import (
    AnyItem,
    EvaluatorItem,
    Report,
    Role,
    StudentItem,
    TeacherItem,
)
from sensemaking.io.submission_tree import Slot
from sensemaking.io.submission_values import Entries
from sensemaking.name_readings import GUESSED
from sensemaking.statuses import OK

_HINTS = 200
"""Unknown questions of a file that the nearest known one is named for, which takes time."""


@dataclass
class SetReader:
    """Reads the slots of a submission.

    Attributes:
        role: The track.
        sections: The sections.
        report: Where findings go.
        note: Called with the name and place of each field that is passed over.
        asked: Key of a set to its questions, or None where they are not at hand.
        bad_bytes: Whether the file holds bytes that are not UTF-8.
        changed: Canonical keys of sets that have changed since they were sent out.
        partial: Whether ``asked`` is a part of what was asked.
        items: Items that can be used.
        missing: Items in their places that hold nothing usable.
        n_refused: Items whose place is not certain.
        stale: Canonical keys of sets whose items do not agree with what was asked.
        named: Canonical keys that the file names.
        unchecked: Those of them that a part of what was asked does not hold.
        wanted: Canonical key to the number of items asked for; None where it is not known.
    """

    role: Role
    sections: Sections
    report: Report
    note: Callable[[str, str], None]
    asked: Mapping[str, Asked] | None
    bad_bytes: bool
    changed: frozenset[str] = frozenset()
    partial: bool = False
    items: list[AnyItem] = field(default_factory=list)
    missing: list[AnyItem] = field(default_factory=list)
    n_refused: int = 0
    stale: set[str] = field(default_factory=set)
    named: set[str] = field(default_factory=set)
    unchecked: set[str] = field(default_factory=set)
    wanted: dict[str, int] | None = None
    _hints: int = 0
    _keys: dict[str, str] = field(default_factory=dict)
    _of_section: dict[str, list[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Index what was asked for."""
        if self.asked is not None:
            self._keys, self._of_section = known_index(self.asked, self.sections, self.role)
            self.wanted = {key: len(self.asked[given]) for key, given in self._keys.items()}
        elif self.role == "teacher" and self.sections.known is not None:
            self.wanted = dict.fromkeys(self.sections.known, 1)

    def read(self, slots: list[Slot]) -> None:
        """Read all slots of a file, and empty the list, so that memory is given back on the way."""
        of_key: dict[str, list[Slot]] = defaultdict(list)
        for slot in slots:
            key, settled = self._settle(slot)
            if key is None:
                self.n_refused += _size(slot)
            else:
                self.named.add(key)
                of_key[key].append(settled)
        slots.clear()
        reader = ItemReader(self.role, self.report, self.note, self.bad_bytes)
        for key in list(of_key):
            only = self._one(of_key.pop(key))
            if only is not None:
                self._read(key, only, reader)
        if self.role == "teacher":
            self._note_references()

    def _settle(self, slot: Slot) -> tuple[str | None, Slot]:
        """Return the canonical key of the set that a slot is about, or None after a finding."""
        place, key = slot.place, slot.place.key
        name = f"the key {shown(key)}"
        likely = () if place.meanings is None else place.meanings.likely
        if self.asked is None:
            if len(likely) > 1:
                self._refuse_ambiguous(slot, likely)
                return None, slot
            if not place.official:
                self.report.add("unusual_name", slot.pointer, name)
            return key, slot
        fitting = self._fitting(place)
        if len(fitting) == 1:
            return fitting[0], slot
        if fitting:
            self._refuse_ambiguous(slot, fitting)
            return None, slot
        candidates = self._of_section.get(place.section_id, [])
        alike = [known for known in candidates if known.casefold() == key.casefold()]
        only = len(candidates) == 1
        if len(alike) == 1:
            code, chosen = "key_spelling", alike[0]
        elif self.partial and place.official:
            self.unchecked.add(key)
            return key, slot
        elif only and (not place.official or candidates[0] == place.section_id):
            code, chosen = "no_set_name", candidates[0]
        else:
            there = ", ".join(shown(known) for known in sorted(candidates)[:3])
            hint = f"the section has {there}" if there else "nothing was asked about this section"
            self.report.add("unknown_set", slot.pointer, name, hint)
            return None, slot
        made = self.report.repair(code, slot.pointer, name, dump(key), dump(chosen))
        return chosen, replace(slot, repairs=(*slot.repairs, made))

    def _fitting(self, place: Located) -> list[str]:
        """Return the canonical keys of asked sets that a key can mean; one alone is certain."""
        if place.meanings is None:
            return [place.key] if place.key in self._keys else []
        meant = {canonical(place.section_id, one.stem): one for one in place.meanings.all}
        there = {key: one for key, one in meant.items() if key in self._keys}
        mine = [
            key for key, one in there.items() if one.student and one.student == self.sections.own
        ]
        if mine or len(there) < 2 or any(one.student is None for one in there.values()):
            return mine or list(there)
        grades = {key: GUESSED if one.grade is None else one.grade for key, one in there.items()}
        return [key for key, grade in grades.items() if grade == min(grades.values())]

    def _refuse_ambiguous(self, slot: Slot, meanings: Iterable[str | None]) -> None:
        sets = " or ".join(shown(str(one).rpartition("/")[2]) for one in meanings)
        self.report.add("ambiguous_set", slot.pointer, f"a name that can mean {sets}")

    def _one(self, same: list[Slot]) -> Slot | None:
        """Return the slot of a set, or None after a finding if there are different ones."""
        if len(same) == 1:
            return same[0]
        if all(_equal(same[0].value, other.value) for other in same[1:]):
            for other in same[1:]:
                found = f"a second key for {shown(same[0].place.key)}"
                self.report.add("repeated_set", other.pointer, found)
            return same[0]
        for slot in same:
            others = ", ".join(o.pointer for o in same if o is not slot)
            found = f"{len(same)} keys for {shown(slot.place.key)}, with different values"
            self.report.add("same_set_twice", slot.pointer, found, f"also at {others}")
            self.n_refused += _size(slot)
        return None

    def _read(self, key: str, slot: Slot, reader: ItemReader) -> None:
        questions = None
        if self.asked is not None and key in self._keys:
            questions = Questions(self.asked[self._keys[key]])
        entries = self._entries(slot, questions)
        if entries is None:
            self.report.add("wrong_value", slot.pointer, kind_of(slot.value))
            self.n_refused += _size(slot)
            return
        self.n_refused += entries.n_refused
        drafts = (
            reader.draft(entry, index, cut=entries.cut) for index, entry in enumerate(entries)
        )
        if questions is None:
            seen: set[str | None] = {None}
            repeated: list[Draft] = []
            for draft in drafts:
                self._place(key, slot, draft, draft.index, None)
                if draft.question in seen and draft.question is not None:
                    repeated.append(draft)
                seen.add(draft.question)
            if repeated and self.role == "teacher":
                times = f" ({len(repeated)} repeated in all)" if len(repeated) > 1 else ""
                found = f"the question {shown(repeated[0].question or '')} again{times}"
                self.report.add("repeated_question", repeated[0].pointer, found)
            return
        kept = list(drafts)
        places = self._match(key, slot, kept, entries, questions)
        for draft in kept:
            if draft.index in places:
                self._place(key, slot, draft, places[draft.index], questions)

    def _entries(self, slot: Slot, questions: Questions | None) -> Entries | None:
        """Return the items of a slot, looking at the questions where the form leaves a doubt."""
        entries, value = slot.entries, slot.value
        if self.role != "student" or questions is None:
            return entries
        if entries is None:
            known = [bool(questions.find(name)[0]) for name in value]
            if not known or not all(known):
                return None
            items = [{"question": name, "answer": inner} for name, inner in value.items()]
            made = self.report.repair(
                "questions_as_keys", slot.pointer, kind_of(value), dump(value), dump(items)
            )
            return Entries(items, slot.pointer, [*map(escape, value)], (made,))
        if not entries.flat:
            return entries
        texts = list(entries.values)
        is_question = [isinstance(t, str) and bool(questions.find(t)[0]) for t in texts]
        if not any(is_question):
            return entries
        if is_question[0] and len(texts) > 1 and not any(is_question[1:]) and not entries.cut:
            made = self.report.repair(
                "value_for_list", slot.pointer, kind_of(texts), dump(texts), f"[{dump(texts)}]"
            )
            return Entries((texts,), slot.pointer, ("",), (*entries.repairs, made))
        # Questions without answers, or in turn with them: which text answers what is not sure.
        return None

    def _match(
        self, key: str, slot: Slot, drafts: list[Draft], entries: Entries, questions: Questions
    ) -> dict[int, int]:
        # Places say nothing where the end is missing, or where the set is another one now.
        n_items = None if entries.cut or key in self.changed else len(drafts)
        given = [
            Given(d.index, d.question, (d.text, d.texts, d.ratings) if d.status == OK else None)
            for d in drafts
        ]
        matched = match(given, n_items, questions)
        counted = 0
        for draft in drafts:
            code = matched.refused.get(draft.index)
            if code == "count_mismatch":
                counted += 1
            elif code is not None:
                found = f"the question {shown(draft.question or '')}"
                hint = ""
                if code == "unknown_question" and self._hints < _HINTS:
                    self._hints += 1
                    hint = questions.nearest(draft.question or "")
                self.report.add(code, draft.pointer, found, hint)
            elif draft.index in matched.repeated:
                found = f"the question {shown(draft.question or '')} again"
                self.report.add("repeated_item", draft.pointer, found)
            elif draft.index in matched.respelled:
                found = f"the question {shown(draft.question or '')}"
                self.report.add("question_spelling", draft.pointer, found)
        self.n_refused += len(matched.refused)
        if {"count_mismatch", "unknown_question"} & set(matched.refused.values()):
            self.stale.add(key)
        if counted:
            found = f"{len(drafts)} items for {len(questions)} questions"
            if entries.cut:
                found = f"{len(drafts)} items of a list that is cut, for {len(questions)} questions"
            elif key in self.changed:
                found = f"{counted} items without a question, for a set that has changed since"
            elif len(drafts) == len(questions):
                found = f"{len(drafts)} items in another order than the questions"
            self.report.add("count_mismatch", slot.pointer, f"{found}; {counted} left out")
        elif drafts and len(matched.positions) < len(questions):
            left = len(questions) - len(matched.positions)
            self.report.add(
                "missing_items", slot.pointer, f"no item for {left} of {len(questions)} questions"
            )
        return matched.positions

    def _place(
        self, key: str, slot: Slot, draft: Draft, position: int, questions: Questions | None
    ) -> None:
        known = None if questions is None else questions.text(position)
        question = draft.question if draft.question is not None else known
        item: AnyItem
        common: dict[str, Any] = {
            "section_id": slot.place.section_id,
            "position": position,
            "key": key,
            "pointer": draft.pointer,
            "status": draft.status,
            "repairs": tuple(dict.fromkeys((*slot.repairs, *draft.repairs))),
        }
        if self.role == "teacher":
            item = TeacherItem(question=draft.question, references=tuple(draft.texts), **common)
        elif self.role == "student":
            item = StudentItem(
                question=question,
                answer=draft.text,
                alternatives=tuple(draft.texts),
                answerable=draft.answerable,
                **common,
            )
        else:
            item = EvaluatorItem(question=question, ratings=tuple(draft.ratings), **common)
        (self.items if draft.status == OK else self.missing).append(item)

    def _note_references(self) -> None:
        without = [i for i in self.items if isinstance(i, TeacherItem) and not i.references]
        if without:
            found = f"{len(without)} of {len(self.items)} questions without a reference answer"
            self.report.add("no_references", "", found)


def _equal(a: object, b: object) -> bool:
    try:
        return a == b
    except RecursionError:
        return False


def _size(slot: Slot) -> int:
    if slot.entries is not None:
        return len(slot.entries) + slot.entries.n_refused
    return len(slot.value) if isinstance(slot.value, list | dict) else 1
