import hashlib
import json
import os
import platform
import subprocess
from email.message import Message
from importlib.metadata import version
from pathlib import Path

import pytest

from sensemaking import provenance
from sensemaking.provenance import checksums, commit_of, manifest, package_versions


def git(folder: Path, *arguments: str) -> str:
    command = ["git", "-c", "user.name=x", "-c", "user.email=x@example.org", *arguments]
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    done = subprocess.run(
        command, cwd=folder, check=True, capture_output=True, text=True, env=clean
    )
    return done.stdout.strip()


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A repository with one commit of one file."""
    folder = tmp_path / "checkout"
    folder.mkdir()
    git(folder, "init", "--quiet")
    (folder / "code.py").write_text("x = 1\n")
    git(folder, "add", "code.py")
    git(folder, "commit", "--quiet", "--message", "one")
    return folder


class Distribution:
    def __init__(self, name: str | None, version: str) -> None:
        self.metadata = Message()
        if name is not None:
            self.metadata["Name"] = name
        self.version = version


def test_every_installed_package_has_its_version_and_python_too() -> None:
    found = package_versions()
    assert found["pyarrow"] == version("pyarrow")
    assert found["python"] == platform.python_version()
    assert list(found) == sorted(found)


def test_a_package_without_a_name_is_left_out_and_the_first_of_two_is_what_is_imported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    installed = [Distribution("B", "2"), Distribution(None, "0"), Distribution("b", "1")]
    monkeypatch.setattr(provenance, "distributions", lambda: installed)
    assert package_versions() == {"b": "2", "python": platform.python_version()}


def test_checksums_are_by_path_below_the_root_and_sorted(tmp_path: Path) -> None:
    for name in ("b/лекція 1.txt", "a.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    found = checksums([tmp_path / "b/лекція 1.txt", tmp_path / "a.txt"], tmp_path)
    assert list(found.items()) == [
        (name, hashlib.sha256(name.encode()).hexdigest()) for name in ("a.txt", "b/лекція 1.txt")
    ]


def test_a_file_outside_the_root_has_no_place_in_the_record(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("x")
    with pytest.raises(ValueError, match="is not in the subpath"):
        checksums([tmp_path / "x"], tmp_path / "root")


def test_the_commit_is_that_of_the_checkout_and_tells_of_changes(checkout: Path) -> None:
    head = git(checkout, "rev-parse", "HEAD")
    assert commit_of(checkout) == head
    (checkout / "new results.txt").write_text("x")
    assert commit_of(checkout) == head
    (checkout / "code.py").write_text("x = 2\n")
    assert commit_of(checkout) == f"{head}+changes"


def test_a_folder_that_is_no_checkout_has_no_commit(tmp_path: Path) -> None:
    assert commit_of(tmp_path) is None
    git(tmp_path, "init", "--quiet")
    assert commit_of(tmp_path) is None
    (tmp_path / "code.py").write_text("x = 1\n")
    git(tmp_path, "add", "code.py")
    assert commit_of(tmp_path) is None
    assert commit_of(tmp_path / "absent") is None


def test_a_copy_inside_another_checkout_has_not_that_ones_commit(checkout: Path) -> None:
    copy = checkout / "copy of the code"
    copy.mkdir()
    (copy / "code.py").write_text("x = 1\n")
    assert commit_of(copy) is None


def test_a_machine_without_git_gives_no_commit(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(checkout))
    assert commit_of(checkout) is None


def test_the_variables_of_a_hook_do_not_lead_to_another_repository(
    checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    head = git(checkout, "rev-parse", "HEAD")
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "--quiet")
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other))
    assert commit_of(checkout) == head


def test_asking_for_the_commit_writes_nothing(checkout: Path) -> None:
    # As after a copy, when git would like to refresh its index.
    os.utime(checkout / "code.py", (1, 1))
    before = (checkout / ".git/index").read_bytes()
    commit_of(checkout)
    assert (checkout / ".git/index").read_bytes() == before


def test_the_record_is_plain_and_the_same_for_the_same_run() -> None:
    def record() -> str:
        return json.dumps(
            manifest(
                config={"seed": 1},
                seed=1,
                models={"embedding": {"model": "m"}},
                inputs={"a": "0"},
                artifacts={"b": "1"},
                commit=None,
            )
        )

    assert record() == record()
    assert list(json.loads(record())) == [
        *("config", "seed", "models", "packages", "commit", "inputs", "artifacts"),
    ]
