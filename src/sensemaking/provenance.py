"""The record of a run: configuration, versions, checksums, models, seed and commit."""

import os
import platform
import subprocess
from collections.abc import Iterable, Mapping
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

from sensemaking.io.files import sha256_of


def package_versions() -> dict[str, str]:
    """Return the version of Python and of every installed package, sorted by name."""
    found = {"python": platform.python_version()}
    for distribution in distributions():
        # What a failed installation leaves behind has no name. Of two versions on the path, the
        # first is the one that is imported.
        name = distribution.metadata["Name"]
        if name:
            found.setdefault(name.lower(), distribution.version)
    return dict(sorted(found.items()))


def checksums(files: Iterable[Path], root: Path) -> dict[str, str]:
    """Return the SHA-256 of each file by its path below the root, sorted."""
    return {
        file.relative_to(root).as_posix(): sha256_of(file)
        for file in sorted(files, key=lambda file: file.as_posix())
    }


def commit_of(folder: Path) -> str | None:
    """Return the commit of a checkout, with ``+changes`` if its tracked files differ; else None.

    None stands for a folder of which no file is tracked, and for a machine without git.
    """
    try:
        # A copy of the code inside another project's checkout is not of that project's commit.
        if not _git(folder, "ls-files", "--", "."):
            return None
        head = _git(folder, "rev-parse", "HEAD")
        changes = _git(folder, "status", "--porcelain", "--untracked-files=no", "--", ".")
    except (OSError, subprocess.CalledProcessError):
        return None
    return f"{head}+changes" if changes else head


def _git(folder: Path, *arguments: str) -> str:
    # Inside a hook git sets variables that name another repository.
    environment = {name: value for name, value in os.environ.items() if name[:4] != "GIT_"}
    return subprocess.run(
        ["git", "--no-optional-locks", "-C", str(folder), *arguments],
        check=True,
        capture_output=True,
        encoding="utf-8",
        env=environment,
    ).stdout.strip()


def manifest(
    *,
    config: Mapping[str, Any],
    seed: int,
    models: Mapping[str, Any],
    inputs: Mapping[str, str],
    artifacts: Mapping[str, str],
    commit: str | None,
) -> dict[str, Any]:
    """Return the record of a run, without times or paths of a machine, so that runs compare.

    Args:
        config: The resolved configuration.
        seed: Its seed.
        models: What each model is.
        inputs: Material file to SHA-256.
        artifacts: Result file to SHA-256.
        commit: The commit, or None.
    """
    return {
        "config": dict(config),
        "seed": seed,
        "models": dict(models),
        "packages": package_versions(),
        "commit": commit,
        "inputs": dict(inputs),
        "artifacts": dict(artifacts),
    }
