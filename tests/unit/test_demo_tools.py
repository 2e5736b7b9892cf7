"""The tools that make the demo's PDFs and recordings from its texts."""

import subprocess
import sys
from pathlib import Path

import numpy as np

from sensemaking.asr.audio import decode
from sensemaking.io import pdf

ROOT = Path(__file__).parents[2]
MATERIALS = ROOT / "resources" / "demo" / "materials"


def run(tool: str, out: Path) -> list[Path]:
    """Run a tool; return what it made, by paths below the root."""
    command = [sys.executable, str(ROOT / "tools" / tool)]
    command += ["--root", str(MATERIALS), "--out", str(out)]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    return sorted(path.relative_to(out) for path in out.rglob("source.*"))


def test_the_pdfs_are_made_again_with_the_same_words_and_pages(tmp_path: Path) -> None:
    made = run("make_demo_pdfs.py", tmp_path / "first")
    assert [MATERIALS / path for path in made] == sorted(MATERIALS.rglob("source.pdf"))
    for path in made:
        again, shipped = pdf.read(tmp_path / "first" / path), pdf.read(MATERIALS / path)
        assert again.pages == shipped.pages
        assert again.text == shipped.text
        assert again.outline == shipped.outline
    run("make_demo_pdfs.py", tmp_path / "second")
    for path in made:
        first, second = (tmp_path / name / path for name in ("first", "second"))
        assert first.read_bytes() == second.read_bytes()


def test_the_recordings_are_made_again_at_the_same_length(tmp_path: Path) -> None:
    made = run("make_demo_recordings.py", tmp_path)
    shipped = [*MATERIALS.rglob("source.mp3"), *MATERIALS.rglob("source.ogg")]
    assert [MATERIALS / path for path in made] == sorted(shipped)
    for path in made:
        again, before = decode(tmp_path / path), decode(MATERIALS / path)
        # Encoders may round differently on other processors, so bytes are not compared.
        assert len(again.samples) == len(before.samples)
        assert np.corrcoef(again.samples, before.samples)[0, 1] > 0.99
        reference = (tmp_path / path).with_name("reference.txt")
        assert reference.read_bytes() == (MATERIALS / path).with_name("reference.txt").read_bytes()
