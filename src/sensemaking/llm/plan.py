"""What a live run would send: calls, tokens and an estimate of the cost."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from sensemaking.llm.calls import Call
from sensemaking.llm.sessions import Session
from sensemaking.llm.settings import Price
from sensemaking.llm.tokens import estimate_tokens, typical_tokens

NO_PRICE = "no_price"


@dataclass(frozen=True)
class Plan:
    """What a live run of some calls would send.

    Attributes:
        model: Id of the model in the configuration.
        calls: Calls in all.
        recorded: Calls whose reply is in a journal already.
        repeated: Calls that say the same as one before them, whose reply serves for both.
        to_send: Calls that would be sent, those that are asked for again left out.
        too_long: Calls that cannot be made: too long for the context.
        prompt_tokens: Tokens of the prompts to send, estimated.
        most_prompt_tokens: The same, estimated on the long side.
        reply_tokens: Tokens of their replies, estimated.
        most_reply_tokens: Tokens of their replies if each reaches its limit.
        cost: Estimated cost in ``currency``; None without a price.
        most_cost: Cost with the most tokens, if nothing is asked for again; None without a price.
        currency: Currency of both; None without a price.
        reason: ``no_price``, or None.
    """

    model: str
    calls: int
    recorded: int
    repeated: int
    to_send: int
    too_long: int
    prompt_tokens: int
    most_prompt_tokens: int
    reply_tokens: int
    most_reply_tokens: int
    cost: float | None
    most_cost: float | None
    currency: str | None
    reason: str | None


def plan(session: Session, calls: Iterable[Call]) -> Plan:
    """Return what a live run would send; nothing is sent.

    Args:
        session: A session of the mode that the run would have, or of ``replay`` to see what
            ``live-missing`` would send.
        calls: The calls.
    """
    counts: Counter[str] = Counter()
    seen: set[str] = set()
    for call in calls:
        counts["calls"] += 1
        request = call.request
        if request is None:
            counts["too_long"] += 1
        elif request.key in seen:
            counts["repeated"] += 1
        elif session.kept(request) is not None:
            counts["recorded"] += 1
        else:
            seen.add(request.key)
            counts["to_send"] += 1
            counts["prompt"] += sum(typical_tokens(text) for _, text in request.messages)
            counts["most prompt"] += sum(estimate_tokens(text) for _, text in request.messages)
            counts["reply"] += min(call.expected_tokens, request.max_tokens)
            counts["most"] += request.max_tokens
    price = session.settings.price
    return Plan(
        model=session.settings.id,
        calls=counts["calls"],
        recorded=counts["recorded"],
        repeated=counts["repeated"],
        to_send=counts["to_send"],
        too_long=counts["too_long"],
        prompt_tokens=counts["prompt"],
        most_prompt_tokens=counts["most prompt"],
        reply_tokens=counts["reply"],
        most_reply_tokens=counts["most"],
        cost=_cost(price, counts["prompt"], counts["reply"]),
        most_cost=_cost(price, counts["most prompt"], counts["most"]),
        currency=None if price is None else price.currency,
        reason=NO_PRICE if price is None else None,
    )


def describe(plan: Plan) -> str:
    """Return a plan as a line to print."""
    cost = "no price in the configuration"
    if plan.cost is not None and plan.most_cost is not None:
        cost = f"about {plan.cost:.2f} {plan.currency}, {plan.most_cost:.2f} at most"
    return (
        f"{plan.model}: {plan.to_send} of {plan.calls} calls to send ({plan.recorded} recorded, "
        f"{plan.repeated} repeated, {plan.too_long} too long); about {plan.prompt_tokens} tokens "
        f"of prompts ({plan.most_prompt_tokens} at most), {plan.reply_tokens} of replies "
        f"({plan.most_reply_tokens} at most); {cost}"
    )


def _cost(price: Price | None, prompt: int, reply: int) -> float | None:
    if price is None:
        return None
    return (prompt * price.input_per_million + reply * price.output_per_million) / 1e6
