"""The engine ``google``: Cloud Translation Basic v2 through Google's own client.

Credentials come from the environment (application default credentials), never from the
configuration. Texts are sent as plain text, since the service's default is HTML.
"""

import ipaddress
import json
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol
from urllib.parse import urlsplit

import requests
from google.api_core.exceptions import GoogleAPICallError
from google.auth.credentials import AnonymousCredentials
from google.auth.exceptions import DefaultCredentialsError, GoogleAuthError, TransportError
from google.cloud import translate_v2
from tenacity import RetryCallState, Retrying, retry_if_exception_type, stop_after_attempt

from sensemaking.mt.batching import batches, pieces
from sensemaking.mt.engines import (
    CONFIGURATION,
    DAILY_QUOTA,
    REFUSED,
    UNAVAILABLE,
    WRONG_REPLY,
    EngineStoppedError,
)
from sensemaking.mt.failures import Action, action_for

_LOG = logging.getLogger(__name__)

FORMAT: Final = "text"
MAX_SEGMENTS: Final = 128
"""Texts that a request may hold; the service refuses more."""
MOST_BYTES: Final = 100_000
"""Bytes that a request may have; the service refuses larger ones."""
DEFAULT_BYTES: Final = 30_000
"""The 5,000 characters that the service's documentation advises, if they are all Cyrillic."""


@dataclass(frozen=True)
class GoogleSettings:
    """How the service is used.

    Attributes:
        model: ``nmt``, ``base``, or null for the service's own choice.
        max_bytes: Most bytes of the body of a request, 1,000 to 100,000.
        attempts: How often a request is tried if the service is busy.
        first_wait_s: Seconds before the second attempt; each further wait is twice as long.
        longest_wait_s: Most seconds of a wait. Limits per minute need a wait of over a minute.
        api_endpoint: Another endpoint, such as a local server for tests; null for Google's. One
            on this machine is asked without credentials.

    Raises:
        ValueError: A number is out of range, or the endpoint would send credentials unencrypted.
    """

    model: str | None = None
    max_bytes: int = DEFAULT_BYTES
    attempts: int = 8
    first_wait_s: float = 1.0
    longest_wait_s: float = 64.0
    api_endpoint: str | None = None

    def __post_init__(self) -> None:
        """Refuse what the service would."""
        if not 1_000 <= self.max_bytes <= MOST_BYTES:
            raise ValueError(f"max_bytes must be 1000 to {MOST_BYTES}, not {self.max_bytes}")
        if self.attempts < 1 or self.first_wait_s < 0 or self.longest_wait_s < self.first_wait_s:
            raise ValueError(
                "expected at least 1 attempt and 0 ≤ first_wait_s ≤ longest_wait_s, found "
                f"{self.attempts}, {self.first_wait_s} and {self.longest_wait_s}"
            )
        encrypted = urlsplit(self.api_endpoint or "https:").scheme == "https"
        if not encrypted and not self.is_local:
            raise ValueError(
                f"api_endpoint is {self.api_endpoint!r}; expected https://…, or http:// and "
                "this machine, such as http://127.0.0.1:8080"
            )

    @property
    def is_local(self) -> bool:
        """Whether the endpoint is on this machine."""
        host = urlsplit(self.api_endpoint or "").hostname or ""
        if host == "localhost":
            return True
        try:
            return ipaddress.ip_address(host).is_loopback
        except ValueError:
            return False


class Client(Protocol):
    """The one call of ``google.cloud.translate_v2.Client`` that is made."""

    def translate(
        self,
        values: Sequence[str],
        target_language: str | None = None,
        format_: str | None = None,
        source_language: str | None = None,
        customization_ids: Sequence[str] = (),
        model: str | None = None,
    ) -> Any:
        """Return a list with a mapping for each value; ``translatedText`` is the translation."""
        ...


class _BusyError(Exception):
    """A call may succeed if it is made again.

    Attributes:
        wait_s: How long the service asks to wait, in seconds, or None.
    """

    def __init__(self, message: str, wait_s: float | None = None) -> None:
        super().__init__(message)
        self.wait_s = wait_s


class GoogleEngine:
    """Cloud Translation Basic v2.

    Attributes:
        name: ``google``.
        keeps_journal: True, since each character is paid for.
        replays: False: it has no recordings but the journal.
    """

    name = "google"
    keeps_journal = True
    replays = False

    def __init__(self, settings: GoogleSettings, client: Client | None = None) -> None:
        """Prepare the engine; credentials are looked for when the first text is sent.

        Args:
            settings: How the service is used.
            client: A client to use; by default one is made with the environment's credentials.
        """
        self._settings = settings
        self._client = client

    @property
    def settings(self) -> Mapping[str, str]:
        """Model and format: with the languages and the text, all that fixes a translation."""
        return {"format": FORMAT, "model": self._settings.model or ""}

    def pieces(self, text: str, language: str) -> list[str]:
        """Return the text, or pieces of it of which each fits into a request."""
        room = self._settings.max_bytes - self._envelope("xxx", "xxx")
        return pieces(text, language, room)

    def translate(
        self, texts: Sequence[str], source: str, target: str
    ) -> Iterator[Sequence[str | None]]:
        """Yield the translations request by request; see ``Engine.translate``."""
        if not texts:
            return
        client = self._connected()
        for batch in batches(
            texts,
            envelope=self._envelope(source, target),
            max_bytes=self._settings.max_bytes,
            max_segments=MAX_SEGMENTS,
        ):
            yield self._request(client, [texts[position] for position in batch], source, target)

    def _envelope(self, source: str, target: str) -> int:
        body: dict[str, Any] = {
            "target": target,
            "q": [],
            "cid": [],
            "format": FORMAT,
            "source": source,
            "model": self._settings.model,
        }
        return len(json.dumps(body))

    def _connected(self) -> Client:
        if self._client is None:
            options = None
            if self._settings.api_endpoint is not None:
                options = {"api_endpoint": self._settings.api_endpoint}
            try:
                self._client = translate_v2.Client(
                    credentials=_anonymous() if self._settings.is_local else None,
                    client_options=options,
                )
            except DefaultCredentialsError as error:
                raise EngineStoppedError(
                    CONFIGURATION,
                    "no Google credentials in the environment; set GOOGLE_APPLICATION_CREDENTIALS "
                    f"to the path of a service account's key file ({error})",
                ) from error
        return self._client

    def _request(
        self, client: Client, texts: list[str], source: str, target: str
    ) -> list[str | None]:
        settings = self._settings
        retrying = Retrying(
            retry=retry_if_exception_type(_BusyError),
            stop=stop_after_attempt(settings.attempts),
            wait=_waiting(settings.first_wait_s, settings.longest_wait_s),
            before_sleep=_log_wait,
            reraise=True,
        )
        try:
            reply = retrying(self._call, client, texts, source, target)
        except _BusyError as error:
            raise EngineStoppedError(
                UNAVAILABLE,
                f"the translation service did not answer in {settings.attempts} attempts: {error}; "
                "run the same command again later, finished texts are kept",
            ) from error
        return _texts_of(reply, len(texts))

    def _call(self, client: Client, texts: list[str], source: str, target: str) -> Any:
        try:
            return client.translate(
                texts,
                target_language=target,
                format_=FORMAT,
                source_language=source,
                model=self._settings.model,
            )
        except GoogleAPICallError as error:
            raise _meaning(error) from error
        # A reply that is no JSON is an error of requests, too, but was paid for.
        except requests.exceptions.JSONDecodeError as error:
            raise EngineStoppedError(
                WRONG_REPLY, f"the reply is not JSON: {error}; check api_endpoint and any proxy"
            ) from error
        except (TransportError, requests.exceptions.RequestException) as error:
            raise _BusyError(f"{type(error).__name__}: {error}") from error
        except GoogleAuthError as error:
            raise EngineStoppedError(
                CONFIGURATION, f"Google refuses the credentials of the environment: {error}"
            ) from error
        except (ValueError, AttributeError, TypeError) as error:
            # The client raises these for a reply of another form or with another count.
            raise EngineStoppedError(
                WRONG_REPLY,
                f"the reply to {len(texts)} texts does not fit: {error!r:.200}; none of them is "
                "used, since it is not sure which translation belongs to which text",
            ) from error


def _anonymous() -> AnonymousCredentials:
    return AnonymousCredentials()  # type: ignore[no-untyped-call]


def _meaning(error: GoogleAPICallError) -> Exception:
    status = int(error.code or 0)
    reasons = [str(detail.get("reason", "")) for detail in error.errors if isinstance(detail, dict)]
    message = str(error.message)
    said = f"HTTP {status}: {message}"
    action = action_for(status, reasons, message)
    if action is Action.RETRY:
        return _BusyError(said, _retry_after(error))
    if action is Action.STOP_UNTIL_TOMORROW:
        return EngineStoppedError(
            DAILY_QUOTA,
            f"the daily quota of the translation service is used up ({said}); it is renewed at "
            "midnight Pacific time. Run the same command again then: finished texts are kept and "
            "not paid for twice",
        )
    if action is Action.STOP_CONFIGURATION:
        return EngineStoppedError(
            CONFIGURATION,
            f"the translation service refuses this project or its credentials ({said}); enable "
            "the Cloud Translation API for the project and check the credentials",
        )
    return EngineStoppedError(REFUSED, f"the translation service refuses the request ({said})")


def _retry_after(error: GoogleAPICallError) -> float | None:
    headers = getattr(error.response, "headers", None) or {}
    value = str(headers.get("Retry-After", "")).strip()
    return float(value) if value.isdecimal() else None


def _waiting(first_s: float, longest_s: float) -> Callable[[RetryCallState], float]:
    def wait(state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome is not None else None
        asked = error.wait_s if isinstance(error, _BusyError) and error.wait_s is not None else 0.0
        return float(min(max(first_s * 2 ** (state.attempt_number - 1), asked), longest_s))

    return wait


def _log_wait(state: RetryCallState) -> None:
    error = state.outcome.exception() if state.outcome is not None else None
    _LOG.warning(
        "attempt %d failed (%s); the next follows in %.3g s",
        state.attempt_number,
        error,
        state.upcoming_sleep,
    )


def _texts_of(reply: Any, expected: int) -> list[str | None]:
    if not isinstance(reply, list) or len(reply) != expected:
        found = len(reply) if isinstance(reply, list) else type(reply).__name__
        raise EngineStoppedError(
            WRONG_REPLY, f"{expected} texts were sent and {found} translations came back"
        )
    texts: list[str | None] = []
    for number, item in enumerate(reply):
        text = item.get("translatedText") if isinstance(item, dict) else None
        if not isinstance(text, str):
            raise EngineStoppedError(
                WRONG_REPLY, f"translation {number} of {expected} has no translatedText: {item!r}"
            )
        texts.append(text)
    return texts
