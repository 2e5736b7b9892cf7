import hashlib
import os
from pathlib import Path

import pytest

from sensemaking.io.files import replacing, sha256_of, write_text


def test_a_file_appears_under_its_final_name_only_when_it_is_whole(tmp_path: Path) -> None:
    final = tmp_path / "a" / "b" / "file.txt"
    with replacing(final) as temporary:
        # The same folder, so that renaming is atomic.
        assert temporary.parent == final.parent
        temporary.write_text("half")
        assert not final.exists()
        temporary.write_text("whole")
    assert final.read_text() == "whole"
    assert os.listdir(final.parent) == ["file.txt"]


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt, SystemExit])
def test_a_failure_keeps_the_old_file_and_leaves_no_other(
    tmp_path: Path, error: type[BaseException]
) -> None:
    final = tmp_path / "file.txt"
    final.write_text("old")

    def fail() -> None:
        with replacing(final) as temporary:
            temporary.write_text("half")
            raise error

    with pytest.raises(error):
        fail()
    assert final.read_text() == "old"
    assert os.listdir(tmp_path) == ["file.txt"]


def test_text_is_utf_8_with_line_feeds_on_every_system(tmp_path: Path) -> None:
    write_text(tmp_path / "t", "řeka\nвода\r\n")
    assert (tmp_path / "t").read_bytes() == "řeka\nвода\r\n".encode()


def test_text_that_utf_8_cannot_hold_leaves_the_old_file(tmp_path: Path) -> None:
    write_text(tmp_path / "t", "old")
    with pytest.raises(UnicodeEncodeError):
        write_text(tmp_path / "t", "\ud800")
    assert (tmp_path / "t").read_text() == "old"


def test_a_new_file_has_the_permissions_that_the_user_asked_for(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_text(tmp_path / "t", "x")
    finally:
        os.umask(before)
    assert (tmp_path / "t").stat().st_mode & 0o777 == 0o640


def test_the_checksum_is_that_of_the_bytes(tmp_path: Path) -> None:
    data = os.urandom(3_000_000)
    (tmp_path / "d").write_bytes(data)
    assert sha256_of(tmp_path / "d") == hashlib.sha256(data).hexdigest()
    (tmp_path / "e").write_bytes(b"")
    assert sha256_of(str(tmp_path / "e")).startswith("e3b0c44298fc1c14")
