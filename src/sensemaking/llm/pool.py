"""Many calls at a time, but not more than the settings allow."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextvars import copy_context
from typing import TypeVar

from sensemaking.llm.sessions import Session

Item = TypeVar("Item")
Result = TypeVar("Result")


def each(
    session: Session,
    items: Iterable[Item],
    work: Callable[[Item], Result],
    concurrency: int | None = None,
) -> list[Result]:
    """Return what ``work`` returns for each item, in the order of the items.

    At most ``concurrency`` items are worked on at a time, and none is begun before there is room
    for it. When the work on one raises, no further one is begun, those that wait to be sent again
    give up, and those that are under way end: their replies are in the journal.

    Args:
        session: The session that the work asks.
        items: What to work on.
        work: What to do with an item, in a thread of its own.
        concurrency: Items at a time; the settings' if None.

    Raises:
        ModelStoppedError, NotRecordedError, JournalError: As the work raised it; the first one.
    """
    room = concurrency or session.settings.concurrency
    results: dict[int, Result] = {}
    waiting: Iterator[tuple[int, Item]] = iter(enumerate(items))
    running: dict[Future[Result], int] = {}
    with ThreadPoolExecutor(max_workers=room, thread_name_prefix="llm") as pool:
        try:
            while True:
                for number, item in waiting:
                    # With the context of here, so that ``ask`` knows the open session.
                    running[pool.submit(copy_context().run, work, item)] = number
                    if len(running) >= room:
                        break
                if not running:
                    break
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    results[running.pop(future)] = future.result()
        except BaseException:
            session.stop()
            raise
    return [results[number] for number in sorted(results)]
