"""Couple the answers of all judges of a data set, and score them against the truth."""

from pathlib import Path

from sensemaking.jobs import logged
from sensemaking.io import artifacts
from sensemaking.schemas import (
    COUPLINGS,
    JUDGE_ESTIMATES,
    JUDGE_SCORES,
    PAIRS,
    STRENGTHS,
    TRUTH,
)
from sensemaking.scoring.estimates import Settings
from sensemaking.scoring.judges import score_judges
from sensemaking.verifiable.rows import counts_of, judged_of


def main(
    *,
    dataset: str,
    pairs: Path,
    truth: Path,
    clip: float,
    prior: float,
    seed: int,
    draws: int,
    strengths: Path,
    couplings: Path,
    scores: Path,
    estimates: Path,
) -> None:
    counts = counts_of(artifacts.read(TRUTH, truth))
    rows = score_judges(
        dataset,
        judged_of(artifacts.read(PAIRS, pairs), counts),
        Settings(seed, draws),
        clip=clip,
        prior=prior,
    )
    artifacts.write(STRENGTHS, strengths, rows.strengths)
    artifacts.write(COUPLINGS, couplings, rows.couplings)
    artifacts.write(JUDGE_SCORES, scores, rows.scores)
    artifacts.write(JUDGE_ESTIMATES, estimates, rows.estimates)


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            dataset=snakemake.params.dataset,
            pairs=Path(snakemake.input.pairs),
            truth=Path(snakemake.input.truth),
            clip=snakemake.params.clip,
            prior=snakemake.params.prior,
            seed=snakemake.params.seed,
            draws=snakemake.params.draws,
            strengths=Path(snakemake.output.strengths),
            couplings=Path(snakemake.output.couplings),
            scores=Path(snakemake.output.scores),
            estimates=Path(snakemake.output.estimates),
        )
