"""What a code of a finding is made of."""

from dataclasses import dataclass

from sensemaking.findings import Severity


@dataclass(frozen=True)
class Code:
    """A kind of finding.

    Attributes:
        severity: ``error``: something was left out. ``warning``: it was repaired, or counts as
            missing, or looks doubtful. ``info``: it is in order, and worth knowing.
        meaning: What is there.
        expected: What was expected.
        action: What is done about it.
        advice: What the participant should do.
    """

    severity: Severity
    meaning: str
    expected: str
    action: str
    advice: str


def error(meaning: str, expected: str, action: str, advice: str) -> Code:
    """Return a code of this severity."""
    return Code("error", meaning, expected, action, advice)


def warning(meaning: str, expected: str, action: str, advice: str) -> Code:
    """Return a code of this severity."""
    return Code("warning", meaning, expected, action, advice)


def info(meaning: str, expected: str, action: str, advice: str) -> Code:
    """Return a code of this severity."""
    return Code("info", meaning, expected, action, advice)


LIST = "a list of items"
DUMP = "write the file with a JSON library"
LEFT_OUT = "it is left out"
MISSING = "it counts as missing"
KEPT = "it is kept as it is"
NOT_NAMED = "the values of the key are left out"
