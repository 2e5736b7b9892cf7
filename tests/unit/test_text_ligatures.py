import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensemaking.text.ligatures import GlyphDamage, damage, expand


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("eﬃcient ﬁeld", "efficient field"),
        ("ﬀ ﬁ, ﬂ, ﬃ, ﬄ, ﬅ ﬆ", "ff fi, fl, ffi, ffl, st st"),
        ("ﬁ eld", "ﬁ eld"),
        ("eﬃ cient and de\u00a0ﬁ nition", "eﬃ cient and de\u00a0ﬁ nition"),
        ("staﬀ meeting, oﬀ the record", "staff meeting, off the record"),
        ("ein Proﬁ spielt, sci-ﬁ ist alt", "ein Profi spielt, sci-fi ist alt"),
        ("Wiﬁ Graﬁ K", "Wifi Grafi K"),
        ("№5, x², ½ kg, 10 µm…", "№5, x², ½ kg, 10 µm…"),
        ("o\0er", "o\0er"),
        ("Cafe\u0301 ĳ ǆ", "Café ĳ ǆ"),
    ],
)
def test_only_the_seven_ligatures_are_written_out(text, expected):
    assert expand(text) == expected


def test_damage_counts_what_was_lost_and_what_is_torn():
    assert damage("o\0er o\0 ﬁ eld \ufffd \ue000\ue001 eﬃcient") == GlyphDamage(
        lost=2, torn_ligatures=1, replaced=1, private=2
    )


def test_damage_is_the_same_after_ligatures_are_written_out():
    text = "o\0er ﬁ eld staﬀ member"
    assert damage(expand(text)) == damage(text)
    assert damage(text).total == 2


def test_an_undamaged_text_has_no_damage():
    assert damage("staﬀ, ﬁeld, x² and 10 µm").total == 0


@given(st.text(alphabet=st.sampled_from("abﬀﬁﬂﬃﬄﬅﬆ e\u0301²½\0")))
def test_expanding_twice_changes_nothing_and_leaves_nfc(text):
    once = expand(text)
    assert unicodedata.is_normalized("NFC", once)
    assert len(once) <= 3 * len(text)
    assert once.count("\0") == text.count("\0")
    assert expand(once) == once
