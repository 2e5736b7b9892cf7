"""All judges of a data set at work: programs that read its texts, and recorded answers."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from sensemaking.config_verifiable import JURY
from sensemaking.findings import Finding
from sensemaking.io.judgement_files import NOT_RECORDED, read_answers
from sensemaking.io.verifiable_data import DataError, read_data
from sensemaking.verifiable.data import Document, documents
from sensemaking.verifiable.judges import Judge, Noisy, Recorded, facts, length, overlap
from sensemaking.verifiable.reading import recount
from sensemaking.verifiable.rows import (
    MEMBER_WITHOUT_ANSWER,
    Statuses,
    counts_of,
    documents_of,
    jury_tables,
    pair_rows,
)

NO_ANSWER = "no_answer"

_PROGRAMS: dict[str, Judge] = {"facts": facts, "length": length, "overlap": overlap}


class Judgements(NamedTuple):
    """Rows of ``judgements/pairs``, and what was found wrong with files of answers."""

    pairs: list[dict[str, Any]]
    findings: list[Finding]


class _Ready(NamedTuple):
    judge: Judge
    statuses: Statuses
    otherwise: str
    findings: tuple[Finding, ...]


def judge_all(
    dataset: str,
    truth: pd.DataFrame,
    data: Path | None,
    judges: Sequence[Mapping[str, Any]],
    answers: Sequence[Path],
    jury: Sequence[str],
    *,
    seed: int,
) -> Judgements:
    """Return the answers of all judges of a data set to both questions about all pairs.

    Args:
        dataset: The data set.
        truth: Its rows of ``verifiable/truth``.
        data: The file of its texts; None if it has none.
        judges: For each judge ``id``, ``engine`` and what the engine needs: ``error``,
            ``position`` and ``seed`` (noisy), ``answers``, the name of its file (recorded).
        answers: The files of the recorded judges, in their order.
        jury: The ids of those that the jury pools; none if there is no jury.
        seed: The run's seed, for a noisy judge without one.

    Raises:
        DataError: The texts are not sound, or not those that the truth was counted in.
    """
    counts = counts_of(truth)
    shown = documents_of(counts)
    if data is not None:
        texts = read_data(data)
        if recount(texts) != counts:
            raise DataError(
                f"{data}: these are not the texts that the truth of {dataset} was counted in; make "
                "both again"
            )
        shown = documents(texts)
    files = iter(answers)
    ready = {
        str(judge["id"]): _ready(
            judge, shown, next(files) if judge["engine"] == "recorded" else None, seed
        )
        for judge in judges
    }
    pairs: list[dict[str, Any]] = []
    for document in shown:
        tables = {name: one.judge(document) for name, one in ready.items()}
        for name, one in ready.items():
            pairs += pair_rows(dataset, name, document, tables[name], one.statuses, one.otherwise)
        if jury:
            pooled = jury_tables([tables[name] for name in jury])
            pairs += pair_rows(dataset, JURY, document, pooled, {}, MEMBER_WITHOUT_ANSWER)
    # Two judges may share a file, and so may two data sets.
    findings = [
        replace(finding, message=f"data set {dataset}: {finding.message}")
        for finding in dict.fromkeys(f for one in ready.values() for f in one.findings)
    ]
    return Judgements(pairs, findings)


def _ready(
    judge: Mapping[str, Any], shown: Sequence[Document], file: Path | None, seed: int
) -> _Ready:
    if file is not None:
        recorded = read_answers(file, shown, name=str(judge["answers"]))
        return _Ready(
            Recorded(recorded.answers), recorded.statuses, NOT_RECORDED, recorded.findings
        )
    if judge["engine"] == "noisy":
        own = seed if judge["seed"] is None else int(judge["seed"])
        noisy = Noisy(own, float(judge["error"]), float(judge["position"]))
        return _Ready(noisy, {}, NO_ANSWER, ())
    return _Ready(_PROGRAMS[str(judge["engine"])], {}, NO_ANSWER, ())
