"""The exact binomial test, computed by hand because importing scipy.stats is slow, is that of scipy."""

import pytest
from scipy.stats import binomtest

from assay.statistics.comparison.binary_tests import WHOLE, binomial_test


@pytest.mark.parametrize("expected", [0.5, 0.1, 0.75])
@pytest.mark.parametrize("n", [1, 2, 7, 20, WHOLE, WHOLE + 1, 5000])
def test_the_binomial_test_is_that_of_scipy(n: int, expected: float) -> None:
    for count in {0, 1, n // 10, n // 3, n // 2, (n + 1) // 2, n - 1, n}:
        assert binomial_test(count, n, expected) == pytest.approx(binomtest(count, n, expected).pvalue, abs=1e-10)


def test_a_coin_that_shows_both_sides_equally_often_has_a_p_value_of_exactly_one() -> None:
    assert [binomial_test(n // 2, n) for n in (2, 4, 5, 20, 31, 1000)] == [1.0] * 6
    assert binomial_test(0, 0) == 1.0


def test_a_share_of_all_or_nothing_is_kept_or_broken() -> None:
    assert [binomial_test(count, 3, expected) for count, expected in ((3, 1), (2, 1), (0, 0), (1, 0))] == [1, 0, 1, 0]
