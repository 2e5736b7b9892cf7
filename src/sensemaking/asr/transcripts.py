"""What a recording became: its segments, its text, and how far they can be trusted.

Pure: from what an engine gave (the record that the journal keeps) to rows of artifacts. The rules
can change without any recording being transcribed again.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from sensemaking.asr.audio import AudioWarning, FailureCode
from sensemaking.asr.engines import Detection, RawSegment
from sensemaking.asr.flags import (
    WHISPER_THRESHOLDS,
    Flag,
    Span,
    Thresholds,
    compression_ratio,
    flags,
    is_wrong_language,
    overlap,
)

Status = Literal["ok", "no_speech"] | FailureCode

_UNHEARD_S = 5.0
_UNHEARD = 0.1
"""Speech without text that is worth a warning: this many seconds and this share of all speech."""


@dataclass(frozen=True)
class Record:
    """What is kept of a recording that was transcribed: all that took long to find out.

    Attributes:
        decoded_s: Length of what could be decoded, in seconds.
        declared_s: Length that the file states; None if it states none.
        speech: Stretches in which somebody speaks, in seconds; None if that was not asked.
        detected: The language that the model heard; None if it was not asked.
        segments: The segments, in order; those of windows that were tried again replaced.
        n_retried: Windows that were decoded again since their text ran in a loop.
        warnings: What was found while decoding the file.
        seconds: How long it all took.
    """

    decoded_s: float
    declared_s: float | None
    speech: tuple[Span, ...] | None
    detected: Detection | None
    segments: tuple[RawSegment, ...]
    n_retried: int
    warnings: tuple[AudioWarning, ...]
    seconds: float

    def plain(self) -> dict[str, Any]:
        """Return it as JSON knows it; a figure that is not finite becomes null."""
        plain = asdict(self)
        for segment in plain["segments"]:
            for name in ("avg_logprob", "no_speech_prob"):
                segment[name] = segment[name] if math.isfinite(segment[name]) else None
        return plain

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> "Record":
        """Return the record that ``plain`` gave."""
        return cls(
            decoded_s=plain["decoded_s"],
            declared_s=plain["declared_s"],
            speech=None if plain["speech"] is None else tuple((a, b) for a, b in plain["speech"]),
            detected=None if plain["detected"] is None else Detection(**plain["detected"]),
            segments=tuple(_segment(segment) for segment in plain["segments"]),
            n_retried=plain["n_retried"],
            warnings=tuple(AudioWarning(**warning) for warning in plain["warnings"]),
            seconds=plain["seconds"],
        )


@dataclass(frozen=True)
class Segment:
    """A row of ``materials/segments``.

    Attributes:
        section_id: The section.
        segment: Its number, from 0.
        start_s: Its start in seconds, not beyond the end of the recording.
        end_s: Its end, likewise.
        text: Its words, without white space around them.
        avg_logprob: Mean log-probability of its tokens; None if the model gave no figure.
        no_speech_prob: Probability that nobody speaks in its window; likewise.
        compression_ratio: Of its text alone, by the definition of openai-whisper.
        flag: What is wrong with it; None if nothing is. One with ``no_speech`` is not in the text.
    """

    section_id: str
    segment: int
    start_s: float
    end_s: float
    text: str
    avg_logprob: float | None
    no_speech_prob: float | None
    compression_ratio: float
    flag: Flag | None

    def row(self) -> dict[str, Any]:
        """Return it as a row of the artifact."""
        return asdict(self)


@dataclass(frozen=True)
class Transcript:
    """What a recording became.

    Attributes:
        section_id: The section.
        status: ``ok``, or why there is no text.
        reason: The same in words; None if ok.
        text: The text, segments joined by one space; None if there is none, never empty.
        language: The language that the engine was told, ISO 639 code.
        detected_language: The language that the model heard; None if it was not asked.
        detected_probability: Its probability.
        declared_s: Length in seconds that the file states; None if it states none.
        decoded_s: Length that could be decoded; None if nothing could.
        speech_s: Seconds in which somebody speaks; None if that is not known.
        n_segments: Segments in the text.
        n_dropped: Segments left out: nobody said them.
        n_flagged: Segments in the text that are to be looked at.
        n_retried: Windows that were decoded again since their text ran in a loop.
        segments: All segments, those left out too.
        warnings: What is doubtful about the file or the text as a whole.
        seconds: How long it took; None if nothing was done. Not for artifacts, but for timings.
    """

    section_id: str
    status: Status
    reason: str | None
    text: str | None
    language: str
    detected_language: str | None = None
    detected_probability: float | None = None
    declared_s: float | None = None
    decoded_s: float | None = None
    speech_s: float | None = None
    n_segments: int = 0
    n_dropped: int = 0
    n_flagged: int = 0
    n_retried: int = 0
    segments: tuple[Segment, ...] = ()
    warnings: tuple[AudioWarning, ...] = ()
    seconds: float | None = None

    def row(self) -> dict[str, Any]:
        """Return it as a row of ``materials/transcripts``, without segments and seconds."""
        row = {name: getattr(self, name) for name in self.__dataclass_fields__}
        del row["segments"], row["seconds"]
        row["warnings"] = [warning.code for warning in self.warnings]
        return row


def failure(section_id: str, language: str, code: FailureCode, reason: str) -> Transcript:
    """Return the transcript of a file that cannot be used."""
    return Transcript(section_id, code, reason, None, language)


def transcript(
    section_id: str,
    language: str,
    record: Record,
    thresholds: Thresholds = WHISPER_THRESHOLDS,
) -> Transcript:
    """Return what a recording became, by the rules of ``flags``.

    Args:
        section_id: The section.
        language: The language that the engine was told.
        record: What it gave.
        thresholds: The figures of the rules.
    """
    raw = [segment for segment in record.segments if segment.text.strip()]
    found = flags(
        raw, language, duration_s=record.decoded_s, speech=record.speech, thresholds=thresholds
    )
    segments = tuple(
        _row(section_id, number, segment, flag, record.decoded_s)
        for number, (segment, flag) in enumerate(zip(raw, found, strict=True))
    )
    kept = [segment for segment in segments if segment.flag != "no_speech"]
    text = " ".join(segment.text for segment in kept)
    detected = record.detected
    return Transcript(
        section_id=section_id,
        status="ok" if text else "no_speech",
        reason=None if text else _no_speech(record, len(segments)),
        text=text or None,
        language=language,
        detected_language=None if detected is None else detected.language,
        detected_probability=None if detected is None else detected.probability,
        declared_s=record.declared_s,
        decoded_s=record.decoded_s,
        speech_s=None if record.speech is None else sum(b - a for a, b in record.speech),
        n_segments=len(kept),
        n_dropped=len(segments) - len(kept),
        n_flagged=sum(segment.flag is not None for segment in kept),
        n_retried=record.n_retried,
        segments=segments,
        warnings=(*record.warnings, *_warnings(language, record, kept, text)),
        seconds=record.seconds,
    )


def _segment(plain: Mapping[str, Any]) -> RawSegment:
    figures = {
        name: math.nan if plain[name] is None else plain[name]
        for name in ("avg_logprob", "no_speech_prob")
    }
    return RawSegment(**{**plain, **figures})


def _row(
    section_id: str, number: int, segment: RawSegment, flag: Flag | None, duration_s: float
) -> Segment:
    start = min(max(segment.start_s, 0.0), duration_s)
    silence = segment.no_speech_prob
    return Segment(
        section_id=section_id,
        segment=number,
        start_s=start,
        end_s=min(max(segment.end_s, start), duration_s),
        text=segment.text.strip(),
        avg_logprob=segment.avg_logprob if math.isfinite(segment.avg_logprob) else None,
        # Rounding can take a probability of a model beyond 1.
        no_speech_prob=min(1.0, max(0.0, silence)) if math.isfinite(silence) else None,
        compression_ratio=compression_ratio(segment.text),
        flag=flag,
    )


def _no_speech(record: Record, n_dropped: int) -> str:
    heard = "no voice is found in" if record.speech == () else "nothing is said in"
    invented = f"; segments left out as invented: {n_dropped}" if n_dropped else ""
    return f"no speech: {heard} {record.decoded_s:.1f} s{invented}"


def _warnings(
    language: str, record: Record, kept: Sequence[Segment], text: str
) -> list[AudioWarning]:
    result = []
    detected = record.detected
    if detected is not None and detected.language != language and text:
        result.append(
            AudioWarning(
                "language_disagrees",
                f"the model heard {detected.language} (probability {detected.probability:.2f}), "
                f"but was told {language}, the language of the configuration",
            )
        )
    if is_wrong_language(text, language):
        result.append(
            AudioWarning(
                "text_in_wrong_language",
                f"the text is surely not in {language}; it would not be translated rightly",
            )
        )
    if record.speech and text:
        spans = [(segment.start_s, segment.end_s) for segment in kept]
        total = sum(end - start for start, end in record.speech)
        unheard = total - sum(overlap(span, _merged(spans)) for span in record.speech)
        if unheard >= _UNHEARD_S and unheard >= _UNHEARD * total:
            result.append(
                AudioWarning(
                    "speech_without_text",
                    f"{unheard:.1f} s of {total:.1f} s of speech have no text",
                )
            )
    return result


def _merged(spans: Sequence[Span]) -> list[Span]:
    result: list[Span] = []
    for start, end in sorted(spans):
        if result and start <= result[-1][1]:
            result[-1] = (result[-1][0], max(end, result[-1][1]))
        else:
            result.append((start, end))
    return result
