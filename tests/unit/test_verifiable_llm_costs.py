"""What a judge that asks a language model costs, by hand."""

from pathlib import Path
from typing import Any

import pytest

from sensemaking.io import artifacts
from sensemaking.schemas import JUDGE_COSTS
from sensemaking.verifiable.llm_costs import cost_row

PRICE = {"input_per_million": 2.0, "output_per_million": 8.0, "currency": "USD"}


def used(prompt: int | None, completion: int | None, reply: str | None = "A") -> dict[str, Any]:
    return {
        "reply": reply,
        "refusal": None,
        "finish_reason": None,
        "prompt_tokens": prompt,
        "completion_tokens": completion,
    }


@pytest.mark.parametrize(
    ("raw", "price", "cost", "status"),
    [
        # 300 tokens at 2 and 5 at 8 dollars for a million.
        ([used(100, 2), used(200, 3)], PRICE, (300 * 2 + 5 * 8) / 1e6, "ok"),
        ([used(100, 2), used(None, None, None)], PRICE, (100 * 2 + 2 * 8) / 1e6, "ok"),
        ([used(100, 2), used(200, None)], PRICE, None, "tokens_unknown"),
        ([used(None, None, None)], PRICE, None, "no_reply"),
        ([used(100, 2)], None, None, "no_price"),
        ([used(100, 2)], {**PRICE, "currency": "EUR"}, None, "price_not_in_usd"),
        ([used(100, 2)], {**PRICE, "input_per_million": 0, "output_per_million": 0}, 0.0, "ok"),
    ],
)
def test_cost_is_the_price_of_the_tokens_that_were_counted_or_null(
    tmp_path: Path,
    raw: list[dict[str, Any]],
    price: dict[str, Any] | None,
    cost: float | None,
    status: str,
) -> None:
    row = cost_row("set", "j", raw, price)
    assert row["cost_usd"] == (None if cost is None else pytest.approx(cost, rel=1e-12))
    assert row["status"] == status
    artifacts.write(JUDGE_COSTS, tmp_path / "costs.parquet", [row])
