"""``sensemaking tables``."""

import pytest

from sensemaking.cli import main
from sensemaking.tables.catalogue import CATALOGUE


def test_every_table_is_listed_with_its_target_and_what_it_is_measured_against(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "400")
    assert main(["tables"]) == 0
    lines = capsys.readouterr().out.splitlines()
    for entry in CATALOGUE:
        (line,) = (line for line in lines if line.startswith(f"{entry.id} "))
        assert entry.title in line
        assert entry.ground_truth in line


def test_a_narrow_terminal_loses_no_target(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    assert main(["tables"]) == 0
    shown = capsys.readouterr().out
    assert all(entry.id in shown for entry in CATALOGUE)
