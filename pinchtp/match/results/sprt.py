"""The sequential probability ratio test (SPRT) on Elo differences, which decides when to stop.

This is the generalized test: a hypothesis fixes only the Elo difference, and its likelihood is the
maximum over all distributions with this difference. fishtest and fastchess use the same test; see
M. Van den Bergh's notes at www.cantate.be/Fishtest (support_MLE_multinomial.pdf,
GSPRT_approximation.pdf, normalized_elo_practical.pdf).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from pinchtp.base.ratings import (
    Counts,
    Floats,
    estimate_shares,
    expected_score,
    with_normalized_elo,
    with_score,
)

_OVERSHOOT = 0.583  # mean excess of a sum beyond the bound that it crosses, in step deviations

LEAST = 10  # minimum outcomes (pairs of games) for a verdict
LEAST_OUTLOOK = 20  # minimum outcomes for a forecast; with fewer it would be arbitrary
MOST_ELO = 1000  # of a hypothesis; beyond 2,000 its score would be 0 or 1 in floating point
LEAST_STEP = 0.01  # Elo between the hypotheses
LEAST_ERROR = 1e-9  # probability


class SprtVerdict(StrEnum):
    """The accepted hypothesis: a difference of elo0 (H0) or of elo1 (H1)."""

    H0 = "H0"
    H1 = "H1"


class SprtModel(StrEnum):
    """The unit of the hypotheses: normalized or logistic Elo."""

    NORMALIZED = "normalized"
    LOGISTIC = "logistic"


@dataclass(frozen=True)
class SprtForecast:
    """The expected end of a test if results continue with the frequencies so far.

    outcomes: the expected number of further outcomes. h1: the probability that H1 is accepted.
    """

    outcomes: float
    h1: float


@dataclass(frozen=True)
class Sprt:
    """A test of a difference of `elo0` against one of `elo1` Elo points.

    alpha: the probability of accepting H1 if the difference is elo0. beta: the probability of
    accepting H0 if it is elo1. Raises ValueError for invalid values.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: SprtModel = SprtModel.NORMALIZED

    def __post_init__(self) -> None:
        if not -MOST_ELO <= self.elo0 < self.elo1 <= MOST_ELO:
            raise ValueError(
                f"elo0 must be less than elo1, and both from {-MOST_ELO} to {MOST_ELO}, "
                f"not {self.elo0:g} and {self.elo1:g}"
            )
        if self.elo1 - self.elo0 < LEAST_STEP:
            raise ValueError(f"elo1 must be at least {LEAST_STEP} above elo0")
        for name in ("alpha", "beta"):
            value = getattr(self, name)
            if not LEAST_ERROR <= value < 0.5:
                raise ValueError(f"{name} must be from {LEAST_ERROR} to below 0.5, not {value:g}")

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
        weights, total = estimate_shares(counts)
        llrs = total * (weights * self._steps(counts)).sum(axis=-1)
        return np.where(np.any(counts, axis=-1), llrs, 0.0)  # 0 without outcomes

    def verdict(self, counts: Counts) -> SprtVerdict | None:
        """Returns the hypothesis that these outcomes accept; see test()."""
        _, verdict = self.test(counts)
        return verdict

    def test(self, counts: Counts) -> tuple[float, SprtVerdict | None]:
        """Returns llr() and the accepted hypothesis; None while more outcomes are needed.

        With fewer than LEAST outcomes, no hypothesis is accepted: so little is known of their
        distribution that the verdict would depend on the count assumed for unseen outcomes.
        """
        llr = self.llr(counts)
        lower, upper = self.bounds
        if np.sum(counts) < LEAST or lower < llr < upper:
            return llr, None
        return llr, SprtVerdict.H1 if llr >= upper else SprtVerdict.H0

    def outlook(self, counts: Counts) -> SprtForecast | None:
        """Returns when and how the test is expected to end; None before LEAST_OUTLOOK outcomes.

        Further outcomes are assumed to have the observed frequencies. Their sum is approximated by
        a Brownian motion; D. Siegmund, "Sequential Analysis", 1985, chapter III, gives the time and
        the place of its exit from the interval between the bounds.
        """
        if np.sum(counts) < LEAST_OUTLOOK:
            return None
        lower, upper = self.bounds
        llr = self.llr(counts)
        if not lower < llr < upper:
            return SprtForecast(0.0, float(llr >= upper))
        weights, _ = estimate_shares(counts)
        steps = self._steps(counts)
        drift = float(weights @ steps)
        variance = float(weights @ (steps - drift) ** 2)
        beyond = _OVERSHOOT * math.sqrt(variance)
        return _exit(llr - lower + beyond, upper - lower + 2 * beyond, drift, variance)

    def _steps(self, counts: Counts) -> Floats:
        """Returns the log-likelihood ratio of H1 to H0 for each outcome; shape as counts."""
        under0, under1 = (
            with_score(counts, expected_score(elo))
            if self.model is SprtModel.LOGISTIC
            else with_normalized_elo(counts, elo)
            for elo in (self.elo0, self.elo1)
        )
        return np.log(under1 / under0)


def _exit(start: float, width: float, drift: float, variance: float) -> SprtForecast:
    """Returns the expected time and place at which a Brownian motion from `start` leaves the
    interval from 0 to `width`.
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
