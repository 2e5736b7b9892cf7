"""The command line ``sensemaking``, for participants and organisers.

Each command is a module of ``sensemaking.commands`` with a function ``add`` that describes it to
argparse and sets ``run``, which takes the arguments and returns the exit code.
"""

import argparse
import io
import os
import sys
from collections.abc import Sequence

from sensemaking.commands import check, tables, verify

COMMANDS = (check, verify, tables)
"""The commands, in the order of the help. Their heavy imports happen when they run."""


BROKEN_PIPE = 141
"""Exit code of a program whose output nobody reads on, as shells give it (128 + SIGPIPE)."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code.

    Args:
        argv: The arguments behind the program's name; by default those of the process.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # Texts of participants hold any letter; a terminal may not know them all.
            stream.reconfigure(errors="backslashreplace")
    parser = argparse.ArgumentParser(
        prog="sensemaking",
        description="Checks submissions and verifiable data of the evaluation pipeline.",
    )
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for command in COMMANDS:
        command.add(commands)
    arguments = parser.parse_args(argv)
    try:
        code: int = arguments.run(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader, such as head, has seen enough. What is left must not be written at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    return code


if __name__ == "__main__":
    sys.exit(main())
