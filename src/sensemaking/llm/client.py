"""One call of an OpenAI-compatible endpoint: sent again while that makes sense, never parsed here.

This module alone imports the ``openai`` package.
"""

import json
import logging
import random
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC
from email.utils import parsedate_to_datetime
from types import TracebackType
from typing import Any, Final, Self

import openai
from tenacity import RetryCallState, Retrying, retry_if_exception_type, stop_after_attempt
from tenacity.nap import sleep_using_event
from tenacity.stop import stop_when_event_set

from sensemaking.llm.credentials import NO_KEY, Redactor
from sensemaking.llm.errors import (
    CREDENTIALS,
    NO_CREDIT,
    NOT_FOUND,
    UNAVAILABLE,
    ModelStoppedError,
)
from sensemaking.llm.failures import Failure, error_of, from_status
from sensemaking.llm.parameters import Refused, parameters, shown
from sensemaking.llm.reply import Reply, is_response, read_reply
from sensemaking.llm.request import Request
from sensemaking.llm.settings import LanguageModel
from sensemaking.llm.statuses import BAD_REQUEST, MALFORMED, NO_CONNECTION, SERVER_ERROR, TIMEOUT

_LOG = logging.getLogger(__name__)
_ADVICE: Final[Mapping[str, str]] = {
    CREDENTIALS: "check the key in the environment variable {key} and what it may be used for",
    NO_CREDIT: "the account has no credit or quota left; top it up and run the same command again",
    NOT_FOUND: "check base_url and model",
    UNAVAILABLE: "run the same command again",
}


_CONNECT_S: Final = 20.0
"""Seconds until a connection must stand."""


class _FailedError(Exception):
    """A call failed.

    Attributes:
        failure: What that means.
    """

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


class _BusyError(_FailedError):
    """A call failed and may succeed if it is sent again."""


class Client:
    """Sends requests to one model. Threads may share it.

    Attributes:
        stopping: Once set, calls are not sent again any more.
    """

    def __init__(
        self,
        settings: LanguageModel,
        key: str | None,
        base_url: str,
        trouble: Callable[[], str | None] = lambda: None,
    ) -> None:
        """Prepare the client; nothing is sent.

        Args:
            settings: The model's settings.
            key: The endpoint's key, or None.
            base_url: The address that is really used.
            trouble: Says after a call without an answer why no other can have one; None if one
                may.
        """
        self.stopping = threading.Event()
        self._settings = settings
        self._trouble = trouble
        self._redact = Redactor(key)
        self._refused = Refused()
        self._lock = threading.Lock()
        self._sent = 0
        self._openai = openai.OpenAI(
            api_key=key or NO_KEY,
            base_url=base_url,
            timeout=openai.Timeout(settings.timeout_s, connect=min(settings.timeout_s, _CONNECT_S)),
            # Tries are counted here, so that what was sent adds up.
            max_retries=0,
            # A proxy of the environment cannot reach this machine's own ports.
            http_client=openai.DefaultHttpxClient(trust_env=not settings.on_this_machine),
        )

    @property
    def sent(self) -> int:
        """How many calls have been sent, tries included."""
        with self._lock:
            return self._sent

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the connections."""
        self._openai.close()

    def ask(self, request: Request) -> Reply | Failure:
        """Send a request until it is answered, or fails for good.

        Args:
            request: What to ask.

        Returns:
            The reply, usable or not; or what the last failure means.

        Raises:
            ModelStoppedError: No request to this endpoint can succeed.
        """
        settings = self._settings
        retrying = Retrying(
            retry=retry_if_exception_type(_BusyError),
            stop=stop_after_attempt(settings.tries) | stop_when_event_set(self.stopping),
            wait=_waiting(settings.first_wait_s, settings.longest_wait_s),
            sleep=sleep_using_event(self.stopping),
            before_sleep=_log_wait,
            reraise=True,
        )
        failure: Failure
        try:
            reply: Reply = retrying(self._adapted, request)
        except _FailedError as error:
            failure = error.failure
        else:
            return reply
        if failure.stop is not None:
            advice = _ADVICE[failure.stop].format(key=settings.api_key_env)
            raise ModelStoppedError(
                failure.stop,
                f"{settings.endpoint_name} takes no call of {settings.model!r} any more "
                f"({failure.message}); {advice}. Replies so far are kept",
            )
        return failure

    def _adapted(self, request: Request) -> Reply:
        """Send a request; where a parameter is refused, once more without it."""
        while True:
            sent, notes = parameters(request, self._refused)
            try:
                return self._once(request, sent, notes)
            except _FailedError as error:
                failure = error.failure
                may_adapt = failure.status == BAD_REQUEST and failure.stop is None
                if not may_adapt or not self._refused.learn(failure, sent):
                    raise
                _LOG.warning(
                    "%s refuses a parameter (%s); it is left out from now on",
                    self._settings.endpoint_name,
                    failure.message,
                )

    def _once(self, request: Request, sent: Mapping[str, Any], notes: tuple[str, ...]) -> Reply:
        with self._lock:
            self._sent += 1
        begin = time.monotonic()
        body = self._body(sent)
        if not is_response(body):
            error = error_of(body)
            if not isinstance(body, dict) or "error" not in body:
                said = f"the response has no choices: {str(body)[:200]!r}"
                raise _BusyError(Failure(MALFORMED, said, again=True))
            # Some gateways report failures with HTTP 200.
            code = error.get("code")
            status = code if isinstance(code, int) and 400 <= code <= 599 else 500
            raise _meant(from_status(status, body))
        reply = read_reply(
            body,
            request.key,
            expects_json=request.schema is not None,
            logprobs=request.logprobs,
            prompt_bytes=sum(len(text.encode()) for _, text in request.messages),
            parameters=shown(sent),
            notes=notes,
            seconds=round(time.monotonic() - begin, 3),
            attempt=request.attempt,
        )
        if reply.finish_reason == "error":
            raise _BusyError(Failure(SERVER_ERROR, "finish_reason is error", again=True))
        if self._redact.found_in(token.token for token in reply.tokens or ()):
            # In pieces the key is in no text, but whoever joins the tokens would have it.
            reply = replace(reply, tokens=None)
        return reply

    def _body(self, sent: Mapping[str, Any]) -> Any:
        """Return the body of the response as JSON, without the key in it."""
        known = {name: value for name, value in sent.items() if name in _KNOWN}
        extra = {name: value for name, value in sent.items() if name not in _KNOWN}
        failure: Failure
        try:
            raw = self._openai.chat.completions.with_raw_response.create(
                **known, extra_body=extra or None
            )
            text = raw.http_response.text
        except openai.APIStatusError as error:
            wait_s = _asked_wait(error.response.headers)
            body = self._redact.value(error.body if error.body else error.response.text)
            failure = from_status(error.status_code, body, wait_s)
        except openai.APITimeoutError:
            failure = Failure(
                TIMEOUT, f"no sign of life for {self._settings.timeout_s:g} s", again=True
            )
        except openai.APIConnectionError as error:
            cause = error.__cause__ or error
            said = self._redact.text(f"{type(cause).__name__}: {cause}")
            failure = Failure(NO_CONNECTION, said, again=True)
        except openai.OpenAIError as error:
            said = self._redact.text(f"{type(error).__name__}: {error}")
            failure = Failure(MALFORMED, said, again=True)
        else:
            try:
                return self._redact.value(json.loads(text))
            except (ValueError, RecursionError):
                said = self._redact.text(text)[:200]
                failure = Failure(MALFORMED, f"the response is not JSON: {said!r}", again=True)
        if failure.status in (NO_CONNECTION, TIMEOUT) and (trouble := self._trouble()):
            failure = Failure(NO_CONNECTION, trouble, stop=UNAVAILABLE)
        # Outside of the handlers, so that no exception that knows the key is the cause.
        raise _meant(failure)


_KNOWN: Final = frozenset(
    {
        *("model", "messages", "temperature", "top_p", "seed", "max_tokens", "logprobs"),
        *("max_completion_tokens", "top_logprobs", "response_format"),
    }
)


def _meant(failure: Failure) -> _FailedError:
    return _BusyError(failure) if failure.again else _FailedError(failure)


def _asked_wait(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that the endpoint asks to wait, or None."""
    milliseconds = headers.get("retry-after-ms", "").strip()
    if milliseconds.isdecimal():
        return int(milliseconds) / 1000
    value = headers.get("retry-after", "").strip()
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        when = parsedate_to_datetime(value)
    except ValueError:
        return None
    if when.tzinfo is None:
        # "-0000": the time is UTC, and nobody knows where.
        when = when.replace(tzinfo=UTC)
    return max(0.0, when.timestamp() - time.time())


def _waiting(first_s: float, longest_s: float) -> Callable[[RetryCallState], float]:
    def wait(state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome is not None else None
        asked = error.failure.wait_s if isinstance(error, _BusyError) else None
        # Calls that failed together must not come back together.
        spread = random.uniform(1.0, 1.25)
        wanted = first_s * 2 ** (state.attempt_number - 1) * spread
        return float(min(max(wanted, asked or 0.0), longest_s))

    return wait


def _log_wait(state: RetryCallState) -> None:
    error = state.outcome.exception() if state.outcome is not None else None
    _LOG.warning(
        "try %d failed (%s); the next follows in %.3g s",
        state.attempt_number,
        error,
        state.upcoming_sleep,
    )
