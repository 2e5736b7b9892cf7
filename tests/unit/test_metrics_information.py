import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import entropy

from sensemaking.metrics.information import distribution, entropy_bits, kl_nats

MASSES = st.lists(st.integers(0, 1000), min_size=1, max_size=12).filter(any)


def normalised(masses: list[int]) -> list[float]:
    return [mass / sum(masses) for mass in masses]


def test_a_zero_probability_adds_nothing_to_the_divergence() -> None:
    found = kl_nats([0.5, 0.5, 0], [0.25, 0.25, 0.5])
    assert found.value == pytest.approx(math.log(2), rel=1e-12)
    assert (found.n, found.reason) == (3, None)


def test_a_zero_where_the_other_is_not_makes_the_divergence_infinite_and_so_none() -> None:
    found = kl_nats([0.5, 0.25, 0.25], [0.5, 0.5, 0])
    assert (found.value, found.reason) == (None, "infinite")


@pytest.mark.parametrize(
    ("p", "q", "message"),
    [
        ([0.6, 0.4], [0.3, 0.2], r"q must sum to 1, found a sum of 0\.5"),
        ([0.3, 0.2], [0.6, 0.4], r"p must sum to 1, found a sum of 0\.5"),
        ([3, 1, 0, 0], [0.25] * 4, "p must sum to 1, found a sum of 4"),
        ([1.5, -0.5], [0.5, 0.5], r"p must not be negative, found -0\.5"),
        ([0.5, math.nan], [0.5, 0.5], "p must be finite"),
        ([0.5, 0.5], [math.inf, 0.5], "q must be finite"),
        ([0.5, 0.5], [1.0], r"same shape, found \(2,\) and \(1,\)"),
    ],
)
def test_what_is_no_distribution_is_an_error_and_not_normalised(
    p: list[float], q: list[float], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        kl_nats(p, q)


def test_rounding_does_not_make_a_divergence_negative() -> None:
    assert kl_nats([1 / 3] * 3, [0.3333333333333334] * 3).value == 0.0


@pytest.mark.parametrize(
    ("p", "q"), [([0, 0, 0], [0.2, 0.3, 0.5]), ([0.2, 0.3, 0.5], [0, 0, 0]), ([], [])]
)
def test_no_data_on_a_side_leaves_the_divergence_undefined(p: list[float], q: list[float]) -> None:
    found = kl_nats(p, q)
    assert (found.value, found.reason) == (None, "no data")


def test_the_entropy_of_counts_is_in_bits_and_divided_by_no_logarithm() -> None:
    counts = np.array([3, 1, 0, 0])
    found = entropy_bits(counts / counts.sum())
    assert found.value == pytest.approx(0.8112781245, abs=1e-10)
    assert found.n == 4
    assert float(found) * math.log(2) == pytest.approx(0.5623351446, abs=1e-10)


def test_a_certain_outcome_has_an_entropy_of_plain_zero() -> None:
    for certain in ([1.0], [1.0, 0.0], [1.0000001]):
        value = entropy_bits(certain).value
        assert value == 0.0
        assert math.copysign(1, value) == 1


@pytest.mark.parametrize("p", [[], [0.0, 0.0]])
def test_the_entropy_of_no_data_is_undefined(p: list[float]) -> None:
    found = entropy_bits(p)
    assert (found.value, found.reason) == (None, "no data")


def test_the_entropy_of_counts_that_were_not_divided_is_an_error() -> None:
    with pytest.raises(ValueError, match="p must sum to 1, found a sum of 4"):
        entropy_bits([3, 1, 0, 0])


@settings(deadline=None)
@given(MASSES)
def test_the_entropy_equals_that_of_scipy_and_lies_in_its_range(masses: list[int]) -> None:
    p = normalised(masses)
    found = float(entropy_bits(p))
    assert found == pytest.approx(entropy(p, base=2), abs=1e-9)
    assert 0 <= found <= math.log2(len(p)) + 1e-9


@settings(deadline=None)
@given(MASSES, st.data())
def test_the_divergence_equals_that_of_scipy_and_is_never_negative(
    masses: list[int], data: st.DataObject
) -> None:
    p = normalised(masses)
    others = data.draw(st.lists(st.integers(1, 1000), min_size=len(masses), max_size=len(masses)))
    q = normalised(others)
    assert kl_nats(p, q).value == pytest.approx(entropy(p, q), abs=1e-9)
    assert float(kl_nats(p, q)) >= 0
    assert kl_nats(q, q).value == 0.0


def test_a_sum_within_a_millionth_of_one_passes_and_is_left_as_it_is() -> None:
    np.testing.assert_array_equal(distribution([0.5, 0.5 + 9e-7], "p"), [0.5, 0.5 + 9e-7])
    with pytest.raises(ValueError, match="sum"):
        distribution([0.5, 0.5 + 2e-6], "p")
