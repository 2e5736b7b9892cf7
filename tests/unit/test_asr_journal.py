import json
import os
from pathlib import Path

import pytest

from sensemaking.asr.journal import Journal

KEY = {"content": "ab12", "language": "uk", "engine": {"model": "base"}, "options": {"seed": 0}}
RECORD = {"decoded_s": 1.5, "segments": [{"text": "Перше речення."}]}


def test_a_record_comes_back_as_it_was(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "asr" / "nmt-class")
    assert journal.get(KEY) is None
    journal.put(KEY, RECORD)
    assert journal.get(KEY) == RECORD
    assert Journal(tmp_path / "asr" / "nmt-class").get(KEY) == RECORD


@pytest.mark.parametrize(
    "change",
    [
        {"content": "cd34"},
        {"language": "ru"},
        {"engine": {"model": "turbo"}},
        {"options": {"seed": 1}},
    ],
)
def test_a_record_of_anything_else_is_not_taken(tmp_path: Path, change: dict[str, object]) -> None:
    journal = Journal(tmp_path)
    journal.put(KEY, RECORD)
    assert journal.get({**KEY, **change}) is None


def test_the_order_of_a_key_and_tuples_in_it_do_not_matter(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.put({"a": 1, "b": (0.2, 0.4)}, RECORD)
    assert journal.get({"b": [0.2, 0.4], "a": 1}) == RECORD


@pytest.mark.parametrize("damage", ["", "{", "[]", "{}", '{"key": {}, "record": {}}', "\xff"])
def test_a_damaged_record_counts_as_none_and_can_be_made_again(
    tmp_path: Path, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    journal = Journal(tmp_path)
    journal.put(KEY, RECORD)
    (path,) = tmp_path.iterdir()
    path.write_bytes(damage.encode("latin-1"))
    assert journal.get(KEY) is None
    assert str(path) in caplog.text
    journal.put(KEY, RECORD)
    assert journal.get(KEY) == RECORD


def test_a_record_that_fails_to_be_written_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = Journal(tmp_path)

    def fail(*args: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        journal.put(KEY, RECORD)
    assert list(tmp_path.iterdir()) == []


def test_figures_that_are_none_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        Journal(tmp_path).put(KEY, {"seconds": float("nan")})
    assert list(tmp_path.iterdir()) == []


def test_a_record_can_be_read_by_people(tmp_path: Path) -> None:
    Journal(tmp_path).put(KEY, RECORD)
    (path,) = tmp_path.iterdir()
    assert "Перше речення." in path.read_text(encoding="utf-8")
    assert json.loads(path.read_text(encoding="utf-8"))["key"]["language"] == "uk"
