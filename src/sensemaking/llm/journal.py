"""The journal of a shard: what was asked and what came back, append-only JSON Lines.

A line is an event: ``begin`` and ``end`` of a run that asks everything anew, ``asked`` before a
call goes out, ``reply`` or ``failed`` after it. A key that was asked and never closed was in flight
when its run was killed. Replies are on the disk before the next call of their thread.
"""

import json
import logging
import os
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from filelock import FileLock, Timeout

from sensemaking.findings import Finding
from sensemaking.io.files import replacing
from sensemaking.llm.errors import JournalError
from sensemaking.llm.failures import Failure
from sensemaking.llm.reply import Alternative, Reply, Token, Usage, judged
from sensemaking.llm.request import Request

_LOG = logging.getLogger(__name__)

SET_ASIDE: Final = ".set-aside"
"""Ending of the file beside a journal that keeps lines that cannot be read."""

JOURNAL_LINE: Final = "journal_line"
IN_FLIGHT: Final = "in_flight"

_REPLY: Final = "reply"
_FAILED: Final = "failed"
_ASKED: Final = "asked"
_BEGIN: Final = "begin"
_END: Final = "end"


@dataclass
class _State:
    """What the events of a journal amount to."""

    replies: dict[str, Reply] = field(default_factory=dict)
    failures: dict[str, Reply] = field(default_factory=dict)
    open_keys: dict[str, None] = field(default_factory=dict)
    since_begin: set[str] | None = None
    """Keys closed by a reply since the last run that asks everything anew; None if it ended."""
    begun: str = ""
    """When that run began."""

    def take(self, event: Mapping[str, Any]) -> None:
        """Take an event.

        Raises:
            ValueError: It is not one that a journal writes.
        """
        kind, key = event.get("event"), event.get("key")
        if kind == _BEGIN:
            self.since_begin, self.begun = set(), str(event.get("at"))
        elif kind == _END:
            self.since_begin = None
        elif not isinstance(key, str):
            raise ValueError("has no key")
        elif kind == _ASKED:
            self.open_keys[key] = None
        elif kind in (_REPLY, _FAILED):
            reply = _reply_of(event)
            self.open_keys.pop(key, None)
            if kind == _REPLY:
                self.replies[key] = reply
                self.failures.pop(key, None)
                if self.since_begin is not None:
                    self.since_begin.add(key)
            else:
                self.failures[key] = reply
        else:
            raise ValueError(f"is of the unknown kind {kind!r}")


class Recorded:
    """Journals that are only read, such as those that ship with the demo.

    Attributes:
        findings: Lines that cannot be read; the files stay as they are.
    """

    def __init__(self, paths: Iterable[str | Path]) -> None:
        """Read the journals; where two hold the same key, the later one counts.

        Raises:
            FileNotFoundError: A journal does not exist.
        """
        self.findings: list[Finding] = []
        self._state = _State()
        for path in map(Path, paths):
            for number, line, event in _events(path.read_bytes()):
                problem = _taken(self._state, event)
                if problem:
                    self.findings.append(_bad_line(path, number, line, problem, "it is not read"))

    def __len__(self) -> int:
        """Return the number of replies."""
        return len(self._state.replies)

    def get(self, key: str) -> Reply | None:
        """Return the reply to a request, or None."""
        return self._state.replies.get(key)

    def failed(self, key: str) -> Reply | None:
        """Return why a request had no reply in the run that was recorded, or None."""
        return self._state.failures.get(key)


class Journal:
    """The journal that a job writes. Threads may share it, two jobs may not.

    Attributes:
        path: The file.
        findings: Lines that were set aside, and calls that were in flight when a run was killed.
    """

    def __init__(self, path: str | Path) -> None:
        """Open the journal, which need not exist yet, and lock it.

        Raises:
            JournalError: Another job has it open, or it cannot be written.
        """
        self.path = Path(path)
        self.findings: list[Finding] = []
        self._mutex = threading.Lock()
        self._state = _State()
        self._lock = FileLock(self.path.with_name(self.path.name + ".lock"), thread_local=False)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._lock.acquire(blocking=False)
        except Timeout:
            raise JournalError(
                f"the journal {self.path} is in use by another job; two jobs must not share one. "
                "Wait for the other to end, or give this one a journal of its own"
            ) from None
        except (OSError, NotImplementedError) as error:
            raise JournalError(
                f"the journal {self.path} cannot be locked ({error}); check that the folder can "
                "be written and that its file system knows locks"
            ) from error
        try:
            if self.path.exists():
                self._load()
            # Without a buffer, which would keep what a full disk did not take for a later line.
            self._file = open(self.path, "ab", buffering=0)  # noqa: SIM115 - closed by close
        except OSError as error:
            self._lock.release()
            raise JournalError(
                f"the journal {self.path} cannot be opened ({error.strerror})"
            ) from error

    def close(self) -> None:
        """Close the file and give it free."""
        with self._mutex:
            self._file.close()
            self._lock.release()

    def __len__(self) -> int:
        """Return the number of replies."""
        return len(self._state.replies)

    @property
    def in_flight(self) -> tuple[str, ...]:
        """Keys that were asked and neither answered nor given up."""
        with self._mutex:
            return tuple(self._state.open_keys)

    def get(self, key: str) -> Reply | None:
        """Return the reply to a request, or None."""
        with self._mutex:
            return self._state.replies.get(key)

    def get_anew(self, key: str) -> Reply | None:
        """Return the reply to a request if it came in the run that asks everything anew."""
        with self._mutex:
            state = self._state
            return state.replies[key] if key in (state.since_begin or ()) else None

    def failed(self, key: str) -> Reply | None:
        """Return why a request had no reply when it was last asked, or None."""
        with self._mutex:
            return self._state.failures.get(key)

    @contextmanager
    def anew(self) -> Iterator[None]:
        """Run a run that asks everything anew; one that was killed goes on.

        Only when the block ends without an exception is the run at its end.
        """
        with self._mutex:
            done = self._state.since_begin
            if done is None:
                self._write({"event": _BEGIN, "at": _now()})
            else:
                _LOG.warning(
                    "%s: the run that was begun at %s and did not end goes on; %d replies of it "
                    "are not asked for again",
                    self.path.name,
                    self._state.begun,
                    len(done),
                )
        yield
        with self._mutex:
            self._write({"event": _END, "at": _now()})

    def asked(self, key: str) -> None:
        """Note that a call goes out."""
        with self._mutex:
            self._write({"event": _ASKED, "key": key}, to_disk=False)

    def add(self, request: Request, reply: Reply) -> Reply:
        """Keep a reply, and return it, with the time, when it is on the disk."""
        at = _now()
        with self._mutex:
            self._write(
                {
                    "event": _REPLY,
                    "key": request.key,
                    "at": at,
                    "request": request.as_json(),
                    "reply": _as_json(reply),
                }
            )
        return replace(reply, at=at)

    def give_up(self, request: Request, failure: Failure) -> Reply:
        """Keep that a call failed for good, and return it as a reply without content."""
        reply = Reply(
            key=request.key,
            status=failure.status,
            message=failure.message,
            attempt=request.attempt,
            expects_json=request.schema is not None,
        )
        with self._mutex:
            self._write(
                {"event": _FAILED, "key": request.key, "at": _now(), "reply": _as_json(reply)}
            )
        return reply

    def _write(self, event: dict[str, Any], *, to_disk: bool = True) -> None:
        data = json.dumps(event, ensure_ascii=False, allow_nan=False).encode() + b"\n"
        before = os.fstat(self._file.fileno()).st_size
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[self._file.write(rest) :]
            if to_disk:
                os.fsync(self._file.fileno())
        except OSError as error:
            self._drop_half_line(before)
            raise JournalError(
                f"the journal {self.path} cannot be written ({error.strerror}); what it holds is "
                "kept. Make room and run the same command again"
            ) from error
        self._state.take(event)

    def _drop_half_line(self, before: int) -> None:
        """Cut off what was written of a line, so that no later line is glued to it."""
        try:
            os.ftruncate(self._file.fileno(), before)
        except OSError:
            # The next job sets the half line aside.
            return

    def _load(self) -> None:
        data = self.path.read_bytes()
        good: list[bytes] = []
        bad: list[bytes] = []
        aside = self.path.with_name(self.path.name + SET_ASIDE)
        for number, line, event in _events(data):
            problem = _taken(self._state, event)
            if problem is None:
                good.append(line)
                continue
            bad.append(line)
            self.findings.append(
                _bad_line(self.path, number, line, problem, f"it was moved to {aside.name}")
            )
        if bad:
            with open(aside, "ab") as file:
                file.write(b"".join(line + b"\n" for line in bad))
                file.flush()
                os.fsync(file.fileno())
        if bad or (data and not data.endswith(b"\n")):
            with replacing(self.path) as temporary, open(temporary, "wb") as file:
                file.write(b"".join(line + b"\n" for line in good))
                file.flush()
                os.fsync(file.fileno())
        in_flight = list(self._state.open_keys)
        if in_flight:
            names = ", ".join(key[:12] for key in in_flight[:10])
            more = f" and {len(in_flight) - 10} more" if len(in_flight) > 10 else ""
            self.findings.append(
                Finding(
                    self.path.name,
                    "",
                    IN_FLIGHT,
                    "warning",
                    f"{len(in_flight)} calls were in flight when a run was killed ({names}{more}); "
                    "the endpoint may have charged for them",
                    "they are asked again",
                )
            )


def _events(data: bytes) -> Iterator[tuple[int, bytes, Any]]:
    """Yield number, bytes and JSON value of each line; None for a value that is no JSON."""
    for number, line in enumerate(data.split(b"\n"), 1):
        if line.strip():
            try:
                yield number, line, json.loads(line)
            except (ValueError, RecursionError):
                yield number, line, None


def _taken(state: _State, event: Any) -> str | None:
    """Take an event into a state; return what is wrong with it, or None."""
    if not isinstance(event, dict):
        return "is no JSON object"
    try:
        state.take(event)
    except (ValueError, TypeError, KeyError) as error:
        return str(error) or type(error).__name__
    return None


def _bad_line(path: Path, number: int, line: bytes, problem: str, action: str) -> Finding:
    return Finding(
        path.name,
        "",
        JOURNAL_LINE,
        "warning",
        f"line {number} ({len(line)} bytes) {problem}; a run that is killed while it writes, or a "
        "full disk, leaves such a line",
        action,
    )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _as_json(reply: Reply) -> dict[str, Any]:
    """Return what is kept of a reply: all but its key, and nothing that is empty."""
    kept = {
        name: value
        for name, value in asdict(reply).items()
        if name not in ("key", "tokens", "at") and value not in (None, (), {})
    }
    kept["usage"] = {name: n for name, n in kept["usage"].items() if n is not None}
    if reply.tokens is not None:
        # Lists, since a name at each number would be most of the file.
        kept["tokens"] = [
            [token.token, token.logprob, [list(pair) for pair in token.alternatives]]
            for token in reply.tokens
        ]
    return kept


def _reply_of(event: Mapping[str, Any]) -> Reply:
    """Return the reply of an event.

    Raises:
        ValueError: The key is not that of the request.
        KeyError: Something is missing.
        TypeError: Something is of another type.
    """
    kept = event["reply"]
    if not isinstance(kept, dict):
        raise ValueError("has no reply")
    if "request" in event and _key_of(event["request"]) != event["key"]:
        raise ValueError("has a key that is not that of its request")
    tokens = kept.get("tokens")
    values = {
        **kept,
        "key": event["key"],
        # A call that failed has no reply, so no time of one.
        "at": str(event["at"]) if event["event"] == _REPLY and "at" in event else None,
        "usage": Usage(**kept.get("usage", {})),
        "notes": tuple(kept.get("notes", ())),
        "tokens": None
        if tokens is None
        else tuple(
            Token(token, logprob, tuple(Alternative(*pair) for pair in pairs))
            for token, logprob, pairs in tokens
        ),
    }
    reply = Reply(**values)
    if not isinstance(reply.status, str):
        raise ValueError("has a reply without a status")
    return judged(reply) if event["event"] == _REPLY else reply


def _key_of(request: Mapping[str, Any]) -> str:
    return Request.from_json(request).key
