"""What the materials folder asks of participants: its sections, question sets and answer files."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sensemaking.ids import GOLD, PRIMARY, REFERENCE, nfc, question_set_name
from sensemaking.io.json_reading import decode_json, read_json
from sensemaking.io.materials import EXPERT_SET, EXPERT_SET_EN, Folder, scan
from sensemaking.io.question_files import parse
from sensemaking.io.submission_model import Role
from sensemaking.name_readings import SCENARIO, SHUFFLED

_ENGLISH = ".en.json"
_JSON = ".json"
_QUESTIONS = "questions_by_"
_ANSWERS = "answers_by_"

Versions = list[tuple[str, ...]]
"""For each position of a set the versions of its question; empty where it has none."""


@dataclass(frozen=True)
class Materials:
    """What a materials folder holds.

    Attributes:
        sections: Ids of its sections, sorted.
        items: Canonical key of each set to its questions; None for Teachers, of whom no
            particular items are asked, and for Evaluators where the folder has no answers.
        unreadable: Files of sets that cannot be read, and so cannot be checked against.
        partial: Whether there is more to rate than the folder holds, since only adversarial
            answers are in it.
        adversarial: Keys of the sets that are adversarial, or hold adversarial answers; they do
            not count in the share of valid items.
    """

    sections: tuple[str, ...]
    items: dict[str, Versions] | None
    unreadable: tuple[str, ...]
    partial: bool = False
    adversarial: frozenset[str] = frozenset()


def read_materials(root: Path, role: Role) -> Materials:
    """Return what a materials folder asks of participants in a track.

    Every folder below the root is a kind; what a configuration says of kinds does not matter here.

    Args:
        root: The folder with one folder for each kind.
        role: The track.

    Raises:
        FileNotFoundError: There is no such folder.
        NotADirectoryError: It is a file.
    """
    folders = [
        folder
        for kind in sorted(nfc(entry.name) for entry in root.iterdir() if entry.is_dir())
        for folder in scan(root, kind).folders
        if not folder.collides
    ]
    sections = tuple(sorted(folder.section_id for folder in folders))
    if role == "teacher":
        return Materials(sections, None, ())
    items: dict[str, Versions] = {}
    unreadable: list[str] = []
    for folder in folders:
        sets = _question_sets(folder) if role == "student" else _answer_sets(folder)
        for name, versions in sets:
            if versions is None:
                unreadable.append(f"{folder.section_id}/{name}")
                continue
            stem = name.removesuffix(_ENGLISH).removesuffix(_JSON)
            if name in (EXPERT_SET, EXPERT_SET_EN):
                stem = question_set_name(GOLD, PRIMARY)
            key = f"{folder.section_id}/{stem}{_JSON}"
            items[key] = _merged(items.get(key), versions)
    if role == "evaluator" and not items:
        return Materials(sections, None, tuple(unreadable))
    mark = f"_{SHUFFLED}" if role == "student" else SCENARIO
    adversarial = frozenset(
        key
        for key in items
        if mark in key.rpartition("/")[2] and not key.endswith(f"{SCENARIO}{REFERENCE}{_JSON}")
    )
    partial = role == "evaluator" and len(adversarial) == len(items)
    return Materials(sections, items, tuple(unreadable), partial, adversarial)


def _question_sets(folder: Folder) -> Iterator[tuple[str, Versions | None]]:
    # The English version last, since it says nothing where it has another length.
    for name in sorted(folder.files, key=lambda name: (name.endswith(_ENGLISH), name)):
        if name in (EXPERT_SET, EXPERT_SET_EN) or (
            name.startswith(_QUESTIONS) and name.endswith(_JSON)
        ):
            found = parse(folder.files[name].read_bytes(), name).items
            yield (
                name,
                None
                if found is None
                else [(item.question,) if item.question is not None else () for item in found],
            )


def _answer_sets(folder: Folder) -> Iterator[tuple[str, Versions | None]]:
    for name in folder.names(_ANSWERS):
        value = read_json(decode_json(folder.files[name].read_bytes()).text).value
        yield name, [_question_of(item) for item in value] if isinstance(value, list) else None


def _question_of(item: object) -> tuple[str, ...]:
    """Return the question in an item of an answers file."""
    first = item.get("question") if isinstance(item, dict) else None
    if isinstance(item, list) and item:
        first = item[0]
    return (nfc(first),) if isinstance(first, str) and first.strip() else ()


def _merged(one: Versions | None, other: Versions) -> Versions:
    """Join the versions of a set in two languages; of two lengths the first one counts alone."""
    if one is None:
        return other
    if len(one) != len(other):
        return one
    return [tuple(dict.fromkeys((*a, *b))) for a, b in zip(one, other, strict=True)]
