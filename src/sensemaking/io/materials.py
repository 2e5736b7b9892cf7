"""The materials folder: which sections it holds and which files they have.

Names come from the disk in whatever normalisation form; ids are NFC, and files are opened by the
name that the disk gave.
"""

import os
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from sensemaking.findings import Finding
from sensemaking.ids import nfc, section_id

RECORDINGS = {
    "source.mp3": "audio",
    "source.wav": "audio",
    "source.flac": "audio",
    "source.ogg": "audio",
    "source.m4a": "audio",
    "source.mp4": "video",
    "source.webm": "video",
}
"""File name of a recording to its modality, the preferred first."""

TEXT = "text.txt"
TEXT_EN = "text.en.txt"
PDF = "source.pdf"
TRANSCRIPT = "reference.txt"
EXPERT_SET = "questions.json"
EXPERT_SET_EN = "questions.en.json"
_QUESTION_PREFIXES = ("questions_by_",)
_ANSWER_PREFIXES = ("answers_by_",)


@dataclass(frozen=True)
class Folder:
    """A section's folder.

    Attributes:
        section_id: Its id, NFC.
        path: The folder on disk.
        files: NFC file name to path on disk, of the files that mean something.
        collides: Whether another folder has the same id after NFC; neither is then read.
    """

    section_id: str
    path: Path
    files: dict[str, Path] = field(hash=False)
    collides: bool = False

    def names(self, prefix: str, suffix: str = ".json") -> list[str]:
        """Return the names of files that start and end so, sorted."""
        return sorted(n for n in self.files if n.startswith(prefix) and n.endswith(suffix))


@dataclass(frozen=True)
class Scan:
    """What lies in the folder of a kind.

    Attributes:
        folders: The sections, sorted by id.
        findings: What cannot be used, and why.
    """

    folders: tuple[Folder, ...]
    findings: tuple[Finding, ...]


def is_material(name: str) -> bool:
    """Tell whether a file of this name means something in a section's folder."""
    known = {TEXT, TEXT_EN, PDF, TRANSCRIPT, EXPERT_SET, EXPERT_SET_EN, *RECORDINGS}
    prefixed = name.startswith(_QUESTION_PREFIXES + _ANSWER_PREFIXES) and name.endswith(".json")
    return name in known or prefixed


def scan(root: Path, kind: str) -> Scan:
    """List the sections of a kind.

    A folder with at least one file that means something is a section, however deep it lies. A
    folder whose name holds ``{`` or ``}`` is left out with all below it, since Snakemake reads
    such names as patterns; two folders or files that are one after NFC are left out both.

    Args:
        root: The materials root.
        kind: The kind's folder name, NFC.
    """
    findings: list[Finding] = []
    found: dict[str, list[Folder]] = defaultdict(list)
    starts = [e for e in _entries(root) if e.is_dir() and nfc(e.name) == kind]
    if not starts:
        findings.append(
            Finding(
                kind,
                "",
                "missing_kind",
                "warning",
                f"the materials root has no folder {kind!r}, though the configuration names this "
                "kind; add the folder or take the kind out of kinds",
                "the kind is empty",
            )
        )
    for start in starts:
        for folder in _walk(Path(start.path), root, findings):
            found[folder.section_id].append(folder)
    folders = []
    for identifier, candidates in sorted(found.items()):
        if len(candidates) > 1:
            names = ", ".join(ascii(c.path.relative_to(root).as_posix()) for c in candidates)
            findings.append(
                Finding(
                    identifier,
                    "",
                    "name_collision",
                    "error",
                    f"{len(candidates)} folders have this name, in different Unicode forms "
                    f"({names}); remove or rename all but one",
                    "none of them is read",
                )
            )
            folders.append(Folder(identifier, candidates[0].path, {}, collides=True))
        else:
            folders.append(candidates[0])
    return Scan(tuple(folders), tuple(sorted(findings)))


def unknown_kinds(root: Path, kinds: Iterable[str]) -> list[Finding]:
    """Return a finding for each folder below the root that the configuration does not name."""
    known = set(kinds)
    return [
        Finding(
            nfc(entry.name),
            "",
            "unknown_kind",
            "warning",
            f"the folder {nfc(entry.name)!r} is no kind of the configuration "
            f"({', '.join(sorted(known))}); add it to kinds to have it read",
            "the folder is not read",
        )
        for entry in _entries(root)
        if entry.is_dir() and not entry.name.startswith(".") and nfc(entry.name) not in known
    ]


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        return sorted(entries, key=lambda entry: entry.name)


def _walk(folder: Path, root: Path, findings: list[Finding]) -> list[Folder]:
    """Return the sections in a folder and below it."""
    shown = nfc(folder.relative_to(root).as_posix())
    if "{" in folder.name or "}" in folder.name:
        findings.append(
            Finding(
                shown,
                "",
                "brace_in_name",
                "error",
                "the folder's name holds { or }, which the workflow would read as a pattern; "
                "rename the folder",
                "the folder and all below it are left out",
            )
        )
        return []
    files: dict[str, Path] = {}
    twice: set[str] = set()
    result = []
    for entry in _entries(folder):
        name = nfc(entry.name)
        if entry.name.startswith("."):
            continue
        if entry.is_dir():
            result += _walk(Path(entry.path), root, findings)
        elif is_material(name):
            if name in files:
                twice.add(name)
            files[name] = Path(entry.path)
            if "{" in name or "}" in name:
                twice.discard(name)
                del files[name]
                findings.append(_unusable_file(f"{shown}/{name}", "brace_in_name", "holds { or }"))
    for name in sorted(twice):
        del files[name]
        reason = "occurs twice in different Unicode forms"
        findings.append(_unusable_file(f"{shown}/{name}", "name_collision", reason))
    if files:
        result.append(Folder(section_id(folder.relative_to(root)), folder, files))
    return result


def _unusable_file(path: str, code: str, reason: str) -> Finding:
    return Finding(
        path, "", code, "error", f"the file's name {reason}; rename it", "the file is left out"
    )
