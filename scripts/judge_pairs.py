"""Let the judges of a data set answer both questions about all pairs, in both orders."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sensemaking.jobs import logged
from sensemaking.io import artifacts
from sensemaking.io.judging import judge_all
from sensemaking.schemas import FINDINGS, JUDGE_COSTS, PAIRS, TRUTH


def main(
    *,
    dataset: str,
    truth: Path,
    data: Path | None,
    judges: Sequence[Mapping[str, Any]],
    answers: Sequence[Path],
    raw: Sequence[Path],
    jury: Sequence[str],
    seed: int,
    pairs: Path,
    costs: Path,
    findings: Path,
) -> None:
    judged = judge_all(
        dataset, artifacts.read(TRUTH, truth), data, judges, answers, jury, raw=raw, seed=seed
    )
    artifacts.write(PAIRS, pairs, judged.pairs)
    artifacts.write(JUDGE_COSTS, costs, judged.costs)
    artifacts.write(FINDINGS, findings, [finding.row() for finding in judged.findings])


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        texts = [Path(path) for path in snakemake.input.data]
        main(
            dataset=snakemake.params.dataset,
            truth=Path(snakemake.input.truth),
            data=texts[0] if texts else None,
            judges=snakemake.params.judges,
            answers=[Path(path) for path in snakemake.input.answers],
            raw=[Path(path) for path in snakemake.input.raw],
            jury=snakemake.params.jury,
            seed=snakemake.params.seed,
            pairs=Path(snakemake.output.pairs),
            costs=Path(snakemake.output.costs),
            findings=Path(snakemake.output.findings),
        )
