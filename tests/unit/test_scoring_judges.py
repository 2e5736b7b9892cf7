"""Couplings, scores and estimates of judges: by hand, and intervals by plain resampling."""

import csv
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from sensemaking.coupling import NotConvergedError
from sensemaking.io import artifacts
from sensemaking.metrics.judging import OF_JUDGES
from sensemaking.schemas import COUPLINGS, JUDGE_ESTIMATES, JUDGE_SCORES, STRENGTHS
from sensemaking.scoring.estimates import Settings
from sensemaking.scoring.judges import Rows, score_judges
from sensemaking.seeds import generator
from sensemaking.verifiable import Answer, Count, Document, Judged, Recorded, score, truth_of

FOLDER = Path(__file__).parents[2] / "resources" / "verifiable"
SETTINGS = Settings(3, 2000)


def judged(q: Any, truth: Sequence[float], name: str = "D1") -> Judged:
    items = tuple(f"i{n}" for n in range(len(truth)))
    return Judged(name, items, np.array(q, dtype=float), np.array(truth, dtype=float))


def public() -> list[Judged]:
    with (FOLDER / "truth.csv").open(newline="") as stream:
        counts = [
            Count(row["doc"], row["id"], int(row["n_mentioned"]), int(row["n_wrong"]))
            for row in csv.DictReader(stream)
        ]
    with (FOLDER / "jev.csv").open(newline="") as stream:
        judge = Recorded(
            Answer(r["doc"], r["dim"], r["a"], r["b"], float(r["q_ab"]), float(r["q_ba"]))
            for r in csv.DictReader(stream)
        )
    found = []
    for name in dict.fromkeys(count.document for count in counts):
        document = Document(name, tuple(c.item for c in counts if c.document == name))
        truth = truth_of(counts, "accuracy", name, document.items)
        found.append(Judged(name, document.items, judge(document)["accuracy"], truth))
    return found


PUBLIC = public()


def scored(documents: Sequence[Judged], judge: str = "j", **settings: float) -> Rows:
    chosen = {"clip": 1e-3, "prior": 0.0, **settings}
    return score_judges("set", {(judge, "accuracy"): documents}, SETTINGS, **chosen)


def estimates(rows: Rows, convention: str = "default") -> dict[str, dict[str, Any]]:
    own = [row for row in rows.estimates if row["convention"] == convention]
    return {row["metric"]: row for row in own}


def fit(tmp_path: Path, rows: Rows) -> None:
    """All rows fit their artifacts."""
    for artifact, part in zip(
        (STRENGTHS, COUPLINGS, JUDGE_SCORES, JUDGE_ESTIMATES), rows, strict=True
    ):
        artifacts.write(artifact, tmp_path / "x.parquet", part)


# Three items, true order 0 > 1 > 2. P = 0.8, 0.5 and 0.4, so one pair is right, one is undecided
# and one is wrong; answers to the first pair are 0.2 apart and lean to the first shown.
HAND = judged([[9, 0.9, 0.5], [0.3, 9, 0.4], [0.5, 0.6, 9]], [3, 2, 1])


def test_a_case_by_hand(tmp_path: Path) -> None:
    rows = scored([HAND])
    fit(tmp_path, rows)
    found = estimates(rows)
    assert set(found) == {metric.name for metric in OF_JUDGES}
    expected = {
        "pairs_right": (0.5, 3),
        "undecided": (1 / 3, 3),
        "position_bias": (0.1 / 3, 3),
        "position_gap": (0.2 / 3, 3),
        "consistency": (1.0, 3),
        # In both orientations 3 right ones, 0.8, 0.5, 0.4, and 3 wrong ones, 0.2, 0.5, 0.6.
        "auc": ((3 + 1.5 + 1) / 9, 3),
    }
    for name, (value, n) in expected.items():
        assert found[name]["mean"] == pytest.approx(value, abs=1e-12), name
        assert (found[name]["n"], found[name]["n_missing"]) == (n, 0), name
        assert (found[name]["ci_low"], found[name]["reason"]) == (None, "fewer than 5 clusters")
    published = estimates(rows, "published")
    # The undecided pair is a vote for the second item, which is the worse one.
    assert published["pairs_right"]["mean"] == pytest.approx(1 / 3, abs=1e-12)
    # The second pair is turned round: right ones 0.8 and 0.4, a wrong one 0.5.
    assert published["auc"]["mean"] == pytest.approx(1 / 2, abs=1e-12)


def test_strengths_and_their_figures_by_hand(tmp_path: Path) -> None:
    rows = scored([HAND])
    pkpd = {r["item"]: r for r in rows.strengths if r["method"] == "pkpd"}
    raw = [1 / (1 / 0.8 + 1 / 0.5 - 1), 1 / (1 / 0.2 + 1 / 0.4 - 1), 1 / (1 / 0.5 + 1 / 0.6 - 1)]
    logs = np.log(raw) - np.mean(np.log(raw))
    for n, item in enumerate(("i0", "i1", "i2")):
        assert pkpd[item]["strength"] == pytest.approx(raw[n] / sum(raw), abs=1e-12)
        assert pkpd[item]["log_strength"] == pytest.approx(logs[n], abs=1e-12)
        assert (pkpd[item]["se"], pkpd[item]["status"]) == (None, "ok")
    figures = {row["method"]: row for row in rows.couplings}
    assert figures["pkpd"]["raw_sum"] == pytest.approx(sum(raw), abs=1e-12)
    assert (figures["pkpd"]["clip"], figures["pkpd"]["prior"]) == (1e-3, None)
    assert figures["bradley_terry"]["gradient"] < 1e-10
    assert (figures["bradley_terry"]["clip"], figures["bradley_terry"]["prior"]) == (None, 0.0)
    for figure in figures.values():
        assert (figure["n_items"], figure["n_pairs"], figure["n_missing"]) == (3, 3, 0)
        assert (figure["components"], figure["converged"], figure["reason"]) == (1, True, None)
    # At the maximum each item wins as often as its strength says: w_i = Σ 2 s_i / (s_i + s_j).
    s = [r["strength"] for r in rows.strengths if r["method"] == "bradley_terry"]
    wins = [2 * (0.8 + 0.5), 2 * (0.2 + 0.4), 2 * (0.5 + 0.6)]
    for i, won in enumerate(wins):
        assert sum(2 * s[i] / (s[i] + s[j]) for j in range(3) if j != i) == pytest.approx(won)
    assert all(r["se"] > 0 for r in rows.strengths if r["method"] == "bradley_terry")


def test_missing_pairs_refuse_pkpd_and_leave_bradley_terry(tmp_path: Path) -> None:
    q = HAND.q.copy()
    q[0, 1] = np.nan
    rows = scored([judged(q, [3, 2, 1])])
    fit(tmp_path, rows)
    of = {row["method"]: row for row in rows.couplings}
    assert (of["pkpd"]["converged"], of["pkpd"]["raw_sum"]) == (False, None)
    assert of["pkpd"]["reason"] == "PKPD needs every pair, 1 missing"
    assert of["bradley_terry"]["converged"]
    assert (of["bradley_terry"]["n_pairs"], of["bradley_terry"]["n_missing"]) == (2, 1)
    missing = {row["status"] for row in rows.strengths if row["method"] == "pkpd"}
    assert missing == {"pairs_missing"}
    found = estimates(rows)
    assert found["tau_pkpd"]["mean"] is None
    assert found["tau_pkpd"]["reason"] == "1 pairs missing"
    assert found["tau_bradley_terry"]["mean"] is not None
    assert (found["pairs_right"]["n"], found["pairs_right"]["n_missing"]) == (2, 1)
    scores = {(r["metric"], r["convention"]): r for r in rows.scores}
    assert scores["tau_pkpd", "default"]["status"] == "1 pairs missing"


def test_hard_answers_have_no_finite_strengths_but_an_order(tmp_path: Path) -> None:
    rows = scored([judged([[9, 1, 1], [0, 9, 1], [0, 0, 9]], [3, 2, 1])])
    fit(tmp_path, rows)
    own = [row for row in rows.strengths if row["method"] == "bradley_terry"]
    assert [row["strength"] for row in own] == [None, None, None]
    assert {row["status"] for row in own} == {"no_finite_strength"}
    assert [row["component"] for row in own] == [0, 1, 2]
    (figure,) = (row for row in rows.couplings if row["method"] == "bradley_terry")
    assert figure["reason"] == "no finite maximum: 3 components"
    found = estimates(rows)["tau_bradley_terry"]
    assert found["mean"] == 1.0
    assert "fewer than 5 clusters" in found["reason"]


def test_without_any_answer_at_all_no_score_is_a_number(tmp_path: Path) -> None:
    rows = scored([judged(np.full((3, 3), np.nan), [3, 2, 1])])
    fit(tmp_path, rows)
    assert {row["mean"] for row in rows.estimates} == {None}
    assert {row["value"] for row in rows.scores} == {None}
    assert all(row["status"] != "ok" for row in rows.scores)


@pytest.mark.parametrize(
    "q",
    [
        [[9, 1 - 1e-16, 0.5], [1e-300, 9, 1e-300], [1, 1 - 1e-12, 9]],
        [[9, 1e-16, 1e-9], [1 - 1e-9, 9, 1 - 1e-15], [1e-15, 0, 9]],
    ],
)
def test_answers_too_near_to_0_and_1_end_no_run(tmp_path: Path, q: Any) -> None:
    rows = scored([judged(q, [1, 2, 3])])
    fit(tmp_path, rows)
    (coupled,) = [row for row in rows.couplings if row["method"] == "bradley_terry"]
    own = [row for row in rows.strengths if row["method"] == "bradley_terry"]
    # How the processor adds decides whether the maximum is reached; it is never cut short.
    if coupled["converged"]:
        assert {row["status"] for row in own} == {"ok"}
        assert coupled["gradient"] <= 1e-9
    else:
        assert {row["status"] for row in own} == {"not_converged"}


def test_a_maximum_that_is_not_reached_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def give_up(wins: Any, prior: float) -> Any:
        raise NotConvergedError("no maximum of the likelihood")

    monkeypatch.setattr("sensemaking.verifiable.scoring.bradley_terry", give_up)
    rows = scored([HAND])
    fit(tmp_path, rows)
    own = [row for row in rows.strengths if row["method"] == "bradley_terry"]
    assert {row["status"] for row in own} == {"not_converged"}
    assert [r["converged"] for r in rows.couplings if r["method"] == "bradley_terry"] == [False]
    found = estimates(rows)["tau_bradley_terry"]
    assert (found["mean"], found["n_missing"]) == (None, 1)
    assert "not converged: some answers are too near to 0 or 1" in found["reason"]


# Intervals


def drawn(name: str, draws: int = SETTINGS.draws, D: int = 6) -> np.ndarray:
    item = "\x1f".join(("set", "accuracy", "j"))
    rng = generator(SETTINGS.seed, f"interval of {name} of a judge", item)
    return rng.multinomial(D, np.full(D, 1 / D), size=draws)


@pytest.mark.parametrize("convention", ["default", "published"])
def test_intervals_are_those_of_plain_resampling_of_documents(convention: str) -> None:
    found = estimates(scored(PUBLIC), convention)
    single = [score([one], "accuracy", convention=convention) for one in PUBLIC]
    right = np.array([float(one.pairs_right) * one.pairs_right.n for one in single])
    n = np.array([one.pairs_right.n for one in single])
    values = [float(w @ right) / float(w @ n) for w in drawn("pairs_right")]
    low, high = np.quantile(values, [0.025, 0.975])
    assert found["pairs_right"]["ci_low"] == pytest.approx(low, abs=1e-12)
    assert found["pairs_right"]["ci_high"] == pytest.approx(high, abs=1e-12)
    # The AUC pair by pair, the published one with the orientations of the whole.
    answers, counter = [], 0
    for one in PUBLIC:
        scores, labels = [], []
        for i in range(12):
            for j in range(i + 1, 12):
                if one.truth[i] == one.truth[j]:
                    continue
                P, better = (one.q[i, j] + 1 - one.q[j, i]) / 2, one.truth[i] > one.truth[j]
                if convention == "default":
                    scores += [P, 1 - P]
                    labels += [better, not better]
                else:
                    scores.append(1 - P if counter % 2 else P)
                    labels.append(better != (counter % 2 == 1))
                counter += 1
        answers.append((np.array(scores), np.array(labels)))
    values = []
    for w in drawn("auc"):
        s = np.concatenate([np.tile(part, k) for (part, _), k in zip(answers, w, strict=True)])
        y = np.concatenate([np.tile(part, k) for (_, part), k in zip(answers, w, strict=True)])
        ranks = pd.Series(s).rank().to_numpy()
        p, q = y.sum(), (~y).sum()
        values.append((ranks[y].sum() - p * (p + 1) / 2) / (p * q))
    low, high = np.quantile(values, [0.025, 0.975])
    assert found["auc"]["ci_low"] == pytest.approx(low, abs=1e-12)
    assert found["auc"]["ci_high"] == pytest.approx(high, abs=1e-12)


def test_every_estimate_lies_in_its_interval_and_sd_has_ddof_0() -> None:
    for row in scored(PUBLIC).estimates:
        assert row["ci_low"] - 1e-12 <= row["mean"] <= row["ci_high"] + 1e-12
        assert row["n_clusters"] == 6
        assert row["reason"] is None
    taus = [score([one], "accuracy").tau_pkpd.value for one in PUBLIC]
    found = estimates(scored(PUBLIC))["tau_pkpd"]
    assert found["sd"] == pytest.approx(float(np.std(taus)), abs=1e-15)


def test_the_order_of_documents_moves_no_interval_by_the_default_convention() -> None:
    one, other = estimates(scored(PUBLIC)), estimates(scored(PUBLIC[::-1]))
    for name, row in one.items():
        for column in ("mean", "ci_low", "ci_high"):
            assert other[name][column] == pytest.approx(row[column], abs=1e-12), name


def test_another_judge_has_draws_of_its_own() -> None:
    one, other = estimates(scored(PUBLIC)), estimates(scored(PUBLIC, judge="k"))
    assert [row["mean"] for row in one.values()] == [row["mean"] for row in other.values()]
    differing = [name for name in one if one[name]["ci_low"] != other[name]["ci_low"]]
    assert {"raw_sum", "position_bias"} <= set(differing)


def test_a_document_whose_pairs_point_one_way_leaves_the_published_auc_without_interval() -> None:
    pair = [judged([[9, 0.9], [0.2, 9]], [2, 1], f"D{n}") for n in range(6)]
    found = estimates(scored(pair), "published")["auc"]
    assert found["mean"] == 1.0
    assert found["ci_low"] is None
    assert found["reason"] == "a document whose pairs all point one way"
    assert estimates(scored(pair))["auc"]["ci_low"] == 1.0


def test_clip_and_prior_are_those_of_the_settings() -> None:
    hard = judged([[9, 1, 1], [0, 9, 1], [0, 0, 9]], [3, 2, 1])
    rows = scored([hard], clip=0.1, prior=1.0)
    pkpd = [row["strength"] for row in rows.strengths if row["method"] == "pkpd"]
    raw = [1 / (2 / 0.9 - 1), 1 / (1 / 0.1 + 1 / 0.9 - 1), 1 / (2 / 0.1 - 1)]
    assert pkpd == pytest.approx([value / sum(raw) for value in raw], abs=1e-12)
    own = [row for row in rows.strengths if row["method"] == "bradley_terry"]
    assert all(row["status"] == "ok" for row in own)
    assert math.fsum(row["strength"] for row in own) == pytest.approx(1.0)
