"""The F distribution against tables, closed forms and values of forty digits."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.statistics.f_distribution import beta_share, f_exceeded, f_probability, f_quantile
from assay.statistics.jackknife import t_quantile

DEGREES = st.floats(0.5, 5000)


@pytest.mark.parametrize(
    ("share", "top", "bottom", "quantile"),
    [
        # Abramowitz & Stegun (1964), Table 26.9.
        (0.95, 1, 1, 161.4),
        (0.95, 2, 3, 9.55),
        (0.95, 5, 10, 3.33),
        (0.95, 10, 20, 2.35),
        (0.95, 30, 120, 1.55),
        (0.975, 1, 1, 647.8),
        (0.975, 4, 6, 6.23),
        (0.975, 8, 15, 3.20),
        (0.99, 3, 12, 5.95),
        (0.99, 24, 60, 2.12),
    ],
)
def test_quantiles_are_those_of_the_printed_tables(share, top, bottom, quantile):
    digits = 1 if quantile > 100 else 2
    assert round(f_quantile(share, top, bottom), digits) == quantile


@pytest.mark.parametrize("bottom", [0.7, 1, 2, 5, 18, 240.5, 1e5])
@pytest.mark.parametrize("f", [0.01, 0.5, 1.0, 3.3, 40.0])
def test_two_degrees_above_or_below_have_a_closed_form(f, bottom):
    assert f_probability(f, 2, bottom) == pytest.approx(
        -math.expm1(-bottom / 2 * math.log1p(2 * f / bottom)), abs=1e-11
    )
    assert f_probability(f, bottom, 2) == pytest.approx(math.exp(-bottom / 2 * math.log1p(2 / (bottom * f))), abs=1e-11)


@pytest.mark.parametrize(("f", "bottom"), [(2.6842105263157894, 17), (2.785714285714286, 26), (2.853658536585366, 39)])
def test_where_both_parts_round_to_the_turning_point_there_is_an_answer(f, bottom):
    assert f_exceeded(f, 1, bottom) == pytest.approx(1 - f_probability(f, 1, bottom), abs=1e-12)


@pytest.mark.parametrize("degrees", [1, 2, 7, 30, 120])
def test_one_degree_above_is_the_square_of_student_t(degrees):
    assert f_quantile(0.95, 1, degrees) == pytest.approx(t_quantile(degrees) ** 2, rel=1e-8)


@pytest.mark.parametrize(
    ("a", "b", "x", "share"),
    [
        # mpmath with 40 digits.
        (2.5, 9, 0.3, 0.7735905584343),
        (0.35, 0.6, 0.999, 0.9928126302122),
        (2.5, 9, 0.01, 0.0008386474089565),
        (50, 120, 0.25, 0.1003783343663),
        (50, 120, 0.4, 0.9980849425691),
        (2392.57, 1.5, 0.9995, 0.4948609665703),
        (5000, 20000, 0.2031, 0.8894920715331),
        (499999.5, 1000000, 0.3341, 0.9768071033642),
        (1.25, 750000, 1e-06, 0.4149572677591),
    ],
)
def test_the_beta_function_has_the_values_of_exact_arithmetic(a, b, x, share):
    assert beta_share(x, 1 - x, a, b) == pytest.approx(share, abs=1e-8)


def test_the_beta_function_ends_at_nothing_and_all():
    assert beta_share(0.0, 1.0, 2, 3) == 0.0
    assert beta_share(1.0, 0.0, 2, 3) == 1.0
    assert f_probability(0.0, 2, 3) == 0.0


@settings(deadline=None)
@given(share=st.floats(0.001, 0.999), top=DEGREES, bottom=DEGREES)
def test_the_probability_of_a_quantile_is_what_was_asked_for(share, top, bottom):
    quantile = f_quantile(share, top, bottom)
    assert f_probability(quantile, top, bottom) == pytest.approx(share, abs=1e-9)
    assert f_quantile(1 - share, bottom, top) == pytest.approx(1 / quantile, rel=1e-6)
