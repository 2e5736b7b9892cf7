"""How long transcribing took: a page of its own, since times are no part of results."""

import csv
import io
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from markupsafe import escape

_STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif}td,th{padding:.1rem .8rem .1rem 0;text-align:left}"
)


class Timing(NamedTuple):
    """How long recordings took.

    Attributes:
        n: Recordings that were transcribed.
        sound_s: Their length in seconds.
        taken_s: How long it took in seconds, the model's loading left out.
    """

    n: int
    sound_s: float
    taken_s: float

    @property
    def factor(self) -> float | None:
        """Time taken over length of the sound; None without sound."""
        return self.taken_s / self.sound_s if self.sound_s else None


def read_timings(text: str) -> Timing:
    """Return the sum of a file of timings; recordings without a time are left out.

    Args:
        text: Tab-separated values as ``sensemaking.asr.rows`` writes them.
    """
    rows = csv.DictReader(io.StringIO(text), delimiter="\t", quoting=csv.QUOTE_NONE)
    pairs = [
        (float(row["seconds_of_sound"]), float(row["seconds_taken"]))
        for row in rows
        if row["seconds_of_sound"] and row["seconds_taken"]
    ]
    return Timing(len(pairs), sum(sound for sound, _ in pairs), sum(taken for _, taken in pairs))


def total(timings: Iterable[Timing]) -> Timing:
    """Return the sum of timings."""
    found = list(timings)
    return Timing(
        sum(timing.n for timing in found),
        sum(timing.sound_s for timing in found),
        sum(timing.taken_s for timing in found),
    )


def render_page(timings: Mapping[str, Timing]) -> str:
    """Return the page: a line for each chapter and one for all.

    Args:
        timings: What a line is called, to its figures.
    """
    lines = "".join(
        _line(name, timing) for name, timing in [*timings.items(), ("All", total(timings.values()))]
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<title>How long transcribing took</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        "<table>\n<tr><th>Chapter</th><th>Recordings</th><th>Minutes of sound</th>"
        "<th>Minutes taken</th><th>Real-time factor</th></tr>\n"
        f"{lines}</table>\n</body>\n</html>\n"
    )


def _line(name: str, timing: Timing) -> str:
    factor = "–" if timing.factor is None else f"{timing.factor:.3f}"
    cells = [name, timing.n, f"{timing.sound_s / 60:.1f}", f"{timing.taken_s / 60:.1f}", factor]
    return "<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in cells) + "</tr>\n"
