"""Reading submissions: what participants sent, as far as it is certain, and what is wrong with it.

Nothing raises on bad content: all that is wrong becomes findings, all of them at once. A repair
is made only where the content leaves no doubt about what is meant, and each is recorded.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sensemaking.ids import KnownTeams, known_teams, nfc
from sensemaking.io.json_nodes import CutObject, dump, kind_of, shown
from sensemaking.io.json_reading import DecodedJson, Document, decode_json, read_json
from sensemaking.io.submission_keys import Sections
from sensemaking.io.submission_matching import Asked
from sensemaking.io.submission_model import ROLES, AnyItem, Report, Role, Submission, sorted_items
from sensemaking.io.submission_sets import SetReader
from sensemaking.io.submission_tree import TreeReader
from sensemaking.io.submission_values import has_item_fields
from sensemaking.repairs import Repair

MAX_BYTES = 512 * 1024 * 1024
"""The largest file that is read; a complete submission to a large task has some 60 MB."""


def read(
    path: str | Path,
    role: Role,
    known_sections: Collection[str] | None,
    known_items: Mapping[str, Asked] | None = None,
    *,
    file: str | None = None,
    sender: tuple[str, str] | None = None,
    not_run: Collection[str] = (),
    changed: Collection[str] = (),
    partial: bool = False,
    max_bytes: int = MAX_BYTES,
) -> Submission:
    """Read a submission.

    Args:
        path: The file.
        role: ``teacher``, ``student`` or ``evaluator``.
        known_sections: Ids of the sections of the materials; None where they are not at hand:
            then each path is taken as it is.
        known_items: Key of a set, in any of the forms that a submission may use, to its
            questions in order, each a text or several versions of it (languages). None where
            they are not at hand: then numbers of items and texts are not checked. Not used for
            Teachers.
        file: Name of the file in findings; by default its own.
        sender: Team and name of the submission, where they are known. They decide how names are
            divided that could be divided in several ways.
        not_run: Ids of sections of the materials that are no part of the run. Their keys are in
            order, and count for nothing.
        changed: Canonical keys of sets that have changed since they were sent out. Their items are
            matched by the question's text alone.
        partial: Whether ``known_items`` are a part of what was asked; other sets are read without
            being checked.
        max_bytes: The largest file that is read.

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: The role is unknown.
    """
    if role not in ROLES:
        raise ValueError(f"unknown role {role!r}; known: {', '.join(ROLES)}")
    path = Path(path)
    report = Report(file or path.name)

    def text() -> DecodedJson | None:
        data = _bytes_of(path, report, max_bytes)
        return None if data is None else decode_json(data)

    context = _Context(role, known_sections, known_items, sender, not_run, changed, partial)
    return _read(text, report, context)


def read_bytes(
    data: bytes,
    role: Role,
    known_sections: Collection[str] | None,
    known_items: Mapping[str, Asked] | None = None,
    *,
    file: str,
    sender: tuple[str, str] | None = None,
    not_run: Collection[str] = (),
    changed: Collection[str] = (),
) -> Submission:
    """Read the bytes of a submission as ``read`` does; never raises on their content."""
    context = _Context(role, known_sections, known_items, sender, not_run, changed)
    return _read(lambda: decode_json(data), Report(file), context)


@dataclass(frozen=True)
class _Context:
    """What a submission is read against; ``read`` explains it."""

    role: Role
    known_sections: Collection[str] | None
    known_items: Mapping[str, Asked] | None
    sender: tuple[str, str] | None
    not_run: Collection[str]
    changed: Collection[str]
    partial: bool = False


def _read(text: Callable[[], DecodedJson | None], report: Report, context: _Context) -> Submission:
    # Of a large file bytes, text, tree and items would be in memory together. So the text is made
    # here, where no caller holds it, and what was read is let go as soon as it is not needed.
    role, file = context.role, report.file
    decoded = text()
    if decoded is None:
        return Submission(role=role, file=file, findings=tuple(report.findings), readable=False)
    _note_encoding(decoded, report)
    items_known = context.known_items if role != "teacher" else None
    teams = _teams(items_known) if role == "student" and items_known is not None else None
    sender = context.sender and nfc("_".join(context.sender))
    sections = Sections.of(context.known_sections, sender, teams)
    others = Sections.of(context.not_run) if context.not_run else None
    document = read_json(decoded.text, _anchor(sections, others))
    bad_bytes = decoded.bad_byte is not None
    del decoded
    roots = _roots(document, report)
    del document
    if not roots:
        return Submission(role=role, file=file, findings=tuple(report.findings), readable=False)
    of_syntax = len(report.repairs)
    tree = TreeReader(role, sections, report, others)
    while roots:
        pointer, root = roots.pop(0)
        tree.read(root, pointer)
        del root
    changed = frozenset(context.changed)
    sets = SetReader(
        role, sections, report, tree.note, items_known, bad_bytes, changed, context.partial
    )
    sets.read(tree.slots)
    tree.report_passed_over()
    missing_keys, n_expected = _expected(sets, report)
    known = context.known_sections if role == "teacher" else items_known
    checked = known is not None and not sets.unchecked
    if sets.unchecked:
        n_expected = None
        found = f"{len(sets.unchecked)} of {len(sets.named)} files that the materials do not hold"
        report.add("not_checked", "", found)
    elif not checked:
        report.add("not_checked", "", "no materials to compare with")
    spread = _spread(report.repairs[:of_syntax])
    items = sorted_items([spread(item) for item in sets.items])
    missing = sorted_items([spread(item) for item in sets.missing])
    # A repair on the way to an item that was refused after all has mended nothing.
    used = {made for item in (*items, *missing) for made in item.repairs}
    repairs = [made for made in report.repairs if made.hash in used or not made.json_pointer]
    return Submission(
        role=role,
        file=file,
        items=items,
        findings=tuple(dict.fromkeys(report.findings)),
        repairs=tuple(dict.fromkeys(repairs)),
        missing=missing,
        n_refused=sets.n_refused + tree.n_refused,
        n_expected=n_expected,
        stale_keys=tuple(sorted(sets.stale)),
        missing_keys=missing_keys,
        checked=checked,
    )


def _teams(known_items: Collection[str]) -> KnownTeams:
    """Return the teams whose question sets were asked."""
    names = {key.rpartition("/")[2].removesuffix(".json") for key in known_items}
    return known_teams(names)


def _anchor(sections: Sections, others: Sections | None) -> Callable[[str], bool]:
    """Return what tells whether a text is surely a key, of this run or not."""
    if others is None:
        return sections.is_anchor
    return lambda key: sections.is_anchor(key) or others.is_anchor(key)


def _bytes_of(path: Path, report: Report, max_bytes: int) -> bytes | None:
    try:
        size = path.stat().st_size
        if size > max_bytes:
            report.add("too_large", "", f"{size:,} bytes", f"the limit is {max_bytes:,}")
            return None
        return path.read_bytes()
    except FileNotFoundError:
        raise
    except OSError as error:
        report.add("unreadable", "", f"{path.name}: {error.strerror or error}")
        return None


def _note_encoding(decoded: DecodedJson, report: Report) -> None:
    if decoded.encoding != "utf-8":
        report.add("encoding", "", decoded.encoding.upper())
    elif decoded.mark:
        report.add("byte_order_mark", "", "a byte-order mark")
    if decoded.bad_byte is not None:
        found = f"byte {decoded.bad_byte} ({decoded.bad_value:#04x}), which is not"
        report.add("not_utf8", "", f"{found} {decoded.encoding.upper()}")


def _note_problems(document: Document, report: Report) -> None:
    for problem in document.problems:
        if problem.after is None:
            report.add(problem.code, problem.pointer, problem.found)
        else:
            report.repair(
                problem.code, problem.pointer, problem.found, problem.before, problem.after
            )


def _roots(document: Document, report: Report) -> list[tuple[str, dict[str, Any]]]:
    """Return the objects from paths to lists, with their pointers; none if there is no such."""
    _note_problems(document, report)
    value = document.value
    if not document.readable:
        return []
    if isinstance(value, str) and value.lstrip().startswith("{"):
        inner = read_json(value)
        if isinstance(inner.value, dict):
            report.repair(
                "double_encoded", "", "a text that holds JSON", dump(value), dump(inner.value)
            )
            _note_problems(inner, report)
            value = inner.value
    if isinstance(value, CutObject) and not value:
        # Nothing was read before the fault, which is a finding already.
        return []
    if isinstance(value, dict):
        return [("", value)]
    is_list = isinstance(value, list) and value
    if is_list and all(isinstance(e, dict) and e and not has_item_fields(e) for e in value):
        report.repair("list_of_objects", "", f"a list of {len(value)} objects", "[{}, {}]", "{}")
        return [(f"/{number}", element) for number, element in enumerate(value)]
    report.add("not_an_object", "", kind_of(value))
    return []


def _expected(sets: SetReader, report: Report) -> tuple[tuple[str, ...], int | None]:
    """Return the sets (Teachers: sections) that are not named, and how many items were asked."""
    wanted = sets.wanted
    if wanted is None:
        return (), None
    missing = tuple(sorted(set(wanted) - sets.named))
    if missing:
        what = "sections" if sets.role == "teacher" else "sets"
        examples = ", ".join(shown(key) for key in missing[:3])
        more = " …" if len(missing) > 3 else ""
        report.add(
            "missing_keys",
            "",
            f"{len(missing)} of {len(wanted)} {what} without a key: {examples}{more}",
        )
    return missing, sum(wanted.values())


def _spread(repairs: list[Repair]) -> Callable[[AnyItem], AnyItem]:
    """Return a function that gives an item the hashes of repairs of syntax in or around it.

    Repairs of the file as a whole (an empty pointer) belong to no item.
    """
    at: dict[str, list[str]] = defaultdict(list)
    inside: dict[str, list[str]] = defaultdict(list)
    for made in repairs:
        if not made.json_pointer:
            continue
        at[made.json_pointer].append(made.hash)
        for ancestor in _ancestors(made.json_pointer):
            inside[ancestor].append(made.hash)

    def spread(item: AnyItem) -> AnyItem:
        if not at:
            return item
        found = [*inside.get(item.pointer, ()), *at.get(item.pointer, ())]
        for ancestor in _ancestors(item.pointer):
            found += at.get(ancestor, ())
        return replace(item, repairs=(*item.repairs, *found)) if found else item

    return spread


def _ancestors(pointer: str) -> Iterator[str]:
    """Yield the pointers of what a place lies in, the whole file left out."""
    end = pointer.rfind("/")
    while end > 0:
        yield pointer[:end]
        end = pointer.rfind("/", 0, end)
