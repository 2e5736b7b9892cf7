from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from sensemaking.asr.engines import Decoding, Detection, EngineSettings, identity, load
from sensemaking.asr.faster_whisper_engine import FasterWhisper
from sensemaking.asr.openai_whisper_engine import OpenaiWhisper
from sensemaking.asr.weights import ModelError

SAMPLES = np.zeros(16_000 * 6, np.float32)
SENTENCES = ["Перше речення.", "Друге речення."]


def segment(text: str, start: float) -> SimpleNamespace:
    return SimpleNamespace(
        start=start, end=start + 2, text=text, avg_logprob=-0.3, no_speech_prob=0.1, seek=3000
    )


class LazyModel:
    """Gives a generator, as faster-whisper does: it can be read once."""

    supported_languages = ("cs", "uk")

    def __init__(self, fails_at: int | None = None) -> None:
        self.options: dict[str, Any] = {}
        self._fails_at = fails_at

    def transcribe(self, audio: Any, **options: Any) -> tuple[Iterator[Any], Any]:
        self.options = options

        def read() -> Iterator[Any]:
            for number, text in enumerate(SENTENCES):
                if number == self._fails_at:
                    raise RuntimeError("out of memory")
                yield segment(text, 2.0 * number)

        return read(), SimpleNamespace(language=options["language"])

    def detect_language(self, audio: Any, **options: Any) -> tuple[str, float, Any]:
        return "ru", 0.52, []


def test_lazy_segments_are_all_there_and_read_once() -> None:
    done: list[float] = []
    got = FasterWhisper(LazyModel).transcribe(SAMPLES, "uk", Decoding(), done.append)
    assert [s.text for s in got] == SENTENCES
    assert [s.window_s for s in got] == [30.0, 30.0]
    assert done == [2.0, 4.0]


def test_an_error_while_segments_are_read_is_not_swallowed() -> None:
    engine = FasterWhisper(lambda: LazyModel(fails_at=1))
    with pytest.raises(RuntimeError, match="out of memory"):
        engine.transcribe(SAMPLES, "uk", Decoding(), lambda seconds: None)


def test_faster_whisper_is_told_the_language_and_to_transcribe() -> None:
    model = LazyModel()
    engine = FasterWhisper(lambda: model)
    engine.transcribe(SAMPLES, "uk", Decoding(beam_size=3), lambda seconds: None)
    assert model.options["language"] == "uk"
    assert model.options["task"] == "transcribe"
    assert model.options["beam_size"] == 3
    assert model.options["condition_on_previous_text"] is False
    assert model.options["no_speech_threshold"] is None


def test_faster_whisper_stores_what_it_hears_and_does_not_use_it() -> None:
    engine = FasterWhisper(LazyModel)
    assert engine.detect(SAMPLES) == Detection("ru", 0.52)
    assert engine.languages == {"cs", "uk"}


def test_faster_whisper_loads_anew_only_where_words_are_drawn() -> None:
    loaded: list[LazyModel] = []

    def make() -> LazyModel:
        loaded.append(LazyModel())
        return loaded[-1]

    engine = FasterWhisper(make)
    engine.transcribe(SAMPLES, "uk", Decoding(), lambda seconds: None)
    assert len(loaded) == 1
    for _ in range(2):
        engine.transcribe(SAMPLES, "uk", Decoding(temperatures=(0.2, 0.4)), lambda seconds: None)
    assert len(loaded) == 3
    assert loaded[-1].options["temperature"] == (0.2, 0.4)


class EagerModel:
    """What is used of a model of openai-whisper."""

    is_multilingual = True
    num_languages = 99
    device = SimpleNamespace(type="cpu")

    def __init__(self) -> None:
        self.options: dict[str, Any] = {}

    def transcribe(self, audio: Any, **options: Any) -> dict[str, Any]:
        self.options = options
        rows = [vars(segment(text, 2.0 * n)) for n, text in enumerate([*SENTENCES, ""])]
        return {"segments": rows, "text": "", "language": options["language"]}


def test_openai_whisper_is_told_the_language_and_to_transcribe() -> None:
    model = EagerModel()
    got = OpenaiWhisper(model).transcribe(SAMPLES, "uk", Decoding(), lambda seconds: None)
    assert [s.text for s in got] == SENTENCES
    assert model.options["language"] == "uk"
    assert model.options["task"] == "transcribe"
    assert model.options["beam_size"] is None
    assert model.options["condition_on_previous_text"] is False
    assert model.options["no_speech_threshold"] is None
    assert model.options["fp16"] is False


def test_a_model_of_english_alone_says_so_and_hears_nothing_else() -> None:
    model = EagerModel()
    model.is_multilingual = False
    engine = OpenaiWhisper(model)
    assert engine.languages == {"en"}
    assert engine.detect(SAMPLES) is None
    assert {"cs", "de", "en", "uk"} < OpenaiWhisper(EagerModel()).languages


def test_an_unknown_engine_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match="known: faster-whisper, openai-whisper"):
        EngineSettings(engine="whisper.cpp")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="threads must be 1 or more"):
        EngineSettings(threads=0)


@pytest.mark.parametrize("engine", ["faster-whisper", "openai-whisper"])
def test_an_unknown_model_is_refused_with_the_known_ones(engine: Any) -> None:
    for ask in (identity, load):
        with pytest.raises(ModelError, match=r"no speech model 'huge'.*turbo"):
            ask(EngineSettings(engine=engine, model="huge"))


def test_a_folder_without_weights_is_refused(tmp_path: Any) -> None:
    with pytest.raises(ModelError, match=r"holds no model\.bin"):
        load(EngineSettings(model=str(tmp_path)))
