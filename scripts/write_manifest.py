"""Record what the run used and made."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sensemaking.jobs import logged
from sensemaking.io.files import sha256_of, write_text
from sensemaking.provenance import checksums, commit_of, manifest


def main(
    *,
    config: Mapping[str, Any],
    seed: int,
    materials: Sequence[Path],
    root: Path,
    recorded: Mapping[str, Path],
    results: Sequence[Path],
    code_folder: Path,
    out: Path,
) -> None:
    record = manifest(
        config=config,
        seed=seed,
        models={name: config[name] for name in ("asr", "mt", "embedding", "llm")},
        inputs=checksums(materials, root)
        | {name: sha256_of(path) for name, path in sorted(recorded.items())},
        artifacts=checksums(results, Path()),
        commit=commit_of(code_folder),
    )
    write_text(out, json.dumps(record, ensure_ascii=False, indent=1) + "\n")


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        used = snakemake.input
        names = snakemake.params.recorded
        main(
            config=snakemake.params.config,
            seed=snakemake.params.seed,
            materials=[Path(path) for path in used.materials],
            root=Path(snakemake.params.root),
            recorded=dict(zip(names, map(Path, used.recorded), strict=True)),
            results=[Path(path) for path in used if str(path).startswith("results/")],
            code_folder=Path(snakemake.params.code_folder),
            out=Path(snakemake.output.manifest),
        )
