"""Draw the judges: τ with intervals, strengths against the truth, position bias."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sensemaking.jobs import logged
from sensemaking.config_verifiable import ShownJudge
from sensemaking.figures.judges import bias_figure, strength_figure, tau_figure
from sensemaking.io import artifacts
from sensemaking.io.files import write_text
from sensemaking.schemas import JUDGE_ESTIMATES, JUDGE_SCORES, STRENGTHS, TRUTH


def main(
    *,
    estimates: Sequence[Path],
    scores: Sequence[Path],
    strengths: Sequence[Path],
    truth: Sequence[Path],
    judges: Sequence[Mapping[str, Any]],
    convention: str,
    outputs: Mapping[str, Path],
) -> None:
    shown = [ShownJudge(**judge) for judge in judges]
    estimated = artifacts.read(JUDGE_ESTIMATES, estimates)
    figures = {
        "tau": tau_figure(estimated, artifacts.read(JUDGE_SCORES, scores), shown, convention),
        "strength": strength_figure(
            artifacts.read(STRENGTHS, strengths), artifacts.read(TRUTH, truth), shown
        ),
        "bias": bias_figure(estimated, shown, convention),
    }
    for name, svg in figures.items():
        write_text(outputs[name], svg)


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            estimates=snakemake.input.estimates,
            scores=snakemake.input.scores,
            strengths=snakemake.input.strengths,
            truth=snakemake.input.truth,
            judges=snakemake.params.judges,
            convention=snakemake.params.convention,
            outputs=dict(snakemake.output.items()),
        )
