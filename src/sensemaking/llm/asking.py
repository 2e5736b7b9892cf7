"""What a session is: it asks once, keeps everything, and gives every item a status."""

import logging
import math
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from sensemaking.findings import Finding
from sensemaking.llm.checks import Check, Verdict, fits
from sensemaking.llm.errors import (
    UNAVAILABLE,
    JournalError,
    ModelStoppedError,
    NotRecordedError,
)
from sensemaking.llm.failures import Failure
from sensemaking.llm.journal import Journal, Recorded
from sensemaking.llm.reply import WHOLE_AT_LIMIT, Reply
from sensemaking.llm.request import Message, Request, Schema, make_request
from sensemaking.llm.settings import LanguageModel, Mode
from sensemaking.llm.statuses import (
    CONTENT_FILTER,
    CONTEXT_TOO_LONG,
    FAILED_CALLS,
    NOT_RECORDED,
    TRUNCATED,
)
from sensemaking.llm.tokens import estimate_tokens

if TYPE_CHECKING:
    from sensemaking.llm.client import Client

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class Tally:
    """What a session did; the numbers add up.

    Attributes:
        items: Things asked for, ``from_journal`` + ``asked`` + ``not_recorded``.
        from_journal: Items whose replies were all in a journal.
        asked: Items for which the endpoint was asked, whether once or for several attempts.
        not_recorded: Items that only recorded replies might have answered.
        sent: Calls sent, tries of the same call and calls without a refused parameter included.
        statuses: Status of an item to the number of items that ended with it; they sum to items.
    """

    items: int
    from_journal: int
    asked: int
    not_recorded: int
    sent: int
    statuses: Mapping[str, int]


_NO_NEXT: Final = FAILED_CALLS
"""After these another attempt makes no sense, or the client has made enough tries."""
_OWN_FAULT: Final = frozenset({CONTEXT_TOO_LONG, CONTENT_FILTER})
"""Failures that say nothing about the endpoint."""


class Session:
    """Asks one model through its journal. Threads may share it.

    Attributes:
        settings: The model's settings.
        mode: ``replay``, ``live-missing`` or ``live``.
        findings: What the journals had to say when they were opened.
    """

    def __init__(
        self,
        settings: LanguageModel,
        journal: Journal | None,
        recorded: Recorded,
        mode: Mode,
        connect: Callable[[], "Client"],
        *,
        strict: bool = False,
    ) -> None:
        """Bind the parts; ``session`` does it for you.

        Args:
            settings: The model's settings.
            journal: Where replies are kept; None in replay of shipped journals alone.
            recorded: Replies that are only read.
            mode: The mode.
            connect: Makes the client when the first call is due.
            strict: Whether a reply that is not recorded is an error in replay.
        """
        self.settings = settings
        self.mode: Mode = mode
        self.findings: list[Finding] = list(recorded.findings)
        if journal is not None:
            self.findings += journal.findings
        self._journal = journal
        self._recorded = recorded
        self._connect = connect
        self._strict = strict
        self._client: Client | None = None
        self._unconnected: ModelStoppedError | None = None
        self._lock = threading.Lock()
        self._connecting = threading.Lock()
        self._key_locks: dict[str, threading.Lock] = {}
        self._in_a_row = 0
        self._counts: Counter[str] = Counter()
        self._statuses: Counter[str] = Counter()

    def request(
        self,
        messages: Sequence[Message],
        schema: Schema | None = None,
        logprobs: bool = False,
        *,
        logprobs_at: str | None = None,
        max_tokens: int | None = None,
    ) -> Request:
        """Return the first request that ``ask`` would make of the same arguments."""
        return make_request(
            self.settings,
            messages,
            schema,
            logprobs=logprobs,
            logprobs_at=logprobs_at,
            max_tokens=max_tokens,
        )

    def ask(
        self,
        messages: Sequence[Message],
        schema: Schema | None = None,
        logprobs: bool = False,
        *,
        logprobs_at: str | None = None,
        max_tokens: int | None = None,
        check: Check | None = None,
    ) -> Reply:
        """Ask the model, or take its reply from the journal.

        A reply that cannot be used is asked for again, as often as ``settings.attempts`` says: at
        a higher temperature, with the next seed, and with twice the limit if it was cut. Each
        attempt is in the journal under a key of its own.

        Args:
            messages: ``role`` and ``content`` of each.
            schema: A pydantic model or a JSON schema of the reply; None for free text.
            logprobs: Whether to ask for log-probabilities.
            logprobs_at: A regular expression: only alternatives in which it is found are kept, and
                only for tokens in which it is found. All are kept if None.
            max_tokens: Most tokens of the reply; the settings' if None.
            check: What else a reply must be; by default it must fit the schema.

        Returns:
            The reply. Whatever happened to this item, it has a status. One that the check finds
            partly usable is ``ok``: what is missing in it is for whoever reads it to say.

        Raises:
            ModelStoppedError: No call can succeed, or too many failed in a row.
            NotRecordedError: Strict replay, and the reply is not recorded.
            JournalError: The journal cannot be written.
        """
        request = self.request(
            messages, schema, logprobs, logprobs_at=logprobs_at, max_tokens=max_tokens
        )
        return self.ask_request(request, check or fits(schema))

    def ask_request(self, request: Request, check: Check | None = None) -> Reply:
        """Ask what a request says; see ``ask``."""
        asked = False
        best: Reply | None = None
        fewest = math.inf
        for _ in range(self.settings.attempts):
            reply, new = self._one(request)
            asked |= new
            verdict = check(reply) if check is not None and reply.ok else Verdict()
            if not verdict.usable and verdict.problem is not None:
                reply = replace(reply, status=verdict.problem)
            missing = verdict.missing if reply.ok else math.inf
            # What is not recorded, or failed, says less than any reply.
            if best is None or missing < fewest:
                best, fewest = reply, missing
            if reply.ok and verdict.problem is None:
                break
            following = self._next(request, reply)
            if following is None:
                break
            request = following
        assert best is not None  # There is at least one attempt.
        self._count(best, asked)
        return best

    def tally(self) -> Tally:
        """Return what the session did so far."""
        with self._lock:
            counts, statuses = self._counts.copy(), dict(sorted(self._statuses.items()))
            client = self._client
        return Tally(
            items=sum(statuses.values()),
            from_journal=counts["from_journal"],
            asked=counts["asked"],
            not_recorded=counts["not_recorded"],
            sent=0 if client is None else client.sent,
            statuses=statuses,
        )

    def kept(self, request: Request) -> Reply | None:
        """Return the reply that need not be asked for, or None."""
        if self.mode == "live":
            return None if self._journal is None else self._journal.get_anew(request.key)
        found = None if self._journal is None else self._journal.get(request.key)
        return found or self._recorded.get(request.key)

    def stop(self) -> None:
        """Let calls that are waiting to be sent again give up."""
        with self._lock:
            client = self._client
        if client is not None:
            client.stopping.set()

    def _one(self, request: Request) -> tuple[Reply, bool]:
        """Return the reply to one attempt, and whether the endpoint was asked for it."""
        with self._lock:
            key_lock = self._key_locks.setdefault(request.key, threading.Lock())
        # Two threads with the same request make one call.
        with key_lock:
            kept = self.kept(request)
            if kept is not None:
                return kept, False
            if self.mode != "replay":
                return self._live(request), True
        failed = self._recorded.failed(request.key)
        if failed is not None:
            return failed, False
        if self._strict:
            raise NotRecordedError(
                f"the reply of {self.settings.model} to the request {request.key[:12]} (attempt "
                f"{request.attempt}) is not recorded; record it in the mode live-missing, or allow "
                "missing replies"
            )
        missing = Reply(
            request.key,
            NOT_RECORDED,
            attempt=request.attempt,
            expects_json=request.schema is not None,
        )
        return missing, False

    def _live(self, request: Request) -> Reply:
        client, journal = self._connected(), self._journal
        if journal is None:
            raise JournalError("a live session needs a journal")
        self._check_service()
        journal.asked(request.key)
        try:
            outcome = client.ask(request)
        except ModelStoppedError as error:
            journal.give_up(request, Failure(error.reason, str(error)))
            raise
        if isinstance(outcome, Reply):
            kept = journal.add(request, outcome)
            with self._lock:
                self._in_a_row = 0
            return kept
        _LOG.warning("no reply to %s: %s", request.key[:12], outcome.message)
        with self._lock:
            self._in_a_row += outcome.status not in _OWN_FAULT
        return journal.give_up(request, outcome)

    def _check_service(self) -> None:
        with self._lock:
            failed = self._in_a_row
        if failed >= self.settings.stop_after:
            raise ModelStoppedError(
                UNAVAILABLE,
                f"{failed} calls of {self.settings.model!r} at {self.settings.endpoint_name} "
                "failed in a row, with all their tries (the log says how); run the same command "
                "again when the endpoint works. Replies so far are kept",
            )

    def _connected(self) -> "Client":
        with self._connecting:
            if self._unconnected is not None:
                # A local model that does not start would keep each thread waiting anew.
                raise self._unconnected
            if self._client is None:
                try:
                    client = self._connect()
                except ModelStoppedError as error:
                    self._unconnected = error
                    raise
                with self._lock:
                    self._client = client
            return self._client

    def _next(self, request: Request, reply: Reply) -> Request | None:
        """Return the next attempt, or None if another one makes no sense."""
        if reply.status in _NO_NEXT:
            return None
        limit = request.max_tokens
        if reply.status == TRUNCATED or WHOLE_AT_LIMIT in reply.notes:
            prompt = sum(estimate_tokens(text) for _, text in request.messages)
            limit = min(2 * limit, self.settings.usable_tokens - prompt)
            if limit <= request.max_tokens:
                # The same limit would cut it in the same place.
                return None
        return request.again(self.settings, max_tokens=limit)

    def _count(self, reply: Reply, asked: bool) -> None:
        how = "asked" if asked else "from_journal"
        if reply.status == NOT_RECORDED:
            how = "not_recorded"
        with self._lock:
            self._counts[how] += 1
            self._statuses[reply.status] += 1
