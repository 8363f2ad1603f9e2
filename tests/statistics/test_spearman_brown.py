"""How reliable a mean is, and how many judgments it takes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.statistics import annotators_needed, reliability_of_mean


def test_the_mean_of_four_annotators_of_shrout_and_fleiss():
    # ICC(3,1) and ICC(3,k) of their Table 4, to ten digits.
    assert reliability_of_mean(0.7148407148, 4) == pytest.approx(0.9093155424, abs=1e-8)


@pytest.mark.parametrize(
    ("rho", "target", "number"), [(0.4, 0.8, 6), (0.6, 0.8, 3), (0.9, 0.8, 1), (1.0, 0.99, 1), (0.5, 0.5, 1)]
)
def test_so_many_annotators_are_needed(rho, target, number):
    assert annotators_needed(rho, target) == number


@given(rho=st.floats(0.01, 0.99), target=st.floats(0.01, 0.99))
def test_the_number_needed_is_the_least_that_reaches_the_target(rho, target):
    number = annotators_needed(rho, target)
    assert reliability_of_mean(rho, number) >= target - 1e-9
    assert number == 1 or reliability_of_mean(rho, number - 1) < target


@pytest.mark.parametrize("rho", [0.0, -0.2])
def test_no_number_of_annotators_makes_something_of_nothing(rho):
    assert annotators_needed(rho, 0.8) is None


def test_a_mean_may_be_worth_less_than_nothing_or_undefined():
    assert reliability_of_mean(-0.2, 3) == pytest.approx(-1.0)
    assert reliability_of_mean(-0.5, 3) is None


@pytest.mark.parametrize(("rho", "k"), [(1.1, 3), (float("nan"), 3), (0.5, 0), (0.5, -1)])
def test_what_is_no_reliability_or_no_number_is_refused(rho, k):
    with pytest.raises(ValueError, match=r"at most 1|at least one"):
        reliability_of_mean(rho, k)


@pytest.mark.parametrize(("rho", "target"), [(1.1, 0.8), (0.5, 0.0), (0.5, 1.0), (float("nan"), 0.8)])
def test_what_cannot_be_reached_is_refused(rho, target):
    with pytest.raises(ValueError, match=r"at most 1|between 0 and 1"):
        annotators_needed(rho, target)
