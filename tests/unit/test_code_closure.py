from pathlib import Path

import pytest

from sensemaking.code_closure import code_of

REPOSITORY = Path(__file__).parents[2]


def write(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


def closure(root: Path, *targets: str | Path) -> list[str]:
    """The closure as paths below the root, with slashes."""
    found = code_of(*targets, source_root=root / "src")
    return [Path(file).relative_to(root.resolve()).as_posix() for file in found]


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """Modules whose closures are known by hand."""
    return write(
        tmp_path,
        {
            "src/pkg/__init__.py": "",
            "src/pkg/leaf.py": "import os\nimport numpy.linalg\nX = 1\n",
            "src/pkg/other.py": "Y = 2\n",
            "src/pkg/mid.py": "from pkg.leaf import X\n",
            "src/pkg/sub/__init__.py": "from pkg.other import Y\n",
            "src/pkg/sub/a.py": "from . import b\nfrom ..leaf import X\n",
            "src/pkg/sub/b.py": "from .. import mid\n",
            "src/pkg/sub/deep/__init__.py": "",
            "src/pkg/sub/deep/c.py": "from ...mid import X\nfrom ..b import z\n",
            "src/pkg/late.py": "def f():\n    if True:\n        from pkg import other\n",
            "src/pkg/x.py": "import pkg.y\n",
            "src/pkg/y.py": "import pkg.x as x\n",
            "src/pkg/star.py": "from pkg.mid import *\n",
            "src/plain.py": "",
        },
    )


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("pkg.leaf", ["__init__", "leaf"]),
        # Two imports away.
        ("pkg.mid", ["__init__", "leaf", "mid"]),
        ("pkg.star", ["__init__", "leaf", "mid", "star"]),
        # A package's __init__ runs, so what it imports counts.
        ("pkg.sub", ["__init__", "other", "sub/__init__"]),
        ("pkg.sub.b", ["__init__", "leaf", "mid", "other", "sub/__init__", "sub/b"]),
        ("pkg.sub.a", ["__init__", "leaf", "mid", "other", "sub/__init__", "sub/a", "sub/b"]),
        (
            "pkg.sub.deep.c",
            [
                *("__init__", "leaf", "mid", "other", "sub/__init__", "sub/b"),
                *("sub/deep/__init__", "sub/deep/c"),
            ],
        ),
        # Imports inside functions count.
        ("pkg.late", ["__init__", "late", "other"]),
        # Cycles end.
        ("pkg.x", ["__init__", "x", "y"]),
    ],
)
def test_the_closure_of_a_module_is_what_it_imports_directly_or_not(
    package: Path, target: str, expected: list[str]
) -> None:
    assert closure(package, target) == [f"src/pkg/{name}.py" for name in expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import pkg.mid", ["__init__", "leaf", "mid"]),
        ("import pkg.mid as m, os", ["__init__", "leaf", "mid"]),
        ("from pkg import mid", ["__init__", "leaf", "mid"]),
        ("from pkg.mid import X", ["__init__", "leaf", "mid"]),
        ("import pkg", ["__init__"]),
        ("import json\nfrom pathlib import Path", []),
        ("", []),
    ],
)
def test_a_script_gives_the_files_of_the_package_and_not_itself(
    package: Path, text: str, expected: list[str]
) -> None:
    write(package, {"scripts/run it.py": text})
    script = package / "scripts" / "run it.py"
    wanted = [f"src/pkg/{name}.py" for name in expected]
    assert closure(package, script) == wanted
    assert closure(package, str(script)) == wanted


def test_modules_beside_a_script_count_and_so_does_what_they_import(package: Path) -> None:
    write(
        package,
        {
            "scripts/main.py": "import helper\n",
            "scripts/helper.py": "from pkg.mid import X\n",
            "scripts/unused.py": "from pkg.late import f\n",
        },
    )
    assert closure(package, package / "scripts/main.py") == [
        "scripts/helper.py",
        *(f"src/pkg/{name}.py" for name in ("__init__", "leaf", "mid")),
    ]


def test_several_targets_give_the_sorted_union_without_repeats(package: Path) -> None:
    both = closure(package, "pkg.late", "pkg.mid")
    assert both == sorted({*closure(package, "pkg.late"), *closure(package, "pkg.mid")})
    assert both == closure(package, "pkg.mid", "pkg.late")
    assert closure(package, "plain") == ["src/plain.py"]


def test_an_edit_is_seen_within_one_process(package: Path) -> None:
    assert "src/pkg/other.py" not in closure(package, "pkg.mid")
    (package / "src/pkg/leaf.py").write_text("from pkg.other import Y  # an edit\n")
    assert "src/pkg/other.py" in closure(package, "pkg.mid")


def test_paths_are_the_same_from_wherever_they_are_asked_for(
    package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    absolute = code_of("pkg.mid", source_root=package / "src")
    monkeypatch.chdir(package)
    assert code_of("pkg.mid", source_root="src") == absolute
    link = package / "link"
    link.symlink_to(package / "src")
    assert code_of("pkg.mid", source_root=link) == absolute


def test_a_missing_target_is_an_error_that_names_it(package: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"no module 'pkg\.nope' below .*src"):
        code_of("pkg.nope", source_root=package / "src")
    with pytest.raises(FileNotFoundError, match=r"no such script: .*nope\.py"):
        code_of(package / "nope.py", source_root=package / "src")


def test_an_import_of_what_is_not_there_adds_nothing(package: Path) -> None:
    write(package, {"src/pkg/gone.py": "from pkg.nope import z\nfrom ....far import away\n"})
    assert closure(package, "pkg.gone") == ["src/pkg/__init__.py", "src/pkg/gone.py"]


@pytest.mark.parametrize("text", ["def f(:\n", "x = 1\0\n", "import\n"])
def test_a_file_that_is_not_python_is_named(package: Path, text: str) -> None:
    write(package, {"src/pkg/bad.py": text, "src/pkg/user.py": "import pkg.bad\n"})
    with pytest.raises(SyntaxError, match=r"bad\.py is not Python"):
        code_of("pkg.user", source_root=package / "src")


def test_the_real_package_is_followed_two_imports_away() -> None:
    script = REPOSITORY / "scripts" / "score_rouge.py"
    found = code_of(script, source_root=REPOSITORY / "src")
    names = {Path(file).relative_to(REPOSITORY / "src/sensemaking").as_posix() for file in found}
    # The script imports scoring.student, and that imports metrics.rouge.
    assert {"scoring/student.py", "metrics/rouge.py", "io/artifacts.py"} <= names
    assert "metrics/teacher.py" not in names
    assert str(script) not in found
