"""A bar on standard error for jobs that take long, with the time that is left."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn


@contextmanager
def progress_bar(
    doing: str, total: float, visible: bool = True
) -> Iterator[Callable[[float, str], None]]:
    """Draw a bar while the block runs.

    Args:
        doing: What is being done, such as ``transcribing``.
        total: How much there is to do.
        visible: Whether to draw it at all.

    Yields:
        A function that takes how much is done, and what is being done now if that is not empty;
        threads may call it.
    """
    columns = (
        # Names of sections may hold what would be markup.
        TextColumn(f"{doing} {{task.description}}", markup=False),
        BarColumn(),
        TextColumn("{task.percentage:.0f} %"),
        TimeElapsedColumn(),
        TextColumn("elapsed,"),
        TimeRemainingColumn(),
        TextColumn("left"),
    )
    with Progress(*columns, console=Console(stderr=True), disable=not visible) as progress:
        bar = progress.add_task("", total=total)

        def advance(done: float, what: str) -> None:
            if what:
                progress.update(bar, completed=done, description=what)
            else:
                progress.update(bar, completed=done)

        yield advance
