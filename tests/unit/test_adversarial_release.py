"""What is released comes back the same, and a file that has changed since is known as such."""

import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest

from sensemaking.adversarial.answers import answer_variants
from sensemaking.adversarial.questions import question_variants, with_origins
from sensemaking.ids import SetName
from sensemaking.io import artifacts
from sensemaking.io.files import sha256_of
from sensemaking.io.known_items import read_materials
from sensemaking.io.materials import scan
from sensemaking.io.release import (
    MANIFEST,
    ManifestError,
    Released,
    changed_files,
    export_answers,
    export_questions,
    read_manifest,
    stale_answers,
    write_manifest,
)
from sensemaking.io.sentence_list import read_sentences
from sensemaking.io.submissions import read_bytes
from sensemaking.questions import question_row, read_questions, reference_answers
from sensemaking.released_answers import AnswerFile, ReleasedAnswers, read_released_answers
from sensemaking.schemas import ANSWERS as ANSWER_ROWS
from sensemaking.schemas import QUESTIONS as QUESTION_ROWS
from sensemaking.submission_rows import answer_rows, asked_sets, question_rows, rated_sets

REPOSITORY = Path(__file__).resolve().parents[2]
DEMO = REPOSITORY / "resources" / "demo" / "materials"
SENTENCES = REPOSITORY / "resources" / "texts" / "unrelated_sentences.txt"
LANGUAGES = {"demagog-statements-public": "cs", "popular": "de", "ukr-biology": "uk"}
KNOWN = {"GOLD": {"PRIMARY"}, "Blue": {"PRIMARY"}, "Red": {"PRIMARY"}}

Rows = list[dict[str, Any]]


def kinds_in(root: Path) -> list[str]:
    return sorted(entry.name for entry in root.iterdir() if entry.is_dir())


def read_all(root: Path) -> Rows:
    return [
        row
        for kind in kinds_in(root)
        for row in read_questions(scan(root, kind).folders, LANGUAGES.get(kind, "en"), KNOWN).rows
    ]


def answer_files(root: Path) -> list[AnswerFile]:
    return [
        AnswerFile(folder.section_id, name.removesuffix(".json"), folder.files[name].read_bytes())
        for kind in kinds_in(root)
        for folder in scan(root, kind).folders
        for name in folder.names("answers_by_")
    ]


def by(rows: Rows, column: str) -> Rows:
    return sorted(rows, key=lambda row: row[column])


def question_set(section: str, team: str = "Blue", n: int = 3) -> Rows:
    return [
        question_row(
            section,
            SetName(team, "PRIMARY", "genuine"),
            place,
            question=f"What is thing {place} of {section}?",
            references=[f"It is {place}.", f"Thing {place}."],
        )
        for place in range(n)
    ]


KINDS = {"kind/a": "kind", "kind/b": "kind", "kind/c": "kind"}
QUESTIONS = [row for section in KINDS for row in question_set(section)]
SECTIONS = [{"section_id": s, "kind": kind, "text_en": "A text."} for s, kind in KINDS.items()]


def student_answers(questions: Rows) -> Rows:
    text = {
        f"{section}/questions_by_Blue_PRIMARY.json": [
            [row["question"], f"Answer to {row['question']}", "Another."]
            for row in questions
            if row["section_id"] == section
        ]
        for section in KINDS
    }
    asked = asked_sets(questions)
    found = read_bytes(
        json.dumps(text).encode(),
        "student",
        list(KINDS),
        {key: one.questions for key, one in asked.items()},
        file="answers.json",
    )
    return answer_rows(found, "Red", "PRIMARY", asked)


ANSWERS = student_answers(QUESTIONS)


def released_again(
    root: Path, manifest: tuple[Released, ...] | list[Released], questions: Rows = QUESTIONS
) -> ReleasedAnswers:
    return read_released_answers(answer_files(root), asked_sets(questions), KINDS, manifest, KNOWN)


def test_the_demo_comes_back_from_its_release(tmp_path: Path) -> None:
    questions = [row for row in read_all(DEMO) if row["variant"] == "genuine"]
    kinds = {row["section_id"]: row["section_id"].split("/")[0] for row in questions}
    sections = [
        {"section_id": section, "kind": kind, "text_en": "A text."}
        for section, kind in kinds.items()
    ]
    adversarial = question_variants(questions, kinds, read_sentences(SENTENCES), 20250923)
    golden = reference_answers(questions)
    answers = [*golden, *answer_variants(golden, questions, sections, 20250923)]
    assert len(adversarial) == 5 * len(questions) > 500
    released = [
        *export_questions(tmp_path, questions, references=True),
        *export_questions(tmp_path, adversarial, references=False),
        *export_answers(tmp_path, answers, questions),
    ]
    write_manifest(tmp_path, released)

    again = read_all(tmp_path)
    genuine = [row for row in again if row["variant"] == "genuine"]
    assert by(genuine, "question_id") == by(questions, "question_id")
    assert by(
        with_origins([row for row in again if row["variant"] != "genuine"], genuine), "question_id"
    ) == by(adversarial, "question_id")
    found = read_released_answers(
        answer_files(tmp_path), asked_sets(genuine), kinds, read_manifest(tmp_path), KNOWN
    )
    assert found.findings == []
    assert by(found.rows, "answer_id") == by(
        [row for row in answers if row["answer"] is not None], "answer_id"
    )


def test_a_teachers_submission_comes_back_from_its_release(tmp_path: Path) -> None:
    content = {section: [["A?", "a", "b"], ["B?"]] for section in KINDS}
    found = read_bytes(json.dumps(content).encode(), "teacher", list(KINDS), file="questions.json")
    rows = question_rows(found, "Blue", "PRIMARY")
    export_questions(tmp_path, rows, references=True)
    assert by(read_all(tmp_path), "question_id") == by(rows, "question_id")


def test_students_get_no_reference_answers(tmp_path: Path) -> None:
    export_questions(tmp_path, QUESTIONS, references=False)
    for path in tmp_path.rglob("*.json"):
        assert "It is" not in path.read_text(encoding="utf-8")


def test_answers_of_students_and_their_variants_come_back(tmp_path: Path) -> None:
    rows = [*ANSWERS, *answer_variants(ANSWERS, QUESTIONS, SECTIONS, 1)]
    manifest = export_answers(tmp_path, rows, QUESTIONS)
    found = released_again(tmp_path, manifest)
    assert found.findings == []
    assert by(found.rows, "answer_id") == by(rows, "answer_id")


def test_the_section_of_a_swapped_file_is_known_by_its_questions_alone(tmp_path: Path) -> None:
    rows = answer_variants(ANSWERS, QUESTIONS, SECTIONS, 1, scenarios=["swapped-section"])
    export_answers(tmp_path, rows, QUESTIONS)
    found = released_again(tmp_path, ())
    assert by(found.rows, "answer_id") == by(rows, "answer_id")


def test_a_swapped_file_whose_questions_two_sections_have_is_left_out(tmp_path: Path) -> None:
    rows = [
        row
        for row in answer_variants(ANSWERS, QUESTIONS, SECTIONS, 1, scenarios=["swapped-section"])
        if row["question_id"].startswith("kind/a/")
    ]
    export_answers(tmp_path, rows, QUESTIONS)
    # Each section but the one that is shown has the questions of the first.
    same = [
        {**row, "question_original": f"What is thing {row['position']} of kind/a?"}
        for row in QUESTIONS
    ]
    extra = question_set("kind/d")
    same += [
        {**row, "question_original": f"What is thing {row['position']} of kind/a?"} for row in extra
    ]
    found = read_released_answers(
        answer_files(tmp_path), asked_sets(same), {**KINDS, "kind/d": "kind"}, (), KNOWN
    )
    assert found.rows == []
    assert {finding.code for finding in found.findings} == {"unknown_set"}


def test_a_question_without_an_answer_keeps_its_place_in_the_file(tmp_path: Path) -> None:
    export_answers(tmp_path, [row for row in ANSWERS if "#001" not in row["answer_id"]], QUESTIONS)
    path = tmp_path / "kind/a/answers_by_Red_PRIMARY_to_Blue_PRIMARY.json"
    assert [len(item) for item in json.loads(path.read_bytes())] == [3, 1, 3]
    found = released_again(tmp_path, ())
    assert [row["answer_id"][-1] for row in found.rows] == ["0", "2"] * 3
    assert found.findings == []


def test_released_answers_to_questions_that_have_changed_are_left_out(tmp_path: Path) -> None:
    export_answers(tmp_path, ANSWERS, QUESTIONS)
    other = "kind/a/questions_by_Blue_PRIMARY#001"
    changed = [
        {**row, "question": "What else?", "question_original": None}
        if row["question_id"] == other
        else row
        for row in QUESTIONS
    ]
    found = released_again(tmp_path, (), changed)
    given = [row for row in found.rows if row["answer"] is not None]
    assert len(given) == len(ANSWERS) - 1
    (stale,) = (row for row in found.rows if row["answer"] is None)
    assert (stale["question_id"], stale["status"]) == (other, "stale_release")
    assert [finding.code for finding in found.findings] == ["stale_release"]


@pytest.mark.parametrize(
    ("name", "data", "code"),
    [
        ("answers_by_Red_PRIMARY", b"[]", "bad_name"),
        ("answers_by_Red_PRIMARY_to_Green_PRIMARY", b'[["A?", "a"]]', "unknown_set"),
        ("answers_by_Red_PRIMARY_to_Blue_PRIMARY", b"{}", "wrong_value"),
        ("answers_by_Red_PRIMARY_to_Blue_PRIMARY", b"[", "truncated"),
        ("answers_by_Red_PRIMARY_to_Blue_PRIMARY", b"", "empty_file"),
    ],
)
def test_a_released_file_that_cannot_be_read_is_a_finding(
    name: str, data: bytes, code: str
) -> None:
    found = read_released_answers(
        [AnswerFile("kind/a", name, data)], asked_sets(QUESTIONS), KINDS, (), KNOWN
    )
    assert found.rows == []
    assert code in {finding.code for finding in found.findings}


# The manifest


def test_the_manifest_names_every_file_with_its_hash(tmp_path: Path) -> None:
    released = export_questions(tmp_path, QUESTIONS, references=False)
    write_manifest(tmp_path, released)
    assert read_manifest(tmp_path) == tuple(released)
    assert {file.path for file in released} == {
        path.relative_to(tmp_path).as_posix()
        for path in tmp_path.rglob("*.json")
        if path.name != MANIFEST
    }
    assert {file.n_items for file in released} == {3}
    assert changed_files(tmp_path, released) == set()


def test_files_that_changed_or_went_since_the_release_are_known(tmp_path: Path) -> None:
    released = export_questions(tmp_path, QUESTIONS, references=False)
    changed, gone, same = (file.path for file in released)
    (tmp_path / changed).write_text("[]", encoding="utf-8")
    (tmp_path / gone).unlink()
    assert changed_files(tmp_path, released) == {changed, gone}
    assert same not in changed_files(tmp_path, released)


def test_exporting_again_gives_the_same_bytes(tmp_path: Path) -> None:
    one = export_questions(tmp_path / "one", QUESTIONS, references=True)
    other = export_questions(tmp_path / "other", list(reversed(QUESTIONS)), references=True)
    assert one == other


def test_an_export_of_some_sections_holds_what_is_about_them_wherever_it_lies(
    tmp_path: Path,
) -> None:
    spec = importlib.util.spec_from_file_location(
        "export_adversarial", REPOSITORY / "scripts" / "export_adversarial.py"
    )
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    sets = question_variants(QUESTIONS, KINDS, ["It rains."], 1, codes=["W"])
    answers = answer_variants(ANSWERS, QUESTIONS, SECTIONS, 1, scenarios=["swapped-section"])
    shards = {name: tmp_path / f"{name}.parquet" for name in ("asked", "sets", "answers")}
    artifacts.write(QUESTION_ROWS, shards["asked"], QUESTIONS)
    artifacts.write(QUESTION_ROWS, shards["sets"], sets)
    artifacts.write(ANSWER_ROWS, shards["answers"], answers)
    for patterns, expected in ((["*"], set(KINDS)), (["kind/a", "other/*"], {"kind/a"})):
        script.main(
            questions=[shards["asked"]],
            adversarial=[shards["sets"]],
            answers=[shards["answers"]],
            sections=patterns,
            languages={},
            out=tmp_path / "out",
        )
        sent = read_manifest(tmp_path / "out")
        assert {file.section_id for file in sent} == expected
        assert len(sent) == 2 * len(expected)
        # The material of another section is shown with the answers.
        assert {file.path.rpartition("/")[0] for file in sent} > expected or len(expected) == 3


def test_a_root_without_a_manifest_has_released_nothing(tmp_path: Path) -> None:
    assert read_manifest(tmp_path) == ()


@pytest.mark.parametrize(
    "content",
    ["", "[]", "{}", '{"version": 2, "files": []}', '{"version": 1, "files": [{"path": "a"}]}',
     '{"version": 1, "files": [{"path": "a", "sha256": "x", "items": "n", "section_id": "s"}]}'],
)  # fmt: skip
def test_a_manifest_of_another_form_is_refused_with_its_path(tmp_path: Path, content: str) -> None:
    (tmp_path / MANIFEST).write_text(content, encoding="utf-8")
    with pytest.raises(ManifestError, match=MANIFEST):
        read_manifest(tmp_path)


# What the materials ask for


def test_the_materials_tell_what_is_asked_of_each_track(tmp_path: Path) -> None:
    export_questions(tmp_path, QUESTIONS, references=True)
    export_answers(tmp_path, ANSWERS, QUESTIONS)
    assert read_materials(tmp_path, "teacher").sections == ("kind/a", "kind/b", "kind/c")
    assert read_materials(tmp_path, "teacher").items is None
    students = read_materials(tmp_path, "student").items
    assert students == {key: list(one.questions) for key, one in asked_sets(QUESTIONS).items()}
    evaluators = read_materials(tmp_path, "evaluator").items
    assert evaluators == {
        key: list(one.questions) for key, one in rated_sets(ANSWERS, QUESTIONS).items()
    }


def test_questions_in_two_languages_are_known_in_both(tmp_path: Path) -> None:
    folder = tmp_path / "kind" / "a"
    folder.mkdir(parents=True)
    (folder / "questions.json").write_text('[["Proč?"], ["Jak?"]]', encoding="utf-8")
    (folder / "questions.en.json").write_text('[["Why?"], ["How?"]]', encoding="utf-8")
    found = read_materials(tmp_path, "student")
    assert found.items == {
        "kind/a/questions_by_GOLD_PRIMARY.json": [("Proč?", "Why?"), ("Jak?", "How?")]
    }


def test_an_english_version_of_another_length_does_not_count(tmp_path: Path) -> None:
    folder = tmp_path / "kind" / "a"
    folder.mkdir(parents=True)
    (folder / "questions.json").write_text('[["Proč?"]]', encoding="utf-8")
    (folder / "questions.en.json").write_text('[["Why?"], ["How?"]]', encoding="utf-8")
    assert read_materials(tmp_path, "student").items == {
        "kind/a/questions_by_GOLD_PRIMARY.json": [("Proč?",)]
    }


def test_sets_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    folder = tmp_path / "kind" / "a"
    folder.mkdir(parents=True)
    (folder / "questions.json").write_text("{", encoding="utf-8")
    found = read_materials(tmp_path, "student")
    assert found.unreadable == ("kind/a/questions.json",)
    assert found.items == {}


def test_without_released_answers_nothing_is_known_of_what_to_rate(tmp_path: Path) -> None:
    export_questions(tmp_path, QUESTIONS, references=True)
    assert read_materials(tmp_path, "evaluator").items is None


def test_an_english_set_of_a_foreign_kind_is_written_as_an_english_version(tmp_path: Path) -> None:
    rows = [
        question_row(section, SetName("Red", "PRIMARY", "W"), 0, question="it? Is", references=())
        for section in ("czech/a", "english/a")
    ]
    languages = {"czech": "cs", "english": "en"}
    written = export_questions(tmp_path, rows, references=False, languages=languages)
    assert [file.path for file in written] == [
        "czech/a/questions_by_Red_SHUFFLEDWPRIMARY.en.json",
        "english/a/questions_by_Red_SHUFFLEDWPRIMARY.json",
    ]


def test_english_sets_of_a_foreign_kind_come_back_as_asked_in_english(tmp_path: Path) -> None:
    rows = [
        question_row(
            "popular/a", SetName("Blue", "PRIMARY", "genuine"), place, question=text,
            references=["r"],
        )
        for place, text in enumerate(["Why is it so?", "How is it done?"])
    ]  # fmt: skip
    made = question_variants(rows, {"popular/a": "popular"}, ["It rains.", "It snows."], 1)
    export_questions(tmp_path, made, references=False, languages=LANGUAGES)
    again = with_origins(read_all(tmp_path), rows)
    assert by(again, "question_id") == by(made, "question_id")
    assert {row["language"] for row in again} == {"en"}


def test_a_released_file_of_answers_that_was_edited_is_stale_and_questions_are_not(
    tmp_path: Path,
) -> None:
    names = ("questions_by_Red_SHUFFLEDWPRIMARY", "answers_by_A_B_to_C_D", "answers_by_A_B_to_E_F")
    released = []
    for name in names:
        path = tmp_path / "kind" / "a" / f"{name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("[]", encoding="utf-8")
        released.append(Released(f"kind/a/{name}.json", sha256_of(path), 0, "kind/a"))
    write_manifest(tmp_path, released)
    assert stale_answers(tmp_path) == set()
    for name in names[:2]:
        (tmp_path / "kind" / "a" / f"{name}.json").write_text("[1]", encoding="utf-8")
    assert stale_answers(tmp_path) == {"kind/a/answers_by_A_B_to_C_D.json"}
