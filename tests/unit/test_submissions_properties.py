"""Properties of reading: valid content survives, broken content loses nothing else, no crash."""

import json
import unicodedata
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sensemaking.io.json_reading import decode_json, read_json
from sensemaking.io.json_tolerant import parse_damaged
from sensemaking.io.submission_items import is_blank
from sensemaking.io.submission_model import ROLES, EvaluatorItem, Role, Submission
from sensemaking.io.submissions import read_bytes
from sensemaking.submission_policy import under_policy

SECTIONS = ["kind/a", "kind/Тема ґ", "kind/deep/er/b"]
ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32-be"]

characters = st.characters(exclude_categories=["Cs"])
texts = (
    st.text(characters, min_size=1, max_size=30)
    .map(lambda text: unicodedata.normalize("NFC", text))
    .filter(lambda text: not is_blank(text))
)
ratings = st.one_of(
    st.integers(0, 100), st.floats(0, 100, allow_nan=False).map(lambda value: abs(value))
)
junk = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["", " ", "question", "answer", "10" * 200]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.text(max_size=6) | st.sampled_from(["question", "1"]), inner, max_size=3
        )
    ),
    max_leaves=6,
)
teacher_lists = st.lists(st.lists(texts, min_size=1, max_size=3), min_size=1, max_size=5)
roles = st.sampled_from(ROLES)


def key_of(section: str, role: Role) -> str:
    names = {
        "teacher": "questions.json",
        "student": "questions_by_Blue_PRIMARY.json",
        "evaluator": "answers_by_Red_PRIMARY_to_Blue_PRIMARY.json",
    }
    return f"{section}/{names[role]}"


@st.composite
def submissions(draw: st.DrawFn) -> tuple[Role, dict[str, list[Any]], dict[str, list[str]]]:
    """Draw a valid submission: its role, its content, and the questions that were asked."""
    role = draw(roles)
    content: dict[str, list[Any]] = {}
    asked: dict[str, list[str]] = {}
    for section in draw(st.lists(st.sampled_from(SECTIONS), min_size=1, unique=True)):
        key = key_of(section, role)
        if role == "teacher":
            content[key] = draw(teacher_lists)
            continue
        # Longer than what is drawn as junk, which else might be an answer to one of them.
        questions = draw(
            st.lists(
                texts.map(lambda text: f"What about {text}?"),
                min_size=1,
                max_size=5,
                unique_by=lambda text: " ".join(text.split()),
            )
        )
        asked[key] = questions
        if role == "student":
            answers = st.lists(texts, min_size=1, max_size=3)
            content[key] = [[question, *draw(answers)] for question in questions]
        else:
            content[key] = [draw(st.lists(ratings, min_size=1, max_size=3)) for _ in questions]
    return role, content, asked


def read_content(
    content: Any, role: Role, asked: dict[str, list[str]] | None, encoding: str = "utf-8"
) -> Submission:
    known = None if role == "teacher" else asked
    text = json.dumps(content, ensure_ascii=False)
    return read_bytes(text.encode(encoding), role, SECTIONS, known, file="file.json")


def by_place(submission: Submission) -> dict[tuple[str, int], tuple[Any, ...]]:
    return {
        (item.section_id, item.position): tuple(rating.value for rating in item.ratings)
        if isinstance(item, EvaluatorItem)
        else item.texts
        for item in submission.items
    }


def wanted(content: dict[str, list[Any]]) -> dict[tuple[str, int], tuple[Any, ...]]:
    return {
        (key.rpartition("/")[0], position): tuple(item)
        for key, items in content.items()
        for position, item in enumerate(items)
    }


@settings(deadline=None)
@given(submissions(), st.sampled_from(ENCODINGS), st.sampled_from(["", "testset/", "devset/"]))
def test_a_valid_submission_survives_writing_and_reading(
    drawn: tuple[Role, dict[str, list[Any]], dict[str, list[str]]], encoding: str, prefix: str
) -> None:
    role, content, asked = drawn
    found = read_content({prefix + k: v for k, v in content.items()}, role, asked, encoding)
    assert by_place(found) == wanted(content)
    assert not found.missing
    assert not found.repairs
    assert not [f for f in found.findings if f.severity == "error"]
    assert found.n_refused == 0


@settings(deadline=None)
@given(submissions(), st.sampled_from(["NFC", "NFD"]), st.booleans())
def test_the_unicode_form_and_the_separators_of_keys_change_no_item(
    drawn: tuple[Role, dict[str, list[Any]], dict[str, list[str]]], form: Any, windows: bool
) -> None:
    role, content, asked = drawn
    keys = {key: unicodedata.normalize(form, key) for key in content}
    if windows:
        keys = {key: written.replace("/", "\\") for key, written in keys.items()}
    found = read_content({keys[key]: items for key, items in content.items()}, role, asked)
    assert by_place(found) == wanted(content)


@settings(max_examples=120, deadline=None)
@given(submissions(), junk, st.data())
def test_a_broken_item_neither_touches_nor_adds_another(
    drawn: tuple[Role, dict[str, list[Any]], dict[str, list[str]]], broken: Any, data: st.DataObject
) -> None:
    role, content, asked = drawn
    key = data.draw(st.sampled_from(sorted(content)))
    place = data.draw(st.integers(0, len(content[key]) - 1))
    items = list(content[key])
    # Two items at least, so that the broken one cannot be taken for the whole list.
    items.append(["a last question that is asked nowhere else"] if role == "teacher" else [50])
    questions = {**asked}
    if role != "teacher":
        questions[key] = [*asked[key], "a last question that is asked nowhere else"]
    if role == "student":
        items[-1] = [questions[key][-1], "its answer"]
    expected = wanted({**content, key: items})
    items[place] = broken
    found = read_content({**content, key: items}, role, questions)
    del expected[key.rpartition("/")[0], place]
    kept = by_place(found)
    kept.pop((key.rpartition("/")[0], place), None)
    assert kept == expected


@settings(deadline=None)
@given(submissions(), st.text(max_size=12), junk)
def test_a_broken_key_neither_touches_nor_adds_another(
    drawn: tuple[Role, dict[str, list[Any]], dict[str, list[str]]], name: str, value: Any
) -> None:
    role, content, asked = drawn
    found = read_content({**content, f"nowhere {name}": value}, role, asked)
    assert by_place(found) == wanted(content)


@settings(deadline=None)
@given(submissions(), junk, st.data())
def test_a_broken_value_of_a_key_leaves_the_other_keys_alone(
    drawn: tuple[Role, dict[str, list[Any]], dict[str, list[str]]], value: Any, data: st.DataObject
) -> None:
    role, content, asked = drawn
    key = data.draw(st.sampled_from(sorted(content)))
    found = read_content({**content, key: value}, role, asked)
    section = key.rpartition("/")[0]
    others = {place: texts for place, texts in by_place(found).items() if place[0] != section}
    assert others == wanted({k: v for k, v in content.items() if k != key})


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=200), roles)
@example(b"\xff\xfe", "teacher")
@example(b"\x00", "student")
@example(b'{"kind/a":"\xed\xa0\x80"}', "teacher")
def test_any_bytes_give_a_submission_and_no_exception(data: bytes, role: Role) -> None:
    found = read_bytes(data, role, SECTIONS, {}, file="file.json")
    assert found.findings
    json.dumps([finding.row() for finding in found.findings], ensure_ascii=False).encode()


json_like = st.text(st.sampled_from('{}[]",:\\ \n0123456789.eE+-tfnaulsrNI/*kind\u00e9\ud800'))


@settings(max_examples=150, deadline=None)
@given(json_like, roles)
def test_any_text_of_json_signs_gives_a_submission_and_no_exception(text: str, role: Role) -> None:
    data = text.encode("utf-8", errors="surrogatepass")
    found = read_bytes(data, role, SECTIONS, None, file="file.json")
    for finding in found.findings:
        (finding.message + finding.path).encode()
    for repair in found.repairs:
        (repair.before + repair.after).encode()


@settings(max_examples=120, deadline=None)
@given(submissions(), st.data())
def test_any_byte_changed_anywhere_raises_nothing(
    drawn: tuple[Role, dict[str, list[Any]], dict[str, list[str]]], data: st.DataObject
) -> None:
    role, content, asked = drawn
    raw = bytearray(json.dumps(content, ensure_ascii=False).encode())
    for _ in range(data.draw(st.integers(1, 3))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    found = read_bytes(bytes(raw), role, SECTIONS, asked, file="file.json")
    assert found.role == role


@settings(deadline=None)
@given(junk, roles, st.booleans())
def test_any_json_gives_a_submission_and_no_exception(value: Any, role: Role, known: bool) -> None:
    found = read_bytes(
        json.dumps({"kind/a": value}).encode(),
        role,
        SECTIONS if known else None,
        {key_of("kind/a", role): ["Q?"]} if known else None,
        file="file.json",
    )
    assert found.readable


@settings(deadline=None)
@given(junk)
def test_the_two_readers_agree_on_every_well_formed_text(value: Any) -> None:
    text = json.dumps(value)
    fast = read_json(text)
    tolerant, problems, readable = parse_damaged(text if isinstance(value, list | dict) else "[]")
    if isinstance(value, list | dict):
        assert (tolerant, problems, readable) == (fast.value, [], True)


@settings(deadline=None)
@given(st.text(max_size=50), st.sampled_from(ENCODINGS))
def test_decoding_undoes_encoding(text: str, encoding: str) -> None:
    # A JSON text begins with ASCII, by which an encoding without a mark is known.
    text = "{ " + text.encode("utf-8", errors="replace").decode()
    assert decode_json(text.encode(encoding)).text == text


@settings(deadline=None)
@given(submissions())
def test_valid_submissions_are_the_same_under_every_policy(
    drawn: tuple[Role, dict[str, list[Any]], dict[str, list[str]]],
) -> None:
    role, content, asked = drawn
    found = read_content(content, role, asked)
    assert under_policy(found, "apply") == found
    assert under_policy(found, "exclude") == found
    assert under_policy(found, "refuse") == found


@pytest.mark.parametrize("role", ROLES)
def test_row_order_of_the_file_does_not_matter(role: Role) -> None:
    keys = [key_of(section, role) for section in SECTIONS]
    item = {"teacher": ["Q?"], "student": ["Q?", "a"], "evaluator": [50]}[role]
    asked = {key: ["Q?"] for key in keys}
    one = read_content({key: [item] for key in keys}, role, asked)
    other = read_content({key: [item] for key in reversed(keys)}, role, asked)
    assert one.items == other.items
    assert len(one.items) == 3
