"""Show how long transcribing took."""

from collections.abc import Mapping
from pathlib import Path

from sensemaking.jobs import logged
from sensemaking.asr.timings import read_timings, render_page
from sensemaking.io.files import write_text


def main(*, timings: Mapping[str, Path], page: Path) -> None:
    found = {name: read_timings(path.read_text(encoding="utf-8")) for name, path in timings.items()}
    write_text(page, render_page(found))


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            timings={
                name: Path(path)
                for name, path in zip(snakemake.params.names, snakemake.input.timings, strict=True)
            },
            page=Path(snakemake.output.page),
        )
