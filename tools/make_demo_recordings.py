"""Speaks texts of the demo corpus and writes them as small recordings.

python tools/make_demo_recordings.py [--root FOLDER] [--out FOLDER] [--check]

The voices are those of SVOX Pico (py-nanotts, Apache-2.0), which Whisper base understands far
better than espeak-ng: docs/asr.md has the figures. A section is spoken from its reference.txt, or
from its text.txt where it has none yet; reference.txt is written beside the recording. The bytes
hang on the text and the versions of py-nanotts and PyAV alone.
"""

import argparse
import subprocess
import sys
import tempfile
import wave
from dataclasses import dataclass
from pathlib import Path

import av
import numpy as np

from sensemaking.asr.journal import Journal
from sensemaking.asr.transcribe import AsrSettings, transcribe_chapter
from sensemaking.io.files import replacing, write_text
from sensemaking.io.materials import TEXT, TRANSCRIPT
from sensemaking.metrics.asr import word_errors

LIMIT = 1_000_000
"""Bytes that all recordings together may take."""
RATE = 16_000
BLOCK = 5760
"""A multiple of the frames of Opus (320 samples) and MP3 (576)."""
FORMATS = {".ogg": ("ogg", "libopus", 12_000), ".mp3": ("mp3", "libmp3lame", 24_000)}
"""Ending to container, codec and bits a second."""


@dataclass(frozen=True)
class Spoken:
    """A section that is spoken.

    Attributes:
        section: Its folder below the root.
        voice: A voice of Pico.
        ending: The format.
    """

    section: str
    voice: str
    ending: str

    @property
    def language(self) -> str:
        """ISO 639 code of the language."""
        return self.voice[:2]


RECORDINGS = (
    Spoken("nmt-class/lecture04-search/screen02-slide03", "en-GB", ".mp3"),
    Spoken("popular/video-03-abendrot", "de-DE", ".ogg"),
    Spoken("popular/video-04-honig", "de-DE", ".ogg"),
)


def main() -> None:
    """Make all recordings."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=Path, default=Path("resources/demo/materials"))
    parser.add_argument("--out", type=Path, default=None, help="where to; the root if not given")
    parser.add_argument("--check", action="store_true", help="transcribe what was made")
    options = parser.parse_args()
    out = options.out or options.root
    total = 0
    for spoken in RECORDINGS:
        folder = options.root / spoken.section
        source = folder / TRANSCRIPT if (folder / TRANSCRIPT).is_file() else folder / TEXT
        text = source.read_text(encoding="utf-8")
        path = out / spoken.section / f"source{spoken.ending}"
        encode(speak(text, spoken.voice), path)
        write_text(out / spoken.section / TRANSCRIPT, text)
        total += path.stat().st_size
        shown = f"{path}: {path.stat().st_size / 1000:.0f} kB"
        if options.check:
            shown += f", WER {error_rate(path, spoken.language, text):.3f}"
        print(shown)
    print(f"{total / 1000:.0f} kB together")
    if total > LIMIT:
        sys.exit(f"the recordings take more than {LIMIT / 1000:.0f} kB; shorten the texts")


def speak(text: str, voice: str) -> np.ndarray:
    """Return a text as sound: shape (1, n), int16, 16,000 samples a second.

    Each text has a process of its own: what Pico says depends on what it said before.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "speech.wav"
        command = [sys.executable, "-m", "py_nanotts", " ".join(text.split())]
        subprocess.run([*command, "--voice", voice, "--output", str(path)], check=True)
        with wave.open(str(path)) as file:
            samples = np.frombuffer(file.readframes(file.getnframes()), dtype="<i2")
    # An encoder fills the last frame up with whatever lies in memory; so there is nothing to fill.
    return np.pad(samples, (0, -len(samples) % BLOCK)).reshape(1, -1)


def encode(samples: np.ndarray, path: Path) -> None:
    """Write samples in the format of the ending."""
    form, codec, bits = FORMATS[path.suffix]
    with (
        replacing(path) as temporary,
        av.open(str(temporary), "w", format=form, options={"fflags": "+bitexact"}) as container,
    ):
        stream = container.add_stream(codec, rate=RATE)
        stream.layout = "mono"
        stream.bit_rate = bits
        frame = av.AudioFrame.from_ndarray(samples, format="s16", layout="mono")
        frame.sample_rate = RATE
        resampler = av.AudioResampler(stream.format.name, "mono", RATE)
        for block in [*resampler.resample(frame), *resampler.resample(None)]:
            container.mux(stream.encode(block))
        container.mux(stream.encode(None))


def error_rate(path: Path, language: str, text: str) -> float:
    """Return the word error rate of the default engine on a recording."""
    with tempfile.TemporaryDirectory() as folder:
        (found,) = transcribe_chapter(
            {path.parent.name: path}, language, AsrSettings(), Journal(folder), show_progress=False
        )
    return float(word_errors(text, found.text or "").rate)


if __name__ == "__main__":
    main()
