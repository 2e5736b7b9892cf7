"""Scores of question sets: a section, a Teacher and a metric each (tables 1 to 3)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from sensemaking.ids import GENUINE
from sensemaking.metrics.declaration import Metric
from sensemaking.metrics.teacher import (
    COVERAGE,
    DIVERSITY,
    DIVERSITY_MEAN,
    RELEVANCE_MEAN,
    RELEVANCE_SUM,
    coverage_bits,
    diversity_mean_nats,
    diversity_nats,
    joint,
    relevance,
    relevance_mean,
    relevance_sum,
)
from sensemaking.question_texts import texts_of
from sensemaking.seeds import generator
from sensemaking.statistic import Statistic
from sensemaking.stats import ranks
from sensemaking.statuses import NEVER_ASKED, NO_TEXT_EN, NOT_TRANSLATED, OK
from sensemaking.systems import in_tables
from sensemaking.text_key import text_sha256

N_QUESTIONS = Metric(
    name="n_questions",
    label="Questions",
    unit="questions",
    range=(0.0, None),
    higher_is_better=None,
    version=1,
    citation="a count",
    description="Questions of the set that have a text.",
)
RANKED = ("relevance", "coverage", "diversity")
"""The metrics that tables 1 to 3 rank, in their order."""

RANK_VERSION = "1"
ABSENT = "absent"
UNRANKED = "section_not_ranked"


@dataclass(frozen=True)
class TeacherSettings:
    """The settings of the metrics; the configuration explains them."""

    sign: int = 1
    floor: float = 1e-9
    relevance: str = "sum"


@dataclass(frozen=True)
class QuestionSetOfSection:
    """What a Teacher asked about one section.

    Attributes:
        vectors: Q × D embeddings of the questions that have a text.
        n_unknown: Questions that are not known here through no fault of the Teacher: they have
            no English text, or a call of a language model failed or was not recorded.
        why: The status of the first of those.
    """

    vectors: npt.NDArray[np.float32]
    n_unknown: int = 0
    why: str = NOT_TRANSLATED


def rank_name(metric: str) -> str:
    """Return the name of the rank by a metric."""
    return f"rank_{metric}"


def score_set(
    asked: QuestionSetOfSection, windows: npt.NDArray[np.float32], settings: TeacherSettings
) -> dict[str, tuple[Metric, Statistic]]:
    """Return all metrics of one set by name.

    Args:
        asked: The questions.
        windows: W × D embeddings of the section's windows, of length 1 as those of questions.
        settings: The settings.
    """
    # float64, so that the rounding to 6 decimals is not that of float32 products.
    similarity = asked.vectors.astype(np.float64) @ windows.astype(np.float64).T
    r = relevance(similarity, settings.sign)
    p = joint(r, settings.floor)
    computed = (
        (RELEVANCE_SUM, relevance_sum(r)),
        (RELEVANCE_MEAN, relevance_mean(r)),
        (COVERAGE, coverage_bits(p)),
        (DIVERSITY, diversity_nats(p)),
        (DIVERSITY_MEAN, diversity_mean_nats(p)),
    )
    return {metric.name: (metric, statistic) for metric, statistic in computed}


def score_section(
    section_id: str,
    windows: npt.NDArray[np.float32],
    sets: Mapping[tuple[str, str], QuestionSetOfSection | None],
    settings: TeacherSettings,
    seed: int,
) -> list[dict[str, Any]]:
    """Return the rows of ``scores/teacher`` of one section.

    Ranks are over all Teachers, n of them: n is best. A Teacher without questions gets the worst
    rank, ties among those broken by a seeded draw; an undefined value ranks above those and
    below all defined ones. A section without windows, or where none of a Teacher's questions is
    known (not translated, or a call of a model failed), ranks nobody: that is no fault of theirs.

    Args:
        section_id: The section.
        windows: W × D embeddings of its windows; W may be 0.
        sets: Teacher and submission to what it asked, None for nothing; every Teacher is a key.
        settings: The settings.
        seed: The run's seed.
    """
    rows: list[dict[str, Any]] = []
    values: dict[str, list[float]] = {name: [] for name in RANKED}
    unknown = False
    teachers = sorted(sets)
    ranked_name = {
        "relevance": f"relevance_{settings.relevance}",
        "coverage": COVERAGE.name,
        "diversity": DIVERSITY.name,
    }
    for teacher in teachers:
        asked = sets[teacher]
        scores, status = _scores(asked, windows, settings)
        unknown |= asked is not None and status == asked.why
        n = 0 if asked is None else len(asked.vectors)
        rows += [
            _row(section_id, teacher, metric.name, str(metric.version), score.value, why)
            for metric, score, why in _with_status(scores, status)
        ]
        rows.append(_row(section_id, teacher, N_QUESTIONS.name, str(N_QUESTIONS.version), n, OK))
        for name in RANKED:
            value = scores[ranked_name[name]][1].value
            undefined = np.nan if status == ABSENT else -np.inf
            values[name].append(undefined if value is None else value)
    why = NO_TEXT_EN if len(windows) == 0 else UNRANKED if unknown else None
    for name in RANKED:
        # One draw for all three metrics would make their ties hang together.
        rng = generator(seed, f"ranks by {name}", section_id)
        given = ranks(values[name], rng)
        for teacher, rank, value in zip(teachers, given, values[name], strict=True):
            status = why or (ABSENT if np.isnan(value) else OK)
            shown = None if why else float(rank)
            rows.append(_row(section_id, teacher, rank_name(name), RANK_VERSION, shown, status))
    return rows


def embedded_sets(
    questions: Sequence[Mapping[str, Any]], vectors: Mapping[str, npt.NDArray[np.float32]]
) -> dict[str, dict[tuple[str, str], QuestionSetOfSection]]:
    """Return for each section what each Teacher asked, in the order of the questions.

    Args:
        questions: Rows of ``questions`` of genuine sets. Questions without a text are left out;
            those that lack one through no fault of the Teacher are counted.
        vectors: Text to embedding.
    """
    found: dict[str, dict[tuple[str, str], list[Mapping[str, Any]]]] = {}
    for row in questions:
        key = (row["teacher"], row["submission"])
        found.setdefault(row["section_id"], {}).setdefault(key, []).append(row)
    result: dict[str, dict[tuple[str, str], QuestionSetOfSection]] = {}
    for section_id, sets in found.items():
        result[section_id] = {}
        for key, rows in sets.items():
            texts = [
                row["question"]
                for row in sorted(rows, key=lambda row: row["position"])
                if isinstance(row["question"], str) and row["question"].strip()
            ]
            unknown = [why for row in rows if (why := _why_unknown(row)) is not None]
            if texts or unknown:
                stacked = np.array([vectors[text] for text in texts], dtype=np.float32)
                why = unknown[0] if unknown else NOT_TRANSLATED
                result[section_id][key] = QuestionSetOfSection(stacked, len(unknown), why)
    return result


def _why_unknown(row: Mapping[str, Any]) -> str | None:
    """Return why a question is not known, if that is no fault of the Teacher; else None."""
    if isinstance(row["question"], str):
        return None
    if isinstance(row["question_original"], str):
        return NOT_TRANSLATED
    # A blank or broken item is no question; one that a model was not asked for, or failed to
    # give, would be one.
    return None if row["status"] in NEVER_ASKED else str(row["status"])


def _scores(
    asked: QuestionSetOfSection | None,
    windows: npt.NDArray[np.float32],
    settings: TeacherSettings,
) -> tuple[dict[str, tuple[Metric, Statistic]], str]:
    width = windows.shape[1] if windows.ndim == 2 and len(windows) else 0
    if asked is None or (len(asked.vectors) == 0 and asked.n_unknown == 0):
        status = ABSENT
    elif len(windows) == 0:
        status = NO_TEXT_EN
    elif len(asked.vectors) == 0:
        status = asked.why
    else:
        return score_set(asked, windows, settings), OK
    nothing = QuestionSetOfSection(np.empty((0, width), dtype=np.float32))
    return score_set(nothing, windows.reshape(len(windows), width), settings), status


def _with_status(
    scores: Mapping[str, tuple[Metric, Statistic]], status: str
) -> list[tuple[Metric, Statistic, str]]:
    """Return each score with its status: that of the set, else the statistic's own reason."""
    return [
        (metric, score, status if status != OK else (score.reason or OK))
        for metric, score in scores.values()
    ]


def _row(
    section_id: str,
    teacher: tuple[str, str],
    metric: str,
    version: str,
    value: float | None,
    status: str,
) -> dict[str, Any]:
    return {
        "section_id": section_id,
        "teacher": teacher[0],
        "submission": teacher[1],
        "metric": metric,
        "metric_version": version,
        "value": value,
        "status": status,
    }


def score_kind(
    *,
    section_ids: Sequence[str],
    systems: pd.DataFrame,
    windows: pd.DataFrame,
    questions: Sequence[Mapping[str, Any]],
    embeddings: pd.DataFrame,
    settings: TeacherSettings,
    seed: int,
) -> list[dict[str, Any]]:
    """Return the rows of ``scores/teacher`` of all sections of a kind.

    Args:
        section_ids: The sections.
        systems: Rows of ``systems``; all Teachers among them that stand in
            the tables are ranked in every section.
        windows: Rows of ``materials/windows``.
        questions: Rows of ``questions`` of all Teachers.
        embeddings: Rows of ``embeddings``.
        settings: The settings.
        seed: The run's seed.
    """
    vectors = {
        key: np.asarray(vector, dtype=np.float32)
        for key, vector in zip(embeddings["text_sha256"], embeddings["vector"], strict=True)
    }
    teachers = in_tables(systems, "teacher")
    keys = list(zip(teachers["team"], teachers["submission"], strict=True))
    genuine = [row for row in questions if row["variant"] == GENUINE]
    asked = embedded_sets(genuine, {t: vectors[text_sha256(t)] for t in texts_of(genuine).values()})
    of_section = {
        section_id: np.array([vectors[text_sha256(text)] for text in part["text"]])
        for section_id, part in windows.sort_values("window").groupby("section_id")
    }
    nothing = np.empty((0, 0), dtype=np.float32)
    rows: list[dict[str, Any]] = []
    for section_id in sorted(section_ids):
        sets = asked.get(section_id, {})
        rows += score_section(
            section_id,
            of_section.get(section_id, nothing),
            {key: sets.get(key) for key in keys},
            settings,
            seed,
        )
    return rows
