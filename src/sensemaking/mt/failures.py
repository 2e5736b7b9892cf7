"""What a failed call of the translation service means: wait, come back tomorrow, or mend it."""

import re
from collections.abc import Collection
from enum import Enum
from typing import Final


class Action(Enum):
    """What to do after a failed call."""

    RETRY = "wait and retry"
    STOP_UNTIL_TOMORROW = "stop, keep finished work, resume later"
    STOP_CONFIGURATION = "stop: configuration"
    STOP_PROGRAM = "stop: program error"


_PER_DAY: Final = re.compile(r"\bdaily\b|\bper day\b|\bdailylimit|perday", re.IGNORECASE)
_RATE: Final = re.compile(
    r"rate[ _-]?limit|per[ _-]?(?:minute|second|\d+ ?seconds)|too many requests|\bquota\b",
    re.IGNORECASE,
)
_RATE_REASONS: Final = frozenset(
    {"ratelimitexceeded", "userratelimitexceeded", "quotaexceeded", "rate_limit_exceeded"}
)
_DAILY_REASONS: Final = frozenset({"dailylimitexceeded", "dailylimitexceededunreg"})
_KEY: Final = re.compile(r"api[ _]key|api_key_invalid", re.IGNORECASE)
_PASSING: Final = frozenset({408, 425, 429})


def action_for(status: int, reasons: Collection[str], message: str) -> Action:
    """Return what to do after a call failed with an HTTP status.

    The service says 403 for three things: too many characters in this minute, too many today,
    and a project that may not use it. The reason and the message tell them apart; a limit per day
    is one whatever the status is. Any other 403 is taken for the configuration.

    Args:
        status: The HTTP status.
        reasons: The ``reason`` of each error in the body; may be empty.
        message: The message of the body.
    """
    known = {reason.lower() for reason in reasons}
    if status in (403, 429):
        if known & _DAILY_REASONS or _PER_DAY.search(message):
            return Action.STOP_UNTIL_TOMORROW
        if status == 429 or known & _RATE_REASONS or _RATE.search(message):
            return Action.RETRY
        return Action.STOP_CONFIGURATION
    if status in _PASSING or status >= 500:
        return Action.RETRY
    if status in (401, 404, 407) or (status == 400 and _KEY.search(" ".join([message, *known]))):
        return Action.STOP_CONFIGURATION
    return Action.STOP_PROGRAM
