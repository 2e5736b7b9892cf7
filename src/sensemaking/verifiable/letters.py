"""Which of two summaries a reply names, by its letter, and how likely each letter was."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sensemaking.llm.reply import Token
from sensemaking.llm.statuses import INVALID_ITEM, NO_LOGPROBS

LETTERS: Final = ("A", "B")

LOW_MASS: Final = "mass_low"
"""Both letters together are less likely than something else, so their ratio says little."""

LETTER_NOT_SHOWN: Final = "letter_not_shown"
"""One letter is not among the alternatives, and might be too likely to count as impossible."""

LEAST_MASS: Final = 0.5
_MOST_IN_DOUBT: Final = 0.01
_DECIMALS: Final = 6

# Whatever stands before the last end of a thought, whose beginning may stand in the prompt.
_THOUGHT: Final = r"(?>(?:.*</(?:think|thinking|reasoning)>)?)"
_MARKS: Final = r"[\s\"'`*_(\[{:]*"
# "Answer: A", "The better summary is B".
_OPENING: Final = (
    r"(?:(?:the|my)\s+)?(?:(?:final|better|best|correct)\s+)?(?:answer|choice|option|summary)"
    rf"(?:\s+is)?{_MARKS}"
)
# What follows tells the letter from the article of "A summary …", from "A's" and from "A or B".
_END: Final = (
    r"(?!\s*[,;&]\s*(?!(?P=letter))[AB]\b)"
    r"(?=\s*(?:\Z|\n|<|[.,;:!?\"'`*_)\]}–—](?!\w))"
    r"|\s+(?:is|because|since|contradicts|mentions)\b)"
)
_CHOICE: Final = re.compile(
    rf"{_THOUGHT}{_MARKS}(?i:{_OPENING}){{0,2}}(?P<letter>[AB]){_END}", re.DOTALL
)
# Tokens such as " A", "A." and '"A"' are the same letter; "Answer", "As" and "a" are none.
_LETTER_TOKEN: Final = re.compile(rf"{_MARKS}(?P<letter>[AB])[\s\"'`*_.,:)\]}}]*")


@dataclass(frozen=True)
class Preference:
    """How likely a model was to name the first summary.

    Attributes:
        value: Probability of A among A and B, 0 to 1; None where it cannot be had.
        mass: Probability of both letters together; None without alternatives.
        reason: Why there is no value, or None.
    """

    value: float | None
    mass: float | None = None
    reason: str | None = None


def letter_in(text: str | None) -> str | None:
    """Return the letter, A or B, that a reply surely names at its beginning, or None.

    A capital letter counts that stands alone, in quotation marks or emphasis or not, behind words
    such as "Answer:" or "The better summary is". "A summary …" and "A or B" name none.

    Args:
        text: The reply, a thought before it included; None for no reply.
    """
    found = _CHOICE.match(text or "")
    return found["letter"] if found else None


def preference(tokens: Sequence[Token] | None) -> Preference:
    """Return the probability of A in the place of the letter that a reply names.

    It is p(A) / (p(A) + p(B)) in the place of the first token that is the letter which
    ``letter_in`` finds, summed over the alternatives that are the letter but for blanks and marks
    around it. Small letters and words that begin with the letter count as neither.

    Args:
        tokens: The reply's tokens; None where the endpoint gave none.

    Returns:
        The probability. None without alternatives (``no_logprobs``), if the reply names no letter
        (``unusable_item``), if both letters have less than half of the probability (``mass_low``),
        and if one is not among the alternatives and may so have more than 0.01 of their
        probability (``letter_not_shown``).
    """
    if not tokens:
        return Preference(None, reason=NO_LOGPROBS)
    found = _CHOICE.match("".join(token.token for token in tokens))
    if found is None:
        return Preference(None, reason=INVALID_ITEM)
    token = _token_at(tokens, found.start("letter"))
    if not token.alternatives:
        return Preference(None, reason=NO_LOGPROBS)
    shares = dict.fromkeys(LETTERS, 0.0)
    for alternative in token.alternatives:
        letter = _LETTER_TOKEN.fullmatch(alternative.token)
        if letter:
            shares[letter["letter"]] += math.exp(alternative.logprob)
    mass = math.fsum(shares.values())
    if not mass >= LEAST_MASS:
        return Preference(None, mass, LOW_MASS)
    if 0.0 in shares.values():
        # What is not shown is at most as likely as the least likely that is, and as what is left.
        shown = [math.exp(alternative.logprob) for alternative in token.alternatives]
        hidden = max(0.0, min(*shown, 1.0 - math.fsum(shown)))
        if hidden > _MOST_IN_DOUBT * (mass + hidden):
            return Preference(None, min(mass, 1.0), LETTER_NOT_SHOWN)
    return Preference(round(shares["A"] / mass, _DECIMALS), min(mass, 1.0))


def _token_at(tokens: Sequence[Token], place: int) -> Token:
    """Return the token that holds the character at a place of the joined text."""
    end = 0
    for token in tokens:
        end += len(token.token)
        if place < end:
            return token
    raise IndexError(f"no token at {place}; there are {end} characters")
