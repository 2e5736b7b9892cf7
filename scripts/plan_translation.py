"""Print what translations by language models would send. Nothing is sent."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sensemaking.jobs import logged
from sensemaking.io import artifacts
from sensemaking.llm.plan import describe
from sensemaking.mt.journal import Journal
from sensemaking.mt.kinds import translate_kind
from sensemaking.mt.llm_plan import PlanningEngine, planning_engines
from sensemaking.schemas import QUESTIONS, SECTIONS


def main(
    *,
    kinds: Sequence[Mapping[str, Any]],
    sections: Sequence[Path],
    questions: Sequence[Path],
    prompts: Sequence[str],
    mode: str,
    measure: Any,
) -> None:
    for kind, places, asked in zip(kinds, sections, questions, strict=True):
        with planning_engines(kind["engines"], prompts, kind["recorded"]) as engines:
            translate_kind(
                kind["kind"],
                artifacts.read(SECTIONS, places).to_dict("records"),
                artifacts.read(QUESTIONS, asked).to_dict("records"),
                engines,
                Journal(kind["journal"]),
                mode="live" if mode == "live" else "live-missing",
                measure=measure,
            )
            for engine in engines:
                if isinstance(engine, PlanningEngine):
                    print(f"{engine.id}, {kind['kind']}: {describe(engine.plan())}")


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            kinds=snakemake.params.kinds,
            sections=[Path(path) for path in snakemake.input.sections],
            questions=[Path(path) for path in snakemake.input.questions],
            prompts=snakemake.input.prompts,
            mode=snakemake.params.mode,
            measure=snakemake.params.measure,
        )
