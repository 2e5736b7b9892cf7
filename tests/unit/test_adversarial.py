"""Adversarial variants: seeded, in disorder but complete, each with its origin."""

import unicodedata
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import regex
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sensemaking.adversarial.answers import (
    INJECTIONS,
    SCENARIOS,
    answer_variants,
    shown_instead,
)
from sensemaking.adversarial.choosing import Pool, ring
from sensemaking.adversarial.questions import prefer_released, question_variants, with_origins
from sensemaking.adversarial.shuffling import shuffle_both, shuffle_letters, shuffle_words
from sensemaking.ids import VARIANTS, SetName
from sensemaking.io.artifacts import to_table
from sensemaking.io.sentence_list import read_sentences
from sensemaking.questions import question_row, reference_answers
from sensemaking.schemas import ANSWERS, QUESTIONS
from sensemaking.seeds import generator

REPOSITORY = Path(__file__).resolve().parents[2]
SENTENCES = ["The kettle boils.", "Nobody came to the door.", "It rained all day long."]

texts = st.text(st.characters(exclude_categories=["Cs"])).map(
    lambda text: unicodedata.normalize("NFC", text)
)
seeds = st.integers(0, 2**32)


def rng(seed: int = 0) -> np.random.Generator:
    return generator(seed, "test")


# Shuffling


@settings(deadline=None)
@given(texts, seeds)
@example("a b", 0)
@example("a a a b", 0)
def test_shuffled_words_are_the_same_words_in_another_order(text: str, seed: int) -> None:
    shuffled = shuffle_words(text, rng(seed))
    assert Counter(shuffled.split()) == Counter(text.split())
    assert (shuffled == text) == (len(set(text.split())) < 2)


@settings(deadline=None)
@given(texts, seeds)
def test_shuffled_words_leave_the_white_space_in_its_place(text: str, seed: int) -> None:
    shuffled = shuffle_words(text, rng(seed))
    assert regex.split(r"\S+", shuffled) == regex.split(r"\S+", text)


@settings(deadline=None)
@given(texts, seeds)
@example("Don't!", 0)
@example("a'b", 0)
@example("Їжак їсть м'ятні яблука.", 1)
@example("q̈e q̈u", 2)
def test_shuffled_letters_are_the_letters_of_their_word(text: str, seed: int) -> None:
    shuffled = shuffle_letters(text, rng(seed))
    assert len(shuffled) == len(text)
    before = regex.findall(r"\p{L}[\p{L}\p{M}'’ʼ]*", text)
    after = regex.findall(r"\p{L}[\p{L}\p{M}'’ʼ]*", shuffled)
    assert [Counter(regex.findall(r"\p{L}\p{M}*", word)) for word in after] == [
        Counter(regex.findall(r"\p{L}\p{M}*", word)) for word in before
    ]
    for one, other in zip(before, after, strict=True):
        letters = regex.findall(r"\p{L}\p{M}*", one)
        assert (one == other) == (len(set(letters)) < 2)


@settings(deadline=None)
@given(texts, seeds)
def test_shuffled_letters_leave_all_other_signs_in_their_places(text: str, seed: int) -> None:
    def signs(value: str) -> list[tuple[int, str]]:
        clusters = regex.findall(r"\p{L}\p{M}*|[^\p{L}]", value)
        return [(place, c) for place, c in enumerate(clusters) if not regex.match(r"\p{L}", c)]

    assert signs(shuffle_letters(text, rng(seed))) == signs(text)


@settings(deadline=None)
@given(texts, seeds)
@example("ab ba", 0)
@example("ab ba", 1)
@example("ab ba", 2)
@example("aa bb", 3)
@example("a a", 4)
def test_shuffled_words_and_letters_never_give_the_text_back_where_they_need_not(
    text: str, seed: int
) -> None:
    shuffled = shuffle_both(text, rng(seed))
    words = regex.findall(r"\p{L}[\p{L}\p{M}'’ʼ]*", text)
    movable = len(set(text.split())) > 1 or any(
        len(set(regex.findall(r"\p{L}\p{M}*", word))) > 1 for word in words
    )
    assert (shuffled != text) == movable
    assert Counter(shuffled) == Counter(text)


def test_each_order_of_three_words_but_the_given_one_is_drawn() -> None:
    found = {shuffle_words("a b c", rng(seed)) for seed in range(200)}
    assert found == {"a c b", "b a c", "b c a", "c a b", "c b a"}


@pytest.mark.parametrize("text", ["", " ", "word", "42", "a a", "?!"])
def test_a_text_without_another_order_comes_back(text: str) -> None:
    assert shuffle_words(text, rng()) == text


# Choosing


def test_a_candidate_that_is_added_moves_only_what_it_wins() -> None:
    few = Pool([f"c{number}" for number in range(50)])
    more = Pool([f"c{number}" for number in range(51)])
    moved = 0
    for item in range(500):
        before = few.ids[next(few.ranked(generator(1, "p", str(item))))]
        after = more.ids[next(more.ranked(generator(1, "p", str(item))))]
        moved += before != after
        assert after in (before, "c50")
    assert 0 < moved < 40


def test_every_candidate_is_chosen_about_equally_often() -> None:
    pool = Pool([f"c{number}" for number in range(10)])
    found = Counter(next(pool.ranked(generator(1, "p", str(item)))) for item in range(5000))
    assert min(found.values()) > 400
    assert max(found.values()) < 600


def test_candidates_are_ranked_once_each_and_only_if_allowed() -> None:
    pool = Pool([f"c{number}" for number in range(6)])
    assert sorted(pool.ranked(rng())) == [0, 1, 2, 3, 4, 5]
    allowed = np.array([True, False, True, False, False, True])
    assert sorted(pool.ranked(rng(), allowed)) == [0, 2, 5]
    assert list(pool.ranked(rng(), np.zeros(6, dtype=np.bool_))) == []
    assert list(Pool([]).ranked(rng())) == []


@settings(deadline=None)
@given(st.sets(st.text(min_size=1), max_size=12), seeds)
def test_a_ring_gives_each_another_one_and_each_once(ids: set[str], seed: int) -> None:
    found = ring(sorted(ids), lambda name: float(generator(seed, "r", name).random()))
    if len(ids) < 2:
        assert found == {}
    else:
        assert set(found) == set(found.values()) == ids
        assert all(one != other for one, other in found.items())


def test_a_section_that_is_added_to_a_ring_moves_one_other() -> None:
    names = [f"s{number}" for number in range(20)]
    weights = {name: float(generator(1, "r", name).random()) for name in [*names, "new"]}
    before, after = ring(names, weights.__getitem__), ring([*names, "new"], weights.__getitem__)
    assert sum(after[name] != before[name] for name in names) == 1


# Questions

KINDS = {"one/a": "one", "one/b": "one", "two/a": "two", "two/b": "two"}


def question_set(section: str, n: int = 3, team: str = "Blue") -> list[dict[str, Any]]:
    return [
        question_row(
            section,
            SetName(team, "PRIMARY", "genuine"),
            place,
            question=f"What is thing {place} of {section} about ({team})?",
            references=[f"It is about {place}."],
        )
        for place in range(n)
    ]


GENUINE = [row for section in KINDS for row in question_set(section)]


def variants(rows: list[dict[str, Any]], seed: int = 1, **more: Any) -> dict[str, dict[str, Any]]:
    made = question_variants(rows, KINDS, SENTENCES, seed, **more)
    return {row["question_id"]: row for row in made}


def test_every_genuine_question_has_each_variant_with_its_origin() -> None:
    made = variants(GENUINE)
    assert to_table(QUESTIONS, list(made.values())).num_rows == len(GENUINE) * len(VARIANTS)
    for row in made.values():
        origin = row["question_id"].replace(f"SHUFFLED{row['variant']}", "")
        assert row["origin_question_id"] == origin
        assert row["status"] == "ok"


def test_shuffled_questions_keep_their_references_and_replaced_ones_have_none() -> None:
    for row in variants(GENUINE).values():
        assert bool(row["references"]) == (row["variant"] in ("W", "C", "WC"))


def test_a_replaced_question_is_of_the_same_team_and_another_kind() -> None:
    rows = [*GENUINE, *question_set("two/a", team="Green")]
    origins = {row["question"]: row for row in rows}
    drawn = [row for row in variants(rows).values() if row["variant"] == "Q"]
    found = [row for row in drawn if row["question"] is not None]
    assert len(found) == len(GENUINE)
    for row in found:
        origin = origins[row["question"]]
        assert KINDS[origin["section_id"]] != KINDS[row["section_id"]]
        assert origin["teacher"] == row["teacher"]


def test_a_team_with_one_kind_has_no_question_of_another_to_put_in() -> None:
    drawn = variants(question_set("one/a"), codes=["Q"]).values()
    assert {(row["question"], row["status"]) for row in drawn} == {(None, "no_other_kind")}


@pytest.mark.parametrize("code", ["RT", "Q"])
def test_no_text_stands_twice_in_a_set_while_another_is_left(code: str) -> None:
    for seed in range(20):
        drawn = variants(GENUINE, seed, codes=[code]).values()
        per_set = Counter((row["section_id"], row["question"]) for row in drawn)
        assert max(per_set.values()) == 1


def test_a_set_longer_than_the_list_takes_sentences_again() -> None:
    drawn = variants(question_set("one/a", n=5), codes=["RT"]).values()
    assert {row["question"] for row in drawn} <= set(SENTENCES)
    assert all(row["status"] == "ok" for row in drawn)


def test_the_draws_depend_on_seed_and_question_alone() -> None:
    made = variants(GENUINE)
    assert variants(list(reversed(GENUINE))) == made
    assert variants(GENUINE, 2) != made


def test_equal_questions_in_two_places_are_shuffled_apart() -> None:
    text = "one two three four five six seven eight nine ten"
    rows = [
        question_row(
            section, SetName("Blue", "PRIMARY", "genuine"), 0, question=text, references=()
        )
        for section in KINDS
    ]
    for code in ("W", "C", "WC", "RT"):
        drawn = variants(rows, codes=[code]).values()
        assert len({row["question"] for row in drawn}) > 1


def test_a_section_that_is_added_moves_no_draw_of_its_kind() -> None:
    kinds = {**KINDS, "one/c": "one"}
    rows = [*GENUINE, *question_set("one/c")]
    made = {row["question_id"]: row for row in question_variants(rows, kinds, SENTENCES, 1)}
    for identifier, row in variants(GENUINE).items():
        if row["variant"] != "Q" or KINDS[row["section_id"]] == "one":
            assert made[identifier] == row


def test_a_question_without_another_order_is_marked_unchanged() -> None:
    row = question_row(
        "one/a", SetName("Blue", "PRIMARY", "genuine"), 0, question="Why?", references=()
    )
    found = {r["variant"]: r["status"] for r in variants([row], codes=["W", "C"]).values()}
    assert found == {"W": "unchanged", "C": "ok"}


def test_a_question_without_a_text_keeps_its_place_and_status() -> None:
    row = question_row(
        "one/a",
        SetName("Blue", "PRIMARY", "genuine"),
        0,
        question=None,
        references=(),
        status="blank",
    )
    found = variants([row]).values()
    assert {(r["question"], r["status"], r["position"]) for r in found} == {(None, "blank", 0)}


def test_adversarial_questions_are_made_of_genuine_ones_only() -> None:
    made = list(variants(GENUINE).values())
    assert variants([*GENUINE, *made]) == variants(GENUINE)


def test_an_unknown_variant_and_an_empty_list_are_refused() -> None:
    with pytest.raises(ValueError, match="unknown variant 'X'; known: W, C, WC, RT, Q"):
        question_variants(GENUINE, KINDS, SENTENCES, 1, codes=["X"])
    with pytest.raises(ValueError, match="RT needs unrelated sentences; found none"):
        question_variants(GENUINE, KINDS, [], 1)


def test_released_sets_win_over_made_ones() -> None:
    made = list(variants(GENUINE).values())
    released = [
        {**row, "question": "released"}
        for row in made
        if row["section_id"] == "one/a" and row["variant"] == "W"
    ]
    found = prefer_released(made, released)
    assert len(found) == len(made)
    assert sum(row["question"] == "released" for row in found) == 3
    assert all(
        row["question"] == "released"
        for row in found
        if row["section_id"] == "one/a" and row["variant"] == "W"
    )


def test_the_origin_of_a_released_set_of_another_length_is_not_known() -> None:
    released = [row for row in variants(GENUINE).values() if row["section_id"] == "one/a"]
    bare = [{**row, "origin_question_id": None, "references": []} for row in released]
    assert all(row["origin_question_id"] for row in with_origins(bare, GENUINE))
    found = with_origins(bare, [row for row in GENUINE if row["position"] != 2])
    assert {row["origin_question_id"] for row in found} == {None}


# Answers

SECTION_ROWS = [
    {"section_id": section, "kind": kind, "text_en": "A text."} for section, kind in KINDS.items()
]
GOLDEN = reference_answers([row for section in KINDS for row in question_set(section, team="GOLD")])
GOLD_QUESTIONS = [row for section in KINDS for row in question_set(section, team="GOLD")]


def scenarios(rows: list[dict[str, Any]], seed: int = 1) -> dict[str, list[dict[str, Any]]]:
    made = answer_variants(rows, GOLD_QUESTIONS, SECTION_ROWS, seed)
    return {name: [row for row in made if row["scenario"] == name] for name in SCENARIOS}


def test_every_genuine_answer_has_each_scenario_with_its_origin() -> None:
    made = scenarios(GOLDEN)
    assert to_table(ANSWERS, [row for rows in made.values() for row in rows]).num_rows == len(
        GOLDEN
    ) * len(SCENARIOS)
    for name, rows in made.items():
        assert {row["origin_answer_id"] for row in rows} == {row["answer_id"] for row in GOLDEN}
        assert all(row["answer_id"].partition("_SCENARIO-")[2].startswith(name) for row in rows)
        assert all(row["status"] == "ok" for row in rows)


def test_the_answer_of_the_same_section_is_that_to_another_question() -> None:
    own = {row["question_id"]: row for row in GOLDEN}
    for row in scenarios(GOLDEN)["same-section"]:
        assert row["answer"] != own[row["question_id"]]["answer"]
        others = [r for r in GOLDEN if r["shown_section_id"] == row["shown_section_id"]]
        assert row["answer"] in {other["answer"] for other in others}


def test_a_swapped_section_is_another_one_of_the_kind_and_the_answer_stays() -> None:
    own = {row["answer_id"]: row for row in GOLDEN}
    for row in scenarios(GOLDEN)["swapped-section"]:
        origin = own[row["origin_answer_id"]]
        assert row["answer"] == origin["answer"]
        assert row["shown_section_id"] != origin["shown_section_id"]
        assert KINDS[row["shown_section_id"]] == KINDS[origin["shown_section_id"]]
        assert row["question_id"] == origin["question_id"]


def test_a_section_without_a_text_is_never_shown() -> None:
    rows = [*SECTION_ROWS, {"section_id": "one/c", "kind": "one", "text_en": None}]
    assert "one/c" not in {*shown_instead(rows, 1), *shown_instead(rows, 1).values()}


def test_empty_and_injected_answers_say_nothing_of_the_question() -> None:
    made = scenarios(GOLDEN)
    assert {row["answer"] for row in made["empty"]} == {""}
    assert {row["answer"] for row in made["injection"]} <= set(INJECTIONS)
    assert len({row["answer"] for row in made["injection"]}) > 1


def test_what_cannot_be_made_is_null_with_a_reason_or_marked_unchanged() -> None:
    rows = [row for row in GOLDEN if row["question_id"].startswith("one/a")][:1]
    rows = [{**rows[0], "answer": "Yes."}]
    alone = [row for row in SECTION_ROWS if row["section_id"] == "one/a"]
    made = answer_variants(rows, GOLD_QUESTIONS, alone, 1)
    assert {row["scenario"]: (row["answer"], row["status"]) for row in made} == {
        "same-section": (None, "no_other_answer"),
        "shuffled-words": ("Yes.", "unchanged"),
        "swapped-section": (None, "no_other_section"),
        "empty": ("", "ok"),
        "injection": (made[-1]["answer"], "ok"),
    }


def test_scenarios_depend_on_seed_and_answer_alone() -> None:
    made = scenarios(GOLDEN)
    for name, rows in scenarios(list(reversed(GOLDEN))).items():
        assert sorted(rows, key=lambda row: row["answer_id"]) == sorted(
            made[name], key=lambda row: row["answer_id"]
        )
    assert scenarios(GOLDEN, 2) != made


def test_only_genuine_answers_to_genuine_questions_are_made_variants_of() -> None:
    made = answer_variants(
        [{**GOLDEN[0], "scenario": "reference"}, {**GOLDEN[1], "answer": None, "status": "blank"}],
        GOLD_QUESTIONS,
        SECTION_ROWS,
        1,
    )
    assert made == []


def test_an_unknown_scenario_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown scenario 'loud'; known: same-section"):
        answer_variants(GOLDEN, GOLD_QUESTIONS, SECTION_ROWS, 1, scenarios=["loud"])


# The list of sentences


def test_the_list_has_300_different_plain_sentences() -> None:
    sentences = read_sentences(REPOSITORY / "resources" / "texts" / "unrelated_sentences.txt")
    assert len(sentences) >= 300
    assert len({sentence.casefold() for sentence in sentences}) == len(sentences)
    assert [s for s in sentences if not 6 <= len(s.split()) <= 20] == []
    assert [s for s in sentences if not regex.fullmatch(r"[A-Z][^?!]*\.", s)] == []


@pytest.mark.parametrize(
    ("content", "message"),
    [("", "no sentence"), (" \n\n", "no sentence"), ("A b.\nA b.\n", "twice")],
)
def test_a_list_without_sentences_or_with_one_twice_is_refused(
    tmp_path: Path, content: str, message: str
) -> None:
    path = tmp_path / "list.txt"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        read_sentences(path)
