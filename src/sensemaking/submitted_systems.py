"""From the files of the submissions folder to systems of the run."""

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sensemaking.findings import Finding
from sensemaking.ids import slug
from sensemaking.io.submission_files import SubmissionFile

HAS_A_FILE = frozenset({"submitted", "materials"})
"""Engines of systems that a submission may belong to."""

_SHORT = 8


@dataclass(frozen=True)
class SubmittedSystem:
    """A system whose output was submitted.

    Attributes:
        id: Its id: that of the configuration, else ``<team>/<submission>`` for Teachers, with the
            role behind it for others.
        slug: What stands for it in paths, unique among all systems.
        role: Its track.
        label: The name to show.
        team: The team.
        submission: The submission's name.
        published_label: Its name among published figures, or None.
        path: The file, or None if there is none.
    """

    id: str
    slug: str
    role: str
    label: str
    team: str
    submission: str
    published_label: str | None
    path: Path | None

    @property
    def file(self) -> str | None:
        """The file's path below the submissions root, or None."""
        return None if self.path is None else f"{self.team}/{self.path.name}"

    def row(self) -> dict[str, Any]:
        """Return it as a row of ``systems``, without what is found out later."""
        return {
            "system": self.id,
            "role": self.role,
            "label": self.label,
            "team": self.team,
            "submission": self.submission,
            "origin": "submitted",
            "published_label": self.published_label,
        }


@dataclass(frozen=True)
class SubmittedSystems:
    """The submitted systems, sorted by slug, and files that cannot be one."""

    systems: tuple[SubmittedSystem, ...]
    findings: tuple[Finding, ...]


def submitted_systems(
    files: Iterable[SubmissionFile],
    configured: Sequence[Mapping[str, Any]],
    reserved: Collection[str],
) -> SubmittedSystems:
    """Return a system for each file, and for each one that the configuration calls submitted.

    A file of a team and submission that a baseline of the configuration plays is left out: one
    system cannot have two outputs.

    Args:
        files: The files of the submissions folder.
        configured: The systems of the configuration: id, role, label, team, submission, engine,
            published_label.
        reserved: Names that no slug may be.
    """
    known = {(one["role"], one["team"], one["submission"]): one for one in configured}
    findings = []
    found: list[tuple[Mapping[str, Any], Path | None]] = []
    for file in sorted(files):
        named = known.get((file.role, file.team, file.submission))
        if named is None:
            name = f"{file.team}/{file.submission}"
            named = {
                "id": name if file.role == "teacher" else f"{name}/{file.role}",
                "role": file.role,
                "label": f"{file.team} {file.submission}",
                "team": file.team,
                "submission": file.submission,
                "published_label": None,
            }
        elif named["engine"] not in HAS_A_FILE:
            message = (
                f"{file.team}/{file.submission} is the {file.role} {named['id']!r} of the "
                f"configuration, which the engine {named['engine']!r} plays; rename one of them, "
                "or say engine: submitted there"
            )
            place = f"{file.team}/{file.path.name}"
            findings.append(
                Finding(place, "", "plays_a_baseline", "error", message, "the file is left out")
            )
            continue
        found.append((named, file.path))
    there = {one["id"] for one, _ in found}
    found += [
        (one, None) for one in configured if one["engine"] == "submitted" and one["id"] not in there
    ]
    taken = {slug(name) for name in reserved}
    taken |= {slug(one["id"]) for one in configured if one["id"] not in {o["id"] for o, _ in found}}
    slugs = _slugs([one["id"] for one, _ in found], taken)
    systems = [
        SubmittedSystem(
            slug=slugs[one["id"]],
            path=path,
            **{key: one[key] for key in _COLUMNS},
        )
        for one, path in found
    ]
    return SubmittedSystems(tuple(sorted(systems, key=lambda system: system.slug)), tuple(findings))


_COLUMNS = ("id", "role", "label", "team", "submission", "published_label")


def _slugs(names: Sequence[str], taken: Collection[str]) -> dict[str, str]:
    """Return name to slug; where it is not the only one, a hash of the name tells them apart.

    Participants choose these names, so two alike must not stop the run.
    """
    plain = {name: _slug(name) for name in names}
    counts = list(plain.values())
    return {
        name: found
        if found and counts.count(found) == 1 and found not in taken
        else f"{found or 'system'}-{hashlib.sha256(name.encode()).hexdigest()[:_SHORT]}"
        for name, found in plain.items()
    }


def _slug(name: str) -> str | None:
    try:
        return slug(name)
    except ValueError:
        return None
