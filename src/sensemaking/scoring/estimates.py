"""From scores of items to means of groups, each with its count, spread and interval."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from sensemaking.scoring.correlation_interval import pearson_interval
from sensemaking.seeds import generator
from sensemaking.stats import mean_interval

ALL = "all"
NO_ITEMS = "no items"


class Group(NamedTuple):
    """A group of sections: a kind, a sub-kind of it, or all."""

    kind: str
    sub_kind: str


class Settings(NamedTuple):
    """The seed of the run and the number of bootstrap draws."""

    seed: int
    draws: int


def groups(kinds: Sequence[tuple[str, Sequence[str]]]) -> list[Group]:
    """Return a group for each kind, each of its sub-kinds, and all; in that order.

    Args:
        kinds: Kind and its sub-kinds.
    """
    result = []
    for kind, sub_kinds in kinds:
        result.append(Group(kind, ALL))
        result += [Group(kind, sub_kind) for sub_kind in sub_kinds]
    return [*result, Group(ALL, ALL)]


def estimate_means(
    items: pd.DataFrame,
    systems: Sequence[str],
    groups: Sequence[Group],
    *,
    subset: str,
    metric: str,
    settings: Settings,
    imputed: frozenset[str] = frozenset(),
) -> list[dict[str, Any]]:
    """Return a row of ``estimates`` for every system and group, a complete grid.

    Args:
        items: One row per item: system, section_id, kind, sub_kind, value (NaN is missing) and
            status.
        systems: The systems in order.
        groups: The groups in order.
        subset: Which items these are, as it shall be called.
        metric: The metric, as it shall be called.
        settings: Seed and draws.
        imputed: Statuses of missing items that count as 0; all others are left out and counted.
    """
    values = items.assign(imputed=items["value"].isna() & items["status"].isin(imputed))
    values.loc[values["imputed"], "value"] = 0.0
    rows = []
    for system in systems:
        own = values[values["system"] == system]
        for group, part in _parts(own, groups):
            purpose = f"interval of {metric} ({subset})"
            rng = generator(settings.seed, purpose, "\x1f".join([system, *group]))
            found = mean_interval(
                part["value"].to_numpy(float), part["section_id"], rng, draws=settings.draws
            )
            rows.append(
                {
                    "system": system,
                    "kind": group.kind,
                    "sub_kind": group.sub_kind,
                    "subset": subset,
                    "metric": metric,
                    "mean": found.value,
                    "sd": found.sd,
                    "n": found.n,
                    "n_missing": found.n_missing,
                    "n_imputed": int(part["imputed"].sum()),
                    "n_clusters": found.n_clusters,
                    "ci_low": found.ci_low,
                    "ci_high": found.ci_high,
                    "reason": _why_empty(part) if found.value is None else found.reason,
                }
            )
    return rows


def estimate_correlations(
    items: pd.DataFrame,
    systems: Sequence[str],
    *,
    item_key: str,
    subset: str,
    metric: str,
    settings: Settings,
) -> list[dict[str, Any]]:
    """Return a row of ``estimates/correlations`` for every ordered pair of different systems.

    Items that one of the two lacks are left out and counted: pairwise complete.

    Args:
        items: One row per system and item: system, the item's key, section_id, value.
        systems: The systems in order.
        item_key: Name of the column that tells which item it is.
        subset: Which items these are, as it shall be called.
        metric: The metric that is correlated.
        settings: Seed and draws.
    """
    wide = items.pivot(index=item_key, columns="system", values="value").sort_index()
    sections = items.drop_duplicates(item_key).set_index(item_key)["section_id"]
    rows = []
    for system in systems:
        for versus in systems:
            if system == versus:
                continue
            first, second = sorted((system, versus))
            x, y = (
                wide[name].to_numpy(float) if name in wide else np.full(len(wide), np.nan)
                for name in (first, second)
            )
            # Drawn for the pair, whichever way round it is shown.
            rng = generator(settings.seed, f"interval of r of {metric}", f"{first}\x1f{second}")
            found = pearson_interval(
                x, y, list(sections.loc[wide.index]), rng, draws=settings.draws
            )
            rows.append(
                {
                    "system": system,
                    "versus": versus,
                    "kind": ALL,
                    "sub_kind": ALL,
                    "subset": subset,
                    "metric": f"pearson_{metric}",
                    "mean": found.value,
                    "sd": None,
                    "n": found.n,
                    "n_missing": found.n_missing,
                    "n_imputed": 0,
                    "n_clusters": found.n_clusters,
                    "ci_low": found.ci_low,
                    "ci_high": found.ci_high,
                    "reason": found.reason,
                }
            )
    return rows


def _parts(items: pd.DataFrame, groups: Sequence[Group]) -> Iterator[tuple[Group, pd.DataFrame]]:
    for group in groups:
        part = items
        if group.kind != ALL:
            part = part[part["kind"] == group.kind]
        if group.sub_kind != ALL:
            part = part[part["sub_kind"] == group.sub_kind]
        yield group, part


def _why_empty(part: pd.DataFrame) -> str:
    """Return why a group has no mean: it has no items, or what their statuses say."""
    if part.empty:
        return NO_ITEMS
    statuses = sorted(set(part["status"]))
    return ", ".join(status.replace("_", " ") for status in statuses)
