import logging
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from sensemaking.jobs import logged


def test_messages_go_to_the_file_and_only_grave_ones_to_standard_error(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with logged(tmp_path / "logs" / "rule" / "job.log") as log:
        log.info("read %d files", 3)
        logging.getLogger("sensemaking.io.materials").warning("лекція is empty")
    text = (tmp_path / "logs" / "rule" / "job.log").read_text(encoding="utf-8")
    assert text == "INFO read 3 files\nWARNING лекція is empty\n"
    assert "лекція is empty" in (error := capfd.readouterr().err)
    assert "read 3 files" not in error


def test_warnings_of_libraries_are_not_lost(tmp_path: Path) -> None:
    with logged(tmp_path / "job.log"), warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.warn("a column is constant", RuntimeWarning, stacklevel=1)
    assert "RuntimeWarning: a column is constant" in (tmp_path / "job.log").read_text()


@pytest.mark.parametrize("error", [ValueError("the seed is odd"), SystemExit(2)])
def test_a_failure_is_written_with_its_traceback_and_raised(
    tmp_path: Path, error: BaseException
) -> None:
    with pytest.raises(type(error)), logged(tmp_path / "job.log"):
        raise error
    text = (tmp_path / "job.log").read_text()
    assert text.startswith("ERROR the job failed\nTraceback (most recent call last):")
    assert type(error).__name__ in text


def test_each_job_begins_its_log_anew_and_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = logging.getLogger("sensemaking")
    monkeypatch.setattr(log, "level", logging.WARNING)
    before = (list(log.handlers), log.level, list(logging.getLogger("py.warnings").handlers))
    for message in ("first", "second"):
        with logged(tmp_path / "job.log") as job:
            job.info(message)
            (opened,) = [h for h in log.handlers if isinstance(h, logging.FileHandler)]
        assert opened.stream is None
    log.warning("after the job")
    assert (tmp_path / "job.log").read_text() == "INFO second\n"
    after = (list(log.handlers), log.level, list(logging.getLogger("py.warnings").handlers))
    assert after[:2] == before[:2]
    assert [h for h in after[2] if not isinstance(h, logging.NullHandler)] == before[2]


def test_a_message_that_utf_8_cannot_hold_is_kept_with_an_escape(tmp_path: Path) -> None:
    with logged(tmp_path / "job.log") as log:
        log.info("the file caf\udce9.txt")
    assert (tmp_path / "job.log").read_text() == "INFO the file caf\\udce9.txt\n"


_SCRIPT = """
import gc, sys
{before}
from sensemaking.jobs import logged
importing = gc.isenabled()
with logged({log!r}):
    working = gc.isenabled()
print(importing, working, gc.get_freeze_count() > 0, gc.get_threshold()[0] > 10_000)
"""


@pytest.mark.parametrize(
    ("before", "found"),
    [("snakemake = object()", "False True True True"), ("", "True True False False")],
    ids=["job", "library"],
)
def test_the_garbage_collector_rests_while_a_job_imports_and_nowhere_else(
    tmp_path: Path, before: str, found: str
) -> None:
    script = tmp_path / "script.py"
    script.write_text(_SCRIPT.format(before=before, log=str(tmp_path / "job.log")))
    run = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == found


@pytest.mark.parametrize("module", ["teacher_rows", "student_rows", "evaluator_rows"])
def test_baselines_load_no_package_that_only_some_of_them_need(module: str) -> None:
    code = f"import sys, sensemaking.baselines.{module}; print('bm25s' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"
