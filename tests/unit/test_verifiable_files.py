"""Files of verifiable data are recounted whenever they are read."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from sensemaking.io.verifiable_data import DataError, read_data, write_data
from sensemaking.verifiable import generate

DATA = generate(3, 2)


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    write_data(tmp_path / "data.json", DATA)
    assert read_data(tmp_path / "data.json") == DATA


def test_a_tampered_file_is_refused_with_its_name_and_each_place(tmp_path: Path) -> None:
    data: dict[str, Any] = copy.deepcopy(DATA)
    data["documents"][1]["summaries"][4]["n_wrong"] += 1
    summary = data["documents"][0]["summaries"][0]
    summary["text"] += " " + summary["text"].partition(". ")[0] + "."
    write_data(tmp_path / "data.json", data)
    with pytest.raises(DataError, match=r"data\.json: \d+ mismatches") as error:
        read_data(tmp_path / "data.json")
    assert "\n  /documents/0/summaries/0/text: " in str(error.value)
    assert "\n  /documents/1/summaries/4/n_wrong: found" in str(error.value)


def test_of_many_mismatches_ten_are_shown(tmp_path: Path) -> None:
    data: dict[str, Any] = copy.deepcopy(DATA)
    for summary in data["documents"][0]["summaries"]:
        summary["n_mentioned"] += 1
    write_data(tmp_path / "data.json", data)
    with pytest.raises(DataError, match="and 2 more") as error:
        read_data(tmp_path / "data.json")
    assert str(error.value).count("\n  /documents") == 10


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "not JSON"),
        ("[]", "found list, expected an object"),
        ("[" * 100_000, "not JSON"),
        ('{"documents": [], "documents": []}', "the key 'documents' occurs twice"),
        ('{"documents": []}', "found none, expected D1, D2"),
        ('{"documents": [], "more": 1}', "/more"),
    ],
)
def test_what_is_no_data_is_refused(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "data.json").write_text(text, encoding="utf-8")
    with pytest.raises(DataError) as error:
        read_data(tmp_path / "data.json")
    assert said in str(error.value)


def test_a_count_that_is_there_twice_cannot_hide_behind_the_right_one(tmp_path: Path) -> None:
    text = json.dumps(DATA)
    right = f'"n_wrong": {DATA["documents"][0]["summaries"][0]["n_wrong"]}'
    (tmp_path / "data.json").write_text(text.replace(right, f'"n_wrong": 99, {right}', 1))
    with pytest.raises(DataError, match="'n_wrong' occurs twice"):
        read_data(tmp_path / "data.json")
