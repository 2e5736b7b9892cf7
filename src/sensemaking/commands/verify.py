"""``sensemaking verify``: recount the verifiable data from its texts alone."""

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sensemaking.verifiable import Count, Mismatch

SOUND, MISMATCH, UNREADABLE = 0, 1, 2
"""Exit codes: all counts agree; some do not; the file is no verifiable data."""


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "verify",
        help="recount the verifiable data from its texts alone",
        description="Recounts the facts that each summary mentions and gets wrong, from the texts "
        "alone. Exit code 0: all is as it must be; 1: something is not; 2: it cannot be read.",
    )
    parser.add_argument("data", type=Path, metavar="DATA", help="JSON file of verifiable data")
    parser.add_argument("--json", action="store_true", help="write the result as JSON")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Recount a file and show what is not as it must be."""
    from sensemaking.verifiable import UnusableDataError, recount, verify

    path: Path = arguments.data
    data = _read(path)
    if data is None:
        return UNREADABLE
    mismatches: list[Mismatch] = []
    counts: list[Count] = []
    try:
        mismatches = verify(data)
        counts = recount(data)
    except UnusableDataError as error:
        if not mismatches:
            mismatches = error.mismatches
    if arguments.json:
        result = {
            "file": str(path),
            "mismatches": [vars(mismatch) for mismatch in mismatches],
            "counts": [vars(count) for count in counts],
        }
        print(json.dumps(result, ensure_ascii=False, indent=1))
    else:
        for mismatch in mismatches:
            print(f"{mismatch.json_pointer or '(whole file)'}: {mismatch.message}")
        documents = len({count.document for count in counts})
        state = f"{len(mismatches)} mismatches" if mismatches else "sound"
        print(f"{path}: {documents} documents, {len(counts)} summaries recounted: {state}")
    return MISMATCH if mismatches else SOUND


def _read(path: Path) -> dict[str, Any] | None:
    from sensemaking.io.verifiable_data import without_twins

    try:
        data = json.loads(path.read_bytes(), object_pairs_hook=without_twins)
    except OSError as error:
        problem = f"{error.strerror}; check the path"
    except (ValueError, RecursionError) as error:
        problem = f"not JSON ({error}); expected verifiable data as written by this project"
    else:
        if isinstance(data, dict):
            return data
        problem = f"found {type(data).__name__}, expected an object of verifiable data"
    print(f"{path}: {problem}", file=sys.stderr)
    return None
