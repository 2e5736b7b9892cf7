"""Which segments of a transcript are invented, run in a loop, or are in the wrong language.

Pure rules, the same for every engine. A speech model that hears nothing still writes something,
and a single rule does not find it: what Whisper base writes on 10 s of zeros has a no-speech
probability of 0.74, but often a log-probability as good as that of real speech. So voice activity
is asked as well. There is no list of phrases: people do say "thank you".
"""

import math
import zlib
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, Protocol

from py3langid.langid import MODEL_FILE, LanguageIdentifier

from sensemaking.text.words import normalise, words

Flag = Literal["no_speech", "repetition", "wrong_language"]
"""What is wrong with a segment: it is left out of the text, or is to be looked at by a person."""

Span = tuple[float, float]

_RUN_REPEATS = 6
"""Repeats from which on words said again and again are a loop, if their ratio says so too."""
_LONGEST_PERIOD = 24
"""Words of the longest phrase that is looked for again and again."""
_REACH_S = 0.3
"""How far a segment's times may be off when it is held against voice activity."""
_LEAST_WORDS = 4
"""Words below which the language of a text is not judged."""
_SURE = 0.9
"""Probability from which on the language of a text counts as known."""
_CONFUSABLE = frozenset({"cs", "de", "en", "pl", "ru", "sk", "uk"})
"""Languages that a text is held against, with its own: those of the materials, and those that
speech models take them for. Fewer candidates make short texts sure."""


@dataclass(frozen=True)
class Thresholds:
    """The figures of the rules; the defaults are those of openai-whisper.

    Attributes:
        no_speech: Probability of no speech above which a segment can be invented.
        logprob: Mean log-probability below which it then is.
        compression_ratio: Ratio above which a text is too repetitive to be said.
    """

    no_speech: float = 0.6
    logprob: float = -1.0
    compression_ratio: float = 2.4


WHISPER_THRESHOLDS = Thresholds()
"""The figures of openai-whisper."""


class Spoken(Protocol):
    """A segment, as far as the rules look at it."""

    @property
    def start_s(self) -> float:
        """Its start in seconds."""

    @property
    def end_s(self) -> float:
        """Its end in seconds."""

    @property
    def text(self) -> str:
        """Its words."""

    @property
    def avg_logprob(self) -> float:
        """Mean log-probability of its tokens."""

    @property
    def no_speech_prob(self) -> float:
        """Probability that nobody speaks."""


def flags(
    segments: Sequence[Spoken],
    language: str,
    *,
    duration_s: float = math.inf,
    speech: Sequence[Span] | None = None,
    thresholds: Thresholds = WHISPER_THRESHOLDS,
) -> list[Flag | None]:
    """Return what is wrong with each segment; of several things the first of ``Flag``.

    Args:
        segments: The segments of a recording in order.
        language: Code of the language that is spoken.
        duration_s: Length of the recording in seconds.
        speech: The stretches in which somebody speaks, in seconds; None if that is not known.
        thresholds: The figures of the rules.
    """
    loops = repeated(segments, thresholds)
    result: list[Flag | None] = []
    for index, segment in enumerate(segments):
        if is_invented(segment, index in loops, duration_s, speech, thresholds):
            result.append("no_speech")
        elif index in loops:
            result.append("repetition")
        elif is_wrong_language(segment.text, language):
            result.append("wrong_language")
        else:
            result.append(None)
    return result


def is_invented(
    segment: Spoken,
    in_loop: bool,
    duration_s: float = math.inf,
    speech: Sequence[Span] | None = None,
    thresholds: Thresholds = WHISPER_THRESHOLDS,
) -> bool:
    """Tell whether nobody said what a segment says.

    So it is if it has no words ("...", "♪"); if it begins after the recording has ended; if no
    speech is likely and its words are unlikely (the rule of openai-whisper); or if no voice is
    found in it and one of these holds: no speech is likely, its words are unlikely, it runs in a
    loop.

    Args:
        segment: The segment.
        in_loop: Whether it is one of those that ``repeated`` finds.
        duration_s: Length of the recording in seconds.
        speech: The stretches in which somebody speaks; None if that is not known.
        thresholds: The figures of the rules.
    """
    if segment.start_s >= duration_s or not words(segment.text):
        return True
    silent = segment.no_speech_prob > thresholds.no_speech
    unlikely = segment.avg_logprob < thresholds.logprob
    if silent and unlikely:
        return True
    if speech is None or not (silent or unlikely or in_loop):
        return False
    return overlap((segment.start_s - _REACH_S, segment.end_s + _REACH_S), speech) == 0


def overlap(span: Span, others: Sequence[Span]) -> float:
    """Return for how many seconds a stretch coincides with others that do not overlap."""
    return sum(max(0.0, min(span[1], end) - max(span[0], start)) for start, end in others)


def compression_ratio(text: str) -> float:
    """Return the length of a text in UTF-8 over that of the text compressed by zlib.

    The definition of openai-whisper. A loop compresses well: below 1.7 is usual, above 2.4 is not
    speech. It says nothing on a whole transcript, which always compresses well.
    """
    return _ratio(text.encode("utf-8"))


def _ratio(data: bytes) -> float:
    return len(data) / len(zlib.compress(data))


def _is_too_regular(text: str, limit: float) -> bool:
    """Tell whether a text compresses too well, also when each character takes one byte.

    In UTF-8 a Cyrillic letter takes two bytes, of which one is almost always the same: 60 words
    of plain Ukrainian prose can reach 2.8 that way, but stay below 2.2 with one byte each.
    """
    if compression_ratio(text) <= limit:
        return False
    codes: dict[str, int] = {}
    return _ratio(bytes(codes.setdefault(c, len(codes)) % 256 for c in text)) > limit


def repeated(
    segments: Sequence[Spoken],
    thresholds: Thresholds = WHISPER_THRESHOLDS,
) -> set[int]:
    """Return the indices of segments that run in a loop.

    Held against the threshold are each segment's text; the longest stretch in it that says the
    same words at least six times, so that a sentence before the loop does not hide it; and
    consecutive segments, up to three of them in turn, that together say the same at least six
    times. What a speaker really repeats stays below: "Děkuji. Děkuji. Děkuji." has 1.35.
    """
    limit = thresholds.compression_ratio
    found = {
        index
        for index, segment in enumerate(segments)
        if _is_too_regular(segment.text, limit) or _is_too_regular(_loop(segment.text), limit)
    }
    spoken = [" ".join(_units(segment.text)) for segment in segments]
    for start, end in _stretches(spoken, longest=3):
        text = "".join(segment.text for segment in segments[start:end])
        if spoken[start] and _is_too_regular(text, limit):
            found.update(range(start, end))
    return found


def is_wrong_language(text: str, language: str) -> bool:
    """Tell whether a text is surely in another language than it should be.

    By py3langid, among the language itself and those that are confused with it. A text of fewer
    than four words, or one in a language that py3langid does not know, is not judged.

    Args:
        text: A segment, or a whole transcript.
        language: Code of the language it should be in.
    """
    if len(words(text)) < _LEAST_WORDS:
        return False
    identifier = _identifier(language)
    if identifier is None:
        return False
    found, probability = identifier.classify(text)
    return bool(found != language and probability >= _SURE)


@lru_cache
def _all_languages() -> LanguageIdentifier:
    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


@lru_cache
def _identifier(language: str) -> LanguageIdentifier | None:
    identifier = copy(_all_languages())  # Shares the model, which takes seconds to read.
    if language not in identifier.labels:
        return None
    identifier.set_languages(sorted(_CONFUSABLE | {language}))
    return identifier


def _units(text: str) -> list[str]:
    return [normalise(word) for word in words(text)]


def _loop(text: str) -> str:
    """Return the longest stretch of a text that says the same again and again, or nothing."""
    units = _units(text)
    longest = max(_stretches(units, _LONGEST_PERIOD), key=lambda s: s[1] - s[0], default=(0, 0))
    return " ".join(units[longest[0] : longest[1]])


def _stretches(units: Sequence[str], longest: int) -> list[tuple[int, int]]:
    """Return where units repeat at least six times: start and end.

    A stretch of period p is a run of places whose unit is that p places before.
    """
    result: list[tuple[int, int]] = []
    for period in range(1, longest + 1):
        run = 0
        for index in range(period, len(units) + 1):
            if index < len(units) and units[index] == units[index - period]:
                run += 1
                continue
            if run >= period * (_RUN_REPEATS - 1):
                result.append((index - run - period, index))
            run = 0
    return result
