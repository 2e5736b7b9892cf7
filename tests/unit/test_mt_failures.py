"""Case mt-04: what an error of the translation service means."""

import pytest

from sensemaking.mt.failures import Action, action_for


@pytest.mark.parametrize(
    ("status", "message", "action"),
    [
        (403, "User Rate Limit Exceeded", Action.RETRY),
        (403, "Daily Limit Exceeded", Action.STOP_UNTIL_TOMORROW),
        (
            403,
            "Cloud Translation API has not been used in project before",
            Action.STOP_CONFIGURATION,
        ),
        (429, "Too many requests", Action.RETRY),
        (503, "backend error", Action.RETRY),
        (400, "Too many text segments", Action.STOP_PROGRAM),
    ],
)
def test_the_six_errors_of_the_case(status: int, message: str, action: Action) -> None:
    assert action_for(status, [], message) is action


@pytest.mark.parametrize(
    ("status", "reasons", "message", "action"),
    [
        (403, ["userRateLimitExceeded"], "", Action.RETRY),
        (403, ["rateLimitExceeded"], "Quota exceeded", Action.RETRY),
        (403, ["dailyLimitExceeded"], "", Action.STOP_UNTIL_TOMORROW),
        # The wording of the service's newer quota errors.
        (
            403,
            ["rateLimitExceeded"],
            "Quota exceeded for quota metric 'general model characters' and limit 'general model "
            "characters per day' of service",
            Action.STOP_UNTIL_TOMORROW,
        ),
        (
            429,
            ["rateLimitExceeded"],
            "Quota exceeded for limit 'characters per minute per project'",
            Action.RETRY,
        ),
        (429, [], "limit 'characters per day'", Action.STOP_UNTIL_TOMORROW),
        (403, ["accessNotConfigured"], "", Action.STOP_CONFIGURATION),
        (403, ["forbidden"], "The caller does not have permission", Action.STOP_CONFIGURATION),
        (403, [], "", Action.STOP_CONFIGURATION),
        (401, [], "Request had invalid authentication credentials", Action.STOP_CONFIGURATION),
        (404, [], "Not Found", Action.STOP_CONFIGURATION),
        (400, [], "API key not valid. Please pass a valid API key.", Action.STOP_CONFIGURATION),
        (400, ["invalid"], "Bad language pair: {0}", Action.STOP_PROGRAM),
        (413, [], "Request Entity Too Large", Action.STOP_PROGRAM),
        (408, [], "Request Timeout", Action.RETRY),
        (500, [], "Internal error", Action.RETRY),
        (502, [], "Bad Gateway", Action.RETRY),
        (504, [], "Deadline exceeded", Action.RETRY),
    ],
)
def test_others_of_the_kind(status: int, reasons: list[str], message: str, action: Action) -> None:
    assert action_for(status, reasons, message) is action
