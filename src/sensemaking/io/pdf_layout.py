"""From letters with boxes to lines in reading order: rows, columns, tables.

Pure functions. The order in which a file draws its text says little (a table of contents, a
program that writes row by row across columns), so lines and columns are found from positions
alone. The page is cut recursively, as in the recursive X-Y cut of Nagy and Seth (1984), but the
first cut is the tallest band of rows that has a free gutter, so a title above two columns does
not hide them and a blank line does not cut them.

Columns of prose are read one after the other; what looks like a table (columns of a word or two)
is read row by row.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from sensemaking.io.pdf_glyphs import Glyph

_BREAK = 0.6
"""Gap inside a line, in font heights, from which on two runs are apart."""
_SAME_ROW = 0.45
"""Distance of two centre lines, in heights of the larger, below which they are one row."""
_TALL = 1.6
"""How much higher than a line an initial or a big number beside it is, at least."""
_RAISED = 0.5
"""How much higher the letters after an initial stand, in their own heights. Heights alone do not
tell an initial: fonts that state none give letters the height of their own shape."""
_BESIDE = 0.25
"""Part of a line's height that an initial or a big number must cover to stand beside it."""
_SMALL = 0.75
_FAR = 1.5
"""A last run smaller than this and farther off than this, in font heights, is a line by itself."""
_SPACE = 0.12
"""Gap in font heights that stands for a space where the file draws none."""
_GUTTER = 0.8
"""Least width of a gutter, in font heights, between columns of many rows."""
_WIDE_GUTTER = 1.7
"""The same where a column has so few rows that a gap could be chance."""
_FEW_ROWS = 4
_PROSE_WORDS = 2.5
"""Mean words per line, figures not counted, from which on a column is prose, not a table."""
_FEWER_WORDS = 1.75
_LONG_WORDS = 10
"""Fewer words are enough if they have so many letters per line: captions beside a picture."""
_LABEL_LETTERS = 4
"""Mean letters per line up to which a column holds bullets or numbers of what stands beside it."""

_HEADING_ROWS = 2
"""Most rows of a heading that stands apart at the end of a band of columns."""
_APART = 0.5
"""Space between lines, in font heights, from which on they stand apart."""

_Interval = tuple[float, float]
_Column = Sequence[Sequence["Run"]]
"""What stands in a column, row by row; a row may have nothing there."""


@dataclass(frozen=True, slots=True)
class Run:
    """Letters that stand close together on one line.

    Attributes:
        text: The letters, with single spaces.
        left: Left edge in points.
        bottom: Lower edge.
        right: Right edge.
        top: Upper edge.
    """

    text: str
    left: float
    bottom: float
    right: float
    top: float

    @property
    def height(self) -> float:
        """Height of the font box."""
        return self.top - self.bottom

    @property
    def centre(self) -> float:
        """Height above the origin of the centre line."""
        return (self.top + self.bottom) / 2


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text in reading order.

    Attributes:
        text: Its text.
        left: Left edge in points.
        bottom: Lower edge.
        right: Right edge.
        top: Upper edge.
        column: Number of the column that it stands in; two lines of one number follow each other.
        turn: Direction, in quarter turns clockwise.
    """

    text: str
    left: float
    bottom: float
    right: float
    top: float
    column: int
    turn: int

    @property
    def height(self) -> float:
        """Height of the font box."""
        return self.top - self.bottom


def lines(glyphs: Iterable[Glyph]) -> list[Line]:
    """Return the lines of a page in reading order.

    The direction that most letters have comes first; text of other directions follows.

    Args:
        glyphs: The letters, in any order; words are kept together best in drawing order.
    """
    by_turn: dict[int, list[Glyph]] = defaultdict(list)
    for glyph in glyphs:
        by_turn[glyph.turn].append(glyph)
    result: list[Line] = []
    column = 0
    for turn, group in sorted(by_turn.items(), key=lambda item: (-len(item[1]), item[0])):
        for block in _order(runs(group)):
            result += [
                Line(text, left, bottom, right, top, column, turn)
                for text, left, bottom, right, top in map(_joined, block)
            ]
            column += 1
    return result


def runs(glyphs: Iterable[Glyph]) -> list[Run]:
    """Return the letters of one direction joined to runs, in the order given.

    A run ends where the next letter is on another line, lies to the left, is far off, or follows
    an initial. Between letters that follow each other in drawing, spaces are those given.
    """
    result: list[Run] = []
    open_run: list[Glyph] = []
    text: list[str] = []
    space = False

    def close() -> None:
        if open_run:
            result.append(_run(open_run, "".join(text)))
        open_run.clear()
        text.clear()

    for glyph in glyphs:
        if glyph.is_space:
            space = True
            continue
        if open_run and not _continues(open_run[-1], glyph):
            close()
        if space and open_run:
            text.append(" ")
        open_run.append(glyph)
        text.append(glyph.text)
        space = False
    close()
    return result


def _continues(last: Glyph, glyph: Glyph) -> bool:
    lower, height = sorted((last.top - last.bottom, glyph.top - glyph.bottom))
    gap = glyph.left - last.right
    if height > _TALL * lower and abs(last.bottom - glyph.bottom) > _RAISED * lower:
        return False
    shift = abs(last.top + last.bottom - glyph.top - glyph.bottom) / 2
    return shift < _SAME_ROW * height and -0.3 * height <= gap < _BREAK * height


def _run(glyphs: Sequence[Glyph], text: str) -> Run:
    # The tallest letter gives the line: a raised letter must not make the line higher.
    tallest = max(glyphs, key=lambda glyph: glyph.top - glyph.bottom)
    return Run(
        text,
        min(glyph.left for glyph in glyphs),
        tallest.bottom,
        max(glyph.right for glyph in glyphs),
        tallest.top,
    )


def _rows(fragments: Sequence[Run]) -> list[list[Run]]:
    """Return the runs in rows from the top down, each from left to right."""
    rows: list[list[Run]] = []
    heads: list[Run] = []
    for run in sorted(fragments, key=lambda run: -run.height):
        near = [
            (abs(head.centre - run.centre), number)
            for number, head in enumerate(heads)
            if abs(head.centre - run.centre) < _SAME_ROW * head.height
            and (head.height <= _TALL * run.height or len(head.text) > _LABEL_LETTERS)
        ]
        if near:
            rows[min(near)[1]].append(run)
        else:
            heads.append(run)
            rows.append([run])
    for number in sorted(range(len(rows)), key=lambda number: heads[number].height):
        # An initial or a big number belongs to the first of the lines that it stands beside.
        tall = heads[number]
        beside = [
            (-head.centre, other)
            for other, head in enumerate(heads)
            if tall.height > _TALL * head.height and rows[other] and _is_beside(tall, head)
        ]
        if beside and sum(len(run.text) for run in rows[number]) <= _LABEL_LETTERS:
            rows[min(beside)[1]] += rows[number]
            rows[number] = []
    order = sorted(
        (number for number, row in enumerate(rows) if row),
        key=lambda number: (-heads[number].centre, heads[number].left),
    )
    ordered = [sorted(rows[number], key=lambda run: (run.left, run.right)) for number in order]
    return [part for row in ordered for part in _parted(row)]


def _is_beside(tall: Run, head: Run) -> bool:
    """Tell whether a line stands at the height of a tall run, and not far to its right."""
    shared = min(tall.top, head.top) - max(tall.bottom, head.bottom)
    gap = head.left - tall.right
    return shared > _BESIDE * head.height and -head.height < gap < tall.height


def _parted(row: list[Run]) -> list[list[Run]]:
    """Return a row without a last run that is far off and much smaller, and that run by itself.

    So stands the number of a slide beside its last line.
    """
    if len(row) < 2:
        return [row]
    before, last = row[-2:]
    small = last.height < _SMALL * before.height
    if small and last.left - before.right > _FAR * before.height:
        return [row[:-1], [last]]
    return [row]


def _joined(row: Sequence[Run]) -> tuple[str, float, float, float, float]:
    """Return a row as text with its box; the box has the height of its commonest font."""
    text = row[0].text
    for before, run in pairwise(row):
        gap = run.left - before.right
        initial = len(before.text) == 1 and before.height > _TALL * run.height
        space = gap > (_BREAK if initial else _SPACE) * run.height
        text += (" " if space else "") + run.text
    main = max(row, key=lambda run: len(run.text))
    left, right = min(run.left for run in row), max(run.right for run in row)
    return text, left, main.bottom, right, main.top


def _order(fragments: Sequence[Run]) -> list[list[list[Run]]]:
    """Return blocks in reading order, each a list of rows; a block is a column or a stretch."""
    rows = _rows(fragments)
    band = _band(rows)
    if band is None:
        return [rows] if rows else []
    first, last, cuts = band
    blocks = _order(_flat(rows[:first]))
    inside = _flat(rows[first : last + 1])
    for low, high in zip([float("-inf"), *cuts], [*cuts, float("inf")], strict=True):
        blocks += _order([run for run in inside if low <= (run.left + run.right) / 2 < high])
    return blocks + _order(_flat(rows[last + 1 :]))


def _flat(rows: Iterable[Sequence[Run]]) -> list[Run]:
    return [run for row in rows for run in row]


def _band(rows: Sequence[Sequence[Run]]) -> tuple[int, int, list[float]] | None:
    """Return the tallest band of rows that falls into columns: first row, last row, cuts."""
    if len(rows) < 2:
        return None
    least = _GUTTER * median(run.height for row in rows for run in row)
    best: tuple[int, int, list[float]] | None = None
    for first in range(len(rows)):
        free: list[_Interval] = [(float("-inf"), float("inf"))]
        left, right = float("inf"), float("-inf")
        for last in range(first, len(rows)):
            free = _minus(free, rows[last], least)
            left = min(left, rows[last][0].left)
            right = max(right, *(run.right for run in rows[last]))
            if last == first or (best is not None and last - first <= best[1] - best[0]):
                continue
            gutters = [(low, high) for low, high in free if low > left and high < right]
            cuts = _cuts(rows[first : last + 1], gutters) if gutters else []
            if cuts:
                best = (first, last, cuts)
    return best if best is None else (*_trimmed(rows, *best[:2], best[2]), best[2])


def _trimmed(
    rows: Sequence[Sequence[Run]], first: int, last: int, cuts: Sequence[float]
) -> tuple[int, int]:
    """Return the band without a heading that only happens not to cross the gutter.

    A line or two that stand apart, below all of the last column or above all of the first, belong
    to the whole width: read with a column they would come before or after the wrong text.
    """
    for step in range(_HEADING_ROWS, 0, -1):
        tail, rest = rows[last - step + 1 : last + 1], rows[first : last - step + 1]
        over = [run.bottom for run in _flat(rest) if run.left < cuts[-1]]
        if not over or any(run.right > cuts[-1] for run in _flat(tail)):
            continue
        if min(over) - max(run.top for run in tail[0]) > _APART * tail[0][0].height:
            last -= step
            break
    for step in range(_HEADING_ROWS, 0, -1):
        head, rest = rows[first : first + step], rows[first + step : last + 1]
        under = [run.top for run in _flat(rest) if run.right > cuts[0]]
        if not under or any(run.left < cuts[0] for run in _flat(head)):
            continue
        if min(run.bottom for run in head[-1]) - max(under) > _APART * head[-1][0].height:
            first += step
            break
    return first, last


def _minus(free: Sequence[_Interval], row: Sequence[Run], least: float) -> list[_Interval]:
    """Return what of the free intervals no run of the row covers, if it is wide enough."""
    result = list(free)
    for run in row:
        result = [
            part
            for low, high in result
            for part in ((low, min(high, run.left)), (max(low, run.right), high))
            if part[1] - part[0] >= least
        ]
    return result


def _cuts(rows: Sequence[Sequence[Run]], gutters: Sequence[_Interval]) -> list[float]:
    """Return where to cut a band into columns of prose; empty if it is no such band."""
    edges = [float("-inf"), *((low + high) / 2 for low, high in gutters), float("inf")]
    columns = [
        [[run for run in row if low <= run.left < high] for row in rows]
        for low, high in pairwise(edges)
    ]
    groups, cuts = _grouped(columns, edges[1:-1])
    for cut, (a, b) in zip(cuts, pairwise(groups), strict=True):
        if not (_is_prose(a) and _is_prose(b) and _overlap(a, b)):
            return []
        gutter = next(high - low for low, high in gutters if low <= cut <= high)
        few = min(sum(map(bool, a)), sum(map(bool, b))) < _FEW_ROWS
        if few and gutter < _WIDE_GUTTER * median(run.height for run in _flat(a) + _flat(b)):
            return []
    return cuts


def _grouped(
    columns: Sequence[_Column], cuts: Sequence[float]
) -> tuple[list[_Column], list[float]]:
    """Return columns and the cuts between them, each column of labels joined to its neighbour.

    Bullets and numbers of items stand before what they belong to; only labels at the very end of
    the lines, such as page numbers, stand after it.
    """
    last = max((i for i, column in enumerate(columns) if not _is_label(column)), default=0)
    groups, kept = [columns[0]], []
    for index, (cut, column) in enumerate(zip(cuts, columns[1:], strict=True), start=1):
        if _is_label(groups[-1]) or index > last:
            groups[-1] = [[*a, *b] for a, b in zip(groups[-1], column, strict=True)]
        else:
            groups.append(column)
            kept.append(cut)
    return groups, kept


def _is_label(column: _Column) -> bool:
    texts = ["".join(run.text for run in row) for row in column if row]
    return sum(map(len, texts)) <= _LABEL_LETTERS * len(texts)


def _is_prose(column: _Column) -> bool:
    texts = [" ".join(run.text for run in row) for row in column if row]
    words = [word for text in texts for word in text.split() if any(map(str.isalpha, word))]
    n_words = len(words) / len(texts)
    n_letters = sum(sum(map(str.isalpha, word)) for word in words) / len(texts)
    long_words = n_words >= _FEWER_WORDS and n_letters >= _LONG_WORDS
    return n_words >= _PROSE_WORDS or long_words


def _overlap(a: _Column, b: _Column) -> bool:
    """Tell whether two columns stand beside each other, not one above the other."""
    first, second = _flat(a), _flat(b)
    low = max(min(run.bottom for run in first), min(run.bottom for run in second))
    high = min(max(run.top for run in first), max(run.top for run in second))
    return high > low
