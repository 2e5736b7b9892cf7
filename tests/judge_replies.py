"""What a model that counts facts would reply to the prompts of judges, for the fake endpoint."""

import json
import math
import re
from typing import Any, NamedTuple

from sensemaking.verifiable.statements import sentences
from tests.fake_llm_server import Completion, Request, token_logprobs


class Shown(NamedTuple):
    """What a prompt shows.

    Attributes:
        source: The report.
        items: The summaries, with their names in the prompt.
        question: The criterion that is asked about; None if the prompt asks for counts.
    """

    source: str
    items: list[dict[str, Any]]
    question: str | None


def shown_in(request: Request) -> Shown:
    """Return what the prompt of a judge shows."""
    user = request.json["messages"][-1]["content"]
    source = re.search(r"^<<< ([0-9a-f]{12})\n(.*?)\n\1 >>>$", user, re.DOTALL | re.MULTILINE)
    assert source is not None
    rest = user[source.end() :]
    items = re.search(r"^\[\n(\{.*?\})\n\]$", rest, re.DOTALL | re.MULTILINE)
    assert items is not None
    question = None
    if "contradicts the source less" in user:
        question = "accuracy"
    elif "mentions more of the facts" in user:
        question = "completeness"
    return Shown(source[2], json.loads(f"[{items[1]}]"), question)


def counts_in(source: str, text: str) -> dict[str, int]:
    """Return how many sentences a summary has, and how many of them the report lacks."""
    stated = set(sentences(text))
    return {"mentioned": len(stated), "wrong": len(stated - set(sentences(source)))}


def letters(p_a: float, mass: float = 1.0) -> Completion:
    """Return a reply that is a letter: A with this share of the mass of both letters."""
    shares = {"A": mass * p_a, "B": mass * (1 - p_a), "Both": 1 - mass}
    logprobs = {name: math.log(share) for name, share in shares.items() if share > 0}
    letter = "A" if p_a >= 0.5 else "B"
    return Completion(letter, logprobs=token_logprobs([(letter, logprobs)]))


def judge_by_counting(request: Request) -> Completion:
    """Answer any prompt of a judge as one that counts sentences, a little for what comes first."""
    shown = shown_in(request)
    counts = [counts_in(shown.source, item.get("text") or item["summary"]) for item in shown.items]
    if shown.question is None:
        return Completion(json.dumps(counts[0]))
    first, second = counts
    ahead = first["mentioned"] - second["mentioned"]
    if shown.question == "accuracy":
        ahead = second["wrong"] - first["wrong"]
    return letters(1 / (1 + math.exp(-ahead - 0.25)))
