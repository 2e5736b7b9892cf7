"""ROUGE-L recall: how much of a reference answer an answer covers, in order."""

import math
import unicodedata
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence, Set
from itertools import chain
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt
import regex
from rapidfuzz.distance import LCSseq

from sensemaking.metrics.declaration import Metric

ROUGE_L_RECALL: Final = Metric(
    name="rouge_l_recall",
    label="ROUGE-L recall",
    unit="share",
    range=(0.0, 1.0),
    higher_is_better=True,
    version=1,
    citation="Lin 2004, ROUGE: A Package for Automatic Evaluation of Summaries, section 3.1; "
    "tokens and values of the package rouge-score 0.1.2",
    description="Longest common subsequence of reference and answer over the length of the "
    "reference, in words of a-z and 0-9; the best of several references.",
)
ROUGE_L_RECALL_UNICODE: Final = Metric(
    name="rouge_l_recall_unicode",
    label="ROUGE-L recall (Unicode words)",
    unit="share",
    range=(0.0, 1.0),
    higher_is_better=True,
    version=1,
    citation="Lin 2004, ROUGE: A Package for Automatic Evaluation of Summaries, section 3.1",
    description="The same as rouge_l_recall with words of any script.",
)

Texts: TypeAlias = Sequence[str] | npt.NDArray[np.object_]

_TO_SPACE: Final = bytes(
    byte if byte in b"abcdefghijklmnopqrstuvwxyz0123456789" else ord(" ") for byte in range(256)
)
_UNICODE_WORD: Final = regex.compile(r"[\p{L}\p{N}][\p{L}\p{N}\p{M}]*")


def _rouge_tokens(text: str) -> Sequence[bytes]:
    # A table over bytes takes half the time of a regular expression. "replace" writes "?" for
    # each character outside ASCII, lone surrogates too, and the table makes that a space.
    return text.lower().encode("ascii", "replace").translate(_TO_SPACE).split()


def _unicode_tokens(text: str) -> Sequence[str]:
    found: list[str] = _UNICODE_WORD.findall(unicodedata.normalize("NFC", text).lower())
    return found


_TOKENIZERS: Final[dict[str, Callable[[str], Sequence[Hashable]]]] = {
    "rouge": _rouge_tokens,
    "unicode": _unicode_tokens,
}


def rouge_l_recall(
    references: Sequence[Texts | None] | npt.NDArray[np.object_],
    answers: Sequence[str | None] | npt.NDArray[np.object_],
    tokenizer: str = "rouge",
) -> npt.NDArray[np.float64]:
    """Return the ROUGE-L recall of each answer: LCS(reference, answer) over len(reference).

    Both are counted in tokens. The value is that of the whole text (ROUGE-L, not ROUGE-Lsum): a
    newline is a space like any other. Of several references the one with the greatest recall
    counts. With ``tokenizer="rouge"`` the values equal the recall of rouge-score 0.1.2
    (``RougeScorer(["rougeL"], use_stemmer=False)``) bit for bit.

    Time grows with the product of the two lengths over 64, memory with their sum (the
    bit-parallel algorithm of rapidfuzz), so whole lectures can be compared.

    Args:
        references: For each of the n answers its reference texts. References without a token are
            passed over; an empty list, or None, stands for no reference.
        answers: n texts; None for an answer that was not given. The NaN that pandas keeps in
            place of None is read as None.
        tokenizer: ``"rouge"``: lower case, then runs of a-z and 0-9, as rouge-score does; any
            other letter divides words. ``"unicode"``: NFC, lower case, then runs of letters and
            digits of any script (categories L and N) with the combining marks that follow them.

    Returns:
        An array of n shares from 0 to 1. NaN where the answer is None or no reference has a
        token: the recall is undefined there, which is not 0. An answer without a token, a blank
        one for example, has 0.

    Raises:
        ValueError: The tokenizer is unknown, or the two lists differ in length.
        TypeError: A text stands where a list is expected, or something else where a text is.
    """
    if tokenizer not in _TOKENIZERS:
        known = ", ".join(repr(name) for name in _TOKENIZERS)
        raise ValueError(f"unknown tokenizer {tokenizer!r}; known are {known}")
    _refuse_others(references, "references", "a list of lists of texts")
    _refuse_others(answers, "answers", "a list of texts")
    if len(references) != len(answers):
        raise ValueError(
            f"references and answers must have the same length, "
            f"found {len(references)} and {len(answers)}"
        )
    reference_lists = [_references(texts, item) for item, texts in enumerate(references)]
    answer_texts = [_answer(answer, item) for item, answer in enumerate(answers)]
    tokenize = _TOKENIZERS[tokenizer]
    # References repeat for every system that answers, so repeated texts are divided once. Only
    # those are kept: the words of all texts together would cost more in memory than they save.
    uses = Counter(chain.from_iterable(reference_lists))
    uses.update(text for text in answer_texts if text is not None)
    cache = {text: tokenize(text) for text, n in uses.items() if n > 1}

    recalls = np.full(len(answer_texts), math.nan)
    for item, (texts, answer) in enumerate(zip(reference_lists, answer_texts, strict=True)):
        if answer is None:
            continue
        answer_tokens = cache.get(answer) or tokenize(answer)
        best = -1.0
        for text in texts:
            reference_tokens = cache.get(text) or tokenize(text)
            if reference_tokens:
                shared = LCSseq.similarity(reference_tokens, answer_tokens)
                best = max(best, shared / len(reference_tokens))
        if best >= 0:
            recalls[item] = best
    return recalls


def _refuse_others(value: object, where: str, expected: str) -> None:
    # All of these can be looped over, and would give letters or keys instead of texts.
    if isinstance(value, str | bytes | Mapping | Set):
        raise TypeError(
            f"{where} must be {expected}, found one {type(value).__name__}; "
            "put a single text into a list of its own"
        )


def _is_missing(value: object) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))


def _references(texts: Texts | None, item: int) -> Texts:
    """Return the references of one item after checking that they are a list of texts."""
    if texts is None or _is_missing(texts):
        return ()
    where = f"references[{item}]"
    _refuse_others(texts, where, "a list of texts")
    if not isinstance(texts, list | tuple | np.ndarray | Sequence):
        raise TypeError(f"{where} must be a list of texts, found {type(texts).__name__}")
    for position, text in enumerate(texts):
        if not isinstance(text, str):
            raise TypeError(
                f"{where}[{position}] must be a text, found {type(text).__name__}; "
                "leave missing references out"
            )
    return texts


def _answer(answer: str | None, item: int) -> str | None:
    """Return the answer of one item, None where it is missing, after checking its type."""
    if isinstance(answer, str):
        return answer
    if _is_missing(answer):
        return None
    raise TypeError(f"answers[{item}] must be a text or None, found {type(answer).__name__}")
