import json
import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensemaking.io import artifacts
from sensemaking.io.question_files import Item, QuestionSet, is_blank, parse
from sensemaking.schemas import FINDINGS


def read(value: bytes | Any) -> QuestionSet:
    """Parse bytes, or a value as JSON; what is found must fit into the artifact."""
    data = value if isinstance(value, bytes) else json.dumps(value, ensure_ascii=False).encode()
    found = parse(data, "kind/s/questions.json")
    artifacts.to_table(FINDINGS, [finding.row() for finding in found.findings])
    assert all(finding.file == "kind/s/questions.json" for finding in found.findings)
    return found


def questions(found: QuestionSet) -> list[str | None]:
    assert found.items is not None
    return [item.question for item in found.items]


def statuses(found: QuestionSet) -> list[str]:
    assert found.items is not None
    return [item.status for item in found.items]


def places(found: QuestionSet) -> list[tuple[str, str, str]]:
    return [(f.json_pointer, f.code, f.severity) for f in found.findings]


@pytest.mark.parametrize(
    "entry",
    [
        ["Why?", "a", "b"],
        {"question": "Why?", "reference-answer": ["a", "b"]},
        {"question": "Why?", "reference_answer": ["a", "b"]},
        {"question": "Why?", "answers": ["a", "b"], "id": 7},
        {"question": "Why?", "reference-answer": "a", "answers": ["b"]},
    ],
)
def test_all_official_forms_give_the_question_and_its_references(entry: Any) -> None:
    found = read([entry, "And then?"])
    assert found.items == (
        Item("Why?", ("a", "b"), "ok"),
        Item("And then?", (), "ok"),
    )
    assert found.findings == ()


@pytest.mark.parametrize(
    "encoding",
    ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"],
)
def test_every_unicode_encoding_gives_the_same_set(encoding: str) -> None:
    found = read('[["Де Київ?", "Там"]]'.encode(encoding))
    assert found.items == (Item("Де Київ?", ("Там",), "ok"),)
    assert found.findings == ()


def test_texts_become_nfc() -> None:
    decomposed = unicodedata.normalize("NFD", "Їжак?")
    found = read([[decomposed, decomposed]])
    assert found.items == (Item("Їжак?", ("Їжак?",), "ok"),)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "not_json"),
        (b"   ", "not_json"),
        (b"\x00\x01\x02", "not_json"),
        (b'[["How many?", "two"', "not_json"),
        (b'[["Why?", "a"], ["Who', "not_json"),
        (b'[["q1", "a"] ["q2" "b"]]', "not_json"),
        (b"['Why?']", "not_json"),
        (b'["Why?"] ["Who?"]', "not_json"),
        (b"[" * 100_000, "not_json"),
        (b"null", "not_a_list"),
        (b"7", "not_a_list"),
        (b'"Why?"', "not_a_list"),
        (b'{"questions": ["Why?"]}', "not_a_list"),
    ],
)
def test_a_file_that_is_broken_as_a_whole_is_left_out_with_one_finding(
    data: bytes, code: str
) -> None:
    found = read(data)
    assert found.items is None
    assert places(found) == [("", code, "error")]
    assert found.findings[0].action == "the file is left out"


def test_the_message_says_where_the_syntax_is_broken() -> None:
    (finding,) = read(b'["Why?",\n "Who?" "Where?"]').findings
    assert "line 2, column 9" in finding.message


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b'[["Why?", "a",], "Who?"]', "trailing_comma"),
        (b'[["Why?", "a"], "Who?",]', "trailing_comma"),
        (b'[["Why?", "a"], // said\n "Who?"]', "comment"),
    ],
)
def test_slips_with_one_meaning_are_mended_and_told(data: bytes, code: str) -> None:
    found = read(data)
    assert found.items == (Item("Why?", ("a",), "ok"), Item("Who?", (), "ok"))
    assert [(c, severity) for _, c, severity in places(found)] == [(code, "warning")]


@pytest.mark.parametrize(
    "bad", [None, True, [], {}, {"q": "Why?"}, [["Why?", "a"]], [{"question": "Why?"}], [True, "a"]]
)
def test_an_item_of_no_form_keeps_its_place_and_the_others_theirs(bad: Any) -> None:
    found = read(["Why?", bad, ["Who?", "she"]])
    assert questions(found) == ["Why?", None, "Who?"]
    assert statuses(found) == ["ok", "invalid_item", "ok"]
    assert places(found) == [("/1", "invalid_item", "error")]


@pytest.mark.parametrize(
    "blank", ["", "  ", "\n\t", "\u00a0", "\u200b", "\ufeff", ["", "a"], [None]]
)
def test_a_question_with_nothing_to_see_is_blank_and_keeps_its_place(blank: Any) -> None:
    found = read(["Why?", blank, "Who?"])
    assert questions(found) == ["Why?", None, "Who?"]
    assert statuses(found) == ["ok", "blank", "ok"]
    assert places(found) == [("/1", "blank_question", "error")]


def test_a_question_of_punctuation_is_not_blank() -> None:
    assert read(["?!"]).items == (Item("?!", (), "ok"),)
    assert not is_blank("?")
    assert is_blank("")


def test_unusable_references_are_left_out_one_by_one_each_with_its_place() -> None:
    found = read([["Why?", "a", None, "  ", ["b"], {"c": 1}, False, "d"]])
    assert found.items == (Item("Why?", ("a", "d"), "ok"),)
    assert places(found) == [(f"/0/{n}", "invalid_reference", "warning") for n in (2, 3, 4, 5, 6)]
    assert [finding.message.split(";")[0] for finding in found.findings] == [
        f"a reference answer is {what}"
        for what in ("null", "blank", "a list of 1", 'an object with "c"', "false")
    ]


def test_alike_faults_in_one_object_are_separate_findings() -> None:
    # Two rows of one key would stop the whole kind.
    found = read([{"question": "Why?", "answers": ["", "", "a"]}])
    assert found.items == (Item("Why?", ("a",), "ok"),)
    assert [pointer for pointer, _, _ in places(found)] == ["/0/answers/0", "/0/answers/1"]


def test_numbers_are_read_as_the_digits_that_stand_there() -> None:
    digits = "9" * 5000
    found = read(f'[["How many?", 7, 7.10, 1e999, -0, {digits}], 12, [3, "x"]]'.encode())
    assert found.items == (
        Item("How many?", ("7", "7.10", "1e999", "-0", digits), "ok"),
        Item("12", (), "ok"),
        Item("3", ("x",), "ok"),
    )
    assert places(found) == [
        *((f"/0/{n}", "number_for_text", "warning") for n in range(1, 6)),
        ("/1", "number_for_text", "warning"),
        ("/2/0", "number_for_text", "warning"),
    ]
    assert all(len(finding.message) < 300 for finding in found.findings)


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity"])
def test_what_is_no_number_of_json_is_no_text(word: str) -> None:
    found = read(f'["Why?", ["Who?", {word}, "she"], {word}]'.encode())
    assert questions(found) == ["Why?", "Who?", None]
    assert found.items is not None
    assert found.items[1].references == ("she",)


@pytest.mark.parametrize("depth", [70, 500, 50_000])
def test_a_value_nested_too_deep_costs_its_own_item_only(depth: int) -> None:
    nested = b"[" * depth + b"]" * depth
    found = read(b'["Why?", ' + nested + b', ["Who?", ' + nested + b', "she"]]')
    assert questions(found) == ["Why?", None, "Who?"]
    assert found.items is not None
    assert found.items[2].references == ("she",)
    assert {pointer.split("/")[1] for pointer, _, _ in places(found)} == {"1", "2"}


def test_a_key_that_occurs_twice_with_different_values_makes_its_item_invalid() -> None:
    found = read(b'["Why?", {"question": "a", "question": "b", "answer": "c"}, "Who?"]')
    assert questions(found) == ["Why?", None, "Who?"]
    assert ("/1/question", "duplicate_key", "error") in places(found)
    assert ("/1", "invalid_item", "error") in places(found)
    equal = read(b'[{"question": "a", "question": "a"}]')
    assert questions(equal) == ["a"]
    assert [code for _, code, _ in places(equal)] == ["repeated_key"]


def test_a_question_that_is_there_twice_is_kept_and_told() -> None:
    found = read(["Why?", "Who?", ["Why?", "a"]])
    assert questions(found) == ["Why?", "Who?", "Why?"]
    assert places(found) == [("/2", "repeated_question", "warning")]
    assert "of item 0 again" in found.findings[0].message


def test_bytes_of_a_code_page_are_refused_with_their_place_and_the_rest_is_read() -> None:
    found = read('[["Де Київ?", "тут"], ["Where?", "here", "там"]]'.encode("cp1251"))
    assert questions(found) == [None, "Where?"]
    assert found.items is not None
    assert found.items[1] == Item("Where?", ("here",), "ok")
    assert ("", "not_utf8", "error") in places(found)
    assert "byte 3 does not fit" in found.findings[0].message


def test_half_of_a_surrogate_pair_is_replaced_since_no_artifact_can_hold_it() -> None:
    found = read(b'[["Why \\ud83d?", "\\udc00", "ok \\ud83d\\ude00"]]')
    assert found.items == (Item("Why \ufffd?", ("\ufffd", "ok 😀"), "ok"),)
    assert [code for _, code, _ in places(found)] == ["lone_surrogate"] * 2


def test_an_empty_list_is_an_empty_set_and_told() -> None:
    found = read([])
    assert found.items == ()
    assert places(found) == [("", "empty_set", "warning")]


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["question", "answer", "answers", "x"]), inner, max_size=3
        )
    ),
    max_leaves=12,
)


@given(st.lists(VALUES, max_size=6))
def test_whatever_a_list_holds_every_entry_keeps_its_place(entries: list[Any]) -> None:
    found = read(json.dumps(entries).encode())
    assert found.items is not None
    assert len(found.items) == len(entries)
    for item in found.items:
        assert (item.question is None) == (item.status != "ok")
        assert all(reference and not is_blank(reference) for reference in item.references)
    assert list(found.findings) == sorted(set(found.findings))


@given(st.lists(VALUES, min_size=1, max_size=4), st.integers(0, 5))
def test_a_good_item_is_read_alike_whatever_stands_beside_it(entries: list[Any], at: int) -> None:
    at = min(at, len(entries))
    found = read(json.dumps([*entries[:at], ["A good one?", "yes"], *entries[at:]]).encode())
    assert found.items is not None
    assert found.items[at] == Item("A good one?", ("yes",), "ok")


@given(st.binary(max_size=80))
def test_no_bytes_raise(data: bytes) -> None:
    found = read(data)
    assert found.items is not None or len(found.findings) == 1
