"""Confidence intervals cover the truth as often as they say, and agree with published ones."""

import math

import numpy as np
import pytest

from pinchtp.base.intervals import (
    counted_moments,
    lower_bound,
    mean_interval,
    ratio_interval,
    share_interval,
    student_quantiles,
)

TRIALS = 4000


@pytest.mark.parametrize("truth", [0.5, 0.6, 0.9])
@pytest.mark.parametrize("count", [30, 200])
def test_share_interval_covers_the_truth(truth: float, count: int) -> None:
    successes = np.random.default_rng(1).binomial(count, truth, TRIALS)
    found = {int(each): share_interval(int(each), count) for each in set(successes)}
    covered = np.mean(
        [found[int(each)].low <= truth <= found[int(each)].high for each in successes]
    )
    assert 0.93 <= covered <= 0.98


@pytest.mark.parametrize(
    ("count", "skew"), [(2, False), (3, False), (5, False), (20, False), (20, True)]
)
def test_mean_interval_covers_the_truth(count: int, skew: bool) -> None:
    """Skewed values need many, so that their mean is about normal."""
    rng = np.random.default_rng(2)
    values = rng.gamma(4, 1, (TRIALS, count)) if skew else rng.normal(4, 2, (TRIALS, count))
    found = [mean_interval(row.tolist()) for row in values]
    assert 0.93 <= np.mean([each.low <= 4 <= each.high for each in found]) <= 0.97


def test_single_observation_has_no_bounds() -> None:
    single = mean_interval([3.0])
    assert (single.low, single.high) == (-math.inf, math.inf)
    none = share_interval(0, 0)
    assert (none.low, none.high) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_published_intervals_of_shares(
    successes: int, trials: int, low: float, high: float
) -> None:
    """Wilson's intervals in R. Newcombe, "Two-sided confidence intervals for the single
    proportion", 1998, table I.
    """
    found = share_interval(successes, trials)
    assert found.value == successes / trials
    assert (found.low, found.high) == pytest.approx((low, high), abs=5e-5)


def test_shares_end_at_0_and_1() -> None:
    for trials in range(1, 100):
        assert 0 <= share_interval(0, trials).low < 1e-15
        assert 1 - 1e-15 < share_interval(trials, trials).high <= 1


@pytest.mark.parametrize("expected", [2.0, 10.0, 100.0])
def test_count_ratio_interval_covers_the_truth(expected: float) -> None:
    """At 1.5 times the expected count; exact intervals cover somewhat more."""
    counts = np.random.default_rng(3).poisson(1.5 * expected, TRIALS)
    found = [ratio_interval(int(each), expected) for each in counts]
    assert 0.94 <= np.mean([each.low <= 1.5 <= each.high for each in found]) <= 0.99


@pytest.mark.parametrize(
    ("observed", "low", "high"),
    [(10, 4.7954, 18.390), (30, 20.241, 42.827), (100, 81.364, 121.63)],
)
def test_published_intervals_of_counts(observed: int, low: float, high: float) -> None:
    """Exact limits of Poisson counts at 95 %, which the approximation meets within 0.2 %."""
    found = ratio_interval(observed, 4)
    assert found.value == observed / 4
    assert (found.low, found.high) == pytest.approx((low / 4, high / 4), rel=2e-3)


def test_few_events_have_open_intervals() -> None:
    """The exact upper limit of no event is 3.6889; without an expectation nothing is known."""
    none = ratio_interval(0, 2)
    assert (none.low, none.high) == (0, pytest.approx(3.6889 / 2, rel=0.01))
    assert 0 < ratio_interval(1, 2).low < 0.5
    unknown = ratio_interval(3, 0)
    assert (unknown.low, unknown.high) == (0, math.inf)


def test_published_intervals_of_few_values() -> None:
    """Student's quantiles at 97.5 % with one and two degrees of freedom."""
    two = mean_interval([4.0, 6.0])
    assert (two.value - two.low, two.high - two.value) == pytest.approx((12.706205,) * 2, rel=1e-6)
    assert mean_interval([-1.0, 0.0, 1.0]).high == pytest.approx(4.302653 / math.sqrt(3), rel=1e-6)


def test_moments_of_counted_values() -> None:
    assert counted_moments({1: 2, 4: 1}) == pytest.approx((2, math.sqrt(3)))
    assert counted_moments({1: 1, 5: 1}) == pytest.approx((3, math.sqrt(8)))
    assert counted_moments({5: 1}) == (5, 0)
    assert counted_moments({}) == (0, 0)


def test_lower_bound_is_one_sided() -> None:
    successes = np.random.default_rng(4).binomial(60, 0.6, TRIALS)
    held = np.mean([lower_bound(int(each), 60, 0.9) <= 0.6 for each in successes])
    assert 0.87 <= held <= 0.94


@pytest.mark.parametrize(
    ("freedom", "quantile", "error"),
    [(6, 2.446912, 2e-3), (10, 2.228139, 2e-4), (20, 2.085963, 2e-5), (120, 1.979930, 1e-6)],
)
def test_published_quantiles(freedom: float, quantile: float, error: float) -> None:
    """Tables of Student's distribution at 97.5 %, where the normal one has 1.959964."""
    assert student_quantiles(np.array(freedom, float), 1.959964) == pytest.approx(
        quantile, abs=error
    )


def test_quantiles_by_their_series() -> None:
    """The terms of Abramowitz and Stegun's 26.7.5 at 1 and at 2, worked out by hand."""
    for freedom in (1.0, 2.0, 5.0):
        at_one = 1 + 1 / 2 / freedom + 1 / 4 / freedom**2 + 1 / 16 / freedom**3
        at_two = 2 + 5 / 2 / freedom + 49 / 16 / freedom**2 + 183 / 64 / freedom**3
        assert student_quantiles(np.array(freedom), 1.0) == pytest.approx(at_one, rel=1e-12)
        assert student_quantiles(np.array(freedom), 2.0) == pytest.approx(at_two, rel=1e-12)
