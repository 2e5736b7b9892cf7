"""The journal keeps what was paid for, whatever happens."""

import dataclasses
import errno
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sensemaking.llm.errors import JournalError
from sensemaking.llm.failures import Failure
from sensemaking.llm.journal import IN_FLIGHT, JOURNAL_LINE, Journal, Recorded
from sensemaking.llm.reply import Alternative, Reply, Token, Usage
from sensemaking.llm.request import Request, make_request
from sensemaking.llm.settings import LanguageModel

MODEL = LanguageModel(id="m", model="m")


def request(text: str = "hello") -> Request:
    return make_request(MODEL, [{"role": "user", "content": text}])


def reply(asked: Request, content: str = "Так, “yes”\n\u2028.") -> Reply:
    return Reply(
        asked.key,
        "ok",
        content=content,
        finish_reason="stop",
        model="m-1",
        tokens=(
            Token("A", -0.5, (Alternative("A", -0.5), Alternative("B", -1.0))),
            Token("b", None),
        ),
        usage=Usage(10, 2, None, 4),
        seconds=0.25,
        parameters={"temperature": 0.0},
        notes=("seed_not_applied",),
    )


def filled(path: Path, *texts: str) -> Path:
    """Write a journal with a reply to each text."""
    journal = Journal(path)
    for text in texts:
        journal.asked(request(text).key)
        journal.add(request(text), reply(request(text), text))
    journal.close()
    return path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "stage" / "shard.jsonl"


def test_a_reply_comes_back_whole(path: Path) -> None:
    journal = Journal(path)
    kept = journal.add(request(), reply(request()))
    journal.close()
    assert kept.at is not None
    assert dataclasses.replace(kept, at=None) == reply(request())
    assert Journal(path).get(request().key) == kept
    assert Recorded([path]).get(request().key) == kept


def test_a_reply_is_on_the_disk_before_add_returns(path: Path) -> None:
    journal = Journal(path)
    kept = journal.add(request(), reply(request()))
    assert Recorded([path]).get(request().key) == kept
    journal.close()


def test_a_line_holds_the_request_and_the_time_but_no_more_than_there_is(path: Path) -> None:
    journal = Journal(path)
    journal.add(request(), Reply(request().key, "ok", content="x"))
    journal.close()
    line = json.loads(path.read_text())
    assert line["request"]["messages"] == [{"role": "user", "content": "hello"}]
    assert line["at"].endswith("+00:00")
    assert "refusal" not in line["reply"]
    assert "tokens" not in line["reply"]


@pytest.mark.parametrize("cut", [1, 2, 40, 400])
def test_a_half_line_at_the_end_is_set_aside_and_reported(path: Path, cut: int) -> None:
    filled(path, "one", "two")
    whole = path.read_bytes()
    lines = whole.splitlines(keepends=True)
    path.write_bytes(whole[:-cut])
    journal = Journal(path)
    journal.close()
    kept_two = cut == 1  # Only the line's end is missing.
    assert journal.get(request("one").key) is not None
    assert (journal.get(request("two").key) is not None) == kept_two
    codes = [finding.code for finding in journal.findings]
    assert codes == ([] if kept_two else [JOURNAL_LINE, IN_FLIGHT])
    assert path.read_bytes() == (whole if kept_two else b"".join(lines[:-1]))
    aside = path.with_name("shard.jsonl.set-aside")
    assert aside.exists() != kept_two
    if not kept_two:
        assert aside.read_bytes() == lines[-1][:-cut] + b"\n"


def test_nothing_is_glued_to_a_half_line(path: Path) -> None:
    filled(path, "one", "two")
    path.write_bytes(path.read_bytes()[:-5])
    filled(path, "three")
    recorded = Recorded([path])
    assert recorded.findings == []
    assert recorded.get(request("one").key) is not None
    assert recorded.get(request("three").key) is not None


def test_lines_that_are_set_aside_are_kept_beside_earlier_ones(path: Path) -> None:
    filled(path, "one")
    for half in (b'{"first', b'{"second'):
        path.write_bytes(path.read_bytes() + half)
        Journal(path).close()
    aside = path.with_name("shard.jsonl.set-aside")
    assert aside.read_bytes() == b'{"first\n{"second\n'


@pytest.mark.parametrize(
    "line",
    [
        b"\xff\xfe",
        b"[]",
        b"17",
        b'{"event": "reply"}',
        b'{"event": "dance", "key": "k"}',
        b'{"event": "reply", "key": "k", "reply": {"status": "ok", "colour": 1}}',
        b'{"event": "reply", "key": "k", "reply": {"usage": {}}}',
        b'{"event": "reply", "key": "k", "reply": {"status": "ok", "tokens": [1]}}',
        b"[" * 100_000,
    ],
)
def test_a_line_that_is_no_event_is_set_aside_wherever_it_stands(path: Path, line: bytes) -> None:
    one, two = filled(path, "one", "two").read_bytes().splitlines(keepends=True)[1::2]
    path.write_bytes(one + line + b"\n" + two)
    assert [finding.code for finding in Recorded([path]).findings] == [JOURNAL_LINE]
    assert line in path.read_bytes()
    journal = Journal(path)
    journal.close()
    assert len(journal) == 2
    assert [finding.code for finding in journal.findings] == [JOURNAL_LINE]
    assert path.read_bytes() == one + two


def test_a_line_whose_key_is_not_that_of_its_request_is_not_used(path: Path) -> None:
    filled(path, "one")
    path.write_bytes(path.read_bytes().replace(b'"content": "one"}]', b'"content": "two"}]'))
    assert Recorded([path]).get(request("one").key) is None


def test_calls_in_flight_at_a_kill_are_reported_until_they_are_answered(path: Path) -> None:
    journal = Journal(path)
    journal.asked(request("one").key)
    journal.asked(request("two").key)
    journal.add(request("two"), reply(request("two")))
    journal.close()
    killed = Journal(path)
    assert killed.in_flight == (request("one").key,)
    assert [finding.code for finding in killed.findings] == [IN_FLIGHT]
    assert "1 calls were in flight" in killed.findings[0].message
    killed.add(request("one"), reply(request("one")))
    killed.close()
    assert Journal(path).findings == []


def test_a_failed_call_is_kept_as_such_and_not_as_a_reply(path: Path) -> None:
    journal = Journal(path)
    journal.asked(request().key)
    given_up = journal.give_up(request(), Failure("timeout", "no sign of life"))
    journal.close()
    again = Journal(path)
    assert again.get(request().key) is None
    assert again.failed(request().key) == given_up
    assert (given_up.status, given_up.content) == ("timeout", None)
    assert again.findings == []
    again.add(request(), reply(request()))
    assert again.failed(request().key) is None
    again.close()


def test_two_jobs_never_share_a_journal(path: Path) -> None:
    journal = Journal(path)
    with pytest.raises(JournalError, match="in use by another job"):
        Journal(path)
    code = (
        "import sys; from sensemaking.llm.journal import Journal, JournalError\n"
        "try: Journal(sys.argv[1])\n"
        "except JournalError as error: print(error)"
    )
    other = subprocess.run(
        [sys.executable, "-c", code, path], capture_output=True, text=True, check=True, timeout=60
    )
    assert "in use by another job" in other.stdout
    journal.close()
    Journal(path).close()


def test_shipped_journals_are_read_by_many_and_never_touched(tmp_path: Path) -> None:
    path = filled(tmp_path / "a.jsonl", "one")
    path.write_bytes(path.read_bytes() + b'{"half')
    before, names = path.read_bytes(), sorted(os.listdir(tmp_path))
    path.chmod(0o400)
    first, second = Recorded([path]), Recorded([path])
    assert len(first) == len(second) == 1
    assert [finding.action for finding in first.findings] == ["it is not read"]
    assert (path.read_bytes(), sorted(os.listdir(tmp_path))) == (before, names)


def test_of_two_journals_with_the_same_key_the_later_one_counts(tmp_path: Path) -> None:
    old = filled(tmp_path / "old.jsonl", "one")
    new = tmp_path / "new.jsonl"
    journal = Journal(new)
    journal.add(request("one"), reply(request("one"), "better"))
    journal.close()
    found = Recorded([old, new]).get(request("one").key)
    assert found is not None
    assert found.content == "better"


def test_a_missing_recorded_journal_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Recorded([tmp_path / "none.jsonl"])


def test_a_run_that_asks_anew_goes_on_after_a_kill_and_begins_again_after_its_end(
    path: Path,
) -> None:
    key = request("one").key
    filled(path, "one")
    journal = Journal(path)

    def killed() -> None:
        with journal.anew():
            assert journal.get_anew(key) is None
            journal.add(request("one"), reply(request("one"), "new"))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        killed()
    journal.close()
    journal = Journal(path)
    with journal.anew():
        found = journal.get_anew(key)
        assert found is not None
        assert found.content == "new"
    journal.close()
    journal = Journal(path)
    with journal.anew():
        assert journal.get_anew(key) is None
    journal.close()


def test_a_full_disk_is_said_and_costs_no_earlier_reply(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = Journal(path)
    journal.add(request("one"), reply(request("one")))
    before = path.read_bytes()

    def full(number: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(JournalError, match="No space left"):
        journal.add(request("two"), reply(request("two")))
    assert journal.get(request("two").key) is None
    monkeypatch.undo()
    assert path.read_bytes() == before
    journal.add(request("three"), reply(request("three")))
    journal.close()
    assert Recorded([path]).findings == []
    assert len(Recorded([path])) == 2


FULL = """
import resource, sys
from pathlib import Path
from tests.unit.test_llm_journal import JournalError, Journal, reply, request

path = Path(sys.argv[1])
journal = Journal(path)
journal.add(request("one"), reply(request("one")))
_, most = resource.getrlimit(resource.RLIMIT_FSIZE)
for text in ("two", "three"):
    resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + 100, most))
    try:
        journal.add(request(text), reply(request(text)))
    except JournalError as error:
        print(error)
resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
journal.add(request("four"), reply(request("four")))
journal.close()
"""


def test_what_was_written_of_a_line_before_the_disk_was_full_is_taken_back(path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FULL, path],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stdout.count("what it holds is kept") == 2
    recorded = Recorded([path])
    assert recorded.findings == []
    kept = [recorded.get(request(text).key) is not None for text in ("one", "two", "three", "four")]
    assert kept == [True, False, False, True]


@pytest.mark.skipif(os.geteuid() == 0 and not Path("/proc").exists(), reason="needs /proc")
def test_a_place_that_cannot_be_written_is_an_error_that_says_so() -> None:
    with pytest.raises(JournalError, match="cannot be locked"):
        Journal("/proc/sensemaking/shard.jsonl")


def _in_threads(work: Callable[[int], Any], count: int) -> None:
    threads = [threading.Thread(target=work, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_threads_do_not_mix_their_lines(path: Path) -> None:
    journal = Journal(path)

    def work(number: int) -> None:
        for step in range(20):
            asked = request(f"{number}-{step}")
            journal.asked(asked.key)
            journal.add(asked, reply(asked, "x" * 5000))

    _in_threads(work, 8)
    journal.close()
    recorded = Recorded([path])
    assert recorded.findings == []
    assert len(recorded) == 160
