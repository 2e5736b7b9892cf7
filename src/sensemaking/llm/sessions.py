"""A session: one model, its journal and its mode; through it every stage asks.

``ask`` of this package is the ``ask`` of the session whose ``with`` block runs::

    with session(settings, journal="journals/judge/demo.jsonl", mode="live-missing"):
        reply = ask([{"role": "user", "content": "Which is larger, 9.9 or 9.11?"}])
"""

import logging
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING

from sensemaking.llm.asking import Session, Tally
from sensemaking.llm.credentials import key_of
from sensemaking.llm.errors import NoSessionError
from sensemaking.llm.journal import Journal, Recorded
from sensemaking.llm.reply import Reply
from sensemaking.llm.request import Message, Schema
from sensemaking.llm.settings import LOCAL, LanguageModel, Mode

if TYPE_CHECKING:
    from sensemaking.llm.client import Client

__all__ = ["Session", "Tally", "ask", "current_session", "session"]

_LOG = logging.getLogger(__name__)

_CURRENT: ContextVar[Session] = ContextVar("session")


@contextmanager
def session(
    settings: LanguageModel,
    *,
    journal: str | Path | None = None,
    recorded: Iterable[str | Path] = (),
    mode: Mode = "replay",
    strict: bool = False,
    environment: Mapping[str, str] = os.environ,
) -> Iterator[Session]:
    """Open a session, through which ``ask`` asks while the block runs.

    Nothing is sent, no key is looked for and no local model is loaded before the first reply is
    missing.

    Args:
        settings: The model's settings.
        journal: The journal of this shard, ``journals/<stage>/<shard>.jsonl``. Needed unless the
            mode is ``replay``, which only reads it, and only if it exists.
        recorded: Journals that are only read; the mode ``live`` does not look at them.
        mode: ``replay`` asks for nothing; ``live-missing`` asks for what is in no journal;
            ``live`` asks for everything anew, but a run that was killed goes on where it was.
        strict: Whether a reply that is not recorded is an error in ``replay``.
        environment: Where the key is looked for.

    Raises:
        ValueError: The mode needs a journal and there is none.
        JournalError: Another job has the journal open, or it cannot be written.
        FileNotFoundError: A recorded journal does not exist.
    """
    if journal is None and mode != "replay":
        raise ValueError(f"the mode {mode} needs a journal, so that nothing is asked for twice")
    with ExitStack() as stack:
        own: Journal | None = None
        read_only = list(recorded)
        if mode == "replay":
            read_only += [journal] if journal is not None and Path(journal).exists() else []
        elif journal is not None:
            own = stack.enter_context(closing(Journal(journal)))
        if mode == "live" and own is not None:
            stack.enter_context(own.anew())

        def connect() -> "Client":
            # Replay never sends anything, and the package behind it takes half a second.
            from sensemaking.llm.client import Client

            key = key_of(settings, environment)
            if settings.base_url != LOCAL:
                return stack.enter_context(Client(settings, key, settings.base_url))
            from sensemaking.llm.local_server import local_server

            server = stack.enter_context(local_server(settings))
            return stack.enter_context(Client(settings, key, server.base_url, server.trouble))

        current = Session(settings, own, Recorded(read_only), mode, connect, strict=strict)
        for finding in current.findings:
            _LOG.warning("%s: %s; %s", finding.file, finding.message, finding.action)
        token = _CURRENT.set(current)
        try:
            yield current
        finally:
            _CURRENT.reset(token)


def current_session() -> Session:
    """Return the session whose block runs.

    Raises:
        NoSessionError: There is none.
    """
    try:
        return _CURRENT.get()
    except LookupError:
        raise NoSessionError(
            "no session is open; ask within `with sensemaking.llm.session(settings, journal=…):`, "
            "in the thread that opened it, or call the session's own ask"
        ) from None


def ask(messages: Sequence[Message], schema: Schema | None = None, logprobs: bool = False) -> Reply:
    """Ask the model of the open session through its journal; see ``Session.ask``.

    Args:
        messages: ``role`` and ``content`` of each.
        schema: A pydantic model or a JSON schema of the reply; None for free text.
        logprobs: Whether to ask for log-probabilities.

    Returns:
        The reply: ``status``, ``text``, ``data`` (the JSON value), ``tokens`` (with
        log-probabilities), ``finish_reason``, ``usage``.

    Raises:
        NoSessionError: No session is open.
        ModelStoppedError: No call can succeed.
        NotRecordedError: Strict replay, and the reply is not recorded.
    """
    return current_session().ask(messages, schema, logprobs)
