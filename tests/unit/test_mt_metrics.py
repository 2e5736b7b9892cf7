"""chrF and BLEU, against values worked out by hand and sacrebleu's own functions."""

import math
from typing import Any

import numpy as np
import pytest
import sacrebleu

from sensemaking.metrics.mt import BLEU, CHRF, corpus_quality, segment_quality

HYPOTHESES = ["The cat sat on the mat.", "A dog runs in the park today."]
REFERENCES = ["The cat is on the mat.", "A dog ran through the park today."]


def test_values_are_those_of_sacrebleus_own_functions() -> None:
    found = corpus_quality(HYPOTHESES, REFERENCES)
    assert found.bleu.value == sacrebleu.corpus_bleu(HYPOTHESES, [REFERENCES]).score
    assert found.chrf.value == sacrebleu.corpus_chrf(HYPOTHESES, [REFERENCES]).score
    assert (found.bleu.n, found.chrf.n) == (2, 2)


def test_bleu_of_a_pair_worked_out_by_hand() -> None:
    # 7 tokens with the full stop. Matches: 6 of 7 words, 4 of 6 pairs, 2 of 5 triples, 1 of 4.
    found = corpus_quality(["the cat sat on the mat ."], ["the cat is on the mat ."])
    assert found.bleu.value is not None
    by_hand = 100 * (6 / 7 * 4 / 6 * 2 / 5 * 1 / 4) ** 0.25
    assert math.isclose(found.bleu.value, by_hand, rel_tol=1e-12)


def test_chrf_of_a_pair_worked_out_by_hand() -> None:
    # Characters: a, b of 2 in "ab" and 3 in "abc": P = 1, R = 2/3. Pairs: P = 1, R = 1/2.
    # Longer n-grams do not occur in both and are left out. beta = 2.
    precision, recall = (1 + 1) / 2, (2 / 3 + 1 / 2) / 2
    by_hand = 100 * 5 * precision * recall / (4 * precision + recall)
    assert math.isclose(float(segment_quality(["ab"], ["abc"])["chrf"][0]), by_hand, rel_tol=1e-9)


def test_n_grams_are_pooled_and_not_averaged() -> None:
    found = corpus_quality(HYPOTHESES, REFERENCES)
    each = segment_quality(HYPOTHESES, REFERENCES)
    assert found.bleu.value is not None
    assert not math.isclose(found.bleu.value, float(np.mean(each["bleu"])), rel_tol=1e-3)


def test_a_perfect_translation_has_100_and_not_more() -> None:
    found = corpus_quality(REFERENCES, REFERENCES)
    assert (found.chrf.value, found.bleu.value) == (100.0, 100.0)
    assert segment_quality(["A b c d."], ["A b c d."])["bleu"][0] == 100.0


def test_the_signature_names_settings_and_version() -> None:
    found = corpus_quality(HYPOTHESES, REFERENCES)
    version = f"version:{sacrebleu.__version__}"
    assert found.bleu_signature == f"nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|{version}"
    assert found.chrf_signature == f"nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|{version}"


def test_a_missing_translation_is_counted_and_not_scored() -> None:
    found = corpus_quality([*HYPOTHESES, None], [*REFERENCES, "It rains."])
    alone = corpus_quality(HYPOTHESES, REFERENCES)
    assert found.bleu.value == alone.bleu.value
    assert (found.bleu.n, found.bleu.n_missing) == (2, 1)
    assert (found.chrf.n, found.chrf.n_missing) == (2, 1)


def test_a_blank_reference_is_none_and_counts_nowhere() -> None:
    found = corpus_quality(["x", *HYPOTHESES, "y"], [" ", *REFERENCES, None])
    assert (found.bleu.n, found.bleu.n_missing) == (2, 0)


def test_without_a_pair_the_figures_are_undefined_with_a_reason() -> None:
    for found in (corpus_quality([], []), corpus_quality([None], ["It rains."])):
        assert (found.bleu.value, found.chrf.value) == (None, None)
        assert found.bleu.reason == found.chrf.reason == "no translation with a reference"
        assert found.bleu_signature.startswith("nrefs:1|")
        assert found.chrf_signature.startswith("nrefs:1|")
    assert corpus_quality([None], ["It rains."]).chrf.n_missing == 1


def test_a_blank_translation_scores_0_and_a_missing_one_is_nan() -> None:
    nan: Any = float("nan")  # What pandas keeps in place of None.
    found = segment_quality(["", None, "x", nan], ["It rains.", "It rains.", None, "x"])
    for name in (CHRF.name, BLEU.name):
        assert found[name][0] == 0.0
        assert np.isnan(found[name][1:]).all()


def test_short_pairs_use_the_orders_that_they_have() -> None:
    assert segment_quality(["Yes."], ["Yes."])["bleu"][0] == 100.0


def test_lists_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="found 2 and 1"):
        corpus_quality(HYPOTHESES, REFERENCES[:1])
    with pytest.raises(TypeError, match="found one text"):
        corpus_quality("ab", ["a", "b"])
    with pytest.raises(TypeError, match=r"references\[0\].*found int"):
        segment_quality(["a"], [1])  # type: ignore[list-item]
