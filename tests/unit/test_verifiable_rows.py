"""Truth and answers survive being rows, whatever the order of the rows."""

import random
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from sensemaking.io import artifacts
from sensemaking.io.judging import judge_all
from sensemaking.io.verifiable_data import DataError, write_data
from sensemaking.llm import LanguageModel
from sensemaking.llm.raw_rows import raw_row
from sensemaking.llm.reply import Reply, Usage
from sensemaking.schemas import JUDGE_COSTS, PAIRS, RAW_JUDGE, TRUTH
from sensemaking.statuses import OK
from sensemaking.verifiable import (
    CRITERIA,
    Count,
    Noisy,
    documents,
    facts,
    generate,
    recount,
    truth_of,
)
from sensemaking.verifiable.llm_judges import prepare
from sensemaking.verifiable.rows import counts_of, documents_of, judged_of, pair_rows, truth_rows

PROMPTS = Path(__file__).parents[2] / "resources" / "prompts"

# Neither documents nor items in the order of their names.
COUNTS = [
    Count("D2", "y", 9, 1),
    Count("D2", "x", 5, 0),
    Count("D2", "z", 6, 2),
    Count("D1", "b", 7, 3),
    Count("D1", "a", 8, 3),
]


def stored(tmp_path: Path, counts: list[Count]) -> pd.DataFrame:
    artifacts.write(TRUTH, tmp_path / "t.parquet", truth_rows("set", counts))
    return artifacts.read(TRUTH, tmp_path / "t.parquet")


def test_the_order_of_the_data_survives_in_the_truth(tmp_path: Path) -> None:
    found = stored(tmp_path, COUNTS)
    assert list(found["document"]) == ["D1", "D1", "D2", "D2", "D2"]
    assert counts_of(found) == COUNTS
    shuffled = found.sample(frac=1, random_state=1)
    assert counts_of(shuffled) == COUNTS
    assert [(one.document, one.items) for one in documents_of(COUNTS)] == [
        ("D2", ("y", "x", "z")),
        ("D1", ("b", "a")),
    ]


def test_answers_survive_bit_for_bit_in_the_order_of_the_data(tmp_path: Path) -> None:
    source = random.Random(4)
    rows, tables = [], {}
    for document in documents_of(COUNTS):
        K = len(document.items)
        for criterion in CRITERIA:
            q = np.array([[source.random() for _ in range(K)] for _ in range(K)])
            np.fill_diagonal(q, np.nan)
            tables[document.document, criterion] = q
        own = {criterion: tables[document.document, criterion] for criterion in CRITERIA}
        rows += pair_rows("set", "judge", document, own, {}, "gone")
    artifacts.write(PAIRS, tmp_path / "p.parquet", rows)
    pairs = artifacts.read(PAIRS, tmp_path / "p.parquet").sample(frac=1, random_state=2)
    judged = judged_of(pairs, COUNTS)
    assert set(judged) == {("judge", criterion) for criterion in CRITERIA}
    for (_, criterion), found in judged.items():
        assert [one.document for one in found] == ["D2", "D1"]
        for one in found:
            assert np.array_equal(one.q, tables[one.document, criterion], equal_nan=True)
            truth = truth_of(COUNTS, criterion, one.document, one.items)
            assert np.array_equal(one.truth, truth)


def test_a_missing_answer_is_null_with_the_reason_that_is_known(tmp_path: Path) -> None:
    (document, _) = documents_of(COUNTS)
    q = np.full((3, 3), 0.25)
    q[0, 1] = q[2, 0] = q[0, 2] = np.nan
    why = {("D2", "accuracy", frozenset(("x", "y"))): "known"}
    rows = list(pair_rows("set", "j", document, dict.fromkeys(CRITERIA, q), why, "otherwise"))
    artifacts.write(PAIRS, tmp_path / "p.parquet", rows)
    of = {(row["criterion"], row["a"], row["b"]): row for row in rows}
    assert of["accuracy", "y", "x"] == {
        "dataset": "set",
        "document": "D2",
        "criterion": "accuracy",
        "judge": "j",
        "a": "y",
        "b": "x",
        "q_ab": None,
        "q_ba": 0.25,
        "status": "known",
    }
    assert of["completeness", "y", "x"]["status"] == "otherwise"
    assert of["accuracy", "y", "z"]["status"] == "otherwise"
    assert of["accuracy", "x", "z"]["status"] == "ok"


def test_pairs_that_the_truth_does_not_know_are_refused() -> None:
    row = {"dataset": "s", "document": "D1", "criterion": "accuracy", "judge": "j"}
    for strange in ({"document": "D9", "a": "a", "b": "b"}, {"a": "a", "b": "q"}):
        pairs = pd.DataFrame([{**row, **strange, "q_ab": 1.0, "q_ba": 0.0, "status": "ok"}])
        with pytest.raises(ValueError, match=r"the truth lacks .* make it again"):
            judged_of(pairs, COUNTS)


# All judges of a data set

DATA = generate(2, 2)
PROGRAMS = [
    {"id": "f", "engine": "facts"},
    {"id": "n", "engine": "noisy", "error": 0.2, "position": 0.3, "seed": None},
    {"id": "m", "engine": "noisy", "error": 0.2, "position": 0.3, "seed": 77},
]


def test_programs_answer_all_pairs_of_the_texts(tmp_path: Path) -> None:
    write_data(tmp_path / "data.json", DATA)
    truth = stored(tmp_path, recount(DATA))
    found = judge_all("set", truth, tmp_path / "data.json", PROGRAMS, [], [], seed=9)
    assert found.findings == []
    artifacts.write(PAIRS, tmp_path / "p.parquet", found.pairs)
    judged = judged_of(artifacts.read(PAIRS, tmp_path / "p.parquet"), recount(DATA))
    expected = {"f": facts, "n": Noisy(9, 0.2, 0.3), "m": Noisy(77, 0.2, 0.3)}
    for name, judge in expected.items():
        for place, document in enumerate(documents(DATA)):
            for criterion in CRITERIA:
                q = judged[name, criterion][place].q
                assert np.array_equal(q, judge(document)[criterion], equal_nan=True)


def test_texts_that_the_truth_was_not_counted_in_are_refused(tmp_path: Path) -> None:
    write_data(tmp_path / "data.json", generate(3, 2))
    truth = stored(tmp_path, recount(DATA))
    with pytest.raises(DataError, match="not the texts that the truth of set was counted in"):
        judge_all("set", truth, tmp_path / "data.json", PROGRAMS, [], [], seed=9)


def replied(path: Path, replies: dict[str, str]) -> Path:
    """Write raw replies by the name of their call, of a hundred tokens and one each."""
    settings = LanguageModel(id="m", model="m", base_url="http://127.0.0.1:9/v1")
    calls = [
        call
        for engine, prompt in (("llm", "pairwise"), ("pointwise", "pointwise"))
        for call in prepare(
            {"engine": engine, "answer_from": "reply"},
            documents(DATA),
            settings,
            str(PROMPTS / f"{prompt}.md"),
        )
        if call.name in replies
    ]
    assert len(calls) == len(replies)
    usage = Usage(prompt_tokens=100, completion_tokens=1)
    rows = [raw_row(call, Reply("k", OK, replies[call.name], usage=usage)) for call in calls]
    artifacts.write(RAW_JUDGE, path, rows)
    return path


def test_each_model_judge_gets_its_own_replies_and_the_jury_what_they_have_in_common(
    tmp_path: Path,
) -> None:
    write_data(tmp_path / "data.json", DATA)
    truth = stored(tmp_path, recount(DATA))
    a, b, c, *_ = documents(DATA)[0].items
    letters = {f"D1/accuracy/{a}/{b}": "A", f"D1/accuracy/{b}/{a}": "A"}
    letters |= {f"D1/accuracy/{a}/{c}": "B", f"D1/accuracy/{c}/{a}": "B"}
    counts = {f"D1/{a}": '{"mentioned": 9, "wrong": 2}', f"D1/{b}": '{"mentioned": 9, "wrong": 1}'}
    raw = [replied(tmp_path / "c", counts), replied(tmp_path / "l", letters)]
    price = {"input_per_million": 10.0, "output_per_million": 0.0, "currency": "USD"}
    judges = [
        {"id": "counts", "engine": "pointwise", "answer_from": "logprobs", "price": None},
        {"id": "f", "engine": "facts"},
        {"id": "letters", "engine": "llm", "answer_from": "reply", "price": price},
    ]
    found = judge_all(
        "set", truth, tmp_path / "data.json", judges, [], ["counts", "letters"], raw=raw, seed=9
    )
    artifacts.write(PAIRS, tmp_path / "p.parquet", found.pairs)
    artifacts.write(JUDGE_COSTS, tmp_path / "k.parquet", found.costs)
    own = {
        (row["judge"], row["criterion"], row["a"], row["b"]): (
            *(row["q_ab"], row["q_ba"]),
            row["status"],
        )
        for row in found.pairs
        if row["document"] == "D1"
    }
    assert own["letters", "accuracy", a, b] == (1.0, 1.0, "ok")
    assert own["counts", "accuracy", a, b] == (0.0, 1.0, "ok")
    assert own["jury", "accuracy", a, b] == (0.5, 1.0, "ok")
    assert own["letters", "accuracy", a, c] == (0.0, 0.0, "ok")
    assert own["counts", "accuracy", a, c] == (None, None, "missing_item")
    assert own["jury", "accuracy", a, c] == (None, None, "member_without_answer")
    assert own["counts", "completeness", a, b] == (0.5, 0.5, "ok")
    costs = [(row["judge"], row["cost_usd"], row["status"]) for row in found.costs]
    assert costs == [("counts", None, "no_price"), ("letters", pytest.approx(0.004), "ok")]


def test_two_judges_of_one_file_tell_its_faults_once_and_agree(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("doc,dim,a,b,q_ab,q_ba\nD1,accuracy,b,a,2,0\n")
    truth = stored(tmp_path, COUNTS)
    recorded = [{"id": name, "engine": "recorded", "answers": "a.csv"} for name in ("i", "j")]
    files = [tmp_path / "a.csv"] * 2
    found = judge_all("set", truth, None, recorded, files, ["i", "j"], seed=1)
    assert len({finding.message for finding in found.findings}) == len(found.findings) == 4
    assert all(f.message.startswith("data set set: ") for f in found.findings)
    assert {f.file for f in found.findings} == {"a.csv"}
    assert {row["judge"] for row in found.pairs} == {"i", "j", "jury"}
    status = {
        (row["judge"], row["document"], row["criterion"]): row["status"] for row in found.pairs
    }
    assert status["i", "D1", "accuracy"] == "invalid_answer"
    assert status["j", "D1", "completeness"] == "not_recorded"
    assert status["jury", "D1", "accuracy"] == "member_without_answer"
