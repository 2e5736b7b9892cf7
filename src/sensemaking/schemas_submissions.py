"""Artifacts about submissions: repairs, and what of each submission counts."""

from sensemaking.schema_types import (
    BOOLEAN,
    BYTES,
    INTEGER,
    REAL,
    SECTION_ID,
    STRING,
    Artifact,
    Column,
)

RELEASED_ANSWERS = Artifact(
    "materials/released_answers",
    "a file of answers in the materials",
    (
        SECTION_ID,
        Column("name", STRING, "its name without the ending, NFC"),
        Column("data", BYTES, "its bytes as they were sent"),
    ),
    key=("section_id", "name"),
)

REPAIRS = Artifact(
    "validation/repairs",
    "a repair",
    (
        Column("file", STRING, "path below the submissions root"),
        Column(
            "json_pointer",
            STRING,
            "place in the file as submitted, RFC 6901; empty for the whole",
            may_be_empty=True,
        ),
        Column("rule", STRING, "name of the rule, which is the code of its finding"),
        Column("before", STRING, "what stood there, as JSON; long ones shortened"),
        Column("after", STRING, "what it was read as, as JSON; long ones shortened"),
        Column("hash", STRING, "SHA-256 over all of these; naming it undoes the repair"),
    ),
    key=("hash",),
)

SUBMISSIONS = Artifact(
    "validation/submissions",
    "a submission",
    (
        Column("system", STRING, "system id"),
        Column("role", STRING, "its track", allowed=("teacher", "student", "evaluator")),
        Column("label", STRING, "name to show"),
        Column("file", STRING, "path below the submissions root", nullable=True),
        Column("n_items", INTEGER, "items in the file", low=0),
        Column("n_repaired", INTEGER, "items in the file that depend on a repair", low=0),
        Column("n_refused", INTEGER, "items in the file that could not be used", low=0),
        Column("n_excluded", INTEGER, "items left out on all sides by the setting", low=0),
        Column("n_rescaled", INTEGER, "ratings that were multiplied by 100", low=0),
        Column("n_expected", INTEGER, "items (Teachers: sections) that were asked for", low=0),
        Column("n_valid", INTEGER, "of these, those that can be used", low=0),
        Column("share", REAL, "n_valid over n_expected", nullable=True, low=0, high=1),
        Column("in_tables", BOOLEAN, "whether the submission stands in the tables"),
        Column("status", STRING, "ok, or why it does not"),
    ),
    key=("system",),
)
