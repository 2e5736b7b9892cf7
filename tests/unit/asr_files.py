"""Small recordings, made by PyAV, and an engine that needs no model."""

from collections.abc import Callable, Sequence
from pathlib import Path

import av
import numpy as np
from numpy.typing import NDArray

from sensemaking.asr.engines import Decoding, Detection, RawSegment

CODECS = {
    ".mp3": ("mp3", "libmp3lame"),
    ".wav": ("wav", "pcm_s16le"),
    ".flac": ("flac", "flac"),
    ".ogg": ("ogg", "libopus"),
    ".m4a": ("mp4", "aac"),
    ".webm": ("webm", "libopus"),
}


def tone(seconds: float, rate: int = 16_000, hertz: float = 300.0) -> NDArray[np.float32]:
    """A pure tone of half the full loudness."""
    times = np.arange(round(seconds * rate)) / rate
    return (0.5 * np.sin(2 * np.pi * hertz * times)).astype(np.float32)


def record(
    path: Path,
    samples: Sequence[NDArray[np.float32]] | NDArray[np.float32],
    rate: int = 16_000,
    options: dict[str, str] | None = None,
    video: bool = False,
) -> Path:
    """Write samples, one array or two channels, in the format of the ending; return the path."""
    channels = [samples] if isinstance(samples, np.ndarray) else list(samples)
    layout = "mono" if len(channels) == 1 else "stereo"
    form, codec = CODECS.get(path.suffix, ("mp4", "aac"))
    with av.open(str(path), "w", format=form, options=options or {}) as container:
        stream = container.add_stream(codec, rate=rate)
        stream.layout = layout
        if video:
            picture = container.add_stream("mpeg4", rate=5)
            picture.width = picture.height = 32
            picture.pix_fmt = "yuv420p"
            image = av.VideoFrame.from_ndarray(np.zeros((32, 32, 3), np.uint8), format="rgb24")
            for packet in [*picture.encode(image), *picture.encode(None)]:
                container.mux(packet)
        data = np.stack([(c * 32767).astype(np.int16) for c in channels], axis=1).reshape(1, -1)
        frame = av.AudioFrame.from_ndarray(data, format="s16", layout=layout)
        frame.sample_rate = rate
        for packet in [*stream.encode(frame), *stream.encode(None)]:
            container.mux(packet)
    return path


def silent_video(path: Path) -> Path:
    """Write a video that has no sound; return the path."""
    with av.open(str(path), "w", format="mp4") as container:
        stream = container.add_stream("mpeg4", rate=5)
        stream.width = stream.height = 32
        stream.pix_fmt = "yuv420p"
        image = av.VideoFrame.from_ndarray(np.zeros((32, 32, 3), np.uint8), format="rgb24")
        for packet in [*stream.encode(image), *stream.encode(None)]:
            container.mux(packet)
    return path


def said(
    text: str,
    start: float = 0.0,
    end: float = 2.0,
    *,
    logprob: float = -0.3,
    silence: float = 0.05,
    window: float = 0.0,
) -> RawSegment:
    """A segment of plain speech, unless told otherwise."""
    return RawSegment(start, end, text, logprob, silence, window)


class StubEngine:
    """An engine that says what it is told to, and remembers what it was asked."""

    def __init__(
        self,
        answer: Callable[[NDArray[np.float32], Decoding], list[RawSegment]] | None = None,
        detected: Detection | None = None,
        languages: frozenset[str] = frozenset({"cs", "de", "en", "uk"}),
    ) -> None:
        self._answer = answer or (lambda samples, decoding: [said(" Something is said here.")])
        self._detected = detected
        self.languages = languages
        self.calls: list[tuple[float, str, Decoding]] = []

    def detect(self, samples: NDArray[np.float32]) -> Detection | None:
        return self._detected

    def transcribe(
        self,
        samples: NDArray[np.float32],
        language: str,
        decoding: Decoding,
        on_progress: Callable[[float], None],
    ) -> list[RawSegment]:
        self.calls.append((len(samples) / 16_000, language, decoding))
        on_progress(len(samples) / 16_000)
        return self._answer(samples, decoding)
