"""Makes the release of the demo: adversarial sets and answers as they are sent to participants.

The target export_adversarial writes it, for a few sections and without the systems that a language
model plays, from the demo as it is without a release. The files are put among the materials, where
they win over what a run would make itself. Run it again after a change of the demo's texts,
questions or submissions, or of the adversarial variants: python tools/make_demo_release.py
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import yaml

from sensemaking.config_systems import LLM
from sensemaking.io.release import MANIFEST

ROOT = Path(__file__).parents[1]
DEMO = ROOT / "resources" / "demo"
SECTIONS = (
    "demagog-statements-public/id0102",
    "nmt-book/chapter03-input/section01-subword-units",
    "popular/video-01-schwimmendes-eis",
    "ukr-biology/book01/topic01-Клітина та її будова",
)
"""One section of each of four kinds, whose texts are no recordings: all would be 6,000 files."""

_RELEASED = ("questions_by_*.json", "answers_by_*.json", MANIFEST)


def main(out: Path, cores: int) -> int:
    """Make the release and put it in the place of the one that is there.

    Args:
        out: The materials folder to put it into.
        cores: Cores for the run.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copy_demo(folder)
        config = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
        settings = folder / "overlay.yaml"
        settings.write_text(json.dumps(overlay(config, folder)), encoding="utf-8")
        subprocess.run(
            [
                *(sys.executable, "-m", "snakemake", "export_adversarial"),
                *("--snakefile", ROOT / "Snakefile", "--directory", folder / "run"),
                *("--cores", str(cores), "--configfile", settings),
            ],
            check=True,
        )
        for pattern in _RELEASED:
            for old in out.rglob(pattern):
                old.unlink()
        shutil.copytree(folder / "run/results/export/adversarial", out, dirs_exist_ok=True)
    return 0


def copy_demo(folder: Path) -> None:
    """Copy materials and submissions of the demo into a folder, without the release."""
    leave_out = shutil.ignore_patterns(*_RELEASED)
    shutil.copytree(DEMO / "materials", folder / "materials", ignore=leave_out)
    shutil.copytree(DEMO / "submissions", folder / "submissions")


def overlay(config: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Return what differs from the default configuration, for a copy of the demo in a folder."""
    return {
        "materials": {"root": str(folder / "materials")},
        "systems": [system for system in config["systems"] if system["engine"] != LLM],
        "adversarial": {"export_sections": list(SECTIONS)},
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=DEMO / "materials")
    parser.add_argument("--cores", type=int, default=2)
    arguments = parser.parse_args()
    raise SystemExit(main(arguments.out, arguments.cores))
