"""Judges that ask a language model, in the workflow: live beside an endpoint, then replayed."""

import json
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from sensemaking.io import artifacts
from sensemaking.schemas import JUDGE_COSTS, JUDGE_SCORES, PAIRS, RAW_JUDGE, TABLES
from tests.conftest import Run, hashes, snakemake, succeed
from tests.fake_llm_server import Answer, Completion, FakeLlmServer, Request
from tests.judge_replies import judge_by_counting, shown_in
from tests.workflow.corpus import CONFIG, write_json

pytestmark = pytest.mark.workflow

TARGETS = ("table_v1", "table_v2")
PAIRS_SHARD = "results/judgements/pairs/made.parquet"
SHARDS = ("raw/judge/made-letters", "raw/judge/made-counts")


def _reply(request: Request) -> Answer:
    """Count, and refuse the counts of one summary: the one with sixteen facts."""
    shown = shown_in(request)
    if shown.question is None and shown.items[0]["summary"].count(".") == 16:
        return Completion(None, message={"refusal": "I would rather not."})
    return judge_by_counting(request)


@pytest.fixture(scope="module")
def server() -> Iterator[FakeLlmServer]:
    with FakeLlmServer(_reply) as running:
        yield running


def _overlay(folder: Path, base_url: str, **llm: Any) -> Path:
    model = {
        "id": "fake",
        "model": "fake",
        "base_url": base_url,
        "api_key_env": None,
        "max_tokens": 64,
        "attempts": 1,
        "concurrency": 2,
        "price": {"input_per_million": 10, "output_per_million": 100},
    }
    asking = {"dataset": "made", "language_model": "fake"}
    verifiable = {
        "datasets": [{"id": "made", "source": "generated", "documents": 1}],
        "judges": [
            {"id": "facts", "dataset": "made", "engine": "facts"},
            {**asking, "id": "letters", "engine": "llm"},
            {**asking, "id": "counts", "engine": "pointwise"},
        ],
    }
    # Programs as systems, since those of the default run name a model of their own.
    config = {
        "systems": CONFIG["systems"],
        "llm": {"models": [model], **llm},
        "verifiable": verifiable,
        "intervals": {"draws": 200},
    }
    return write_json(folder / "overlay.yaml", config)


def _run(folder: Path, *targets: str) -> Run:
    overlay = folder / "overlay.yaml"
    return snakemake(*(targets or TARGETS), "--configfile", overlay, folder=folder)


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory, server: FakeLlmServer) -> Run:
    folder = tmp_path_factory.mktemp("live")
    _overlay(folder, server.base_url, mode="live-missing", recorded=None)
    planned = succeed(_run(folder, "plan_judges")).text
    assert server.count == 0
    assert "made letters: fake: 264 of 264 calls to send (0 recorded" in planned
    assert "made counts: fake: 12 of 12 calls to send (0 recorded" in planned
    return succeed(_run(folder))


def _read(artifact: Any, run: Run, name: str) -> pd.DataFrame:
    return artifacts.read(artifact, run.results / f"{name}.parquet")


def _cells(run: Run, table: str) -> dict[tuple[str, str], dict[str, Any]]:
    rows = _read(TABLES, run, f"tables/{table}").to_dict("records")
    return {(row["row_id"], row["column_id"]): row for row in rows}


def test_one_call_is_made_for_each_order_of_a_pair_and_for_each_summary(
    live: Run, server: FakeLlmServer
) -> None:
    # 66 pairs, both orders, two questions; twelve summaries.
    raw = [_read(RAW_JUDGE, live, name) for name in SHARDS]
    assert [len(rows) for rows in raw] == [264, 12]
    assert server.count == 264 + 12
    assert raw[0]["request_key"].nunique() == 264
    assert set(raw[0]["status"]) == {"ok"}
    assert raw[1]["status"].value_counts().to_dict() == {"ok": 11, "refusal": 1}
    assert set(raw[0]["prompt"]) == {"pairwise v1"}
    log = (live.folder / "logs/ask_judge/made-letters.log").read_text(encoding="utf-8")
    assert "264 items, 0 from journals, 264 asked for" in log


def test_the_judge_of_letters_has_the_probabilities_it_was_given(live: Run) -> None:
    pairs = _read(PAIRS, live, "judgements/pairs/made").set_index(["judge", "criterion", "a", "b"])
    letters, facts = pairs.loc["letters"], pairs.loc["facts"]
    assert (letters["status"] == "ok").all()
    # Log-odds are those of the counts and a quarter for what is shown first.
    log_odds = np.log(letters["q_ab"] / (1 - letters["q_ab"]))
    expected = np.log(facts["q_ab"] / (1 - facts["q_ab"])) + 0.25
    decided = (letters["q_ab"] > 0.01) & (letters["q_ab"] < 0.99)
    assert np.allclose(log_odds[decided], expected[decided], atol=0.01)
    cells = _cells(live, "table_v1")
    for criterion in ("accuracy", "completeness"):
        assert cells["made/letters", f"{criterion}/pairs_right"]["value"] == 1.0
        assert cells["made/letters", f"{criterion}/tau_pkpd"]["value"] == pytest.approx(1)
    by_document = _cells(live, "table_v2")
    assert by_document["made/letters/accuracy", "position_bias"]["value"] > 0.01


def test_a_refusal_costs_its_pairs_and_pkpd_says_how_many_are_missing(live: Run) -> None:
    pairs = _read(PAIRS, live, "judgements/pairs/made")
    own = pairs[pairs["judge"] == "counts"]
    # Eleven pairs hold the summary, for both questions.
    assert own["status"].value_counts().to_dict() == {"ok": 110, "refusal": 22}
    assert own.loc[own["status"] != "ok", ["q_ab", "q_ba"]].isna().all(axis=None)
    jury = pairs[pairs["judge"] == "jury"]
    assert jury["status"].value_counts().to_dict() == {"ok": 110, "member_without_answer": 22}
    scores = _read(JUDGE_SCORES, live, "scores/verifiable/made")
    scores = scores.set_index(["judge", "criterion", "metric", "convention"])
    for judge in ("counts", "jury"):
        found = scores.loc[(judge, "completeness", "tau_pkpd", "default")]
        assert pd.isna(found["value"])
        assert found["status"] == "11 pairs missing"
    cell = _cells(live, "table_v1")["made/counts", "completeness/pairs_right"]
    assert (cell["value"], cell["n"], cell["n_missing"]) == (1.0, 55, 11)
    note = (live.results / "tables" / "table_v1.md").read_text(encoding="utf-8")
    assert "made: counts: 22 of 132 pairs left out (refusal 22)." in note
    assert "made: jury of 2: 22 of 132 pairs left out (member without answer 22)." in note
    assert "for pairs that all of them answered" in note


def test_what_a_judge_costs_follows_from_the_tokens_of_its_replies(live: Run) -> None:
    costs = _read(JUDGE_COSTS, live, "judgements/costs/made").set_index("judge")
    # The endpoint counts a thousand tokens for each prompt and the words of a reply.
    assert costs.loc["letters", "cost_usd"] == pytest.approx((264_000 * 10 + 264 * 100) / 1e6)
    assert costs.loc["counts", "cost_usd"] == pytest.approx((12_000 * 10 + 11 * 4 * 100) / 1e6)
    cells = _cells(live, "table_v1")
    for judge in ("letters", "counts"):
        cell = cells[f"made/{judge}", "cost_usd"]
        assert cell["value"] == pytest.approx(costs.loc[judge, "cost_usd"])
    total = cells["made/jury", "cost_usd"]["value"]
    assert total == pytest.approx(costs["cost_usd"].sum())


def test_recorded_replies_give_the_same_answers_without_an_endpoint(
    live: Run, server: FakeLlmServer, tmp_path: Path
) -> None:
    shutil.copytree(live.folder / "journals", tmp_path / "recorded")
    # At this address nobody listens.
    _overlay(tmp_path, "http://127.0.0.1:9/v1", mode="replay", recorded="recorded", strict=True)
    before = server.count
    replayed = succeed(_run(tmp_path, PAIRS_SHARD))
    assert server.count == before
    assert not (tmp_path / "journals").exists()
    for name in ("judgements", "raw", "verifiable"):
        assert hashes(replayed.results / name) == hashes(live.results / name), name


def test_replies_that_are_not_recorded_are_counted_and_leave_the_run_standing(
    live: Run, tmp_path: Path
) -> None:
    folder = tmp_path / "recorded" / "judge"
    folder.mkdir(parents=True)
    lines = (live.folder / "journals/judge/made-letters.jsonl").read_bytes().splitlines(True)
    replies = [line for line in lines if json.loads(line)["event"] == "reply"]
    (folder / "made-letters.jsonl").write_bytes(b"".join(replies[:200]))
    _overlay(tmp_path, "http://127.0.0.1:9/v1", mode="replay", recorded="recorded")
    run = succeed(_run(tmp_path, PAIRS_SHARD))
    replied = _read(RAW_JUDGE, run, SHARDS[0])["status"].value_counts().to_dict()
    assert replied == {"ok": 200, "not_recorded": 64}
    pairs = _read(PAIRS, run, "judgements/pairs/made").set_index("judge")
    assert set(pairs.loc["counts", "status"]) == {"not_recorded"}
    letters = pairs.loc["letters"]
    assert (letters["q_ab"].notna().sum() + letters["q_ba"].notna().sum()) == 200
    missing = letters["q_ab"].isna() | letters["q_ba"].isna()
    assert set(letters.loc[missing, "status"]) == {"not_recorded"}
    assert set(letters.loc[~missing, "status"]) == {"ok"}
    costs = _read(JUDGE_COSTS, run, "judgements/costs/made").set_index("judge")
    assert costs["status"].to_dict() == {"letters": "ok", "counts": "no_reply"}
    assert costs.loc["letters", ["n_calls", "n_replies"]].tolist() == [264, 200]


def test_a_changed_prompt_asks_anew_and_a_touched_one_does_not(live: Run, tmp_path: Path) -> None:
    folder = tmp_path / "again"
    shutil.copytree(live.folder, folder, copy_function=shutil.copy2)
    overlay = json.loads((folder / "overlay.yaml").read_text(encoding="utf-8"))
    own = folder / "own.md"
    overlay["verifiable"]["judges"][2]["prompt"] = "own.md"
    write_json(folder / "overlay.yaml", overlay)
    run = _run(folder)
    assert run.status == 1
    assert "verifiable.judges.prompt of 'counts': no file 'own.md'" in run.text
    own.write_text("---\nversion: 7\n---\n# User\n{{ source }} {{ summary }}\n", encoding="utf-8")
    os.utime(folder / "journals/judge/made-letters.jsonl")
    run = succeed(_run(folder, *TARGETS, "--dry-run"))
    planned = re.findall(r"^(\w+) +\d+$", run.text.split("Job stats:")[1], re.MULTILINE)
    assert "ask_judge" in planned
    assert run.text.count("output: results/raw/judge/made-counts.parquet") == 1
    assert "output: results/raw/judge/made-letters.parquet" not in run.text
