"""What a submission gives to a run, which system it is, and table x1."""

import json
from pathlib import Path
from typing import Any, get_args

import pandas as pd
import pytest

from sensemaking.adversarial.answers import SCENARIOS
from sensemaking.config_submissions import Adversarial
from sensemaking.ids import VARIANTS, SetName
from sensemaking.io.artifacts import to_table
from sensemaking.io.submission_files import SubmissionFile
from sensemaking.io.submission_model import Role
from sensemaking.questions import question_row
from sensemaking.rated_files import whole_rated_sets
from sensemaking.released_answers import AnswerFile, prefer_released, read_released_answers
from sensemaking.repairs import POLICIES
from sensemaking.schemas import ANSWERS, FINDINGS, QUESTIONS, RATINGS, REPAIRS, SUBMISSIONS, TABLES
from sensemaking.scoring.student import expected_answers
from sensemaking.shards import by_kind
from sensemaking.submission_rows import asked_sets
from sensemaking.submitted import (
    Choices,
    Source,
    Taken,
    take_answers,
    take_questions,
    take_ratings,
)
from sensemaking.submitted_systems import submitted_systems
from sensemaking.systems import in_tables, leave_out, left_out_notes
from sensemaking.tables.catalogue import entry
from sensemaking.tables.submissions import submissions_table

SECTIONS = ["kind/a", "kind/b"]
BLUE = SetName("Blue", "PRIMARY", "genuine")
ASKED = [
    question_row("kind/a", BLUE, 0, question="Why?", references=["r"]),
    question_row("kind/a", BLUE, 1, question="How?", references=["r"]),
    question_row("kind/b", BLUE, 0, question="Where?", references=["r"]),
]
FIRST = "kind/a/questions_by_Blue_PRIMARY.json"


def _source(path: Path | None, role: Role, value: Any = None) -> Source:
    if path is not None:
        path = path / "file.json"
        path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    file = None if path is None else "Red/file.json"
    return Source("Red/PRIMARY", role, "Red", "Red", "PRIMARY", path, file)


def _fits(taken: Taken) -> Taken:
    """Return it after a check of what does not depend on the role."""
    to_table(FINDINGS, taken.findings)
    to_table(REPAIRS, taken.repairs)
    to_table(SUBMISSIONS, [taken.summary])
    return taken


def test_the_settings_know_every_variant_and_scenario() -> None:
    fields = Adversarial.model_fields
    for name, known in (("codes", VARIANTS), ("scenarios", SCENARIOS)):
        assert get_args(get_args(fields[name].annotation)[0]) == tuple(fields[name].default)
        assert tuple(fields[name].default) == known


def test_a_teacher_below_the_least_share_gives_no_rows_and_says_so(tmp_path: Path) -> None:
    source = _source(tmp_path, "teacher", {"kind/a": ["What?"]})
    below = _fits(take_questions(source, SECTIONS, [], Choices(min_valid_share=0.6)))
    assert below.rows == []
    assert (below.summary["share"], below.summary["in_tables"]) == (0.5, False)
    assert "below_min_valid_share" in {row["code"] for row in below.findings}
    enough = _fits(take_questions(source, SECTIONS, [], Choices(min_valid_share=0.5)))
    assert to_table(QUESTIONS, enough.rows).num_rows == 1
    assert enough.summary["status"] == "ok"


def test_a_set_in_the_materials_wins_over_the_one_submitted(tmp_path: Path) -> None:
    source = _source(tmp_path, "teacher", {"kind/a": ["Late?"], "kind/b": ["New?"]})
    name = SetName("Red", "PRIMARY", "genuine")
    variant = question_row(
        "kind/b", SetName("Red", "PRIMARY", "W"), 0, question="sent? Not", references=()
    )
    sent = [question_row("kind/a", name, 0, question="Sent?", references=()), variant]
    taken = _fits(take_questions(source, SECTIONS, sent, Choices()))
    assert [row["question"] for row in taken.rows] == ["New?"]
    assert "released_set" in {row["code"] for row in taken.findings}
    # However bad the file is, its sets were sent, so the Teacher stands in the tables.
    broken = _fits(take_questions(_source(tmp_path, "teacher", "no"), SECTIONS, sent, Choices()))
    assert broken.summary["in_tables"]


def test_repaired_answers_left_out_on_all_sides_are_expected_of_nobody_else_less(
    tmp_path: Path,
) -> None:
    value = {FIRST: [["Why?", 42], ["How?", "So."]], "kind/b/questions_by_Blue_PRIMARY.json": []}
    source = _source(tmp_path, "student", value)
    statuses, summaries = {}, {}
    for policy in POLICIES:
        choices = Choices(repairs=policy, min_valid_share=0)
        taken = _fits(take_answers(source, SECTIONS, ASKED, choices))
        to_table(ANSWERS, taken.rows)
        rows = expected_answers(ASKED, taken.rows, [("Red", "PRIMARY"), ("Other", "PRIMARY")])
        statuses[policy] = [row["status"] for row in rows if row["student"] == "Red"]
        summaries[policy] = [taken.summary[key] for key in ("n_valid", "n_expected", "n_repaired")]
        assert len([row for row in rows if row["student"] == "Other"]) == 3
    assert statuses == {
        "apply": ["ok", "ok", "no_answer"],
        "exclude": ["ok", "no_answer"],
        "refuse": ["repair_refused", "ok", "no_answer"],
    }
    assert summaries == {"apply": [2, 3, 1], "exclude": [1, 2, 1], "refuse": [1, 3, 1]}


def test_no_file_and_an_unreadable_one_are_left_out_with_their_reasons(tmp_path: Path) -> None:
    for path, reason in ((None, "no file was submitted"), (tmp_path, "the file cannot be read")):
        for role in ("teacher", "student", "evaluator"):
            source = _source(path, role, "not JSON")
            if role == "teacher":
                taken = take_questions(source, SECTIONS, [], Choices(min_valid_share=0))
            elif role == "student":
                taken = take_answers(source, SECTIONS, ASKED, Choices(min_valid_share=0))
            else:
                taken = take_ratings(source, SECTIONS, [], ASKED, Choices(min_valid_share=0))
            assert _fits(taken).rows == []
            assert (taken.summary["in_tables"], taken.summary["status"]) == (False, reason)


def test_adversarial_questions_are_no_part_of_the_valid_share(tmp_path: Path) -> None:
    name = SetName("Blue", "PRIMARY", "W")
    sent = [
        question_row("kind/a", name, place, question=f"{place}?", references=())
        for place in range(9)
    ]
    key = "kind/a/questions_by_Blue_SHUFFLEDWPRIMARY.json"
    value = {FIRST: [["Why?", "Because."], ["How?", "So."]], key: [["3?", "Three."]]}
    source = _source(tmp_path, "student", value)
    taken = _fits(take_answers(source, SECTIONS, [*ASKED, *sent], Choices()))
    assert [taken.summary[name] for name in ("n_valid", "n_expected")] == [2, 3]
    # They are read all the same.
    assert [row["answer"] for row in taken.rows] == ["Because.", "So.", "Three."]


def _answers(tmp_path: Path, second: list[Any] | None = None) -> list[dict[str, Any]]:
    value = {FIRST: [["Why?", "Because."], *([] if second is None else [second])]}
    source = _source(tmp_path, "student", value)
    return take_answers(source, SECTIONS, ASKED, Choices(min_valid_share=0)).rows


@pytest.mark.parametrize("second", [None, ["How?", None]])
def test_ratings_count_places_of_questions_without_an_answer(
    tmp_path: Path, second: list[Any] | None
) -> None:
    answers = _answers(tmp_path, second)
    assert len(answers) == (1 if second is None else 2)
    key = "kind/a/answers_by_Red_PRIMARY_to_Blue_PRIMARY.json"
    (rated,) = whole_rated_sets(answers, ASKED).values()
    # The file that is sent out has an item for each question, and only one can be rated.
    assert [one is not None for one in rated.answer_ids] == [True, False]
    source = _source(tmp_path, "evaluator", {key: [[0.8], []]})
    taken = _fits(take_ratings(source, SECTIONS, answers, ASKED, Choices()))
    assert to_table(RATINGS, taken.rows).num_rows == 1
    assert (taken.rows[0]["rating"], taken.rows[0]["rescaled"]) == (80.0, True)
    assert [taken.summary[name] for name in ("n_valid", "n_expected", "n_rescaled")] == [1, 1, 1]
    stale = take_ratings(source, SECTIONS, answers, ASKED, Choices(), [key])
    assert [(row["rating"], row["status"]) for row in stale.rows] == [(None, "stale_release")]


def test_rows_are_split_by_the_kind_of_their_ids() -> None:
    rows = [{"id": "b/1"}, {"id": "a/1"}, {"id": "b/2"}]
    assert by_kind(rows, ["a", "b", "c"], "id") == [[rows[1]], [rows[0], rows[2]], []]


def _file(team: str, role: Role = "student") -> SubmissionFile:
    return SubmissionFile(team, role, "PRIMARY", Path(f"/in/{team}/answers.json"))


BASELINE = {
    "id": "best",
    "role": "student",
    "label": "Best",
    "team": "Best",
    "submission": "PRIMARY",
    "engine": "best-sentence",
    "published_label": None,
}


def test_names_that_are_alike_in_paths_get_slugs_of_their_own() -> None:
    found = submitted_systems([_file("A b"), _file("a-B"), _file("!!")], [BASELINE], ["gold"])
    slugs = [one.slug for one in found.systems]
    assert len(set(slugs)) == 3
    assert all(one.isascii() and one == one.lower() for one in slugs)
    # Another team changes no slug of those that are there.
    more = submitted_systems(
        [_file("A b"), _file("a-B"), _file("!!"), _file("0")], [BASELINE], ["gold"]
    )
    assert set(slugs) < {one.slug for one in more.systems}


def test_a_configured_system_gives_its_label_and_a_baseline_is_never_replaced() -> None:
    configured = {**BASELINE, "id": "red", "label": "Red!", "team": "Red", "engine": "submitted"}
    absent = {**configured, "id": "gone", "team": "Gone"}
    found = submitted_systems(
        [_file("Best"), _file("Red"), _file("New")], [BASELINE, configured, absent], []
    )
    assert {(one.id, one.label, one.path is None) for one in found.systems} == {
        ("red", "Red!", False),
        ("gone", "Red!", True),
        ("New/PRIMARY/student", "New PRIMARY", False),
    }
    assert [finding.code for finding in found.findings] == ["plays_a_baseline"]


def _summary(system: str, role: str, **values: Any) -> dict[str, Any]:
    counts = {name: 0 for name in SUBMISSIONS.names if name.startswith("n_")}
    row = {"system": system, "role": role, "label": system.upper(), "file": f"{system}.json"}
    return {**row, **counts, "share": None, "in_tables": True, "status": "ok", **values}


def test_systems_that_are_left_out_are_named_below_the_table() -> None:
    rows = [
        {"system": name, "role": "student", "label": name.upper(), "left_out": None}
        for name in ("a", "b")
    ]
    bad = _summary("b", "student", in_tables=False, status="valid share below 0.5")
    systems = pd.DataFrame(leave_out(rows, "student", [_summary("a", "student"), bad]))
    assert list(in_tables(systems, "student")["system"]) == ["a"]
    assert left_out_notes(systems, "student") == [
        "Left out: B (valid share below 0.5). Table x1 says more."
    ]
    assert left_out_notes(systems, "teacher") == []


def test_table_x1_adds_up_and_counts_refusals_by_reason() -> None:
    submissions = pd.DataFrame(
        [
            _summary("a", "student", n_items=9, n_repaired=2, n_expected=10, n_valid=8, share=0.8),
            _summary("b", "teacher", n_items=1, n_refused=1, n_expected=4, n_valid=1, share=0.25),
            _summary("c", "teacher", file=None, in_tables=False, status="no file was submitted"),
        ]
    )
    findings = pd.DataFrame(
        [("a.json", "not_utf8", "error"), ("a.json", "not_utf8", "error"), ("b.json", "x", "info")],
        columns=["file", "code", "severity"],
    )
    table = submissions_table(entry("table_x1"), submissions, findings, "apply", 0.5)
    to_table(TABLES, table.long_rows())
    assert [row.id for row in table.rows] == ["b", "c", "a", "all"]
    values = {key: cell.value for key, cell in table.cells.items()}
    assert [values["all", name] for name in ("files", "items", "expected", "valid")] == [
        2,
        10,
        14,
        9,
    ]
    assert values["all", "share"] == pytest.approx(900 / 14)
    assert values["all", "missing"] == 5
    assert (values["a", "refused/not_utf8"], values["b", "refused/not_utf8"]) == (2, 0)
    assert table.cells["c", "items"].reason == "no file was submitted"
    assert ("a", "refused/x") not in values
    assert "C (teacher): no file was submitted" in table.notes[-1]


def test_table_x1_without_submissions_says_so() -> None:
    table = submissions_table(
        entry("table_x1"),
        pd.DataFrame(columns=SUBMISSIONS.names),
        pd.DataFrame(columns=FINDINGS.names),
        "apply",
        0.5,
    )
    to_table(TABLES, table.long_rows())
    assert table.cells["all", "items"].reason == "no submission"


def test_released_answers_win_and_made_ones_fill_files_that_were_not_released(
    tmp_path: Path,
) -> None:
    (row,) = _answers(tmp_path)

    def variant(scenario: str, text: str) -> dict[str, Any]:
        name = row["answer_id"].replace("#", f"_SCENARIO-{scenario}#")
        return {**row, "answer_id": name, "scenario": scenario, "answer": text}

    # The file of this scenario was released; the one answer that could not be made is none of it.
    unmade = {**variant("injection", ""), "answer": None, "answer_id": "kind/a/x#001"}
    late = variant("injection", "late")
    late["answer_id"] = late["answer_id"].replace("#000", "#001")
    kept = prefer_released(
        [variant("empty", ""), variant("injection", "made"), unmade, late],
        [row, variant("injection", "released")],
    )
    assert [(one["scenario"], one["answer"]) for one in kept] == [
        ("injection", "released"),
        ("empty", ""),
        ("injection", None),
    ]
    replaced = {**variant("injection", ""), "answer": None}
    assert len(prefer_released([replaced], [variant("injection", "released")])) == 1


def test_a_released_shuffle_that_is_the_known_answer_itself_is_marked(tmp_path: Path) -> None:
    (row,) = _answers(tmp_path)
    name = "answers_by_Red_PRIMARY_to_Blue_PRIMARY_SCENARIO-shuffled-words"
    file = AnswerFile("kind/a", name, b'[["Why?", "Because."], ["How?"]]')
    kinds = {"kind/a": "kind", "kind/b": "kind"}
    for known, status in (([row], "unchanged"), ([], "ok")):
        found = read_released_answers([file], asked_sets(ASKED), kinds, answers=known)
        assert [one["status"] for one in found.rows] == [status]
