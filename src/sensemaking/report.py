"""The index page of the report."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import pandas as pd
from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from sensemaking.figures.catalogue import Figure
from sensemaking.tables.catalogue import Entry


@dataclass(frozen=True)
class ShownTable:
    """A table on the page.

    Attributes:
        entry: Its entry in the catalogue.
        fragment: Its HTML.
        files: Format to path relative to the page.
    """

    entry: Entry
    fragment: str
    files: Mapping[str, str]


def render_index(
    template: str,
    tables: Sequence[ShownTable],
    systems: pd.DataFrame,
    sections: pd.DataFrame,
    ratings: pd.DataFrame,
    findings: pd.DataFrame,
    seed: int,
    figures: Sequence[tuple[Figure, str]] = (),
    replies: Mapping[str, pd.DataFrame] = MappingProxyType({}),
) -> str:
    """Return the page.

    Args:
        template: The Jinja template.
        tables: The tables in order.
        systems: Rows of ``systems``.
        sections: Rows of ``materials/sections``.
        ratings: Rows of ``ratings``.
        findings: Rows of ``validation/findings``.
        seed: The run's seed.
        figures: The figures in order, each with its path relative to the page.
        replies: Id of a system that a language model plays to its rows of ``raw/<stage>``.
    """
    # A broken name in the template must stop the run, not leave a hole in the page.
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    return environment.from_string(template).render(
        tables=[
            {"entry": t.entry, "fragment": Markup(t.fragment), "files": t.files} for t in tables
        ],
        systems=systems.sort_values(["role", "system"]).to_dict("records"),
        kinds=_kinds(sections),
        ratings=_ratings(ratings),
        models=_models(replies, systems),
        findings=_findings(findings),
        n_findings=len(findings),
        figures=[{"entry": figure, "path": path} for figure, path in figures],
        seed=seed,
    )


def _kinds(sections: pd.DataFrame) -> list[dict[str, object]]:
    return [
        {
            "kind": kind,
            "n_sections": len(part),
            "n_with_text": int(part["text_en"].notna().sum()),
            "n_words": int(part["n_words_en"].fillna(0).sum()),
            "origins": _counts(part["text_origin"]),
            "english_origins": _counts(part["text_en_origin"]),
            "statuses": _counts(part["status"]),
        }
        for kind, part in sections.groupby("kind")
    ]


def _counts(values: pd.Series) -> str:
    """Return each value with its number, missing ones left out."""
    return ", ".join(f"{value} {count}" for value, count in sorted(values.value_counts().items()))


def _ratings(ratings: pd.DataFrame) -> list[dict[str, object]]:
    return [
        {
            "evaluator": evaluator,
            "n": int(part["rating"].notna().sum()),
            "n_missing": int(part["rating"].isna().sum()),
        }
        for evaluator, part in ratings.groupby("evaluator")
    ]


def _models(replies: Mapping[str, pd.DataFrame], systems: pd.DataFrame) -> list[dict[str, object]]:
    """Return one line for each system of a language model: what was asked, when, and what came."""
    origins = dict(zip(systems["system"], systems["origin"], strict=True))
    return [
        {
            "system": system,
            "origin": origins[system],
            "models": _counts(raw["model"]),
            "prompts": _counts(raw["prompt"]),
            "n_calls": len(raw),
            "statuses": _counts(raw["status"]),
            # The day is enough, and the same for whoever records in an evening.
            "days": _between(raw["replied_at"].dropna().str[:10]),
            "prompt_tokens": int(raw["prompt_tokens"].fillna(0).sum()),
            "completion_tokens": int(raw["completion_tokens"].fillna(0).sum()),
        }
        for system, raw in replies.items()
    ]


def _between(days: pd.Series) -> str:
    """Return the first and the last day, or one if they are the same."""
    return " to ".join(dict.fromkeys([days.min(), days.max()])) if len(days) else "never"


def _findings(findings: pd.DataFrame) -> list[dict[str, object]]:
    """Return one line for each severity and code: how many, and the first message as example."""
    lines = []
    for (severity, code), part in findings.groupby(["severity", "code"]):
        first = part.sort_values(["file", "json_pointer"]).iloc[0]
        lines.append(
            {
                "severity": severity,
                "code": code,
                "count": len(part),
                "file": first["file"],
                "message": first["message"],
            }
        )
    order = {"error": 0, "warning": 1, "info": 2}
    return sorted(lines, key=lambda line: (order[str(line["severity"])], str(line["code"])))
