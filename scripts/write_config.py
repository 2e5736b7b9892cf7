"""Write the resolved configuration of the run."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from sensemaking.jobs import logged
from sensemaking.io.files import write_text


def main(*, config: Mapping[str, Any], out: Path) -> None:
    head = "# The configuration of this run, all defaults filled in.\n"
    write_text(out, head + yaml.safe_dump(dict(config), allow_unicode=True, sort_keys=False))


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(config=snakemake.params.config, out=Path(snakemake.output.config))
