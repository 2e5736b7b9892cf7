"""The submissions folder: which team sent which file. Only names are read."""

import os
import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from sensemaking.findings import Finding
from sensemaking.ids import GOLD, PRIMARY, check_name, nfc
from sensemaking.io.submission_model import Role

ROLE_OF_WORD: dict[str, Role] = {
    "questions": "teacher",
    "answers": "student",
    "ratings": "evaluator",
}
"""First word of a submission's file name to its track."""

_NAME = re.compile(r"(questions|answers|ratings)(?:_(.+))?\.json")


@dataclass(frozen=True, order=True)
class SubmissionFile:
    """A file that a team sent.

    Attributes:
        team: The team, which is the folder's name, NFC.
        role: The track.
        submission: The submission's name; PRIMARY where the file's name has none.
        path: The file on disk.
    """

    team: str
    role: Role
    submission: str
    path: Path


@dataclass(frozen=True)
class SubmissionFiles:
    """What lies in a submissions folder.

    Attributes:
        files: The submissions, sorted.
        findings: What cannot be used, and why.
    """

    files: tuple[SubmissionFile, ...]
    findings: tuple[Finding, ...]


def list_submissions(root: Path) -> SubmissionFiles:
    """List ``<team>/<questions|answers|ratings>[_<SUBMISSION>].json`` below a folder.

    A name that holds ``{`` or ``}`` is left out, since the workflow would read it as a pattern.
    Of two files that are one submission (``questions.json`` and ``questions_PRIMARY.json``, or
    two Unicode forms of a name) none is read.

    Args:
        root: The submissions folder.
    """
    found: dict[tuple[str, Role, str], list[Path]] = defaultdict(list)
    findings: list[Finding] = []
    for entry in _entries(root):
        team = nfc(entry.name)
        if not entry.is_dir():
            findings.append(_passed_over(team, "a file beside the folders of the teams"))
            continue
        for file in _entries(Path(entry.path)):
            name = nfc(file.name)
            shown = f"{team}/{name}"
            match = _NAME.fullmatch(name)
            if match is None or not file.is_file():
                what = "a name that is none of questions, answers or ratings, with _NAME or not"
                findings.append(_passed_over(shown, what))
                continue
            submission = match[2] or PRIMARY
            problem = _problem(team, submission)
            if problem:
                findings.append(_left_out(shown, "bad_name", problem))
                continue
            found[team, ROLE_OF_WORD[match[1]], submission].append(Path(file.path))
    files = []
    for (team, role, submission), paths in sorted(found.items()):
        if len(paths) == 1:
            files.append(SubmissionFile(team, role, submission, paths[0]))
            continue
        names = ", ".join(ascii(path.relative_to(root).as_posix()) for path in paths)
        message = f"{len(paths)} files are the submission {submission} of a {role}: {names}"
        findings += [
            _left_out(f"{team}/{nfc(path.name)}", "submission_twice", f"{message}; keep one")
            for path in paths
        ]
    return SubmissionFiles(tuple(sorted(files)), tuple(sorted(set(findings))))


def _problem(team: str, submission: str) -> str | None:
    if "{" in team + submission or "}" in team + submission:
        return "the name holds { or }, which the workflow would read as a pattern; rename it"
    if team == GOLD:
        return f"the team is called {GOLD}, which is the name of the experts; rename the folder"
    try:
        check_name("team", team)
        check_name("submission", submission)
    except ValueError as error:
        return str(error)
    return None


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        return sorted(
            (entry for entry in entries if not entry.name.startswith(".")),
            key=lambda entry: entry.name,
        )


def _left_out(file: str, code: str, message: str) -> Finding:
    return Finding(file, "", code, "error", message, "the file is left out")


def _passed_over(file: str, what: str) -> Finding:
    message = f"found {what}; expected <team>/<questions|answers|ratings>[_<SUBMISSION>].json"
    return Finding(file, "", "unknown_file", "warning", f"{message}; rename it", "it is not read")
