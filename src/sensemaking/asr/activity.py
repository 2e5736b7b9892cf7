"""Where in a recording somebody speaks, by the Silero voice activity detector."""

import numpy as np
from faster_whisper.vad import get_speech_timestamps
from numpy.typing import NDArray

from sensemaking.asr.audio import SAMPLE_RATE

Span = tuple[float, float]
"""Start and end in seconds."""


def speech(samples: NDArray[np.float32]) -> list[Span]:
    """Return the stretches of a recording in which somebody speaks, in order.

    The detector and its weights come with faster-whisper, which pads each stretch by 0.4 s. It
    runs on one thread, so its result does not depend on the number of cores.

    Args:
        samples: Shape (n,), float32, 16,000 samples a second.
    """
    if not len(samples) or not np.any(samples):
        return []
    return [
        (span["start"] / SAMPLE_RATE, span["end"] / SAMPLE_RATE)
        for span in get_speech_timestamps(samples)
    ]
