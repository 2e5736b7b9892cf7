"""Outlines of PDF files in the text of their pages."""

from sensemaking.sectioning.marks import Mark
from sensemaking.sectioning.outline import Entry, find_page_starts, locate_entries

PAGES = [
    "Contents\nRivers 2\nSea 3\n",
    "Intro to rivers.\nRIVERS\nThey flow.\n",
    "The  sea\nIt is deep.\n",
]
TEXT = "".join(PAGES)
STARTS = [0, len(PAGES[0]), len(PAGES[0]) + len(PAGES[1])]


def test_a_title_is_found_on_its_page_whatever_case_and_white_space() -> None:
    found = locate_entries(TEXT, [Entry("Rivers", 1, 2), Entry("The sea", 2, 3)], STARTS)
    assert found.marks == [
        Mark(STARTS[1] + len("Intro to "), 1, "Rivers"),
        Mark(STARTS[2], 2, "The sea"),
    ]
    assert (found.missing, found.by_page) == ([], [])


def test_a_title_that_the_page_does_not_hold_begins_with_the_page() -> None:
    found = locate_entries(TEXT, [Entry("Lakes", 1, 2)], STARTS)
    assert found.marks == [Mark(STARTS[1], 1, "Lakes")]
    assert found.by_page == ["Lakes"]


def test_a_title_on_another_page_is_not_taken() -> None:
    found = locate_entries(TEXT, [Entry("The sea", 1, 2)], STARTS)
    assert found.marks == [Mark(STARTS[1], 1, "The sea")]


def test_without_pages_the_order_of_the_outline_is_kept() -> None:
    found = locate_entries("Sea\nRivers\n", [Entry("Rivers", 1), Entry("Sea", 1)])
    assert [mark.title for mark in found.marks] == ["Sea"]
    assert found.missing == ["Rivers"]


def test_an_entry_without_a_page_of_the_file_is_missing() -> None:
    entries = [Entry("A", 1, None), Entry("B", 1, 4), Entry("C", 1, 0)]
    found = locate_entries(TEXT, entries, STARTS)
    assert found.marks == []
    assert found.missing == ["A", "B", "C"]


def test_offsets_never_run_back() -> None:
    entries = [Entry("They flow", 1, 2), Entry("RIVERS", 1, 2), Entry("Contents", 1, 1)]
    offsets = [mark.offset for mark in locate_entries(TEXT, entries, STARTS).marks]
    assert offsets == sorted(offsets)


def test_a_title_that_occurs_twice_is_found_at_both_places() -> None:
    found = locate_entries("Sea\nSea\n", [Entry("Sea", 1, 1), Entry("Sea", 1, 1)], [0])
    # The second is not looked for behind the first, for titles may be nested: only never before.
    assert [mark.offset for mark in found.marks] == [0, 0]
    entries = [Entry("Sea", 1, 1), Entry("Lake", 1, 1), Entry("Sea", 1, 1)]
    found = locate_entries("Sea\nLake\nSea\n", entries, [0])
    assert [mark.offset for mark in found.marks] == [0, 4, 9]


def test_signs_and_spaces_that_an_outline_loses_make_no_difference() -> None:
    text = "43 Behaviour of animals and\nways to study it\nSTRASSE"
    entries = [Entry("43. Behaviour of animalsand ways to study it", 1, 1), Entry("Straße", 1, 1)]
    assert locate_entries(text, entries[:1], [0]).marks[0].offset == 0
    assert locate_entries("Die Straße", entries[1:], [0]).marks[0].offset == 4


def test_part_of_a_word_is_no_title() -> None:
    found = locate_entries("Seaside\nUndersea\nThe sea", [Entry("Sea", 1, 1)], [0])
    assert found.marks == [Mark(21, 1, "Sea")]


def test_pages_are_found_by_their_letters_across_joined_words() -> None:
    pages = ["One riv-\ner. The diver-", "", "sity of e\ufb03cient\n§ 2 Seas.", "“End”"]
    text = "One river. The diversity of efficient\n\n§ 2 Seas.\n\n“End”"
    assert [text[start:][:6] for start in find_page_starts(text, pages)] == [
        "One ri",
        "divers",
        "divers",
        "“End”",
    ]
    assert find_page_starts("x" + text, pages) == []
    assert find_page_starts(text.replace("River", "Lakes").replace("river", "lakes"), pages) == []
    assert find_page_starts(text + "x", pages) == []
    assert find_page_starts("", []) == []
    assert find_page_starts("One", ["One", " "]) == [0, 0]


def test_without_pages_a_table_of_contents_is_not_taken_for_the_chapters() -> None:
    text = "Rivers 2\nSea 3\n\nRivers\nRivers flow.\nSea\nThe rivers reach the sea.\n"
    found = locate_entries(text, [Entry("Rivers", 1), Entry("Sea", 1)])
    assert [text[mark.offset :].split("\n")[0] for mark in found.marks] == ["Rivers flow.", "Sea"]
    assert [mark.offset for mark in found.marks] == [23, 36]


def test_without_pages_a_title_that_is_nowhere_is_missing() -> None:
    found = locate_entries("Rivers\nflow", [Entry("Rivers", 1), Entry("Sea", 1), Entry(" ", 1)])
    assert [mark.title for mark in found.marks] == ["Rivers"]
    assert found.missing == ["Sea", ""]
