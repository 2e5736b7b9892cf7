"""Question sets and answers as files in the official naming, with a manifest of their hashes.

Organisers send these files to participants. What was sent must not change: ratings and answers
belong to the files that the manifest names.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from sensemaking.ids import GOLD, PRIMARY, REFERENCE, answers_name, nfc, question_set_name
from sensemaking.io.files import sha256_of, write_text
from sensemaking.io.materials import EXPERT_SET, EXPERT_SET_EN
from sensemaking.name_readings import SCENARIO, TO
from sensemaking.paths import on_disk
from sensemaking.questions import ENGLISH
from sensemaking.submission_rows import answers_key

MANIFEST = "release.json"
"""Name of the manifest, which lies in the root of the release."""

_VERSION = 1
_ANSWERS = "answers_by_"

Row = Mapping[str, Any]


class ManifestError(ValueError):
    """A manifest cannot be read; the message names the file and what is wrong."""


@dataclass(frozen=True, order=True)
class Released:
    """A file of a release.

    Attributes:
        path: Its path below the root, with slashes, NFC.
        sha256: SHA-256 of its bytes.
        n_items: How many items it has.
        section_id: The section that its questions are about; for a swapped section not the one
            that the file lies under.
    """

    path: str
    sha256: str
    n_items: int
    section_id: str


def export_questions(
    root: Path,
    rows: Iterable[Row],
    *,
    references: bool,
    languages: Mapping[str, str] | None = None,
) -> list[Released]:
    """Write question sets as ``questions_by_<TEAM>_<SUBMISSION>.json``, one a section and set.

    The expert set is ``questions.json``. The English version of a set in another language is a
    file of its own (``.en.json``); an adversarial set of such a kind has only that one.

    Args:
        root: The folder; existing files of the same names are replaced.
        rows: Rows of ``questions``, whole sets.
        references: Whether the reference answers are written too. Students must not get them.
        languages: Kind to the language of its question files, English by default. An English set
            of a kind in another language is an English version, else it would be read as one in
            that language.

    Returns:
        What was written, sorted by path.
    """
    sets: dict[tuple[str, str], dict[int, Row]] = defaultdict(dict)
    for row in rows:
        name = question_set_name(row["teacher"], row["submission"], row["variant"])
        sets[row["section_id"], name][row["position"]] = row
    written = []
    for (section, name), places in sets.items():
        ordered = [places.get(position) for position in range(max(places) + 1)]
        plain = (languages or {}).get(section.partition("/")[0], ENGLISH)
        for file, english in _question_files(name, ordered, plain):
            items = [_question_item(row, english, references) for row in ordered]
            written.append(_write(root, f"{section}/{file}", section, items))
    return sorted(written)


def export_answers(root: Path, answers: Iterable[Row], questions: Iterable[Row]) -> list[Released]:
    """Write answers as ``answers_by_<STUDENT>_<SUB>_to_<TEACHER>_<SUB>[_SCENARIO-x].json``.

    Every question of the set has an item, so that places agree; one without an answer is the
    question alone. A swapped section's file lies under the section that is shown with it.

    Args:
        root: The folder; existing files of the same names are replaced.
        answers: Rows of ``answers``.
        questions: Rows of ``questions``, the whole sets that the answers are to.

    Returns:
        What was written, sorted by path.
    """
    sets: dict[str, list[Row]] = defaultdict(list)
    asked: dict[str, Row] = {}
    for question in questions:
        asked[question["question_id"]] = question
        sets[_set_of(question["question_id"])].append(question)
    files: dict[str, dict[int, Row]] = defaultdict(dict)
    for row in answers:
        key, position = answers_key(row)
        files[key][position] = row
    written = []
    for key, places in files.items():
        first = next(iter(places.values()))["question_id"]
        own = {question["position"]: question for question in sets[_set_of(first)]}
        items = [
            _answer_item(own.get(position), places.get(position))
            for position in range(max((*own, *places)) + 1)
        ]
        written.append(_write(root, key, asked[first]["section_id"], items))
    return sorted(written)


def write_manifest(root: Path, released: Iterable[Released]) -> None:
    """Write the manifest of a release into its root, all or nothing."""
    files = [
        {
            "path": file.path,
            "sha256": file.sha256,
            "items": file.n_items,
            "section_id": file.section_id,
        }
        for file in sorted(released)
    ]
    content = {"version": _VERSION, "files": files}
    write_text(root / MANIFEST, json.dumps(content, ensure_ascii=False, indent=1) + "\n")


def read_manifest(root: Path) -> tuple[Released, ...]:
    """Return the files that a release names; none where the root has no manifest.

    Raises:
        ManifestError: The manifest is not one of this version.
    """
    path = root / MANIFEST
    if not path.exists():
        return ()
    try:
        content = json.loads(path.read_bytes())
        version = content["version"]
        files = content["files"] if version == _VERSION else ()
        found = tuple(
            Released(nfc(file["path"]), file["sha256"], int(file["items"]), nfc(file["section_id"]))
            for file in files
        )
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise ManifestError(
            f"{path}: not a manifest of a release ({type(error).__name__}: {error}); "
            "restore the file that was sent with the release"
        ) from error
    if version != _VERSION:
        raise ManifestError(f"{path}: version {version!r}, expected {_VERSION}; export again")
    return found


def changed_files(root: Path, released: Iterable[Released]) -> set[str]:
    """Return the paths of released files that are not what they were when they were sent.

    Args:
        root: The root of the release.
        released: What the manifest says.
    """
    changed = set()
    for file in released:
        # The disk may write names in another normalisation form than the manifest.
        place = on_disk(root.absolute() / PurePosixPath(file.path), is_file=True)
        if place is None or sha256_of(place) != file.sha256:
            changed.add(file.path)
    return changed


def stale_answers(root: Path) -> set[str]:
    """Return the keys of released files of answers that have changed since they were sent.

    Args:
        root: The root of the release, which is that of the materials.

    Raises:
        ManifestError: The manifest is not one of this version.
    """
    return changed_files(root, [f for f in read_manifest(root) if is_of_answers(f)])


def stale_questions(root: Path) -> set[str]:
    """Return the keys of released question sets of which a file has changed since they were sent.

    Args:
        root: The root of the release, which is that of the materials.

    Raises:
        ManifestError: The manifest is not one of this version.
    """
    changed = changed_files(root, [f for f in read_manifest(root) if not is_of_answers(f)])
    keys = set()
    for path in changed:
        folder, _, name = path.rpartition("/")
        expert = name in (EXPERT_SET, EXPERT_SET_EN)
        stem = name.removesuffix(".json").removesuffix(".en")
        keys.add(f"{folder}/{question_set_name(GOLD, PRIMARY) if expert else stem}.json")
    return keys


def is_of_answers(file: Released) -> bool:
    """Tell whether a released file holds answers; the others hold questions."""
    return file.path.rpartition("/")[2].startswith(_ANSWERS)


def is_answer_of(name: str, team: str, submission: str) -> bool:
    """Tell whether a file's name can be that of genuine answers of a Student.

    Args:
        name: The file's name, NFC.
        team: The Student's team.
        submission: Its submission.
    """
    return name.startswith(nfc(f"{_ANSWERS}{team}_{submission}{TO}")) and SCENARIO not in name


def is_reference(name: str) -> bool:
    """Tell whether a file's name is that of golden answers, or of a Teacher's reference answers.

    Args:
        name: The file's name, NFC.
    """
    golden = answers_name(GOLD, PRIMARY, GOLD, PRIMARY)
    return name == f"{golden}.json" or (
        name.startswith(_ANSWERS) and name.endswith(f"{SCENARIO}{REFERENCE}.json")
    )


def _question_files(name: str, rows: list[Row | None], language: str) -> list[tuple[str, bool]]:
    """Return names of the files of a set, each with whether it is the English version."""
    expert = name == question_set_name(GOLD, PRIMARY)
    plain, english = (EXPERT_SET, EXPERT_SET_EN) if expert else (f"{name}.json", f"{name}.en.json")
    there = [row for row in rows if row is not None]
    if all(row["language"] == ENGLISH for row in there):
        return [(plain if language == ENGLISH else english, True)]
    files = []
    if any(isinstance(row["question_original"], str) for row in there):
        files.append((plain, False))
    if any(isinstance(row["question"], str) for row in there) or not files:
        files.append((english, True))
    return files


def _question_item(row: Row | None, english: bool, references: bool) -> list[str]:
    suffix = "" if english else "_original"
    question = row[f"question{suffix}"] if row is not None else None
    given = list(row[f"references{suffix}"]) if row is not None and references else []
    return [question if isinstance(question, str) else "", *given]


def _answer_item(question: Row | None, answer: Row | None) -> list[str]:
    text = question["question"] if question is not None else None
    if not isinstance(text, str) and question is not None:
        text = question["question_original"]
    item = [text if isinstance(text, str) else ""]
    if answer is not None and isinstance(answer["answer"], str):
        item += [answer["answer"], *answer["alternatives"]]
    return item


def _set_of(question_id: str) -> str:
    return question_id.rpartition("#")[0]


def _write(root: Path, path: str, section: str, items: list[list[str]]) -> Released:
    place = root / PurePosixPath(path)
    write_text(place, json.dumps(items, ensure_ascii=False, indent=1) + "\n")
    return Released(nfc(path), sha256_of(place), len(items), section)
