"""What is taken of a submission, written as the artifacts of its rule."""

from collections.abc import Sequence
from pathlib import Path

from sensemaking.io import artifacts
from sensemaking.schema_types import Artifact
from sensemaking.schemas import FINDINGS, REPAIRS, SUBMISSIONS
from sensemaking.shards import by_kind
from sensemaking.submitted import Taken


def write_taken(
    taken: Taken,
    artifact: Artifact,
    shards: Sequence[Path],
    kinds: Sequence[str],
    key: str,
    *,
    findings: Path,
    repairs: Path,
    summary: Path,
) -> None:
    """Write the rows of each kind, the findings, the repairs and the counts of a submission.

    Args:
        taken: What is taken.
        artifact: What its rows are.
        shards: Where the rows of each kind go.
        kinds: The kinds, in the order of the shards.
        key: The column of the rows that names their section.
        findings: Where the findings go.
        repairs: Where the repairs go.
        summary: Where the counts go.
    """
    for rows, shard in zip(by_kind(taken.rows, kinds, key), shards, strict=True):
        artifacts.write(artifact, shard, rows)
    artifacts.write(FINDINGS, findings, taken.findings)
    artifacts.write(REPAIRS, repairs, taken.repairs)
    artifacts.write(SUBMISSIONS, summary, [taken.summary])
