"""Declarations of the replies of language models, one artifact for each stage."""

from typing import Final

from sensemaking.schema_types import INTEGER, STRING, STRINGS, Artifact, Column


def raw_artifact(stage: str) -> Artifact:
    """Return the declaration of the raw replies of a stage, such as ``student``."""
    return Artifact(
        f"raw/{stage}",
        "a call of a model",
        (
            Column("call", STRING, "name of the call"),
            Column("request_key", STRING, "key of the request in the journal", nullable=True),
            Column("section_id", STRING, "section whose text is shown"),
            Column("items", STRINGS, "ids of the items asked about"),
            Column("labels", STRINGS, "short ids of the items in the prompt, in the same order"),
            Column("part", INTEGER, "number of the part of the text, from 0", low=0),
            Column("parts", INTEGER, "parts that the text was divided into", low=1),
            Column("prompt", STRING, "name and version of the prompt"),
            Column("model", STRING, "model that was asked", nullable=True),
            Column("replied_at", STRING, "when the journal got the reply, in UTC", nullable=True),
            Column("attempt", INTEGER, "attempt that counts, from 0", nullable=True, low=0),
            Column("reply", STRING, "text of the reply, raw", nullable=True, may_be_empty=True),
            Column(
                "refusal", STRING, "refusal in a field of its own", nullable=True, may_be_empty=True
            ),
            Column(
                "finish_reason", STRING, "why the model stopped", nullable=True, may_be_empty=True
            ),
            Column(
                "prompt_tokens",
                INTEGER,
                "tokens of the prompt, as counted by the endpoint",
                nullable=True,
                low=0,
            ),
            Column(
                "completion_tokens",
                INTEGER,
                "tokens of the reply, as counted by the endpoint",
                nullable=True,
                low=0,
            ),
            Column("parameters", STRING, "parameters that were really sent, as JSON"),
            Column("notes", STRINGS, "refused parameters, and where the JSON came from"),
            Column(
                "logprobs",
                STRING,
                "tokens, log-probabilities and alternatives, as JSON",
                nullable=True,
            ),
            Column("message", STRING, "what the endpoint said of a failed call", nullable=True),
            Column("status", STRING, "ok, or why the reply cannot be used"),
        ),
        key=("call",),
        explained=(("reply", "status"),),
    )


RAW_TEACHER: Final = raw_artifact("teacher")
RAW_STUDENT: Final = raw_artifact("student")
RAW_EVALUATOR: Final = raw_artifact("evaluator")
RAW_JUDGE: Final = raw_artifact("judge")
