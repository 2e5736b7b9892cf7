"""The materials folder: which sections it holds and which files they have.

Names come from the disk in whatever normalisation form; ids are NFC, and files are opened by the
name that the disk gave. What cannot be used is left out with a finding, before Snakemake or a job
stumbles over it.
"""

import os
import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

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
SLIDES = "slides.csv"
EXPERT_SET = "questions.json"
EXPERT_SET_EN = "questions.en.json"
_KNOWN = frozenset({TEXT, TEXT_EN, PDF, TRANSCRIPT, SLIDES, EXPERT_SET, EXPERT_SET_EN, *RECORDINGS})
_PREFIXES = ("questions_by_", "answers_by_")

# Lone surrogates are how Python gives names that are not UTF-8.
_NOT_UTF8 = re.compile("[\ud800-\udfff]")
_UNUSABLE_IN_NAMES = re.compile(r"[\\\x00-\x1f\x7f-\x9f\u2028\u2029]")


@dataclass(frozen=True)
class Folder:
    """A section's folder.

    Attributes:
        section_id: Its id, NFC.
        path: The folder on disk.
        files: NFC file name to path on disk, of the files that mean something and can be opened.
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
        findings: What cannot be used, and why; sorted, each once.
    """

    folders: tuple[Folder, ...]
    findings: tuple[Finding, ...]


class _Fault(NamedTuple):
    """Why a folder or file cannot be used: code of the finding, what is so, what to do."""

    code: str
    what: str
    advice: str


def is_material(name: str) -> bool:
    """Tell whether a file of this name means something in a section's folder."""
    return name in _KNOWN or (name.startswith(_PREFIXES) and name.endswith(".json"))


def scan(root: Path, kind: str) -> Scan:
    """List the sections of a kind.

    A folder with at least one file that means something is a section, however deep it lies, also
    if none of these files can be used. Links are followed, but not back to a folder that they lie
    in. Left out with a finding are folders and files whose name holds ``{`` or ``}`` (Snakemake
    reads such names as patterns), a backslash, a control character or bytes that are not UTF-8;
    all of those that are equal after NFC; what cannot be opened; and links to nothing.

    Args:
        root: The materials root.
        kind: The kind's folder name.
    """
    findings: list[Finding] = []
    found: dict[str, list[Folder]] = defaultdict(list)
    kind = nfc(kind)
    starts = [Path(e.path) for e in _entries(root) if nfc(e.name) == kind and _is_folder(e)]
    if not starts:
        message = (
            f"the materials root has no folder {kind!r}, though the configuration names this kind; "
            "add the folder or take the kind out of kinds"
        )
        findings.append(Finding(kind, "", "missing_kind", "warning", message, "the kind is empty"))
    # Folders to look at, each with the identities of those around it. No recursion, since the
    # depth of folders is not ours to limit.
    pending: list[tuple[Path, frozenset[tuple[int, int]]]] = [(p, frozenset()) for p in starts]
    while pending:
        path, above = pending.pop()
        shown = _shown(path.relative_to(root).as_posix())
        opened = _opened(path, above)
        if isinstance(opened, _Fault):
            action = "the folder and all below it are left out"
            findings.append(_unusable(shown, "folder", opened, action))
            continue
        entries, identity = opened
        files, below = _sort_out(entries, shown, findings)
        if files is not None:
            identifier = section_id(path.relative_to(root))
            found[identifier].append(Folder(identifier, path, files))
        pending += [(inner, above | {identity}) for inner in below]
    folders = [_only(found[identifier], root, findings) for identifier in sorted(found)]
    return Scan(tuple(folders), tuple(sorted(set(findings))))


def unknown_kinds(root: Path, kinds: Iterable[str]) -> list[Finding]:
    """Return a finding for each folder below the root that the configuration does not name."""
    known = set(map(nfc, kinds))
    folders = {_shown(entry.name) for entry in _entries(root) if _is_folder(entry)}
    return [
        Finding(
            name,
            "",
            "unknown_kind",
            "warning",
            f"the folder {name!r} is no kind of the configuration "
            f"({', '.join(sorted(known))}); add it to kinds to have it read",
            "the folder is not read",
        )
        for name in sorted(folders - known)
    ]


def section_ids(root: Path, kinds: Iterable[str]) -> list[str]:
    """Return the ids of the sections of kinds as their folders tell them, before any is cut.

    Args:
        root: The materials root.
        kinds: Names of the kinds' folders.
    """
    return [folder.section_id for kind in kinds for folder in scan(root, kind).folders]


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    """Return what lies in a folder, sorted; hidden files and folders are passed over."""
    with os.scandir(folder) as entries:
        shown = [entry for entry in entries if not entry.name.startswith(".")]
    return sorted(shown, key=lambda entry: entry.name)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        # A link to itself, say; it is told as a link to nothing.
        return False


def _shown(path: str) -> str:
    """Return a path as it can be written: NFC, with bytes that are not UTF-8 as escapes."""
    return nfc(os.fsencode(path).decode("utf-8", "backslashreplace"))


def _opened(
    path: Path, above: frozenset[tuple[int, int]]
) -> tuple[list[os.DirEntry[str]], tuple[int, int]] | _Fault:
    """Return what lies in a folder and the folder's identity, or why it is not read."""
    fault = _name_fault(path.name)
    if fault is not None:
        return fault
    try:
        status = path.stat()
        identity = (status.st_dev, status.st_ino)
        if identity in above:
            advice = "remove the link"
            return _Fault("folder_loop", "is a link back to a folder that it lies in", advice)
        return _entries(path), identity
    except OSError as error:
        return _Fault("unreadable", f"cannot be opened ({error.strerror})", "let it be read")


def _name_fault(name: str) -> _Fault | None:
    advice = "rename it"
    if "{" in name or "}" in name:
        what = "has { or } in its name, which the workflow would read as a pattern"
        return _Fault("brace_in_name", what, advice)
    if _NOT_UTF8.search(name):
        return _Fault("name_not_utf8", "has a name that is not UTF-8", advice)
    if _UNUSABLE_IN_NAMES.search(name):
        what = "has a backslash or a control character in its name"
        return _Fault("bad_name", what, advice)
    return None


def _sort_out(
    entries: list[os.DirEntry[str]], shown: str, findings: list[Finding]
) -> tuple[dict[str, Path] | None, list[Path]]:
    """Return the usable files of a folder (None if it is no section) and the folders in it."""
    below: list[Path] = []
    files: dict[str, list[Path]] = defaultdict(list)
    is_section = False
    for entry in entries:
        name, place = nfc(entry.name), f"{shown}/{_shown(entry.name)}"
        leads_nowhere = entry.is_symlink() and not os.path.exists(entry.path)
        if is_material(name) or leads_nowhere:
            is_section |= is_material(name)
            fault = _file_fault(entry, leads_nowhere)
            if fault is None:
                files[name].append(Path(entry.path))
            else:
                findings.append(_unusable(place, "file", fault, "it is left out"))
        elif _is_folder(entry):
            below.append(Path(entry.path))
        elif is_material(name.lower()):
            message = f"found the letters of {name.lower()} in another case; rename the file"
            findings.append(Finding(place, "", "letter_case", "warning", message, "it is not read"))
    for name, paths in files.items():
        if len(paths) > 1:
            fault = _collision("file", [path.name for path in paths])
            findings.append(_unusable(f"{shown}/{name}", "file", fault, "none of them is read"))
    usable = {name: paths[0] for name, paths in files.items() if len(paths) == 1}
    return (usable if is_section else None), below


def _file_fault(entry: os.DirEntry[str], leads_nowhere: bool) -> _Fault | None:
    if leads_nowhere:
        return _Fault("broken_link", "is a link to nothing", "mend or remove the link")
    fault = _name_fault(entry.name)
    if fault is not None:
        return fault
    if not os.path.isfile(entry.path):
        return _Fault("not_a_file", "is no file though its name says so", "rename or replace it")
    if not os.access(entry.path, os.R_OK):
        return _Fault("unreadable", "cannot be opened: no permission", "let it be read")
    return None


def _only(candidates: list[Folder], root: Path, findings: list[Finding]) -> Folder:
    """Return the only folder of a section, or one without files where several have its id."""
    if len(candidates) == 1:
        return candidates[0]
    identifier = candidates[0].section_id
    paths = sorted(folder.path.relative_to(root).as_posix() for folder in candidates)
    fault = _collision("folder", paths)
    findings.append(_unusable(identifier, "folder", fault, "none of them is read"))
    return Folder(identifier, root / paths[0], {}, collides=True)


def _collision(kind: str, names: list[str]) -> _Fault:
    # In ASCII, since the names look alike.
    forms = ", ".join(map(ascii, names))
    what = f"has a name that {len(names)} {kind}s have in different Unicode forms ({forms})"
    return _Fault("name_collision", what, "remove or rename all but one")


def _unusable(place: str, kind: str, fault: _Fault, action: str) -> Finding:
    message = f"the {kind} {fault.what}; {fault.advice}"
    return Finding(place, "", fault.code, "error", message, action)
