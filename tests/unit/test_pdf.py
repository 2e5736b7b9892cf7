import io
import itertools
from pathlib import Path

import numpy as np
import pytest
from fpdf import FPDF
from fpdf.enums import EncryptionMethod
from pdf_files import at, column, pdf
from PIL import Image

from sensemaking.io.pdf import OutlineItem, PdfText, paragraphs, read

STONES = [
    at(72, 700, "Rivers carry stones down to"),
    at(72, 684, "the plain."),
    at(320, 700, "Glaciers grind rock into"),
    at(320, 684, "fine powder."),
]
PROSE = column(
    72,
    700,
    ["A river that runs over flat land winds from one side", "to the other, and its bed moves on."],
)


@pytest.fixture
def parse(tmp_path: Path):
    def parse(data: bytes) -> PdfText:
        path = tmp_path / "source.pdf"
        path.write_bytes(data)
        return read(path)

    return parse


def with_images(*texts: str) -> bytes:
    """A page for each text, with an image over it; without text if it is empty."""
    rng = np.random.default_rng(0)
    document = FPDF(unit="pt", format="A4")
    document.set_font("helvetica", size=11)
    for text in texts:
        document.add_page()
        image = Image.fromarray(rng.integers(0, 255, (20, 20, 3), dtype=np.uint8))
        document.image(image, 0, 0, 595, 842)
        if text:
            document.text(72, 100, text)
    return bytes(document.output())


def encrypted(user: str, method: EncryptionMethod) -> bytes:
    document = FPDF()
    document.add_page()
    document.set_font("helvetica", size=11)
    document.text(20, 30, "Rivers carry stones down to the plain.")
    document.set_encryption("owner", user, encryption_method=method)
    return bytes(document.output())


@pytest.mark.parametrize("order", list(itertools.permutations(range(4))))
def test_two_columns_of_two_lines_are_read_one_after_the_other(parse, order) -> None:
    got = parse(pdf([STONES[i] for i in order]))
    assert got.text == (
        "Rivers carry stones down to the plain. Glaciers grind rock into fine powder."
    )


@pytest.mark.parametrize("rotate", [90, 180, 270])
def test_a_page_that_is_rotated_for_the_screen_reads_the_same(parse, rotate: int) -> None:
    assert parse(pdf(STONES, rotate=rotate)).text == parse(pdf(STONES)).text


@pytest.mark.parametrize("matrix", ["0 1 -1 0 500 100", "-1 0 0 -1 500 800", "0 -1 1 0 100 700"])
def test_text_that_is_drawn_turned_reads_the_same(parse, matrix: str) -> None:
    lines = [at(0, 0, "The river"), at(0, -14, "runs down to the sea.")]
    turned = f"q {matrix} cm {' '.join(lines)} Q"
    assert parse(pdf([turned])).text == "The river runs down to the sea."


def test_words_divided_at_line_ends_and_pages_are_put_together(parse) -> None:
    first = column(72, 700, ["A river that runs over flat land winds from one side to an-"])
    second = column(72, 700, ["other, and its bed moves on."])
    got = parse(pdf(first, second))
    assert got.text == (
        "A river that runs over flat land winds from one side to another, and its bed moves on."
    )
    assert [page.text[-3:] for page in got.pages] == ["an-", "on."]
    assert paragraphs(got.pages[1:]) == "other, and its bed moves on."


def test_a_larger_space_or_another_size_begins_a_paragraph(parse) -> None:
    commands = [
        at(72, 740, "Of rivers", 18),
        *column(72, 700, ["The river runs over the land and", "carries sand."]),
        *column(72, 650, ["The sand stays where the water", "is slow."]),
    ]
    assert parse(pdf(commands)).text == (
        "Of rivers\n\nThe river runs over the land and carries sand.\n\n"
        "The sand stays where the water is slow."
    )


def test_an_indented_line_after_a_full_stop_begins_a_paragraph(parse) -> None:
    commands = [
        *column(72, 700, ["The river runs over the land and", "carries sand."]),
        *column(90, 674, ["The sand stays where the water"]),
        *column(72, 661, ["is slow."]),
    ]
    assert "carries sand.\n\nThe sand stays where the water is slow." in (
        parse(pdf(commands)).text or ""
    )


def test_the_text_after_the_items_of_a_list_is_a_paragraph_of_its_own(parse) -> None:
    commands = [
        at(72, 700, "•"),
        at(84, 700, "sand, which the river carries"),
        at(84, 687, "to the sea"),
        at(72, 674, "•"),
        at(84, 674, "stones, which stay where they are"),
        at(72, 661, "Both come from the mountains."),
    ]
    assert (parse(pdf(commands)).text or "").splitlines() == [
        "• sand, which the river carries to the sea",
        "",
        "• stones, which stay where they are",
        "",
        "Both come from the mountains.",
    ]


def test_signs_powers_and_fractions_stay_as_they_are(parse) -> None:
    got = parse(pdf([at(72, 700, "x², ½ kg, 10 µm… and no more than that")]))
    assert got.text == "x², ½ kg, 10 µm… and no more than that"


def test_ligatures_come_as_letters(parse) -> None:
    # Codes 1 and 2 are the glyphs fi and fl of the font.
    names = "<< /Type /Encoding /BaseEncoding /WinAnsiEncoding /Differences [1 /fi /fl] >>"
    got = parse(pdf([at(72, 700, "the \x01eld is \x02at and wide")], encoding=names))
    assert got.text == "the field is flat and wide"


@pytest.mark.parametrize(("code", "letter"), [(1, "\x01"), (66, "B")])
def test_glyphs_without_a_letter_are_marked_and_counted(parse, code: int, letter: str) -> None:
    names = f"<< /Type /Encoding /BaseEncoding /WinAnsiEncoding /Differences [{code} /g37] >>"
    got = parse(pdf([at(72, 700, f"the o{letter}er of the river is wide")], encoding=names))
    assert got.status == "ok"
    assert got.text == "the o\N{REPLACEMENT CHARACTER}er of the river is wide"
    assert [w.code for w in got.warnings] == ["lost_glyphs"]
    assert "cannot be told: 1;" in got.warnings[0].message


@pytest.mark.parametrize("named", [0, 15])
def test_a_text_of_glyphs_that_are_mostly_unknown_is_a_failure(parse, named: int) -> None:
    names = "<< /Type /Encoding /BaseEncoding /WinAnsiEncoding /Differences [1 /g37] >>"
    got = parse(pdf([at(72, 700, "\x01" * 10 + "abcdefghijklmno"[:named])], encoding=names))
    assert (got.status, got.text) == ("lost_glyphs", None)
    assert f"10 of {10 + named} characters" in (got.reason or "")


def test_a_hyphen_at_the_end_of_a_line_is_one_in_the_text_of_a_page(parse) -> None:
    got = parse(pdf(column(72, 700, ["A river winds from one side to an-", "other on its way."])))
    assert got.pages[0].text == "A river winds from one side to an-\nother on its way."
    assert got.text == "A river winds from one side to another on its way."


def test_a_heading_just_above_the_text_is_a_paragraph_by_its_size(parse) -> None:
    commands = [at(72, 713, "Of rivers", 13), *column(72, 700, ["The river runs over the land."])]
    assert parse(pdf(commands)).text == "Of rivers\n\nThe river runs over the land."


@pytest.mark.parametrize(
    "method", [EncryptionMethod.RC4, EncryptionMethod.AES_128, EncryptionMethod.AES_256]
)
def test_a_file_with_an_owner_password_alone_is_read(parse, method: EncryptionMethod) -> None:
    got = parse(encrypted("", method))
    assert (got.status, got.text) == ("ok", "Rivers carry stones down to the plain.")


@pytest.mark.parametrize("method", [EncryptionMethod.RC4, EncryptionMethod.AES_256])
def test_a_file_with_a_user_password_is_a_failure(parse, method: EncryptionMethod) -> None:
    got = parse(encrypted("secret", method))
    assert (got.status, got.text) == ("password_needed", None)
    assert "password" in (got.reason or "")


def test_pages_of_images_alone_are_a_failure_with_figures(parse) -> None:
    got = parse(with_images("", "", ""))
    assert (got.status, got.text) == ("no_text_layer", None)
    assert "0 characters on 3 pages" in (got.reason or "")
    assert [page.state for page in got.pages] == ["no_text"] * 3


def test_a_stamp_on_every_scanned_page_is_no_text(parse) -> None:
    got = parse(with_images(*["scanned by the library of the town"] * 3))
    assert got.status == "no_text_layer"


def test_a_few_letters_on_a_page_are_no_text(parse) -> None:
    assert parse(pdf([at(72, 700, "page 1")])).status == "no_text_layer"


def test_pages_of_images_between_pages_of_text_are_counted(parse) -> None:
    got = parse(with_images("Rivers carry stones down to the plain.", "", ""))
    assert (got.status, got.text) == ("ok", "Rivers carry stones down to the plain.")
    assert [w.code for w in got.warnings] == ["pages_without_text"]
    assert "2 of 3 pages without text (pages 2, 3)" in got.warnings[0].message


def test_blank_pages_and_pages_with_a_word_are_no_reason_to_warn(parse) -> None:
    got = parse(pdf(PROSE, [], [at(72, 700, "Part two")], PROSE))
    assert got.warnings == ()
    assert [page.state for page in got.pages] == ["text", "blank", "no_text", "text"]


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"", "empty_file"),
        (b"plain text under a wrong name\n" * 50, "not_a_pdf"),
        (b"PK\x03\x04" + bytes(2000), "not_a_pdf"),
        (b"%PDF-1.4\n" + b"rubbish " * 100, "broken_pdf"),
        (b"%PDF-1.4\n", "broken_pdf"),
    ],
)
def test_a_file_that_is_no_pdf_is_a_failure_with_a_reason(parse, data: bytes, status: str) -> None:
    got = parse(data)
    assert (got.status, got.text, got.pages) == (status, None, ())
    assert got.reason


def test_a_missing_file_is_a_failure_with_a_reason(tmp_path: Path) -> None:
    got = read(tmp_path / "source.pdf")
    assert got.status == "unreadable_file"
    assert "No such file" in (got.reason or "")


def test_a_wrong_table_of_places_is_repaired(parse) -> None:
    data = pdf(PROSE)
    broken = data.replace(b"startxref\n", b"startxref\n9")
    assert broken != data
    assert parse(broken).text == parse(data).text


def test_a_file_that_lost_its_end_is_read_as_far_as_it_goes_or_fails_with_a_reason(parse) -> None:
    data = pdf(PROSE, PROSE)
    for length in range(20, len(data), 97):
        got = parse(data[:length])
        assert (got.text is None) == (got.status != "ok")
        assert (got.reason is None) == (got.status == "ok")


def test_text_outside_of_what_a_viewer_shows_is_left_out(parse) -> None:
    got = parse(
        pdf([*PROSE, at(72, 820, "printer's marks, not for readers")], crop=(0, 0, 595, 800))
    )
    assert "printer" not in (got.text or "")
    assert (got.text or "").startswith("A river")


@pytest.mark.parametrize("inherited", [False, True])
def test_the_size_of_pages_is_known_where_they_inherit_it(parse, inherited: bool) -> None:
    pages = [
        [
            at(900, 1170, "History of rivers", 9),
            *column(900, 700, [f"Page {n} of the rivers", "end."]),
        ]
        for n in ("one", "two")
    ]
    got = parse(pdf(*pages, box=(0, 0, 1200, 1200), inherited=inherited))
    assert got.text == "Page one of the rivers end. Page two of the rivers end."
    assert got.pages[0].furniture == ("History of rivers",)


def test_heads_and_page_numbers_are_not_in_the_text_and_are_kept_aside(parse) -> None:
    pages = [
        [
            at(72, 810, "History of rivers", 9),
            at(290, 30, str(17 + n), 9),
            *column(72, 700, [f"On page {w} the river runs over flat", "land and its bed moves."]),
        ]
        for n, w in enumerate(["one", "two", "three"])
    ]
    got = parse(pdf(*pages))
    assert got.text == " ".join(
        f"On page {w} the river runs over flat land and its bed moves."
        for w in ["one", "two", "three"]
    )
    assert [p.furniture for p in got.pages] == [("History of rivers", str(n)) for n in (17, 18, 19)]


def test_page_labels_are_those_of_the_file(parse) -> None:
    labels = "/PageLabels << /Nums [0 << /S /r /St 3 >> 1 << /S /D /St 12 /P (A-) >>] >>"
    got = parse(pdf(PROSE, PROSE, PROSE, catalog=labels))
    assert [page.label for page in got.pages] == ["iii", "A-12", "A-13"]
    assert [page.label for page in parse(pdf(PROSE, PROSE)).pages] == ["1", "2"]


def test_the_outline_gives_levels_titles_and_pages(parse) -> None:
    document = FPDF()
    document.set_font("helvetica", size=11)
    for level, title in ((0, "Rivers"), (1, "Their   beds"), (0, "Lakes")):
        document.add_page()
        document.start_section(title, level=level)
        document.write(text="The river runs over the land and carries sand.")
    got = parse(bytes(document.output()))
    assert got.outline == (
        OutlineItem(0, "Rivers", 1),
        OutlineItem(1, "Their beds", 2),
        OutlineItem(0, "Lakes", 3),
    )
    assert parse(pdf(PROSE)).outline == ()


def test_bold_that_is_made_by_drawing_twice_is_read_once(parse) -> None:
    twice = [at(72, 700, "The river runs over"), at(72.3, 700, "The river runs over")]
    assert parse(pdf(twice)).text == "The river runs over"


def test_the_same_file_gives_the_same_result(parse) -> None:
    data = with_images("Rivers carry stones down to the plain.", "")
    assert parse(data) == parse(data)


def test_reading_does_not_keep_the_file_open(tmp_path: Path) -> None:
    path = tmp_path / "source.pdf"
    path.write_bytes(pdf(PROSE))
    read(path)
    buffer = io.BytesIO(path.read_bytes())
    path.unlink()
    assert buffer.getvalue().startswith(b"%PDF-")
