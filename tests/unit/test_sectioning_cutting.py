"""Cutting sections into parts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensemaking.sectioning.cutting import (
    Part,
    Settings,
    Sources,
    cut_section,
    may_be_cut,
    part_id,
)
from sensemaking.sectioning.outline import Entry
from sensemaking.sectioning.slides import Segment, Slide
from sensemaking.text.words import words

SENTENCE = "Rivers carry stones down to the plain. "
SMALL = Settings(max_words=50, min_words=5)


def cut(text: str, settings: Settings = SMALL, sources: Sources | None = None) -> list[Part]:
    found = cut_section("kind/book", text, "en", settings, sources).parts
    assert not found or "".join(part.text for part in found) == text
    return found


def codes(text: str, settings: Settings = SMALL, sources: Sources | None = None) -> list[str]:
    return [f.code for f in cut_section("kind/book", text, "en", settings, sources).findings]


def test_parts_are_numbered_below_the_folder_and_name_their_parent() -> None:
    parts = cut("# One\n" + SENTENCE + "\n# Two\n" + SENTENCE)
    assert [part.section_id for part in parts] == ["kind/book/~part-001", "kind/book/~part-002"]
    assert {part.parent_id for part in parts} == {"kind/book"}
    assert [part.title for part in parts] == ["One", "Two"]
    assert [part.rule for part in parts] == ["marks", "marks"]


def test_numbers_grow_beyond_three_digits() -> None:
    assert part_id("k/b", 7) == "k/b/~part-007"
    assert part_id("k/b", 1000) == "k/b/~part-1000"
    with pytest.raises(ValueError, match="from 1, not 0"):
        part_id("k/b", 0)


def test_a_short_text_without_marks_stays_whole() -> None:
    assert cut(SENTENCE * 3) == []
    assert cut("") == []
    assert cut(" \n") == []


def test_a_long_text_without_marks_is_cut_by_length() -> None:
    parts = cut(SENTENCE * 20)
    assert [part.rule for part in parts] == ["length"] * 3
    assert [part.title for part in parts] == [None] * 3
    assert all(part.text.endswith("plain. ") for part in parts)


def test_without_length_among_the_rules_nothing_is_cut_by_it() -> None:
    settings = Settings(rules=("marks",), max_words=50, min_words=5)
    assert cut(SENTENCE * 20, settings) == []
    parts = cut(f"# One\n{SENTENCE * 20}\n# Two\n{SENTENCE}", settings)
    assert [len(words(part.text)) for part in parts] == [141, 8]


def test_a_heading_alone_goes_to_what_follows_it() -> None:
    parts = cut(f"# Book\n## One\n{SENTENCE}\n## Two\n{SENTENCE}")
    assert [part.title for part in parts] == ["One", "Two"]
    assert parts[0].text.startswith("# Book\n## One\n")


def test_a_last_part_that_is_too_short_goes_to_the_one_before() -> None:
    parts = cut(f"# One\n{SENTENCE}\n# Two\n{SENTENCE}\n# End\n")
    assert [part.title for part in parts] == ["One", "Two"]
    assert parts[1].text.endswith("# End\n")


def test_text_before_the_first_mark_is_a_part_if_it_is_long_enough() -> None:
    tail = f"# One\n{SENTENCE}\n# Two\n{SENTENCE}"
    assert [part.title for part in cut(SENTENCE + "\n" + tail)] == [None, "One", "Two"]
    assert [part.title for part in cut("By me.\n" + tail)] == ["One", "Two"]


def test_a_table_of_contents_is_no_chapter() -> None:
    contents = "Contents\nChapter 1 Rivers\nChapter 2 Lakes\n"
    text = f"{contents}\nChapter 1 Rivers\n{SENTENCE}\nChapter 2 Lakes\n{SENTENCE}"
    parts = cut(text, Settings(max_words=50, min_words=10))
    assert [part.title for part in parts] == ["Chapter 1 Rivers", "Chapter 2 Lakes"]
    assert parts[0].text.startswith(contents)


def test_a_part_that_is_too_long_is_cut_at_inner_headings_then_by_length() -> None:
    text = (
        f"# One\n{SENTENCE}\n## A\n{SENTENCE * 5}\n## B\n{SENTENCE * 10}\n"
        f"# Two\n{SENTENCE}\n## C\n{SENTENCE}"
    )
    parts = cut(text)
    assert [(part.title, part.rule) for part in parts] == [
        ("One", "marks"),
        ("A", "marks"),
        ("B", "marks"),
        ("B", "length"),
        ("Two", "marks"),
    ]
    assert all(len(words(part.text)) <= 50 for part in parts)


def test_a_level_of_headings_without_text_is_passed_over_for_the_next() -> None:
    long = SENTENCE * 6
    text = f"# One\n## a\n## b\n### x\n{long}\n### y\n{long}\n# Two\n{SENTENCE}"
    assert [part.title for part in cut(text)] == ["x", "y", "Two"]


def test_a_text_in_one_line_is_cut_at_its_chapter_marks() -> None:
    text = (
        "Тема 1 Різноманітність тварин У цій темі ви будете вивчати основні групи тварин. "
        "Тема 2 Процеси життєдіяльності У цьому розділі ви дізнаєтеся про основні функції."
    )
    found = cut_section("k/b", text, "uk", SMALL).parts
    assert [part.title for part in found] == ["Тема 1", "Тема 2"]
    assert "".join(part.text for part in found) == text


def test_the_outline_wins_over_marks_and_pages_give_its_places() -> None:
    pages = [f"# x\nRivers\n{SENTENCE}\n", f"# y\nThe sea\n{SENTENCE}\n"]
    sources = Sources(
        outline=[Entry("Rivers", 1, 1), Entry("The sea", 1, 2), Entry("Lakes", 1, 7)],
        page_starts=[0, len(pages[0])],
    )
    parts = cut("".join(pages), sources=sources)
    assert [(part.title, part.rule) for part in parts] == [
        ("Rivers", "outline"),
        ("The sea", "outline"),
    ]
    assert parts[1].text.startswith("The sea")
    assert codes("".join(pages), sources=sources) == ["outline_not_in_text"]


def test_an_outline_of_one_entry_leaves_the_cutting_to_the_next_rule() -> None:
    text = f"# One\n{SENTENCE}\n# Two\n{SENTENCE}"
    sources = Sources(outline=[Entry("One", 1, 1)], page_starts=[0])
    assert {part.rule for part in cut(text, sources=sources)} == {"marks"}


def test_slides_cut_a_transcript_and_short_ones_are_parts_of_their_own() -> None:
    segments = [Segment(0, 5, "One two."), Segment(5, 9, "Three."), Segment(9, 12, "Four five.")]
    sources = Sources(
        segments=segments, slides=[Slide(0, "A"), Slide(5, "B"), Slide(9, "C"), Slide(60, "D")]
    )
    text = "One two. Three. Four five."
    parts = cut(text, sources=sources)
    assert [(part.text, part.title, part.rule) for part in parts] == [
        ("One two. ", "A", "slides"),
        ("Three. ", "B", "slides"),
        ("Four five.", "C", "slides"),
    ]
    assert codes(text, sources=sources) == ["silent_slides"]


@pytest.mark.parametrize(
    ("segments", "code"),
    [([], "slides_without_times"), ([Segment(0, 1, "Other.")], "segments_not_text")],
)
def test_slides_that_have_no_place_in_the_text_are_told_and_passed_over(
    segments: list[Segment], code: str
) -> None:
    sources = Sources(segments=segments, slides=[Slide(0, "A"), Slide(1, "B")])
    assert codes(SENTENCE * 20, sources=sources) == [code]
    assert {part.rule for part in cut(SENTENCE * 20, sources=sources)} == {"length"}


def test_cuts_inside_sentences_are_told() -> None:
    assert codes("word " * 200) == ["cut_inside_sentence"]
    assert [len(words(part.text)) for part in cut("word " * 200)] == [50] * 4


@pytest.mark.parametrize(
    ("names", "allowed"),
    [
        (["text.txt", "source.mp3", "reference.txt"], True),
        ([], True),
        (["text.txt", "questions.json"], False),
        (["questions.en.json"], False),
        (["questions_by_TEAM_PRIMARY.json"], False),
        (["answers_by_S_PRIMARY_to_T_PRIMARY.json"], False),
        (["questions.txt"], True),
    ],
)
def test_a_folder_with_questions_is_not_cut(names: list[str], allowed: bool) -> None:
    assert may_be_cut(names) is allowed


@pytest.mark.parametrize(
    "settings",
    [
        {"rules": ()},
        {"rules": ("marks", "marks")},
        {"rules": ("pages",)},
        {"max_words": 0},
        {"min_words": -1},
        {"max_words": 10, "min_words": 10},
    ],
)
def test_settings_that_cannot_be_followed_are_refused(settings: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"rules must be|expected 0 ≤"):
        Settings(**settings)  # type: ignore[arg-type]


LINES = st.sampled_from(
    ["# A", "## B", "### C", "Chapter 1", "Chapter 2 Sea", "", " ", SENTENCE, "word " * 30, "one"]
)


@given(st.lists(LINES, max_size=25), st.integers(0, 8), st.sampled_from(["\n", " ", "\r\n\n"]))
def test_whatever_is_cut_nothing_is_lost_and_no_part_is_blank(
    lines: list[str], min_words: int, joint: str
) -> None:
    text = joint.join(lines)
    parts = cut(text, Settings(max_words=20, min_words=min_words))
    assert len(parts) != 1
    assert all(words(part.text) for part in parts)
    assert all(len(words(part.text)) <= 20 for part in parts)
    if not parts:
        assert len(words(text)) <= 20
