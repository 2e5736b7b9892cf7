import math
import random
import subprocess
import sys
import unicodedata

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rouge_score import rouge_scorer
from rouge_score import tokenize as rouge_tokenize

from sensemaking.metrics.rouge import _rouge_tokens, rouge_l_recall

ORACLE = rouge_scorer.RougeScorer(["rougeL"], use_stemmer=False)
UKRAINIAN = "Рослини поглинають світло і виробляють кисень."


def oracle_recall(reference: str, answer: str) -> float:
    return float(ORACLE.score(reference, answer)["rougeL"].recall)


def has_token(text: str) -> bool:
    return bool(rouge_tokenize.tokenize(text, None))


def recall(reference: str, answer: str | None, tokenizer: str = "rouge") -> float:
    return float(rouge_l_recall([[reference]], [answer], tokenizer)[0])


def generated_texts(rng: random.Random, n: int) -> list[str]:
    """Words from a small vocabulary, so that much is shared, joined by all kinds of things."""
    letters = ["a", "B", "z", "Z", "0", "9", "é", "Ї", "ß", "İ", "K", "ſ", "²", "\u0301", "ａ", "_"]
    words = ["the", "The", "THE", "isn't", "it's", "water", "h2o", "H₂O", "3.14", "x_y", "re-do"]
    words += ["".join(rng.choices(letters, k=rng.randint(1, 5))) for _ in range(30)]
    joins = [" "] * 12 + [
        "\n",
        "\t",
        ", ",
        "—",
        "_",
        "\u00a0",
        "\u2028",
        "...",
        "'",
        "\x00",
        "\ud800",
    ]
    return [
        "".join(rng.choice(words) + rng.choice(joins) for _ in range(rng.randint(0, 40)))
        for _ in range(n)
    ]


def test_recall_equals_rouge_score_bit_for_bit_on_ten_thousand_pairs() -> None:
    rng = random.Random(20250716)
    references, answers = generated_texts(rng, 10_000), generated_texts(rng, 10_000)
    expected = [
        oracle_recall(reference, answer) if has_token(reference) else math.nan
        for reference, answer in zip(references, answers, strict=True)
    ]
    found = rouge_l_recall([[reference] for reference in references], answers)
    assert np.isnan(expected).sum() > 50
    assert np.unique(found).size > 200
    np.testing.assert_array_equal(found, expected)


def test_tokens_equal_those_of_rouge_score_around_every_code_point() -> None:
    for start in range(0, sys.maxunicode + 1, 0x800):
        text = "b".join(f"A{chr(code)}" for code in range(start, start + 0x800))
        found = [token.decode() for token in _rouge_tokens(text)]
        assert found == rouge_tokenize.tokenize(text, None)


@settings(deadline=None)
@given(st.text(max_size=60), st.text(max_size=60))
@example("KELVIN İstanbul", "kelvin i stanbul")
def test_recall_of_arbitrary_text_equals_rouge_score(reference: str, answer: str) -> None:
    found = recall(reference, answer)
    if has_token(reference):
        assert found == oracle_recall(reference, answer)
    else:
        assert math.isnan(found)


@settings(deadline=None)
@given(st.text(alphabet=st.characters(codec="ascii"), max_size=60), st.text(max_size=60))
def test_the_unicode_tokenizer_gives_the_same_values_on_ascii_text(
    reference: str, answer: str
) -> None:
    answer = answer.encode("ascii", "ignore").decode()
    np.testing.assert_equal(recall(reference, answer, "unicode"), recall(reference, answer))


def test_unicode_words_count_in_cyrillic_text_where_the_default_tokenizer_sees_none() -> None:
    answers = [UKRAINIAN, "Рослини виробляють кисень."]
    found = rouge_l_recall([[UKRAINIAN]] * 2, answers, tokenizer="unicode")
    assert found.tolist() == [1.0, 0.5]
    assert np.isnan(rouge_l_recall([[UKRAINIAN]] * 2, answers)).all()


def test_composed_and_decomposed_text_are_equal_under_the_unicode_tokenizer() -> None:
    composed = "\u0407жак \u0457сть яблуко"
    decomposed = unicodedata.normalize("NFD", composed)
    assert decomposed != composed
    assert recall(composed, decomposed, "unicode") == 1.0
    assert recall(decomposed, composed, "unicode") == 1.0


@pytest.mark.parametrize(
    ("reference", "answer", "expected"),
    [
        ("हिन्दी भाषा", "हिन्दी भाषा", 1.0),
        ("हिन्दी", "ह न द", 0.0),  # a mark inside a word does not end it
        ("snake_case", "snake", 0.5),
        ("snake_case", "case", 0.5),
        ("Straße", "STRASSE", 0.0),  # lower case, not case folding
        ("ЇЖАК", "їжак", 1.0),
        ("x\u0301y", "x y", 0.0),
    ],
)
def test_unicode_words_are_runs_of_letters_digits_and_their_marks(
    reference: str, answer: str, expected: float
) -> None:
    assert recall(reference, answer, "unicode") == expected


@pytest.mark.parametrize(
    ("reference", "answer", "expected"),
    [
        ("", "", math.nan),
        ("", "text", math.nan),
        ("?!…", "text", math.nan),
        ("text", "", 0.0),
        ("text", "— !", 0.0),
        ("text", " \n\t", 0.0),
        ("text", None, math.nan),
        ("", None, math.nan),
    ],
)
@pytest.mark.parametrize("tokenizer", ["rouge", "unicode"])
def test_an_empty_side_is_undefined_for_a_reference_and_zero_for_an_answer(
    reference: str, answer: str | None, expected: float, tokenizer: str
) -> None:
    np.testing.assert_equal(recall(reference, answer, tokenizer), expected)


def test_newlines_do_not_change_the_value() -> None:
    reference = "Water boils at 100 degrees.\nIce melts at 0 degrees."
    answer = "Ice melts at 0 degrees.\nWater boils at 100 degrees."
    assert recall(reference, answer) == 0.5
    assert recall(reference.replace("\n", " "), answer.replace("\n", " ")) == 0.5


def test_a_longest_subsequence_is_found_where_a_greedy_match_is_short() -> None:
    assert recall("x a b c d", "a b c d x") == 0.8


def test_thousands_of_words_give_the_exact_share() -> None:
    words = [f"w{i}" for i in range(5000)]
    assert recall(" ".join(words), " ".join(words[::2])) == 0.5


def test_memory_does_not_grow_with_the_product_of_the_lengths() -> None:
    # A table of 20,000 × 20,000 cells would take 400 MB at one byte each.
    program = """
import resource
from sensemaking.metrics.rouge import rouge_l_recall
text = " ".join(f"w{i}" for i in range(20_000))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
value = rouge_l_recall([[text + " end"]], ["start " + text])[0]
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(value == 20_000 / 20_001, (after - before) // 1024)
"""
    right, megabytes = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout.split()
    assert right == "True"
    assert int(megabytes) < 100


def test_the_best_reference_counts_and_those_without_tokens_are_passed_over() -> None:
    references = [
        ["one two three four", "one two"],
        ["one two", "one two three four"],
        ["", "one two three four", "…"],
        ["", "…"],
        [],
        None,
    ]
    found = rouge_l_recall(references, ["one two"] * 6)
    np.testing.assert_array_equal(found, [1.0, 1.0, 0.5, math.nan, math.nan, math.nan])


def test_the_value_of_several_references_is_the_maximum_of_each_alone() -> None:
    rng = random.Random(7)
    references = [generated_texts(rng, rng.randint(1, 4)) for _ in range(200)]
    answers = generated_texts(rng, 200)
    alone = [
        max(
            (oracle_recall(text, answer) for text in texts if has_token(text)),
            default=math.nan,
        )
        for texts, answer in zip(references, answers, strict=True)
    ]
    np.testing.assert_array_equal(rouge_l_recall(references, answers), alone)


def test_no_items_give_an_empty_array() -> None:
    found = rouge_l_recall([], [])
    assert found.shape == (0,)
    assert found.dtype == np.float64


def test_arrays_as_pandas_and_pyarrow_make_them_are_taken_for_lists() -> None:
    references = np.empty(2, dtype=object)
    references[:] = [np.array(["one two"], dtype=object), ("one",)]
    answers = np.array(["one", math.nan], dtype=object)
    np.testing.assert_array_equal(rouge_l_recall(references, answers), [0.5, math.nan])


def test_an_unknown_tokenizer_is_an_error_that_names_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"'porter'; known are 'rouge', 'unicode'"):
        rouge_l_recall([["a"]], ["a"], tokenizer="porter")


def test_lists_of_different_length_are_an_error() -> None:
    with pytest.raises(ValueError, match="found 2 and 1"):
        rouge_l_recall([["a"], ["b"]], ["a"])


@pytest.mark.parametrize(
    ("references", "answers", "message"),
    [
        ("abc", ["a", "b", "c"], "references must be a list of lists of texts, found one str"),
        (["abc"], ["a"], r"references\[0\] must be a list of texts, found one str"),
        ([["a"], b"abc"], ["a", "b"], r"references\[1\] must be a list of texts, found one bytes"),
        ([{"text": 1}], ["a"], r"references\[0\] must be a list of texts, found one dict"),
        ([7], ["a"], r"references\[0\] must be a list of texts, found int"),
        ([["a", ["b"]]], ["a"], r"references\[0\]\[1\] must be a text, found list"),
        ([["a", None]], ["a"], r"references\[0\]\[1\] must be a text, found NoneType"),
        (["abc"], [None], r"references\[0\] must be a list of texts, found one str"),
        ([["a"]], "a", "answers must be a list of texts, found one str"),
        ([["a"]], [["a"]], r"answers\[0\] must be a text or None, found list"),
        ([["a"]], [7], r"answers\[0\] must be a text or None, found int"),
        ([["a"]], {"a": 1}, "answers must be a list of texts, found one dict"),
    ],
)
def test_a_text_in_place_of_a_list_is_an_error_and_never_read_letter_by_letter(
    references: object, answers: object, message: str
) -> None:
    with pytest.raises(TypeError, match=message):
        rouge_l_recall(references, answers)  # type: ignore[arg-type]


@settings(max_examples=25, deadline=None)
@given(st.lists(st.text(alphabet="ab ", max_size=12), min_size=1, max_size=12), st.randoms())
def test_values_do_not_depend_on_the_items_beside(texts: list[str], rng: random.Random) -> None:
    references = [[rng.choice(texts), rng.choice(texts)] for _ in texts]
    together = rouge_l_recall(references, texts)
    alone = [rouge_l_recall([r], [a])[0] for r, a in zip(references, texts, strict=True)]
    np.testing.assert_array_equal(together, alone)


def test_a_repeated_text_is_divided_into_words_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from sensemaking.metrics import rouge

    calls: list[str] = []

    def counting(text: str) -> list[str]:
        calls.append(text)
        return text.split()

    monkeypatch.setitem(rouge._TOKENIZERS, "rouge", counting)
    rouge_l_recall([["a b", "c"]] * 5, ["a b", "a", "a", None, "c"])
    assert sorted(calls) == ["a", "a b", "c"]


def test_importing_the_metric_loads_no_heavy_package() -> None:
    program = "import sys; import sensemaking.metrics.rouge; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout.split()
    assert "rapidfuzz" in loaded
    assert not {"nltk", "absl", "rouge_score", "scipy", "pandas", "torch"} & set(loaded)
