"""The expected grade: the mean of a judge's grades under its own probabilities for them."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from sensemaking.llm.reply import Token

LOW_MASS = "grade_mass_low"
"""The alternatives that were shown hardly hold the grades, so their mean says little."""

LEAST_MASS = 0.5

_ENTRY = r"\s*,\s*\"(?:grade|rating|score)\""
# Tokens such as " 4", "4" and "4," are the same grade.
_DIGIT = re.compile(r"[\s\":]*([0-9])[\s,}]*", re.ASCII)


@dataclass(frozen=True)
class ExpectedGrade:
    """An expected grade.

    Attributes:
        value: The mean grade; None where it cannot be had.
        mass: Probability of all grades together among the alternatives; None without any.
        reason: Why there is no value, or None.
    """

    value: float | None
    mass: float | None
    reason: str | None


def expected_grades(
    tokens: Sequence[Token], labels: Sequence[str], best: int, least_mass: float = LEAST_MASS
) -> dict[str, ExpectedGrade | None]:
    """Return the expected grade of each label in a reply of the form ``{label: grade, …}``.

    Lists of ``{"id": label, "grade": grade}`` are read, too.

    The value is Σ g·p(g) / Σ p(g) over the grades g = 0 … ``best`` among the alternatives of the
    token that holds the label's grade.

    Args:
        tokens: The reply's tokens. Joined they may hold more than its content, such as a fence.
        labels: The labels.
        best: The best grade, one digit.
        least_mass: Least probability of the grades together.

    Returns:
        A grade for each label; None where the tokens hold no grade of it, or two.

    Source:
        Liu et al. 2023, G-Eval, section 2 (the scoring function).
    """
    text = "".join(token.token for token in tokens)
    starts = [0]
    for token in tokens:
        starts.append(starts[-1] + len(token.token))
    found: dict[str, ExpectedGrade | None] = {}
    for label in labels:
        name = f'"{re.escape(label)}"'
        places = list(re.finditer(rf"(?:{name}|{name}{_ENTRY})\s*:\s*([0-9])(?![0-9.])", text))
        found[label] = None
        if len(places) == 1:
            at = places[0].start(1)
            number = max(n for n in range(len(tokens)) if starts[n] <= at)
            found[label] = _expected(tokens[number], best, least_mass)
    return found


def _expected(token: Token, best: int, least_mass: float) -> ExpectedGrade:
    shares = [0.0] * (best + 1)
    for alternative in token.alternatives:
        digit = _DIGIT.fullmatch(alternative.token)
        if digit and int(digit[1]) <= best:
            shares[int(digit[1])] += math.exp(alternative.logprob)
    mass = math.fsum(shares)
    if not mass >= least_mass:
        return ExpectedGrade(None, mass if token.alternatives else None, LOW_MASS)
    value = math.fsum(grade * share for grade, share in enumerate(shares)) / mass
    return ExpectedGrade(value, min(mass, 1.0), None)
