"""Print what a live run would send to the language models of judges. Nothing is sent."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sensemaking.jobs import logged
from sensemaking.io.verifiable_data import read_data
from sensemaking.llm.plan import describe, plan
from sensemaking.llm.sessions import session
from sensemaking.llm.settings import LanguageModel
from sensemaking.verifiable.data import documents
from sensemaking.verifiable.llm_judges import prepare


def main(*, judges: Sequence[Mapping[str, Any]]) -> None:
    for judge in judges:
        settings = LanguageModel.model_validate(judge["model"])
        shown = documents(read_data(judge["data"]))
        calls = prepare(judge, shown, settings, judge["prompt"])
        # Replay never sends; live would ask for what journals hold, too.
        journals = [] if judge["mode"] == "live" else judge["journals"]
        kept = [path for path in map(Path, journals) if path.is_file()]
        with session(settings, recorded=kept) as replay:
            print(f"{judge['dataset']} {judge['id']}: {describe(plan(replay, calls))}")


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(judges=snakemake.params.judges)
