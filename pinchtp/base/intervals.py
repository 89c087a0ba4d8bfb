"""Confidence intervals of shares, means and counts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean, stdev

import numpy as np
import numpy.typing as npt

CONFIDENCE = 0.95
Z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)  # standard errors to either side


@dataclass(frozen=True)
class ConfidenceInterval:
    """A value with its 95 % confidence interval. samples: the number of observations."""

    value: float
    low: float
    high: float
    samples: int


def share_interval(successes: float, trials: int) -> ConfidenceInterval:
    """Returns a probability with Wilson's interval.

    successes: their number; a draw may count as half a success, which makes the interval slightly
    too wide.
    """
    low, high = wilson_bounds(successes, trials, Z)
    return ConfidenceInterval(successes / trials if trials else math.nan, low, high, trials)


def wilson_bounds(successes: float, trials: int, z: float) -> tuple[float, float]:
    """Returns the ends of Wilson's interval. z: standard errors to either side."""
    if not trials:
        return 0.0, 1.0
    observed = successes / trials
    weight = z * z / trials
    middle = (observed + weight / 2) / (1 + weight)
    reach = z * math.sqrt(observed * (1 - observed) / trials + weight / trials / 4) / (1 + weight)
    return max(0.0, middle - reach), min(1.0, middle + reach)


def lower_bound(successes: float, trials: int, confidence: float) -> float:
    """Returns the lower bound of a probability at a one-sided confidence."""
    return wilson_bounds(successes, trials, NormalDist().inv_cdf(confidence))[0]


def counted_moments(counts: Mapping[int, int]) -> tuple[float, float]:
    """Returns the mean and the standard deviation of values, from the number of each.

    Both are 0 without values, and the deviation of one is 0.
    """
    total = sum(counts.values())
    mean = sum(value * times for value, times in counts.items()) / max(total, 1)
    squares = sum((value - mean) ** 2 * times for value, times in counts.items())
    return mean, math.sqrt(squares / (total - 1)) if total > 1 else 0.0


def mean_interval(values: Sequence[float]) -> ConfidenceInterval:
    """Returns the mean of independent observations with Student's interval.

    The interval is infinite if all observations are equal, because their spread is then unknown.
    """
    count = len(values)
    mean = fmean(values) if values else math.nan
    if len(set(values)) < 2:
        return ConfidenceInterval(mean, -math.inf, math.inf, count)
    return interval_from_moments(mean, stdev(values), count)


def interval_from_moments(mean: float, deviation: float, count: int) -> ConfidenceInterval:
    """Returns a mean with Student's interval, from the standard deviation of `count`
    observations.
    """
    reach = student_quantile(count - 1) * deviation / math.sqrt(count)
    return ConfidenceInterval(mean, mean - reach, mean + reach, count)


def student_quantile(freedom: int) -> float:
    """Returns Student's quantile for a 95 % interval."""
    if freedom == 1:
        return math.tan(math.pi * CONFIDENCE / 2)
    if freedom == 2:
        return CONFIDENCE * math.sqrt(2 / (1 - CONFIDENCE**2))
    return float(student_quantiles(np.asarray(float(freedom)), Z))


def student_quantiles(
    freedom: npt.NDArray[np.float64], z: npt.NDArray[np.float64] | float
) -> npt.NDArray[np.float64]:
    """Returns the quantile of Student's distribution for the normal quantile z, 0 or more
    (Abramowitz, Stegun 26.7.5).
    """
    inverse = np.divide(1, freedom, out=np.full_like(freedom, np.inf), where=freedom > 0)
    return np.asarray(
        z
        + (z**3 + z) / 4 * inverse
        + (5 * z**5 + 16 * z**3 + 3 * z) / 96 * inverse**2
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384 * inverse**3
    )


def ratio_interval(observed: int, expected: float) -> ConfidenceInterval:
    """Returns the ratio of an observed to an expected number of rare independent events.

    The interval is Byar's approximation of the exact interval of a Poisson count (Breslow and Day,
    "Statistical Methods in Cancer Research II", 1987, page 69).
    """
    if expected <= 0:
        return ConfidenceInterval(math.nan, 0.0, math.inf, observed)
    low = 0.0
    if observed:
        low = observed * (1 - 1 / (9 * observed) - Z / (3 * math.sqrt(observed))) ** 3
    more = observed + 1
    high = more * (1 - 1 / (9 * more) + Z / (3 * math.sqrt(more))) ** 3
    return ConfidenceInterval(observed / expected, low / expected, high / expected, observed)
