"""What of a run a language model is asked about, and what stands for what is yet to be written."""

from typing import Any

import pytest

from sensemaking.baselines.llm_choice import asked_of_student, fits_any, graded_by_evaluator
from sensemaking.baselines.llm_expected import expected_answers, expected_questions, in_order


@pytest.mark.parametrize(
    ("section", "patterns", "fits"),
    [
        ("popular/video-1", ["*"], True),
        ("popular/video-1", ["popular/*"], True),
        ("popular/video-1", ["popular/video-2", "*-1"], True),
        ("Popular/video-1", ["popular/*"], False),
        ("popular/video-1", [], False),
    ],
)
def test_a_section_fits_one_of_the_patterns(section: str, patterns: list[str], fits: bool) -> None:
    assert fits_any(section, patterns) is fits


def question(section: str, variant: str) -> dict[str, Any]:
    return {"section_id": section, "variant": variant, "question": "Why?"}


def test_a_student_gets_all_genuine_questions_and_variants_of_the_named_sections() -> None:
    # Released variants stand among the questions of the materials, and again with the others.
    genuine = [question("k/a", "genuine"), question("k/b", "genuine"), question("k/a", "W")]
    variants = [question("k/a", "W"), question("k/b", "W")]
    assert asked_of_student(genuine, variants, ["k/b"]) == [*genuine[:2], variants[1]]
    assert asked_of_student(genuine, variants, []) == genuine[:2]


def test_an_evaluator_gets_variants_by_the_section_that_they_are_about() -> None:
    genuine = [{"answer_id": "k/a/answers_by_S_P_to_T_P#000", "shown_section_id": "k/a"}]
    swapped = {
        "answer_id": "k/a/answers_by_S_P_to_T_P_SCENARIO-swapped-section#000",
        "shown_section_id": "k/b",
    }
    assert graded_by_evaluator(genuine, [swapped], ["k/a"]) == [*genuine, swapped]
    assert graded_by_evaluator(genuine, [swapped], ["k/b"]) == genuine


def test_questions_to_come_have_a_stand_in_and_asked_ones_keep_their_text() -> None:
    sections = [
        {"section_id": "k/long", "text_en": "word " * 60},
        {"section_id": "k/none", "text_en": None},
    ]
    given = [
        {"question_id": "k/long/questions_by_T_P#001", "question": "Why?", "references": ["So."]},
        {"question_id": "k/long/questions_by_T_P#000", "question": None, "references": []},
    ]
    rows = expected_questions(sections, given, team="T", submission="P", number=3, span_words=20)
    # 60 words hold three spans of 20.
    assert [row["question_id"][-4:] for row in rows] == ["#000", "#001", "#002"]
    assert rows[1]["question"] == "Why?"
    assert [len(row["question"].split()) for row in rows] == [20, 1, 20]
    assert len({row["question"] for row in rows}) == 3


def test_each_genuine_question_with_a_text_has_an_answer_to_come() -> None:
    asked: list[dict[str, Any]] = [
        {"teacher": "T", "submission": "P", "position": n, "section_id": "k/a"}
        | {"question_id": f"q{n}", "question": text, "variant": variant}
        for n, (text, variant) in enumerate([("Why?", "genuine"), (None, "genuine"), ("W", "W")])
    ]
    (row,) = expected_answers(asked, [], team="S", submission="P")
    assert row["answer_id"] == "k/a/answers_by_S_P_to_T_P#000"
    assert len(row["answer"].split()) == 20
    given = [{"question_id": "q0", "answer": "So."}]
    (row,) = expected_answers(asked, given, team="S", submission="P")
    assert row["answer"] == "So."


def test_teachers_are_asked_before_students_and_those_before_evaluators() -> None:
    systems = [{"role": role} for role in ("evaluator", "student", "teacher")]
    assert [one["role"] for one in in_order(systems)] == ["teacher", "student", "evaluator"]
