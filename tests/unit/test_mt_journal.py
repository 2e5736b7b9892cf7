"""The journal: nothing finished is lost, nothing half-written is read."""

import json
from pathlib import Path

import pytest

from sensemaking.mt.journal import Journal, Question

QUESTION = Question("google", {"format": "text", "model": ""}, "uk", "en", "Дім")


def ask(source: str) -> Question:
    return Question("google", {"format": "text", "model": ""}, "uk", "en", source)


def test_translations_are_found_again_by_another_process(tmp_path: Path) -> None:
    path = tmp_path / "journals" / "mt" / "kind.jsonl"
    Journal(path).add([(ask("Дім"), "House"), (ask("Сад"), "Garden\nbed")])
    again = Journal(path)
    assert (again.get(ask("Дім")), again.get(ask("Сад"))) == ("House", "Garden\nbed")
    assert again.get(ask("Ліс")) is None
    assert len(again) == 2
    assert again.findings == []


def test_each_line_is_one_translation_that_can_be_read_by_eye(tmp_path: Path) -> None:
    path = tmp_path / "kind.jsonl"
    Journal(path).add([(ask("Дім"), "House")])
    line = json.loads(path.read_text(encoding="utf-8"))
    assert (line["source"], line["target"], line["key"]) == ("Дім", "House", ask("Дім").key)
    assert "Дім" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "other",
    [
        Question("llm", {"format": "text", "model": ""}, "uk", "en", "Дім"),
        Question("google", {"format": "html", "model": ""}, "uk", "en", "Дім"),
        Question("google", {"format": "text", "model": "nmt"}, "uk", "en", "Дім"),
        Question("google", {"format": "text", "model": ""}, "cs", "en", "Дім"),
        Question("google", {"format": "text", "model": ""}, "uk", "de", "Дім"),
        Question("google", {"format": "text", "model": ""}, "uk", "en", "дім"),
    ],
)
def test_the_key_changes_with_all_that_can_change_the_answer(other: Question) -> None:
    assert other.key != QUESTION.key


def test_the_key_does_not_change_between_versions() -> None:
    parts = '["google",[["format","text"],["model",""]],"uk","en","\\u0414\\u0456\\u043c"]'
    import hashlib

    assert QUESTION.key == hashlib.sha256(parts.encode()).hexdigest()


def test_a_half_line_is_set_aside_wherever_the_kill_came(tmp_path: Path) -> None:
    whole = tmp_path / "whole.jsonl"
    Journal(whole).add([(ask("Дім"), "House"), (ask("Сад"), "Garden")])
    data = whole.read_bytes()
    first_end = data.index(b"\n") + 1
    for end in (first_end + 1, *range(first_end + 2, len(data) - 2, 7), len(data) - 2):
        path = tmp_path / f"cut{end}.jsonl"
        path.write_bytes(data[:end])
        journal = Journal(path)
        assert journal.get(ask("Дім")) == "House"
        assert journal.get(ask("Сад")) is None
        assert [finding.code for finding in journal.findings] == ["journal_line"]
        aside = path.with_name(path.name + ".set-aside")
        assert aside.read_bytes() == data[first_end:end] + b"\n"
        journal.add([(ask("Сад"), "Garden")])
        assert path.read_bytes() == data
        assert Journal(path).findings == []


def test_a_whole_line_without_its_line_end_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "kind.jsonl"
    Journal(path).add([(ask("Дім"), "House")])
    path.write_bytes(path.read_bytes()[:-1])
    journal = Journal(path)
    assert journal.get(ask("Дім")) == "House"
    assert journal.findings == []
    journal.add([(ask("Сад"), "Garden")])
    assert len(Journal(path)) == 2


def test_damaged_lines_in_the_middle_are_set_aside_and_named(tmp_path: Path) -> None:
    path = tmp_path / "kind.jsonl"
    Journal(path).add([(ask("Дім"), "House"), (ask("Сад"), "Garden")])
    first, second, _ = path.read_bytes().split(b"\n")
    forged = second.replace("Сад".encode(), "Ліс".encode())
    path.write_bytes(b"\n".join([first, b"\xff\xfe", b'{"key": 1}', b"[]", forged, second, b""]))
    journal = Journal(path)
    assert len(journal) == 2
    assert journal.get(ask("Ліс")) is None
    said = [finding.message for finding in journal.findings]
    assert [message.split(";")[0] for message in said] == [
        "line 2 (2 bytes) is no JSON",
        "line 3 (10 bytes) is not a translation",
        "line 4 (2 bytes) is not a translation",
        f"line 5 ({len(forged)} bytes) has a key that is not that of its text",
    ]


def test_the_last_of_two_answers_to_one_question_counts(tmp_path: Path) -> None:
    path = tmp_path / "kind.jsonl"
    journal = Journal(path)
    journal.add([(ask("Дім"), "House")])
    journal.add([(ask("Дім"), "Home")])
    assert journal.get(ask("Дім")) == "Home"
    assert Journal(path).get(ask("Дім")) == "Home"


def test_adding_nothing_makes_no_file(tmp_path: Path) -> None:
    Journal(tmp_path / "kind.jsonl").add([])
    assert list(tmp_path.iterdir()) == []
