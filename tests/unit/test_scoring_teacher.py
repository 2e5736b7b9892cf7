"""Scores and ranks of question sets."""

import numpy as np
import pandas as pd
import pytest

from sensemaking.scoring.teacher import (
    QuestionSetOfSection,
    TeacherSettings,
    embedded_sets,
    score_kind,
    score_section,
    score_set,
)
from sensemaking.text_key import text_sha256

SETTINGS = TeacherSettings()
WINDOWS = np.eye(3, dtype=np.float32)


def _unit(*rows: tuple[float, ...]) -> np.ndarray:
    array = np.array(rows, dtype=np.float32)
    return array / np.linalg.norm(array, axis=1, keepdims=True)


def _values(rows: list[dict[str, object]], metric: str) -> dict[object, object]:
    return {row["teacher"]: row["value"] for row in rows if row["metric"] == metric}


def _statuses(rows: list[dict[str, object]], metric: str) -> dict[object, object]:
    return {row["teacher"]: row["status"] for row in rows if row["metric"] == metric}


def test_the_scores_of_two_questions_are_those_worked_out_by_hand() -> None:
    # Cosines: question 1 is window 1, question 2 lies between windows 2 and 3.
    asked = QuestionSetOfSection(_unit((1, 0, 0), (0, 1, 1)))
    scores = {name: score.value for name, (_, score) in score_set(asked, WINDOWS, SETTINGS).items()}
    half = round(1 / np.sqrt(2), 6)
    # Each window: the greater cosine exceeds the 95 % quantile; r is it plus the median.
    r = [1 + 0.5, half + half / 2, half + half / 2]
    total = sum(r)
    assert scores["relevance_sum"] == pytest.approx(total, abs=1e-9)
    assert scores["relevance_mean"] == pytest.approx(total / 6, abs=1e-9)
    p = np.array(r) / total
    assert scores["coverage"] == pytest.approx(-(p * np.log2(p)).sum(), abs=1e-6)
    # p(w|q1) = (1, e, e), p(w|q2) = (e', 1/2, 1/2): the divergences by their definition.
    e, e2 = 1e-9 / p[0], 1e-9 / (p[1] + p[2])
    kl12 = np.log(1 / e2) + 2 * e * np.log(2 * e)
    kl21 = e2 * np.log(e2) + np.log(0.5 / e)
    assert scores["diversity"] == pytest.approx(kl12 + kl21, rel=1e-6)
    assert scores["diversity_mean"] == pytest.approx((kl12 + kl21) / 2, rel=1e-6)


def test_absent_undefined_and_defined_teachers_rank_in_this_order() -> None:
    sets = {
        ("defined", "P"): QuestionSetOfSection(_unit((1, 0, 0), (0, 1, 0), (0, 0, 1))),
        ("absent", "P"): None,
        ("single", "P"): QuestionSetOfSection(_unit((1, 0, 0))),
    }
    rows = score_section("k/s", WINDOWS, sets, SETTINGS, seed=1)
    assert _values(rows, "rank_diversity") == {"defined": 3, "single": 2, "absent": 1}
    assert _statuses(rows, "rank_diversity") == {
        "defined": "ok",
        "single": "ok",
        "absent": "absent",
    }
    assert _values(rows, "relevance_sum") == {
        "defined": pytest.approx(3.0),
        "single": 0.0,
        "absent": None,
    }
    assert _values(rows, "coverage")["single"] is None
    assert _statuses(rows, "coverage")["single"] == "all relevance zero"
    assert _values(rows, "n_questions") == {"defined": 3, "single": 1, "absent": 0}


def test_equal_teachers_share_the_mean_rank() -> None:
    same = QuestionSetOfSection(_unit((1, 0, 0), (0, 1, 0)))
    rows = score_section("k/s", WINDOWS, {("a", "P"): same, ("b", "P"): same}, SETTINGS, seed=1)
    for metric in ("rank_relevance", "rank_coverage", "rank_diversity"):
        assert _values(rows, metric) == {"a": 1.5, "b": 1.5}


def test_two_absent_teachers_are_drawn_apart_and_the_draw_is_that_of_the_section() -> None:
    sets = {("a", "P"): None, ("b", "P"): None}
    drawn = {
        seed: _values(score_section("k/s", WINDOWS, sets, SETTINGS, seed), "rank_coverage")["a"]
        for seed in range(40)
    }
    assert set(drawn.values()) == {1.0, 2.0}
    again = score_section("k/s", WINDOWS, dict(reversed(sets.items())), SETTINGS, 3)
    assert _values(again, "rank_coverage")["a"] == drawn[3]


def test_a_section_without_windows_ranks_nobody() -> None:
    sets = {("a", "P"): QuestionSetOfSection(_unit((1, 0, 0))), ("b", "P"): None}
    rows = score_section("k/s", np.empty((0, 0), np.float32), sets, SETTINGS, seed=1)
    assert _values(rows, "rank_relevance") == {"a": None, "b": None}
    assert _statuses(rows, "rank_relevance") == {"a": "no_text_en", "b": "no_text_en"}
    assert _statuses(rows, "relevance_sum") == {"a": "no_text_en", "b": "absent"}


def test_a_section_where_a_set_is_untranslated_ranks_nobody() -> None:
    nothing = np.empty((0, 3), np.float32)
    sets = {
        ("a", "P"): QuestionSetOfSection(_unit((1, 0, 0), (0, 1, 0))),
        ("b", "P"): QuestionSetOfSection(nothing, n_unknown=4),
    }
    rows = score_section("k/s", WINDOWS, sets, SETTINGS, seed=1)
    assert _values(rows, "rank_relevance") == {"a": None, "b": None}
    assert _statuses(rows, "rank_relevance")["a"] == "section_not_ranked"
    assert _statuses(rows, "relevance_sum") == {"a": "ok", "b": "not_translated"}
    assert _values(rows, "relevance_sum")["a"] is not None


def test_the_mean_relevance_is_ranked_when_the_setting_says_so() -> None:
    sets = {
        ("few", "P"): QuestionSetOfSection(_unit((1, 0, 0), (0, 1, 0))),
        ("many", "P"): QuestionSetOfSection(_unit((1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1))),
    }
    by_sum = score_section("k/s", WINDOWS, sets, TeacherSettings(relevance="sum"), seed=1)
    by_mean = score_section("k/s", WINDOWS, sets, TeacherSettings(relevance="mean"), seed=1)
    assert _values(by_sum, "rank_relevance") == {"few": 1, "many": 2}
    assert _values(by_mean, "rank_relevance") == {"few": 2, "many": 1}


def _question(
    text: str | None, position: int, original: str | None = "?", status: str = "invalid_item"
) -> dict[str, object]:
    return {
        "section_id": "k/s",
        "teacher": "a",
        "submission": "P",
        "variant": "genuine",
        "question_id": f"k/s/questions_by_a_P#{position:03d}",
        "position": position,
        "question": text,
        "question_original": original,
        "status": status if text is None else "ok",
    }


def test_blank_and_broken_questions_are_none_and_untranslated_ones_are_counted() -> None:
    rows = [
        _question("second", 1),
        _question("first", 0),
        _question(None, 2, original="otázka"),
        _question(None, 3, original=None),
    ]
    vectors = {"first": np.array([1, 0], np.float32), "second": np.array([0, 1], np.float32)}
    found = embedded_sets(rows, vectors)["k/s"]["a", "P"]
    assert found.vectors.tolist() == [[1, 0], [0, 1]]
    assert found.n_unknown == 1


@pytest.mark.parametrize("status", ["not_recorded", "refusal", "server_error", "wrong_items"])
def test_a_call_of_our_own_that_failed_is_no_absent_teacher_and_nobody_is_ranked(
    status: str,
) -> None:
    failed = embedded_sets([_question(None, 0, original=None, status=status)], {})["k/s"]["a", "P"]
    assert (failed.n_unknown, failed.why) == (1, status)
    sets = {("a", "P"): failed, ("b", "P"): QuestionSetOfSection(_unit((1, 0, 0), (0, 1, 0)))}
    rows = score_section("k/s", WINDOWS, sets, SETTINGS, seed=1)
    assert _statuses(rows, "relevance_sum") == {"a": status, "b": "ok"}
    assert _values(rows, "rank_coverage") == {"a": None, "b": None}
    assert set(_statuses(rows, "rank_coverage").values()) == {"section_not_ranked"}


@pytest.mark.parametrize("status", ["blank", "invalid_item", "repair_refused", "repair_excluded"])
def test_an_item_that_was_no_question_is_none_whatever_is_wrong_with_it(status: str) -> None:
    assert embedded_sets([_question(None, 0, original=None, status=status)], {}) == {"k/s": {}}


def test_a_set_of_blank_questions_alone_is_no_set() -> None:
    assert embedded_sets([_question(None, 0, original=None)], {}) == {"k/s": {}}


def test_every_section_of_a_kind_gets_a_row_for_every_teacher_and_metric() -> None:
    systems = pd.DataFrame(
        {"role": ["teacher", "teacher", "student"], "team": ["a", "GOLD", "x"], "submission": "P"}
    )
    texts = {"w": [1.0, 0.0], "q": [0.0, 1.0]}
    rows = score_kind(
        section_ids=["k/t", "k/s"],
        systems=systems,
        windows=pd.DataFrame({"section_id": ["k/s"], "window": [0], "text": ["w"]}),
        questions=[
            {**_question("q", 0), "variant": "genuine"},
            {**_question("v", 0), "variant": "W"},
        ],
        embeddings=pd.DataFrame(
            {"text_sha256": [text_sha256(t) for t in texts], "vector": list(texts.values())}
        ),
        settings=SETTINGS,
        seed=1,
    )
    keys = {(row["section_id"], row["teacher"], row["metric"]) for row in rows}
    assert len(keys) == len(rows) == 2 * 2 * 9
    assert {row["teacher"] for row in rows} == {"a", "GOLD"}
