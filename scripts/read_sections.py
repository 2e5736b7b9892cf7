"""Read the texts of a kind into ``materials/sections``."""

from collections.abc import Sequence
from pathlib import Path

from sensemaking.io import artifacts
from sensemaking.io.materials import scan
from sensemaking.jobs import logged
from sensemaking.schemas import FINDINGS, SECTIONS
from sensemaking.sections import KindRules, read_sections


def main(
    *,
    root: Path,
    kind: str,
    language: str,
    text_from: Sequence[str],
    sub_kinds: Sequence[tuple[str, Sequence[str]]],
    sections: Path,
    findings: Path,
) -> None:
    scanned = scan(root, kind)
    rules = KindRules(kind, language, tuple(text_from), dict(sub_kinds))
    read = read_sections(scanned.folders, rules)
    artifacts.write(SECTIONS, sections, read.rows)
    found = [*scanned.findings, *read.findings]
    artifacts.write(FINDINGS, findings, [finding.row() for finding in found])


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            root=Path(snakemake.params.root),
            kind=snakemake.params.kind,
            language=snakemake.params.language,
            text_from=snakemake.params.text_from,
            sub_kinds=snakemake.params.sub_kinds,
            sections=Path(snakemake.output.sections),
            findings=Path(snakemake.output.findings),
        )
