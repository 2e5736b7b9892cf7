import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensemaking.text.quotations import inner_spans, pairs


def marked(text):
    return [text[pair.opening : pair.closing + 1] for pair in pairs(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a “b” c", ["“b”"]),
        ("a „b“ c „d” e", ["„b“", "„d”"]),
        ("a «b» c »d« e", ["«b»", "»d«"]),
        ("a ‚b‘ c ‘d’ e ‹f› g", ["‚b‘", "‘d’", "‹f›"]),
        ('say "b" and ("c")', ['"b"', '("c")', '"c"']),
        ("(a [b]) it’s 5“", ["(a [b])", "[b]"]),
        ("a) b (c", []),
        ("a “b (c” d", ["“b (c”"]),
        ("f(x) and (a )b", ["(x)", "(a )"]),
        ("„a “b” c“ and „a (“b” c)“", ["„a “b” c“", "“b”", "„a (“b” c)“", "(“b” c)", "“b”"]),
        (f"({'it’s ' * 25})", [f"({'it’s ' * 25})"]),
        ('b" c" d', []),
        ('say "b " c "d "', ['"b "', '"d "']),
    ],
)
def test_marks_of_all_styles_are_paired(text, expected):
    assert marked(text) == expected


def test_a_pair_further_apart_than_a_sentence_may_be_is_an_error_of_typing():
    assert len(pairs(f"({'x' * 299})")) == 1
    assert pairs(f"({'x' * 300})") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He (so. So) left (it. It).", ["(so. So)", "(it. It)"]),
        ("(So. So) he left.", []),
        ("Left. (So. So)", []),
        ("The “Why? So!” was in «x» too.", ["“Why? So!”", "«x»"]),
        ("He said: “Why? So” and left.", []),
        ("The “Why? So!” Nobody.", []),
        ("The “x. Y”", []),
        ("The “Why? So!”, too, “x. Y”", ["“Why? So!”"]),
        ("He (so [x] “y” z) left.", ["(so [x] “y” z)"]),
    ],
)
def test_inner_spans_are_brackets_and_quotations_inside_a_sentence(text, expected):
    found = inner_spans(text, pairs(text))
    assert [text[pair.opening : pair.closing + 1] for pair in found] == expected


@given(st.text(alphabet='ab ()[]"“”„«»‹›‚‘’.:,'))
def test_pairs_are_in_order_and_properly_nested(text):
    found = pairs(text)
    assert found == sorted(found)
    for one in found:
        assert one.opening < one.closing
        for other in found:
            assert not one.opening < other.opening < one.closing < other.closing
