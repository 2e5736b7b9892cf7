"""Every Parquet artifact, declared once: its columns, their types, ranges and meaning.

``sensemaking.io.artifacts`` checks each file against its declaration on write and on read.
"""

from sensemaking.ids import GENUINE, VARIANTS
from sensemaking.schema_types import (
    BOOLEAN,
    INTEGER,
    REAL,
    SECTION_ID,
    STRING,
    STRINGS,
    VECTOR,
    Artifact,
    Column,
    estimate_artifact,
)
from sensemaking.schema_types import score_artifact as _score
from sensemaking.schema_types import status_column as _status
from sensemaking.schemas_llm import RAW_EVALUATOR, RAW_JUDGE, RAW_STUDENT, RAW_TEACHER
from sensemaking.schemas_modalities import (
    ASR_SCORES,
    MT_SCORES,
    OUTLINES,
    PDF_PAGES,
    PDF_TEXTS,
    SEGMENTS,
    TRANSCRIPTS,
    TRANSLATIONS,
)
from sensemaking.schemas_submissions import RELEASED_ANSWERS, REPAIRS, SUBMISSIONS
from sensemaking.schemas_verifiable import (
    COUPLINGS,
    JUDGE_COSTS,
    JUDGE_ESTIMATES,
    JUDGE_SCORES,
    PAIRS,
    STRENGTHS,
    TRUTH,
)

__all__ = [
    "ANSWERS",
    "ANSWERS_EXPECTED",
    "ANSWER_ID",
    "ARTIFACTS",
    "ASR_SCORES",
    "BOOLEAN",
    "CORRELATIONS",
    "COUPLINGS",
    "EMBEDDINGS",
    "ESTIMATES",
    "FINDINGS",
    "INTEGER",
    "JUDGE_COSTS",
    "JUDGE_ESTIMATES",
    "JUDGE_SCORES",
    "MT_SCORES",
    "OUTLINES",
    "PAIRS",
    "PDF_PAGES",
    "PDF_TEXTS",
    "QUESTIONS",
    "QUESTION_ID",
    "RATINGS",
    "RAW_EVALUATOR",
    "RAW_JUDGE",
    "RAW_STUDENT",
    "RAW_TEACHER",
    "REAL",
    "REPAIRS",
    "ROUGE_SCORES",
    "SECTIONS",
    "SECTION_ID",
    "SEGMENTS",
    "STRENGTHS",
    "STRING",
    "STRINGS",
    "STUDENT",
    "SUBMISSION",
    "SUBMISSIONS",
    "SYSTEMS",
    "TABLES",
    "TEACHER",
    "TEACHER_SCORES",
    "TRANSCRIPTS",
    "TRANSLATIONS",
    "TRUTH",
    "VARIANT",
    "VECTOR",
    "WINDOWS",
    "Artifact",
    "Column",
]

QUESTION_ID = Column("question_id", STRING, "the question's id")
ANSWER_ID = Column("answer_id", STRING, "the answer's id")
TEACHER = Column("teacher", STRING, "team that asked; GOLD is the experts")
STUDENT = Column("student", STRING, "team that answered; GOLD is the experts")
SUBMISSION = Column("submission", STRING, "the team's submission")
VARIANT = Column(
    "variant", STRING, "genuine, or the code of an adversarial set", allowed=(GENUINE, *VARIANTS)
)

SECTIONS = Artifact(
    "materials/sections",
    "a section",
    (
        SECTION_ID,
        Column("kind", STRING, "folder name of the kind"),
        Column("sub_kind", STRING, "sub-kind whose pattern fits the folder", nullable=True),
        Column("source", STRING, "folder above the chapter, where there is one", nullable=True),
        Column("chapter", STRING, "folder above the section, where there is one", nullable=True),
        Column("parent_id", STRING, "section that this one was cut from", nullable=True),
        Column("language", STRING, "language of text, ISO 639 code"),
        Column(
            "modality",
            STRING,
            "what the section is a record of",
            allowed=("text", "pdf", "audio", "video"),
        ),
        Column("text", STRING, "text in the original language", nullable=True),
        Column("text_en", STRING, "English text, which all metrics read", nullable=True),
        Column("n_words_en", INTEGER, "words of text_en", nullable=True, low=0),
        Column("text_origin", STRING, "file or engine that text comes from", nullable=True),
        Column("text_en_origin", STRING, "file or engine that text_en comes from", nullable=True),
        Column("source_sha256", STRING, "SHA-256 of the file that text comes from", nullable=True),
        _status(),
    ),
    key=("section_id",),
    explained=(("text", "status"), ("text_en", "status")),
)

WINDOWS = Artifact(
    "materials/windows",
    "a window of text_en",
    (
        SECTION_ID,
        Column("window", INTEGER, "number of the window in its section, from 0", low=0),
        Column("first_sentence", INTEGER, "sentence that the window starts with, from 0", low=0),
        Column("n_words", INTEGER, "words in the window", low=1),
        Column("text", STRING, "the words, divided by single spaces"),
    ),
    key=("section_id", "window"),
)

QUESTIONS = Artifact(
    "questions",
    "a question",
    (
        QUESTION_ID,
        SECTION_ID,
        TEACHER,
        SUBMISSION,
        VARIANT,
        Column(
            "origin_question_id", STRING, "genuine question of an adversarial one", nullable=True
        ),
        Column("position", INTEGER, "place in its set, from 0", low=0),
        Column("question", STRING, "the question in English", nullable=True),
        Column("references", STRINGS, "reference answers in English; may be empty"),
        Column("question_original", STRING, "the question as asked", nullable=True),
        Column("references_original", STRINGS, "reference answers in the language of the question"),
        Column("language", STRING, "language of question_original, ISO 639 code"),
        _status(),
    ),
    key=("question_id",),
    explained=(("question", "status"),),
)

ANSWERS = Artifact(
    "answers",
    "an answer",
    (
        ANSWER_ID,
        QUESTION_ID,
        STUDENT,
        SUBMISSION,
        Column("scenario", STRING, "genuine, reference, or an adversarial scenario"),
        Column("origin_answer_id", STRING, "genuine answer of an adversarial one", nullable=True),
        Column("shown_section_id", STRING, "section whose text goes with the answer"),
        Column(
            "answer",
            STRING,
            "the answer that counts; empty in the scenario empty",
            nullable=True,
            may_be_empty=True,
        ),
        Column("alternatives", STRINGS, "further answers that were given"),
        Column("answerable", BOOLEAN, "whether the Student says it can be answered", nullable=True),
        _status(),
    ),
    key=("answer_id",),
    explained=(("answer", "status"),),
)

ANSWERS_EXPECTED = Artifact(
    "answers_expected",
    "a question and a Student that should answer it",
    (
        QUESTION_ID,
        STUDENT,
        SUBMISSION,
        Column("answer_id", STRING, "the Student's row in answers", nullable=True),
        _status("ok, or why there is no answer"),
    ),
    key=("question_id", "student", "submission"),
    explained=(("answer_id", "status"),),
)

RATINGS = Artifact(
    "ratings",
    "a rating",
    (
        ANSWER_ID,
        Column("evaluator", STRING, "team that rated"),
        SUBMISSION,
        Column("answer_index", INTEGER, "0 is answer, 1 the first alternative", low=0),
        Column("raw", STRING, "the rating as given, as JSON", nullable=True),
        Column("rating", REAL, "the rating, 0 to 100", nullable=True, low=0, high=100),
        Column("rescaled", BOOLEAN, "whether the rating was multiplied by 100"),
        _status(),
    ),
    key=("answer_id", "evaluator", "submission", "answer_index"),
    explained=(("rating", "status"),),
)

FINDINGS = Artifact(
    "validation/findings",
    "a finding",
    (
        Column("file", STRING, "path below the materials or submissions root"),
        Column(
            "json_pointer",
            STRING,
            "place in the file, RFC 6901; empty for the whole",
            may_be_empty=True,
        ),
        Column("severity", STRING, "how bad it is", allowed=("error", "warning", "info")),
        Column("code", STRING, "stable name of what was found"),
        Column("message", STRING, "what was found, what was expected, what to do"),
        Column("action", STRING, "what was done about it"),
    ),
    key=("file", "json_pointer", "code", "message"),
)

EMBEDDINGS = Artifact(
    "embeddings",
    "a distinct text",
    (
        Column("text_sha256", STRING, "SHA-256 of the text in UTF-8"),
        Column("n_tokens", INTEGER, "tokens of the whole text, special ones included", low=1),
        Column("truncated", BOOLEAN, "whether the model's limit cut the text"),
        Column("vector", VECTOR, "the embedding, of length 1"),
    ),
    key=("text_sha256",),
)


TEACHER_SCORES = _score(
    "scores/teacher", "a section, a Teacher and a metric", SECTION_ID, TEACHER, SUBMISSION
)
ROUGE_SCORES = _score(
    "scores/rouge",
    "a question, a Student and a metric",
    QUESTION_ID,
    STUDENT,
    SUBMISSION,
)


def _estimate(name: str, row: str, *key: Column) -> Artifact:
    return estimate_artifact(
        name,
        row,
        *key,
        Column("kind", STRING, "kind, or all"),
        Column("sub_kind", STRING, "sub-kind, or all"),
        Column("subset", STRING, "which items count"),
    )


ESTIMATES = _estimate(
    "estimates", "a system, a group of sections and a metric", Column("system", STRING, "system id")
)
CORRELATIONS = _estimate(
    "estimates/correlations",
    "a pair of systems, a group of sections and a metric",
    Column("system", STRING, "system id"),
    Column("versus", STRING, "id of the other system"),
)

SYSTEMS = Artifact(
    "systems",
    "a system",
    (
        Column("system", STRING, "system id"),
        Column("role", STRING, "its track", allowed=("teacher", "student", "evaluator")),
        Column("label", STRING, "name to show"),
        Column("team", STRING, "team, as in ids"),
        SUBMISSION,
        Column(
            "origin",
            STRING,
            "where its items come from",
            allowed=("expert", "submitted", "baseline", "recorded"),
        ),
        Column("published_label", STRING, "its name among published figures", nullable=True),
        Column("left_out", STRING, "why it is left out of the tables", nullable=True),
    ),
    key=("system",),
)

TABLES = Artifact(
    "tables",
    "a statistic of a cell",
    (
        Column("table", STRING, "table id"),
        Column("row_id", STRING, "row"),
        Column("row_label", STRING, "row as shown"),
        Column("column_id", STRING, "column"),
        Column("column_label", STRING, "column as shown"),
        Column("statistic", STRING, "what value is, with its unit"),
        Column("value", REAL, "the statistic", nullable=True),
        Column("sd", REAL, "standard deviation of the items", nullable=True, low=0),
        Column("n", INTEGER, "items that count", low=0),
        Column("n_missing", INTEGER, "items left out because their score is missing", low=0),
        Column("ci_low", REAL, "lower end of the 95 % interval", nullable=True),
        Column("ci_high", REAL, "upper end of the 95 % interval", nullable=True),
        Column("reason", STRING, "why something is null", nullable=True),
        Column("published", REAL, "the figure printed for this cell elsewhere", nullable=True),
        Column("published_sd", REAL, "the sd printed with it", nullable=True, low=0),
    ),
    key=("table", "row_id", "column_id", "statistic"),
    explained=(("value", "reason"),),
    ordered=True,
)

ARTIFACTS: dict[str, Artifact] = {
    artifact.name: artifact
    for artifact in (
        SECTIONS,
        SEGMENTS,
        TRANSCRIPTS,
        PDF_TEXTS,
        PDF_PAGES,
        OUTLINES,
        TRANSLATIONS,
        RELEASED_ANSWERS,
        WINDOWS,
        QUESTIONS,
        ANSWERS,
        ANSWERS_EXPECTED,
        RATINGS,
        FINDINGS,
        REPAIRS,
        SUBMISSIONS,
        EMBEDDINGS,
        TEACHER_SCORES,
        ROUGE_SCORES,
        ASR_SCORES,
        MT_SCORES,
        ESTIMATES,
        CORRELATIONS,
        TRUTH,
        PAIRS,
        JUDGE_COSTS,
        STRENGTHS,
        COUPLINGS,
        JUDGE_SCORES,
        JUDGE_ESTIMATES,
        SYSTEMS,
        TABLES,
        RAW_TEACHER,
        RAW_STUDENT,
        RAW_EVALUATOR,
        RAW_JUDGE,
    )
}
