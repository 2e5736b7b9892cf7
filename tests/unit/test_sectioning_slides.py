"""Slide changes: the file of times, and their places in a transcript."""

import pytest

from sensemaking.sectioning.slides import (
    Segment,
    Slide,
    SlideTimesError,
    cut_at_slides,
    read_slide_times,
)

SEGMENTS = [
    Segment(0.0, 4.0, " One two."),
    Segment(4.0, 9.0, " Three four."),
    Segment(9.0, 12.0, " Five six."),
    Segment(12.0, 20.0, " Seven eight."),
]
TEXT = "One two. Three four. Five six. Seven eight."


@pytest.mark.parametrize(
    ("text", "slides"),
    [
        ("0\n83.5\n", [Slide(0.0, None), Slide(83.5, None)]),
        (
            "start,title\n0,Intro\n83.5,Beam search\n",
            [Slide(0, "Intro"), Slide(83.5, "Beam search")],
        ),
        ("Title;Start\nÚvod;0:00\nHledání;1:23,5\n", [Slide(0, "Úvod"), Slide(83.5, "Hledání")]),
        ("slide\ttime\n7\t0:01:23.5\n8\t1:00:00\n", [Slide(83.5, "7"), Slide(3600, "8")]),
        ("\ufeff0:00,Intro\n\n 1:05 , \n", [Slide(0, "Intro"), Slide(65, None)]),
        ("time\n5 s\n6s\n", [Slide(5, None), Slide(6, None)]),
        ('0,"Rivers, lakes"\n75:30,"Sea"\n', [Slide(0, "Rivers, lakes"), Slide(4530, "Sea")]),
        ("12,5;Intro\n13;End\n", [Slide(12.5, "Intro"), Slide(13, "End")]),
    ],
)
def test_the_usual_forms_of_times_are_read(text: str, slides: list[Slide]) -> None:
    assert read_slide_times(text) == slides


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("\n \n", "is empty"),
        ("start,title\n", "has no times"),
        ("slide,title\n1,x\n", "expected one named start"),
        ("0\nabc\n", "line 2: found 'abc'"),
        ("0\n-5\n", "line 2: found '-5'"),
        ("0\n1:75\n", "line 2: found '1:75'"),
        ("0\n1:75:00\n", "line 2: found '1:75:00'"),
        ("0\n\n10\n10\n", "line 4: 10 is not after"),
        ("10\n5\n", "line 2: 5 is not after the time before it, 10 s"),
        ("title,start\nx\n", "line 2: found ''"),
        ("0\nnan\n", "line 2: found 'nan'"),
    ],
)
def test_what_is_no_list_of_ascending_times_is_refused_with_its_line(
    text: str, message: str
) -> None:
    with pytest.raises(SlideTimesError, match=message):
        read_slide_times(text)


def test_a_segment_belongs_to_the_slide_during_which_most_of_it_is_spoken() -> None:
    # The second segment, 4 to 9, is 3.9 s with the first slide at a change at 7.9.
    found = cut_at_slides(TEXT, SEGMENTS, [Slide(0, "A"), Slide(7.9, "B")])
    assert TEXT[found.offsets[1] :] == "Five six. Seven eight."
    found = cut_at_slides(TEXT, SEGMENTS, [Slide(0, "A"), Slide(5.0, "B")])
    assert TEXT[found.offsets[1] :] == "Three four. Five six. Seven eight."
    found = cut_at_slides(TEXT, SEGMENTS, [Slide(0, "A"), Slide(6.5, "B")])
    assert TEXT[found.offsets[1] :] == "Five six. Seven eight."
    assert found.slides == [Slide(0, "A"), Slide(6.5, "B")]


def test_speech_before_the_first_slide_belongs_to_it() -> None:
    found = cut_at_slides(TEXT, SEGMENTS, [Slide(9.0, "A"), Slide(12.0, "B")])
    assert found.offsets == [0, TEXT.index("Seven")]
    long = [Segment(0, 12, "One two."), Segment(12, 20, "Three.")]
    found = cut_at_slides("One two. Three.", long, [Slide(9.0, "A"), Slide(9.5, "B")])
    assert [slide.title for slide in found.slides] == ["A", "B"]


def test_slides_without_speech_give_no_part_and_are_told() -> None:
    slides = [Slide(0, "A"), Slide(4.0, "B"), Slide(4.1, "C"), Slide(30, "D")]
    found = cut_at_slides(TEXT, SEGMENTS, slides)
    assert [slide.title for slide in found.slides] == ["A", "C"]
    assert [slide.title for slide in found.silent] == ["B", "D"]


def test_the_order_of_the_text_is_kept_if_times_run_back() -> None:
    segments = [Segment(10, 12, "One."), Segment(0, 2, "Two."), Segment(13, 14, "Three.")]
    found = cut_at_slides("One. Two. Three.", segments, [Slide(0, "A"), Slide(9, "B")])
    assert found.offsets == [0]
    assert [slide.title for slide in found.slides] == ["B"]


def test_segments_without_words_are_passed_over() -> None:
    segments = [
        Segment(0, 3, " "),
        Segment(3, 6, "One."),
        Segment(6, 9, ""),
        Segment(9, 12, "Two."),
    ]
    found = cut_at_slides("One. Two.", segments, [Slide(0, "A"), Slide(6, "B"), Slide(9, "C")])
    assert (found.offsets, [slide.title for slide in found.slides]) == ([0, 5], ["A", "C"])


def test_segments_of_another_text_are_refused() -> None:
    with pytest.raises(ValueError, match="is not what the text has"):
        cut_at_slides("Other words.", SEGMENTS, [Slide(0, None)])
    with pytest.raises(ValueError, match="no slides"):
        cut_at_slides(TEXT, SEGMENTS, [])
