"""Judges as functions from a document to tables of answers."""

import math

import numpy as np
import pytest

from sensemaking.verifiable import (
    CRITERIA,
    Answer,
    Document,
    Noisy,
    Recorded,
    answers_from_values,
    answers_of,
    documents,
    facts,
    generate,
    jury,
    length,
    overlap,
    recount,
    truth_of,
)
from sensemaking.verifiable.judges import answers_from_log_odds

DATA = generate(documents=3)
COUNTS = recount(DATA)
DOCUMENTS = documents(DATA)
SMALL = Document(
    "X",
    ("a", "b", "c"),
    source="Mab is red. Nub is blue. Pog is green.",
    texts=("Mab is red. Nub is pink.", "Mab is red.", "Mab is red. Nub is blue. Pog is green."),
)
OFF = ~np.eye(3, dtype=bool)


def sigmoid(x: float) -> float:
    return 1 / (1 + math.exp(-x))


def test_facts_counts_sentences_that_the_report_does_not_hold():
    q = facts(SMALL)
    assert q["accuracy"][0, 1] == pytest.approx(sigmoid(-1), abs=1e-6)
    assert q["accuracy"][1, 2] == 0.5
    assert q["completeness"][0, 1] == pytest.approx(sigmoid(1), abs=1e-6)
    assert q["completeness"][1, 2] == pytest.approx(sigmoid(-2), abs=1e-6)
    assert np.isnan(np.diag(q["accuracy"])).all()


@pytest.mark.parametrize("criterion", CRITERIA)
def test_facts_prefers_the_truly_better_summary_of_each_pair(criterion):
    for document in DOCUMENTS:
        truth = truth_of(COUNTS, criterion, document.document, document.items)
        q = facts(document)[criterion]
        off = ~np.eye(12, dtype=bool)
        better = np.sign(truth[:, None] - truth[None, :])
        np.testing.assert_array_equal(np.sign(q[off] - 0.5), better[off])


def test_length_prefers_the_longer_summary_whatever_is_asked():
    q = length(SMALL)
    np.testing.assert_array_equal(q["accuracy"], q["completeness"])
    assert q["accuracy"][0, 1] == pytest.approx(sigmoid(0.3), abs=1e-6)
    assert q["accuracy"][2, 0] == pytest.approx(sigmoid(0.3), abs=1e-6)


def test_overlap_prefers_the_larger_jaccard_index_whatever_is_asked():
    q = overlap(SMALL)
    # Types: source 7, first 5 of which 4 shared, second 3 shared of 3, third all 7.
    first, second, third = 4 / 8, 3 / 7, 1.0
    assert q["completeness"][0, 1] == pytest.approx(sigmoid(10 * (first - second)), abs=1e-6)
    assert q["completeness"][2, 0] == pytest.approx(sigmoid(10 * (third - first)), abs=1e-6)
    np.testing.assert_array_equal(q["accuracy"], q["completeness"])


def test_noisy_without_errors_and_position_is_facts():
    for document in DOCUMENTS:
        for criterion in CRITERIA:
            np.testing.assert_array_equal(
                Noisy(1, error=0.0, position=0.0)(document)[criterion], facts(document)[criterion]
            )


def test_noisy_with_only_errors_turns_every_answer_round():
    q = Noisy(1, error=1.0, position=0.0)(SMALL)["completeness"]
    np.testing.assert_allclose(q[OFF], 1 - facts(SMALL)["completeness"][OFF])


def test_noisy_makes_about_as_many_errors_as_asked_for():
    turned = []
    for document in DOCUMENTS:
        clean, noisy = Noisy(3, error=0.0)(document), Noisy(3, error=0.2)(document)
        off = ~np.eye(12, dtype=bool)
        for criterion in CRITERIA:
            turned += (clean[criterion] != noisy[criterion])[off].tolist()
    # 792 draws: a standard deviation of 0.014.
    assert np.mean(turned) == pytest.approx(0.2, abs=0.05)


def test_noisy_prefers_the_place_that_it_is_told_to():
    q = Noisy(1, error=0.0, position=1.0)(SMALL)["accuracy"]
    assert q[1, 2] == q[2, 1] == pytest.approx(sigmoid(1), abs=1e-6)


def test_noisy_draws_for_a_pair_do_not_depend_on_the_other_items():
    fewer = Document("X", ("c", "a"), SMALL.source, (SMALL.texts[2], SMALL.texts[0]))
    for seed in range(20):
        whole = Noisy(seed, error=0.5)(SMALL)["accuracy"]
        assert Noisy(seed, error=0.5)(fewer)["accuracy"][0, 1] == whole[2, 0]


def test_another_seed_gives_other_errors():
    first, second = (Noisy(seed, error=0.5)(DOCUMENTS[0])["accuracy"] for seed in (1, 2))
    assert not np.array_equal(first, second, equal_nan=True)


@pytest.mark.parametrize(
    "settings", [{"seed": -1}, {"seed": 1, "error": 1.5}, {"seed": 1, "position": math.inf}]
)
def test_unusable_settings_of_noisy_are_refused(settings):
    with pytest.raises(ValueError, match="needs a seed"):
        Noisy(**settings)


@pytest.mark.parametrize("judge", [facts, length, overlap, Noisy(1)])
def test_a_document_without_texts_is_only_for_recorded_judges(judge):
    with pytest.raises(ValueError, match="X has no texts, so that only recorded judges"):
        judge(Document("X", ("a", "b")))


def rows() -> list[Answer]:
    return [
        Answer("X", "accuracy", "a", "b", 0.9, 0.2),
        Answer("X", "accuracy", "c", "a", 0.3, None),
        Answer("Y", "accuracy", "k", "l", 1.0, 1.0),
    ]


def test_recorded_answers_stand_where_their_items_do_in_any_order_of_rows():
    for answers in (rows(), rows()[::-1]):
        q = Recorded(answers)(Document("X", ("a", "b", "c")))
        np.testing.assert_array_equal(
            q["accuracy"], [[np.nan, 0.9, np.nan], [0.2, np.nan, np.nan], [0.3, np.nan, np.nan]]
        )
        assert np.isnan(q["completeness"]).all()
    assert Recorded(rows()).documents == ["X", "Y"]


def test_rows_and_tables_are_the_same_both_ways():
    document = DOCUMENTS[0]
    q = Noisy(2)(document)
    q["accuracy"][3, 5] = np.nan
    answers = [
        row for criterion in CRITERIA for row in answers_of(document, criterion, q[criterion])
    ]
    assert len(answers) == 2 * 66
    assert sum(row.q_ab is None for row in answers) == 1
    again = Recorded(answers)(document)
    for criterion in CRITERIA:
        np.testing.assert_array_equal(again[criterion], q[criterion])


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (Answer("X", "accuracy", "b", "a", 0.1, 0.1), "X accuracy b–a: the pair is there twice"),
        (Answer("X", "accuracy", "b", "b", 0.1, 0.1), "cannot be compared with itself"),
        (Answer("X", "style", "b", "c", 0.1, 0.1), "must be one of accuracy, completeness"),
        (Answer("X", "accuracy", "b", "c", 0.1, 1.1), "b–c: 1.1 is not a probability"),
    ],
)
def test_unusable_rows_are_refused_by_name(answer, message):
    with pytest.raises(ValueError, match=message):
        Recorded([*rows(), answer])


def test_a_row_about_an_unknown_item_is_refused_by_name():
    with pytest.raises(ValueError, match="'c', which is not a summary of X: a, b"):
        Recorded(rows())(Document("X", ("a", "b")))


def test_a_table_of_another_size_has_no_rows():
    with pytest.raises(ValueError, match="X has 3 items"):
        answers_of(SMALL, "accuracy", np.full((2, 2), 0.5))


def test_values_give_sure_answers_and_a_failed_one_leaves_its_pairs_out():
    q = answers_from_values([3, 5, np.nan, 3])
    nan = np.nan
    np.testing.assert_array_equal(
        q, [[nan, 0, nan, 0.5], [1, nan, nan, 1], [nan] * 4, [0.5, 0, nan, nan]]
    )


def test_log_odds_of_any_size_are_probabilities_without_a_warning():
    q = answers_from_log_odds([[-1e4, 0.0, 1e4, np.nan]])
    np.testing.assert_array_equal(q, [[0.0, 0.5, 1.0, np.nan]])


def test_a_jury_is_the_mean_before_symmetrising_and_missing_where_a_judge_is():
    one = np.array([[np.nan, 0.8], [0.5, np.nan]])
    other = np.array([[np.nan, 0.4], [np.nan, np.nan]])
    pooled = jury([one, other])
    assert pooled[0, 1] == pytest.approx(0.6)
    assert np.isnan(pooled[1, 0])


def test_a_jury_of_nobody_or_of_different_documents_is_refused():
    with pytest.raises(ValueError, match="found none"):
        jury([])
    with pytest.raises(ValueError, match="one shape"):
        jury([np.full((2, 2), 0.5), np.full((3, 3), 0.5)])
