"""Items are joined by id and never by guessing."""

from typing import Any

import pytest

from sensemaking.llm.joining import join

IDS = ["q1", "q2", "q3"]
A, B, C = {"id": "q1", "v": 1}, {"id": "q2", "v": 2}, {"id": "q3", "v": 3}


@pytest.mark.parametrize(
    ("reply", "items"),
    [
        ([A, B, C], [A, B, C]),
        ([C, A, B], [A, B, C]),
        ([A, C], [A, None, C]),
        ({"answers": [C, A]}, [A, None, C]),
        ({"q1": "x", "q3": "z"}, ["x", None, "z"]),
        ({"answers": {"q2": "y"}}, [None, "y", None]),
        ({"reason": "because", "answers": [B]}, [None, B, None]),
        (["x", "y", "z"], ["x", "y", "z"]),
        (B, [None, B, None]),
        ([{"v": 1}, {"v": 2}, {"v": 3}], [{"v": 1}, {"v": 2}, {"v": 3}]),
    ],
)
def test_items_find_their_ids(reply: Any, items: list[Any]) -> None:
    joined = join(reply, IDS)
    assert joined.problem is None
    assert list(joined.items.values()) == items
    assert joined.missing == items.count(None)


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        (["x", "y"], "2 items for 3 ids"),
        (["x", "y", "z", "w"], "4 items for 3 ids"),
        ([], "0 items for 3 ids"),
        ([A, A, B, C], "q1 twice"),
        ([A, {"v": 2}, C], "items with and without an id"),
        ([A, "y", "z"], "items with and without an id"),
        ("q1", "no list of items"),
        (None, "no list of items"),
        (7, "no list of items"),
        ({"a": [A], "b": [B]}, "no list of items"),
    ],
)
def test_what_cannot_surely_be_joined_is_rejected_as_a_whole(reply: Any, problem: str) -> None:
    joined = join(reply, IDS)
    assert joined.problem == problem
    assert set(joined.items.values()) == {None}


def test_ids_that_nobody_asked_for_are_ignored_and_named() -> None:
    joined = join([A, B, C, {"id": "q9", "v": 9}], IDS)
    assert joined.ignored == ("q9",)
    assert joined.items == {"q1": A, "q2": B, "q3": C}


def test_numbers_are_ids_too() -> None:
    assert join([{"id": 2, "v": 1}], ["1", "2"]).items == {"1": None, "2": {"id": 2, "v": 1}}
    assert join([{"id": True, "v": 1}], ["True"]).problem is None
