"""Judges with a local model for real: the smallest of models, three calls."""

from pathlib import Path

from local_model import needs_local_model

from sensemaking.llm import LanguageModel, session
from sensemaking.llm.calls import ask_all
from sensemaking.llm.models import SMOLLM2
from sensemaking.llm.raw_rows import tokens_of, value_of
from sensemaking.verifiable import Document, llm_pairwise, llm_pointwise
from sensemaking.verifiable.letters import letter_in

pytestmark = needs_local_model

PROMPTS = [Path(__file__).parents[2] / "resources/prompts"]
MODEL = LanguageModel(
    id="smoke",
    model=SMOLLM2.name,
    base_url="local",
    context_tokens=2048,
    max_tokens=24,
    threads=1,
    concurrency=1,
    attempts=1,
    seed=1,
)
SMALL = Document(
    "X",
    ("a", "b"),
    source="The mill was built in 1850. It has three wheels. Its owner is Ada Nub.",
    texts=("The mill was built in 1850. It has three wheels.", "The mill was built in 1750."),
)


def test_a_local_model_gives_log_probabilities_and_counts_that_can_be_read(tmp_path: Path) -> None:
    pairwise = llm_pairwise.pairwise_prompt("pairwise", PROMPTS)
    pointwise = llm_pointwise.pointwise_prompt("pointwise", PROMPTS)
    calls = [
        *llm_pairwise.prepare([SMALL], MODEL, pairwise, answer_from="logprobs")[:2],
        llm_pointwise.prepare([SMALL], MODEL, pointwise)[0],
    ]
    with session(MODEL, journal=tmp_path / "journal.jsonl", mode="live-missing") as opened:
        raw = ask_all(opened, calls)
        assert opened.tally().asked == len(calls) == 3
    for row in raw[:2]:
        tokens = tokens_of(row)
        assert tokens
        assert len(tokens[0].alternatives) == MODEL.top_logprobs
    # So small a model may name no letter; then there is no answer, and never a guess.
    (answer, _) = llm_pairwise.parse([SMALL], raw[:2], answer_from="logprobs").answers
    for q, row in zip((answer.q_ab, answer.q_ba), raw[:2], strict=True):
        assert q is None or letter_in(row["reply"]) is not None
    assert set(value_of(raw[2])) == {"mentioned", "wrong"}
