"""Keys of submissions lead to sections and sets, in every spelling that can mean one alone."""

import unicodedata
from typing import Literal

import pytest
from submission_values import (
    ASKED,
    OTHER,
    QUESTIONS,
    SECTION,
    SECTIONS,
    SET,
    answers,
    codes,
    errors,
    read_value,
    texts,
)

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
