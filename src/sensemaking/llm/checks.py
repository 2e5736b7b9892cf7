"""Whether a reply that can be read is what was asked for, or should be asked for again."""

from collections.abc import Callable
from dataclasses import dataclass

from jsonschema.validators import validator_for

from sensemaking.llm.reply import Reply
from sensemaking.llm.request import Schema, json_schema
from sensemaking.llm.statuses import SCHEMA_MISMATCH


@dataclass(frozen=True)
class Verdict:
    """What a check says of a reply that can be read.

    Attributes:
        problem: Why it should be asked for again, a word of ``sensemaking.llm.statuses``; None if
            it is as it should be.
        usable: Whether some of it can be used, if no attempt brings a better one.
        missing: How many things are missing in it. Of several replies with a problem the usable
            one with the fewest missing counts, of those the first.
    """

    problem: str | None = None
    usable: bool = True
    missing: int = 0


Check = Callable[[Reply], Verdict]


def fits(schema: Schema | None) -> Check | None:
    """Return the check that a reply fits a schema; None without one."""
    if schema is None:
        return None
    plain = json_schema(schema)
    kind = validator_for(plain)
    kind.check_schema(plain)
    validator = kind(plain)

    def check(reply: Reply) -> Verdict:
        if validator.is_valid(reply.data):
            return Verdict()
        return Verdict(SCHEMA_MISMATCH, usable=False)

    return check
