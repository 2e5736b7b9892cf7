"""Submissions are read as far as they are certain: forms, keys, texts, ratings, all findings."""

import json
import unicodedata
from pathlib import Path
from typing import Any, Literal

import pytest

from sensemaking.io.submission_codes import CODES
from sensemaking.io.submission_model import Role, Submission
from sensemaking.io.submissions import read, read_bytes

SECTION = "nmt-class/lecture01/slide01"
OTHER = "ukr-biology/Тема03"
SECTIONS = [SECTION, OTHER, "nmt-class/lecture01/slide02"]
SET = f"{SECTION}/questions_by_Blue_PRIMARY.json"
RATED = f"{SECTION}/answers_by_Red_PRIMARY_to_Blue_PRIMARY.json"
QUESTIONS = ["What is a token?", "Why are words split?", "How many merges are usual?"]
ASKED = {SET: QUESTIONS}
TO_RATE = {RATED: QUESTIONS}


def read_value(
    value: Any,
    role: Role = "teacher",
    known: Any = None,
    sections: Any = SECTIONS,
) -> Submission:
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    return read_bytes(data, role, sections, known, file="file.json")


def codes(submission: Submission, severity: str | None = None) -> set[str]:
    return {
        finding.code
        for finding in submission.findings
        if severity is None or finding.severity == severity
    }


def errors(submission: Submission) -> set[str]:
    return codes(submission, "error")


def texts(submission: Submission) -> dict[int, tuple[str, ...]]:
    return {item.position: item.texts for item in submission.items}


def answers(submission: Submission) -> dict[int, str | None]:
    return {item.position: item.answer for item in submission.items}


def ratings(submission: Submission) -> dict[int, list[float | None]]:
    return {item.position: [r.value for r in item.ratings] for item in submission.items}


# The forms of the three tracks


@pytest.mark.parametrize(
    "given",
    [
        [["What?", "This.", "That."], ["Why?"]],
        [{"question": "What?", "reference-answer": ["This.", "That."]}, {"question": "Why?"}],
        [["What?", "This.", "That."], "Why?"],
    ],
)
def test_each_form_of_a_teacher_gives_the_same_items(given: Any) -> None:
    found = read_value({SECTION: given})
    assert texts(found) == {0: ("What?", "This.", "That."), 1: ("Why?",)}
    assert {item.section_id for item in found.items} == {SECTION}
    assert not errors(found)
    assert not found.repairs


@pytest.mark.parametrize(
    "given",
    [
        [[QUESTIONS[0], "A part.", "A piece."], [QUESTIONS[1], "Rare ones."]],
        [
            {"question": QUESTIONS[0], "answer": ["A part.", "A piece."]},
            {"question": QUESTIONS[1], "answer": "Rare ones."},
        ],
    ],
)
@pytest.mark.parametrize("name", ["questions_by_Blue_PRIMARY.json", "answers_by_Blue_PRIMARY.json"])
def test_each_form_of_a_student_gives_the_same_items(given: Any, name: str) -> None:
    found = read_value({f"{SECTION}/{name}": given}, "student", ASKED)
    assert answers(found) == {0: "A part.", 1: "Rare ones."}
    assert found.items[0].alternatives == ("A piece.",)
    assert {item.key for item in found.items} == {SET}
    assert codes(found) == {"missing_items"}


def test_ratings_belong_to_the_answers_in_their_order() -> None:
    found = read_value({RATED: [[85, 20.5], [0], [100]]}, "evaluator", TO_RATE)
    assert ratings(found) == {0: [85.0, 20.5], 1: [0.0], 2: [100.0]}
    assert [item.rating for item in found.items] == [85.0, 0.0, 100.0]
    assert not found.findings


@pytest.mark.parametrize("prefix", ["", "testset/", "devset/", "./", "./testset/"])
@pytest.mark.parametrize("name", ["answers", "ratings"])
def test_evaluators_may_name_the_file_with_answers_or_ratings(prefix: str, name: str) -> None:
    key = prefix + RATED.replace("/answers_", f"/{name}_")
    found = read_value({key: [[1], [2], [3]]}, "evaluator", TO_RATE)
    assert ratings(found) == {0: [1.0], 1: [2.0], 2: [3.0]}
    assert {item.key for item in found.items} == {RATED}


@pytest.mark.parametrize(
    ("key", "known"),
    [
        ("questions.json", "questions.json"),
        ("answers.json", "questions.json"),
        ("questions.en.json", "questions.json"),
        ("questions_by_GOLD_PRIMARY.json", "questions.json"),
        ("questions.json", "questions_by_GOLD_PRIMARY.json"),
        ("answers_by_Red_PRIMARY_to_GOLD_PRIMARY.json", "questions.json"),
        ("questions", "questions.json"),
    ],
)
def test_the_expert_set_has_many_names(key: str, known: str) -> None:
    asked = {f"{SECTION}/{known}": QUESTIONS}
    found = read_value({f"{SECTION}/{key}": [[q, "a"] for q in QUESTIONS]}, "student", asked)
    assert len(found.items) == 3
    assert not found.findings


def test_a_team_whose_name_holds_the_divider_of_answers_is_found() -> None:
    asked = {f"{SECTION}/questions_by_text_to_quiz_PRIMARY.json": QUESTIONS}
    key = f"{SECTION}/answers_by_text_to_quiz_PRIMARY.json"
    found = read_value({key: [[QUESTIONS[0], "a"]]}, "student", asked)
    assert answers(found) == {0: "a"}


def test_without_known_items_counts_and_texts_are_not_checked() -> None:
    found = read_value({SET: [["Another question?", "a"]]}, "student")
    assert answers(found) == {0: "a"}
    assert codes(found) == {"not_checked"}
    assert not found.checked


def test_without_known_sections_each_path_is_taken_as_it_is() -> None:
    found = read_value({"testset/any/where/questions.json": [["What?"]]}, sections=None)
    assert [item.section_id for item in found.items] == ["any/where"]
    assert "not_checked" in codes(found)


def test_a_file_that_is_not_there_raises_and_names_it(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"nothing\.json"):
        read(tmp_path / "nothing.json", "teacher", SECTIONS)


def test_a_folder_in_place_of_a_file_is_a_finding(tmp_path: Path) -> None:
    found = read(tmp_path, "teacher", SECTIONS)
    assert errors(found) == {"unreadable"}
    assert not found.readable


def test_an_unknown_role_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown role 'judge'; known: teacher, student"):
        read("x.json", "judge", SECTIONS)  # type: ignore[arg-type]


def test_a_file_beyond_the_limit_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "questions.json"
    path.write_text(json.dumps({SECTION: [["What?"]]}))
    found = read(path, "teacher", SECTIONS, max_bytes=10)
    assert errors(found) == {"too_large"}
    assert not found.readable


# Encodings (sub-01)

ENCODED = '{"team": "blue", "answers": ["Київ"]}'


@pytest.mark.parametrize(
    "encoding",
    ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"],
)
def test_every_unicode_encoding_gives_the_same_items(encoding: str) -> None:
    found = read_value(ENCODED.encode(encoding), "student", sections=["answers"])
    assert answers(found) == {0: "Київ"}


def test_a_code_page_is_not_guessed_and_its_first_byte_is_named() -> None:
    found = read_value(ENCODED.encode("cp1251"), "student", sections=["answers"])
    assert not found.items
    finding = next(f for f in found.findings if f.code == "not_utf8")
    assert finding.severity == "error"
    assert "byte 30 (0xca)" in finding.message
    assert finding.file == "file.json"
    assert [f.path for f in found.findings if f.code == "undecodable_text"] == ["/answers/0"]


def test_one_bad_byte_costs_only_the_text_that_holds_it() -> None:
    text = json.dumps({SET: [[QUESTIONS[0], "Café."], [QUESTIONS[1], "Fine."]]}, ensure_ascii=False)
    found = read_value(text.encode("cp1252"), "student", ASKED)
    assert answers(found) == {1: "Fine."}
    assert [(item.position, item.status) for item in found.missing] == [(0, "invalid_item")]


def test_half_a_character_becomes_the_replacement_character_and_is_reported() -> None:
    found = read_value(b'{"%b": [["Wh\\ud83dat?"]]}' % SECTION.encode())
    assert texts(found) == {0: ("Wh\ufffdat?",)}
    assert [repair.rule for repair in found.repairs] == ["lone_surrogate"]


def test_utf16_with_half_a_unit_at_its_end_keeps_what_is_whole() -> None:
    data = json.dumps({SECTION: [["What?"]]}).encode("utf-16-le") + b"\x20"
    found = read_value(data)
    assert texts(found) == {0: ("What?",)}
    assert "not_utf8" in errors(found)


# Duplicate keys (sub-02)


def test_no_value_of_a_key_given_twice_is_chosen() -> None:
    data = (
        b'{"material_1": {"answers": ["a", "b"]}, "material_2": {"answers": ["c"]}, '
        b'"material_1": {"answers": ["x"]}}'
    )
    found = read_value(data, "student", sections=["material_1", "material_2"])
    assert [(item.section_id, item.answer) for item in found.items] == [("material_2", "c")]
    finding = next(f for f in found.findings if f.code == "duplicate_key")
    assert (finding.severity, finding.path) == ("error", "/material_1")
    assert "material_1" in finding.message


def test_equal_values_of_a_key_given_twice_are_read_once_with_a_warning() -> None:
    found = read_value(b'{"%b": [["Q?"]], "%b": [["Q?"]]}' % ((SECTION.encode(),) * 2))
    assert texts(found) == {0: ("Q?",)}
    assert "repeated_key" in codes(found, "warning")


def test_keys_that_are_equal_after_nfc_are_duplicates() -> None:
    composed = unicodedata.normalize("NFC", "Лекція_йод")
    decomposed = unicodedata.normalize("NFD", composed)
    assert composed != decomposed
    text = f'{{"{composed}": [["A?"]], "{decomposed}": [["B?"]], "{SECTION}": [["C?"]]}}'
    found = read_value(text.encode(), sections=[composed, SECTION])
    assert texts(found) == {0: ("C?",)}
    assert "duplicate_key" in errors(found)


def test_a_duplicate_deep_inside_refuses_that_item_only() -> None:
    data = (
        b'{"%b": [{"question": "A?", "reference-answer": "x", "question": "B?"}, ["C?"]]}'
        % SECTION.encode()
    )
    found = read_value(data)
    assert texts(found) == {1: ("C?",)}
    assert [f.path for f in found.findings if f.code == "duplicate_key"] == [
        "/nmt-class~1lecture01~1slide01/0/question"
    ]


def test_one_set_under_two_different_keys_is_refused_in_both() -> None:
    found = read_value(
        {SECTION: [["A?"]], f"testset/{SECTION}/questions.json": [["B?"]], OTHER: [["C?"]]}
    )
    assert [item.section_id for item in found.items] == [OTHER]
    assert [f.code for f in found.findings if f.severity == "error"] == ["same_set_twice"] * 2
    assert found.n_refused == 2


def test_one_set_under_two_keys_with_equal_values_is_read_once() -> None:
    found = read_value({SECTION: [["A?"]], f"devset/{SECTION}/questions.json": [["A?"]]})
    assert texts(found) == {0: ("A?",)}
    assert "repeated_set" in codes(found, "warning")
    assert not errors(found)


def test_a_value_nested_deeply_under_two_keys_is_compared_without_a_crash() -> None:
    nest = "[" * 950 + "]" * 950
    data = f'{{"{SECTION}": {nest}, "testset/{SECTION}": {nest}, "{OTHER}": ["A?"]}}'
    assert [item.section_id for item in read_value(data.encode()).items] == [OTHER]


# Keys (sub-03 and its kind)


@pytest.mark.parametrize("name", ["Лекція_йод", "přednáška", "Größe"])
@pytest.mark.parametrize(("disk_form", "given_form"), [("NFC", "NFD"), ("NFD", "NFC")])
def test_names_match_in_either_unicode_form(
    name: str, disk_form: Literal["NFC", "NFD"], given_form: Literal["NFC", "NFD"]
) -> None:
    on_disk = unicodedata.normalize(disk_form, name)
    given = unicodedata.normalize(given_form, name)
    assert on_disk != given
    found = read_value({f"{given}/questions.json": [["What?"]]}, sections=[on_disk])
    assert len(found.items) == 1
    assert not found.repairs
    assert codes(found, "info") == {"no_references"} | (
        {"decomposed_key"} if given_form == "NFD" else set()
    )


@pytest.mark.parametrize(
    "key",
    [
        "nmt-class\\lecture01\\slide01\\questions.json",
        "testset\\nmt-class\\lecture01\\slide01",
        "devset\\nmt-class/lecture01\\slide01\\text.txt",
    ],
)
def test_windows_separators_are_read_and_recorded(key: str) -> None:
    found = read_value({key: [["What?"]]})
    assert [item.section_id for item in found.items] == [SECTION]
    assert [(r.rule, r.after) for r in found.repairs] == [("windows_separators", f'"{SECTION}"')]
    assert found.items[0].repairs == (found.repairs[0].hash,)


@pytest.mark.parametrize(
    ("key", "section"),
    [
        (r"testset\nmt-class\lecture01\slide01", SECTION),
        (r"testset\ukr-biology\Тема03", OTHER),
        (r"testset\flat-earth\book", "flat-earth/book"),
        (r"top\rest\by\flat", "top/rest/by/flat"),
    ],
)
def test_letters_that_an_escape_swallowed_are_given_back(key: str, section: str) -> None:
    found = read_value(
        f'{{"{key}": [["What?"]]}}'.encode(), sections=[*SECTIONS, "flat-earth/book", section]
    )
    assert [item.section_id for item in found.items] == [section]
    assert not errors(found)


def test_a_zero_character_in_a_key_is_no_section_and_no_crash() -> None:
    found = read_value(b'{"nmt-class\\u0000x": [["A?"]], "%b": [["B?"]]}' % SECTION.encode())
    assert texts(found) == {0: ("B?",)}
    assert errors(found) == {"unknown_section"}


def test_a_swallowed_escape_before_four_zeros_is_given_back() -> None:
    found = read_value(b'{"kind\\u0000b": [["A?"]]}', sections=["kind/u0000b"])
    assert [item.section_id for item in found.items] == ["kind/u0000b"]


@pytest.mark.parametrize(
    ("key", "code"),
    [
        (f"../{SECTION}", "parent_path"),
        ("nmt-class/../../etc/passwd", "parent_path"),
        ("..\\..\\etc", "parent_path"),
        (f"/{SECTION}", "absolute_path"),
        (f"C:\\{SECTION}", "absolute_path"),
        ("\\\\server\\share\\slide01", "absolute_path"),
        (f"~/{SECTION}", "absolute_path"),
        (f"file:///{SECTION}", "absolute_path"),
        ("", "empty_key"),
        ("  ", "empty_key"),
        ("nmt-class/lecture01/slide09/questions.json", "unknown_section"),
        ("nmt-class/lecture01", "unknown_section"),
        ("nmt-class/lecture01/slide01/deeper/questions.json", "unknown_section"),
    ],
)
def test_a_key_that_is_no_section_is_refused_alone(key: str, code: str) -> None:
    found = read_value({key: [["A?"]], OTHER: [["B?"]]})
    assert [item.section_id for item in found.items] == [OTHER]
    assert errors(found) == {code}
    assert found.n_refused == 1


def test_an_unknown_section_is_told_with_the_nearest_known_one() -> None:
    found = read_value({"nmt-class/lecture01/slide1/questions.json": [["A?"]]})
    finding = next(f for f in found.findings if f.code == "unknown_section")
    assert 'nearest section: "nmt-class/lecture01/slide0' in finding.message
    assert not found.items


def test_a_section_above_another_does_not_take_its_misspelt_neighbour() -> None:
    found = read_value({"book/ch2": [["A?"]]}, sections=["book", "book/ch1"])
    assert not found.items
    assert errors(found) == {"unknown_section"}


@pytest.mark.parametrize(
    "key",
    [
        "NMT-Class/Lecture01/slide01",
        "nmt-class/ lecture01 /slide01",
        "nmt-class%2Flecture01%2Fslide01",
        OTHER.encode().decode("cp1251"),
    ],
)
def test_another_spelling_of_exactly_one_section_is_read_as_a_repair(key: str) -> None:
    found = read_value({key: [["A?"]]})
    assert len(found.items) == 1
    assert [repair.rule for repair in found.repairs] == ["key_spelling"]


def test_a_spelling_that_fits_two_sections_is_refused() -> None:
    found = read_value({"KIND/A": [["A?"]]}, sections=["kind/a", "Kind/A"])
    assert not found.items


def test_folders_inside_one_another_are_joined_to_a_path() -> None:
    found = read_value({"testset": {"nmt-class": {"lecture01": {"slide01": [["A?"]]}}}})
    assert [item.section_id for item in found.items] == [SECTION]
    assert [repair.rule for repair in found.repairs] == ["nested_folders"]


def test_folders_may_stand_in_a_wrapper() -> None:
    found = read_value({"questions": {SECTION: [["A?"]], "nowhere": [["B?"]]}})
    assert texts(found) == {0: ("A?",)}
    assert [repair.rule for repair in found.repairs] == ["wrapped_list"]
    assert errors(found) == {"unknown_section"}


def test_files_in_the_folder_of_a_section_are_read() -> None:
    found = read_value({SECTION: {"questions_by_Blue_PRIMARY.json": [[QUESTIONS[0], "a"]]}},
                       "student", ASKED)  # fmt: skip
    assert answers(found) == {0: "a"}


def test_a_file_name_of_another_form_is_read_with_a_warning_where_nothing_is_known() -> None:
    found = read_value({f"{SECTION}/mine.json": [["A?", "a"]]}, "student")
    assert answers(found) == {0: "a"}
    assert "unusual_name" in codes(found, "warning")


def test_a_set_name_in_other_letters_is_read_as_a_repair() -> None:
    asked = {**ASKED, f"{SECTION}/questions.json": QUESTIONS}
    key = f"{SECTION}/questions_by_BLUE_primary.json"
    found = read_value({key: [[QUESTIONS[0], "a"]]}, "student", asked)
    assert [(item.key, item.answer) for item in found.items] == [(SET, "a")]
    assert [repair.rule for repair in found.repairs] == ["key_spelling"]


def test_a_set_that_was_not_asked_is_refused_and_those_asked_are_named() -> None:
    key = f"{SECTION}/questions_by_Green_PRIMARY.json"
    found = read_value({key: [["A?", "a"]]}, "student", ASKED)
    assert not found.items
    assert "questions_by_Blue_PRIMARY" in found.findings[0].message
    assert errors(found) == {"unknown_set"}


def test_a_section_with_one_set_needs_no_name_of_it() -> None:
    found = read_value({SECTION: [[q, "a"] for q in QUESTIONS]}, "student", ASKED)
    assert len(found.items) == 3
    assert [repair.rule for repair in found.repairs] == ["no_set_name"]


def test_a_section_with_two_sets_needs_the_name_of_one() -> None:
    asked = {**ASKED, f"{SECTION}/questions.json": QUESTIONS}
    found = read_value({SECTION: [[q, "a"] for q in QUESTIONS]}, "student", asked)
    assert not found.items
    assert errors(found) == {"unknown_set"}


def test_sections_that_are_missing_are_counted_and_named() -> None:
    found = read_value({SECTION: [["A?"]]})
    assert found.missing_keys == ("nmt-class/lecture01/slide02", OTHER)
    finding = next(f for f in found.findings if f.code == "missing_keys")
    assert "2 of 3 sections" in finding.message


# Values under keys (sub-05 and its kind)


def test_a_text_for_a_list_is_one_answer_never_its_letters() -> None:
    found = read_value({"answers": "The sun"}, "student", sections=["answers"])
    assert answers(found) == {0: "The sun"}
    assert "value_for_list" in codes(found, "warning")


def test_two_answers_in_one_list_are_never_spread_over_the_questions() -> None:
    found = read_value(
        {"answers": [["a", "b"], ["c"]]}, "student", {"answers": ["Q1", "Q2"]}, ["answers"]
    )
    assert not found.items
    assert "/answers/0" in {f.path for f in found.findings if f.severity == "error"}


def test_numbered_values_are_read_in_the_order_of_the_numbers() -> None:
    found = read_value({SECTION: {"1": "a?", "2": "b?", "10": "c?"}})
    assert texts(found) == {0: ("a?",), 1: ("b?",), 2: ("c?",)}
    repair = found.repairs[0]
    assert (repair.rule, repair.after) == ("numbered_object", '["a?", "b?", "c?"]')


@pytest.mark.parametrize("name", ["0\x1f", "٣", "1.0", "-1", "1e3", "9" * 5000])
def test_a_name_that_only_looks_like_a_number_is_no_number(name: str) -> None:
    found = read_value({SECTION: {name: "a?"}, OTHER: ["b?"]})
    assert texts(found) == {0: ("b?",)}
    assert errors(found)


def test_one_number_twice_is_refused() -> None:
    found = read_value({SECTION: {"1": "a?", "01": "b?"}, OTHER: ["c?"]})
    assert texts(found) == {0: ("c?",)}
    assert errors(found) == {"wrong_value"}
    assert found.n_refused == 2


def test_numbers_become_texts_and_null_and_blank_are_missing() -> None:
    found = read_value({"answers": ["a", 7, None, "  "]}, "student", sections=["answers"])
    assert answers(found) == {0: "a", 1: "7"}
    assert [(item.position, item.status) for item in found.missing] == [
        (2, "no_answer"),
        (3, "blank"),
    ]
    assert {"number_for_text", "null_text", "blank_text"} <= codes(found, "warning")


@pytest.mark.parametrize("literal", ["7", "1.50", "-0", "1e5", "9" * 400])
def test_a_number_keeps_its_digits_as_a_text(literal: str) -> None:
    found = read_value(f'{{"{SECTION}": [["Q?", {literal}]]}}'.encode())
    assert texts(found) == {0: ("Q?", literal)}


@pytest.mark.parametrize("literal", ["true", "NaN", "Infinity", '{"text": "a"}', '["a", ["b"]]'])
def test_what_is_no_text_is_refused_and_the_others_stay(literal: str) -> None:
    found = read_value(f'{{"{SET}": [["{QUESTIONS[0]}", {literal}, "b"]]}}'.encode(), "student")
    assert not found.items
    assert found.missing[0].status == "invalid_item"
    assert found.missing[0].alternatives == ("b",)
    assert errors(found) == {"wrong_text"}


@pytest.mark.parametrize("value", [[], None, 7, True, "text", [1], [["a", "b"]]])
def test_what_is_no_object_is_unreadable_and_says_so(value: Any) -> None:
    found = read_value(value)
    assert not found.readable
    assert not found.items
    assert [(f.code, f.path) for f in found.findings] == [("not_an_object", "")]


@pytest.mark.parametrize("value", [7, True, {"text": "x"}, {"no": {"form": 1}}])
def test_a_value_of_no_form_is_refused_and_the_others_stay(value: Any) -> None:
    found = read_value({SECTION: value, OTHER: [["A?"]]})
    assert [item.section_id for item in found.items] == [OTHER]
    assert errors(found)


@pytest.mark.parametrize("value", [[], {}, None])
def test_an_empty_list_is_told_and_gives_nothing(value: Any) -> None:
    found = read_value({SECTION: value, OTHER: [["A?"]]})
    assert [item.section_id for item in found.items] == [OTHER]
    assert "empty_list" in codes(found, "warning")
    assert SECTION not in found.missing_keys


@pytest.mark.parametrize(
    ("value", "rule"),
    [
        ({"answers": [[QUESTIONS[0], "a"]]}, "wrapped_list"),
        ([[[QUESTIONS[0], "a"], [QUESTIONS[1], "b"]]], "extra_nesting"),
        ([[[QUESTIONS[0], "a"]], [QUESTIONS[1], "b"]], "extra_nesting"),
        ({"questions": QUESTIONS[:1], "answers": ["a"]}, "parallel_lists"),
        ({QUESTIONS[0]: "a"}, "questions_as_keys"),
        ({"question": QUESTIONS[0], "answer": "a"}, "value_for_list"),
        ([QUESTIONS[0], "a"], "value_for_list"),
        ([[QUESTIONS[0], ["a", "b"]]], "nested_texts"),
        ([{"Question": QUESTIONS[0], "Answer": "a"}], "field_name"),
        ({"1": [QUESTIONS[0], "a"]}, "numbered_object"),
    ],
)
def test_forms_with_one_meaning_are_read_and_recorded(value: Any, rule: str) -> None:
    found = read_value({SET: value}, "student", ASKED)
    assert answers(found)[0] == "a"
    assert found.items[0].question == QUESTIONS[0]
    assert rule in {repair.rule for repair in found.repairs}
    assert found.items[0].repairs
    assert not errors(found)


@pytest.mark.parametrize(
    "value",
    [
        {"questions": QUESTIONS, "answers": ["a"]},
        QUESTIONS,
        [QUESTIONS[0], "a", QUESTIONS[1], "b"],
        {QUESTIONS[0]: "a", "Something else?": "b"},
        [[["a"], ["b"]], [["c"]]],
    ],
)
def test_forms_with_two_meanings_are_refused(value: Any) -> None:
    found = read_value({SET: value}, "student", ASKED)
    assert not found.items
    assert errors(found)


@pytest.mark.parametrize(
    "item",
    [
        {"question": QUESTIONS[0], "answer": "a", "answers": ["b"]},
        {"question": QUESTIONS[0], "Question": QUESTIONS[1], "answer": "a"},
        {"question": QUESTIONS[0]},
        {"q": QUESTIONS[0], "comment": "a"},
    ],
)
def test_an_item_with_two_answers_fields_or_none_is_refused(item: dict[str, Any]) -> None:
    found = read_value({SET: [item, [QUESTIONS[2], "c"]]}, "student", ASKED)
    assert answers(found) == {2: "c"}
    assert "wrong_item" in errors(found)


def test_fields_beside_the_wrapped_list_are_passed_over() -> None:
    value = {"answers": [[QUESTIONS[0], "a"]], "model": "m"}
    found = read_value({SET: value}, "student", ASKED)
    assert answers(found) == {0: "a"}
    assert "unknown_field" in codes(found, "info")


def test_unknown_fields_are_told_once_and_passed_over() -> None:
    items = [{"question": q, "answer": "a", "model": "m", "id": 1} for q in QUESTIONS]
    found = read_value({SET: items}, "student", ASKED)
    assert len(found.items) == 3
    assert [f.message.split(";")[0] for f in found.findings] == [
        'found the field "model" (3 times)'
    ]


def test_whether_a_question_can_be_answered_is_kept() -> None:
    items = [{"question": QUESTIONS[0], "answer": "a", "answerable": False}]
    found = read_value({SET: items}, "student", ASKED)
    assert found.items[0].answerable is False


@pytest.mark.parametrize("text", ["<p>A part</p>", "A &amp; B", "**bold**", "```\ncode\n```"])
def test_markup_is_told_and_kept_as_it_is(text: str) -> None:
    found = read_value({SECTION: [["Q?", text]]})
    assert texts(found) == {0: ("Q?", text)}
    assert "markup" in codes(found, "warning")
    assert not found.repairs


@pytest.mark.parametrize("text", ["a < b and b > c", "2 * 3 ** 4", "R&D", "#1", "x & y;"])
def test_signs_that_are_no_markup_are_not_told(text: str) -> None:
    assert "markup" not in codes(read_value({SECTION: [["Q?", text]]}))


@pytest.mark.parametrize("text", ["", " ", "\t\n", "\u00a0", "\u200b", "\ufeff \u2060"])
def test_a_text_without_a_visible_character_is_blank(text: str) -> None:
    found = read_value({SECTION: [[text, "r"], ["Q?"]]})
    assert texts(found) == {1: ("Q?",)}
    assert [(item.position, item.status) for item in found.missing] == [(0, "blank")]


@pytest.mark.parametrize("text", ["?", "…", "42", "☃", "-"])
def test_a_text_of_signs_is_a_text(text: str) -> None:
    assert texts(read_value({SECTION: [[text]]})) == {0: (text,)}


def test_texts_are_read_in_nfc() -> None:
    composed = unicodedata.normalize("NFC", "Їжак їсть?")
    given = unicodedata.normalize("NFD", composed)
    assert given != composed
    assert texts(read_value({SECTION: [[given]]})) == {0: (composed,)}


def test_questions_without_reference_answers_are_counted() -> None:
    found = read_value({SECTION: [["A?"], ["B?", "b"], "C?"]})
    finding = next(f for f in found.findings if f.code == "no_references")
    assert (finding.severity, finding.path) == ("info", "")
    assert "2 of 3 questions" in finding.message


# Ratings


@pytest.mark.parametrize(
    ("given", "value"),
    [("85", 85.0), ("85/100", 85.0), ("85 %", 85.0), ("Rating: 90", 90.0), (" 7.5 ", 7.5)],
)
def test_a_rating_in_a_text_is_read_and_recorded(given: str, value: float) -> None:
    found = read_value({RATED: [[given], [1], [2]]}, "evaluator", TO_RATE)
    assert ratings(found)[0] == [value]
    assert [(r.rule, r.before) for r in found.repairs] == [("rating_as_text", json.dumps(given))]


@pytest.mark.parametrize(
    "literal",
    ["101", "-1", "100.0001", "1e400", "9" * 400, "true", "false", "NaN", "Infinity", "-Infinity",
     '"8/10"', '"between 70 and 80"', '"good"', '{"rating": 50}'],
)  # fmt: skip
def test_what_is_no_rating_is_refused_and_never_clamped(literal: str) -> None:
    found = read_value(f'{{"{RATED}": [[{literal}], [50], [60]]}}'.encode(), "evaluator", TO_RATE)
    assert ratings(found) == {1: [50.0], 2: [60.0]}
    assert [(item.position, item.status) for item in found.missing] == [(0, "invalid_rating")]
    assert errors(found) == {"invalid_rating"}


def test_ratings_on_another_scale_are_kept_as_given() -> None:
    found = read_value({RATED: [[0.85], [1], [0]]}, "evaluator", TO_RATE)
    assert ratings(found) == {0: [0.85], 1: [1.0], 2: [0.0]}


def test_null_ratings_are_missing_and_the_others_keep_their_answers() -> None:
    found = read_value({RATED: [[None, 40], [], [""]]}, "evaluator", TO_RATE)
    assert ratings(found) == {0: [None, 40.0]}
    assert [(item.position, item.status) for item in found.missing] == [
        (1, "no_rating"),
        (2, "no_rating"),
    ]


def test_a_plain_list_of_ratings_is_one_for_each_item() -> None:
    found = read_value({RATED: [80, "70", 60]}, "evaluator", TO_RATE)
    assert ratings(found) == {0: [80.0], 1: [70.0], 2: [60.0]}


@pytest.mark.parametrize(
    "value", [[[80], [70]], [[80], [70], [60], [50]], [80, 70], [[80, 70, 60]]]
)
def test_ratings_are_never_joined_where_the_counts_differ(value: Any) -> None:
    found = read_value({RATED: value}, "evaluator", TO_RATE)
    assert not found.items
    assert errors(found) == {"count_mismatch"}
    assert found.stale_keys == (RATED,)


def test_ratings_with_their_questions_are_joined_by_these() -> None:
    items = [{"question": QUESTIONS[2], "rating": 30}, {"question": QUESTIONS[0], "rating": 10}]
    found = read_value({RATED: items}, "evaluator", TO_RATE)
    assert ratings(found) == {0: [10.0], 2: [30.0]}


def test_a_text_before_the_ratings_shifts_none_of_them() -> None:
    found = read_value({RATED: [["Good answer", 80], [1], [2]]}, "evaluator", TO_RATE)
    assert ratings(found) == {1: [1.0], 2: [2.0]}
    assert errors(found) == {"wrong_item"}


# Matching with the questions


def test_answers_go_to_their_questions_in_any_order() -> None:
    given = [[QUESTIONS[2], "c"], [QUESTIONS[0], "a"]]
    found = read_value({SET: given}, "student", ASKED)
    assert answers(found) == {0: "a", 2: "c"}


@pytest.mark.parametrize(
    "written",
    ["what is a token", "What  is a\ntoken?", "“What is a token?”", "What is a token&#63;"],
)
def test_a_question_is_known_in_another_spelling(written: str) -> None:
    found = read_value({SET: [[written, "a"]]}, "student", ASKED)
    assert answers(found) == {0: "a"}


def test_a_question_is_known_in_each_of_its_languages() -> None:
    asked = {SET: [["What is a token?", "Co je token?"], "Why?"]}
    found = read_value({SET: [["Why?", "b"], ["Co je token?", "a"]]}, "student", asked)
    assert answers(found) == {0: "a", 1: "b"}


def test_an_answer_to_another_question_is_refused_even_in_its_place() -> None:
    given = [[QUESTIONS[0], "a"], ["Why are words joined?", "b"], [QUESTIONS[2], "c"]]
    found = read_value({SET: given}, "student", ASKED)
    assert answers(found) == {0: "a", 2: "c"}
    finding = next(f for f in found.findings if f.code == "unknown_question")
    assert 'nearest question: "Why are words split?"' in finding.message


@pytest.mark.parametrize("value", [["a", "b"], ["a", "b", "c", "d"], [None, "a"]])
def test_answers_without_questions_are_refused_where_the_counts_differ(value: Any) -> None:
    found = read_value({SET: value}, "student", ASKED)
    assert not found.items
    assert not found.repairs
    assert "count_mismatch" in errors(found)


def test_answers_without_questions_are_matched_by_place_where_the_counts_agree() -> None:
    found = read_value({SET: ["a", "b", "c"]}, "student", ASKED)
    assert answers(found) == {0: "a", 1: "b", 2: "c"}
    assert [item.question for item in found.items] == QUESTIONS


def test_a_place_says_nothing_where_the_other_items_are_in_another_order() -> None:
    given = [[QUESTIONS[1], "b"], [QUESTIONS[0], "a"], [None, "c"]]
    found = read_value({SET: given}, "student", ASKED)
    assert answers(found) == {0: "a", 1: "b"}
    assert errors(found) == {"count_mismatch"}


def test_two_different_answers_to_one_question_are_refused_both() -> None:
    given = [[QUESTIONS[0], "a"], [QUESTIONS[0], "x"], [QUESTIONS[1], "b"]]
    found = read_value({SET: given}, "student", ASKED)
    assert answers(found) == {1: "b"}
    assert errors(found) == {"question_twice"}


def test_two_equal_answers_to_one_question_are_read_once() -> None:
    given = [[QUESTIONS[0], "a"], [QUESTIONS[0], "a"]]
    found = read_value({SET: given}, "student", ASKED)
    assert answers(found) == {0: "a"}
    assert "repeated_item" in codes(found, "warning")


def test_a_question_without_an_answer_does_not_stand_against_one_with_an_answer() -> None:
    given = [[QUESTIONS[0]], [QUESTIONS[0], "a"], [QUESTIONS[0], None]]
    found = read_value({SET: given}, "student", ASKED)
    assert answers(found) == {0: "a"}
    assert not errors(found)


def test_equal_questions_take_the_answers_in_order_where_all_are_there() -> None:
    asked = {SET: ["Why?", "What?", "Why?"]}
    found = read_value({SET: [["Why?", "a"], ["What?", "b"], ["Why?", "c"]]}, "student", asked)
    assert answers(found) == {0: "a", 1: "b", 2: "c"}


def test_one_answer_to_two_equal_questions_is_refused() -> None:
    asked = {SET: ["Why?", "What?", "Why?"]}
    found = read_value({SET: [["What?", "b"], ["Why?", "a"]]}, "student", asked)
    assert answers(found) == {1: "b"}
    assert errors(found) == {"ambiguous_question"}


def test_a_question_without_an_answer_is_missing_in_its_place() -> None:
    found = read_value({SET: [[QUESTIONS[1]], [QUESTIONS[0], None]]}, "student", ASKED)
    assert not found.items
    assert {(item.position, item.status) for item in found.missing} == {
        (0, "no_answer"),
        (1, "no_answer"),
    }


# Everything at once


def test_all_faults_of_a_file_are_told_at_once() -> None:
    found = read_value(
        {SECTION: [[True], ["A?", 7], None], "nowhere/x": [["B?"]], OTHER: 5, "/abs": [["C?"]]}
    )
    assert codes(found) >= {
        "wrong_text",
        "number_for_text",
        "null_text",
        "unknown_section",
        "wrong_value",
        "absolute_path",
    }
    assert texts(found) == {1: ("A?", "7")}


def test_every_finding_says_what_was_found_expected_and_done() -> None:
    found = read_value({SECTION: [[True], ["A?", 7]], "nowhere/x": [["B?"]]})
    for finding in found.findings:
        assert finding.code in CODES
        assert finding.found
        assert finding.expected
        assert finding.action
        assert finding.found in finding.message
        assert finding.expected in finding.message
        assert set(finding.row()) == {
            "file", "json_pointer", "severity", "code", "message", "action",
        }  # fmt: skip


def test_the_page_for_participants_explains_every_code_as_it_is() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "submissions.md").read_text("utf-8")
    table = page.partition("<!-- codes: begin -->\n")[2].partition("<!-- codes: end -->")[0]
    lines = [
        f"| `{code}` | {kind.severity} | {kind.meaning} | {kind.action} | {kind.advice} |"
        for code, kind in CODES.items()
    ]
    assert table.splitlines()[2:] == lines
