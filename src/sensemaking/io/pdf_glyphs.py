"""What a page of a PDF draws: its letters with their boxes, read through PDFium.

Positions are in points in a frame in which the text of a direction runs from left to right and
up is positive; letters of another direction have a frame of their own.
"""

import ctypes
import math
from dataclasses import dataclass

import pypdfium2
import pypdfium2.raw as pdfium_c

_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_MARK_OBJECTS = frozenset(
    {pdfium_c.FPDF_PAGEOBJ_IMAGE, pdfium_c.FPDF_PAGEOBJ_PATH, pdfium_c.FPDF_PAGEOBJ_SHADING}
)


@dataclass(frozen=True, slots=True)
class Glyph:
    """A letter, or the white space between two.

    Attributes:
        text: The character; U+FFFD where the font does not say which one it is.
        turn: Quarter turns of its direction, clockwise; 0 is from left to right.
        left: Left edge in points, in the frame of its direction.
        bottom: Lower edge; the box has the height of the font, not of the letter.
        right: Right edge.
        top: Upper edge.
    """

    text: str
    turn: int
    left: float
    bottom: float
    right: float
    top: float

    @property
    def is_space(self) -> bool:
        """Whether it is white space."""
        return self.text.isspace()


@dataclass(frozen=True)
class DrawnPage:
    """What a page draws, inside its crop box.

    Attributes:
        glyphs: Its letters in the order of drawing.
        n_lost: Letters of which the font does not say what they are.
        image_share: Part of the page's area that images cover, 0 to 1.
        is_blank: Whether nothing at all is drawn.
        extents: Turn to the lower and upper edge of the page in the frame of that direction.
    """

    glyphs: tuple[Glyph, ...]
    n_lost: int
    image_share: float
    is_blank: bool
    extents: dict[int, tuple[float, float]]


def draw(page: pypdfium2.PdfPage) -> DrawnPage:
    """Return what a page draws.

    Letters whose centre lies outside the crop box are left out, as a viewer does not show them.

    Args:
        page: A page of an open document; it is not closed.
    """
    crop = page.get_bbox()  # Unlike get_cropbox, it knows boxes that pages inherit.
    text_page = page.get_textpage()
    try:
        glyphs = _glyphs(text_page, crop)
    finally:
        text_page.close()
    image_area, is_blank = _marks(page, crop)
    area = (crop[2] - crop[0]) * (crop[3] - crop[1])
    return DrawnPage(
        glyphs=tuple(glyphs),
        n_lost=sum(glyph.text == _REPLACEMENT for glyph in glyphs),
        image_share=min(1.0, image_area / area) if area > 0 else 0.0,
        is_blank=is_blank and not glyphs,
        extents={turn: _turned(crop, turn)[1::2] for turn in range(4)},
    )


def _glyphs(
    text_page: pypdfium2.PdfTextPage, crop: tuple[float, float, float, float]
) -> list[Glyph]:
    result: list[Glyph] = []
    surrogate: int | None = None
    for index in range(text_page.count_chars()):
        code = pdfium_c.FPDFText_GetUnicode(text_page, index)
        if code in (0x0A, 0x0D):  # PDFium's own line ends; lines are found from the boxes here.
            continue
        if 0xD800 <= code <= 0xDBFF:  # The first half of a character beyond U+FFFF.
            surrogate = code
            continue
        if 0xDC00 <= code <= 0xDFFF and surrogate is not None:
            code = 0x10000 + ((surrogate - 0xD800) << 10) + (code - 0xDC00)
        surrogate = None
        box = _box(text_page, index)
        if box is None:
            continue
        x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        if not (crop[0] <= x <= crop[2] and crop[1] <= y <= crop[3]):
            continue
        turn = round(math.degrees(pdfium_c.FPDFText_GetCharAngle(text_page, index)) / 90) % 4
        result.append(Glyph(_character(text_page, index, code), turn, *_turned(box, turn)))
    return result


def _box(text_page: pypdfium2.PdfTextPage, index: int) -> tuple[float, float, float, float] | None:
    box = pdfium_c.FS_RECTF()
    if not pdfium_c.FPDFText_GetLooseCharBox(text_page, index, ctypes.byref(box)):
        return None
    left, right = sorted((box.left, box.right))
    bottom, top = sorted((box.bottom, box.top))
    return left, bottom, right, top


def _character(text_page: pypdfium2.PdfTextPage, index: int, code: int) -> str:
    if pdfium_c.FPDFText_IsHyphen(text_page, index) == 1:
        return "-"
    private = 0xE000 <= code <= 0xF8FF or code >= 0xF0000
    control = code < 0x20 and code != 0x09
    noncharacter = (code & 0xFFFF) >= 0xFFFE or 0xD800 <= code <= 0xDFFF
    lost = pdfium_c.FPDFText_HasUnicodeMapError(text_page, index) == 1
    return _REPLACEMENT if lost or private or control or noncharacter else chr(code)


def _turned(box: tuple[float, float, float, float], turn: int) -> tuple[float, float, float, float]:
    """Return a box in the frame in which text turned clockwise by quarter turns is upright."""
    left, bottom, right, top = box
    for _ in range(turn):
        # A quarter turn anticlockwise takes (x, y) to (-y, x).
        left, bottom, right, top = -top, left, -bottom, right
    return left, bottom, right, top


def _marks(page: pypdfium2.PdfPage, crop: tuple[float, float, float, float]) -> tuple[float, bool]:
    """Return the area of the images inside the crop box, and whether nothing is drawn."""
    area, blank = 0.0, True
    for item in page.get_objects(max_depth=4):
        if item.type not in _MARK_OBJECTS:
            continue
        blank = False
        if item.type != pdfium_c.FPDF_PAGEOBJ_IMAGE:
            continue
        left, bottom, right, top = item.get_bounds()
        width = min(right, crop[2]) - max(left, crop[0])
        height = min(top, crop[3]) - max(bottom, crop[1])
        area += max(0.0, width) * max(0.0, height)
    return area, blank
