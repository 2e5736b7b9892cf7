"""Let a judge ask its language model about a data set; the replies are kept raw."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sensemaking.jobs import logged
from sensemaking.io import artifacts
from sensemaking.io.verifiable_data import read_data
from sensemaking.llm.calls import ask_all
from sensemaking.llm.stage import stage_session
from sensemaking.schemas import RAW_JUDGE
from sensemaking.verifiable.data import documents
from sensemaking.verifiable.llm_judges import asked_as, prepare


def main(
    *,
    data: Path,
    prompt: str,
    recorded: Sequence[Path],
    llm: Mapping[str, Any],
    journal: str,
    judge: Mapping[str, Any],
    raw: Path,
) -> None:
    shown = documents(read_data(data))
    with stage_session(asked_as(llm, judge), journal, recorded) as session:
        calls = prepare(judge, shown, session.settings, prompt)
        artifacts.write(RAW_JUDGE, raw, ask_all(session, calls))


if __name__ == "__main__":
    with logged(snakemake.log[0]):
        main(
            data=Path(snakemake.input.data),
            prompt=snakemake.input.prompt,
            recorded=snakemake.input.recorded,
            llm=snakemake.params.llm,
            journal=snakemake.params.journal,
            judge=snakemake.params.judge,
            raw=Path(snakemake.output.raw),
        )
