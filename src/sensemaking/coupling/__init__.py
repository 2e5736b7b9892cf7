"""Coupling of pairwise comparisons into one strength per item.

Docs: ``docs/coupling.md``.
"""

from sensemaking.coupling.connectivity import components, limit_levels
from sensemaking.coupling.likelihood import BradleyTerryResult, bradley_terry
from sensemaking.coupling.newton import NotConvergedError
from sensemaking.coupling.price import MissingPairsError, PkpdResult, pkpd
from sensemaking.coupling.votes import (
    Tally,
    position_gap,
    symmetrise,
    tally,
    wins_from_answers,
    wins_from_rankings,
)

__all__ = [
    "BradleyTerryResult",
    "MissingPairsError",
    "NotConvergedError",
    "PkpdResult",
    "Tally",
    "bradley_terry",
    "components",
    "limit_levels",
    "pkpd",
    "position_gap",
    "symmetrise",
    "tally",
    "wins_from_answers",
    "wins_from_rankings",
]
