"""Tables x2 and x3: how good recognised and translated texts are."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from sensemaking.metrics.asr import CER, WER
from sensemaking.metrics.mt import BLEU, CHRF, corpus_quality
from sensemaking.mt.units import QualityPair
from sensemaking.scoring.estimates import ALL, Settings
from sensemaking.scoring.mt import pooled_quality
from sensemaking.scoring.pooled import Pooled, pooled, ratio
from sensemaking.seeds import generator
from sensemaking.statuses import OK
from sensemaking.tables.catalogue import Entry
from sensemaking.tables.table import Cell, Header, Table

NOT_TRANSCRIBED = "no recording was transcribed"
NOT_MEASURED = "no transcript with a reference"
NO_PAIR = "no translation with a reference"

_PERCENT = 100.0
_SUFFIXES = {"reference.txt": "", "text.txt": " against text.txt"}
"""File that transcripts are measured against to what a column's label adds."""
_SHARES = {"n_flagged": "Doubtful segments", "n_dropped": "Segments left out"}
_UNITS = {"text": "texts", "question": "questions"}


class ShownKind(NamedTuple):
    """A kind as a row of a table."""

    kind: str
    label: str


def asr_table(
    entry: Entry,
    scores: pd.DataFrame,
    transcripts: pd.DataFrame,
    kinds: Sequence[ShownKind],
    references: Sequence[str],
    settings: Settings,
) -> Table:
    """Return table x2: error rates of speech recognition, and segments that are not to be trusted.

    Args:
        entry: The table's entry in the catalogue.
        scores: Rows of ``scores/asr``.
        transcripts: Rows of ``materials/transcripts``.
        kinds: The kinds in order.
        references: Files that transcripts are measured against, in order.
        settings: Seed and draws of the intervals.
    """
    scores = scores.assign(kind=_kinds(scores))
    transcripts = transcripts.assign(kind=_kinds(transcripts))
    columns = [
        (Header(f"{metric.name}/{file}", f"{metric.label}{_SUFFIXES[file]}"), metric.name, file)
        for file in references
        for metric in (WER, CER)
    ]
    cells: dict[tuple[str, str], Cell] = {}
    for kind in (*kinds, ShownKind(ALL, "")):
        own = transcripts if kind.kind == ALL else transcripts[transcripts["kind"] == kind.kind]
        measured = scores if kind.kind == ALL else scores[scores["kind"] == kind.kind]
        for header, metric, file in columns:
            part = measured[(measured["metric"] == metric) & (measured["reference"] == file)]
            rng = generator(settings.seed, f"interval of {header.id}", kind.kind)
            there = part[part["value"].notna()]
            found = pooled(
                there[["n_errors", "n_reference"]].to_numpy(dtype=float).tolist(),
                list(there["section_id"]),
                ratio,
                rng,
                draws=settings.draws,
                n_missing=len(part) - len(there),
            )
            cells[kind.kind, header.id] = _cell(
                found, _PERCENT, NOT_MEASURED, list(there["value"].astype(float))
            )
        for column in _SHARES:
            rng = generator(settings.seed, f"interval of {column}", kind.kind)
            cells[kind.kind, column] = _share(own, column, rng, settings.draws)
    return Table(
        id=entry.id,
        title=entry.title,
        statistic="percent, pooled over the recordings",
        rows=(*(Header(*kind) for kind in kinds), Header(ALL, "All")),
        columns=(
            *(header for header, _, _ in columns),
            *(Header(column, label) for column, label in _SHARES.items()),
        ),
        cells=cells,
        digits=1,
        row_title="Kind",
        unit_of_n="recordings",
        notes=tuple(_asr_notes(transcripts)),
    )


def mt_table(
    entry: Entry,
    scores: pd.DataFrame,
    pairs: Sequence[QualityPair],
    engines: Iterable[str | None],
    kinds: Sequence[ShownKind],
    settings: Settings,
) -> Table:
    """Return table x3: how near translations are to those that came with the materials.

    Args:
        entry: The table's entry in the catalogue.
        scores: Rows of ``scores/mt``.
        pairs: Translations with their references.
        engines: The engine of each translated unit, None where there is no translation.
        kinds: The kinds that are not in English, in order.
        settings: Seed and draws of the intervals.
    """
    columns = [
        (Header(f"{unit}/{metric.name}", f"{metric.label}, {label}"), unit, metric.name)
        for unit, label in _UNITS.items()
        for metric in (CHRF, BLEU)
    ]
    scores = scores.assign(kind=_kinds(scores))
    cells = {}
    for kind in (*kinds, ShownKind(ALL, "")):
        measured = scores if kind.kind == ALL else scores[scores["kind"] == kind.kind]
        for header, unit, metric in columns:
            part = [
                pair
                for pair in pairs
                if pair.unit_kind == unit and kind.kind in (ALL, pair.section_id.split("/")[0])
            ]
            rng = generator(settings.seed, f"interval of {header.id}", kind.kind)
            found = pooled_quality(part, metric, rng, draws=settings.draws)
            own = measured[(measured["metric"] == metric) & (measured["unit_kind"] == unit)]
            values = list(own["value"].dropna().astype(float))
            cells[kind.kind, header.id] = _cell(found, 1.0, NO_PAIR, values)
    return Table(
        id=entry.id,
        title=entry.title,
        statistic="points from 0 to 100, n-grams pooled over the pairs",
        rows=(*(Header(*kind) for kind in kinds), Header(ALL, "All")),
        columns=tuple(header for header, _, _ in columns),
        cells=cells,
        digits=1,
        row_title="Kind",
        unit_of_n="texts or questions with a reference translation",
        notes=tuple(_mt_notes(list(engines))),
    )


def _kinds(frame: pd.DataFrame) -> pd.Series:
    return frame["section_id"].str.split("/", n=1).str[0]


def _share(transcripts: pd.DataFrame, column: str, rng: Any, draws: int) -> Cell:
    """Return the share of segments that are flagged, or were left out."""
    all_segments = transcripts["n_segments"].astype(float)
    if column == "n_dropped":
        all_segments = all_segments + transcripts["n_dropped"].astype(float)
    there = transcripts[all_segments > 0]
    counts = [
        [float(counted), float(total)]
        for counted, total in zip(there[column], all_segments[all_segments > 0], strict=True)
    ]
    found = pooled(
        counts,
        list(there["section_id"]),
        ratio,
        rng,
        draws=draws,
        n_missing=len(transcripts) - len(there),
    )
    own = [counted / total for counted, total in counts]
    return _cell(found, _PERCENT, NOT_TRANSCRIBED, own)


def _cell(found: Pooled, scale: float, nothing: str, values: Sequence[float]) -> Cell:
    def scaled(value: float | None) -> float | None:
        return None if value is None else scale * value

    return Cell(
        value=scaled(found.value),
        sd=scaled(float(np.std(values, ddof=1))) if len(values) > 1 else None,
        n=found.n,
        n_missing=found.n_missing,
        ci_low=scaled(found.ci_low),
        ci_high=scaled(found.ci_high),
        reason=nothing if found.value is None else found.reason,
    )


def _asr_notes(transcripts: pd.DataFrame) -> Iterable[str]:
    for (engine, model), part in transcripts.groupby(["engine", "model"]):
        lost = Counter(part.loc[part["status"] != OK, "status"])
        without = ", ".join(f"{status} {count}" for status, count in sorted(lost.items()))
        yield (
            f"Transcribed by {engine}, model {model}: {len(part)} "
            + ("recording" if len(part) == 1 else "recordings")
            + (f", {lost.total()} of them without a text ({without})" if lost else "")
            + "."
        )
    yield (
        "WER, CER: words and characters replaced, left out and put in, over those of the "
        "reference; ± is over the rates of single recordings. Doubtful segments run in a loop or "
        "are in another language; left out are those that nobody said."
    )
    yield "How long it took is in timings/recordings.html, since times differ between runs."


def _mt_notes(engines: Sequence[str | None]) -> Iterable[str]:
    made = Counter(engine for engine in engines if engine is not None)
    if made:
        by = ", ".join(f"{engine} {count}" for engine, count in sorted(made.items()))
        yield f"Translated sentences, questions and answers: {by} of {len(engines)}."
    if set(made) == {"memory"}:
        yield (
            "A memory that holds the reference translations themselves, as the demo's does, gives "
            "100: that shows that the pipeline works, and nothing about a translator."
        )
    found = corpus_quality([], [])
    yield (
        f"chrF: {found.chrf_signature}; BLEU: {found.bleu_signature}; ± is over single texts or "
        "questions."
    )


def engines_of(translations: Sequence[Mapping[str, Any]]) -> list[str | None]:
    """Return the engine of each row of ``materials/translations``; None where there is none."""
    return [row["engine"] if isinstance(row["engine"], str) else None for row in translations]
