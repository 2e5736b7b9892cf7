"""chrF and BLEU of machine translations, by sacrebleu, with the signatures of the settings."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
from sacrebleu.metrics import bleu as sacrebleu_bleu
from sacrebleu.metrics import chrf as sacrebleu_chrf

from sensemaking.metrics.declaration import Metric
from sensemaking.statistic import Statistic

CHRF: Final = Metric(
    name="chrf",
    label="chrF",
    unit="points",
    range=(0.0, 100.0),
    higher_is_better=True,
    version=1,
    citation="Popović 2015, chrF: character n-gram F-score for automatic MT evaluation; as "
    "sacrebleu computes it (Post 2018, A Call for Clarity in Reporting BLEU Scores)",
    description="F-score (recall counts twice) of character 1- to 6-grams without spaces, of a "
    "translation and a reference translation.",
)
BLEU: Final = Metric(
    name="bleu",
    label="BLEU",
    unit="points",
    range=(0.0, 100.0),
    higher_is_better=True,
    version=1,
    citation="Papineni et al. 2002, BLEU: a Method for Automatic Evaluation of Machine "
    "Translation; as sacrebleu computes it (Post 2018)",
    description="Geometric mean of the precisions of word 1- to 4-grams, times a penalty for "
    "brevity, of translations and reference translations.",
)

NO_PAIR: Final = "no translation with a reference"


@dataclass(frozen=True)
class TranslationQuality:
    """How near translations are to reference translations, over all of them.

    Attributes:
        chrf: chrF of the corpus, 0 to 100; ``n`` counts pairs, ``n_missing`` references whose
            text has no translation.
        bleu: BLEU of the corpus, 0 to 100, with the same counts.
        chrf_signature: sacrebleu's signature of the settings and its version.
        bleu_signature: The same of BLEU.
    """

    chrf: Statistic
    bleu: Statistic
    chrf_signature: str
    bleu_signature: str


def corpus_quality(
    translations: Sequence[str | None], references: Sequence[str | None]
) -> TranslationQuality:
    """Return chrF and BLEU of a corpus: n-grams are pooled over all pairs.

    Settings are sacrebleu's own: chrF with character order 6, word order 0 and β = 2; BLEU with
    mixed case, the tokenizer 13a and exponential smoothing. A pair may be a sentence, a question
    or a whole section; n-grams do not cross pairs.

    Args:
        translations: n texts; None for one that is not translated.
        references: n texts; None, or a blank text, where there is no reference.

    Returns:
        Both figures. Without a pair they are undefined. A missing translation is left out and
        counted, since it is not known how good it would be.

    Raises:
        ValueError: The lists differ in length.
        TypeError: A list is one text.
    """
    pairs, missing = _pairs(translations, references)
    chrf, bleu = sacrebleu_chrf.CHRF(), sacrebleu_bleu.BLEU()
    if not pairs:
        undefined = Statistic(value=None, n=0, reason=NO_PAIR, n_missing=missing)
        # sacrebleu makes a signature only after it has seen a reference.
        chrf.corpus_score(["a"], [["a"]])
        bleu.corpus_score(["a"], [["a"]])
        return TranslationQuality(undefined, undefined, *_signatures(chrf, bleu))
    hypotheses = [pair[0] for pair in pairs]
    columns = [[pair[1] for pair in pairs]]
    chrf_value = chrf.corpus_score(hypotheses, columns).score
    bleu_value = bleu.corpus_score(hypotheses, columns).score
    return TranslationQuality(
        Statistic(value=_bounded(chrf_value), n=len(pairs), n_missing=missing),
        Statistic(value=_bounded(bleu_value), n=len(pairs), n_missing=missing),
        *_signatures(chrf, bleu),
    )


def segment_quality(
    translations: Sequence[str | None], references: Sequence[str | None]
) -> Mapping[str, npt.NDArray[np.float64]]:
    """Return chrF and BLEU of each pair by itself.

    BLEU of a short text uses only the n-gram orders that it has (sacrebleu's effective order), so
    it is not comparable with that of a corpus.

    Args:
        translations: n texts; None for one that is not translated.
        references: n texts; None, or a blank text, where there is no reference.

    Returns:
        Name of the metric (``chrf``, ``bleu``) to an array of n values from 0 to 100; NaN where
        translation or reference is missing.

    Raises:
        ValueError: The lists differ in length.
        TypeError: A list is one text.
    """
    _check(translations, references)
    chrf, bleu = sacrebleu_chrf.CHRF(), sacrebleu_bleu.BLEU(effective_order=True)
    values = {name: np.full(len(translations), math.nan) for name in (CHRF.name, BLEU.name)}
    for item, (translation, reference) in enumerate(zip(translations, references, strict=True)):
        if isinstance(translation, str) and isinstance(reference, str) and reference.strip():
            chrf_value = chrf.sentence_score(translation, [reference]).score
            bleu_value = bleu.sentence_score(translation, [reference]).score
            values[CHRF.name][item] = _bounded(chrf_value)
            values[BLEU.name][item] = _bounded(bleu_value)
    return values


def _signatures(chrf: sacrebleu_chrf.CHRF, bleu: sacrebleu_bleu.BLEU) -> tuple[str, str]:
    return str(chrf.get_signature()), str(bleu.get_signature())


def _bounded(value: float) -> float:
    # The geometric mean of four precisions of 100 comes out as 100.00000000000004.
    return min(max(float(value), 0.0), 100.0)


def _pairs(
    translations: Sequence[str | None], references: Sequence[str | None]
) -> tuple[list[tuple[str, str]], int]:
    _check(translations, references)
    pairs = []
    missing = 0
    for translation, reference in zip(translations, references, strict=True):
        if not isinstance(reference, str) or not reference.strip():
            continue
        if isinstance(translation, str):
            pairs.append((translation, reference))
        else:
            missing += 1
    return pairs, missing


def _check(translations: Sequence[str | None], references: Sequence[str | None]) -> None:
    for name, texts in (("translations", translations), ("references", references)):
        if isinstance(texts, str):
            raise TypeError(f"{name} must be a list of texts, found one text")
        for number, text in enumerate(texts):
            if not isinstance(text, str) and not _is_missing(text):
                raise TypeError(
                    f"{name}[{number}] must be a text or None, found {type(text).__name__}"
                )
    if len(translations) != len(references):
        raise ValueError(
            f"translations and references must have the same length, found {len(translations)} "
            f"and {len(references)}"
        )


def _is_missing(value: object) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))
