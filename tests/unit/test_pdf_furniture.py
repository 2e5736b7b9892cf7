from sensemaking.io.pdf_furniture import running
from sensemaking.io.pdf_layout import Line

HEIGHT = 800.0


def line(text: str, centre: float, height: float = 10) -> Line:
    return Line(text, 50, centre - height / 2, 300, centre + height / 2, 0, 0)


def body(number: int) -> list[Line]:
    return [
        line(f"sentence {word} of the body", 700 - 12 * i)
        for i, word in enumerate([f"{number}a", f"{number}b", f"{number}c", "ends here"])
    ]


def found(pages: list[list[Line]]) -> list[list[str]]:
    marked = running(pages, [(0.0, HEIGHT)] * len(pages))
    return [[page[i].text for i in sorted(s)] for page, s in zip(pages, marked, strict=True)]


def test_heads_and_page_numbers_on_every_page_are_found() -> None:
    pages = [[line("History of rivers", 770), *body(n), line(str(n + 5), 40)] for n in range(4)]
    assert found(pages) == [["History of rivers", str(n + 5)] for n in range(4)]


def test_heads_that_differ_on_left_and_right_pages_are_found() -> None:
    heads = ["The book", "Chapter one"] * 3
    assert found([[line(h, 770), *body(n)] for n, h in enumerate(heads)]) == [[h] for h in heads]


def test_heads_that_name_the_section_are_found_where_half_of_them_repeat() -> None:
    heads = ["The book", "Stones", "The book", "Sand", "The book", "Silt"]
    assert found([[line(h, 770), *body(n)] for n, h in enumerate(heads)]) == [[h] for h in heads]


def test_a_head_with_the_page_number_in_it_is_found() -> None:
    heads = [f"Rivers {n}" for n in (18, 19, 20)]
    assert found([[line(h, 770), *body(n)] for n, h in enumerate(heads)]) == [[h] for h in heads]


def test_roman_page_numbers_are_found() -> None:
    numbers = ["vii", "viii", "ix"]
    pages = [[*body(n), line(t, 40)] for n, t in enumerate(numbers)]
    assert found(pages) == [[t] for t in numbers]


def test_the_first_lines_of_pages_that_stand_in_the_same_place_stay() -> None:
    pages = [
        [line(text, 770), *body(n)]
        for n, text in enumerate(["Water falls.", "It runs down.", "It carries sand.", "It slows."])
    ]
    assert found(pages) == [[], [], [], []]


def test_large_titles_stay_though_they_repeat() -> None:
    assert found([[line("Our goal", 770, height=20), *body(n)] for n in range(4)]) == [[]] * 4


def test_a_line_in_the_middle_of_every_page_stays() -> None:
    assert found([[*body(n), line("see the figure", 400)] for n in range(4)]) == [[]] * 4


def test_a_line_on_fewer_than_two_in_five_pages_stays() -> None:
    pages = [[line("Appendix", 770), *body(n)] if n < 3 else body(n) for n in range(10)]
    assert found(pages) == [[]] * 10


def test_the_counter_of_a_single_slide_is_found_and_other_figures_stay() -> None:
    assert found([[*body(1), line("4/84", 30, height=6)]]) == [["4/84"]]
    assert found([[*body(1), line("84/4", 30, height=6)]]) == [[]]
    assert found([[*body(1), line("4/84", 400, height=6)]]) == [[]]
    assert found([[*body(1), line("1914", 30, height=6)]]) == [[]]
    assert found([[*body(1), line("1/2", 770, height=20)]]) == [[]]


def test_a_document_without_letters_has_none() -> None:
    assert running([[], []], [(0.0, HEIGHT)] * 2) == [set(), set()]
