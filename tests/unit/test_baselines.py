"""The programmatic baselines."""

import numpy as np
import pytest

from sensemaking.baselines.content_words import content_words
from sensemaking.baselines.evaluator_rows import rate
from sensemaking.baselines.evaluators import overlap
from sensemaking.baselines.student_rows import answer
from sensemaking.baselines.students import best_sentence, lead_sentence
from sensemaking.baselines.teacher_rows import ask
from sensemaking.baselines.teachers import cloze, lead

SENTENCES = [
    "Bees collect nectar from many flowers every day.",
    "Go!",
    "The hive stores golden honey for the winter months.",
    "Old lighthouses warn passing ships of dangerous rocks.",
]


def _section(text: str | None = " ".join(SENTENCES), name: str = "k/s") -> dict[str, object]:
    return {"section_id": name, "text_en": text}


def _question(text: str | None, position: int, section: str = "k/s") -> dict[str, object]:
    return {
        "question_id": f"{section}/questions_by_GOLD_PRIMARY#{position:03d}",
        "section_id": section,
        "teacher": "GOLD",
        "submission": "PRIMARY",
        "variant": "genuine",
        "position": position,
        "question": text,
    }


def test_content_words_are_the_words_that_are_no_stop_words_as_written() -> None:
    assert content_words("The hive doesn’t store IT, but honey.") == ["hive", "store", "honey"]


def test_a_cloze_question_with_its_answer_put_back_is_a_sentence_of_the_text() -> None:
    asked = cloze(SENTENCES, 3, seed=5, section_id="k/s")
    assert len(asked) == 3
    restored = [q.question.partition("? ")[2].replace("____", q.reference) for q in asked]
    assert restored == [SENTENCES[0], SENTENCES[2], SENTENCES[3]]
    for question in asked:
        assert question.question.count("____") == 1
        assert len(question.reference) >= 4
        assert content_words(question.reference) == [question.reference]


def test_cloze_questions_depend_on_the_seed_and_the_section_alone() -> None:
    assert cloze(SENTENCES, 2, 5, "k/s") == cloze(SENTENCES, 2, 5, "k/s")
    drawn = {cloze(SENTENCES, 1, seed, "k/s")[0] for seed in range(30)}
    assert len(drawn) > 3


def test_a_text_with_few_usable_sentences_gets_few_cloze_questions() -> None:
    assert len(cloze(SENTENCES, 50, 1, "k/s")) == 3
    assert cloze(["Go!", "It is so."], 5, 1, "k/s") == []


def test_lead_asks_about_the_first_sentences_that_have_a_content_word() -> None:
    asked = lead(["It is.", *SENTENCES], 3)
    assert [q.question for q in asked] == [
        "What is said about Bees, collect and nectar?",
        "What is said about Go?",
        "What is said about hive, stores and golden?",
    ]
    assert [q.reference for q in asked] == [SENTENCES[0], "Go!", SENTENCES[2]]


def test_the_best_sentence_shares_most_with_the_question_and_the_earliest_wins_a_tie() -> None:
    questions = ["What do bees collect?", "Where is honey in winter?", "What quantum number?", "??"]
    assert best_sentence(SENTENCES, questions) == [SENTENCES[0], SENTENCES[2], None, None]
    assert best_sentence(["Red cats sleep.", "Red dogs sleep."], ["Who is red?"]) == [
        "Red cats sleep."
    ]


def test_a_text_without_sentences_gives_no_answer() -> None:
    assert best_sentence([], ["Why?"]) == [None]
    assert best_sentence(["It is."], ["Is it?"]) == [None]
    assert lead_sentence([], ["Why?"]) == [None]
    assert lead_sentence(SENTENCES, ["Why?", "How?"]) == [SENTENCES[0]] * 2


def test_overlap_is_the_share_of_the_answer_that_stands_in_the_text_in_order() -> None:
    text = " ".join(SENTENCES)
    ratings = overlap([text] * 4, ["Bees collect honey", "honey bees zzz", "zzz", "?!"])
    assert ratings[:3].tolist() == pytest.approx([100.0, 100 / 3, 0.0])
    assert np.isnan(ratings[3])


def test_a_teacher_asks_nothing_about_a_section_without_an_english_text() -> None:
    rows = ask([_section(None), _section(name="k/t")], "lead", "lead", "PRIMARY", number=2, seed=1)
    assert [row["question_id"] for row in rows] == [
        "k/t/questions_by_lead_PRIMARY#000",
        "k/t/questions_by_lead_PRIMARY#001",
    ]
    assert [row["references"] for row in rows] == [[SENTENCES[0]], ["Go!"]]


def test_a_student_that_finds_nothing_and_one_that_has_no_text_are_told_apart() -> None:
    rows = answer(
        [_section(), _section(None, "k/t")],
        [
            _question("What do bees collect?", 0),
            _question("Which quantum?", 1),
            _question(None, 2),
            _question("What?", 0, "k/t"),
        ],
        "best-sentence",
        "me",
        "PRIMARY",
    )
    assert [(row["answer"], row["answerable"], row["status"]) for row in rows] == [
        (SENTENCES[0], True, "ok"),
        (None, False, "no_answer"),
        (None, None, "no_text_en"),
    ]
    assert rows[0]["answer_id"] == "k/s/answers_by_me_PRIMARY_to_GOLD_PRIMARY#000"


def test_an_adversarial_question_is_not_answered_by_a_baseline() -> None:
    odd = {**_question("collect bees do What", 0), "variant": "W"}
    assert answer([_section()], [odd], "lead-sentence", "me", "PRIMARY") == []


def test_ratings_are_null_with_a_reason_where_nothing_can_be_compared() -> None:
    answers = [
        {"answer_id": f"a{i}", "shown_section_id": section, "answer": text}
        for i, (section, text) in enumerate(
            [("k/s", "Bees collect"), ("k/s", "—"), ("k/t", "Bees"), ("k/s", None)]
        )
    ]
    rows = rate([_section(), _section(None, "k/t")], answers, "overlap", "me", "PRIMARY")
    assert [(row["answer_id"], row["rating"], row["status"]) for row in rows] == [
        ("a0", 100.0, "ok"),
        ("a1", None, "answer_without_words"),
        ("a2", None, "no_text_en"),
    ]
    assert [row["raw"] for row in rows] == ["100.0", None, None]


def test_an_unknown_engine_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match="known: overlap"):
        rate([], [], "oracle", "me", "PRIMARY")
    with pytest.raises(ValueError, match="known: cloze, lead"):
        ask([_section()], "oracle", "me", "PRIMARY", number=1, seed=1)
