"""Lists of sentences kept as text files, one a line."""

from pathlib import Path

from sensemaking.ids import nfc


def read_sentences(path: Path) -> list[str]:
    """Return the sentences of a list in NFC; blank lines are passed over.

    Args:
        path: The file, UTF-8.

    Raises:
        ValueError: There is none, or one stands there twice.
    """
    lines = [nfc(line.strip()) for line in path.read_text(encoding="utf-8").splitlines()]
    sentences = [line for line in lines if line]
    if not sentences:
        raise ValueError(f"{path}: no sentence; expected one a line")
    twice = next((line for line in sentences if sentences.count(line) > 1), None)
    if twice is not None:
        raise ValueError(f"{path}: {twice!r} stands there twice; keep one")
    return sentences
