import jiwer
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensemaking.metrics.asr import (
    CER,
    WER,
    Errors,
    character_errors,
    normalise_transcript,
    pooled_rate,
    word_errors,
)

words = st.lists(st.sampled_from(["a", "b", "c", "dd", "ee"]), max_size=8)


def distance(a: list[str] | str, b: list[str] | str) -> int:
    """Levenshtein distance, by the recursion that defines it."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, start=1):
        last, row[0] = row[0], i
        for j, y in enumerate(b, start=1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (x != y))
    return row[-1]


def test_word_errors_are_those_counted_by_hand() -> None:
    got = word_errors("the river carries sand to the sea", "the river carry sand the sea now")
    assert got == Errors(hits=5, substitutions=1, deletions=1, insertions=1)
    assert got.rate.value == pytest.approx(3 / 7)
    assert got.rate.n == 7


def test_character_errors_are_those_counted_by_hand() -> None:
    got = character_errors("sand", "send")
    assert got == Errors(hits=3, substitutions=1, deletions=0, insertions=0)
    assert character_errors("to sea", "tosea").n_errors == 1  # the space counts


def test_case_punctuation_hyphens_and_kinds_of_apostrophe_do_not_count() -> None:
    assert normalise_transcript(" Well-known:  DON’T, об'єкт 3.5!") == "well known don't об'єкт 3.5"
    assert word_errors("It's well-known.", "it’s well known").n_errors == 0
    assert word_errors("Straße", "STRASSE").n_errors == 0
    assert word_errors("cafe\u0301", "café").n_errors == 0


def test_figures_and_spellings_do_count() -> None:
    assert word_errors("two", "2").n_errors == 1
    assert word_errors("okay", "ok").n_errors == 1


@given(words, words)
def test_errors_are_the_levenshtein_distance(reference: list[str], transcript: list[str]) -> None:
    a, b = " ".join(reference), " ".join(transcript)
    got = word_errors(a, b)
    assert got.n_errors == distance(reference, transcript)
    assert got.n_reference == len(reference)
    assert got.hits + got.substitutions + got.insertions == len(transcript)
    assert character_errors(a, b).n_errors == distance(a, b)


@given(words.filter(bool), words)
def test_the_rate_is_that_of_jiwer(reference: list[str], transcript: list[str]) -> None:
    a, b = " ".join(reference), " ".join(transcript)
    assert word_errors(a, b).rate.value == pytest.approx(jiwer.wer(a, b))


def test_too_many_words_give_a_rate_above_one() -> None:
    assert word_errors("sand", "sand and more sand").rate.value == 3.0


@pytest.mark.parametrize("reference", ["", " ", "...", "♪"])
def test_a_reference_without_words_has_no_rate(reference: str) -> None:
    got = word_errors(reference, "sand and stones")
    assert got == Errors(0, 0, 0, 3)
    assert got.rate.value is None
    assert got.rate.reason == "no_words_in_reference"


def test_a_transcript_without_words_misses_all() -> None:
    assert word_errors("sand and stones", "").rate.value == 1.0
    assert character_errors("sand", "").rate.value == 1.0


def test_the_pooled_rate_weighs_by_length() -> None:
    short, long = Errors(0, 1, 0, 0), Errors(9, 0, 0, 0)
    got = pooled_rate([short, long])
    assert (got.value, got.n) == (0.1, 10)


def test_recordings_without_reference_or_transcript_are_counted_as_missing() -> None:
    got = pooled_rate([Errors(0, 0, 0, 3), Errors(3, 1, 0, 0)], n_missing=2)
    assert (got.value, got.n, got.n_missing) == (0.25, 4, 3)


def test_nothing_measured_has_no_pooled_rate() -> None:
    got = pooled_rate([], n_missing=4)
    assert (got.value, got.n, got.reason, got.n_missing) == (None, 0, "nothing_measured", 4)


def test_lower_is_better() -> None:
    assert WER.higher_is_better is False
    assert CER.higher_is_better is False
