"""A language model plays all three roles; its replies are kept, and its key is nowhere."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from sensemaking.io import artifacts
from sensemaking.schemas import FINDINGS, RAW_STUDENT
from tests.conftest import Run, hashes, snakemake, succeed
from tests.fake_llm_server import Answer, Completion, FakeLlmServer, Request, items_in
from tests.workflow.corpus import CONFIG, write_corpus, write_overlay
from tests.workflow.corpus import QUESTIONS as ASKED

pytestmark = pytest.mark.workflow

KEY = "sk-test-9876543210-secret"
SYSTEMS = [
    {
        "id": "asker",
        "role": "teacher",
        "engine": "llm",
        "questions_per_section": 2,
        "span_words": 12,
    },
    {"id": "answerer", "role": "student", "engine": "llm", "adversarial_sections": ["*/s1"]},
    {"id": "grader", "role": "evaluator", "engine": "llm", "adversarial_sections": ["*/s1"]},
]
TARGETS = (
    "results/answers_to_adversarial/answerer/english.parquet",
    "results/ratings/grader/english.parquet",
)


def play(request: Request) -> Answer:
    """Play the role that the prompt's items tell; refuse one question, and repeat the key."""
    items, role = items_in(request), role_of(request)
    if role == "teacher":
        entries = [
            {
                "id": item["id"],
                "question": f"What is said with {item['span'].split()[0]}?",
                "answers": [f"answer {number}" for number in range(5)],
            }
            for item in items
        ]
        return json.dumps({"questions": entries})
    if role == "evaluator":
        return json.dumps({item["id"]: 5 if item["answer"] else 0 for item in items})
    if any("lighthouse" in item["question"] for item in items):
        return Completion(None, message={"refusal": f"No, {request.headers['authorization']}"})
    answers = {
        item["id"]: {"answerable": True, "answer": item["question"].upper()} for item in items
    }
    return json.dumps({**answers, "nobody-asked": {"answerable": True, "answer": "Mine."}})


def role_of(request: Request) -> str:
    """Return the role that a request asks for."""
    (first, *_) = items_in(request)
    return "teacher" if "span" in first else "evaluator" if "answer" in first else "student"


def configured(folder: Path, base_url: str, mode: str) -> Path:
    model = {"id": "fake", "model": "m", "base_url": base_url, "first_wait_s": 0.01}
    systems = [{**system, "language_model": "fake"} for system in SYSTEMS]
    systems[2]["grade_from"] = "reply"
    return write_overlay(
        folder,
        {
            **CONFIG,
            "kinds": CONFIG["kinds"][:1],
            "systems": [CONFIG["systems"][0], *systems],
            "student_metrics": {"named_student": None},
            "llm": {"mode": mode, "recorded": None, "models": [model]},
        },
    )


def run(folder: Path, config: Path, *targets: str) -> Run:
    """Run the workflow with the key in the environment."""
    command = (*targets, "--configfile", config)
    return succeed(snakemake(*command, folder=folder, environment={"OPENAI_API_KEY": KEY}))


def rows(folder: Path, stage: str) -> list[dict[str, Any]]:
    return pq.read_table(folder / f"results/{stage}/english.parquet").to_pylist()


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, FakeLlmServer, Run]:
    """A live run of the three systems, and the endpoint that was asked, which is gone by now."""
    folder = tmp_path_factory.mktemp("llm") / "run"
    write_corpus(folder)
    with FakeLlmServer(play) as server:
        planned = run(folder, configured(folder, server.base_url, "live-missing"), "plan_llm")
        assert server.count == 0
        run(folder, configured(folder, server.base_url, "live-missing"), *TARGETS)
    return folder, server, planned


def test_each_role_has_rows_and_what_was_refused_is_null(
    live: tuple[Path, FakeLlmServer, Run],
) -> None:
    folder, _, _ = live
    asked = rows(folder, "questions/asker")
    # Two spans in each of the two sections.
    assert len(asked) == 4
    assert {len(row["references"]) for row in asked} == {5}
    answers = rows(folder, "answers/answerer")
    gold = [row for row in answers if "_to_GOLD_" in row["answer_id"]]
    assert len(gold) == sum(map(len, ASKED.values()))
    refused = [row for row in gold if "/s2/" in row["answer_id"]]
    assert [(row["answer"] is None, row["status"]) for row in refused] == [(True, "refusal")]
    assert {row["answer"] for row in gold if "/s1/" in row["answer_id"]} == {
        question[0].upper() for question in ASKED["english/chapter one/s1"]
    }
    ratings = {row["answer_id"]: row for row in rows(folder, "ratings/grader")}
    assert {row["rating"] for row in ratings.values() if row["status"] == "ok"} == {0.0, 100.0}
    # A refused answer is no answer, so it has no rating; an empty one is rated.
    assert not {row["answer_id"] for row in refused} & set(ratings)
    empty = [row for name, row in ratings.items() if "SCENARIO-empty" in name]
    assert {row["rating"] for row in empty} == {0.0}


def test_adversarial_variants_are_asked_about_in_the_named_sections_alone(
    live: tuple[Path, FakeLlmServer, Run],
) -> None:
    folder, _, _ = live
    answers = rows(folder, "answers_to_adversarial/answerer")
    assert answers
    assert {row["answer_id"].split("/")[2] for row in answers} == {"s1"}
    assert all("SHUFFLED" in row["question_id"] for row in answers)
    ratings = rows(folder, "ratings/grader")
    scenarios = {
        row["answer_id"].split("/")[2] for row in ratings if "SCENARIO-empty" in row["answer_id"]
    }
    assert scenarios == {"s1"}


def test_the_plan_says_what_the_live_run_then_sent(
    live: tuple[Path, FakeLlmServer, Run],
) -> None:
    _, server, planned = live
    sent = Counter(role_of(request) for request in server.requests)
    lines = {
        line.split()[0]: line for line in planned.text.splitlines() if " calls to send" in line
    }
    assert set(lines) == set(sent) == {"teacher", "student", "evaluator"}
    assert f"fake: {sent['teacher']} of {sent['teacher']} calls" in lines["teacher"]


def test_a_replay_without_the_endpoint_gives_the_same_bytes(
    live: tuple[Path, FakeLlmServer, Run],
) -> None:
    folder, server, _ = live
    before, asked = hashes(folder / "results"), server.count
    raw = artifacts.read(RAW_STUDENT, folder / "results/raw/student/answerer.parquet")
    assert "refusal" in set(raw["status"])
    again = run(folder, configured(folder, server.base_url, "replay"), *TARGETS)
    assert "ask_llm_evaluator" in again.text
    assert server.count == asked
    assert hashes(folder / "results") == before


def test_live_journals_laid_beside_other_materials_are_recorded_replies(
    live: tuple[Path, FakeLlmServer, Run], tmp_path: Path
) -> None:
    folder, server, _ = live
    write_corpus(tmp_path)
    settings = json.loads(configured(folder, server.base_url, "replay").read_text(encoding="utf-8"))
    settings["llm"]["recorded"] = str(folder / "journals")
    target = "results/questions/asker/english.parquet"
    run(tmp_path, write_overlay(tmp_path, settings), target)
    assert (tmp_path / target).read_bytes() == (folder / target).read_bytes()
    assert not (tmp_path / "journals").exists()


def test_the_key_is_in_no_file_though_the_endpoint_repeats_it(
    live: tuple[Path, FakeLlmServer, Run],
) -> None:
    folder, server, planned = live
    assert {request.headers["authorization"] for request in server.requests} == {f"Bearer {KEY}"}
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert {"results", "logs", ".snakemake", "journals"} <= {
        path.relative_to(folder).parts[0] for path in files
    }
    assert [path for path in files if KEY.encode() in path.read_bytes()] == []
    assert KEY not in planned.text
    raw = artifacts.read(RAW_STUDENT, folder / "results/raw/student/answerer.parquet")
    assert "No, Bearer [key]" in set(raw["refusal"].dropna())


def test_findings_about_replies_are_kept(live: tuple[Path, FakeLlmServer, Run]) -> None:
    folder, _, _ = live
    found = artifacts.read(
        FINDINGS, sorted((folder / "results/validation/findings/replies").glob("*.parquet"))
    )
    assert set(found["code"]) == {"unknown_id"}
    assert all("nobody-asked" in message for message in found["message"])


def test_an_edit_of_a_text_asks_a_teacher_about_its_kind_alone(tmp_path: Path) -> None:
    write_corpus(tmp_path)
    with FakeLlmServer(play) as server:
        config = configured(tmp_path, server.base_url, "live-missing")
        settings = json.loads(config.read_text(encoding="utf-8"))
        settings["kinds"], settings["systems"] = CONFIG["kinds"], settings["systems"][1:2]
        write_overlay(tmp_path, settings)
        run(tmp_path, config, "table_01")
        asked = server.count
        text = tmp_path / "materials/english/chapter one/s1/text.txt"
        text.write_text(text.read_text(encoding="utf-8") + " Ice melts.", encoding="utf-8")
        planned = run(tmp_path, config, "table_01", "--dry-run").text
        for rule in ("ask_llm_teacher", "parse_llm_teacher", "embed_texts", "score_questions"):
            assert re.search(rf"^{rule} +1$", planned, re.MULTILINE), planned
        run(tmp_path, config, "table_01")
        assert server.count == asked + 1
