"""Headings that organisers write, and prose that is none."""

import pytest

from sensemaking.sectioning.marks import Mark, find_marks, outermost

PROSE = "It is a long story about many things that happened in those days. "


def titles(text: str) -> list[str]:
    return [mark.title for mark in find_marks(text)]


def test_markdown_headings_are_found_with_their_levels() -> None:
    text = "# Book\n\nIntro.\n## One ##\ntext\n### Deep\n   ## Two\n#NoSpace\n    # code\n"
    assert find_marks(text) == [
        Mark(0, 1, "Book"),
        Mark(15, 2, "One"),
        Mark(30, 3, "Deep"),
        Mark(39, 2, "Two"),
    ]


def test_comments_in_fenced_code_are_no_headings() -> None:
    text = "# One\n```python\n# comment\n```\n~~~\n# other\n```\n# still\n~~~\n# Two\n"
    assert titles(text) == ["One", "Two"]


@pytest.mark.parametrize(
    "line",
    [
        "Chapter 3",
        "CHAPTER 3",
        "Chapter 3: Rivers",
        "Chapter 3. Rivers and lakes",
        "Chapter 3 – Rivers",
        "chapter 3 Rivers",
        "Chapter IV",
        "Chapter Three",
        "Part II: the sea",
        "Section 3.2 Beam search",
        "Lecture 12",
        "Unit 1: Animal Diversity",
        "Topic 3: Animal Behavior",
        "Kapitel 3: Flüsse",
        "3. Kapitel",
        "Teil 2",
        "Vorlesung 4 Suche",
        "Kapitola 3",
        "3. kapitola Řeky",
        "Kapitola první",
        "Část II",
        "Přednáška 5",
        "Тема 1",
        "Тема 1 Різноманітність тварин",
        "Розділ 2. Процеси життєдіяльності",
        "РОЗДІЛ 2",
        "Частина II",
        "§ 12 Риби",
        "  Chapter 3  ",
        "Appendix 1",
    ],
)
def test_a_line_that_is_a_chapter_mark_is_a_heading(line: str) -> None:
    text = f"{PROSE}\n{line}\n{PROSE}"
    assert [mark.offset for mark in find_marks(text)] == [len(PROSE) + 1]
    assert titles(text) == [" ".join(line.split())]


@pytest.mark.parametrize(
    "line",
    [
        "Chapter 3 describes how rivers flow.",
        "Chapter 3, which is long, describes rivers.",
        "In Chapter 3 we saw rivers.",
        "Kapitel 3 beschreibt Flüsse.",
        "Kapitola 3 popisuje řeky.",
        "Тема 1 описує тварин.",
        "Chapters 3 and 4",
        "Chapter three hundred",
        "Part of the river",
        "Teile 3 Äpfel",
        "Chapter 3 Rivers carry stones down to the plain and leave them there.",
        "Chapter 3 " + "Rivers " * 30,
        "3 kapitola",
        "Chapter",
        "$ 5",
    ],
)
def test_a_line_of_prose_is_no_heading(line: str) -> None:
    assert titles(f"{PROSE}\n{line}\n{PROSE}") == []


def test_a_text_in_one_line_has_marks_where_sentences_begin() -> None:
    text = (
        "Тема 1 Різноманітність тварин У цій темі ви будете вивчати тварин. Про це йдеться в "
        "Темі 3 цього розділу. Тема 3 описує поведінку. Як сказано, Тема 4 Це. "
        "Частина друга Книги тут. тема 5 Це не заголовок. "
        "Тема 2 Процеси життєдіяльності У цьому розділі ви дізнаєтеся."
    )
    marks = find_marks(text)
    assert [mark.title for mark in marks] == ["Тема 1", "Тема 2"]
    assert [text[mark.offset :][:6] for mark in marks] == ["Тема 1", "Тема 2"]


def test_a_line_that_lost_its_line_ends_is_searched_too() -> None:
    long = PROSE * 40
    text = f"The book\n{long}Chapter 1 Rivers {long}Chapter 2 Lakes {long}"
    assert titles(text) == ["Chapter 1", "Chapter 2"]


def test_two_markdown_headings_win_over_marks_in_plain_lines() -> None:
    assert titles("# One\nChapter 1\n# Two\n") == ["One", "Two"]
    assert titles("# The book\nChapter 1\ntext\nChapter 2\ntext") == ["Chapter 1", "Chapter 2"]
    assert titles("# The book\ntext") == ["The book"]


def test_units_are_ordered_from_book_to_section() -> None:
    text = "Book 1\nPart 1\nChapter 1\nSection 1\nSection 1.2\n"
    assert [mark.level for mark in find_marks(text)] == [1, 2, 3, 4, 5]


def test_the_outermost_level_that_occurs_twice_is_cut_at() -> None:
    def levels(*found: int) -> list[int]:
        marks = [Mark(number, level, "") for number, level in enumerate(found)]
        return [mark.level for mark in outermost(marks)]

    assert levels(1, 2, 3, 2, 3) == [1, 2, 2]
    assert levels(2, 1, 2, 1) == [1, 1]
    assert levels(1, 2, 3) == [1, 2, 3]
    assert levels() == []


def test_a_blank_text_has_no_headings() -> None:
    assert find_marks("") == []
    assert find_marks(" \n \n") == []
