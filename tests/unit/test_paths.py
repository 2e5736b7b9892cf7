import unicodedata
from pathlib import Path

import pytest

from sensemaking.paths import resolve


def test_a_relative_path_is_looked_for_in_the_bases_in_order(tmp_path: Path) -> None:
    first, second = tmp_path / "run", tmp_path / "code"
    (second / "my data").mkdir(parents=True)
    first.mkdir()
    assert resolve("my data", [first, second], key="k") == second / "my data"
    (first / "my data").mkdir()
    assert resolve("my data", [first, second], key="k") == first / "my data"
    assert resolve("../code/my data", [first], key="k") == second / "my data"
    assert resolve(".", [first], key="k") == first


def test_an_absolute_path_and_one_in_the_home_folder_are_taken_as_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "data").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in (str(tmp_path / "data"), "~/data"):
        assert resolve(name, [tmp_path / "elsewhere"], key="k") == tmp_path / "data"


def test_relative_bases_give_absolute_paths(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "data").mkdir()
    monkeypatch.chdir(tmp_path)
    assert resolve("data", [Path()], key="k") == tmp_path / "data"


def test_a_missing_folder_and_a_file_are_told_with_key_and_places(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for name in ("nowhere", "file"):
        with pytest.raises(FileNotFoundError) as caught:
            resolve(name, [tmp_path, tmp_path / "code", tmp_path], key="materials.root")
        message = str(caught.value)
        assert message.startswith(f"materials.root: no folder {name!r}; looked for ")
        assert message.count(str(tmp_path / name)) == 1
        assert str(tmp_path / "code" / name) in message


@pytest.mark.parametrize(("disk", "written"), [("NFD", "NFC"), ("NFC", "NFD")])
def test_a_folder_is_found_by_its_name_in_another_unicode_form(
    tmp_path: Path, disk: str, written: str
) -> None:
    name = "přednášky/йод"
    on_disk = tmp_path / unicodedata.normalize(disk, name)
    on_disk.mkdir(parents=True)
    for other in (tmp_path / "other", on_disk.parent / "other"):
        other.mkdir()
    found = resolve(unicodedata.normalize(written, name), [tmp_path], key="k")
    # By the name that the disk gave.
    assert found == on_disk
    assert found.is_dir()


def test_of_two_forms_of_a_name_the_one_that_is_written_is_taken(tmp_path: Path) -> None:
    forms = [unicodedata.normalize(form, "йод") for form in ("NFC", "NFD")]
    for form in forms:
        (tmp_path / form).mkdir()
    for form in forms:
        assert resolve(form, [tmp_path], key="k") == tmp_path / form


@pytest.mark.parametrize("name", ["a{b", "a}b"])
def test_a_path_that_the_workflow_would_take_for_a_pattern_is_refused(
    tmp_path: Path, name: str
) -> None:
    (tmp_path / name / "data").mkdir(parents=True)
    with pytest.raises(FileNotFoundError, match=r"k: the path .* holds \{ or \}"):
        resolve(f"{name}/data", [tmp_path], key="k")


def test_a_file_is_found_in_the_same_way_and_a_folder_is_none(tmp_path: Path) -> None:
    first, second = tmp_path / "run", tmp_path / "code"
    (second / "resources").mkdir(parents=True)
    (first / "resources/memory.tmx").mkdir(parents=True)
    file = second / "resources" / "memory.tmx"
    file.write_text("x")
    found = resolve("resources/memory.tmx", [first, second], key="k", is_file=True)
    assert found == file
    with pytest.raises(FileNotFoundError, match=r"k: no file 'resources'; looked for"):
        resolve("resources", [second], key="k", is_file=True)
