"""Text of a PDF: pages in reading order, or a named reason why there is none.

The file is read through PDFium (pypdfium2); docs/pdf.md says why. Lines, columns and running heads
are found in ``pdf_layout`` and ``pdf_furniture``.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pypdfium2
import pypdfium2.raw as pdfium_c

from sensemaking.ids import nfc
from sensemaking.io.pdf_furniture import running
from sensemaking.io.pdf_glyphs import DrawnPage, draw
from sensemaking.io.pdf_layout import Line, lines
from sensemaking.text.hyphens import join_lines
from sensemaking.text.ligatures import expand

Status = Literal[
    "ok",
    "unreadable_file",
    "empty_file",
    "not_a_pdf",
    "password_needed",
    "broken_pdf",
    "no_text_layer",
    "lost_glyphs",
]
"""``ok``, or why there is no text."""

MIN_LETTERS_PER_PAGE = 15
"""Letters and digits below which a page counts as one without text."""

MAX_LOST_SHARE = 0.3
"""Share of letters that the fonts do not name, above which the text cannot be used."""

_PICTURE = 0.25
"""Share of a page from which on an image makes a page of few letters look like a scan."""
_HEADER_REACH = 1024
"""Bytes within which the mark of a PDF must stand (ISO 32000-1, Annex H, note 13)."""
_BULLET = re.compile(r"[•●◦▪■□►▶‣–—·∙] ?")
_PARAGRAPH_GAP = 0.75
"""Space between two lines, in font heights, from which on the second begins a paragraph."""
_INDENT = 0.8
_OTHER_SIZE = 1.2
_SENTENCE_END = re.compile(r"[.!?:…][\"'»”“’)\]]*$")


@dataclass(frozen=True)
class Page:
    """A page of a PDF.

    Attributes:
        number: Its number in the file, from 1.
        label: The number printed on it, as the file's page labels say; its number without them.
        text: Its lines in reading order, paragraphs divided by blank lines; words that are cut
            at line ends are still cut.
        furniture: Running heads and page numbers, which are not in ``text``.
        n_letters: Letters and digits of ``text``.
        image_share: Part of the page that images cover, 0 to 1.
        state: ``text``, ``blank`` where nothing is drawn, or ``no_text`` where there is something
            to see but fewer than ``MIN_LETTERS_PER_PAGE`` letters.
    """

    number: int
    label: str
    text: str
    furniture: tuple[str, ...]
    n_letters: int
    image_share: float
    state: Literal["text", "blank", "no_text"]


@dataclass(frozen=True)
class OutlineItem:
    """An entry of the file's outline (its bookmarks).

    Attributes:
        level: Depth, from 0.
        title: Its words.
        page: Number of the page that it leads to, from 1; None where it leads nowhere.
    """

    level: int
    title: str
    page: int | None


@dataclass(frozen=True)
class PdfWarning:
    """Something about a text that a person should know.

    Attributes:
        code: Stable name: ``pages_without_text`` or ``lost_glyphs``.
        message: What was found and where.
    """

    code: str
    message: str


@dataclass(frozen=True)
class PdfText:
    """What was read from a PDF.

    Attributes:
        status: ``ok``, or why there is no text.
        reason: The same in words, with figures; None if ok.
        text: The text with its lines joined to paragraphs, ligatures written out and words at
            line ends put together; None if there is none.
        pages: The pages, also where there is no text; empty if the file cannot be opened.
        outline: The file's outline.
        warnings: What is doubtful about the text.
    """

    status: Status
    reason: str | None
    text: str | None
    pages: tuple[Page, ...] = ()
    outline: tuple[OutlineItem, ...] = ()
    warnings: tuple[PdfWarning, ...] = ()


def read(path: str | Path) -> PdfText:
    """Read the text of a PDF.

    A file that is encrypted with an owner password alone is read, as any viewer does.

    Args:
        path: The file. Every way in which it can be bad is a status of the result.
    """
    path = Path(path)
    try:
        data = path.read_bytes()
    except OSError as error:
        return _failure("unreadable_file", f"the file cannot be read: {error.strerror}")
    if not data:
        return _failure("empty_file", "the file is empty (0 bytes)")
    if b"%PDF-" not in data[:_HEADER_REACH]:
        return _failure("not_a_pdf", f"no PDF: the file begins with {data[:12]!r}, not with %PDF-")
    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        if error.err_code == pdfium_c.FPDF_ERR_PASSWORD:
            return _failure(
                "password_needed",
                "the file is encrypted and opens only with a password; save it without one",
            )
        return _failure("broken_pdf", f"the file is damaged and cannot be repaired: {error}")
    try:
        return _read(document)
    finally:
        document.close()


def paragraphs(pages: Sequence[Page]) -> str:
    """Return the text of consecutive pages as one, words put together across lines and pages."""
    return join_lines(expand("\n".join(page.text for page in pages if page.text)))


def _read(document: pypdfium2.PdfDocument) -> PdfText:
    if len(document) == 0:
        return _failure("broken_pdf", "the file has no pages; it is damaged")
    drawn: list[DrawnPage] = []
    for number in range(len(document)):
        try:
            page = document[number]
        except pypdfium2.PdfiumError as error:
            return _failure("broken_pdf", f"page {number + 1} cannot be loaded: {error}")
        drawn.append(draw(page))
        page.close()
    page_lines = [lines(page.glyphs) for page in drawn]
    extents = [
        page.extents[found[0].turn if found else 0]
        for page, found in zip(drawn, page_lines, strict=True)
    ]
    furniture = running(page_lines, extents)
    labels = [document.get_page_label(number) for number in range(len(document))]
    pages = tuple(
        _page(number, labels[number], drawn[number], page_lines[number], furniture[number])
        for number in range(len(document))
    )
    outline = _outline(document)
    n_glyphs = sum(len(page.glyphs) for page in drawn)
    n_lost = sum(page.n_lost for page in drawn)
    failure = _lost(n_lost, n_glyphs) or _no_text(pages)
    if failure is not None:
        return PdfText(*failure, None, pages, outline)
    return PdfText("ok", None, paragraphs(pages), pages, outline, _warnings(pages, n_lost))


def _page(
    number: int, label: str, drawn: DrawnPage, found: Sequence[Line], furniture: set[int]
) -> Page:
    text = nfc(_text([line for index, line in enumerate(found) if index not in furniture]))
    n_letters = sum(character.isalnum() for character in text)
    if n_letters >= MIN_LETTERS_PER_PAGE:
        state: Literal["text", "blank", "no_text"] = "text"
    else:
        state = "blank" if drawn.is_blank else "no_text"
    return Page(
        number=number + 1,
        label=label or str(number + 1),
        text=text,
        furniture=tuple(found[index].text for index in sorted(furniture)),
        n_letters=n_letters,
        image_share=drawn.image_share,
        state=state,
    )


def _text(found: Sequence[Line]) -> str:
    """Return lines as text, a blank line before each that begins a paragraph."""
    parts: list[str] = []
    first = found[0] if found else None
    for before, line in zip([None, *found], found, strict=False):
        if before is not None and first is not None:
            begins = _begins_paragraph(before, line) or _ends_item(first, line)
            parts.append("\n\n" if begins else "\n")
            first = line if begins else first
        parts.append(line.text)
    return "".join(parts)


def _ends_item(first: Line, line: Line) -> bool:
    """Tell whether a line stands as far left as the bullet of the paragraph before it."""
    hanging = line.left <= first.left + _INDENT / 2 * first.height
    return _BULLET.match(first.text) is not None and hanging


def _begins_paragraph(before: Line, line: Line) -> bool:
    sizes = sorted((before.height, line.height))
    if sizes[1] > _OTHER_SIZE * sizes[0] or before.turn != line.turn:
        return True
    if _BULLET.match(line.text):
        return True
    if before.column != line.column:
        return False
    height = line.height
    if before.bottom - line.top > _PARAGRAPH_GAP * height:
        return True
    indented = line.left - before.left > _INDENT * height
    return indented and _SENTENCE_END.search(before.text) is not None


def _no_text(pages: Sequence[Page]) -> tuple[Status, str] | None:
    if any(page.state == "text" for page in pages):
        return None
    n_letters = sum(page.n_letters for page in pages)
    share = max(page.image_share for page in pages)
    scanned = f"; images cover up to {share:.0%} of a page, it may be a scan" if share else ""
    pages_text = f"{len(pages)} page" + ("s" if len(pages) > 1 else "")
    return (
        "no_text_layer",
        f"no text layer: {n_letters} characters on {pages_text}{scanned}; recognise its text by "
        "OCR and save that as text.txt",
    )


def _lost(n_lost: int, n_glyphs: int) -> tuple[Status, str] | None:
    if n_lost <= MAX_LOST_SHARE * n_glyphs:
        return None
    return (
        "lost_glyphs",
        f"{n_lost} of {n_glyphs} characters cannot be told, as the fonts do not say which letters "
        "their glyphs are; recognise the text by OCR and save it as text.txt",
    )


def _warnings(pages: Sequence[Page], n_lost: int) -> tuple[PdfWarning, ...]:
    result = []
    missing = [
        page.number
        for page in pages
        if page.state == "no_text" and (not page.n_letters or page.image_share >= _PICTURE)
    ]
    if missing:
        shown = ", ".join(map(str, missing[:20])) + (" …" if len(missing) > 20 else "")
        result.append(
            PdfWarning(
                "pages_without_text",
                f"{len(missing)} of {len(pages)} pages without text (pages {shown})",
            )
        )
    if n_lost:
        result.append(
            PdfWarning(
                "lost_glyphs",
                f"characters that cannot be told: {n_lost}; the fonts do not say which letters "
                "their glyphs are, so words with U+FFFD in them are damaged",
            )
        )
    return tuple(result)


def _outline(document: pypdfium2.PdfDocument) -> tuple[OutlineItem, ...]:
    result = []
    for item in document.get_toc():
        target = item.get_dest()
        index = target.get_index() if target is not None else None
        title = " ".join(nfc(item.get_title()).split())
        result.append(OutlineItem(item.level, title, None if index is None else index + 1))
    return tuple(result)


def _failure(status: Status, reason: str) -> PdfText:
    return PdfText(status, reason, None)
