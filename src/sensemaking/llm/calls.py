"""Calls of a stage: prepared, and asked through a session."""

import itertools
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from sensemaking.llm.checks import Check
from sensemaking.llm.pool import each
from sensemaking.llm.raw_rows import raw_row
from sensemaking.llm.request import Request
from sensemaking.llm.sessions import Session


@dataclass(frozen=True)
class Call:
    """A call that a stage makes for one or more items.

    Attributes:
        name: Its name, unique in its stage and shard.
        section_id: The section whose text is shown.
        items: Ids of the items.
        labels: The short ids under which they stand in the prompt, as many.
        part: Number of the part of the text, from 0.
        parts: How many parts the text was divided into.
        prompt: Name and version of the prompt.
        request: What is asked; None if the items are too long for the model's context.
        expected_tokens: Tokens that the reply may have, for an estimate.
        check: What the reply must be.
    """

    name: str
    section_id: str
    items: tuple[str, ...]
    labels: tuple[str, ...]
    part: int
    parts: int
    prompt: str
    request: Request | None
    expected_tokens: int = 0
    check: Check | None = field(default=None, compare=False)


def ask_all(session: Session, calls: Iterable[Call]) -> list[dict[str, Any]]:
    """Ask all calls, several at a time, and return a row of ``raw/<stage>`` for each.

    Args:
        session: The session to ask through.
        calls: The calls.

    Returns:
        Rows in the order of the calls. Each has a status; one without a reply says why.

    Raises:
        ModelStoppedError, NotRecordedError, JournalError: See ``Session.ask``.
    """

    def work(call: Call) -> dict[str, Any]:
        reply = None
        if call.request is not None:
            reply = session.ask_request(call.request, call.check)
        return raw_row(call, reply)

    if session.mode == "replay":
        return each(session, calls, work)
    # Replay is over before a bar could be read, and does without the package that draws it.
    from sensemaking.progress import progress_bar

    all_calls = list(calls)
    done = itertools.count(1)
    with progress_bar("asking", len(all_calls)) as advance:

        def shown(call: Call) -> dict[str, Any]:
            row = work(call)
            advance(next(done), call.section_id)
            return row

        return each(session, all_calls, shown)
