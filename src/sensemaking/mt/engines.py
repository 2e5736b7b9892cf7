"""What every machine translation engine offers, and how one says that it cannot go on."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple, Protocol

NOT_IN_MEMORY: Final = "not_in_memory"
"""A translation memory does not hold the text."""

DAILY_QUOTA: Final = "daily_quota"
"""The service takes no more text today; what is finished is kept."""

CONFIGURATION: Final = "configuration"
"""Credentials, project or endpoint are not right; asking again changes nothing."""

REFUSED: Final = "request_refused"
"""The service says that the request is wrong, which is a fault of the program."""

WRONG_REPLY: Final = "wrong_reply"
"""The reply is not what the protocol says, such as another number of translations."""

UNAVAILABLE: Final = "service_unavailable"
"""The service did not answer, or was too busy, in all attempts."""


class EngineStoppedError(RuntimeError):
    """An engine cannot go on; what it finished before is in the journal.

    Attributes:
        status: Why, one of the constants of this module.
    """

    def __init__(self, status: str, message: str) -> None:
        """Take a status and what was found, where, and what to do."""
        super().__init__(message)
        self.status = status


class Untranslated(NamedTuple):
    """That there is no translation of a text, and why.

    Attributes:
        status: Why, a word for the status of the text.
    """

    status: str


Target = str | Untranslated | None
"""A translation; or why there is none; or None where the engine cannot say why."""


class Engine(Protocol):
    """A translation engine: Google's service, a translation memory, or a language model.

    An engine gets what is to be translated and nothing else: no blank text, no white space
    around a text, each text once.
    """

    @property
    def name(self) -> str:
        """The name that rows and journals show, such as ``google``."""
        ...

    @property
    def settings(self) -> Mapping[str, str]:
        """All that can change a translation besides the text and the two languages."""
        ...

    @property
    def keeps_journal(self) -> bool:
        """Whether translations cost money or time, so that a journal must keep them."""
        ...

    @property
    def replays(self) -> bool:
        """Whether the engine takes all from recordings of its own, so that replay may ask it."""
        ...

    def pieces(self, text: str, language: str) -> list[str]:
        """Return the text, or the pieces of it that can be asked for; joined they are the text."""
        ...

    def translate(
        self, texts: Sequence[str], source: str, target: str
    ) -> Iterator[Sequence[Target]]:
        """Yield translations in the order of the texts, as many at a time as one request gives.

        Args:
            texts: The texts or pieces.
            source: Their language, ISO 639-1 code.
            target: The language to translate into, ISO 639-1 code.

        Yields:
            Translations of the next texts; None or the reason for one that the engine has none for.

        Raises:
            EngineStoppedError: It cannot go on. What was yielded before stays valid.
        """
        ...
