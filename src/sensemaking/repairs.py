"""Repairs of submissions as small patches that can be reviewed, counted and undone."""

import hashlib
from dataclasses import asdict, dataclass
from typing import Literal

Policy = Literal["apply", "exclude", "refuse"]
"""What is done with repaired items.

``apply``: they count as repaired. ``exclude``: they are left out on all sides, as if nobody had
been asked for them. ``refuse``: they count as not given, which is the submission as submitted.
"""

POLICIES: tuple[Policy, ...] = ("apply", "exclude", "refuse")
_LIMIT = 2000


@dataclass(frozen=True, order=True)
class Repair:
    """One row of ``validation/repairs``. The submitted file itself is never rewritten.

    Attributes:
        file: The file, as in findings.
        json_pointer: The place in the file as submitted (RFC 6901); empty for the whole file.
        rule: Name of the rule, which is the code of its finding.
        before: What stood there, as JSON; shortened beyond 2,000 characters.
        after: What it was read as, as JSON; shortened alike.
        hash: SHA-256 over all of these, unshortened. Naming it undoes the repair.
    """

    file: str
    json_pointer: str
    rule: str
    before: str
    after: str
    hash: str

    def row(self) -> dict[str, str]:
        """Return the repair as a row of the artifact."""
        return asdict(self)


def make_repair(file: str, json_pointer: str, rule: str, before: str, after: str) -> Repair:
    """Return a repair with its hash.

    Args:
        file: The file.
        json_pointer: The place.
        rule: The rule.
        before: What stood there, as JSON, of any length.
        after: What it was read as, as JSON, of any length.
    """
    whole = "\x1f".join((file, json_pointer, rule, before, after))
    digest = hashlib.sha256(whole.encode()).hexdigest()
    return Repair(file, json_pointer, rule, _shortened(before), _shortened(after), digest)


def _shortened(text: str) -> str:
    if len(text) <= _LIMIT:
        return text
    return f"{text[:_LIMIT]}… ({len(text)} characters)"
