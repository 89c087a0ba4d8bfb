"""The sequential probability ratio test on Elo differences, which tells when a match can stop.

This is the generalized test: a hypothesis fixes only the mean score, and its likelihood is that of
the distribution with this mean that fits the results best. fishtest and fastchess use the same one;
see M. Van den Bergh's notes at www.cantate.be/Fishtest (support_MLE_multinomial.pdf,
GSPRT_approximation.pdf).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from pinchtp.match.ratings import Counts, Floats, constrained, expected_score, observed

_OVERSHOOT = 0.583  # mean excess of a sum over the bound that it crosses, in deviations of a step

LEAST = 10  # outcomes (pairs of games) before a verdict


class SprtVerdict(StrEnum):
    """Which hypothesis was accepted: a difference of elo0 (H0) or of elo1 (H1)."""

    H0 = "H0"
    H1 = "H1"


@dataclass(frozen=True)
class SprtForecast:
    """How a test is expected to end if results stay as they are.

    outcomes: the expected number of further outcomes. h1: the probability that H1 is accepted.
    """

    outcomes: float
    h1: float


@dataclass(frozen=True)
class Sprt:
    """A test of a difference of `elo0` against one of `elo1` logistic Elo points.

    alpha: the probability of accepting H1 if the difference is elo0. beta: that of accepting H0 if
    it is elo1. Raises ValueError for values that make no test.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not -math.inf < self.elo0 < self.elo1 < math.inf:
            raise ValueError(f"elo0 must be less than elo1, not {self.elo0:g} and {self.elo1:g}")
        for name in ("alpha", "beta"):
            value = getattr(self, name)
            if not 0 < value < 0.5:
                raise ValueError(f"{name} must be between 0 and 0.5, not {value:g}")

    @property
    def bounds(self) -> tuple[float, float]:
        """Wald's bounds: H0 is accepted at or below the first, H1 at or above the second."""
        return (
            math.log(self.beta / (1 - self.alpha)),
            math.log((1 - self.beta) / self.alpha),
        )

    def llr(self, counts: Counts) -> float:
        """Returns the log-likelihood ratio of H1 to H0 after these outcomes.

        counts: shape (5,) of complete pairs, or (3,) of single games, worst first.
        """
        return float(self.llrs(np.asarray(counts, float)))

    def llrs(self, counts: Floats) -> Floats:
        """Returns llr() of many matches: counts of shape (..., k) give ratios of shape (...)."""
        weights, total = observed(counts)
        under0, under1 = (
            constrained(counts, expected_score(elo)) for elo in (self.elo0, self.elo1)
        )
        llrs = total * (weights * np.log(under1 / under0)).sum(axis=-1)
        return np.where(np.any(counts, axis=-1), llrs, 0.0)  # no outcomes, no evidence

    def verdict(self, counts: Counts) -> SprtVerdict | None:
        """Returns the hypothesis that these outcomes accept; None while more are needed.

        Fewer than LEAST outcomes accept none: they hardly tell their distribution, and the verdict
        would depend on what is assumed about it.
        """
        if np.sum(counts) < LEAST:
            return None
        lower, upper = self.bounds
        llr = self.llr(counts)
        if lower < llr < upper:
            return None
        return SprtVerdict.H1 if llr >= upper else SprtVerdict.H0

    def outlook(self, counts: Counts) -> SprtForecast | None:
        """Returns when and how the test is expected to end; None before the first outcome.

        Further outcomes are assumed to have the frequencies seen so far. Their sum is approximated
        by a Brownian motion, for which D. Siegmund, "Sequential Analysis", 1985, chapter III, gives
        the time and the place at which it leaves the interval between the bounds.
        """
        if not np.any(counts):
            return None
        lower, upper = self.bounds
        llr = self.llr(counts)
        if not lower < llr < upper:
            return SprtForecast(0.0, float(llr >= upper))
        weights, _ = observed(counts)
        under0, under1 = (
            constrained(counts, expected_score(elo)) for elo in (self.elo0, self.elo1)
        )
        steps = np.log(under1 / under0)
        drift = float(weights @ steps)
        variance = float(weights @ (steps - drift) ** 2)
        beyond = _OVERSHOOT * math.sqrt(variance)
        return _exit(llr - lower + beyond, upper - lower + 2 * beyond, drift, variance)


def _exit(start: float, width: float, drift: float, variance: float) -> SprtForecast:
    """Returns where and when a Brownian motion from `start` leaves the interval from 0 to
    `width`.
    """
    pull = 2 * drift / variance
    if abs(pull) * width < 1e-6:
        return SprtForecast(start * (width - start) / variance, start / width)
    if pull > 0:
        above = math.expm1(-pull * start) / math.expm1(-pull * width)
    else:
        ratio = math.expm1(pull * start) / math.expm1(pull * width)
        above = math.exp(pull * (width - start)) * ratio
    return SprtForecast((width * above - start) / drift, above)
