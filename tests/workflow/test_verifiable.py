"""The verifiable evaluation as a whole: printed figures, other judges, faults and tampering."""

import csv
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

from sensemaking.io import artifacts
from sensemaking.schemas import (
    COUPLINGS,
    FINDINGS,
    JUDGE_ESTIMATES,
    JUDGE_SCORES,
    PAIRS,
    STRENGTHS,
    TABLES,
)
from sensemaking.verifiable import generate
from tests.conftest import ROOT, Run, hashes, snakemake, succeed
from tests.workflow.corpus import write_json

pytestmark = pytest.mark.workflow

PUBLIC = ROOT / "resources" / "verifiable"
HEAD = ("doc", "dim", "a", "b", "q_ab", "q_ba")
TARGETS = ("table_v1", "table_v2", "draw_judges")


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def _write(path: Path, rows: list[dict[str, Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, HEAD)
        writer.writeheader()
        writer.writerows(rows)


ANSWERS = _rows(PUBLIC / "jev.csv")
TRUTH = {(row["doc"], row["id"]): row for row in _rows(PUBLIC / "truth.csv")}


def _hard() -> list[dict[str, Any]]:
    """A judge of 0 and 1 that takes what is shown first unless it is much worse.

    Rows are in another order than the items, and half of them name the pair the other way round.
    """
    rows = []
    for number, row in enumerate(ANSWERS):
        q_ab, q_ba = (int(float(row[name]) > 0.05) for name in ("q_ab", "q_ba"))
        if number % 2:
            rows.append({**row, "a": row["b"], "b": row["a"], "q_ab": q_ba, "q_ba": q_ab})
        else:
            rows.append({**row, "q_ab": q_ab, "q_ba": q_ba})
    return rows[::-1]


def _faulty() -> list[dict[str, Any]]:
    """The public judge's answers about accuracy in D1 to D3, and all others, with six faults."""
    rows: list[dict[str, Any]] = [dict(row) for row in ANSWERS]
    of = [row for row in rows if (row["doc"], row["dim"]) == ("D1", "accuracy")]
    rows.remove(of[0])
    of[1]["q_ab"] = "nan"
    of[2]["q_ba"] = "1.5"
    rows.append({**of[3], "a": of[3]["b"], "b": of[3]["a"]})
    of[4]["a"] = "D1S99"
    of[5]["doc"] = "D9"
    return rows


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run with three recorded judges of one data set, and two data sets with texts."""
    folder = tmp_path_factory.mktemp("judged")
    _write(folder / "hard.csv", _hard())
    _write(folder / "faulty.csv", _faulty())
    write_json(folder / "texts.json", generate(seed=5, documents=2))
    _write_overlay(folder)
    return succeed(_run(folder))


def _write_overlay(folder: Path) -> None:
    datasets = [
        {"id": "Public", "source": "recorded", "path": str(PUBLIC / "truth.csv")},
        {"id": "from a file", "source": "recorded", "path": "texts.json"},
        {"id": "generated", "source": "generated", "documents": 3, "seed": 1},
    ]
    judges = [
        {"id": "jev", "answers": str(PUBLIC / "jev.csv"), "cost_usd": 0.5},
        {"id": "hard", "answers": "hard.csv", "cost_usd": 0.25},
        {"id": "faulty", "answers": "faulty.csv"},
    ]
    config = {
        "datasets": datasets,
        "judges": [
            *({**judge, "dataset": "Public", "engine": "recorded"} for judge in judges),
            {"id": "facts", "dataset": "from a file", "engine": "facts"},
            {"id": "hard", "dataset": "generated", "engine": "noisy", "error": 0},
        ],
    }
    write_json(folder / "overlay.yaml", {"verifiable": config})


def _run(folder: Path, *targets: str) -> Run:
    overlay = folder / "overlay.yaml"
    return snakemake(*(targets or TARGETS), "--configfile", overlay, folder=folder)


def _read(artifact: Any, run: Run, pattern: str) -> pd.DataFrame:
    paths = sorted(run.results.glob(f"{pattern}.parquet"))
    assert paths, pattern
    return artifacts.read(artifact, paths)


def _cells(run: Run, table: str) -> dict[tuple[str, str], dict[str, Any]]:
    rows = _read(TABLES, run, f"tables/{table}").to_dict("records")
    return {(row["row_id"], row["column_id"]): row for row in rows}


# The default run


def test_the_printed_figures_stand_beside_those_that_the_run_computes(default_run: Run) -> None:
    cells = _cells(default_run, "table_v1")
    own = {column: cell for (row, column), cell in cells.items() if row == "public/jev"}
    expected = {
        "accuracy/tau_pkpd": (0.8157402152434511, 0.82, 6),
        "accuracy/tau_bradley_terry": (0.8846014022445217, 0.88, 6),
        "accuracy/pairs_right": (347 / 360, 0.964, 360),
        "completeness/tau_pkpd": (0.893939393939394, 0.89, 6),
        "completeness/tau_bradley_terry": (0.883838383838384, 0.88, 6),
        "completeness/pairs_right": (374 / 396, 0.944, 396),
    }
    for column, (value, printed, n) in expected.items():
        assert own[column]["value"] == pytest.approx(value, abs=1e-12), column
        assert (own[column]["published"], own[column]["n"]) == (printed, n), column
        # The printed figure is the run's, rounded.
        assert abs(value - printed) <= (0.0005 if "pairs" in column else 0.005)
        assert own[column]["ci_low"] <= value <= own[column]["ci_high"]
    for criterion, sd, printed in (("accuracy", 0.0678, 0.07), ("completeness", 0.0339, 0.03)):
        cell = own[f"{criterion}/tau_pkpd"]
        assert cell["sd"] == pytest.approx(sd, abs=5e-5)
        assert cell["published_sd"] == printed
    cost = own["cost_usd"]
    assert pd.isna(cost["value"])
    assert (cost["reason"], cost["published"], cost["n"]) == ("cost not recorded", 0.022, 1584)
    shown = (default_run.results / "tables" / "table_v1.md").read_text(encoding="utf-8")
    assert "0.8157 ± 0.0678 [0.82 ± 0.07] (6)" in shown


def test_both_conventions_are_shown_where_they_differ(default_run: Run) -> None:
    cells = _cells(default_run, "table_v1")
    for criterion, default, published in (
        ("accuracy", 0.99319, 0.9934958595970832),
        ("completeness", 0.99216, 0.9921307042828355),
    ):
        assert cells["public/jev", f"{criterion}/auc"]["value"] == pytest.approx(default, abs=5e-6)
        other = cells["public/jev", f"{criterion}/auc/published"]["value"]
        assert other == pytest.approx(published, abs=1e-12)
        # No judge of the default run leaves a pair undecided.
        assert ("public/jev", f"{criterion}/pairs_right/published") not in cells


def test_the_strengths_are_the_published_ones(default_run: Run) -> None:
    strengths = _read(STRENGTHS, default_run, "couplings/strengths/public")
    own = strengths[strengths["method"] == "pkpd"].set_index(["group", "criterion", "item"])
    printed = _rows(PUBLIC / "jev_strength.csv")
    assert len(printed) == len(own) == 144
    for row in printed:
        found = own.loc[(row["doc"], row["dim"], row["id"]), "log_strength"]
        assert found == pytest.approx(float(row["log_strength"]), abs=1e-5, rel=0)


def test_programs_show_what_they_must(default_run: Run) -> None:
    cells = _cells(default_run, "table_v1")
    for criterion in ("accuracy", "completeness"):
        assert cells["generated/facts", f"{criterion}/tau_pkpd"]["value"] == 1.0
        noisy = cells["generated/noisy", f"{criterion}/pairs_right"]["value"]
        assert 0.8 < noisy < 0.97
    assert abs(cells["generated/length", "accuracy/tau_pkpd"]["value"]) < 0.3
    assert cells["generated/facts", "cost_usd"]["value"] == 0.0
    assert not any(row.endswith("/jury") for row, _ in cells)
    by_document = _cells(default_run, "table_v2")
    for row, r in (("generated/facts/accuracy", 0.035), ("public/jev/accuracy", 0.021)):
        assert by_document[row, "truth_correlation"]["value"] == pytest.approx(r, abs=5e-4)
        assert by_document[row, "truth_correlation"]["n"] == 72
    taus = [by_document["public/jev/accuracy", f"tau_pkpd/D{n}"]["value"] for n in range(1, 7)]
    printed = json.loads((PUBLIC / "jev_score.json").read_text())["accuracy"]
    assert taus == pytest.approx(printed["kendall_tau_per_doc"], abs=1e-12)


def test_figures_are_on_the_page_and_hold_no_date(default_run: Run) -> None:
    page = (default_run.results / "report" / "index.html").read_text(encoding="utf-8")
    for name in ("judges_tau", "judges_strength", "judges_bias"):
        svg = (default_run.results / "figures" / f"{name}.svg").read_text(encoding="utf-8")
        assert ElementTree.fromstring(svg).tag.endswith("svg")
        assert "dc:date" not in svg
        assert "Jev 1.13 (TypeSafe)" in svg
        assert f'<img src="../figures/{name}.svg"' in page


def test_the_manifest_records_what_was_recorded(default_run: Run) -> None:
    manifest = json.loads((default_run.results / "manifest.json").read_text(encoding="utf-8"))
    files = hashes(PUBLIC)
    for name in ("jev.csv", "truth.csv"):
        assert manifest["inputs"][f"resources/verifiable/{name}"] == files[name]
    assert "results/verifiable/generated/data.json" in manifest["artifacts"]
    assert "results/figures/judges_tau.svg" in manifest["artifacts"]


# Other judges


def _pairs() -> Iterator[tuple[str, float, int]]:
    """Yield criterion, P of the item that stands first in the data, and the sign of the truth."""
    order = {key: place for place, key in enumerate(TRUTH)}
    for row in _hard():
        a, b = (row["doc"], row["a"]), (row["doc"], row["b"])
        P = (row["q_ab"] + 1 - row["q_ba"]) / 2
        if order[a] > order[b]:
            a, b, P = b, a, 1 - P
        name, sign = ("n_wrong", -1) if row["dim"] == "accuracy" else ("n_mentioned", 1)
        yield row["dim"], P, sign * int(np.sign(int(TRUTH[a][name]) - int(TRUTH[b][name])))


def test_hard_answers_that_prefer_the_first_go_through_the_whole_chain(judged: Run) -> None:
    cells, by_document = _cells(judged, "table_v1"), _cells(judged, "table_v2")
    for criterion in ("accuracy", "completeness"):
        scored = [(P, sign) for name, P, sign in _pairs() if name == criterion and sign]
        right = [0.5 if P == 0.5 else float((P > 0.5) == (sign > 0)) for P, sign in scored]
        votes = [float((P > 0.5) == (sign > 0)) for P, sign in scored]
        assert right != votes
        cell = cells["Public/hard", f"{criterion}/pairs_right"]
        assert cell["value"] == pytest.approx(np.mean(right), abs=1e-12)
        assert cell["n"] == len(scored)
        other = cells["Public/hard", f"{criterion}/pairs_right/published"]
        assert other["value"] == pytest.approx(np.mean(votes), abs=1e-12)
        undecided = by_document[f"Public/hard/{criterion}", "undecided"]["value"]
        assert undecided == pytest.approx(np.mean([P == 0.5 for P, _ in scored]), abs=1e-12)
        answers = [row for row in _hard() if row["dim"] == criterion]
        bias = np.mean([(row["q_ab"] + row["q_ba"]) / 2 - 0.5 for row in answers])
        found = by_document[f"Public/hard/{criterion}", "position_bias"]
        assert found["value"] == pytest.approx(bias, abs=1e-12)
        assert found["ci_low"] > 0.0
        for method in ("pkpd", "bradley_terry"):
            assert 0.5 < cells["Public/hard", f"{criterion}/tau_{method}"]["value"] <= 1.0
    assert cells["Public/hard", "cost_usd"]["value"] == 0.25


def test_another_convention_makes_the_tables_and_figures_anew_and_nothing_else(
    judged: Run,
) -> None:
    overlay = json.loads((judged.folder / "overlay.yaml").read_text(encoding="utf-8"))
    overlay["verifiable"]["convention"] = "published"
    other = write_json(judged.folder / "published.yaml", overlay)
    run = succeed(snakemake(*TARGETS, "--configfile", other, "--dry-run", folder=judged.folder))
    planned = re.findall(r"^(\w+) +\d+$", run.text.split("Job stats:")[1], re.MULTILINE)
    assert set(planned) == {"table_v1", "table_v2", "draw_judges", "total"}


def test_faulty_answers_become_findings_and_their_pairs_are_left_out(judged: Run) -> None:
    findings = _read(FINDINGS, judged, "validation/findings/judges-public")
    assert set(findings["file"]) == {"faulty.csv"}
    codes = findings["code"].value_counts().to_dict()
    assert codes == {
        "no_answer_given": 1,
        "invalid_answer": 1,
        "duplicate_pair": 2,
        "unknown_item": 1,
        "unknown_document": 1,
        "not_recorded": 1,
    }
    lines = (judged.folder / "faulty.csv").read_text(encoding="utf-8").splitlines()
    (nan,) = findings.loc[findings["code"] == "no_answer_given", "json_pointer"]
    assert "nan" in lines[int(nan[1:]) - 1]
    pairs = _read(PAIRS, judged, "judgements/pairs/public")
    own = pairs[pairs["judge"] == "faulty"]
    assert len(own) == 792
    lost = own[own["status"] != "ok"]
    assert lost["status"].value_counts().to_dict() == {
        # The pair without a row, and those whose rows name an item and a document unknown.
        "not_recorded": 3,
        "no_answer_given": 1,
        "invalid_answer": 1,
        "duplicate_pair": 1,
    }
    assert (lost["q_ab"].isna() | lost["q_ba"].isna()).all()
    note = (judged.results / "tables" / "table_v1.md").read_text(encoding="utf-8")
    assert "Public: faulty: 6 of 792 pairs left out (duplicate pair 1, invalid answer 1" in note


def test_where_pairs_are_missing_pkpd_is_refused_and_bradley_terry_goes_on(judged: Run) -> None:
    scores = _read(JUDGE_SCORES, judged, "scores/verifiable/public")
    own = scores.set_index(["judge", "criterion", "document", "convention", "metric"])
    refused = own.loc[("faulty", "accuracy", "D1", "default", "tau_pkpd")]
    assert pd.isna(refused["value"])
    assert refused["status"] == "6 pairs missing"
    found = own.loc[("faulty", "accuracy", "D1", "default", "tau_bradley_terry"), "value"]
    whole = own.loc[("jev", "accuracy", "D1", "default", "tau_bradley_terry"), "value"]
    assert found == pytest.approx(whole, abs=0.1)
    cell = _cells(judged, "table_v1")["Public/faulty", "accuracy/tau_pkpd"]
    assert (cell["n"], cell["n_missing"]) == (5, 1)
    document = _cells(judged, "table_v2")["Public/faulty/accuracy", "tau_pkpd/D1"]
    assert (document["n_missing"], document["reason"]) == (12, "6 pairs missing")
    right = _cells(judged, "table_v1")["Public/faulty", "accuracy/pairs_right"]
    assert 354 <= right["n"] < 360
    assert right["n"] + right["n_missing"] == 360
    couplings = _read(COUPLINGS, judged, "couplings/figures/public")
    couplings = couplings.set_index(["judge", "criterion", "group", "method"])
    assert couplings.loc[("faulty", "accuracy", "D1", "pkpd"), "converged"] == False  # noqa: E712
    assert couplings.loc[("faulty", "accuracy", "D1", "bradley_terry"), "n_pairs"] == 60


def test_the_jury_is_the_mean_of_the_model_judges_of_its_own_data_set(judged: Run) -> None:
    pairs = _read(PAIRS, judged, "judgements/pairs/*")
    assert set(pairs.loc[pairs["judge"] == "jury", "dataset"]) == {"Public"}
    key = ["document", "criterion", "a", "b"]
    own = pairs[pairs["dataset"] == "Public"].set_index(key)
    members = [own[own["judge"] == name] for name in ("jev", "hard", "faulty")]
    jury = own[own["judge"] == "jury"]
    for name in ("q_ab", "q_ba"):
        together = pd.concat([member[name] for member in members], axis=1)
        mean = together.mean(axis=1).where(together.notna().all(axis=1))
        expected, found = mean.reindex(jury.index), jury[name]
        assert (expected.isna() == found.isna()).all()
        assert np.allclose(expected.dropna(), found.dropna(), atol=1e-15)
    assert (jury["status"] != "ok").sum() == 6
    # The cost of one member is not known.
    assert pd.isna(_cells(judged, "table_v1")["Public/jury", "cost_usd"]["value"])


def test_judges_of_one_name_in_two_data_sets_stay_apart(judged: Run) -> None:
    estimates = _read(JUDGE_ESTIMATES, judged, "estimates/verifiable/*")
    key = ["dataset", "judge", "criterion", "convention", "metric"]
    found = estimates.set_index(key)["n"]
    assert found[("Public", "hard", "accuracy", "default", "pairs_right")] == 360
    assert found[("generated", "hard", "accuracy", "default", "pairs_right")] == 180


def test_below_five_documents_there_is_no_interval_and_a_reason(judged: Run) -> None:
    cells = _cells(judged, "table_v1")
    for row in ("from a file/facts", "generated/hard"):
        cell = cells[row, "accuracy/tau_pkpd"]
        assert cell["value"] == 1.0
        assert pd.isna(cell["ci_low"])
        assert cell["reason"] == "fewer than 5 clusters"
    absent = _cells(judged, "table_v2")["from a file/facts/accuracy", "tau_pkpd/D6"]
    assert absent["reason"] == "no such document in the data set"


# Tampering


def test_data_that_were_changed_stop_the_run_with_the_place(judged: Run, tmp_path: Path) -> None:
    folder = tmp_path / "again"
    shutil.copytree(judged.folder, folder)
    made = folder / "results" / "verifiable" / "generated" / "data.json"
    data = json.loads(made.read_text(encoding="utf-8"))
    summary = data["documents"][1]["summaries"][2]
    summary["text"] = summary["text"].rpartition(". ")[0] + "."
    write_json(made, data)
    run = _run(folder, "results/judgements/pairs/generated.parquet")
    assert run.status == 1
    assert "verifiable/generated/data.json" in run.text
    assert "/documents/1/summaries/2/text: the report determines another summary" in run.text
    # So does a file that the configuration names, and nothing of it is taken over.
    texts = json.loads((folder / "texts.json").read_text(encoding="utf-8"))
    texts["documents"][0]["summaries"][5]["n_wrong"] = 4
    write_json(folder / "texts.json", texts)
    run = _run(folder, "results/verifiable/from-a-file/truth.parquet")
    assert run.status == 1
    assert "texts.json" in run.text
    assert "/documents/0/summaries/5/n_wrong: found 4, recounted" in run.text


def test_a_fault_in_the_counts_stops_the_run_with_its_line(tmp_path: Path) -> None:
    lines = (PUBLIC / "truth.csv").read_text(encoding="utf-8").splitlines()
    lines[3] = lines[3].rpartition(",")[0] + ",many"
    (tmp_path / "truth.csv").write_text("\n".join(lines), encoding="utf-8")
    verifiable = {
        "datasets": [{"id": "p", "source": "recorded", "path": "truth.csv"}],
        "judges": [],
    }
    write_json(tmp_path / "overlay.yaml", {"verifiable": verifiable})
    run = _run(tmp_path, "table_v1")
    assert run.status == 1
    assert "truth.csv: line 4: n_wrong is 'many', expected a whole number" in run.text


def test_without_data_sets_the_tables_are_empty_and_say_so(tmp_path: Path) -> None:
    write_json(tmp_path / "overlay.yaml", {"verifiable": {"datasets": [], "judges": []}})
    run = succeed(_run(tmp_path))
    for name in ("table_v1", "table_v2"):
        assert len(_read(TABLES, run, f"tables/{name}")) == 0
        shown = (run.results / "tables" / f"{name}.md").read_text(encoding="utf-8")
        assert "No judge is configured: see verifiable.judges." in shown
    assert (run.results / "figures" / "judges_tau.svg").is_file()


def test_a_missing_file_of_answers_is_named_with_its_key(tmp_path: Path) -> None:
    judge = {"id": "x", "dataset": "public", "engine": "recorded", "answers": "nowhere.csv"}
    write_json(tmp_path / "overlay.yaml", {"verifiable": {"judges": [judge]}})
    run = _run(tmp_path)
    assert run.status == 1
    assert "verifiable.judges.answers: no file 'nowhere.csv'" in run.text
