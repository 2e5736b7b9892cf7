"""Small PDFs, written by hand so that a test shows all that is in them."""

from collections.abc import Iterable, Sequence

A4 = (0, 0, 595, 842)


def at(x: float, y: float, text: str, size: float = 11) -> str:
    """Return the commands that draw a line of text."""
    escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    return f"BT /F1 {size} Tf {x} {y} Td ({escaped}) Tj ET"


def column(x: float, y: float, lines: Sequence[str], size: float = 10) -> list[str]:
    """Return the commands that draw lines 13 points below each other, one for each line."""
    return [at(x, y - 13 * number, line, size) for number, line in enumerate(lines)]


def pdf(
    *pages: Iterable[str],
    box: Sequence[float] = A4,
    crop: Sequence[float] | None = None,
    rotate: int = 0,
    catalog: str = "",
    encoding: str = "/WinAnsiEncoding",
    inherited: bool = False,
) -> bytes:
    """Return a PDF whose pages draw what the commands say, in that order, in Helvetica.

    Where the box of the pages is inherited, it is stated once, for all of them.
    """
    objects = [
        "",
        "",
        f"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding {encoding} >>",
    ]
    kids = []
    extra = f" /Rotate {rotate}" if rotate else ""
    if crop is not None:
        extra += f" /CropBox [{' '.join(map(str, crop))}]"
    stated = f"/MediaBox [{' '.join(map(str, box))}]"
    for commands in pages:
        stream = "\n".join(commands)
        length = len(stream.encode("cp1252"))
        objects.append(f"<< /Length {length} >>\nstream\n{stream}\nendstream")
        objects.append(
            f"<< /Type /Page /Parent 2 0 R {'' if inherited else stated}{extra} "
            f"/Resources << /Font << /F1 3 0 R >> >> /Contents {len(objects)} 0 R >>"
        )
        kids.append(f"{len(objects)} 0 R")
    objects[0] = f"<< /Type /Catalog /Pages 2 0 R {catalog} >>"
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} {stated} >>"
    data = b"%PDF-1.4\n"
    offsets = []
    for number, content in enumerate(objects, start=1):
        offsets.append(len(data))
        data += f"{number} 0 obj\n{content}\nendobj\n".encode("cp1252")
    table = "".join(f"{offset:010d} 00000 n \n" for offset in offsets)
    return data + (
        f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}"
        f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{len(data)}\n%%EOF\n"
    ).encode("ascii")
