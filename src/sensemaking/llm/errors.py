"""What stops a stage that asks a model. Messages never hold a key."""

from typing import Final

CREDENTIALS: Final = "credentials"
"""The endpoint refuses the key, or there is none."""

NO_CREDIT: Final = "no_credit"
"""The account has no credit or quota left."""

NOT_FOUND: Final = "not_found"
"""The endpoint does not know the address or the model."""

UNAVAILABLE: Final = "service_unavailable"
"""So many calls in a row failed that asking on makes no sense."""


class ModelStoppedError(RuntimeError):
    """No further call makes sense until somebody mends something; replies so far are kept.

    Attributes:
        reason: One of the constants of this module.
    """

    def __init__(self, reason: str, message: str) -> None:
        """Take the reason, and what was found, where, and what to do."""
        super().__init__(message)
        self.reason = reason


class NotRecordedError(LookupError):
    """A reply is not recorded, in strict replay."""


class NoSessionError(RuntimeError):
    """``ask`` was called outside of a session."""


class JournalError(RuntimeError):
    """A journal cannot be written, or is in use."""
