"""Sets texts of the demo corpus as PDFs: one in one column, one in two.

python tools/make_demo_pdfs.py [--root FOLDER] [--out FOLDER] [--check]

They have what PDFs of books have: a title, running heads, page numbers, justified lines, and words
divided at line ends. A section is set from its text.txt, or from its reference.txt where the PDF is
to be its only text. The bytes hang on the text and the version of fpdf2 alone.
"""

import argparse
import re
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from fpdf import FPDF
from fpdf.enums import TextEmphasis, XPos, YPos

from sensemaking.io.files import replacing
from sensemaking.io.materials import PDF, TEXT, TRANSCRIPT
from sensemaking.io.pdf import read
from sensemaking.metrics.asr import word_errors

SOFT_HYPHEN = "\N{SOFT HYPHEN}"
_SYLLABLE = re.compile(r"(?<=[aeiouy])(?=[bcdfghjklmnpqrstvwz][aeiouy])", re.IGNORECASE)
_LONG_WORD = re.compile(r"[A-Za-z]{7,}")


@dataclass(frozen=True)
class Book:
    """A section that is set.

    Attributes:
        section: Its folder below the root.
        head: What stands above every page.
        title: What stands above the text.
        first_page: Number of the first page.
        columns: Columns of a page.
        size: Width and height of a page in points.
    """

    section: str
    head: str
    title: str
    first_page: int
    columns: int
    size: tuple[float, float]


BOOKS = (
    Book(
        "nmt-book/chapter03-input/section01-subword-units",
        "Chapter 3. The input",
        "3.1 Subword units",
        41,
        1,
        (300, 420),
    ),
    Book(
        "nmt-book/chapter04-attention/section01-weighted-reading",
        "Chapter 4. Attention",
        "4.1 Weighted reading",
        57,
        2,
        (420, 300),
    ),
)


class Pages(FPDF):
    """Pages with a running head and a page number."""

    def __init__(self, book: Book) -> None:
        """Begin a document.

        Args:
            book: What is set.
        """
        super().__init__(unit="pt", format=book.size)
        self.book = book
        self.core_fonts_encoding = "windows-1252"
        self.set_creation_date(datetime(2025, 1, 1, tzinfo=UTC))
        self.set_margins(36, 54, 36)
        self.set_auto_page_break(True, 48)

    def header(self) -> None:
        """Write the running head."""
        self.set_y(24)
        self.set_font("times", TextEmphasis.I, 8)
        self.cell(text=self.book.head, align="R", w=0, new_x=XPos.LMARGIN, new_y=YPos.NEXT)
        self.set_y(54)

    def footer(self) -> None:
        """Write the page number."""
        self.set_y(-30)
        self.set_font("times", size=8)
        self.cell(text=str(self.book.first_page + self.page - 1), align="C", w=0)


def main() -> None:
    """Make all PDFs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=Path, default=Path("resources/demo/materials"))
    parser.add_argument("--out", type=Path, default=None, help="where to; the root if not given")
    parser.add_argument("--check", action="store_true", help="read what was made")
    options = parser.parse_args()
    out = options.out or options.root
    for book in BOOKS:
        folder = options.root / book.section
        source = folder / TEXT if (folder / TEXT).is_file() else folder / TRANSCRIPT
        text = source.read_text(encoding="utf-8")
        path = out / book.section / PDF
        with replacing(path) as temporary:
            temporary.write_bytes(typeset(book, text))
        print(f"{path}: {path.stat().st_size / 1000:.0f} kB")
        if options.check:
            errors = word_errors(f"{book.title}\n{text}", read(path).text or "")
            print(f"{errors.n_errors} of {errors.n_reference} words are read otherwise")
            if errors.n_errors:
                sys.exit("the text that is read is not the text that was set")


def typeset(book: Book, text: str) -> bytes:
    """Return a text as a PDF."""
    document = Pages(book)
    document.add_page()
    document.start_section(book.title)
    document.set_font("times", TextEmphasis.B, 13)
    document.cell(text=book.title, w=0, new_x=XPos.LMARGIN, new_y=YPos.NEXT)
    document.ln(8)
    document.set_font("times", size=9.5)
    with document.text_columns(
        ncols=book.columns, gutter=18, text_align="J", line_height=1.15
    ) as body:
        for paragraph in text.split("\n\n"):
            with body.paragraph(bottom_margin=6) as lines:
                lines.write(divided(" ".join(paragraph.split())))
    return bytes(document.output())


def divided(text: str) -> str:
    """Put soft hyphens where long words may be divided, two letters from either end at least."""

    def divide(match: re.Match[str]) -> str:
        word = match[0]
        cuts = [cut.start() for cut in _SYLLABLE.finditer(word) if 2 < cut.start() < len(word) - 2]
        for cut in reversed(cuts):
            word = word[:cut] + SOFT_HYPHEN + word[cut:]
        return word

    return _LONG_WORD.sub(divide, text)


if __name__ == "__main__":
    main()
