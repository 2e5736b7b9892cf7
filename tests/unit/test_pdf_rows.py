from pathlib import Path

from fpdf import FPDF
from pdf_files import at, column, pdf

from sensemaking.io import artifacts
from sensemaking.io.materials import Folder
from sensemaking.pdf_rows import read_pdfs
from sensemaking.schemas import FINDINGS, OUTLINES, PDF_PAGES, PDF_TEXTS

PROSE = column(72, 700, ["Rivers carry stones down", "to the plain."])
MORE = column(72, 700, ["Glaciers grind rock into", "fine powder."])


def folders(root: Path, **files: bytes) -> list[Folder]:
    result = []
    for name, data in files.items():
        path = root / f"{name}.pdf"
        path.write_bytes(data)
        result.append(Folder(f"kind/{name}", root, {"source.pdf": path}))
    return result


def test_each_pdf_gives_a_row_its_pages_and_its_findings(tmp_path: Path) -> None:
    rows = read_pdfs(
        folders(
            tmp_path,
            good=pdf(PROSE, MORE),
            half=pdf(PROSE, []),
            scan=pdf([at(72, 700, "7")]),
            broken=b"%PDF-1.4",
            text=b"not a PDF",
        )
    )
    for artifact, made in (
        (PDF_TEXTS, rows.texts),
        (PDF_PAGES, rows.pages),
        (OUTLINES, rows.outlines),
        (FINDINGS, [finding.row() for finding in rows.findings]),
    ):
        artifacts.to_table(artifact, made)
    status = {row["section_id"]: row["status"] for row in rows.texts}
    assert status == {
        "kind/good": "ok",
        "kind/half": "ok",
        "kind/scan": "no_text_layer",
        "kind/broken": "broken_pdf",
        "kind/text": "not_a_pdf",
    }
    assert {(finding.file, finding.code) for finding in rows.findings} == {
        ("kind/scan/source.pdf", "no_text_layer"),
        ("kind/broken/source.pdf", "broken_pdf"),
        ("kind/text/source.pdf", "not_a_pdf"),
    }
    assert all(finding.severity == "error" for finding in rows.findings)


def test_pages_begin_where_their_text_does(tmp_path: Path) -> None:
    (row,), pages = (rows := read_pdfs(folders(tmp_path, good=pdf(PROSE, MORE)))).texts, rows.pages
    assert [(page["page"], page["state"]) for page in pages] == [(1, "text"), (2, "text")]
    first, second = (page["start"] for page in pages)
    assert row["text"][first:second].strip() == "Rivers carry stones down to the plain."
    assert row["text"][second:].strip() == "Glaciers grind rock into fine powder."


def test_the_outline_is_kept_with_its_pages(tmp_path: Path) -> None:
    book = FPDF()
    book.set_font("helvetica", size=12)
    for title, text in (("Of rivers", "Rivers carry stones."), ("Of ice", "Glaciers grind rock.")):
        book.add_page()
        book.start_section(title)
        book.cell(text=text)
    rows = read_pdfs(folders(tmp_path, book=bytes(book.output())))
    assert [(row["entry"], row["level"], row["title"], row["page"]) for row in rows.outlines] == [
        (0, 0, "Of rivers", 1),
        (1, 0, "Of ice", 2),
    ]
