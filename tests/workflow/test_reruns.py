"""What runs again after a change, and what does not."""

import os
import re
import shutil
from pathlib import Path

import pytest

from tests.conftest import copy_checkout, hashes, snakemake, succeed
from tests.workflow.corpus import CONFIG, write_corpus, write_overlay

pytestmark = pytest.mark.workflow

TARGETS = ("table_01", "table_06")


@pytest.fixture(scope="module")
def first_run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A finished run of a copied checkout, and a copy of both as they were at its end."""
    place = tmp_path_factory.mktemp("reruns") / "place"
    code = copy_checkout(place / "checkout")
    overlay = write_corpus(place / "run")
    succeed(snakemake(*TARGETS, "--configfile", overlay, folder=place / "run", code=code))
    kept = place.with_name("kept")
    shutil.copytree(place, kept)
    return place, kept


@pytest.fixture
def finished(first_run: tuple[Path, Path]) -> tuple[Path, Path, Path]:
    """A finished run of a copied checkout: its code, its folder and its overlay."""
    place, kept = first_run
    # At the same place, since Snakemake knows the files by their paths; times are copied too.
    shutil.rmtree(place)
    shutil.copytree(kept, place)
    return place / "checkout", place / "run", place / "run/overlay.yaml"


def _planned(code: Path, folder: Path, overlay: Path) -> dict[str, int]:
    """Return rule to number of jobs of a dry run."""
    run = succeed(
        snakemake(*TARGETS, "--configfile", overlay, "--dry-run", folder=folder, code=code)
    )
    if "Nothing to be done" in run.text:
        return {}
    stats = run.text.split("Job stats:")[1]
    found = {name: int(n) for name, n in re.findall(r"^(\w+) +(\d+)$", stats, re.MULTILINE)}
    found.pop("total")
    return found


def _touch(path: Path) -> None:
    # Well after everything that the run has made.
    later = path.stat().st_mtime + 3600
    os.utime(path, (later, later))


def test_a_touch_of_code_or_input_reruns_nothing(finished: tuple[Path, Path, Path]) -> None:
    code, folder, overlay = finished
    assert _planned(code, folder, overlay) == {}
    _touch(code / "src/sensemaking/text/words.py")
    _touch(code / "src/sensemaking/metrics/rouge.py")
    _touch(folder / "materials/english/chapter one/s1/text.txt")
    _touch(folder / "materials/english/chapter one/s1/questions.json")
    assert _planned(code, folder, overlay) == {}


def test_an_edit_two_imports_away_reruns_exactly_the_rules_that_use_the_module(
    finished: tuple[Path, Path, Path],
) -> None:
    code, folder, overlay = finished
    # score_rouge imports scoring.student, which imports metrics.rouge.
    with open(code / "src/sensemaking/metrics/rouge.py", "a", encoding="utf-8") as file:
        file.write("\n# an edit\n")
    planned = _planned(code, folder, overlay)
    assert planned.pop("score_rouge") == 2
    assert planned.pop("expect_answers") == 2
    # What lies downstream of those, and nothing else.
    assert planned == {"estimate_student_rouge": 1, "table_06": 1}


def test_an_edit_of_an_input_deep_down_reruns_only_its_kind(
    finished: tuple[Path, Path, Path],
) -> None:
    code, folder, overlay = finished
    text = folder / "materials/українська/книга/розділ 1/text.en.txt"
    text.write_text(text.read_text(encoding="utf-8") + " Roots drink water.", encoding="utf-8")
    planned = _planned(code, folder, overlay)
    assert planned["read_sections"] == 1
    assert planned["translate_materials"] == 1
    assert planned["join_translations"] == 1
    assert planned["cut_windows"] == 1
    assert planned["embed_texts"] == 1
    assert planned["score_questions"] == 1
    assert planned["ask_baseline_questions"] == 1
    assert "read_questions" not in planned


def test_a_new_and_a_removed_file_rerun_only_their_kind(
    finished: tuple[Path, Path, Path],
) -> None:
    code, folder, overlay = finished
    new = folder / "materials/english/chapter one/s3"
    new.mkdir()
    (new / "text.txt").write_text("A new section has come.", encoding="utf-8")
    assert _planned(code, folder, overlay)["read_sections"] == 1
    (new / "text.txt").unlink()
    new.rmdir()
    (folder / "materials/english/chapter one/s2/questions.json").unlink()
    planned = _planned(code, folder, overlay)
    assert planned["read_questions"] == 1
    assert "read_sections" not in planned


def test_a_changed_setting_reruns_what_uses_it_and_nothing_before(
    finished: tuple[Path, Path, Path],
) -> None:
    code, folder, _ = finished
    overlay = write_overlay(folder, {**CONFIG, "windows": {"max_words": 20}})
    planned = _planned(code, folder, overlay)
    assert planned == {
        "cut_windows": 2,
        "embed_texts": 2,
        "score_questions": 2,
        "estimate_teacher_ranks": 1,
        "table_01": 1,
    }


def test_an_incremental_run_equals_a_cold_one(finished: tuple[Path, Path, Path]) -> None:
    code, folder, overlay = finished
    new = folder / "materials/english/chapter one/s0"
    new.mkdir()
    (new / "text.txt").write_text(
        "Glaciers move slowly down the valley. They carry stones and grind the rock below.",
        encoding="utf-8",
    )
    succeed(snakemake(*TARGETS, "--configfile", overlay, folder=folder, code=code))
    incremental = hashes(folder / "results")
    succeed(snakemake(*TARGETS, "--configfile", overlay, "--forceall", folder=folder, code=code))
    assert hashes(folder / "results") == incremental


def test_an_edit_of_a_script_that_a_rule_does_not_use_reruns_nothing_of_it(
    finished: tuple[Path, Path, Path],
) -> None:
    code, folder, overlay = finished
    with open(code / "scripts/table_06.py", "a", encoding="utf-8") as file:
        file.write("\n# an edit\n")
    assert _planned(code, folder, overlay) == {"table_06": 1}
