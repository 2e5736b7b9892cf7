import logging
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from asr_files import StubEngine, record, said, silent_video, tone
from numpy.typing import NDArray

from sensemaking.asr import transcribe
from sensemaking.asr.engines import Decoding, Detection, EngineSettings, RawSegment
from sensemaking.asr.journal import Journal
from sensemaking.asr.transcribe import AsrSettings, transcribe_chapter
from sensemaking.asr.transcripts import Transcript

PLAIN = AsrSettings(voice_activity=False)


class Bench:
    """Runs chapters with a stub engine and counts how often it is loaded."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.engine = StubEngine()
        self.loaded = 0
        self.version = "1"

    def load(self, settings: EngineSettings) -> StubEngine:
        self.loaded += 1
        return self.engine

    def identity(self, settings: EngineSettings) -> Mapping[str, str]:
        return {"engine": settings.engine, "version": self.version}

    def run(
        self, recordings: Mapping[str, Path], language: str = "en", settings: AsrSettings = PLAIN
    ) -> list[Transcript]:
        return transcribe_chapter(
            recordings,
            language,
            settings,
            Journal(self.folder / "journal"),
            load=self.load,
            identity=self.identity,
            show_progress=False,
        )

    def three(self) -> dict[str, Path]:
        return {
            f"kind/{name}": record(self.folder / f"{name}.mp3", tone(1.0 + 0.2 * i))
            for i, name in enumerate(("a", "b", "c"))
        }


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def test_a_chapter_is_transcribed_in_order_with_one_model(bench: Bench) -> None:
    got = bench.run(bench.three())
    assert [result.section_id for result in got] == ["kind/a", "kind/b", "kind/c"]
    assert {result.text for result in got} == {"Something is said here."}
    assert bench.loaded == 1


def test_what_is_finished_is_not_done_again_and_comes_out_the_same(bench: Bench) -> None:
    recordings = bench.three()
    first = bench.run(recordings)
    assert bench.run(recordings) == first
    assert bench.loaded == 1
    assert len(bench.engine.calls) == 3


def test_a_job_that_is_killed_loses_only_the_recording_that_it_was_at(bench: Bench) -> None:
    recordings = bench.three()

    def die_at_third(samples: NDArray[np.float32], decoding: Decoding) -> list[RawSegment]:
        if len(bench.engine.calls) == 3:
            raise KeyboardInterrupt
        return [said(" Something is said here.")]

    bench.engine = StubEngine(die_at_third)
    with pytest.raises(KeyboardInterrupt):
        bench.run(recordings)
    bench.engine = StubEngine()
    got = bench.run(recordings)
    assert len(bench.engine.calls) == 1
    assert [result.status for result in got] == ["ok"] * 3


def test_an_error_of_the_model_ends_the_job_and_is_kept_nowhere(bench: Bench) -> None:
    def fail(samples: NDArray[np.float32], decoding: Decoding) -> list[RawSegment]:
        raise RuntimeError("out of memory")

    bench.engine = StubEngine(fail)
    with pytest.raises(RuntimeError, match="out of memory"):
        bench.run(bench.three())
    assert not list(bench.folder.glob("journal/*"))


@pytest.mark.parametrize(
    "change",
    [
        {"language": "de"},
        {"settings": AsrSettings(voice_activity=False, beam_size=5)},
        {"settings": AsrSettings(voice_activity=False, seed=7)},
        {"settings": AsrSettings(voice_activity=False, retry_temperatures=())},
    ],
)
def test_another_language_or_option_is_done_anew(bench: Bench, change: dict[str, object]) -> None:
    recordings = bench.three()
    bench.run(recordings)
    bench.run(recordings, **change)  # type: ignore[arg-type]
    assert len(bench.engine.calls) == 6


def test_another_version_of_the_engine_or_another_recording_is_done_anew(bench: Bench) -> None:
    recordings = bench.three()
    bench.run(recordings)
    bench.version = "2"
    bench.run(recordings)
    assert len(bench.engine.calls) == 6
    record(recordings["kind/b"], tone(2.0))
    bench.run(recordings)
    assert len(bench.engine.calls) == 7


def test_a_recording_that_moved_is_not_done_again(bench: Bench) -> None:
    recordings = bench.three()
    bench.run(recordings)
    moved = recordings["kind/b"].rename(bench.folder / "moved.mp3")
    assert bench.run({"other/b": moved})[0].section_id == "other/b"
    assert len(bench.engine.calls) == 3


def test_bad_files_become_rows_with_reasons_and_the_good_ones_are_done(bench: Bench) -> None:
    recordings = bench.three()
    bad = {
        "kind/empty": b"",
        "kind/text": b"not audio",
        "kind/cut": b"\0\0\0\x20ftypM4A " + bytes(300),
    }
    for section_id, data in bad.items():
        recordings[section_id] = bench.folder / f"{section_id[5:]}.mp3"
        recordings[section_id].write_bytes(data)
    recordings["kind/video"] = silent_video(bench.folder / "v.mp4")
    recordings["kind/gone"] = bench.folder / "gone.mp3"
    order = sorted(recordings)
    got = {r.section_id: r for r in bench.run({name: recordings[name] for name in order})}
    assert list(got) == order
    assert {name: result.status for name, result in got.items()} == {
        "kind/a": "ok",
        "kind/b": "ok",
        "kind/c": "ok",
        "kind/empty": "empty_file",
        "kind/text": "no_audio_stream",
        "kind/cut": "damaged_file",
        "kind/video": "no_audio_stream",
        "kind/gone": "unreadable_file",
    }
    for result in got.values():
        assert (result.text is None) == (result.status != "ok")
        assert (result.reason is None) == (result.status == "ok")
    assert len(list(bench.folder.glob("journal/*"))) == 3


def test_a_failure_is_tried_again_the_next_time(bench: Bench) -> None:
    path = bench.folder / "late.mp3"
    path.write_bytes(b"")
    assert bench.run({"kind/late": path})[0].status == "empty_file"
    record(path, tone(1.0))
    assert bench.run({"kind/late": path})[0].status == "ok"


def test_no_model_is_loaded_where_nothing_can_be_decoded(bench: Bench) -> None:
    path = bench.folder / "a.mp3"
    path.write_bytes(b"not audio")
    bench.run({"kind/a": path})
    bench.run({})
    assert bench.loaded == 0


def test_silence_is_a_failure_and_needs_no_model(bench: Bench) -> None:
    path = record(bench.folder / "a.wav", np.zeros(160_000, np.float32))
    (got,) = bench.run({"kind/a": path}, settings=AsrSettings())
    assert (got.status, got.text, got.segments) == ("no_speech", None, ())
    assert got.reason == "no speech: no voice is found in 10.0 s"
    assert bench.loaded == 0


@pytest.mark.parametrize("n", [1, 100, 1600])
def test_a_very_short_recording_has_no_speech(bench: Bench, n: int) -> None:
    path = record(bench.folder / "a.wav", tone(n / 16_000))
    assert bench.run({"kind/a": path}, settings=AsrSettings())[0].status == "no_speech"


def test_the_language_of_the_configuration_is_told_whatever_is_heard(bench: Bench) -> None:
    bench.engine = StubEngine(detected=Detection("ru", 0.99))
    got = bench.run(bench.three(), language="uk")
    assert [call[1] for call in bench.engine.calls] == ["uk"] * 3
    assert got[0].detected_language == "ru"
    assert "language_disagrees" in [warning.code for warning in got[0].warnings]


def test_a_language_that_the_model_does_not_know_is_an_error(bench: Bench) -> None:
    with pytest.raises(ValueError, match="does not know the language 'xx'; it knows: cs, de, en"):
        bench.run(bench.three(), language="xx")


def test_a_window_that_runs_in_a_loop_is_decoded_again_without_context(bench: Bench) -> None:
    loop = said(" Дякую за увагу." * 40, 1.0, 2.0, window=1.0)
    good = [
        said(" Перше речення тут.", 0.0, 1.0),
        said(" Третє речення тут.", 2.0, 3.0, window=2.0),
    ]

    def answer(samples: NDArray[np.float32], decoding: Decoding) -> list[RawSegment]:
        if max(decoding.temperatures) > 0:
            return [said(" Друге речення тут.", 0.25, 0.75)]
        return [good[0], loop, good[1]]

    bench.engine = StubEngine(answer)
    path = record(bench.folder / "a.wav", tone(3.0))
    settings = AsrSettings(voice_activity=False, condition_on_previous_text=True)
    (got,) = bench.run({"kind/a": path}, "uk", settings)
    assert got.text == "Перше речення тут. Друге речення тут. Третє речення тут."
    assert [(s.start_s, s.end_s) for s in got.segments] == [(0.0, 1.0), (1.25, 1.75), (2.0, 3.0)]
    assert (got.n_retried, got.n_flagged) == (1, 0)
    (_, _, first), (seconds, language, again) = bench.engine.calls
    assert first.condition_on_previous_text
    assert not again.condition_on_previous_text
    assert min(again.temperatures) > 0
    assert (seconds, language) == (1.0, "uk")


def test_a_loop_that_stays_a_loop_is_kept_and_flagged(bench: Bench) -> None:
    bench.engine = StubEngine(lambda samples, decoding: [said(" и и и и и" * 30)])
    path = record(bench.folder / "a.wav", tone(2.0))
    (got,) = bench.run({"kind/a": path}, "uk")
    assert [s.flag for s in got.segments] == ["repetition"]
    assert (got.n_retried, got.n_flagged) == (1, 1)
    assert len(bench.engine.calls) == 2


def test_another_loop_is_not_taken_for_the_first(bench: Bench) -> None:
    def answer(samples: NDArray[np.float32], decoding: Decoding) -> list[RawSegment]:
        return [said((" а" if max(decoding.temperatures) > 0 else " и") * 150)]

    bench.engine = StubEngine(answer)
    (got,) = bench.run({"kind/a": record(bench.folder / "a.wav", tone(2.0))}, "uk")
    assert (got.text or "").startswith("и и и")


def test_real_repetition_is_not_decoded_again(bench: Bench) -> None:
    bench.engine = StubEngine(lambda samples, decoding: [said(" Děkuji. Děkuji. Děkuji.")])
    (got,) = bench.run({"kind/a": record(bench.folder / "a.wav", tone(2.0))}, "cs")
    assert (got.text, got.n_retried) == ("Děkuji. Děkuji. Děkuji.", 0)
    assert len(bench.engine.calls) == 1


def test_the_seed_of_a_retry_hangs_on_the_recording_alone(bench: Bench) -> None:
    bench.engine = StubEngine(lambda samples, decoding: [said(" и и и и и" * 30)])
    recordings = bench.three()
    bench.run(recordings, "uk")
    seeds = [decoding.seed for _, _, decoding in bench.engine.calls[1::2]]
    assert len(set(seeds)) == 3
    other = Bench(bench.folder / "other")
    other.folder.mkdir()
    other.engine = StubEngine(lambda samples, decoding: [said(" и и и и и" * 30)])
    other.run({"x": recordings["kind/c"], "y": recordings["kind/a"]}, "uk")
    assert [d.seed for _, _, d in other.engine.calls[1::2]] == [seeds[2], seeds[0]]


def test_rules_can_change_without_a_recording_being_done_again(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    recordings = bench.three()
    bench.run(recordings)

    def all_invented(raw: list[RawSegment], *args: object, **options: object) -> list[str]:
        return ["no_speech"] * len(raw)

    monkeypatch.setattr("sensemaking.asr.transcripts.flags", all_invented)
    assert {result.status for result in bench.run(recordings)} == {"no_speech"}
    assert len(bench.engine.calls) == 3


def test_what_is_left_out_or_doubtful_is_logged(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    invented = said(" Thanks for watching!", 0.5, 0.9, logprob=-1.4, silence=0.97)
    bench.engine = StubEngine(lambda samples, decoding: [said(" So it is."), invented])
    with caplog.at_level(logging.INFO, logger="sensemaking"):
        bench.run(bench.three())
    assert "kind/a: segment 1 (0.5 to 0.9 s) no_speech: 'Thanks for watching!'" in caplog.text
    assert "3 of 3: kind/c: ok" in caplog.text


def test_the_bar_shows_the_time_left_and_reaches_the_end(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("FORCE_COLOR", "1")
    transcribe_chapter(
        bench.three(),
        "en",
        PLAIN,
        Journal(bench.folder / "j"),
        load=bench.load,
        identity=bench.identity,
        show_progress=True,
    )
    shown = capsys.readouterr()
    assert "100 %" in shown.err
    assert "left" in shown.err
    assert shown.out == ""


def test_the_key_of_a_record_holds_every_option() -> None:
    options = AsrSettings().options()
    fields = set(AsrSettings.__dataclass_fields__) - {"engine"}
    assert set(options) == fields
    assert transcribe.AsrSettings(seed=1).options() != options
