"""Recordings to samples, through PyAV: no ffmpeg program is needed, and video works as well.

A file that cannot be used raises ``RecordingError`` with a stable code; what is doubtful about a
file that can be used (cut short, damaged in places) goes with the samples.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import av
import numpy as np
from numpy.typing import NDArray

SAMPLE_RATE = 16_000
"""Samples per second that the speech models want."""

FailureCode = Literal["unreadable_file", "empty_file", "no_audio_stream", "damaged_file"]

_MARKS = (b"ID3", b"RIFF", b"OggS", b"fLaC", b"\x1a\x45\xdf\xa3", b"\xff\xfb", b"\xff\xf3")
"""First bytes of recordings (mp3, wav, ogg, flac, webm); mp4 has ``ftyp`` at byte 4."""
_XING = (b"Xing", b"Info", b"VBRI")
"""Tags in an mp3 that tell its length; without one the length can only be guessed."""
_TOLERANCE_S = 0.25
_TOLERANCE = 0.005
"""Difference of declared and decoded length that encoders make."""
_CONTAINERS = frozenset(
    {
        *("mp3", "wav", "w64", "flac", "ogg", "mov,mp4,m4a,3gp,3g2,mj2", "matroska,webm"),
        *("aac", "aiff", "amr", "asf", "au", "avi", "caf", "flv", "mpeg", "mpegts"),
    }
)
"""Containers that are taken. Others are formats without a mark of their own (raw AMR, ANSI art), in
which any text can be "decoded"."""
_GUESSED = frozenset({"aac", "amr"})
"""Containers whose length PyAV works out from the size of the file."""


class RecordingError(ValueError):
    """A file cannot be used as a recording.

    Attributes:
        code: Stable name of the reason.
    """

    def __init__(self, code: FailureCode, message: str) -> None:
        """Make the error; the message names the file and what to do."""
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class AudioWarning:
    """Something about a recording that a person should know.

    Attributes:
        code: ``cut_short``, ``damaged_in_places`` or ``several_audio_streams``.
        message: What was found.
    """

    code: str
    message: str


@dataclass(frozen=True, eq=False)
class Audio:
    """A decoded recording.

    Attributes:
        samples: Shape (n,), float32 from -1 to 1, one channel, 16,000 a second.
        declared_s: Length in seconds that the file states; None if it states none.
        warnings: What is doubtful about it.
    """

    samples: NDArray[np.float32]
    declared_s: float | None
    warnings: tuple[AudioWarning, ...]

    @property
    def decoded_s(self) -> float:
        """Length in seconds of what could be decoded."""
        return len(self.samples) / SAMPLE_RATE


def decode(path: str | Path) -> Audio:
    """Decode a recording, or the sound of a video, to one channel of 16,000 samples a second.

    Channels are averaged. Of several audio streams the one that players choose is taken. Packets
    that cannot be decoded are left out.

    Args:
        path: The file.

    Raises:
        RecordingError: It is missing, empty, holds no sound, or nothing of it can be decoded.
    """
    path = Path(path)
    head = _head(path)
    try:
        container = av.open(str(path), metadata_errors="ignore")
    except (av.error.FFmpegError, ValueError) as error:
        raise _cannot_open(path, head, str(error)) from error
    with container:
        if container.format.name not in _CONTAINERS:
            raise _cannot_open(path, head, f"it looks like {container.format.long_name}")
        streams = container.streams.audio
        if not streams:
            kinds = sorted({stream.type for stream in container.streams})
            raise RecordingError(
                "no_audio_stream",
                f"{path.name}: no audio stream (it holds {', '.join(kinds) or 'nothing'}); give a "
                "recording or a video with sound",
            )
        best = container.streams.best("audio")
        stream = best if isinstance(best, av.audio.AudioStream) else streams[0]
        name = container.format.name
        decoder = _Decoder(container, stream)
        blocks = list(decoder.blocks())
        stated = stream.duration and float(stream.duration * (stream.time_base or 0))
        if not stated and container.duration:
            stated = container.duration / av.time_base
    if decoder.n_bad > decoder.n_good > 0:
        raise RecordingError(
            "damaged_file",
            f"{path.name}: {decoder.n_bad} of {decoder.n_bad + decoder.n_good} packets cannot be "
            "decoded; it is damaged, or no recording",
        )
    if not blocks or not sum(map(len, blocks)):
        raise RecordingError(
            "no_audio_stream",
            f"{path.name}: no audio stream in it can be decoded (it begins with {head[:12]!r}); it "
            "is no recording, or damaged from its beginning",
        )
    samples = np.concatenate(blocks).astype(np.float32) / np.float32(32768)
    declared = _declared(path, name, stated or None)
    warnings = [
        *_cut(declared, len(samples) / SAMPLE_RATE, decoder.last_frame_is_cut, path, name),
        *_damaged(decoder.n_bad),
    ]
    if len(streams) > 1:
        warnings.append(
            AudioWarning("several_audio_streams", f"{len(streams)} audio streams; one was taken")
        )
    return Audio(samples, declared, tuple(warnings))


class _Decoder:
    """Decodes a stream, and counts what cannot be decoded on the way."""

    def __init__(
        self, container: av.container.InputContainer, stream: av.audio.AudioStream
    ) -> None:
        self._container = container
        self._stream = stream
        self._is_mp3 = stream.codec_context.name.startswith("mp3")
        self.n_bad = 0
        self.n_good = 0
        self.last_frame_is_cut = False

    def blocks(self) -> Iterator[NDArray[np.int16]]:
        """Yield the samples in blocks, one channel, resampled."""
        resampler: av.AudioResampler | None = None
        form: tuple[str, str, int] | None = None
        for frame in self._frames():
            frame.pts = None  # Files with odd time stamps would stop the resampler.
            current = (frame.format.name, frame.layout.name, frame.sample_rate)
            if resampler is None or current != form:
                if resampler is not None:
                    yield from _flush(resampler)
                resampler = av.AudioResampler(format="s16", layout="mono", rate=SAMPLE_RATE)
                form = current
            for block in resampler.resample(frame):
                yield _samples(block)
        if resampler is not None:
            yield from _flush(resampler)

    def _frames(self) -> Iterator[av.AudioFrame]:
        packets = self._container.demux(self._stream)
        while True:
            try:
                packet = next(packets)
            except StopIteration:
                return
            except av.error.FFmpegError:  # What follows cannot be found any more.
                self.n_bad += 1
                return
            if packet.size and self._is_mp3:
                self.last_frame_is_cut = _mp3_frame_is_cut(bytes(packet))
            try:
                frames = packet.decode()
            except av.error.FFmpegError:
                self.n_bad += 1
                continue
            self.n_good += 1
            for frame in frames:
                if isinstance(frame, av.AudioFrame):
                    yield frame


def _flush(resampler: av.AudioResampler) -> Iterator[NDArray[np.int16]]:
    for block in resampler.resample(None):
        yield _samples(block)


def _samples(block: av.AudioFrame) -> NDArray[np.int16]:
    return block.to_ndarray().reshape(-1).astype(np.int16, copy=False)


def _head(path: Path) -> bytes:
    try:
        with open(path, "rb") as file:
            head = file.read(64)
    except OSError as error:
        raise RecordingError(
            "unreadable_file", f"{path.name}: cannot be read: {error.strerror}"
        ) from error
    if not head:
        raise RecordingError(
            "empty_file", f"{path.name}: empty file (0 bytes); copy the recording again"
        )
    return head


def _cannot_open(path: Path, head: bytes, error: str) -> RecordingError:
    if head.startswith(_MARKS) or head[4:8] == b"ftyp":
        return RecordingError(
            "damaged_file",
            f"{path.name}: begins as a recording, but cannot be opened; it is cut or damaged, so "
            f"copy it again ({error})",
        )
    return RecordingError(
        "no_audio_stream",
        f"{path.name}: no audio stream; the file begins with {head[:12]!r} and is no recording, "
        "whatever its name says",
    )


def _declared(path: Path, name: str, stated: float | None) -> float | None:
    """Return the length that the file itself states, not one guessed from its size."""
    if name == "wav":
        return _declared_wav(path)
    if name == "ogg":  # PyAV takes it from the last page, whichever that is.
        return stated if _ogg_has_end(path) else None
    if name == "mp3":
        with open(path, "rb") as file:
            start = _id3_length(file.read(10))
            file.seek(start)
            first_frames = file.read(4096)
        return stated if any(tag in first_frames for tag in _XING) else None
    return None if name in _GUESSED else stated


def _id3_length(head: bytes) -> int:
    """Return how many bytes an ID3v2 tag takes at the beginning of an mp3."""
    if head[:3] != b"ID3" or len(head) < 10:
        return 0
    size = 0
    for byte in head[6:10]:  # Seven bits a byte, ID3v2.4, section 6.2.
        size = size << 7 | byte & 0x7F
    return size + 10


def _declared_wav(path: Path) -> float | None:
    with open(path, "rb") as file:
        if file.read(4) != b"RIFF":
            return None
        file.seek(12)
        rate = 0
        while len(head := file.read(8)) == 8:
            tag, size = struct.unpack("<4sI", head)
            if tag == b"fmt ":
                rate = struct.unpack("<HHIIHH", file.read(16))[3]
                file.seek(size - 16 + size % 2, 1)
            elif tag == b"data":
                # A program that writes to a pipe does not know the size beforehand.
                known = rate and 0 < size < 0xFFFFFFFF - 4096
                return size / rate if known else None
            else:
                file.seek(size + size % 2, 1)
    return None


def _cut(
    declared: float | None, decoded: float, last_frame_is_cut: bool, path: Path, name: str
) -> list[AudioWarning]:
    if declared is not None and declared - decoded > max(_TOLERANCE_S, _TOLERANCE * declared):
        text = (
            f"decoded {decoded:.2f} s of the {declared:.2f} s that the file declares; it is cut "
            "short or has gaps"
        )
    elif last_frame_is_cut:
        length = "no length" if declared is None else f"{declared:.2f} s"
        text = (
            f"the file ends in the middle of a frame: decoded {decoded:.2f} s, declared {length}; "
            "it is cut"
        )
    elif name == "ogg" and not _ogg_has_end(path):
        text = f"the file has no end mark after {decoded:.2f} s; it is cut, or a recorded stream"
    else:
        return []
    return [AudioWarning("cut_short", text)]


def _damaged(n_bad: int) -> list[AudioWarning]:
    if not n_bad:
        return []
    return [
        AudioWarning("damaged_in_places", f"packets left out since they cannot be decoded: {n_bad}")
    ]


def _ogg_has_end(path: Path) -> bool:
    """Tell whether the last page of an Ogg file is marked as the last (RFC 3533, section 6)."""
    with open(path, "rb") as file:
        file.seek(max(0, path.stat().st_size - 65_307))  # The size of the largest page.
        tail = file.read()
    start = tail.rfind(b"OggS")
    return start >= 0 and len(tail) > start + 5 and bool(tail[start + 5] & 4)


_KBITS = {
    1: (0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320),
    2: (0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160),
}
"""Bit rates of layer III by version, ISO 11172-3 and 13818-3."""
_RATES = (44_100, 48_000, 32_000)


def _mp3_frame_is_cut(frame: bytes) -> bool:
    """Tell whether a frame of an mp3 is shorter than its header says."""
    if len(frame) < 4 or frame[0] != 0xFF or frame[1] & 0xE6 != 0xE2:  # Layer III only.
        return len(frame) < 4
    version = frame[1] >> 3 & 3
    bits, rate = frame[2] >> 4, frame[2] >> 2 & 3
    if version == 1 or bits in (0, 15) or rate == 3:
        return False
    kbits = _KBITS[1 if version == 3 else 2][bits]
    hertz = _RATES[rate] // {3: 1, 2: 2, 0: 4}[version]
    samples = 144 if version == 3 else 72
    return len(frame) < samples * kbits * 1000 // hertz + (frame[2] >> 1 & 1)
