import inspect
import os
import sys
import unicodedata
from pathlib import Path

import pytest

from sensemaking.io import artifacts, materials
from sensemaking.io.materials import is_material, scan, section_ids, unknown_kinds
from sensemaking.schemas import FINDINGS


def nfc(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def nfd(text: str) -> str:
    return unicodedata.normalize("NFD", text)


def put(root: Path, *files: str) -> Path:
    for name in files:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x")
    return root


def ids(root: Path, kind: str = "kind") -> list[str]:
    return [folder.section_id for folder in scan(root, kind).folders]


def codes(root: Path, kind: str = "kind") -> list[tuple[str, str]]:
    found = scan(root, kind).findings
    # Whatever is found must fit into the artifact.
    artifacts.to_table(FINDINGS, [finding.row() for finding in found])
    return [(finding.file, finding.code) for finding in found]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("text.txt", True),
        ("text.en.txt", True),
        ("source.pdf", True),
        ("source.webm", True),
        ("reference.txt", True),
        ("questions.json", True),
        ("questions.en.json", True),
        ("questions_by_A_PRIMARY.json", True),
        ("answers_by_A_PRIMARY_to_B_PRIMARY.json", True),
        ("questions_by_A_PRIMARY.json.bak", False),
        ("ratings_by_A_PRIMARY.json", False),
        ("notes.txt", False),
        ("source.docx", False),
        ("Text.txt", False),
    ],
)
def test_the_files_that_mean_something_are_those_of_the_layout(name: str, expected: bool) -> None:
    assert is_material(name) is expected


def test_sections_lie_at_any_depth_and_need_a_file_that_means_something(tmp_path: Path) -> None:
    put(
        tmp_path,
        "kind/text.txt",
        "kind/section/source.pdf",
        "kind/chapter/section/source.mp3",
        "kind/source/chapter/my user's папка ř/text.txt",
        "kind/a/b/c/d/questions.json",
        "kind/empty/notes.txt",
        "kind/.hidden/text.txt",
        "kind/section/._text.txt",
        "other/section/text.txt",
    )
    assert ids(tmp_path) == [
        "kind",
        "kind/a/b/c/d",
        "kind/chapter/section",
        "kind/section",
        "kind/source/chapter/my user's папка ř",
    ]
    assert codes(tmp_path) == []
    section = scan(tmp_path, "kind").folders[3]
    assert section.files == {"source.pdf": tmp_path / "kind/section/source.pdf"}


def test_a_section_may_hold_sections(tmp_path: Path) -> None:
    put(tmp_path, "kind/a/text.txt", "kind/a/b/text.txt")
    assert ids(tmp_path) == ["kind/a", "kind/a/b"]


def test_the_sections_of_some_kinds_are_told_by_their_folders(tmp_path: Path) -> None:
    for name in ("a/one", "a/x/two", "b/three"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "questions.json").write_text("[]", encoding="utf-8")
    assert section_ids(tmp_path, ["a"]) == ["a/one", "a/x/two"]
    assert section_ids(tmp_path, ["b", "none"]) == ["b/three"]
    assert section_ids(tmp_path, []) == []


def test_names_of_files_are_found_by_beginning_and_ending_and_sorted(tmp_path: Path) -> None:
    put(
        tmp_path,
        *(f"kind/s/questions_by_{name}.json" for name in ("b_P", "a_P", "c_P.en")),
        "kind/s/answers_by_a_P_to_b_P.json",
        "kind/s/questions.json",
    )
    names = scan(tmp_path, "kind").folders[0].names("questions_by_")
    assert names == [f"questions_by_{name}.json" for name in ("a_P", "b_P", "c_P.en")]


def test_ids_are_nfc_and_files_are_opened_by_the_name_on_the_disk(tmp_path: Path) -> None:
    name = "Лекція_йод"
    assert (len(nfc(name)), len(nfd(name))) == (10, 11)
    put(
        tmp_path,
        f"kind/{nfd(name)}/text.txt",
        f"kind/{nfd(name)}/{nfd('questions_by_Йа_PRIMARY')}.json",
    )
    (folder,) = scan(tmp_path, "kind").folders
    assert folder.section_id == f"kind/{nfc(name)}"
    assert folder.names("questions_by_") == [nfc("questions_by_Йа_PRIMARY.json")]
    assert all(path.read_bytes() == b"x" for path in folder.files.values())


def test_a_kind_is_found_in_whatever_form_disk_and_configuration_write_it(tmp_path: Path) -> None:
    put(tmp_path, f"{nfd('přednáška')}/s/text.txt")
    for written in (nfc("přednáška"), nfd("přednáška")):
        assert ids(tmp_path, written) == [nfc("přednáška/s")]
        assert codes(tmp_path, written) == []
        assert unknown_kinds(tmp_path, [written]) == []


def test_two_folders_that_are_one_after_nfc_are_both_not_read_and_both_named(
    tmp_path: Path,
) -> None:
    put(tmp_path, f"kind/{nfc('й')}/text.txt", f"kind/{nfd('й')}/text.txt", "kind/other/text.txt")
    found = scan(tmp_path, "kind")
    assert [(f.section_id, f.collides, f.files) for f in found.folders[1:]] == [
        (nfc("kind/й"), True, {})
    ]
    assert (found.folders[0].section_id, found.folders[0].collides) == ("kind/other", False)
    (finding,) = found.findings
    assert (finding.file, finding.code, finding.severity) == (
        nfc("kind/й"),
        "name_collision",
        "error",
    )
    for name in (nfc("й"), nfd("й")):
        assert ascii(f"kind/{name}") in finding.message


def test_sections_that_collide_through_a_folder_above_are_both_not_read(tmp_path: Path) -> None:
    up, down = nfc("kapitola č"), nfd("kapitola č")
    put(tmp_path, f"kind/{up}/s/text.txt", f"kind/{down}/s/text.txt", f"kind/{down}/t/text.txt")
    assert [(f.section_id, f.collides) for f in scan(tmp_path, "kind").folders] == [
        (nfc(f"kind/{up}/s"), True),
        (nfc(f"kind/{up}/t"), False),
    ]


def test_two_files_that_are_one_after_nfc_are_both_not_read_and_both_named(tmp_path: Path) -> None:
    name = "questions_by_Йод_PRIMARY.json"
    put(tmp_path, "kind/s/text.txt", f"kind/s/{nfc(name)}", f"kind/s/{nfd(name)}")
    (folder,) = scan(tmp_path, "kind").folders
    assert list(folder.files) == ["text.txt"]
    (finding,) = scan(tmp_path, "kind").findings
    assert (finding.file, finding.code) == (nfc(f"kind/s/{name}"), "name_collision")
    assert ascii(nfc(name)) in finding.message
    assert ascii(nfd(name)) in finding.message


@pytest.mark.parametrize("name", ["a{b", "a}b", "{x}"])
def test_a_brace_in_a_folders_name_leaves_it_and_all_below_out(tmp_path: Path, name: str) -> None:
    put(tmp_path, f"kind/{name}/text.txt", f"kind/{name}/deep/text.txt", "kind/good/text.txt")
    assert ids(tmp_path) == ["kind/good"]
    assert codes(tmp_path) == [(f"kind/{name}", "brace_in_name")]


def test_a_brace_in_a_files_name_leaves_the_file_out(tmp_path: Path) -> None:
    put(
        tmp_path,
        "kind/s/text.txt",
        "kind/s/questions_by_{team}_PRIMARY.json",
        "kind/s/notes {draft}.txt",
        # Equal after NFC too; still one finding.
        f"kind/s/{nfc('questions_by_{й}_P.json')}",
        f"kind/s/{nfd('questions_by_{й}_P.json')}",
    )
    (folder,) = scan(tmp_path, "kind").folders
    assert list(folder.files) == ["text.txt"]
    assert codes(tmp_path) == [
        ("kind/s/questions_by_{team}_PRIMARY.json", "brace_in_name"),
        (nfc("kind/s/questions_by_{й}_P.json"), "brace_in_name"),
    ]


@pytest.mark.parametrize(
    ("name", "shown", "code"),
    [
        (b"caf\xe9", "caf\\xe9", "name_not_utf8"),
        (b"a\\b", "a\\b", "bad_name"),
        (b"a\nb", "a\nb", "bad_name"),
        (b"a\tb", "a\tb", "bad_name"),
    ],
)
def test_names_that_no_id_or_artifact_can_hold_are_left_out(
    tmp_path: Path, name: bytes, shown: str, code: str
) -> None:
    kind = os.fsencode(tmp_path / "kind")
    os.makedirs(os.path.join(kind, name))
    os.makedirs(os.path.join(kind, b"good"))
    for path in (b"good/text.txt", name + b"/text.txt", b"good/questions_by_" + name + b"_P.json"):
        Path(os.fsdecode(os.path.join(kind, path))).write_bytes(b"x")
    (folder,) = scan(tmp_path, "kind").folders
    assert (folder.section_id, list(folder.files)) == ("kind/good", ["text.txt"])
    assert codes(tmp_path) == [
        (f"kind/{shown}", code),
        (f"kind/good/questions_by_{shown}_P.json", code),
    ]


def test_links_are_followed_but_not_round_in_circles(tmp_path: Path) -> None:
    put(tmp_path, "kind/a/text.txt", "elsewhere/text.txt")
    (tmp_path / "kind/b").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "kind/a/up").symlink_to(tmp_path / "kind")
    (tmp_path / "kind/a/self").symlink_to("self")
    assert ids(tmp_path) == ["kind/a", "kind/b"]
    assert codes(tmp_path) == [("kind/a/self", "broken_link"), ("kind/a/up", "folder_loop")]


def test_a_link_to_nothing_is_left_out_so_that_the_workflow_does_not_wait_for_it(
    tmp_path: Path,
) -> None:
    put(tmp_path, "kind/a/source.pdf")
    (tmp_path / "kind/a/text.txt").symlink_to("nowhere")
    (tmp_path / "kind/chapter").symlink_to("nowhere")
    (folder,) = scan(tmp_path, "kind").folders
    assert list(folder.files) == ["source.pdf"]
    assert codes(tmp_path) == [("kind/a/text.txt", "broken_link"), ("kind/chapter", "broken_link")]


def test_a_folder_or_pipe_with_the_name_of_a_file_is_left_out(tmp_path: Path) -> None:
    put(tmp_path, "kind/a/source.pdf", "kind/a/text.txt/text.txt")
    os.mkfifo(tmp_path / "kind/a/questions.json")
    (folder,) = scan(tmp_path, "kind").folders
    assert list(folder.files) == ["source.pdf"]
    assert codes(tmp_path) == [
        ("kind/a/questions.json", "not_a_file"),
        ("kind/a/text.txt", "not_a_file"),
    ]


def test_a_section_all_of_whose_files_are_unusable_still_is_one(tmp_path: Path) -> None:
    put(tmp_path, "kind/a/notes.md")
    (tmp_path / "kind/a/text.txt").symlink_to("nowhere")
    (folder,) = scan(tmp_path, "kind").folders
    assert (folder.section_id, folder.files) == ("kind/a", {})


def test_what_may_not_be_read_becomes_a_finding_and_the_rest_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Simulated, since a superuser may read everything.
    put(tmp_path, "kind/a/text.txt", "kind/a/source.pdf", "kind/closed/text.txt")
    scandir, access = os.scandir, os.access

    def guarded_scandir(path: Path) -> object:
        if Path(path).name == "closed":
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    def guarded_access(path: str, mode: int) -> bool:
        return access(path, mode) and not path.endswith("text.txt")

    monkeypatch.setattr(materials.os, "scandir", guarded_scandir)
    monkeypatch.setattr(materials.os, "access", guarded_access)
    (folder,) = scan(tmp_path, "kind").folders
    assert list(folder.files) == ["source.pdf"]
    assert codes(tmp_path) == [("kind/a/text.txt", "unreadable"), ("kind/closed", "unreadable")]
    assert "Permission denied" in scan(tmp_path, "kind").findings[1].message


def test_a_file_whose_letters_have_another_case_is_pointed_out(tmp_path: Path) -> None:
    put(tmp_path, "kind/a/text.txt", "kind/a/Questions.json", "kind/a/questions_by_A_P.JSON")
    (folder,) = scan(tmp_path, "kind").folders
    assert list(folder.files) == ["text.txt"]
    assert codes(tmp_path) == [
        ("kind/a/Questions.json", "letter_case"),
        ("kind/a/questions_by_A_P.JSON", "letter_case"),
    ]


def test_folders_may_lie_deeper_than_the_interpreters_stack(tmp_path: Path) -> None:
    put(tmp_path, "kind/" + "d/" * 200 + "text.txt")
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack()) + 100)
    try:
        found = ids(tmp_path)
    finally:
        sys.setrecursionlimit(limit)
    assert [len(identifier.split("/")) for identifier in found] == [201]


def test_a_missing_kind_is_empty_and_told(tmp_path: Path) -> None:
    put(tmp_path, "other/s/text.txt", "kind")
    (tmp_path / "loop").symlink_to("loop")
    for kind in ("kind", "loop", "absent"):
        assert ids(tmp_path, kind) == []
        assert codes(tmp_path, kind) == [(kind, "missing_kind")]


def test_folders_that_the_configuration_does_not_name_are_told_once(tmp_path: Path) -> None:
    put(tmp_path, "a/text.txt", "b/text.txt", f"{nfc('й')}/x", f"{nfd('й')}/x", ".git/x", "file")
    found = unknown_kinds(tmp_path, ["a", "absent"])
    artifacts.to_table(FINDINGS, [finding.row() for finding in found])
    assert [(f.file, f.code) for f in found] == [("b", "unknown_kind"), (nfc("й"), "unknown_kind")]
    assert "(a, absent)" in found[0].message


def test_the_order_in_which_the_disk_lists_does_not_matter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path, *(f"kind/{n}/text.txt" for n in "cab"), "kind/{d}/x", "kind/{c}/x")
    forward = scan(tmp_path, "kind")
    scandir = os.scandir

    class Backward:
        def __init__(self, path: Path) -> None:
            with scandir(path) as entries:
                self.entries = sorted(entries, key=lambda entry: entry.name, reverse=True)

        def __enter__(self) -> list[os.DirEntry[str]]:
            return self.entries

        def __exit__(self, *_: object) -> None:
            pass

    monkeypatch.setattr(materials.os, "scandir", Backward)
    assert scan(tmp_path, "kind") == forward
