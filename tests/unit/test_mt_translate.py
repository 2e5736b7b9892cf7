"""Chains of engines, and what does not depend on the engine."""

from collections.abc import Iterator, Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensemaking.mt.engines import WRONG_REPLY, EngineStoppedError
from sensemaking.mt.translate import Translation, join_targets, translate


class Dictionary:
    """An engine that knows some texts and notes what it is asked."""

    keeps_journal = False
    replays = False

    def __init__(self, name: str, known: Mapping[str, str], batch: int = 100) -> None:
        self.name = name
        self.settings: Mapping[str, str] = {}
        self.known = known
        self.batch = batch
        self.asked: list[str] = []

    def pieces(self, text: str, language: str) -> list[str]:
        return text.split("|")

    def translate(
        self, texts: Sequence[str], source: str, target: str
    ) -> Iterator[Sequence[str | None]]:
        self.asked += texts
        for start in range(0, len(texts), self.batch):
            yield [self.known.get(text) for text in texts[start : start + self.batch]]


def test_the_next_engine_gets_only_what_the_first_does_not_know() -> None:
    memory = Dictionary("memory", {"Дім": "House", "Ліс": "Ліс"})
    paid = Dictionary("paid", {"Сад": "Garden", "Ліс": "Forest"})
    assert translate(["Сад", "Дім", "Ліс", "Степ"], "uk", "en", [memory, paid]) == [
        Translation("Сад", "Garden", "paid", "ok"),
        Translation("Дім", "House", "memory", "ok"),
        Translation("Ліс", "Forest", "paid", "ok"),
        Translation("Степ", None, None, "not_in_memory"),
    ]
    assert paid.asked == ["Сад", "Ліс", "Степ"]


def test_a_text_with_one_unknown_piece_has_no_translation() -> None:
    engine = Dictionary("memory", {"Дім": "House"})
    (found,) = translate(["Дім|Сад"], "uk", "en", [engine])
    assert (found.target, found.status) == (None, "not_in_memory")


@pytest.mark.parametrize("surplus", [-1, 1])
def test_an_engine_that_gives_another_number_is_stopped(surplus: int) -> None:
    class Miscounting(Dictionary):
        def translate(
            self, texts: Sequence[str], source: str, target: str
        ) -> Iterator[Sequence[str | None]]:
            yield ["x"] * (len(texts) + surplus)

    with pytest.raises(EngineStoppedError) as caught:
        translate(["Дім", "Сад"], "uk", "en", [Miscounting("odd", {})])
    assert caught.value.status == WRONG_REPLY


def test_targets_without_white_space_between_sentences_do_not_run_together() -> None:
    assert join_targets(["It rains.", "It blows.\n", "It snows."]) == (
        "It rains. It blows.\nIt snows."
    )
    assert join_targets(["He said “no.”", "Then"]) == "He said “no.” Then"
    assert join_targets(["un", "believable"]) == "unbelievable"
    assert join_targets([]) == ""


TEXTS = st.lists(st.text(alphabet="аб |\n\u00a0\u200b.", max_size=8) | st.none(), max_size=12)


@given(TEXTS, st.integers(1, 4))
def test_as_many_come_out_as_go_in_and_white_space_is_kept(
    texts: list[str | None], batch: int
) -> None:
    class Any(Dictionary):
        def translate(
            self, texts: Sequence[str], source: str, target: str
        ) -> Iterator[Sequence[str | None]]:
            assert all(text == text.strip() and text.strip("\u200b") for text in texts)
            assert len(set(texts)) == len(texts)
            for start in range(0, len(texts), self.batch):
                yield [f" <x{text}x> " for text in texts[start : start + self.batch]]

    found = translate(texts, "uk", "en", [Any("any", {}, batch)])
    assert [translation.source for translation in found] == texts
    for text, translation in zip(texts, found, strict=True):
        if text is None:
            assert translation.target is None
        else:
            assert translation.target is not None
            bare = translation.target.replace("<x", "").replace("x>", "")
            assert bare.replace(" ", "") == text.replace("|", "").replace(" ", "")
            assert translation.target[: len(text) - len(text.lstrip())].isspace() or (
                text == text.lstrip()
            )
