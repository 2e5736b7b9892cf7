"""Released files of genuine answers win, and ratings belong to their items in their order."""

import json
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from sensemaking.ids import SetName
from sensemaking.io.artifacts import to_table
from sensemaking.io.files import sha256_of
from sensemaking.io.release import (
    Released,
    is_answer_of,
    is_reference,
    read_manifest,
    stale_answers,
    stale_questions,
    write_manifest,
)
from sensemaking.questions import question_row, reference_answers
from sensemaking.rated_files import missing_files
from sensemaking.released_answers import (
    ReleasedAnswers,
    answer_file,
    prefer_released,
    released_to_run,
)
from sensemaking.schemas import ANSWERS, RATINGS
from sensemaking.submitted import Choices, Source, Taken, take_answers, take_ratings

SECTIONS = ["kind/a", "kind/b"]
BLUE = SetName("Blue", "PRIMARY", "genuine")
TEXTS = ["Why?", "How?", "Where?"]
ASKED = [
    question_row(section, BLUE, place, question=text, references=["r", "s"])
    for section in SECTIONS
    for place, text in enumerate(TEXTS)
]
NAME = "answers_by_Red_PRIMARY_to_Blue_PRIMARY.json"
RATED = f"kind/a/{NAME}"
SENT = [[text, f"sent to {text}"] for text in TEXTS]

Rows = list[dict[str, Any]]


def write(root: Path, path: str, value: Any) -> Path:
    place = root / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
    return place


def release(root: Path, *paths: Path) -> None:
    """Write the manifest of files as they are now."""
    write_manifest(
        root,
        [
            Released(
                unicodedata.normalize("NFC", path.relative_to(root).as_posix()),
                sha256_of(path),
                len(json.loads(path.read_bytes())),
                "kind/a",
            )
            for path in paths
        ],
    )


def released(root: Path, questions: Rows = ASKED) -> ReleasedAnswers:
    files = [answer_file(path, root) for path in sorted(root.rglob("answers_by_*.json"))]
    return released_to_run(root, files, [], questions, [("Red", "PRIMARY")])


def source(folder: Path, role: Any, value: Any) -> Source:
    path = None if value is None else write(folder, f"sent-{role}.json", value)
    return Source("Red", role, "Red", "Red", "PRIMARY", path, path and "Red/file.json")


def student(folder: Path, root: Path, value: Any, **choices: Any) -> Taken:
    settings = Choices(**{"min_valid_share": 0, **choices})
    taken = take_answers(
        source(folder, "student", value), SECTIONS, ASKED, settings, released=released(root).rows
    )
    to_table(ANSWERS, taken.rows)
    return taken


def evaluator(folder: Path, root: Path, answers: Rows, value: Any) -> Taken:
    taken = take_ratings(
        source(folder, "evaluator", value),
        SECTIONS,
        answers,
        ASKED,
        Choices(min_valid_share=0),
        stale_answers(root),
        released=released(root),
        manifest=read_manifest(root),
    )
    to_table(RATINGS, taken.rows)
    return taken


def given(rows: Rows) -> dict[str, str | None]:
    return {row["answer_id"][:6] + row["answer_id"][-1]: row["answer"] for row in rows}


def rated(taken: Taken) -> dict[str, tuple[float | None, str]]:
    return {row["answer_id"][-3:]: (row["rating"], row["status"]) for row in taken.rows}


OWN = {f"{section}/questions_by_Blue_PRIMARY.json": [[t, f"own to {t}"] for t in TEXTS]
       for section in SECTIONS}  # fmt: skip


# Which answers count


def test_a_released_file_wins_over_what_was_submitted_of_its_set_and_of_no_other(
    tmp_path: Path,
) -> None:
    root = tmp_path / "materials"
    write(root, RATED, SENT[:2])
    taken = student(tmp_path, root, OWN)
    assert given(taken.rows) == {
        "kind/a0": "sent to Why?",
        "kind/a1": "sent to How?",
        # The file that was sent holds no third answer, so none was rated.
        **{f"kind/b{place}": f"own to {text}" for place, text in enumerate(TEXTS)},
    }
    assert [taken.summary[name] for name in ("n_valid", "n_expected")] == [5, 6]
    assert "released_answers" in {row["code"] for row in taken.findings}


def test_a_student_whose_answers_were_sent_out_is_counted_by_these(tmp_path: Path) -> None:
    root = tmp_path / "materials"
    write(root, RATED, SENT)
    for value, status in ((None, "no file was submitted"), ([1], "the file cannot be read")):
        alone = student(tmp_path, tmp_path / "nothing", value, min_valid_share=0.5)
        assert (alone.summary["status"], alone.rows) == (status, [])
        taken = student(tmp_path, root, value, min_valid_share=0.5)
        assert (taken.summary["status"], taken.summary["share"]) == ("ok", 0.5)
        assert len(taken.rows) == 3
        assert not student(tmp_path, root, value, min_valid_share=0.6).summary["in_tables"]


def test_answers_of_others_and_adversarial_ones_change_nothing(tmp_path: Path) -> None:
    root = tmp_path / "materials"
    write(root, "kind/a/answers_by_Green_PRIMARY_to_Blue_PRIMARY.json", SENT)
    write(root, RATED.replace(".json", "_SCENARIO-empty.json"), [[t, ""] for t in TEXTS])
    taken = student(tmp_path, root, OWN)
    assert set(given(taken.rows).values()) == {f"own to {text}" for text in TEXTS}


def test_the_choice_about_repairs_holds_for_released_answers_too(tmp_path: Path) -> None:
    root = tmp_path / "materials"
    write(root, RATED, [["Why?", "42"], *SENT[1:]])
    own = {**OWN, "kind/a/questions_by_Blue_PRIMARY.json": [["Why?", 42], *SENT[1:]]}
    first = {}
    for policy in ("apply", "exclude", "refuse"):
        rows = student(tmp_path, root, own, repairs=policy).rows
        (row,) = (row for row in rows if row["answer_id"] == f"{RATED[:-5]}#000")
        first[policy] = (row["answer"], row["status"])
    assert first == {
        "apply": ("42", "ok"),
        "exclude": (None, "repair_excluded"),
        "refuse": (None, "repair_refused"),
    }


def test_golden_and_reference_answers_that_were_sent_win_over_those_of_the_questions(
    tmp_path: Path,
) -> None:
    name = "answers_by_Blue_PRIMARY_to_Blue_PRIMARY_SCENARIO-reference.json"
    write(tmp_path, f"kind/a/{name}", SENT)
    rows = prefer_released(
        reference_answers(ASKED), released(tmp_path).rows, ("genuine", "reference")
    )
    answers = given([dict(row) for row in rows])
    assert answers["kind/a0"] == "sent to Why?"
    assert answers["kind/b0"] == "r"
    assert len(answers) == len(ASKED)


def test_names_tell_whose_answers_a_file_holds() -> None:
    assert is_answer_of(NAME, "Red", "PRIMARY")
    assert not is_answer_of(NAME, "Re", "PRIMARY")
    assert not is_answer_of(NAME, "Red", "PRIM")
    assert not is_answer_of(NAME.replace(".json", "_SCENARIO-empty.json"), "Red", "PRIMARY")
    assert is_reference("answers_by_GOLD_PRIMARY_to_GOLD_PRIMARY.json")
    assert is_reference("answers_by_Blue_PRIMARY_to_Blue_PRIMARY_SCENARIO-reference.json")
    assert not is_reference("questions_by_Blue_PRIMARY_SCENARIO-reference.json")
    assert not is_reference(NAME)


# Which rating belongs to which answer


@pytest.mark.parametrize(
    ("items", "ratings", "expected"),
    [
        (SENT, [[1], [2], [3]], {"000": 1, "001": 2, "002": 3}),
        # Another order than that of the questions, and one question left out.
        ([SENT[2], SENT[0]], [[1], [2]], {"002": 1, "000": 2}),
        # A question without an answer has a place, and nothing to rate.
        ([SENT[0], ["How?"], SENT[2]], [[1], [2], [3]], {"000": 1, "002": 3}),
        # An item that answers no question of the set keeps its place too.
        ([["What else?", "x"], SENT[1]], [[1], [2]], {"001": 2}),
    ],
)
def test_ratings_belong_to_the_items_of_the_released_file(
    tmp_path: Path, items: Any, ratings: Any, expected: dict[str, float]
) -> None:
    root = tmp_path / "materials"
    release(root, write(root, RATED, items))
    answers = [row for row in student(tmp_path, root, {}).rows if row["answer"] is not None]
    taken = evaluator(tmp_path, root, answers, {RATED: ratings})
    assert rated(taken) == {name: (value * 100, "ok") if value == 1 else (value, "ok")
                            for name, value in expected.items()}  # fmt: skip
    assert not {row["code"] for row in taken.findings if row["severity"] == "error"}
    # With one rating too few nobody can tell which is missing.
    short = evaluator(tmp_path, root, answers, {RATED: ratings[:-1]})
    assert {status for _, status in rated(short).values()} == {"stale_release"}


def test_an_answer_of_several_takes_as_many_ratings(tmp_path: Path) -> None:
    root = tmp_path / "materials"
    write(root, RATED, [["Why?", "a", "b"], *SENT[1:]])
    answers = student(tmp_path, root, {}).rows
    taken = evaluator(tmp_path, root, answers, {RATED: [[10, 20, 30], [40], [50]]})
    assert [(row["answer_index"], row["status"]) for row in taken.rows][:3] == [
        *((0, "ok"), (1, "ok"), (2, "extra_rating")),
    ]


def test_an_evaluator_is_not_blamed_for_files_that_belong_to_nothing_any_more(
    tmp_path: Path,
) -> None:
    root = tmp_path / "materials"
    gone = write(root, "kind/b/answers_by_Gone_PRIMARY_to_Blue_PRIMARY.json", SENT)
    release(root, write(root, RATED, SENT), gone)
    gone.unlink()
    answers = student(tmp_path, root, {}).rows
    # Nobody's answers of a file that is there, and those of one that is not.
    other = write(root, "kind/b/answers_by_Green_PRIMARY_to_Blue_PRIMARY.json", SENT)
    value = {path: [[50]] * 3 for path in (RATED, *(
        one.relative_to(root).as_posix() for one in (gone, other)))}  # fmt: skip
    taken = evaluator(tmp_path, root, answers, value)
    assert {row["code"] for row in taken.findings if row["severity"] == "error"} == set()
    assert {row["answer_id"].rpartition("#")[0] for row in taken.rows} == {RATED[:-5]}
    assert [taken.summary[name] for name in ("n_refused", "n_expected")] == [0, 3]


# Files that have changed since


def test_ratings_of_a_file_that_has_changed_are_stale_and_told(tmp_path: Path) -> None:
    root = tmp_path / "materials"
    release(root, write(root, RATED, SENT))
    write(root, RATED, [*SENT[:2], ["Where?", "edited"]])
    answers = student(tmp_path, root, OWN).rows
    taken = evaluator(tmp_path, root, answers, {RATED: [[50]] * 3})
    own = [row for row in taken.rows if row["answer_id"].startswith(RATED[:-5])]
    assert [(row["rating"], row["status"]) for row in own] == [(None, "stale_release")] * 3
    assert "stale_release" in {row["code"] for row in taken.findings}


def test_answers_of_a_file_that_has_changed_are_joined_by_their_questions_alone(
    tmp_path: Path,
) -> None:
    changed = [{"question": "Where?", "answer": "c"}, {"answer": "a"}, {"answer": "b"}]
    for as_sent in (False, True):
        root = tmp_path / str(as_sent)
        path = write(root, RATED, SENT)
        release(root, path)
        write(root, RATED, [*({"answer": one} for one in "ab"), changed[0]])
        if as_sent:
            release(root, path)
        found = released(root)
        rows = {row["answer_id"][-3:]: (row["answer"], row["status"]) for row in found.rows}
        if as_sent:
            assert rows == {"000": ("a", "ok"), "001": ("b", "ok"), "002": ("c", "ok")}
            continue
        stale = (None, "stale_release")
        assert rows == {"000": stale, "001": stale, "002": ("c", "ok")}
        assert {finding.code for finding in found.findings} == {"stale_release"}


def test_answers_without_their_questions_to_a_set_that_has_changed_are_stale(
    tmp_path: Path,
) -> None:
    root = tmp_path / "materials"
    path = write(root, "kind/a/questions_by_Blue_PRIMARY.json", [["Which?"], ["How?"]])
    release(root, path)
    assert stale_questions(root) == set()
    write(root, path.relative_to(root).as_posix(), TEXTS)
    assert stale_questions(root) == {"kind/a/questions_by_Blue_PRIMARY.json"}
    items = [{"answer": "a"}, {"question": "How?", "answer": "b"}, {"answer": "c"}]
    value = {"kind/a/questions_by_Blue_PRIMARY.json": items}
    sent = source(tmp_path, "student", value)
    settings = Choices(min_valid_share=0)
    for stale, expected in (
        ((), {"kind/a0": "a", "kind/a1": "b", "kind/a2": "c"}),
        (stale_questions(root), {"kind/a0": None, "kind/a1": "b", "kind/a2": None}),
    ):
        rows = take_answers(sent, SECTIONS, ASKED, settings, stale=stale).rows
        assert given(rows) == expected
        assert {row["status"] for row in rows if row["answer"] is None} <= {"stale_release"}


def test_an_english_version_and_the_expert_set_are_files_of_their_sets(tmp_path: Path) -> None:
    names = ["questions.en.json", "questions_by_Blue_SHUFFLEDQPRIMARY.en.json"]
    paths = [write(tmp_path, f"kind/a/{name}", TEXTS) for name in names]
    release(tmp_path, *paths)
    for path in paths:
        path.write_text("[]", encoding="utf-8")
    assert stale_questions(tmp_path) == {
        "kind/a/questions_by_GOLD_PRIMARY.json",
        "kind/a/questions_by_Blue_SHUFFLEDQPRIMARY.json",
    }
    assert stale_answers(tmp_path) == set()


def test_a_released_file_whose_name_is_nfd_on_disk_is_not_stale(tmp_path: Path) -> None:
    # ї and й are two characters each in form NFD.
    folder = unicodedata.normalize("NFD", "kind/Її розділ й кінець")
    name = unicodedata.normalize("NFD", "answers_by_Йод_PRIMARY_to_Blue_PRIMARY.json")
    path = write(tmp_path, f"{folder}/{name}", SENT)
    release(tmp_path, path)
    (sent,) = read_manifest(tmp_path)
    assert unicodedata.is_normalized("NFC", sent.path)
    assert not unicodedata.is_normalized("NFC", str(path))
    assert stale_answers(tmp_path) == set()
    assert answer_file(path, tmp_path).section_id == unicodedata.normalize("NFC", folder)
    path.write_text("[]", encoding="utf-8")
    assert stale_answers(tmp_path) == {sent.path}


def test_a_released_file_that_is_gone_is_a_finding_if_its_kind_is_run(tmp_path: Path) -> None:
    release(tmp_path, write(tmp_path, RATED, SENT), write(tmp_path, "other/a/" + NAME, SENT))
    manifest = read_manifest(tmp_path)
    assert missing_files(manifest, [answer_file(tmp_path / RATED, tmp_path)], ["kind"]) == []
    found = missing_files(manifest, [], ["kind"])
    assert [(one.file, one.code) for one in found] == [(RATED, "stale_release")]
