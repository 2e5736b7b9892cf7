"""The bar of long jobs."""

import pytest

from sensemaking.progress import progress_bar


def test_a_name_that_looks_like_markup_is_shown_as_it_is(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with progress_bar("asking", 2) as advance:
        advance(1, "kind/[/bold] [red]")
        advance(2, "")
    shown = capsys.readouterr().err
    assert "asking kind/[/bold] [red]" in shown
    assert "100 %" in shown


def test_an_invisible_bar_writes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with progress_bar("asking", 1, visible=False) as advance:
        advance(1, "kind/section")
    assert capsys.readouterr().err == ""
