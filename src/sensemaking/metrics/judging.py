"""The metrics of judges on data with a known truth; ``sensemaking.verifiable`` computes them."""

from typing import Final

from sensemaking.metrics.declaration import Metric

_PAGE: Final = "docs/verifiable.md"
_KENDALL: Final = "Kendall 1945, The Treatment of Ties in Ranking Problems"

TAU_PKPD: Final = Metric(
    name="tau_pkpd",
    label="τ (PKPD)",
    unit="correlation",
    range=(-1.0, 1.0),
    higher_is_better=True,
    version=1,
    citation=f"{_KENDALL}; Price, Knerr, Personnaz and Dreyfus 1994, equation 7",
    description="Kendall's τ-b of truth and PKPD strengths, mean over documents.",
)
TAU_BRADLEY_TERRY: Final = Metric(
    name="tau_bradley_terry",
    label="τ (BT)",
    unit="correlation",
    range=(-1.0, 1.0),
    higher_is_better=True,
    version=1,
    citation=f"{_KENDALL}; Bradley and Terry 1952",
    description="Kendall's τ-b of truth and Bradley-Terry strengths, mean over documents.",
)
PAIRS_RIGHT: Final = Metric(
    name="pairs_right",
    label="pairs right",
    unit="share",
    range=(0.0, 1.0),
    higher_is_better=True,
    version=1,
    citation=_PAGE,
    description="Answered pairs with different truths that prefer the better item.",
)
AUC: Final = Metric(
    name="auc",
    label="AUC",
    unit="share",
    range=(0.0, 1.0),
    higher_is_better=True,
    version=1,
    citation="Mann and Whitney 1947, Ann. Math. Statist. 18, 50-60",
    description="Area under the ROC curve of the answers, documents pooled.",
)
TOP: Final = Metric(
    name="top",
    label="first item right",
    unit="share",
    range=(0.0, 1.0),
    higher_is_better=True,
    version=1,
    citation=_PAGE,
    description="Documents whose strongest item is a best one.",
)
UNDECIDED: Final = Metric(
    name="undecided",
    label="undecided",
    unit="share",
    range=(0.0, 1.0),
    higher_is_better=False,
    version=1,
    citation=_PAGE,
    description="Answered pairs with different truths that prefer neither item.",
)
POSITION_BIAS: Final = Metric(
    name="position_bias",
    label="position bias",
    unit="probability",
    range=(-0.5, 0.5),
    higher_is_better=None,
    version=1,
    citation=_PAGE,
    description="How much likelier an item is preferred for being shown first; mean over pairs.",
)
POSITION_GAP: Final = Metric(
    name="position_gap",
    label="position gap",
    unit="probability",
    range=(0.0, 1.0),
    higher_is_better=False,
    version=1,
    citation=_PAGE,
    description="How far the answers in both orders are apart; mean over pairs.",
)
CONSISTENCY: Final = Metric(
    name="consistency",
    label="consistency",
    unit="share",
    range=(0.0, 1.0),
    higher_is_better=True,
    version=1,
    citation=_PAGE,
    description="Pairs in which both orders prefer the same item.",
)
RAW_SUM: Final = Metric(
    name="raw_sum",
    label="raw sum",
    unit="sum of probabilities",
    range=(0.0, None),
    higher_is_better=None,
    version=1,
    citation="Price, Knerr, Personnaz and Dreyfus 1994, equation 7",
    description="Sum of PKPD strengths before normalising, 1 if the answers are consistent.",
)

OF_JUDGES: Final = (
    TAU_PKPD,
    TAU_BRADLEY_TERRY,
    PAIRS_RIGHT,
    AUC,
    TOP,
    UNDECIDED,
    POSITION_BIAS,
    POSITION_GAP,
    CONSISTENCY,
    RAW_SUM,
)
"""All of them."""
