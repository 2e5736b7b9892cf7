"""Transcribes the recordings of a chapter with one model, and never does one twice."""

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sensemaking.asr import engines
from sensemaking.asr.activity import speech
from sensemaking.asr.audio import SAMPLE_RATE, RecordingError, decode
from sensemaking.asr.engines import Decoding, Engine, EngineSettings, RawSegment
from sensemaking.asr.flags import Span, Thresholds, flags
from sensemaking.asr.journal import Journal
from sensemaking.asr.transcripts import Record, Transcript, failure, transcript
from sensemaking.io.files import sha256_of
from sensemaking.progress import progress_bar
from sensemaking.seeds import generator

_LOG = logging.getLogger(__name__)
_LEAST_RETRY_S = 0.5
"""A window shorter than this is not worth decoding again."""


@dataclass(frozen=True)
class AsrSettings:
    """All that decides what a recording becomes.

    Attributes:
        engine: The engine and its model.
        beam_size: Beams at temperature 0; 1 is greedy.
        condition_on_previous_text: Whether the text so far is given to the model as context.
        retry_temperatures: Tried in order where a window's text runs in a loop; without context.
            Empty to try nothing again.
        voice_activity: Whether to ask a voice activity detector. A recording in which it finds
            no voice is not given to the model.
        thresholds: The figures of the rules for silence and loops.
        seed: Seed of the draws at temperatures above 0.
    """

    engine: EngineSettings = field(default_factory=EngineSettings)
    beam_size: int = 1
    condition_on_previous_text: bool = False
    retry_temperatures: tuple[float, ...] = (0.2, 0.4, 0.6, 0.8, 1.0)
    voice_activity: bool = True
    thresholds: Thresholds = field(default_factory=Thresholds)
    seed: int = 0

    def options(self) -> dict[str, Any]:
        """Return what of the settings, apart from the model, can change a record."""
        options = asdict(self)
        del options["engine"]
        return options


@dataclass(frozen=True)
class _Task:
    """A recording that is still to be transcribed."""

    section_id: str
    path: Path
    key: Mapping[str, Any]


def transcribe_chapter(
    recordings: Mapping[str, Path],
    language: str,
    settings: AsrSettings,
    journal: Journal,
    *,
    load: Callable[[EngineSettings], Engine] = engines.load,
    identity: Callable[[EngineSettings], Mapping[str, str]] = engines.identity,
    show_progress: bool = True,
) -> list[Transcript]:
    """Transcribe the recordings of a chapter.

    The model is loaded once, and only when a recording that can be decoded needs it. What is
    finished is kept in the journal at once and found there the next time. A file that cannot be
    used becomes a transcript with a status and a reason; an error of the model ends the job.

    Args:
        recordings: section_id to file.
        language: The language that is spoken, ISO 639 code. It is told to the model and never
            detected in its place.
        settings: The engine and its options.
        journal: Where finished recordings are kept.
        load: Loads the engine.
        identity: Tells what of the engine can change a transcript.
        show_progress: Whether to draw a bar with the time left on standard error.

    Returns:
        A transcript for each recording, in the order given.

    Raises:
        ModelError: There is no such model.
        ValueError: The model does not know the language.
    """
    about = dict(identity(settings.engine)) if recordings else {}
    done: dict[str, Transcript] = {}
    tasks: list[_Task] = []
    for section_id, path in recordings.items():
        try:
            content = sha256_of(path)
        except OSError as error:
            reason = f"{path.name}: cannot be read: {error.strerror}"
            done[section_id] = failure(section_id, language, "unreadable_file", reason)
            continue
        key = {
            "content": content,
            "language": language,
            "engine": about,
            "options": settings.options(),
        }
        record = journal.get(key)
        if record is None:
            tasks.append(_Task(section_id, path, key))
        else:
            found = Record.of(record)
            done[section_id] = transcript(section_id, language, found, settings.thresholds)
    _LOG.info("%d recordings, %d of them finished before", len(recordings), len(done))

    loaded: list[Engine] = []

    def engine() -> Engine:
        if not loaded:
            loaded.append(load(settings.engine))
            _check_language(loaded[0], language, settings.engine.model)
        return loaded[0]

    sizes = [task.path.stat().st_size for task in tasks]
    with progress_bar("transcribing", sum(sizes), show_progress) as advance:
        for number, (task, size) in enumerate(zip(tasks, sizes, strict=True)):
            before = sum(sizes[:number])

            def on_progress(share: float, before: int = before, size: int = size) -> None:
                advance(before + share * size, "")

            advance(before, f"{number + 1}/{len(tasks)} {task.section_id.rpartition('/')[2]}")
            try:
                record_of = transcribe_file(task.path, language, settings, engine, on_progress)
            except RecordingError as error:
                done[task.section_id] = failure(task.section_id, language, error.code, str(error))
                _LOG.warning("%s: %s", task.section_id, error)
                continue
            journal.put(task.key, record_of.plain())
            result = transcript(task.section_id, language, record_of, settings.thresholds)
            done[task.section_id] = result
            _log(result, number + 1, len(tasks))
        advance(sum(sizes), "")
    return [done[section_id] for section_id in recordings]


def transcribe_file(
    path: Path,
    language: str,
    settings: AsrSettings,
    engine: Callable[[], Engine],
    on_progress: Callable[[float], None] = lambda share: None,
) -> Record:
    """Transcribe one recording.

    Args:
        path: The file.
        language: The language that is spoken, ISO 639 code.
        settings: The options; the engine's are not read.
        engine: Gives the loaded model; called only once the file has been decoded.
        on_progress: Called with the part that is done, 0 to 1.

    Raises:
        RecordingError: The file cannot be used.
    """
    begin = time.perf_counter()
    audio = decode(path)
    spans = tuple(speech(audio.samples)) if settings.voice_activity else None
    if spans is None and not _has_signal(audio.samples):
        # On silence models write what is often said, and how sure they are differs by processor.
        spans = ()
    segments: list[RawSegment] = []
    detected = None
    n_retried = 0
    if spans is None or spans:
        model = engine()
        detected = model.detect(audio.samples)
        decoding = Decoding(
            beam_size=settings.beam_size,
            condition_on_previous_text=settings.condition_on_previous_text,
            compression_ratio_threshold=settings.thresholds.compression_ratio,
            logprob_threshold=settings.thresholds.logprob,
        )
        total = max(audio.decoded_s, 1e-9)
        segments = model.transcribe(
            audio.samples, language, decoding, lambda seconds: on_progress(seconds / total)
        )
        if settings.retry_temperatures:
            draws = generator(settings.seed, "asr-retry", sha256_of(path))
            again = replace(
                decoding,
                temperatures=settings.retry_temperatures,
                condition_on_previous_text=False,
                seed=int(draws.integers(2**31)),
            )
            segments, n_retried = _retry(
                model, audio.samples, language, segments, spans, again, settings.thresholds
            )
    return Record(
        decoded_s=audio.decoded_s,
        declared_s=audio.declared_s,
        speech=spans,
        detected=detected,
        segments=tuple(segments),
        n_retried=n_retried,
        warnings=audio.warnings,
        seconds=time.perf_counter() - begin,
    )


def _has_signal(samples: NDArray[np.float32]) -> bool:
    """Return whether any sample differs from silence by a step of 16 bits."""
    return bool(len(samples)) and float(np.abs(samples).max()) >= 1 / 32768


def _retry(
    model: Engine,
    samples: NDArray[np.float32],
    language: str,
    segments: list[RawSegment],
    spans: tuple[Span, ...] | None,
    decoding: Decoding,
    thresholds: Thresholds,
) -> tuple[list[RawSegment], int]:
    """Decode windows again whose text runs in a loop; keep what is better.

    Returns:
        The segments, and how many windows were decoded again.
    """
    duration = len(samples) / SAMPLE_RATE
    found = flags(segments, language, duration_s=duration, speech=spans, thresholds=thresholds)
    looping = sorted(
        {s.window_s for s, flag in zip(segments, found, strict=True) if flag == "repetition"}
    )
    starts = sorted({segment.window_s for segment in segments})
    n_retried = 0
    for start in looping:
        end = min([window for window in starts if window > start] + [duration])
        if end - start < _LEAST_RETRY_S:
            continue
        part = samples[round(start * SAMPLE_RATE) : round(end * SAMPLE_RATE)]
        fresh = [
            replace(
                segment,
                start_s=segment.start_s + start,
                end_s=segment.end_s + start,
                window_s=segment.window_s + start,
            )
            for segment in model.transcribe(part, language, decoding, lambda seconds: None)
        ]
        n_retried += 1
        if "repetition" in flags(fresh, language, duration_s=end, thresholds=thresholds):
            continue
        segments = sorted(
            [segment for segment in segments if segment.window_s != start] + fresh,
            key=lambda segment: (segment.start_s, segment.end_s),
        )
    return segments, n_retried


def _check_language(engine: Engine, language: str, model: str) -> None:
    if language not in engine.languages:
        known = ", ".join(sorted(engine.languages))
        raise ValueError(
            f"the speech model {model!r} does not know the language {language!r}; it knows: {known}"
        )


def _log(result: Transcript, number: int, total: int) -> None:
    _LOG.info(
        "%d of %d: %s: %s, %.0f s of sound in %.1f s",
        number,
        total,
        result.section_id,
        result.status,
        result.decoded_s or 0.0,
        result.seconds or 0.0,
    )
    for segment in result.segments:
        if segment.flag is not None:
            _LOG.info(
                "%s: segment %d (%.1f to %.1f s) %s: %r",
                result.section_id,
                segment.segment,
                segment.start_s,
                segment.end_s,
                segment.flag,
                segment.text[:80],
            )
    for warning in result.warnings:
        _LOG.warning("%s: %s: %s", result.section_id, warning.code, warning.message)
