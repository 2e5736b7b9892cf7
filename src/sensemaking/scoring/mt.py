"""Translations against the reference translations that came with the materials."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from sacrebleu.metrics import bleu as sacrebleu_bleu
from sacrebleu.metrics import chrf as sacrebleu_chrf

from sensemaking.metrics.mt import BLEU, CHRF, segment_quality
from sensemaking.mt.units import QualityPair
from sensemaking.scoring.pooled import Pooled, pooled
from sensemaking.statuses import OK

NO_TRANSLATION = "no_translation"
BLANK_REFERENCE = "blank_reference"


def score_translations(pairs: Sequence[QualityPair]) -> list[dict[str, Any]]:
    """Return a row of ``scores/mt`` for each pair and metric.

    Args:
        pairs: Translations with their references.
    """
    values = segment_quality(
        [pair.translation for pair in pairs], [pair.reference for pair in pairs]
    )
    return [
        {
            "section_id": pair.section_id,
            "unit_kind": pair.unit_kind,
            "unit": pair.unit,
            "metric": metric.name,
            "metric_version": str(metric.version),
            "value": values[metric.name][number],
            "status": _status(pair),
        }
        for number, pair in enumerate(pairs)
        for metric in (CHRF, BLEU)
    ]


def pooled_quality(
    pairs: Iterable[QualityPair], metric: str, rng: np.random.Generator, *, draws: int
) -> Pooled:
    """Return chrF or BLEU of a corpus, with an interval by bootstrap of whole sections.

    N-grams are counted over all pairs, as in ``sensemaking.metrics.mt.corpus_quality``, and in
    each draw over all pairs of the sections drawn.

    Args:
        pairs: Translations with their references.
        metric: ``chrf`` or ``bleu``.
        rng: The source of the draws.
        draws: The number of draws.
    """
    usable = [pair for pair in pairs if _status(pair) != BLANK_REFERENCE]
    measured = [pair for pair in usable if pair.translation is not None]
    scorer: Any = sacrebleu_chrf.CHRF() if metric == CHRF.name else sacrebleu_bleu.BLEU()
    statistics: list[list[int]] = []
    if measured:
        # What sacrebleu's own significance tests are made of; the public calls take texts only.
        statistics = scorer._extract_corpus_statistics(
            [pair.translation for pair in measured], [[pair.reference for pair in measured]]
        )

    def compute(sums: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        rows = sums.astype(np.int64).tolist()
        scores = [scorer._compute_score_from_stats(row).score for row in rows]
        bounded: npt.NDArray[np.float64] = np.clip(scores, 0.0, 100.0)
        return bounded

    return pooled(
        statistics,
        [pair.section_id for pair in measured],
        compute,
        rng,
        draws=draws,
        n_missing=len(usable) - len(measured),
    )


def _status(pair: QualityPair) -> str:
    if not pair.reference.strip():
        return BLANK_REFERENCE
    return OK if pair.translation is not None else NO_TRANSLATION
