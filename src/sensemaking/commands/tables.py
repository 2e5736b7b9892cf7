"""``sensemaking tables``: list the tables of the report."""

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]


def add(commands: "Subparsers") -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "tables",
        help="list the tables: what each shows, and the target that makes it",
        description="List the tables of the report, each with the question it answers, what its "
        "numbers are measured against, and the target that makes just that one.",
    )
    parser.set_defaults(run=run)


def run(_arguments: argparse.Namespace) -> int:
    """Print the catalogue; the exit code is always 0."""
    # Rich takes a quarter of a second, which other commands need not wait for.
    from rich.console import Console
    from rich.table import Table

    from sensemaking.tables.catalogue import CATALOGUE

    shown = Table(box=None, pad_edge=False)
    for head in ("Target", "Table", "Shows", "Measured against"):
        shown.add_column(head, no_wrap=head in ("Target", "Table"), overflow="fold")
    for entry in CATALOGUE:
        shown.add_row(
            entry.id, entry.number, f"{entry.title}. {entry.question}", entry.ground_truth
        )
    console = Console(highlight=False, markup=False)
    console.print(shown)
    console.print("Make one with: snakemake --cores 8 TARGET")
    return 0
