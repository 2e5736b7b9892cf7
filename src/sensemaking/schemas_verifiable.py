"""Artifacts of the verifiable evaluation and of pairwise coupling.

``sensemaking.schemas`` lists them with all others.
"""

from sensemaking.schema_types import (
    BOOLEAN,
    INTEGER,
    REAL,
    STRING,
    Artifact,
    Column,
    estimate_artifact,
    score_artifact,
    status_column,
)

DATASET = Column("dataset", STRING, "id of the data set")
DOCUMENT = Column("document", STRING, "id of the document in it")
JUDGE = Column("judge", STRING, "id of the judge; jury is the pooled model judges")
CRITERION = Column(
    "criterion", STRING, "the question that was asked", allowed=("accuracy", "completeness")
)
CONVENTION = Column(
    "convention",
    STRING,
    "how undecided answers are counted and pairs oriented",
    allowed=("default", "published"),
)
_GROUP = Column("group", STRING, "what was coupled by itself, such as a document")
_QUESTION = Column("criterion", STRING, "the question that was asked")
_METHOD = Column("method", STRING, "the coupling", allowed=("pkpd", "bradley_terry"))


def _count(name: str, meaning: str) -> Column:
    return Column(name, INTEGER, meaning, low=0)


TRUTH = Artifact(
    "verifiable/truth",
    "a summary",
    (
        DATASET,
        DOCUMENT,
        Column("item", STRING, "id of the summary in the document"),
        _count("document_number", "place of the document in the data, from 0"),
        _count("item_number", "place of the summary in the document, from 0"),
        _count("n_mentioned", "facts of the report that it mentions"),
        _count("n_wrong", "of these, those that it gives another value"),
    ),
    key=("dataset", "document", "item"),
)

PAIRS = Artifact(
    "judgements/pairs",
    "a pair asked",
    (
        DATASET,
        DOCUMENT,
        CRITERION,
        JUDGE,
        Column("a", STRING, "an item"),
        Column("b", STRING, "an item that stands behind it in the data"),
        Column("q_ab", REAL, "probability of a, a shown first", nullable=True, low=0, high=1),
        Column("q_ba", REAL, "probability of b, b shown first", nullable=True, low=0, high=1),
        status_column("ok, or why an answer is missing"),
    ),
    key=("dataset", "document", "criterion", "judge", "a", "b"),
    explained=(("q_ab", "status"), ("q_ba", "status")),
)

JUDGE_COSTS = Artifact(
    "judgements/costs",
    "a judge that asks a language model",
    (
        DATASET,
        JUDGE,
        _count("n_calls", "calls that its answers need"),
        _count("n_replies", "calls with a reply"),
        _count("n_counted", "replies of which the endpoint counted the tokens"),
        _count("prompt_tokens", "tokens of the prompts of these"),
        _count("completion_tokens", "tokens of these, hidden reasoning included"),
        Column(
            "cost_usd",
            REAL,
            "cost of the replies that count in US dollars, by the price of the configuration",
            nullable=True,
            low=0,
        ),
        status_column("ok, or why the cost is not known"),
    ),
    key=("dataset", "judge"),
    explained=(("cost_usd", "status"),),
)

STRENGTHS = Artifact(
    "couplings/strengths",
    "an item's strength",
    (
        DATASET,
        _GROUP,
        _QUESTION,
        JUDGE,
        _METHOD,
        Column("item", STRING, "the item"),
        Column(
            "strength", REAL, "its strength; sums to 1 in a component", nullable=True, low=0, high=1
        ),
        Column("se", REAL, "standard error of it (Bradley-Terry)", nullable=True, low=0),
        Column("log_strength", REAL, "logarithm, mean 0 in a component", nullable=True),
        Column("log_se", REAL, "standard error of it (Bradley-Terry)", nullable=True, low=0),
        _count("component", "number of the component in which strengths compare, from 0"),
        status_column("ok, or why there is no strength"),
    ),
    key=("dataset", "group", "criterion", "judge", "method", "item"),
    explained=(("strength", "status"),),
)

COUPLINGS = Artifact(
    "couplings/figures",
    "a coupling",
    (
        DATASET,
        _GROUP,
        _QUESTION,
        JUDGE,
        _METHOD,
        _count("n_items", "items"),
        _count("n_pairs", "pairs with an answer in both orders"),
        _count("n_missing", "pairs without"),
        Column("raw_sum", REAL, "PKPD: 1 if the answers agree with one another", nullable=True),
        Column("clip", REAL, "PKPD: what probabilities are clipped to", nullable=True, low=0),
        Column("prior", REAL, "Bradley-Terry: wins added both ways", nullable=True, low=0),
        _count("components", "parts whose strengths cannot be compared"),
        _count("iterations", "Newton steps; 0 for a closed form"),
        Column("gradient", REAL, "Bradley-Terry: greatest relative gradient", nullable=True, low=0),
        Column("converged", BOOLEAN, "whether there are strengths at the exact maximum"),
        Column("reason", STRING, "what is undefined, and why", nullable=True),
    ),
    key=("dataset", "group", "criterion", "judge", "method"),
)

JUDGE_SCORES = score_artifact(
    "scores/verifiable",
    "a document, a question, a judge, a convention and a metric",
    DATASET,
    DOCUMENT,
    CRITERION,
    JUDGE,
    CONVENTION,
)

JUDGE_ESTIMATES = estimate_artifact(
    "estimates/verifiable",
    "a question, a judge, a convention and a metric",
    DATASET,
    CRITERION,
    JUDGE,
    CONVENTION,
    clusters="documents",
    sd_ddof=0,
)
