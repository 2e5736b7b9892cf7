"""``sensemaking check``: what is wrong with a submission, before the deadline."""

import argparse
import json
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sensemaking.io.json_nodes import clean
from sensemaking.io.submission_files import ROLE_OF_WORD
from sensemaking.io.submission_model import ROLES, Role, Submission, SubmissionFinding
from sensemaking.submission_policy import ValidShare, of_sets, valid_share

if TYPE_CHECKING:
    from rich.console import Console

    from sensemaking.io.known_items import Materials

CLEAN, REFUSED, UNREADABLE = 0, 1, 2
"""Exit codes: clean or repaired; something was refused; a file cannot be read at all."""

_COLOURS = {"error": "bold red", "warning": "yellow", "info": "cyan"}
_ORDER = {"error": 0, "warning": 1, "info": 2}
_PLACES = 3
_STEERING = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


@dataclass(frozen=True)
class Checked:
    """A file after the check.

    Attributes:
        file: The file as it was named.
        role: The track, or None where it is not known.
        submission: What was read, or None where there was nothing to read.
        problem: Why nothing was read, or None.
        unreadable_materials: Files of the materials that cannot be read, so that nothing can be
            compared with them.
        genuine: Key of each set that counts in the share of valid items to the number of its
            questions; None where every item counts. Adversarial ones do not, as in the tables.
    """

    file: str
    role: Role | None
    submission: Submission | None
    problem: str | None = None
    unreadable_materials: tuple[str, ...] = ()
    genuine: Mapping[str, int] | None = None

    @property
    def exit_code(self) -> int:
        """The exit code that this file asks for."""
        if self.submission is None or not self.submission.readable:
            return UNREADABLE
        refused = any(finding.severity == "error" for finding in self.submission.findings)
        return REFUSED if refused else CLEAN

    def summary(self) -> dict[str, Any]:
        """Return the figures of the file."""
        if self.submission is None:
            return {}
        submission = self.submission
        share = self._share(submission)
        return {
            "items": len(submission.items),
            "repaired": len(submission.repaired),
            "missing": len(submission.missing),
            "refused": submission.n_refused,
            "sections": len({item.section_id for item in submission.items}),
            "keys_missing": len(submission.missing_keys),
            "expected": submission.n_expected,
            "counted": share.n_expected,
            "valid_share": None if share.share is None else round(share.share, 4),
            "checked": submission.checked,
        }

    def _share(self, submission: Submission) -> ValidShare:
        if self.genuine is not None and submission.n_expected is not None:
            n_expected = sum(self.genuine.values())
            submission = replace(of_sets(submission, self.genuine), n_expected=n_expected)
        return valid_share(submission)


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "check",
        help="check submissions: what would be read, repaired and refused",
        description="Checks submissions. Exit code 0: clean or repaired; 1: something is refused; "
        "2: a file cannot be read at all.",
    )
    parser.add_argument("files", nargs="+", metavar="FILE", type=Path)
    parser.add_argument(
        "--role",
        choices=ROLES,
        help="the track; by default told by the name: questions…, answers… or ratings…",
    )
    parser.add_argument(
        "--materials",
        type=Path,
        metavar="DIR",
        help="folder of the materials; without it sections, numbers and questions are not checked",
    )
    parser.add_argument("--json", action="store_true", help="write the result as JSON")
    parser.add_argument("--all", action="store_true", help="show every place of every finding")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Check the files and show what was found."""
    from rich.console import Console

    console = Console(highlight=False, soft_wrap=True)
    materials: Path | None = arguments.materials
    if materials is not None and not materials.is_dir():
        Console(stderr=True, highlight=False).print(
            f"--materials: no folder {str(materials)!r}", markup=False, style="bold red"
        )
        return UNREADABLE
    results = check(arguments.files, arguments.role, materials)
    if arguments.json:
        text = json.dumps([_as_json(result) for result in results], ensure_ascii=False, indent=1)
        print(text)
    else:
        for result in results:
            _show(result, console, everything=arguments.all)
    return max(result.exit_code for result in results)


def check(files: Sequence[Path], role: Role | None, materials: Path | None) -> list[Checked]:
    """Check files, each on its own.

    Args:
        files: The files.
        role: The track of all of them; by default told by the name of each.
        materials: The materials folder, or None.
    """
    from sensemaking.io.known_items import read_materials
    from sensemaking.io.submissions import read

    asked: dict[Role, Materials] = {}
    results = []
    for file in files:
        own = role or role_of(file)
        if own is None:
            results.append(
                Checked(
                    str(file),
                    None,
                    None,
                    "the name does not tell the track: it begins with none of questions, answers "
                    "and ratings; rename the file or say --role",
                )
            )
            continue
        if materials is not None and own not in asked:
            asked[own] = read_materials(materials, own)
        known = asked.get(own)
        try:
            submission = read(
                file,
                own,
                known.sections if known else None,
                known.items if known else None,
                file=str(file),
                partial=known.partial if known else False,
            )
        except FileNotFoundError:
            results.append(Checked(str(file), own, None, "there is no such file"))
            continue
        unreadable = known.unreadable if known else ()
        genuine = _genuine(known) if known else None
        results.append(Checked(str(file), own, submission, None, unreadable, genuine))
    return results


def _genuine(known: "Materials") -> dict[str, int] | None:
    """Return the sets that count, or None where all do: no particular ones, or no genuine ones."""
    if known.items is None or not known.adversarial or known.partial:
        return None
    return {
        key: sum(map(bool, versions))
        for key, versions in known.items.items()
        if key not in known.adversarial
    }


def role_of(file: Path) -> Role | None:
    """Return the track that a submission's file name tells, or None."""
    match = re.match(r"(questions|answers|ratings)(?![a-z])", file.name)
    return ROLE_OF_WORD[match[1]] if match else None


def _as_json(result: Checked) -> dict[str, Any]:
    submission = result.submission
    return {
        "file": result.file,
        "role": result.role,
        "exit_code": result.exit_code,
        "problem": result.problem,
        "summary": result.summary(),
        "findings": [
            {
                "severity": finding.severity,
                "code": finding.code,
                "path": finding.path,
                "found": finding.found,
                "expected": finding.expected,
                "message": finding.message,
                "action": finding.action,
            }
            for finding in (submission.findings if submission else ())
        ],
        "repairs": [made.row() for made in (submission.repairs if submission else ())],
        "keys_missing": list(submission.missing_keys) if submission else [],
        "unreadable_materials": list(result.unreadable_materials),
    }


def _show(result: Checked, console: "Console", *, everything: bool) -> None:
    from rich.text import Text

    track = Text(f"({result.role or 'unknown track'})")
    console.print(Text(_printable(result.file), style="bold"), track)
    if result.submission is None:
        console.print(Text(f"  {result.problem}", style=_COLOURS["error"]))
        console.print()
        return
    groups: dict[tuple[int, str], list[SubmissionFinding]] = defaultdict(list)
    for finding in result.submission.findings:
        groups[_ORDER[finding.severity], finding.code].append(finding)
    for (_, code), group in sorted(groups.items()):
        severity = group[0].severity
        times = f" × {len(group)}" if len(group) > 1 else ""
        line = Text(f"  {severity} ", style=_COLOURS[severity])
        line.append(f"{code}{times}", style="bold")
        line.append(f": {group[0].action}", style="default")
        console.print(line)
        shown = group if everything else group[:_PLACES]
        for finding in shown:
            place = f"{finding.path}: " if finding.path else ""
            console.print(Text(f"    {_printable(place + finding.message)}"))
        if len(group) > len(shown):
            console.print(Text(f"    … and {len(group) - len(shown)} more (--all shows them)"))
    if result.unreadable_materials:
        names = ", ".join(result.unreadable_materials[:_PLACES])
        note = (
            f"  {len(result.unreadable_materials)} files of the materials cannot be read: {names}"
        )
        console.print(Text(_printable(note), style=_COLOURS["warning"]))
    console.print(_summary_line(result, Text))
    console.print()


def _printable(text: str) -> str:
    """Return a text whose characters cannot steer the terminal."""
    return _STEERING.sub(lambda match: f"\\u{ord(match.group()):04x}", clean(text))


def _summary_line(result: Checked, text: Any) -> Any:
    assert result.submission is not None
    if not result.submission.readable:
        return text("  cannot be read", style=_COLOURS["error"])
    figures = result.summary()
    what = "sections" if result.role == "teacher" else "sets"
    parts = [
        f"{figures['items']} items in {figures['sections']} sections",
        f"{figures['repaired']} repaired",
        f"{figures['missing']} empty or invalid",
        f"{figures['refused']} refused",
    ]
    if figures["expected"] is None:
        parts.append("not compared with the materials")
    else:
        parts.append(f"{figures['keys_missing']} {what} missing")
    if figures["valid_share"] is not None:
        what = "" if result.genuine is None else f" of the {figures['counted']} genuine items"
        parts.append(f"{100 * figures['valid_share']:.1f} %{what} valid")
    style = "bold red" if result.exit_code else "bold green"
    return text(f"  {', '.join(parts)}", style=style)
