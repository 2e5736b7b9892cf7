"""The catalogue of the report's tables: what each shows and against which truth."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Entry:
    """A table of the report.

    Attributes:
        id: ``table_01`` and so on, the name of its rule.
        title: What it shows.
        question: The question it answers.
        ground_truth: What its numbers are measured against.
    """

    id: str
    title: str
    question: str
    ground_truth: str

    @property
    def number(self) -> str:
        """The number as printed: 1, 2, v1."""
        return self.id.removeprefix("table_").lstrip("0")


_SECTION_TEXT = "the text of the section itself, by sentence embeddings; no human judgement"
_COUNTS = "facts and errors of each summary, counted from the texts (sensemaking verify)"
_REFERENCES = "the Teachers' and experts' reference answers"

CATALOGUE: tuple[Entry, ...] = (
    Entry(
        "table_01",
        "Teachers' mean rank by relevance",
        "Whose questions have most to do with the text?",
        _SECTION_TEXT,
    ),
    Entry(
        "table_02",
        "Teachers' mean rank by coverage",
        "Whose questions cover the text most evenly?",
        _SECTION_TEXT,
    ),
    Entry(
        "table_03",
        "Teachers' mean rank by diversity",
        "Whose questions differ most in what they are about?",
        _SECTION_TEXT,
    ),
    Entry(
        "table_06",
        "Students' ROUGE-L recall, missing answers counted as 0",
        "How much of the reference answers do the Students' answers contain?",
        _REFERENCES,
    ),
    Entry(
        "table_07",
        "Students' ROUGE-L recall on the questions that one Student answered",
        "How do the Students compare where that one gave an answer?",
        _REFERENCES,
    ),
    Entry(
        "table_08",
        "Correlation of the Students' ROUGE-L recall on expert questions",
        "Do the Students find the same expert questions hard?",
        "the experts' reference answers",
    ),
    Entry(
        "table_v1",
        "Judges on verifiable data: τ, pairs right, AUC and cost",
        "How well does a judge tell which of two summaries is more accurate, or more complete?",
        _COUNTS,
    ),
    Entry(
        "table_v2",
        "Judges on verifiable data: single documents and position bias",
        "Is a judge as good on every document, and does the place of a summary sway it?",
        _COUNTS,
    ),
    Entry(
        "table_x1",
        "Submissions: items, repaired, refused, by reason",
        "What did participants send, and what of it could be used?",
        "the materials that they were sent",
    ),
    Entry(
        "table_x2",
        "Speech recognition: error rates and doubtful segments",
        "How far are transcripts from what was said?",
        "human transcripts (reference.txt), and the sections' texts where the configuration asks",
    ),
    Entry(
        "table_x3",
        "Machine translation: chrF and BLEU",
        "How near are translations to those that came with the materials?",
        "the English versions of texts and questions in the materials folder",
    ),
)


def entry(table_id: str) -> Entry:
    """Return the entry of a table.

    Raises:
        KeyError: There is no such table; the message names those there are.
    """
    for found in CATALOGUE:
        if found.id == table_id:
            return found
    raise KeyError(f"no table {table_id!r}; known: {', '.join(e.id for e in CATALOGUE)}")
