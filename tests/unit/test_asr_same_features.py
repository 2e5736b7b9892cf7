"""What numpy makes of a recording does not hang on the number of its threads."""

from typing import Any

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from sensemaking.asr.engines import Decoding
from sensemaking.asr.faster_whisper_engine import FasterWhisper

SILENCE = np.zeros(16_000, np.float32)


class Model:
    """Remembers how many threads numpy had while it was asked."""

    supported_languages = ("de", "en")

    def __init__(self) -> None:
        self.threads: list[int] = []

    def _note(self) -> None:
        blas = [found for found in threadpool_info() if found["user_api"] == "blas"]
        self.threads.append(max(found["num_threads"] for found in blas))

    def transcribe(self, audio: Any, **options: Any) -> tuple[list[Any], None]:
        self._note()
        return [], None

    def detect_language(self, audio: Any, **options: Any) -> tuple[str, float, None]:
        self._note()
        return "en", 0.9, None


@pytest.mark.parametrize("threads", [1, 2])
def test_the_spectrogram_is_made_by_one_thread_whatever_numpy_was_told(threads: int) -> None:
    model = Model()
    engine = FasterWhisper(lambda: model)  # type: ignore[arg-type,return-value]
    with threadpool_limits(limits=threads, user_api="blas"):
        engine.transcribe(SILENCE, "en", Decoding(), lambda seconds: None)
        engine.detect(SILENCE)
        assert model.threads == [1, 1]
        model._note()
        assert model.threads[-1] == threads
