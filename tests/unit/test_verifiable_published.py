"""The public recorded judge: every published figure comes out of its answers."""

import csv
import json
import os
from pathlib import Path

import numpy as np
import pytest

from sensemaking.verifiable import (
    CRITERIA,
    Answer,
    Count,
    Document,
    Judged,
    JudgeScore,
    Recorded,
    differing,
    score,
    truth_correlation,
    truth_of,
)

FOLDER = Path(__file__).parents[2] / "resources" / "verifiable"
PUBLISHED = json.loads((FOLDER / "jev_score.json").read_text(encoding="utf-8"))


def rows(name: str) -> list[dict[str, str]]:
    with (FOLDER / name).open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


COUNTS = [
    Count(row["doc"], row["id"], int(row["n_mentioned"]), int(row["n_wrong"]))
    for row in rows("truth.csv")
]
DOCUMENTS = [
    Document(name, tuple(count.item for count in COUNTS if count.document == name))
    for name in dict.fromkeys(count.document for count in COUNTS)
]
ANSWERS = [
    Answer(row["doc"], row["dim"], row["a"], row["b"], float(row["q_ab"]), float(row["q_ba"]))
    for row in rows("jev.csv")
]


def scored(criterion: str, convention: str, answers: list[Answer] = ANSWERS) -> JudgeScore:
    judge = Recorded(answers)
    return score(
        [
            Judged(
                document.document,
                document.items,
                judge(document)[criterion],
                truth_of(COUNTS, criterion, document.document, document.items),
            )
            for document in DOCUMENTS
        ],
        criterion,
        convention=convention,
    )


def test_there_are_792_pairs_and_72_summaries():
    assert len(ANSWERS) == 792
    assert len(COUNTS) == 72


@pytest.mark.parametrize(
    ("criterion", "right", "pairs"), [("accuracy", 347, 360), ("completeness", 374, 396)]
)
def test_pairs_right_are_the_published_ones(criterion, right, pairs):
    result = scored(criterion, "published")
    assert result.pairs_right.n == pairs == PUBLISHED[criterion]["pairs"]
    assert result.pairs_right.value == right / pairs == PUBLISHED[criterion]["pairwise_accuracy"]


@pytest.mark.parametrize("criterion", CRITERIA)
def test_every_other_published_figure_comes_out(criterion):
    result, published = scored(criterion, "published"), PUBLISHED[criterion]
    assert result.auc.value == published["auc"]
    assert [one.tau_pkpd.value for one in result.documents] == pytest.approx(
        published["kendall_tau_per_doc"], abs=1e-15
    )
    assert result.tau_pkpd.value == pytest.approx(published["kendall_tau_mean"], abs=1e-15)
    assert result.tau_pkpd_sd == pytest.approx(published["kendall_tau_sd"], abs=1e-15)
    assert result.tau_bradley_terry.value == pytest.approx(
        published["kendall_tau_bt_mean"], abs=1e-15
    )
    assert result.tau_pkpd.n == published["docs"]
    assert result.top.value == published["top1_hits"] / published["docs"]


@pytest.mark.parametrize("criterion", CRITERIA)
def test_every_published_strength_comes_out_to_six_digits(criterion):
    published = {
        row["id"]: float(row["log_strength"])
        for row in rows("jev_strength.csv")
        if row["dim"] == criterion
    }
    found = {
        item: float(value)
        for one, document in zip(scored(criterion, "default").documents, DOCUMENTS, strict=True)
        for item, value in zip(document.items, one.pkpd.log_strengths, strict=True)
    }
    assert found.keys() == published.keys()
    assert len(found) == 72
    for item, value in published.items():
        assert found[item] == pytest.approx(value, abs=1e-5, rel=0)
        assert f"{found[item]:.6g}" == f"{value:.6g}"


@pytest.mark.parametrize(("criterion", "auc"), [("accuracy", 0.99319), ("completeness", 0.99216)])
def test_by_the_default_convention_the_auc_alone_and_the_ties_at_the_top_differ(criterion, auc):
    default, published = scored(criterion, "default"), scored(criterion, "published")
    assert round(default.auc.value, 5) == auc
    assert default.n_undecided == 0
    tops = {"top"} if criterion == "accuracy" else set()
    assert set(differing(default, published)) == {"auc"} | tops
    assert default.top.value == 1.0


@pytest.mark.parametrize("criterion", CRITERIA)
def test_the_order_of_the_rows_and_the_naming_of_a_pair_do_not_matter(criterion):
    turned = [
        Answer(row.document, row.criterion, row.b, row.a, row.q_ba, row.q_ab) if n % 2 else row
        for n, row in enumerate(ANSWERS[::-1])
    ]
    for convention in ("default", "published"):
        one, other = scored(criterion, convention), scored(criterion, convention, turned)
        assert (one.pairs_right, one.auc, one.tau_pkpd) == (
            other.pairs_right,
            other.auc,
            other.tau_pkpd,
        )


def test_the_truths_correlate_as_published():
    assert round(truth_correlation(COUNTS).value, 2) == 0.02


def test_a_hard_version_of_the_judge_that_leans_to_the_first_shows_it():
    hard = [
        Answer(r.document, r.criterion, r.a, r.b, float(r.q_ab > 0.1), float(r.q_ba > 0.1))
        for r in ANSWERS
    ]
    for criterion in CRITERIA:
        soft, result = scored(criterion, "default"), scored(criterion, "default", hard)
        assert result.position_bias.value > soft.position_bias.value + 0.02
        assert result.position_gap.value > soft.position_gap.value
        assert result.n_undecided > 30
        assert 0.5 < result.tau_pkpd.value <= 1
        assert 0.5 < result.tau_bradley_terry.value <= 1
        assert np.isfinite(float(result.auc))


def test_the_copies_are_the_public_files(devset):
    source = devset.parent / "verifiable"
    if not source.is_dir():
        if os.environ.get("SENSEMAKING_REQUIRE_DEVSET") == "1":
            pytest.fail(f"no recorded judge beside {devset}")
        pytest.skip("no recorded judge beside the development set")
    for path in source.iterdir():
        assert (FOLDER / path.name).read_bytes() == path.read_bytes(), path.name
