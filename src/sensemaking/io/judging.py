"""All judges of a data set at work: programs, recorded answers, and what models replied."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from sensemaking.config_verifiable import ASKING_ENGINES, JURY
from sensemaking.findings import Finding
from sensemaking.io import artifacts
from sensemaking.io.judgement_files import NOT_RECORDED, read_answers
from sensemaking.io.verifiable_data import DataError, read_data
from sensemaking.schemas import RAW_JUDGE
from sensemaking.verifiable import llm_judges
from sensemaking.verifiable.data import Document, documents
from sensemaking.verifiable.judges import Judge, Noisy, Recorded, facts, length, overlap
from sensemaking.verifiable.llm_costs import cost_row
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
    """Rows of ``judgements/pairs`` and ``judgements/costs``, and what is wrong with answers."""

    pairs: list[dict[str, Any]]
    costs: list[dict[str, Any]]
    findings: list[Finding]


class _Ready(NamedTuple):
    judge: Judge
    statuses: Statuses
    otherwise: str
    findings: tuple[Finding, ...]
    costs: tuple[dict[str, Any], ...] = ()


def judge_all(
    dataset: str,
    truth: pd.DataFrame,
    data: Path | None,
    judges: Sequence[Mapping[str, Any]],
    answers: Sequence[Path],
    jury: Sequence[str],
    *,
    raw: Sequence[Path] = (),
    seed: int,
) -> Judgements:
    """Return the answers of all judges of a data set to both questions about all pairs.

    Args:
        dataset: The data set.
        truth: Its rows of ``verifiable/truth``.
        data: The file of its texts; None if it has none.
        judges: For each judge ``id``, ``engine`` and what the engine needs: ``error``,
            ``position`` and ``seed`` (noisy), ``answers``, the name of its file (recorded),
            ``answer_from`` (llm) and ``price`` (llm and pointwise).
        answers: The files of the recorded judges, in their order.
        jury: The ids of those that the jury pools; none if there is no jury.
        raw: The replies of the judges that ask a language model, in their order.
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
    files, replies = iter(answers), iter(raw)
    ready = {}
    for judge in judges:
        name = str(judge["id"])
        if judge["engine"] == "recorded":
            ready[name] = _recorded(judge, shown, next(files))
        elif judge["engine"] in ASKING_ENGINES:
            ready[name] = _asked(dataset, judge, shown, next(replies))
        else:
            ready[name] = _Ready(_program(judge, seed), {}, NO_ANSWER, ())
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
    return Judgements(pairs, [row for one in ready.values() for row in one.costs], findings)


def _recorded(judge: Mapping[str, Any], shown: Sequence[Document], file: Path) -> _Ready:
    found = read_answers(file, shown, name=str(judge["answers"]))
    return _Ready(Recorded(found.answers), found.statuses, NOT_RECORDED, found.findings)


def _asked(dataset: str, judge: Mapping[str, Any], shown: Sequence[Document], raw: Path) -> _Ready:
    rows: list[Any] = artifacts.read(RAW_JUDGE, raw).to_dict("records")
    found = llm_judges.parse(judge, shown, rows)
    cost = cost_row(dataset, str(judge["id"]), rows, judge["price"])
    return _Ready(Recorded(found.answers), found.statuses, NO_ANSWER, (), (cost,))


def _program(judge: Mapping[str, Any], seed: int) -> Judge:
    if judge["engine"] == "noisy":
        own = seed if judge["seed"] is None else int(judge["seed"])
        return Noisy(own, float(judge["error"]), float(judge["position"]))
    return _PROGRAMS[str(judge["engine"])]
