"""The words for what became of a call of a model, and of an item in its reply.

``sensemaking.statuses.OK`` says that there is a reply that can be used.
"""

from typing import Final

TRUNCATED: Final = "truncated"
"""The reply was cut by a limit on its length."""

REFUSAL: Final = "refusal"
"""The model declined."""

CONTENT_FILTER: Final = "content_filter"
"""A filter of the endpoint held the reply, or the prompt, back."""

EMPTY_REPLY: Final = "empty_reply"
"""The model replied with no text."""

UNREADABLE: Final = "unreadable_reply"
"""A JSON value was asked for, and none can be surely read in the reply."""

SCHEMA_MISMATCH: Final = "schema_mismatch"
"""The reply is JSON, but not of the form that was asked for."""

WRONG_ITEMS: Final = "wrong_items"
"""The reply has other items than were asked for, so none can surely be joined."""

SCALE_SUSPECT: Final = "scale_suspect"
"""Some grades in the reply are on another scale than was asked for, so all of them may be."""

MISSING_ITEM: Final = "missing_item"
"""The reply has nothing for this item, though for others."""

INVALID_ITEM: Final = "unusable_item"
"""What the reply has for this item is not of the form that was asked for."""

NO_LOGPROBS: Final = "no_logprobs"
"""The endpoint gave no log-probabilities where they are needed."""

CONTEXT_TOO_LONG: Final = "context_too_long"
"""The prompt is longer than the model's context."""

RATE_LIMITED: Final = "rate_limited"
"""The endpoint was too busy in all tries (HTTP 429)."""

SERVER_ERROR: Final = "server_error"
"""The endpoint failed in all tries (HTTP 5xx)."""

TIMEOUT: Final = "timeout"
"""The endpoint did not answer in time in all tries."""

NO_CONNECTION: Final = "no_connection"
"""The connection failed or broke off in all tries."""

MALFORMED: Final = "malformed_response"
"""What came back is not a response of the protocol, in all tries."""

BAD_REQUEST: Final = "bad_request"
"""The endpoint calls the request wrong (HTTP 4xx)."""

NOT_RECORDED: Final = "not_recorded"
"""Only recorded replies are used, and this one is not recorded."""

FAILED_CALLS: Final = frozenset(
    {
        CONTENT_FILTER,
        CONTEXT_TOO_LONG,
        RATE_LIMITED,
        SERVER_ERROR,
        TIMEOUT,
        NO_CONNECTION,
        MALFORMED,
        BAD_REQUEST,
        NOT_RECORDED,
    }
)
"""Statuses of a call that brought no reply; ``content_filter`` may be one or a reply's."""
