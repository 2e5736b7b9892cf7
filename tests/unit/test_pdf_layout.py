import itertools
import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sensemaking.io.pdf_glyphs import Glyph
from sensemaking.io.pdf_layout import Line, lines, runs

WIDTH = 5.0
"""Of every letter here; the height of the font is 10."""


def glyphs(x: float, y: float, text: str, height: float = 10, turn: int = 0) -> list[Glyph]:
    width = WIDTH * height / 10
    return [
        Glyph(letter, turn, x + i * width, y, x + (i + 1) * width, y + height)
        for i, letter in enumerate(text)
    ]


def read(*pieces: Sequence[Glyph]) -> list[str]:
    return [line.text for line in lines(itertools.chain(*pieces))]


def stack(x: float, y: float, texts: Sequence[str], lead: float = 12) -> list[list[Glyph]]:
    return [glyphs(x, y - i * lead, text) for i, text in enumerate(texts)]


LEFT = ["rivers carry stones down", "to the plain and leave", "them where it is flat", "and slow."]
RIGHT = ["glaciers grind the rock", "into powder so fine that", "the lakes below it turn", "green."]
THIRD = [
    "the wind takes the dust",
    "and lays it down as loess",
    "on the lee side of hills",
    "far off.",
]


@pytest.mark.parametrize("seed", range(8))
def test_columns_are_read_one_after_the_other_in_any_order_of_drawing(seed: int) -> None:
    pieces = stack(50, 700, LEFT) + stack(220, 700, RIGHT) + stack(390, 700, THIRD)
    random.Random(seed).shuffle(pieces)
    assert read(*pieces) == LEFT + RIGHT + THIRD


def test_columns_whose_lines_do_not_stand_on_one_level_are_columns_too() -> None:
    assert read(*stack(50, 700, LEFT), *stack(220, 694.5, RIGHT)) == LEFT + RIGHT


def test_columns_that_begin_on_different_heights_are_columns_too() -> None:
    assert read(*stack(50, 700, LEFT), *stack(220, 676, RIGHT)) == LEFT + RIGHT
    assert read(*stack(50, 676, LEFT), *stack(220, 700, RIGHT)) == LEFT + RIGHT


def test_a_title_across_the_columns_is_read_first_and_a_note_across_them_last() -> None:
    title = glyphs(50, 740, "a title that is as wide as both of the columns below it are", 10)
    note = glyphs(50, 600, "a footnote that is as wide as both of the columns above it", 10)
    got = read(note, *stack(220, 700, RIGHT), title, *stack(50, 700, LEFT))
    assert got[0].startswith("a title")
    assert got[-1].startswith("a footnote")
    assert got[1:-1] == LEFT + RIGHT


def test_two_bands_of_columns_around_a_line_across_are_read_band_by_band() -> None:
    middle = glyphs(50, 640, "a line in the middle that is as wide as both of the columns")
    got = read(
        *stack(50, 700, LEFT),
        *stack(220, 700, RIGHT),
        middle,
        *stack(50, 610, THIRD),
        *stack(220, 610, LEFT),
    )
    assert got == [
        *LEFT,
        *RIGHT,
        "a line in the middle that is as wide as both of the columns",
        *THIRD,
        *LEFT,
    ]


def test_a_heading_that_stands_apart_below_the_columns_is_read_after_them() -> None:
    heading = glyphs(50, 630, "results")
    below = stack(50, 610, ["what follows is as wide as the page and says what was found here"])
    got = read(*stack(50, 700, LEFT), *stack(220, 700, RIGHT), heading, *below)
    assert got == [
        *LEFT,
        *RIGHT,
        "results",
        "what follows is as wide as the page and says what was found here",
    ]


def test_a_column_that_is_longer_than_the_other_is_read_to_its_end() -> None:
    assert read(*stack(50, 700, LEFT + THIRD), *stack(220, 700, RIGHT)) == LEFT + THIRD + RIGHT


def test_lines_that_are_set_tight_stay_lines() -> None:
    assert read(*stack(50, 700, LEFT, lead=8)) == LEFT


def test_blocks_that_stand_one_above_the_other_are_read_from_the_top() -> None:
    assert read(*stack(50, 600, LEFT), *stack(220, 700, RIGHT)) == RIGHT + LEFT


def test_a_table_of_words_is_read_row_by_row() -> None:
    rows = [("singletons", "Intersection"), ("lemmas", "Intersection"), ("lemmas", "Union")]
    pieces = [
        glyphs(x, 700 - 12 * i, cell)
        for x, i, cell in [
            (50 + 100 * j, i, c) for i, r in enumerate(rows) for j, c in enumerate(r)
        ]
    ]
    assert read(*pieces) == ["singletons Intersection", "lemmas Intersection", "lemmas Union"]


def test_a_table_is_read_row_by_row() -> None:
    rows = [("system", "BLEU", "rank"), ("moses", "12.9", "2"), ("tecto", "9.3", "3")]
    pieces = [
        glyphs(x, 700 - 12 * i, cell)
        for x, i, cell in [
            (50 + 100 * j, i, c) for i, r in enumerate(rows) for j, c in enumerate(r)
        ]
    ]
    assert read(*pieces) == ["system BLEU rank", "moses 12.9 2", "tecto 9.3 3"]


@pytest.mark.parametrize("mark", ["•", "1.", "(a)", "–"])
def test_a_bullet_or_number_stays_with_its_item(mark: str) -> None:
    pieces = stack(50, 700, [mark] * 4) + stack(80, 700, LEFT)
    assert read(*pieces) == [f"{mark} {line}" for line in LEFT]


def test_bullets_in_both_columns_stay_with_their_items() -> None:
    pieces = (
        stack(50, 700, ["•"] * 4)
        + stack(70, 700, LEFT)
        + stack(230, 700, ["•"] * 4)
        + stack(250, 700, RIGHT)
    )
    assert read(*pieces) == [f"• {line}" for line in LEFT + RIGHT]


def test_page_numbers_of_a_table_of_contents_stay_with_their_titles() -> None:
    pieces = stack(50, 700, LEFT) + stack(300, 700, ["7", "12", "19", "23"])
    assert read(*pieces) == [f"{LEFT[0]} 7", f"{LEFT[1]} 12", f"{LEFT[2]} 19", f"{LEFT[3]} 23"]


def test_wide_spaces_that_happen_to_stand_below_each_other_make_no_columns() -> None:
    # The gap of 1.2 font heights in two rows is wider than a word space, and no gutter.
    pieces = stack(50, 700, LEFT[:2]) + stack(50 + 24 * WIDTH + 12, 700, RIGHT[:2])
    assert read(*pieces) == [f"{a} {b}" for a, b in zip(LEFT[:2], RIGHT[:2], strict=True)]


def test_words_that_are_drawn_one_by_one_from_right_to_left_come_in_order() -> None:
    line = "rivers carry stones down to the plain"
    x, pieces = 50.0, []
    for word in line.split():
        pieces.append(glyphs(x, 700, word))
        x += (len(word) + 1) * WIDTH
    assert read(*reversed(pieces)) == [line]


def test_a_raised_figure_stays_in_its_line() -> None:
    assert read(
        glyphs(50, 700, "an area of 49 m"),
        glyphs(50 + 15 * WIDTH, 704, "2", height=6),
        glyphs(50 + 15 * WIDTH + 3, 700, " or so"),
        glyphs(50, 688, "on the ground floor of it"),
    ) == ["an area of 49 m2 or so", "on the ground floor of it"]


def test_an_initial_belongs_to_the_first_line_beside_it_without_a_space() -> None:
    initial = glyphs(50, 688, "O", height=22)
    got = read(initial, glyphs(64, 700, "nce there was a river"), glyphs(64, 688, "and a hill"))
    assert got == ["Once there was a river", "and a hill"]


def test_a_big_number_belongs_to_the_first_line_beside_it_with_a_space() -> None:
    number = glyphs(50, 690, "43", height=20)
    got = read(number, glyphs(85, 702, "behaviour of animals"), glyphs(85, 690, "and its study"))
    assert got == ["43 behaviour of animals", "and its study"]


def test_a_small_number_far_off_at_the_end_of_a_line_is_a_line_by_itself() -> None:
    got = read(glyphs(50, 700, "does this component work?"), glyphs(400, 700, "6/84", height=5))
    assert got == ["does this component work?", "6/84"]


def test_text_in_another_direction_follows_the_text_of_most_letters() -> None:
    side = glyphs(50, -700, "along the margin", turn=1)
    assert read(side, *stack(50, 700, LEFT)) == [*LEFT, "along the margin"]
    turned = [glyphs(50, 700 - 12 * i, text, turn=3) for i, text in enumerate(LEFT)]
    assert read(glyphs(50, 700, "a stamp"), *turned) == [*LEFT, "a stamp"]


def test_lines_of_one_column_have_one_number_and_others_another() -> None:
    found = list(lines(itertools.chain(*stack(50, 700, LEFT), *stack(220, 700, RIGHT))))
    assert {line.column for line in found if line.text in LEFT} == {0}
    assert {line.column for line in found if line.text in RIGHT} == {1}


def test_nothing_gives_nothing() -> None:
    assert lines([]) == []
    assert runs(glyphs(50, 700, "   ")) == []


def test_a_line_keeps_its_box() -> None:
    (line,) = lines(glyphs(50, 700, "abc"))
    assert line == Line("abc", 50, 700, 50 + 3 * WIDTH, 710, 0, 0)


words = st.text("abcdefgh", min_size=2, max_size=7)
prose = st.lists(st.lists(words, min_size=4, max_size=4), min_size=4, max_size=9)


@settings(max_examples=60, deadline=None)
@given(st.lists(prose, min_size=1, max_size=3), st.randoms(use_true_random=False), st.booleans())
def test_any_columns_of_prose_in_any_order_of_drawing_are_read_in_order(
    columns: list[list[list[str]]], shuffler: random.Random, has_title: bool
) -> None:
    texts = [[" ".join(line) for line in lines_] for lines_ in columns]
    pieces = [g for i, t in enumerate(texts) for g in stack(50 + 180 * i, 700, t)]
    title = "a title that is so long that it is as wide as all three of the columns on the page are"
    if has_title:
        pieces.append(glyphs(50, 730, title))
    shuffler.shuffle(pieces)
    assert read(*pieces) == ([title] if has_title else []) + [t for text in texts for t in text]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(st.floats(0, 500), st.floats(0, 800), words, st.sampled_from([6.0, 10.0, 24.0])),
        max_size=25,
    )
)
def test_no_letter_is_lost_or_written_twice(pieces: list[tuple[float, float, str, float]]) -> None:
    page = [glyphs(x, y, text, height) for x, y, text, height in pieces]
    got = "".join(read(*page)).replace(" ", "")
    assert sorted(got) == sorted("".join(text for _, _, text, _ in pieces))
