"""Slide changes: a CSV of times, and the places in a transcript that they stand for."""

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

from sensemaking.sectioning.spans import locate

_NUMBER: Final = r"\d+(?:[.,]\d+)?"
_CLOCK: Final = re.compile(r"(?:(?P<h>\d+):)?(?P<m>\d{1,2}):(?P<s>\d{1,2}(?:[.,]\d+)?)")
_SECONDS: Final = re.compile(rf"{_NUMBER}(?:\s*s)?")
_TIME_COLUMNS: Final = ("start", "start_s", "time", "begin", "from", "seconds", "timestamp")
_TITLE_COLUMNS: Final = ("title", "slide", "name", "heading", "label")


class Slide(NamedTuple):
    """A slide of a lecture.

    Attributes:
        start_s: When it appears, in seconds from the start of the recording.
        title: What the file says of it, or None.
    """

    start_s: float
    title: str | None


class SlideTimesError(ValueError):
    """The file of slide changes cannot be used; the message names line and value."""


class SpokenSegment(Protocol):
    """A stretch of a transcript; times in seconds from the start of the recording."""

    @property
    def start_s(self) -> float:
        """Its start."""
        ...

    @property
    def end_s(self) -> float:
        """Its end."""
        ...

    @property
    def text(self) -> str:
        """Its words."""
        ...


class Segment(NamedTuple):
    """A stretch of a transcript; times in seconds from the start of the recording."""

    start_s: float
    end_s: float
    text: str


@dataclass(frozen=True)
class SlideCuts:
    """Where slides begin in a transcript.

    Attributes:
        offsets: Offsets into the text, ascending; 0 for the first slide with speech.
        slides: The slide that begins at each of them.
        silent: Slides during which nothing is said; they give no part.
    """

    offsets: list[int]
    slides: list[Slide]
    silent: list[Slide]


def read_slide_times(text: str) -> list[Slide]:
    """Return the slides of a CSV file, one line for each.

    The first line may name the columns: ``start`` (or start_s, time, begin, from, seconds,
    timestamp) and ``title`` (or slide, name, heading, label). Without names the first column is
    the time and the second the title. Times are seconds (``83.5``), or ``m:ss`` or ``h:mm:ss``
    with a fraction; columns are divided by commas, semicolons or tabs. A decimal comma is read
    where another sign divides the columns, or in quotes.

    Args:
        text: The decoded text of the file.

    Raises:
        SlideTimesError: There is no time, a value is no time, or the times do not ascend.
    """
    lines = [(n, line) for n, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not lines:
        raise SlideTimesError("the file of slide changes is empty; expected a time on each line")
    divider = next((sign for sign in "\t;" if sign in lines[0][1]), ",")
    rows = [
        (number, [cell.strip() for cell in row])
        for (number, line) in lines
        for row in csv.reader(io.StringIO(line), delimiter=divider)
    ]
    time_column, title_column = 0, 1
    if _seconds(rows[0][1][0]) is None:
        time_column, title_column = _columns(rows.pop(0)[1])
    if not rows:
        raise SlideTimesError("the file of slide changes names its columns but has no times")
    slides: list[Slide] = []
    for number, cells in rows:
        value = cells[time_column] if time_column < len(cells) else ""
        seconds = _seconds(value)
        if seconds is None:
            raise SlideTimesError(
                f"line {number}: found {value!r}, expected a time such as 83.5 or 0:01:23.5"
            )
        if slides and seconds <= slides[-1].start_s:
            raise SlideTimesError(
                f"line {number}: {value} is not after the time before it, "
                f"{slides[-1].start_s:g} s; expected ascending times"
            )
        title = cells[title_column] if 0 <= title_column < len(cells) else ""
        slides.append(Slide(seconds, title or None))
    return slides


def cut_at_slides(
    text: str, segments: Sequence[SpokenSegment], slides: Sequence[Slide]
) -> SlideCuts:
    """Return where the slides begin in a transcript.

    A segment belongs to the slide during which most of it is spoken, to the earlier of two equal
    ones; what is said before the first slide belongs to the first. Segments are not divided.

    Args:
        text: The transcript: the texts of the segments in order, white space aside.
        segments: The segments in order of time, without those that are not in the text.
        slides: The slides in order of time.

    Raises:
        ValueError: The segments are not the text, or there is no slide.
    """
    if not slides:
        raise ValueError("there are no slides to cut at")
    starts = [segment.start for segment in locate(text, [segment.text for segment in segments])]
    ends = [slide.start_s for slide in slides[1:]] + [float("inf")]
    offsets: list[int] = []
    found: list[int] = []
    current = 0
    for start, segment in zip(starts, segments, strict=True):
        if not segment.text.strip():
            continue
        shares = [
            min(segment.end_s, end) - max(segment.start_s, slide.start_s if number else 0.0)
            for number, (slide, end) in enumerate(zip(slides, ends, strict=True))
        ]
        # The order of the text is kept even if the times of segments are not in order.
        current = max(current, shares.index(max(shares)))
        if not found or current != found[-1]:
            offsets.append(start)
            found.append(current)
    silent = [slide for number, slide in enumerate(slides) if number not in found]
    return SlideCuts(offsets, [slides[number] for number in found], silent)


def _columns(names: Sequence[str]) -> tuple[int, int]:
    lowered = [name.lower().lstrip("\ufeff") for name in names]
    times = [number for number, name in enumerate(lowered) if name in _TIME_COLUMNS]
    if not times:
        raise SlideTimesError(
            f"line 1: found the columns {', '.join(names)}; expected one named start, or a time "
            "such as 83.5 or 0:01:23.5"
        )
    titles = [number for number, name in enumerate(lowered) if name in _TITLE_COLUMNS]
    return times[0], titles[0] if titles else -1


def _seconds(value: str) -> float | None:
    bare = value.lstrip("\ufeff").strip()
    if clock := _CLOCK.fullmatch(bare):
        seconds = float(clock["s"].replace(",", "."))
        minutes = int(clock["m"])
        if seconds >= 60 or (clock["h"] is not None and minutes >= 60):
            return None
        return int(clock["h"] or 0) * 3600 + minutes * 60 + seconds
    if _SECONDS.fullmatch(bare):
        return float(bare.rstrip("s ").replace(",", "."))
    return None
