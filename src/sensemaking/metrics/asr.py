"""How far a transcript is from what was said: word and character error rate.

Both texts are normalised first: Unicode NFC, case folded, words as ``sensemaking.text.words`` finds
them (so without punctuation), one kind of apostrophe, and words with a hyphen taken apart. Nothing
else: "okay" and "OK", or "2" and "two", differ. The alignment is jiwer's.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import jiwer

from sensemaking.metrics.declaration import Metric
from sensemaking.statistic import Statistic
from sensemaking.text.words import normalise, words

WER = Metric(
    name="wer",
    label="WER",
    unit="share of the words of the reference",
    range=(0.0, None),
    higher_is_better=False,
    version=1,
    citation="Levenshtein distance over words; jiwer 4",
    description="Words replaced, left out and put in, over the words of the reference.",
)
CER = Metric(
    name="cer",
    label="CER",
    unit="share of the characters of the reference",
    range=(0.0, None),
    higher_is_better=False,
    version=1,
    citation="Levenshtein distance over characters; jiwer 4",
    description="Characters replaced, left out and put in, spaces between words among them, over "
    "the characters of the reference.",
)

NO_REFERENCE = "no_words_in_reference"
NOTHING_MEASURED = "nothing_measured"


@dataclass(frozen=True)
class Errors:
    """How a transcript differs from its reference, as counts of words or of characters.

    Attributes:
        hits: Units that are right.
        substitutions: Units that are another one.
        deletions: Units of the reference that are missing.
        insertions: Units that are too many.
    """

    hits: int
    substitutions: int
    deletions: int
    insertions: int

    @property
    def n_reference(self) -> int:
        """Units of the reference."""
        return self.hits + self.substitutions + self.deletions

    @property
    def n_errors(self) -> int:
        """Errors of all three kinds."""
        return self.substitutions + self.deletions + self.insertions

    @property
    def rate(self) -> Statistic:
        """The error rate, 0 or more; more than 1 if too much is put in.

        Undefined for a reference without a word (``no_words_in_reference``).
        """
        n = self.n_reference
        if not n:
            return Statistic(value=None, n=0, reason=NO_REFERENCE)
        return Statistic(value=self.n_errors / n, n=n)


def normalise_transcript(text: str) -> str:
    """Return the words of a text as they are compared, divided by single spaces."""
    found = (normalise(word) for word in words(text))
    return " ".join(" ".join(found).replace("‐", "-").replace("‑", "-").replace("-", " ").split())


def word_errors(reference: str, transcript: str) -> Errors:
    """Return how the words of a transcript differ from those of its reference.

    Args:
        reference: What was said.
        transcript: What was recognised. A recording that gave no text has no transcript; leave it
            out and count it, an empty text would make it a rate of 1.
    """
    before, after = normalise_transcript(reference), normalise_transcript(transcript)
    if not before:
        return Errors(0, 0, 0, len(after.split()))
    out = jiwer.process_words(before, after)
    return Errors(out.hits, out.substitutions, out.deletions, out.insertions)


def character_errors(reference: str, transcript: str) -> Errors:
    """Return how the characters of a transcript differ, normalised, with single spaces."""
    before, after = normalise_transcript(reference), normalise_transcript(transcript)
    if not before:
        return Errors(0, 0, 0, len(after))
    out = jiwer.process_characters(before, after)
    return Errors(out.hits, out.substitutions, out.deletions, out.insertions)


def pooled_rate(errors: Iterable[Errors], n_missing: int = 0) -> Statistic:
    """Return the errors of several recordings over all units of their references.

    Long recordings count for more, as usual. A recording whose reference has no words is left out
    and counted as missing.

    Args:
        errors: One for each recording that has a transcript.
        n_missing: Recordings without a transcript.

    Returns:
        The rate; n is the number of units of the references. Undefined if there are none
        (``nothing_measured``).
    """
    found = list(errors)
    measured = [item for item in found if item.n_reference]
    missing = n_missing + len(found) - len(measured)
    n = sum(item.n_reference for item in measured)
    if not n:
        return Statistic(value=None, n=0, reason=NOTHING_MEASURED, n_missing=missing)
    total = sum(item.n_errors for item in measured)
    return Statistic(value=total / n, n=n, n_missing=missing)
