"""From submissions to rows: statuses, policies of repairs, rescaling, valid share."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sensemaking.ids import SetName
from sensemaking.io.artifacts import to_table
from sensemaking.io.submission_model import Role, Submission
from sensemaking.io.submissions import read_bytes
from sensemaking.questions import question_row
from sensemaking.repairs import make_repair
from sensemaking.rescaling import rescale
from sensemaking.schemas import ANSWERS, FINDINGS, QUESTIONS, RATINGS
from sensemaking.submission_policy import reasons, under_policy, valid_share
from sensemaking.submission_rows import (
    answer_rows,
    asked_sets,
    excluded_questions,
    question_rows,
    rated_sets,
    rating_rows,
)

SECTION, OTHER = "kind/a", "kind/b"
BLUE = SetName("Blue", "PRIMARY", "genuine")
TEXTS = ["What is a token?", "Why are words split?", None]
QUESTION_ROWS = [
    question_row(
        SECTION, BLUE, place, question=text, references=["r"], status="ok" if text else "blank"
    )
    for place, text in enumerate(TEXTS)
]
ASKED = asked_sets(QUESTION_ROWS)
KEY = "kind/a/questions_by_Blue_PRIMARY.json"
RATED_KEY = "kind/a/answers_by_Red_PRIMARY_to_Blue_PRIMARY.json"


def read_value(value: Any, role: Role, known: Any = None) -> Submission:
    data = json.dumps(value).encode()
    return read_bytes(data, role, [SECTION, OTHER], known, file="team/file.json")


def student(items: Any) -> Submission:
    return read_value({KEY: items}, "student", {k: one.questions for k, one in ASKED.items()})


def student_rows(submission: Submission) -> list[dict[str, Any]]:
    return answer_rows(submission, "Red", "PRIMARY", ASKED)


ANSWER_ROWS = answer_rows(
    student([["What is a token?", "A part.", "A piece."], ["Why are words split?", "Rare ones."]]),
    "Red",
    "PRIMARY",
    ASKED,
)
RATED = rated_sets(ANSWER_ROWS, QUESTION_ROWS)


def evaluator(value: Any) -> Submission:
    return read_value(value, "evaluator", {k: one.questions for k, one in RATED.items()})


def statuses(rows: list[dict[str, Any]], column: str) -> list[tuple[Any, str]]:
    return [(row[column], row["status"]) for row in rows]


def test_what_was_asked_is_known_by_the_key_of_its_file() -> None:
    assert set(ASKED) == {KEY}
    assert ASKED[KEY].questions == (("What is a token?",), ("Why are words split?",), ())
    assert RATED[RATED_KEY].answer_ids == (
        "kind/a/answers_by_Red_PRIMARY_to_Blue_PRIMARY#000",
        "kind/a/answers_by_Red_PRIMARY_to_Blue_PRIMARY#001",
    )
    assert RATED[RATED_KEY].n_answers == (2, 1)


def test_a_question_in_two_languages_is_known_in_both() -> None:
    row = question_row(
        SECTION, BLUE, 0, question="Why?", references=(), question_original="Proč?", language="cs"
    )
    assert asked_sets([row])[KEY].questions == (("Why?", "Proč?"),)


def test_answers_to_a_swapped_section_lie_under_the_one_shown() -> None:
    row = {
        **ANSWER_ROWS[0],
        "answer_id": "kind/a/answers_by_Red_PRIMARY_to_Blue_PRIMARY_SCENARIO-swapped-section#000",
        "scenario": "swapped-section",
        "shown_section_id": OTHER,
    }
    assert set(rated_sets([row], QUESTION_ROWS)) == {
        "kind/b/answers_by_Red_PRIMARY_to_Blue_PRIMARY_SCENARIO-swapped-section.json"
    }


def test_the_questions_of_a_teacher_fit_the_artifact() -> None:
    found = read_value({SECTION: [["A?", "a"], [None, "b"], [True], "D?"]}, "teacher")
    rows = question_rows(found, "Blue", "PRIMARY")
    assert to_table(QUESTIONS, rows).num_rows == 4
    by_place = {row["position"]: row for row in rows}
    assert statuses([by_place[place] for place in range(4)], "question") == [
        ("A?", "ok"),
        (None, "blank"),
        (None, "invalid_item"),
        ("D?", "ok"),
    ]
    assert by_place[0]["references"] == ["a"]
    assert by_place[0]["question_id"] == "kind/a/questions_by_Blue_PRIMARY#000"


def test_questions_in_another_language_wait_for_their_translation() -> None:
    found = read_value({SECTION: [["Proč?", "Protože."]]}, "teacher")
    row = question_rows(found, "Blue", "PRIMARY", language="cs")[0]
    assert (row["question"], row["status"]) == (None, "not_translated")
    assert (row["question_original"], row["references_original"]) == ("Proč?", ["Protože."])
    assert to_table(QUESTIONS, [row]).num_rows == 1


def test_the_answers_of_a_student_fit_the_artifact() -> None:
    rows = student_rows(student([["What is a token?", None], ["Why are words split?", " "]]))
    assert to_table(ANSWERS, rows).num_rows == 2
    assert statuses(rows, "answer") == [(None, "no_answer"), (None, "blank")]
    assert rows[0]["question_id"] == "kind/a/questions_by_Blue_PRIMARY#000"
    assert rows[0]["answer_id"] == "kind/a/answers_by_Red_PRIMARY_to_Blue_PRIMARY#000"


def test_answers_to_other_questions_than_were_asked_are_a_stale_release() -> None:
    rows = student_rows(student([["What is a token?", "A part."], ["Why are words joined?", "x"]]))
    assert statuses(rows, "answer") == [
        ("A part.", "ok"),
        (None, "stale_release"),
        (None, "stale_release"),
    ]


def test_the_ratings_of_an_evaluator_fit_the_artifact() -> None:
    found = evaluator({RATED_KEY: [[85, "bad"], [None, 20]]})
    made = rating_rows(found, "Green", "PRIMARY", RATED, "none")
    assert to_table(RATINGS, made.rows).num_rows == 4
    assert [(r["answer_index"], r["raw"], r["rating"], r["status"]) for r in made.rows] == [
        (0, "85", 85.0, "ok"),
        (1, '"bad"', None, "invalid_rating"),
        (0, "null", None, "no_rating"),
        (1, "20", None, "extra_rating"),
    ]


def test_an_answer_without_a_rating_has_a_row_that_says_so() -> None:
    made = rating_rows(evaluator({}), "Green", "PRIMARY", RATED, "none")
    assert statuses(made.rows, "rating") == [(None, "no_rating"), (None, "no_rating")]
    assert made.share_rescaled is None


def test_ratings_of_a_file_that_has_changed_are_a_stale_release() -> None:
    found = evaluator({RATED_KEY: [[85], [20]]})
    made = rating_rows(found, "Green", "PRIMARY", RATED, "none", stale={RATED_KEY})
    assert statuses(made.rows, "rating") == [(None, "stale_release"), (None, "stale_release")]


def test_ratings_that_are_not_as_many_as_the_answers_are_a_stale_release() -> None:
    made = rating_rows(evaluator({RATED_KEY: [[85]]}), "Green", "PRIMARY", RATED, "none")
    assert statuses(made.rows, "rating") == [(None, "stale_release"), (None, "stale_release")]


def test_findings_of_a_submission_fit_the_artifact() -> None:
    found = read_value({"nowhere": 1, SECTION: [[True], ["A?", 7]]}, "teacher")
    assert to_table(FINDINGS, [finding.row() for finding in found.findings]).num_rows > 3


# Rescaling


def test_each_rating_of_at_most_1_is_multiplied_and_counted() -> None:
    made = rescale([0.85, 1, 0, 40, None, 1.0001], "each")
    assert made.ratings == (85.0, 100, 0, 40, None, 1.0001)
    assert made.changed == (True, True, False, False, False, False)
    assert (made.n, made.n_valid, made.share) == (2, 5, 0.4)


def test_a_reply_is_multiplied_only_if_it_is_small_and_not_whole() -> None:
    made = rescale([0.5, 1, 1, 0, 0.5, 60, 0], "reply", [*"aabbccd"])
    assert made.ratings == (50.0, 100, 1, 0, 0.5, 60, 0)
    assert made.n == 2


def test_without_rescaling_every_rating_stays() -> None:
    assert rescale([0.5, None, 100], "none").ratings == (0.5, None, 100)
    assert rescale([0.5, None, 100], "none").n == 0


@pytest.mark.parametrize("mode", ["each", "reply", "none"])
def test_of_no_ratings_no_share_is_made(mode: Any) -> None:
    assert rescale([], mode, []).share is None
    assert rescale([None], mode, ["a"]).share is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([101], "each"), "a rating must be from 0 to 100, found 101"),
        (([-1], "none"), "a rating must be from 0 to 100, found -1"),
        (([float("nan")], "each"), "a rating must be from 0 to 100, found nan"),
        (([1], "all"), "unknown mode 'all'; known: each, reply, none"),
        (([1], "reply"), "needs the reply of each rating"),
        (([1], "reply", ["a", "b"]), "needs the reply of each rating"),
    ],
)
def test_what_cannot_be_rescaled_is_refused(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        rescale(*arguments)


@settings(deadline=None)
@given(st.lists(st.none() | st.floats(0, 100)), st.sampled_from(["each", "reply", "none"]))
def test_rescaled_ratings_stay_on_the_scale_and_in_their_places(
    ratings: list[float | None], mode: Any
) -> None:
    made = rescale(ratings, mode, ["one reply"] * len(ratings))
    for before, after, changed in zip(ratings, made.ratings, made.changed, strict=True):
        assert (before is None) == (after is None)
        if before is not None and after is not None:
            assert 0 <= after <= 100
            assert changed == (after != before)


def test_rows_say_which_ratings_were_multiplied() -> None:
    found = evaluator({RATED_KEY: [[0.85], [20]]})
    made = rating_rows(found, "Green", "PRIMARY", RATED, "each")
    assert [(row["raw"], row["rating"], row["rescaled"]) for row in made.rows] == [
        ("0.85", 85.0, True),
        ("20", 20.0, False),
    ]
    assert (made.n_rescaled, made.share_rescaled) == (1, 0.5)


def test_a_reply_is_one_file_of_answers() -> None:
    found = evaluator({RATED_KEY: [[0.85], [20]]})
    assert rating_rows(found, "Green", "PRIMARY", RATED, "reply").n_rescaled == 0


# Policies


REPAIRED = [["What is a token?", 7], ["Why are words split?", "Rare ones."]]


def test_repaired_items_count_when_repairs_are_applied() -> None:
    found = under_policy(student(REPAIRED), "apply")
    assert statuses(student_rows(found), "answer") == [("7", "ok"), ("Rare ones.", "ok")]


def test_repaired_items_are_not_given_when_repairs_are_refused() -> None:
    found = under_policy(student(REPAIRED), "refuse")
    rows = sorted(student_rows(found), key=lambda row: row["answer_id"])
    assert statuses(rows, "answer") == [(None, "repair_refused"), ("Rare ones.", "ok")]
    assert excluded_questions(found, ASKED) == set()


def test_repaired_items_are_left_out_on_all_sides_when_they_are_excluded() -> None:
    found = under_policy(student(REPAIRED), "exclude")
    assert statuses(student_rows(found), "answer") == [("Rare ones.", "ok")]
    assert excluded_questions(found, ASKED) == {"kind/a/questions_by_Blue_PRIMARY#000"}


def test_excluded_ratings_have_no_row() -> None:
    found = under_policy(evaluator({RATED_KEY: [["85"], [20]]}), "exclude")
    made = rating_rows(found, "Green", "PRIMARY", RATED, "none")
    assert statuses(made.rows, "rating") == [(20.0, "ok")]


def test_one_repair_can_be_undone_by_its_hash() -> None:
    found = student([["What is a token?", 7], ["Why are words split?", 8]])
    first = next(repair for repair in found.repairs if repair.before == "7")
    undone = under_policy(found, "apply", undone=[first.hash])
    rows = sorted(student_rows(undone), key=lambda row: row["answer_id"])
    assert statuses(rows, "answer") == [(None, "repair_refused"), ("8", "ok")]


@pytest.mark.parametrize(("policy", "n_items"), [("apply", 2), ("exclude", 2), ("refuse", 0)])
def test_a_file_that_only_a_repair_makes_readable_is_refused_as_submitted(
    policy: Any, n_items: int
) -> None:
    text = json.dumps({SECTION: ["A?", "B?"]})
    found = read_bytes(f"```{text}```".encode(), "teacher", [SECTION], file="file.json")
    assert len(under_policy(found, policy).items) == n_items


def test_a_slip_of_syntax_in_an_item_belongs_to_that_item() -> None:
    data = b'{"kind/a": [["A?",], ["B?"]]}'
    found = read_bytes(data, "teacher", [SECTION], file="file.json")
    assert [bool(item.repairs) for item in found.items] == [True, False]
    assert [item.position for item in under_policy(found, "exclude").items] == [1]


def test_a_slip_of_syntax_between_items_belongs_to_all_of_the_list() -> None:
    data = b'{"kind/a": [["A?"] ["B?"]], "kind/b": [["C?"]]}'
    found = read_bytes(data, "teacher", [SECTION, OTHER], file="file.json")
    assert [item.section_id for item in under_policy(found, "exclude").items] == [OTHER]


def test_an_excluded_answer_is_no_stale_release() -> None:
    found = student([["What is a token?", 7], ["Why are words joined?", "x"]])
    rows = student_rows(under_policy(found, "exclude"))
    assert {row["question_id"][-1] for row in rows} == {"1", "2"}


def test_a_repair_of_a_key_belongs_to_all_its_items() -> None:
    data = json.dumps({"kind\\a": ["A?", "B?"], OTHER: ["C?"]}).encode()
    found = read_bytes(data, "teacher", [SECTION, OTHER], file="file.json")
    assert [item.section_id for item in under_policy(found, "exclude").items] == [OTHER]


def test_an_unknown_policy_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown policy 'undo'; known: apply, exclude, refuse"):
        under_policy(student(REPAIRED), "undo")  # type: ignore[arg-type]


def test_a_repair_is_a_patch_with_its_place_and_both_sides() -> None:
    found = student(REPAIRED)
    repair = found.repairs[0]
    assert (repair.file, repair.rule) == ("team/file.json", "number_for_text")
    assert repair.json_pointer == "/kind~1a~1questions_by_Blue_PRIMARY.json/0/1"
    assert (repair.before, repair.after) == ("7", '"7"')
    assert found.items[0].repairs == (repair.hash,)


def test_every_part_of_a_repair_counts_for_its_hash() -> None:
    parts = ["file", "/a", "rule", "1", '"1"']
    hashes = {make_repair(*parts).hash}
    for place in range(5):
        changed = [*parts]
        changed[place] += "x"
        hashes.add(make_repair(*changed).hash)
    assert len(hashes) == 6


def test_a_long_repair_is_shown_short_and_hashed_whole() -> None:
    one = make_repair("file", "/a", "rule", "x" * 5000 + "1", "y")
    other = make_repair("file", "/a", "rule", "x" * 5000 + "2", "y")
    assert len(one.before) < 2100
    assert one.before == other.before
    assert one.hash != other.hash


# Valid share


def test_the_valid_share_of_a_student_is_of_the_questions_asked() -> None:
    share = valid_share(student([["What is a token?", "A part."]]))
    assert (share.n_valid, share.n_expected) == (1, 3)
    assert share.reaches(1 / 3)
    assert not share.reaches(0.5)


def test_the_valid_share_of_a_teacher_is_of_the_sections() -> None:
    share = valid_share(read_value({SECTION: ["A?", "B?", "C?"]}, "teacher"))
    assert (share.n_valid, share.n_expected, share.share) == (1, 2, 0.5)
    assert share.reaches(0.5)


def test_where_nothing_is_known_the_valid_share_is_of_what_the_file_has() -> None:
    found = read_value({KEY: [["A?", "a"], ["B?", None], ["C?", True]], "x": [1]}, "student")
    share = valid_share(found)
    assert (share.n_valid, share.n_expected) == (1, 4)


def test_excluded_items_are_not_expected() -> None:
    share = valid_share(under_policy(student(REPAIRED), "exclude"))
    assert (share.n_valid, share.n_expected) == (1, 2)


def test_of_an_unreadable_file_no_share_is_made_and_it_never_reaches() -> None:
    found = read_bytes(b"[]", "teacher", [SECTION], file="file.json")
    share = valid_share(found)
    assert share.share is None
    assert not share.reaches(0.01)


def test_what_was_left_out_is_counted_by_reason() -> None:
    found = read_value({"x": [1], "y": [2], SECTION: [[True]]}, "teacher")
    assert reasons(found) == {"unknown_section": 2, "wrong_text": 1}
