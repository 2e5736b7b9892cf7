"""What all tests share: where the development set lies, and how to run the workflow."""

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Generator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

# How long an example takes says how busy the machine is, not whether the code is right. On CI the
# same examples are tried each time, so that a red run can be repeated.
settings.register_profile("sensemaking", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("sensemaking")

ROOT = Path(__file__).parents[1]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Keep the tests of a file, and all files that look at the default run, in one process.

    Session and module fixtures are made once in each process, and those here take minutes.
    """
    from xdist.scheduler import LoadScopeScheduling

    class ByFile(LoadScopeScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            file = nodeid.partition("::")[0]
            return "default run" if _reads_default_run(file) else file

    return ByFile(config, log)


@cache
def _reads_default_run(file: str) -> bool:
    return "default_run" in (ROOT / file).read_text(encoding="utf-8")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the default run, which takes longest."""
    items.sort(key=lambda item: "default_run" not in getattr(item, "fixturenames", ()))


@pytest.hookimpl(wrapper=True)
def pytest_report_to_serializable() -> Generator[None, Any, Any]:
    """Let a report with halves of surrogate pairs, which some tests log, reach the first process.

    It travels as UTF-8, which cannot hold them; the run would end with an internal error.
    """
    return _encodable((yield))


def _encodable(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", errors="backslashreplace").decode()
    if isinstance(value, dict):
        return {_encodable(name): _encodable(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_encodable(inner) for inner in value]
    return value


@pytest.fixture(scope="session")
def devset() -> Path:
    """The public development set; the test is skipped without it, unless it is required."""
    place = os.environ.get("SENSEMAKING_DEVSET", "../shared/devset")
    path = (ROOT / place).resolve()
    if not path.is_dir():
        message = f"no development set at {place}; set SENSEMAKING_DEVSET to its folder"
        if os.environ.get("SENSEMAKING_REQUIRE_DEVSET") == "1":
            pytest.fail(message)
        pytest.skip(message)
    return path


@dataclass(frozen=True)
class Run:
    """A finished Snakemake process.

    Attributes:
        folder: Its working directory.
        status: Its exit status.
        text: What it printed, standard error included.
    """

    folder: Path
    status: int
    text: str

    @property
    def results(self) -> Path:
        """The folder of the results."""
        return self.folder / "results"


def snakemake(
    *arguments: str | Path,
    folder: Path,
    code: Path = ROOT,
    cores: int = 2,
    environment: Mapping[str, str] | None = None,
) -> Run:
    """Run Snakemake of the checkout ``code`` in ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    command = [
        *(sys.executable, "-m", "snakemake", "--snakefile", code / "Snakefile"),
        *("--directory", folder, "--cores", str(cores), "--show-failed-logs"),
        # A few jobs would wait longer at the end than the profile's value saves them.
        *(("--max-jobs-per-timespan", "1000/1s") if arguments else ()),
        *("--rerun-incomplete", *arguments),
    ]
    done = subprocess.run(
        [str(part) for part in command],
        cwd=folder,
        env={**os.environ, **(environment or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=600,
    )
    return Run(folder, done.returncode, done.stdout)


def succeed(run: Run) -> Run:
    """Return the run if it went well, else fail with what it printed."""
    assert run.status == 0, run.text
    return run


def hashes(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of every file below a folder by its relative path."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def copy_checkout(target: Path) -> Path:
    """Copy what a run needs of the checkout, so that a test can edit it."""
    target.mkdir(parents=True)
    for name in ("src", "scripts", "rules", "envs", "profiles"):
        shutil.copytree(ROOT / name, target / name, ignore=shutil.ignore_patterns("__pycache__"))
    # The demo's memory is the default engine; its materials are not needed.
    leave_out = shutil.ignore_patterns("materials")
    shutil.copytree(ROOT / "resources", target / "resources", ignore=leave_out)
    for name in ("Snakefile", "config.yaml"):
        shutil.copy(ROOT / name, target / name)
    return target


@pytest.fixture(scope="session")
def default_run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The default run, once a session, on two cores."""
    return succeed(snakemake(folder=tmp_path_factory.mktemp("default") / "run"))
