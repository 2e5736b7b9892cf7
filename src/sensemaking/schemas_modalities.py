"""Artifacts on the way from recordings, PDFs and other languages to English text.

``sensemaking.schemas`` lists them with all others.
"""

from dataclasses import replace

from sensemaking.schema_types import (
    INTEGER,
    REAL,
    SECTION_ID,
    STRING,
    STRINGS,
    Artifact,
    Column,
    score_artifact,
    status_column,
)

_SHA256 = Column("source_sha256", STRING, "SHA-256 of the file", nullable=True)
_REASON = Column("reason", STRING, "the status in words; null if ok", nullable=True)


def _seconds(name: str, meaning: str) -> Column:
    return Column(name, REAL, f"{meaning}, in seconds", nullable=True, low=0)


def _count(name: str, meaning: str) -> Column:
    return Column(name, INTEGER, meaning, low=0)


SEGMENTS = Artifact(
    "materials/segments",
    "a segment of a transcript",
    (
        SECTION_ID,
        _count("segment", "number of the segment in its recording, from 0"),
        Column("start_s", REAL, "its start, in seconds from the beginning", low=0),
        Column("end_s", REAL, "its end, likewise", low=0),
        Column("text", STRING, "its words"),
        Column("avg_logprob", REAL, "mean log-probability of its tokens", nullable=True),
        Column(
            "no_speech_prob", REAL, "probability that nobody speaks in its window", nullable=True
        ),
        Column("compression_ratio", REAL, "length of its text over that of it compressed", low=0),
        Column(
            "flag",
            STRING,
            "what is wrong with it; one with no_speech is left out of the text",
            nullable=True,
            allowed=("no_speech", "repetition", "wrong_language"),
        ),
    ),
    key=("section_id", "segment"),
)

TRANSCRIPTS = Artifact(
    "materials/transcripts",
    "a recording that was transcribed",
    (
        SECTION_ID,
        Column("file", STRING, "name of the recording in the section's folder"),
        Column("text", STRING, "the segments joined, in the language spoken", nullable=True),
        status_column(),
        _REASON,
        Column("language", STRING, "language that the engine was told, ISO 639 code"),
        Column("detected_language", STRING, "language that the model heard", nullable=True),
        Column(
            "detected_probability",
            REAL,
            "the model's probability of it",
            nullable=True,
            low=0,
        ),
        _seconds("declared_s", "length that the file states"),
        _seconds("decoded_s", "length that could be decoded"),
        _seconds("speech_s", "how long somebody speaks"),
        _count("n_segments", "segments in the text"),
        _count("n_dropped", "segments left out, since nobody said them"),
        _count("n_flagged", "segments in the text that are to be looked at"),
        _count("n_retried", "windows that were decoded again, since their text ran in a loop"),
        Column("warnings", STRINGS, "codes of what is doubtful about the file or the text"),
        Column("engine", STRING, "the engine"),
        Column("model", STRING, "its model, as the configuration names it"),
        _SHA256,
    ),
    key=("section_id",),
    explained=(("text", "status"),),
)

PDF_TEXTS = Artifact(
    "materials/pdf_texts",
    "a PDF that was read",
    (
        SECTION_ID,
        Column("file", STRING, "name of the file in the section's folder"),
        Column("text", STRING, "its text, paragraphs divided by blank lines", nullable=True),
        status_column(),
        _REASON,
        _count("n_pages", "its pages; 0 if it cannot be opened"),
        _count("n_pages_without_text", "pages with something to see but no text"),
        _SHA256,
    ),
    key=("section_id",),
    explained=(("text", "status"),),
)

PDF_PAGES = Artifact(
    "materials/pdf_pages",
    "a page of a PDF",
    (
        SECTION_ID,
        Column("page", INTEGER, "number of the page in the file, from 1", low=1),
        Column("label", STRING, "number that is printed on it"),
        Column(
            "start",
            INTEGER,
            "where it begins in the text, in code points; null where that is not known",
            nullable=True,
            low=0,
        ),
        Column(
            "state",
            STRING,
            "whether it has a text",
            allowed=("text", "blank", "no_text"),
        ),
        _count("n_letters", "letters and digits on it"),
        Column("image_share", REAL, "part of it that images cover", low=0, high=1),
    ),
    key=("section_id", "page"),
)

OUTLINES = Artifact(
    "materials/outlines",
    "an entry of a PDF's outline",
    (
        SECTION_ID,
        _count("entry", "number of the entry, from 0"),
        _count("level", "its depth, from 0"),
        Column("title", STRING, "its words", may_be_empty=True),
        Column("page", INTEGER, "page that it leads to, from 1", nullable=True, low=1),
    ),
    key=("section_id", "entry"),
)

TRANSLATIONS = Artifact(
    "materials/translations",
    "a translated unit",
    (
        SECTION_ID,
        Column(
            "unit_kind",
            STRING,
            "what was translated",
            allowed=("text", "question", "reference"),
        ),
        Column("unit", STRING, "sentence, question, or question and reference answer"),
        Column("source_language", STRING, "language of source, ISO 639 code"),
        Column("source", STRING, "what was translated, white space and all"),
        Column("target", STRING, "the English of it", nullable=True),
        Column("engine", STRING, "engine that translated it", nullable=True),
        status_column(),
    ),
    key=("section_id", "unit_kind", "unit"),
    explained=(("target", "status"),),
)

_ASR = score_artifact(
    "scores/asr",
    "a recording, a reference and a metric",
    SECTION_ID,
    Column(
        "reference",
        STRING,
        "file that the transcript is held against",
        allowed=("reference.txt", "text.txt"),
    ),
)
ASR_SCORES = replace(
    _ASR,
    columns=(
        *_ASR.columns,
        Column("n_errors", INTEGER, "words or characters that differ", nullable=True, low=0),
        Column("n_reference", INTEGER, "those of the reference", nullable=True, low=0),
    ),
)

MT_SCORES = score_artifact(
    "scores/mt",
    "a translation with a reference translation, and a metric",
    SECTION_ID,
    Column("unit_kind", STRING, "what was translated", allowed=("text", "question")),
    Column("unit", STRING, "text, or the end of the question_id"),
)
