"""Write the index page of the report."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from sensemaking.jobs import logged
from sensemaking.figures.catalogue import FIGURES
from sensemaking.io import artifacts
from sensemaking.io.files import write_text
from sensemaking.report import ShownTable, render_index
from sensemaking.schemas import ARTIFACTS, FINDINGS, RATINGS, SECTIONS, SYSTEMS
from sensemaking.tables.catalogue import entry


def main(
    *,
    template: Path,
    tables: Sequence[Path],
    formats: Sequence[str],
    systems: Path,
    sections: Sequence[Path],
    ratings: Sequence[Path],
    findings: Sequence[Path],
    figures: Sequence[Path],
    raw: Mapping[str, Sequence[str]],
    stages: Mapping[str, str],
    seed: int,
    index: Path,
) -> None:
    shown = [
        ShownTable(
            entry(table.stem),
            table.read_text(encoding="utf-8"),
            {name: f"../tables/{table.stem}.{name}" for name in formats},
        )
        for table in tables
    ]
    drawn = {figure.stem for figure in figures}
    page = render_index(
        template.read_text(encoding="utf-8"),
        shown,
        artifacts.read(SYSTEMS, systems),
        artifacts.read(SECTIONS, sections),
        artifacts.read(RATINGS, ratings),
        artifacts.read(FINDINGS, findings),
        seed,
        [(figure, f"../figures/{figure.id}.svg") for figure in FIGURES if figure.id in drawn],
        {
            system: artifacts.read(ARTIFACTS[f"raw/{stages[system]}"], paths)
            for system, paths in raw.items()
        },
    )
    write_text(index, page)


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            template=Path(snakemake.input.template),
            tables=[Path(path) for path in snakemake.input.tables],
            formats=snakemake.params.formats,
            systems=Path(snakemake.input.systems),
            sections=snakemake.input.sections,
            ratings=snakemake.input.ratings,
            findings=snakemake.input.findings,
            figures=[Path(path) for path in snakemake.input.figures],
            raw=snakemake.params.raw,
            stages=snakemake.params.stages,
            seed=snakemake.params.seed,
            index=Path(snakemake.output.index),
        )
