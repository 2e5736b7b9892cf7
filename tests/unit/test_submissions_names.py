"""Names of answers files with several readings, and keys of kinds that are not run."""

import json
from pathlib import Path
from typing import Any

import pytest

from sensemaking.commands.check import check
from sensemaking.ids import SetName
from sensemaking.io.submission_model import Role, Submission
from sensemaking.io.submissions import read, read_bytes
from sensemaking.questions import question_row
from sensemaking.submitted import Choices, Source, take_answers, take_questions

SECTION = "book/one"
QUESTIONS = ["What is a token?", "Why are words split?"]
ITEMS = [["What is a token?", "A part."], ["Why are words split?", "Rare ones."]]


def read_value(value: Any, role: Role = "student", asked: Any = None, **choices: Any) -> Submission:
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    return read_bytes(data, role, [SECTION, "book/two"], asked, file="answers.json", **choices)


def sets(*names: str) -> dict[str, list[str]]:
    return {f"{SECTION}/questions_by_{name}.json": QUESTIONS for name in names}


def set_of(found: Submission) -> set[str]:
    """Return the names of the sets that the items are about."""
    return {item.key.partition("questions_by_")[2].removesuffix(".json") for item in found.items}


def errors(found: Submission) -> set[str]:
    return {finding.code for finding in found.findings if finding.severity == "error"}


@pytest.mark.parametrize(
    ("name", "asked", "expected"),
    [
        # The Student's own name holds the divider.
        ("road_to_rome_PRIMARY_to_GOLD_PRIMARY", ["GOLD_PRIMARY", "Blue_PRIMARY"], "GOLD_PRIMARY"),
        # The Teacher's does, and what stands behind the second divider is a Teacher too.
        (
            "Red_PRIMARY_to_road_to_rome_PRIMARY",
            ["road_to_rome_PRIMARY", "rome_PRIMARY"],
            "road_to_rome_PRIMARY",
        ),
        # Both do, and the free name of a submission is that of a known team.
        (
            "go_to_it_Qwen_to_road_to_rome_PRIMARY",
            ["road_to_rome_PRIMARY", "rome_PRIMARY", "go_to_it_Qwen"],
            "road_to_rome_PRIMARY",
        ),
        # Only one reading is a set of the section.
        ("a_b_to_c_d_to_GOLD_PRIMARY", ["GOLD_PRIMARY"], "GOLD_PRIMARY"),
        # No Student is named at all.
        ("road_to_rome_PRIMARY", ["road_to_rome_PRIMARY"], "road_to_rome_PRIMARY"),
        (
            "road_to_rome_PRIMARY_to_GOLD_PRIMARY_SCENARIO-empty",
            ["GOLD_PRIMARY", "rome_PRIMARY"],
            "GOLD_PRIMARY",
        ),
    ],
)
def test_a_name_that_holds_the_divider_is_divided_by_what_is_known_of_the_teams(
    name: str, asked: list[str], expected: str
) -> None:
    found = read_value({f"{SECTION}/answers_by_{name}.json": ITEMS}, "student", sets(*asked))
    assert set_of(found) == {expected}
    assert not errors(found)


AMBIGUOUS = [
    # The set of x_y_to_b under the first word "answers", or the answers of x_y to b.
    ("x_y_to_b_PRIMARY", ["b_PRIMARY", "x_y_to_b_PRIMARY"], ("x", "y"), "b_PRIMARY"),
    # A Student whose name is usual makes it no surer.
    (
        "Red_PRIMARY_to_b_PRIMARY",
        ["b_PRIMARY", "Red_PRIMARY_to_b_PRIMARY"],
        ("Red", "PRIMARY"),
        "b_PRIMARY",
    ),
    # Nothing is known of either Student.
    ("p_q_to_r_s_to_t_PRIMARY", ["t_PRIMARY", "r_s_to_t_PRIMARY"], ("p", "q_to_r_s"), "t_PRIMARY"),
]


@pytest.mark.parametrize(("name", "asked", "sender", "expected"), AMBIGUOUS)
def test_an_ambiguous_name_is_a_finding_unless_the_sender_is_known(
    name: str, asked: list[str], sender: tuple[str, str], expected: str
) -> None:
    key = f"{SECTION}/answers_by_{name}.json"
    other = f"{SECTION}/questions_by_{asked[0]}.json"
    found = read_value({key: ITEMS}, "student", sets(*asked))
    assert errors(found) == {"ambiguous_set"}
    (finding,) = (one for one in found.findings if one.code == "ambiguous_set")
    assert all(one in finding.message for one in asked)
    assert (found.items, found.n_refused) == ((), 2)
    # It costs nothing else.
    both = read_value({key: ITEMS, other: ITEMS}, "student", sets(*asked))
    assert set_of(both) == {asked[0]}
    assert set_of(read_value({key: ITEMS}, "student", sets(*asked), sender=sender)) == {expected}


def test_without_materials_a_name_is_divided_as_ids_are() -> None:
    names = {
        "road_to_rome_PRIMARY_to_GOLD_PRIMARY": {"GOLD_PRIMARY"},
        "Red_PRIMARY_to_road_to_rome_PRIMARY": {"road_to_rome_PRIMARY"},
        "text_to_quiz_PRIMARY": {"text_to_quiz_PRIMARY"},
    }
    for name, expected in names.items():
        assert set_of(read_value({f"{SECTION}/answers_by_{name}.json": ITEMS})) == expected
    found = read_value({f"{SECTION}/answers_by_a_b_to_c_d_to_e_f.json": ITEMS})
    assert errors(found) == {"ambiguous_set"}
    mine = read_value({f"{SECTION}/answers_by_a_b_to_c_d_to_e_f.json": ITEMS}, sender=("a", "b"))
    assert set_of(mine) == {"c_d_to_e_f"}


def test_a_run_divides_names_by_the_team_that_sent_the_file(tmp_path: Path) -> None:
    path = tmp_path / "answers.json"
    content = {f"{SECTION}/answers_by_x_y_to_b_PRIMARY.json": ITEMS}
    path.write_text(json.dumps(content), encoding="utf-8")
    asked = [
        question_row(SECTION, SetName(team, "PRIMARY", "genuine"), place, question=text,
                     references=())
        for team in ("b", "x_y_to_b")
        for place, text in enumerate(QUESTIONS)
    ]  # fmt: skip
    for team, submission, found in (("x", "y", {"b"}), ("Red", "PRIMARY", set())):
        source = Source("Red", "student", "Red", team, submission, path, "x/answers.json")
        taken = take_answers(source, [SECTION], asked, Choices(min_valid_share=0))
        names = {row["question_id"].partition("questions_by_")[2] for row in taken.rows}
        assert {name.partition("_PRIMARY")[0] for name in names} == found


# Materials that hold only some of the files to rate


def test_ratings_of_files_that_the_materials_do_not_hold_are_read_unchecked(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "materials" / SECTION
    folder.mkdir(parents=True)
    sent = "answers_by_Red_PRIMARY_to_Blue_PRIMARY_SCENARIO-empty.json"
    (folder / sent).write_text(json.dumps([["A?", ""], ["B?", ""]]), encoding="utf-8")
    genuine = "answers_by_Red_PRIMARY_to_Blue_PRIMARY.json"
    ratings = {f"{SECTION}/{sent}": [[1]], f"{SECTION}/{genuine}": [[50]]}
    (tmp_path / "ratings.json").write_text(json.dumps(ratings), encoding="utf-8")
    for more in (False, True):
        if more:
            # Now a file of genuine answers tells that all that there is to rate is in the folder.
            name = genuine.replace("Red", "Green")
            (folder / name).write_text(json.dumps([["A?", "a"]]), encoding="utf-8")
        (checked,) = check([tmp_path / "ratings.json"], None, tmp_path / "materials")
        assert checked.submission is not None
        assert len(checked.submission.items) == (0 if more else 1)
        assert errors(checked.submission) == {"count_mismatch", *(["unknown_set"] * more)}
        found = {finding.code: finding.found for finding in checked.submission.findings}
        told = None if more else "1 of 2 files that the materials do not hold"
        assert found.get("not_checked") == told
        # No share can be told of what is not wholly known.
        assert checked.summary()["expected"] == (3 if more else None)


# Kinds that the run leaves out

NOT_RUN = ["film/Ґанок/eins", "film/zwei"]


@pytest.mark.parametrize(
    "keys",
    [
        {f"{name}/text.txt": [["A?"]] for name in NOT_RUN},
        {f"testset\\{name}".replace("/", "\\"): [["A?"]] for name in NOT_RUN},
        {"devset": {"film": {"Ґанок": {"eins": [["A?"]]}, "zwei": {"questions.json": [["A?"]]}}}},
    ],
)
def test_keys_of_kinds_that_are_not_run_are_counted_and_count_for_nothing(keys: Any) -> None:
    value = {SECTION: [["What?"]], **keys, "nowhere/x": [["B?"]]}
    found = read_value(value, "teacher", not_run=NOT_RUN)
    alone = read_value({SECTION: [["What?"]], "nowhere/x": [["B?"]]}, "teacher")
    assert errors(found) == errors(alone) == {"unknown_section"}
    (finding,) = (one for one in found.findings if one.code == "kind_not_run")
    assert (finding.severity, finding.found) == ("info", '2 keys of the kind "film"')
    for name in ("n_refused", "n_expected", "items", "missing", "missing_keys"):
        assert getattr(found, name) == getattr(alone, name)


def test_a_section_that_no_kind_has_is_an_error_whatever_is_run() -> None:
    found = read_value({"film/drei": [["A?"]]}, "teacher", not_run=NOT_RUN)
    assert errors(found) == {"unknown_section"}
    assert found.n_refused == 1


def test_a_damaged_file_goes_on_at_the_next_key_whether_its_kind_is_run_or_not() -> None:
    text = f'{{"{SECTION}": [["What?"], ["Cut, "film/zwei": [["A?"]], "book/two": [["B?"]]}}'
    found = read_value(text.encode(), "teacher", not_run=NOT_RUN)
    assert {item.section_id for item in found.items} == {SECTION, "book/two"}
    assert "kind_not_run" in {finding.code for finding in found.findings}


def test_a_run_on_some_kinds_judges_a_submission_by_these(tmp_path: Path) -> None:
    path = tmp_path / "questions.json"
    content = {SECTION: [["A?"]], "book/two": [["B?"]]} | {name: [["C?"]] for name in NOT_RUN}
    path.write_text(json.dumps(content), encoding="utf-8")
    source = Source("Red", "teacher", "Red", "Red", "PRIMARY", path, "Red/questions.json")
    taken = take_questions(source, [SECTION, "book/two"], [], Choices(), NOT_RUN)
    counts = [taken.summary[name] for name in ("n_items", "n_refused", "n_expected", "n_valid")]
    assert counts == [2, 0, 2, 2]
    assert {row["severity"] for row in taken.findings} == {"info"}
    assert read(path, "teacher", [SECTION, "book/two"]).n_refused == 2
