"""A live run that is killed goes on where it was, and nothing is paid for twice."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections import Counter
from pathlib import Path

import pytest
from tests.fake_llm_server import FakeLlmServer

from sensemaking.llm.journal import IN_FLIGHT, Recorded

CALLS = 60
ANSWERED = 30
CONCURRENCY = 4
SECONDS = 120.0
"""After which a run is taken for stuck."""

RUN = textwrap.dedent(
    """
    import json, sys
    from sensemaking.llm import LanguageModel, session
    from sensemaking.llm.pool import each

    base_url, journal, mode, calls, concurrency = sys.argv[1:]
    model = LanguageModel(id="m", model="m", base_url=base_url, concurrency=int(concurrency))
    texts = [f"question {number}" for number in range(int(calls))]
    with session(model, journal=journal, mode=mode) as opened:
        replies = each(
            opened, texts, lambda text: opened.ask([{"role": "user", "content": text}])
        )
        print(json.dumps([reply.text for reply in replies]))
        tally = opened.tally()
        print(tally.items, tally.from_journal, tally.asked, tally.sent)
        print([finding.message for finding in opened.findings if finding.code == "in_flight"])
    """
)


def start(server: FakeLlmServer, journal: Path, mode: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", RUN, server.base_url, str(journal), mode]
    return subprocess.Popen(
        [*command, str(CALLS), str(CONCURRENCY)], stdout=subprocess.PIPE, text=True
    )


@pytest.mark.parametrize("mode", ["live-missing", "live"])
def test_a_killed_run_goes_on_and_asks_for_no_journalled_reply_again(
    tmp_path: Path, mode: str
) -> None:
    journal = tmp_path / "journals" / "shard.jsonl"
    with FakeLlmServer() as server:
        server.hold_after = ANSWERED
        killed = start(server, journal, mode)
        limit = time.monotonic() + SECONDS
        while server.count < ANSWERED + CONCURRENCY:
            assert killed.poll() is None
            assert time.monotonic() < limit
            time.sleep(0.005)
        os.kill(killed.pid, signal.SIGKILL)
        killed.communicate(timeout=SECONDS)
        server.released.set()
        kept = Recorded([journal])
        before = server.count

        resumed = start(server, journal, mode)
        answers, numbers, in_flight = resumed.communicate(timeout=SECONDS)[0].splitlines()
        assert resumed.returncode == 0
        first = Counter(request.prompt for request in server.requests[:before])
        later = Counter(request.prompt for request in server.requests[before:])

    assert len(kept) == ANSWERED
    assert answers == str([f"question {n}" for n in range(CALLS)]).replace("'", '"')
    # What was under way is asked for again, and nothing else.
    assert len(first & later) == sum((first & later).values()) == CONCURRENCY
    assert sum(first.values()) + sum(later.values()) == CALLS + CONCURRENCY
    assert numbers == f"{CALLS} {ANSWERED} {CALLS - ANSWERED} {CALLS - ANSWERED}"
    assert f"{CONCURRENCY} calls were in flight when a run was killed" in in_flight
    assert len(Recorded([journal])) == CALLS


def test_a_run_whose_journal_has_ended_reports_nothing(tmp_path: Path) -> None:
    journal = tmp_path / "shard.jsonl"
    with FakeLlmServer() as server:
        for _ in range(2):
            run = start(server, journal, "live-missing")
            _, _, in_flight = run.communicate(timeout=SECONDS)[0].splitlines()
            assert in_flight == "[]"
        assert server.count == CALLS
    assert IN_FLIGHT not in [finding.code for finding in Recorded([journal]).findings]
