import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from asr_files import record, silent_video, tone

from sensemaking.asr.audio import RecordingError, decode


def damaged(path: Path, n: int = 200) -> Path:
    """Put zeros in the middle of a file."""
    data = bytearray(path.read_bytes())
    middle = len(data) // 2
    data[middle : middle + n] = bytes(n)
    path.write_bytes(data)
    return path


def codes(path: Path) -> list[str]:
    return [warning.code for warning in decode(path).warnings]


@pytest.mark.parametrize("ending", [".mp3", ".wav", ".flac", ".ogg", ".m4a", ".webm"])
@pytest.mark.parametrize(("rate", "channels"), [(16_000, 1), (48_000, 2)])
def test_every_format_becomes_one_channel_of_16_khz(
    tmp_path: Path, ending: str, rate: int, channels: int
) -> None:
    rate = 48_000 if ending in (".ogg", ".webm") else rate
    path = record(tmp_path / f"source{ending}", [tone(1.5, rate)] * channels, rate)
    audio = decode(path)
    assert audio.samples.dtype == np.float32
    assert audio.samples.ndim == 1
    assert audio.decoded_s == pytest.approx(1.5, abs=0.15)
    # The pitch is the same, so neither the rate nor the channels were mixed up.
    spectrum = np.abs(np.fft.rfft(audio.samples))
    assert np.argmax(spectrum) / audio.decoded_s == pytest.approx(300, abs=3)
    assert audio.warnings == ()


def test_channels_are_averaged_and_silence_in_one_does_not_silence_the_other(
    tmp_path: Path,
) -> None:
    path = record(tmp_path / "source.wav", [tone(1.0), np.zeros(16_000, np.float32)])
    assert np.abs(decode(path).samples).max() == pytest.approx(0.25, abs=0.01)


def test_the_sound_of_a_video_is_decoded(tmp_path: Path) -> None:
    path = record(tmp_path / "source.mp4", tone(1.5), video=True)
    assert decode(path).decoded_s == pytest.approx(1.5, abs=0.15)


@pytest.mark.parametrize(
    ("name", "data", "code", "words"),
    [
        ("b.mp3", b"", "empty_file", "b.mp3: empty file"),
        ("c.mp3", b"not audio", "no_audio_stream", "c.mp3: no audio stream"),
        ("d.mp3", b"not audio, and long.\n" * 4000, "no_audio_stream", "d.mp3: no audio stream"),
        ("e.mp3", b"%PDF-1.4\n" + bytes(range(256)) * 40, "no_audio_stream", "e.mp3: no audio"),
        ("f.wav", "звуку тут немає\n".encode() * 400, "no_audio_stream", "f.wav: no audio stream"),
        ("f.mp3", "яблуня явір яр".encode("cp1251") * 900, "no_audio_stream", "f.mp3: no audio"),
        ("g.m4a", b"\0\0\0\x20ftypM4A " + bytes(400), "damaged_file", "g.m4a: begins as a record"),
        ("h.ogg", b"OggS" + bytes(500), "damaged_file", "h.ogg: begins as a recording"),
    ],
)
def test_what_is_no_recording_is_named_with_the_reason(
    tmp_path: Path, name: str, data: bytes, code: str, words: str
) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(RecordingError) as caught:
        decode(tmp_path / name)
    assert caught.value.code == code
    assert str(caught.value).startswith(words)


def test_a_video_without_sound_is_named_and_so_is_what_it_holds(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match=r"source.mp4: no audio stream \(it holds video\)"):
        decode(silent_video(tmp_path / "source.mp4"))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match=r"gone\.mp3: cannot be read: No such file") as caught:
        decode(tmp_path / "gone.mp3")
    assert caught.value.code == "unreadable_file"


@pytest.mark.parametrize("ending", [".mp3", ".wav", ".flac"])
def test_a_file_that_is_cut_gives_its_readable_part_with_both_lengths(
    tmp_path: Path, ending: str
) -> None:
    path = record(tmp_path / f"source{ending}", tone(4.0))
    data = path.read_bytes()
    path.write_bytes(data[: len(data) * 6 // 10 + 7])
    audio = decode(path)
    assert 1.0 < audio.decoded_s < 3.0
    assert audio.declared_s == pytest.approx(4.0, abs=0.1)
    (warning,) = [w for w in audio.warnings if w.code == "cut_short"]
    assert f"decoded {audio.decoded_s:.2f} s of the {audio.declared_s:.2f} s" in warning.message


def test_an_mp3_that_lost_only_a_part_of_its_last_frame_is_cut(tmp_path: Path) -> None:
    path = record(tmp_path / "source.mp3", tone(4.0))
    path.write_bytes(path.read_bytes()[:-20])
    (warning,) = decode(path).warnings
    assert warning.code == "cut_short"
    assert "in the middle of a frame" in warning.message


def test_an_mp3_that_states_no_length_has_none_and_is_cut_in_a_frame(tmp_path: Path) -> None:
    path = record(tmp_path / "source.mp3", tone(4.0), options={"write_xing": "0"})
    whole = decode(path)
    assert (whole.declared_s, whole.warnings) == (None, ())
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2 + 5])
    assert codes(path) == ["cut_short"]


def test_an_ogg_without_its_end_is_cut(tmp_path: Path) -> None:
    path = record(tmp_path / "source.ogg", tone(6.0, 48_000), 48_000)
    assert codes(path) == []
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    assert codes(path) == ["cut_short"]


def test_a_wav_of_unknown_length_is_not_cut(tmp_path: Path) -> None:
    # As a program writes it that does not know the length beforehand.
    path = record(tmp_path / "source.wav", tone(1.0))
    data = bytearray(path.read_bytes())
    place = data.index(b"data") + 4
    data[4:8] = data[place : place + 4] = b"\xff\xff\xff\xff"
    path.write_bytes(data)
    audio = decode(path)
    assert (audio.declared_s, audio.warnings) == (None, ())
    assert audio.decoded_s == pytest.approx(1.0, abs=0.01)


def test_damage_in_the_middle_is_left_out_and_counted(tmp_path: Path) -> None:
    path = damaged(record(tmp_path / "source.m4a", tone(6.0)))
    audio = decode(path)
    assert audio.decoded_s > 5.5
    assert "damaged_in_places" in [warning.code for warning in audio.warnings]


@pytest.mark.parametrize("ending", [".flac", ".ogg"])
def test_a_gap_that_damage_leaves_shows_in_the_lengths(tmp_path: Path, ending: str) -> None:
    rate = 48_000 if ending == ".ogg" else 16_000
    path = damaged(record(tmp_path / f"source{ending}", tone(6.0, rate), rate), 2000)
    audio = decode(path)
    assert audio.declared_s == pytest.approx(6.0, abs=0.1)
    assert audio.decoded_s < 5.8
    assert [warning.code for warning in audio.warnings] == ["cut_short"]


def test_a_file_of_which_most_is_damaged_is_a_failure(tmp_path: Path) -> None:
    path = record(tmp_path / "source.m4a", tone(6.0))
    data = bytearray(path.read_bytes())
    begin, n = data.index(b"mdat") + 40, len(data) * 7 // 10
    data[begin : begin + n] = bytes(n)
    path.write_bytes(data)
    with pytest.raises(RecordingError, match=r"70 of 96 packets cannot be decoded") as caught:
        decode(path)
    assert caught.value.code == "damaged_file"


def test_recordings_of_other_rates_that_were_put_together_are_decoded_whole(tmp_path: Path) -> None:
    plain = {"write_xing": "0"}
    first = record(tmp_path / "a.mp3", tone(2.0), options=plain)
    second = record(tmp_path / "b.mp3", [tone(2.0, 44_100)] * 2, 44_100, options=plain)
    both = tmp_path / "source.mp3"
    both.write_bytes(first.read_bytes() + second.read_bytes())
    samples = decode(both).samples
    for part in (samples[4_000:28_000], samples[-28_000:-4_000]):
        assert np.argmax(np.abs(np.fft.rfft(part))) / 1.5 == pytest.approx(300, abs=3)
    assert len(samples) >= len(decode(first).samples) + len(decode(second).samples)


@pytest.mark.parametrize("rate", [44_100, 48_000])
def test_no_sample_is_lost_at_the_end(tmp_path: Path, rate: int) -> None:
    path = record(tmp_path / "source.wav", tone(1.0, rate), rate)
    assert len(decode(path).samples) == 16_000


@pytest.mark.parametrize("n", [1, 160, 1600])
def test_a_very_short_recording_is_decoded(tmp_path: Path, n: int) -> None:
    path = record(tmp_path / "source.wav", tone(n / 16_000))
    assert len(decode(path).samples) == n


def test_no_ffmpeg_program_is_needed(tmp_path: Path) -> None:
    path = record(tmp_path / "a.mp3", tone(1.0))
    script = (
        "import sys; from sensemaking.asr.audio import decode; "
        "print(round(decode(sys.argv[1]).decoded_s))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(path)],
        env={"PATH": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "1"
