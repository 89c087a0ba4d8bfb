"""When a match has shown enough: the sequential probability ratio test on Elo differences.

The generalized test: each hypothesis says only what the mean score is, and is given the
distribution of that mean that fits the results best. As fishtest and fastchess do; see M. Van den
Bergh's notes at www.cantate.be/Fishtest (support_MLE_multinomial.pdf, GSPRT_approximation.pdf).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from pinchtp.match.statistics.rating import Counts, Floats, constrained, expected_score, observed

_OVERSHOOT = 0.583  # standard deviations of a step by which a sum goes beyond a bound


LEAST = 10  # outcomes (pairs of games) before a verdict


class Verdict(StrEnum):
    """Which hypothesis was accepted: a difference of elo0 (H0) or of elo1 (H1)."""

    H0 = "H0"
    H1 = "H1"


@dataclass(frozen=True)
class Outlook:
    """How a test will end if results go on as they did.

    outcomes: how many more are expected to be needed. h1: the chance, in [0, 1], that it accepts
    H1 and not H0.
    """

    outcomes: float
    h1: float


@dataclass(frozen=True)
class Sprt:
    """A test of a difference of `elo0` against one of `elo1` logistic Elo points.

    alpha: the chance to accept H1 at a difference of elo0. beta: the chance to accept H0 at elo1.
    Raises ValueError for what makes no test.
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
        """Wald's: at or below the first H0 is accepted, at or above the second H1."""
        return (
            math.log(self.beta / (1 - self.alpha)),
            math.log((1 - self.beta) / self.alpha),
        )

    def llr(self, counts: Counts) -> float:
        """The log-likelihood ratio of H1 to H0 after these outcomes.

        counts: shape (5,) of complete pairs, or (3,) of single games, worst first.
        """
        return float(self.llrs(np.asarray(counts, float)))

    def llrs(self, counts: Floats) -> Floats:
        """As llr, for many matches: counts of shape (..., k) give ratios of shape (...)."""
        weights, total = observed(counts)
        under0, under1 = (
            constrained(counts, expected_score(elo)) for elo in (self.elo0, self.elo1)
        )
        llrs = total * (weights * np.log(under1 / under0)).sum(axis=-1)
        return np.where(np.any(counts, axis=-1), llrs, 0.0)  # without the traces of nothing

    def verdict(self, counts: Counts) -> Verdict | None:
        """Which hypothesis these outcomes accept; None while more are needed.

        The first LEAST outcomes accept none: the distribution of so few is hardly known, and what
        it is taken for decides.
        """
        if np.sum(counts) < LEAST:
            return None
        lower, upper = self.bounds
        llr = self.llr(counts)
        if lower < llr < upper:
            return None
        return Verdict.H1 if llr >= upper else Verdict.H0

    def outlook(self, counts: Counts) -> Outlook | None:
        """When the test is expected to end, and how; None before the first outcome.

        Each further outcome adds to the log-likelihood ratio what outcomes of the present shares
        add under the present hypotheses. The sum is taken for a Brownian motion, which leaves the
        interval between the bounds as D. Siegmund, "Sequential Analysis", 1985, chapter III, says.
        """
        if not np.any(counts):
            return None
        lower, upper = self.bounds
        llr = self.llr(counts)
        if not lower < llr < upper:
            return Outlook(0.0, float(llr >= upper))
        weights, _ = observed(counts)
        under0, under1 = (
            constrained(counts, expected_score(elo)) for elo in (self.elo0, self.elo1)
        )
        steps = np.log(under1 / under0)
        drift = float(weights @ steps)
        variance = float(weights @ (steps - drift) ** 2)
        beyond = _OVERSHOOT * math.sqrt(variance)
        return _exit(llr - lower + beyond, upper - lower + 2 * beyond, drift, variance)


def _exit(start: float, width: float, drift: float, variance: float) -> Outlook:
    """Where and when a Brownian motion from `start` leaves the interval from 0 to `width`."""
    pull = 2 * drift / variance
    if abs(pull) * width < 1e-6:
        return Outlook(start * (width - start) / variance, start / width)
    if pull > 0:
        above = math.expm1(-pull * start) / math.expm1(-pull * width)
    else:
        ratio = math.expm1(pull * start) / math.expm1(pull * width)
        above = math.exp(pull * (width - start)) * ratio
    return Outlook((width * above - start) / drift, above)
