"""What the answers of a judge that asks a language model cost."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import pandas as pd

from sensemaking.statuses import OK

NO_PRICE: Final = "no_price"
OTHER_CURRENCY: Final = "price_not_in_usd"

NO_REPLY: Final = "no_reply"
"""No call has a reply."""

TOKENS_UNKNOWN: Final = "tokens_unknown"
"""The endpoint did not say how many tokens some reply took."""

_CURRENCY: Final = "USD"
_SAID: Final = ("reply", "refusal", "finish_reason")
_TOKENS: Final = ("prompt_tokens", "completion_tokens")


def cost_row(
    dataset: str, judge: str, raw: Sequence[Mapping[str, Any]], price: Mapping[str, Any] | None
) -> dict[str, Any]:
    """Return the row of ``judgements/costs`` of a judge.

    Counted are the replies that count. Attempts before them and calls that failed come on top; what
    the endpoint charged for these is not known.

    Args:
        dataset: The data set.
        judge: The judge.
        raw: Its rows of ``raw/judge``.
        price: ``input_per_million``, ``output_per_million`` and ``currency``; None if unknown.
    """
    replied = [row for row in raw if any(isinstance(row[name], str) for name in _SAID)]
    counted = [row for row in replied if not any(pd.isna(row[name]) for name in _TOKENS)]
    prompt, completion = (sum(int(row[name]) for row in counted) for name in _TOKENS)
    status, cost = OK, None
    if not replied:
        status = NO_REPLY
    elif len(counted) < len(replied):
        status = TOKENS_UNKNOWN
    elif price is None:
        status = NO_PRICE
    elif price["currency"] != _CURRENCY:
        status = OTHER_CURRENCY
    else:
        paid = prompt * price["input_per_million"] + completion * price["output_per_million"]
        cost = paid / 1e6
    return {
        "dataset": dataset,
        "judge": judge,
        "n_calls": len(raw),
        "n_replies": len(replied),
        "n_counted": len(counted),
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "cost_usd": cost,
        "status": status,
    }
