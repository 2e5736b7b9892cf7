"""Expected answers, their scores, and the estimates of tables 6 to 8."""

import numpy as np
import pandas as pd
import pytest

from sensemaking.scoring.estimates import (
    Group,
    Settings,
    estimate_correlations,
    estimate_means,
    groups,
)
from sensemaking.scoring.student import expected_answers, score_rouge
from sensemaking.scoring.student_estimates import ANSWERED, estimate_rouge

SETTINGS = Settings(seed=1, draws=200)


def _question(number: int, text: str | None = "Why?") -> dict[str, object]:
    return {"question_id": f"k/s{number}/questions_by_GOLD_PRIMARY#000", "question": text}


def _answer(number: int, status: str = "ok") -> dict[str, object]:
    return {
        "answer_id": f"a{number}",
        "question_id": _question(number)["question_id"],
        "student": "x",
        "submission": "P",
        "status": status,
    }


def test_every_question_is_expected_of_every_student_whatever_was_given() -> None:
    rows = expected_answers(
        [_question(0), _question(1), _question(2, None)],
        [_answer(0), _answer(1, "no_text_en")],
        [("x", "P"), ("y", "P")],
    )
    found = {
        (row["question_id"][3], row["student"]): (row["answer_id"], row["status"]) for row in rows
    }
    assert found == {
        ("0", "x"): ("a0", "ok"),
        ("1", "x"): (None, "no_text_en"),
        ("2", "x"): (None, "no_question"),
        ("0", "y"): (None, "no_answer"),
        ("1", "y"): (None, "no_answer"),
        ("2", "y"): (None, "no_question"),
    }


def test_a_score_is_null_with_the_reason_that_comes_first() -> None:
    expected = [
        {"question_id": q, "student": "x", "submission": "P", "answer_id": a, "status": s}
        for q, a, s in (
            ("good", "a", "ok"),
            ("good", None, "no_answer"),
            ("no reference", "a", "ok"),
            ("no reference", None, "no_answer"),
            ("no question", None, "no_question"),
            ("punctuation", "a", "ok"),
        )
    ]
    references = {"good": ["a b c d"], "no reference": [], "no question": [], "punctuation": ["?!"]}
    rows = score_rouge(expected, {"a": "a x c"}, references, "rouge")
    assert [(row["value"], row["status"]) for row in rows] == [
        (0.5, "ok"),
        (None, "no_answer"),
        (None, "no_reference"),
        (None, "no_reference"),
        (None, "no_question"),
        (None, "no_reference"),
    ]


def test_the_unicode_tokens_are_a_metric_with_a_name_of_its_own() -> None:
    expected = [
        {"question_id": "q", "student": "x", "submission": "P", "answer_id": "a", "status": "ok"}
    ]
    answers, references = {"a": "Рослини виробляють"}, {"q": ["Рослини виробляють кисень."]}
    (plain,) = score_rouge(expected, answers, references, "rouge")
    (letters,) = score_rouge(expected, answers, references, "unicode")
    assert (plain["metric"], plain["value"]) == ("rouge_l_recall", None)
    assert letters["metric"] == "rouge_l_recall_unicode"
    assert letters["value"] == pytest.approx(2 / 3)


def _items(values: list[float], statuses: list[str] | None = None) -> pd.DataFrame:
    n = len(values)
    return pd.DataFrame(
        {
            "system": "x",
            "section_id": [f"k/s{i}" for i in range(n)],
            "kind": ["k" if i < n - 1 else "l" for i in range(n)],
            "sub_kind": ["one" if i == 0 else None for i in range(n)],
            "value": values,
            "status": statuses or ["ok"] * n,
        }
    )


def test_only_the_statuses_named_count_as_0_and_all_others_are_left_out_and_counted() -> None:
    items = _items([0.8, np.nan, np.nan, 0.4], ["ok", "no_answer", "no_text_en", "ok"])
    (row,) = estimate_means(
        items,
        ["x"],
        [Group("all", "all")],
        subset="all",
        metric="m",
        settings=SETTINGS,
        imputed=frozenset({"no_answer"}),
    )
    assert row["mean"] == pytest.approx(0.4)
    assert (row["n"], row["n_missing"], row["n_imputed"], row["n_clusters"]) == (3, 1, 1, 3)
    assert row["sd"] == pytest.approx(0.4)
    assert (row["ci_low"], row["reason"]) == (None, "fewer than 5 clusters")


def test_a_sub_kind_is_a_part_of_its_kind_and_all_counts_every_item_once() -> None:
    rows = estimate_means(
        _items([1.0, 2.0, 3.0, 4.0]),
        ["x"],
        groups([("k", ["one", "two"]), ("l", [])]),
        subset="all",
        metric="m",
        settings=SETTINGS,
    )
    found = {(row["kind"], row["sub_kind"]): (row["mean"], row["n"]) for row in rows}
    assert found == {
        ("k", "all"): (2.0, 3),
        ("k", "one"): (1.0, 1),
        ("k", "two"): (None, 0),
        ("l", "all"): (4.0, 1),
        ("all", "all"): (2.5, 4),
    }
    assert next(row for row in rows if row["sub_kind"] == "two")["reason"] == "no items"


def test_an_empty_group_says_which_statuses_emptied_it() -> None:
    items = _items([np.nan, np.nan], ["no_text_en", "not_translated"])
    (row,) = estimate_means(
        items, ["x"], [Group("all", "all")], subset="all", metric="m", settings=SETTINGS
    )
    assert (row["mean"], row["n_missing"]) == (None, 2)
    assert row["reason"] == "no text en, not translated"


def test_an_interval_does_not_depend_on_the_order_of_rows_or_on_other_groups() -> None:
    items = _items([float(i % 7) for i in range(30)])
    alone = estimate_means(
        items, ["x"], [Group("k", "all")], subset="all", metric="m", settings=SETTINGS
    )
    more = estimate_means(
        items.sample(frac=1, random_state=3),
        ["x", "y"],
        groups([("k", ["one"]), ("l", [])]),
        subset="all",
        metric="m",
        settings=SETTINGS,
    )
    assert alone[0] in more
    assert alone[0]["ci_low"] < alone[0]["mean"] < alone[0]["ci_high"]


def _pairs(x: list[float], y: list[float]) -> pd.DataFrame:
    rows = [
        {"system": system, "question_id": f"q{i}", "section_id": f"k/s{i // 2}", "value": value}
        for system, series in (("x", x), ("y", y))
        for i, value in enumerate(series)
    ]
    return pd.DataFrame(rows)


def test_a_correlation_uses_the_questions_that_both_answered() -> None:
    items = _pairs([1, 2, 3, np.nan, 5], [2, 4, 6, 8, np.nan])
    rows = estimate_correlations(
        items, ["x", "y"], item_key="question_id", subset="s", metric="m", settings=SETTINGS
    )
    assert [(row["system"], row["versus"]) for row in rows] == [("x", "y"), ("y", "x")]
    assert [row["mean"] for row in rows] == [pytest.approx(1.0)] * 2
    assert (rows[0]["n"], rows[0]["n_missing"]) == (3, 2)
    assert rows[0]["metric"] == "pearson_m"


def test_a_correlation_with_a_constant_series_is_null_with_a_reason() -> None:
    (row, _) = estimate_correlations(
        _pairs([1, 2, 3], [5, 5, 5]),
        ["x", "y"],
        item_key="question_id",
        subset="s",
        metric="m",
        settings=SETTINGS,
    )
    assert (row["mean"], row["reason"]) == (None, "constant")


def test_an_absent_system_has_its_place_in_the_grid_of_correlations() -> None:
    rows = estimate_correlations(
        _pairs([1, 2, 3], [3, 1, 2]),
        ["x", "z"],
        item_key="question_id",
        subset="s",
        metric="m",
        settings=SETTINGS,
    )
    assert [(row["mean"], row["n"]) for row in rows] == [(None, 0), (None, 0)]


def test_table_7_keeps_the_questions_that_the_named_student_answered() -> None:
    ids = [f"k/s{i}/questions_by_GOLD_PRIMARY#000" for i in range(3)]
    scores = pd.DataFrame(
        [
            {
                "question_id": question,
                "student": student,
                "submission": "P",
                "metric": "rouge_l_recall",
                "value": value,
                "status": "ok" if value == value else "no_answer",
            }
            for student, values in (("x", [0.5, np.nan, 0.7]), ("y", [0.1, 0.9, np.nan]))
            for question, value in zip(ids, values, strict=True)
        ]
    )
    systems = pd.DataFrame(
        {"system": ["sx", "sy"], "role": "student", "team": ["x", "y"], "submission": "P"}
    )
    sections = pd.DataFrame(
        {"section_id": [f"k/s{i}" for i in range(3)], "kind": "k", "sub_kind": None}
    )
    questions = pd.DataFrame(
        {
            "question_id": ids,
            "section_id": sections["section_id"],
            "teacher": "GOLD",
            "submission": "PRIMARY",
        }
    )
    found = estimate_rouge(
        scores, systems, sections, questions, [Group("all", "all")], "sx", SETTINGS
    )
    means = {
        (row["system"], row["subset"]): (row["mean"], row["n"], row["n_imputed"])
        for row in found.means
    }
    assert means == {
        ("sx", "all"): (pytest.approx(0.4), 3, 1),
        ("sy", "all"): (pytest.approx(1 / 3), 3, 1),
        ("sx", ANSWERED): (pytest.approx(0.6), 2, 0),
        ("sy", ANSWERED): (pytest.approx(0.05), 2, 1),
    }
