"""Numbers with their uncertainty: 95 % intervals for shares, means and ratios of counts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean, stdev

import numpy as np

from pinchtp.match.statistics.rating import student

CONFIDENCE = 0.95
_NORMAL = NormalDist()
Z = _NORMAL.inv_cdf((1 + CONFIDENCE) / 2)


@dataclass(frozen=True)
class ConfidenceInterval:
    """A number with the ends of its 95 % interval, and from how many observations it is."""

    value: float
    low: float
    high: float
    samples: int


def share(successes: float, trials: int) -> ConfidenceInterval:
    """A probability, from how often something happened; Wilson's interval.

    A draw may count as half a success: the interval is then rather too wide.
    """
    low, high = wilson(successes, trials, Z)
    return ConfidenceInterval(successes / trials if trials else math.nan, low, high, trials)


def wilson(successes: float, trials: int, z: float) -> tuple[float, float]:
    """The ends of Wilson's interval of so many standard errors to both sides."""
    if not trials:
        return 0.0, 1.0
    observed, weight = successes / trials, z * z / trials
    middle = (observed + weight / 2) / (1 + weight)
    reach = z * math.sqrt(observed * (1 - observed) / trials + weight / trials / 4) / (1 + weight)
    return max(0.0, middle - reach), min(1.0, middle + reach)


def lower_bound(successes: float, trials: int, confidence: float) -> float:
    """What a probability is at least, at a one-sided confidence."""
    return wilson(successes, trials, _NORMAL.inv_cdf(confidence))[0]


def mean(values: Sequence[float]) -> ConfidenceInterval:
    """The mean of independent observations; Student's interval, infinite for one."""
    count = len(values)
    middle = fmean(values) if values else math.nan
    if count < 2:
        return ConfidenceInterval(middle, -math.inf, math.inf, count)
    return from_moments(middle, stdev(values), count)


def from_moments(middle: float, deviation: float, count: int) -> ConfidenceInterval:
    """As mean, from the mean and the standard deviation of so many observations."""
    reach = _student(count - 1) * deviation / math.sqrt(count)
    return ConfidenceInterval(middle, middle - reach, middle + reach, count)


def _student(freedom: int) -> float:
    """Student's quantile for a 95 % interval."""
    if freedom == 1:
        return math.tan(math.pi * CONFIDENCE / 2)
    if freedom == 2:
        return CONFIDENCE * math.sqrt(2 / (1 - CONFIDENCE**2))
    return float(student(np.asarray(float(freedom)), Z))


def count_ratio(observed: int, expected: float) -> ConfidenceInterval:
    """How many times as often something happened as expected, of rare independent events.

    Byar's approximation of the exact interval of a Poisson count (Breslow and Day, "Statistical
    Methods in Cancer Research II", 1987, page 69).
    """
    if expected <= 0:
        return ConfidenceInterval(math.nan, 0.0, math.inf, observed)
    low = high = 0.0
    if observed:
        low = observed * (1 - 1 / (9 * observed) - Z / (3 * math.sqrt(observed))) ** 3
    more = observed + 1
    high = more * (1 - 1 / (9 * more) + Z / (3 * math.sqrt(more))) ** 3
    return ConfidenceInterval(
        observed / expected, max(low, 0.0) / expected, high / expected, observed
    )


def deviation(values: Sequence[float]) -> float:
    """The standard deviation; 0 of fewer than two."""
    return stdev(values) if len(values) > 1 else 0.0
