"""Ratings from results: Elo, normalized Elo, likelihood of superiority, and Bradley-Terry.

The results of two players are counts of outcomes, worst first: 3 for single games (loss, draw,
win), 5 for pairs of games with colors reversed (0, 1/2, 1, 3/2, 2 points). The counts are
multinomial with arbitrary probabilities, so draws, and openings that favor one color, need no
model.

Elo, normalized Elo and the likelihood of superiority are computed as in fastchess and fishtest, by
the normal approximation. `score_interval` is the better interval for few or one-sided results. It
and the tests compare the likelihood of the counts with that under a fixed mean score. The most
likely distribution under such a constraint has a single unknown: M. Van den Bergh, "Maximum
likelihood estimation for multinomial distributions with constraints"
(support_MLE_multinomial.pdf at www.cantate.be/Fishtest), proposition 1.1.

Counts are arrays of shape (..., k), for any number of matches in one call.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from pinchtp.base.intervals import Z, student_quantiles

Floats: TypeAlias = npt.NDArray[np.float64]
Counts: TypeAlias = Sequence[float] | Floats

_ELO = 400 / math.log(10)  # Elo points per unit of the natural logarithm of the odds
_NORMALIZED = 2 * _ELO  # points of normalized Elo per standard deviation of a game

# The count of an outcome that did not occur but may be possible, as in fishtest.
_UNSEEN = 1e-3
_MOST_TILT = 40.0  # odds of e**40 to 1, which are certain in double precision
_STEPS = 50  # of bisections and iterations, more than double precision needs


@dataclass(frozen=True)
class EloEstimate:
    """A rating, or a difference of ratings, in Elo points, and the ends of its 95 % interval.

    Values without a bound, such as after wins only, are infinite.
    """

    elo: float
    low: float
    high: float

    @property
    def error(self) -> float:
        """Half the width of the interval, which fastchess prints after `+/-`."""
        return (self.high - self.low) / 2


def expected_score(elo: float) -> float:
    """Returns the mean score, in [0, 1], of a player who is stronger by that many Elo points."""
    return (1 + math.tanh(elo / (2 * _ELO))) / 2  # the logistic function, without overflow


def elo_of(score: float) -> float:
    """Returns the difference in Elo points at which this is the mean score; infinite at 0 and 1."""
    if score <= 0 or score >= 1:
        return -math.inf if score <= 0 else math.inf
    return _ELO * math.log(score / (1 - score))


# --- two players, as fastchess rates them


def elo_difference(counts: Counts) -> EloEstimate:
    """Returns the Elo difference of the player. counts: shape (3,) or (5,)."""
    mean, _ = _mean_and_error(counts)
    low, high = normal_interval(counts)
    return EloEstimate(elo_of(mean), elo_of(float(low)), elo_of(float(high)))


def normalized_elo(counts: Counts) -> EloEstimate:
    """Returns the difference in normalized Elo points. counts: shape (3,) or (5,).

    The unit is derived from the standard deviation of a single game. Therefore the value determines
    how many games reveal the difference, regardless of the openings and the share of draws: one
    standard error needs (347 / elo)**2 games. A pair counts as two games. The value is infinite if
    all outcomes are equal. M. Van den Bergh, "Normalized Elo" (normalized_elo.pdf at
    www.cantate.be/Fishtest).
    """
    mean, error = _mean_and_error(counts)
    if not math.isfinite(error):
        elo = math.copysign(math.inf, mean - 0.5) if mean != 0.5 else 0.0
        return EloEstimate(elo, -math.inf, math.inf)
    games = float(np.sum(counts)) * _games_per_outcome(counts)
    elo, reach = (_NORMALIZED * share / math.sqrt(games) for share in ((mean - 0.5) / error, Z))
    return EloEstimate(elo, elo - reach, elo + reach)


def superiority(counts: Counts) -> float:
    """Returns the likelihood of superiority, in [0, 1]. counts: shape (3,) or (5,)."""
    mean, error = _mean_and_error(counts)
    if not math.isfinite(error) and mean != 0.5:
        return float(mean > 0.5)
    return NormalDist().cdf((mean - 0.5) / error)


def normal_interval(counts: Counts) -> Floats:
    """Returns the 95 % interval of the mean score, in [0, 1]; shape (..., 2)."""
    means, errors = _means_and_errors(counts)
    return np.clip(np.stack([means - Z * errors, means + Z * errors], axis=-1), 0, 1)


def _mean_and_error(counts: Counts) -> tuple[float, float]:
    mean, error = _means_and_errors(counts)
    return float(mean), float(error)


def _means_and_errors(counts: Counts) -> tuple[Floats, Floats]:
    """Returns mean scores, 1/2 without outcomes, and their standard errors; shapes (...).

    The error is infinite if all outcomes are equal, because the deviation is then unknown.
    """
    counts = np.asarray(counts, float)
    total = np.maximum(counts.sum(axis=-1), 1)
    means, deviations = _moments(counts / total[..., None], _values(counts))
    errors = np.where(deviations > 1e-12, deviations / np.sqrt(total), np.inf)
    return np.where(counts.any(axis=-1), means, 0.5), errors


def _games_per_outcome(counts: Counts) -> int:
    return 2 if np.shape(counts)[-1] == 5 else 1


# --- likelihoods


def score_interval(counts: Counts) -> Floats:
    """Returns the 95 % interval of the mean score, in [0, 1]; shape (..., 2).

    It contains the scores at which the likelihood is at most a factor of exp(t*t / 2) below its
    maximum, where t is Student's quantile for n - 1 degrees of freedom (A. Owen, "Empirical
    Likelihood", 2001, calibrates by F(1, n - 1), its square). Unlike the normal interval, it is
    asymmetric, stays within [0, 1] and is wide after wins only. In simulated matches at 0 to 400
    Elo points, it contained the true score in 94 to 98 % of matches with at least 20 outcomes, and
    in 94 to 96 % with at least 100; the normal interval in as few as 87 and 94 %.
    """
    weights, total = estimate_shares(counts)
    limit = student_quantiles(np.sum(np.asarray(counts, float), axis=-1) - 1, Z) ** 2

    def inside(tilt: Floats) -> npt.NDArray[np.bool_]:
        return _ratio(weights, total, _tilt(weights, tilt)) <= limit

    ends = []
    for far, extreme in ((_MOST_TILT, 0.0), (-_MOST_TILT, 1.0)):
        far_tilt = np.full(total.shape, far)
        mean = _tilt(weights, _last(inside, np.zeros(total.shape), far_tilt)) @ _values(weights)
        ends.append(np.where(inside(far_tilt), extreme, mean))
    return np.stack(ends, axis=-1)


def with_score(counts: Counts, mean: float) -> Floats:
    """Returns the distribution with a mean, in (0, 1), that makes the counts most likely.

    It has the shape of the counts, and the probabilities of equally spaced outcomes from 0 to 1.
    """
    weights, _ = estimate_shares(counts)
    return _most_likely(weights, np.broadcast_to(_values(weights) - mean, weights.shape))


def with_normalized_elo(counts: Counts, elo: float) -> Floats:
    """Returns the distribution with a normalized Elo that makes the counts most likely.

    It has the shape of the counts, and is computed by iteration: M. Van den Bergh, "Comments on
    normalized Elo" (normalized_elo_practical.pdf at www.cantate.be/Fishtest), section 4.1.
    """
    weights, _ = estimate_shares(counts)
    values = _values(weights)
    ratio = elo / _NORMALIZED * math.sqrt(_games_per_outcome(counts))  # (mean - 1/2) / deviation
    distribution = np.broadcast_to(_exponential(values, ratio), weights.shape)
    for _ in range(_STEPS):
        mean, deviation = _moments(distribution, values)
        square = ((values - mean[..., None]) / deviation[..., None]) ** 2
        excess = values - 0.5 - ratio / 2 * deviation[..., None] * (1 + square)
        last = distribution
        distribution = _most_likely(weights, excess)
        if np.abs(distribution - last).max(initial=0) < 1e-9:
            break
    return distribution


def _exponential(values: Floats, ratio: float) -> Floats:
    """Returns a distribution whose mean is `ratio` standard deviations above 1/2."""

    def is_less(slope: Floats) -> npt.NDArray[np.bool_]:
        mean, deviation = _moments(weights(slope), values)
        return mean - 0.5 < ratio * deviation

    def weights(slope: Floats) -> Floats:
        powers = np.exp(slope * values)
        return np.asarray(powers / powers.sum())

    return weights(_last(is_less, np.asarray(-100.0), np.asarray(100.0)))


def _moments(weights: Floats, values: Floats) -> tuple[Floats, Floats]:
    """Returns the mean and the standard deviation of distributions; shapes (...)."""
    means = np.asarray(weights @ values)
    return means, np.sqrt((weights * (values - means[..., None]) ** 2).sum(axis=-1))


def estimate_shares(counts: Counts) -> tuple[Floats, Floats]:
    """Returns the shares of the outcomes, and their number; shapes (..., k), (...).

    An outcome that did not occur counts as _UNSEEN, so that all shares are above 0.
    """
    counts = np.asarray(counts, float)
    counts = np.where(counts == 0, _UNSEEN, counts)
    total = counts.sum(axis=-1)
    return counts / total[..., None], total


def _values(counts: Counts) -> Floats:
    """Returns the points of each outcome as a share of the maximum."""
    return np.linspace(0, 1, np.shape(counts)[-1])


def _most_likely(weights: Floats, excess: Floats) -> Floats:
    """Returns the most likely distribution for which the mean of `excess` is 0.

    excess: the shape of weights, with both signs in each row. See proposition 1.1, above.
    """

    def is_positive(multiplier: Floats) -> npt.NDArray[np.bool_]:
        mean = (weights * excess / (1 + multiplier[..., None] * excess)).sum(axis=-1)
        return np.asarray(mean > 0)

    low = -1 / excess.max(axis=-1)
    high = -1 / excess.min(axis=-1)
    return np.asarray(weights / (1 + _last(is_positive, low, high)[..., None] * excess))


def _tilt(weights: Floats, tilt: Floats) -> Floats:
    """Returns the most likely distribution with a mean that falls as the tilt grows.

    With tilt 0, it is the observed distribution.
    """
    values = _values(weights)
    tilted = weights / (1 - values + values * np.exp(tilt)[..., None])
    return np.asarray(tilted / tilted.sum(axis=-1, keepdims=True))


def _ratio(weights: Floats, total: Floats, against: Floats) -> Floats:
    """Returns twice the logarithm of the likelihood ratio of the counts to another distribution."""
    return np.asarray(2 * total * (weights * np.log(weights / against)).sum(axis=-1))


def _last(holds: Callable[[Floats], npt.NDArray[np.bool_]], near: Floats, far: Floats) -> Floats:
    """Returns the last number between `near` and `far` at which `holds` is true, by bisection."""
    for _ in range(_STEPS):
        middle = (near + far) / 2
        held = holds(middle)
        near, far = np.where(held, middle, near), np.where(held, far, middle)
    return near


# --- many players

CHAIN_PRIOR = 0.01  # virtual draws, for bradley_terry()


def bradley_terry(
    points: Floats, *, base: int | None = None, prior: float = 1.0
) -> list[EloEstimate]:
    """Returns ratings of all players by maximum likelihood, in Elo points.

    points: shape (n, n), the points of each player (row) against each other player, 1/2 per draw.
    base: the player of rating 0, whose interval is empty; default: the mean rating is 0. The
    interval of a rating is that of its difference from the base, or from the mean.
    prior: the number of virtual draws of each player against a player of rating 0. They keep
    ratings finite after wins only, and comparable between players who have not met. One draw lowers
    a rating of 200 after 200 games between two players by a third of a percent, but one draw each
    lowers the ends of a long chain, in which everyone meets two others only, by up to a fifth. A
    chain needs a small prior, such as CHAIN_PRIOR. With 0, the result is the plain maximum of the
    likelihood, which may not exist.

    The intervals are those of the observed information, which treats each game as a coin flip.
    Therefore they are too wide if many games are drawn.
    """
    count = len(points)
    games = points + points.T
    ratings = np.zeros(count)
    for _ in range(1000):
        chance = 1 / (1 + np.exp(ratings[None, :] - ratings[:, None]))
        alone = 1 / (1 + np.exp(-ratings))
        gradient = (points - games * chance).sum(axis=1) + prior * (0.5 - alone)
        variance = games * chance * chance.T
        information = np.diag(variance.sum(axis=1) + prior * alone * (1 - alone)) - variance
        if prior == 0:  # the mean rating is free; this holds it
            information += 1 / count
        step = np.linalg.solve(information, gradient)
        ratings += step / max(1.0, float(np.abs(step).max()))  # Newton's, at most one unit
        if np.abs(step).max() < 1e-10:
            break
    origin = np.full(count, 1 / count) if base is None else np.eye(count)[base]
    relative = np.eye(count) - origin
    spread = relative @ np.linalg.solve(information, relative.T)
    elo = _ELO * (relative @ ratings)
    width = _ELO * Z * np.sqrt(np.diag(spread))
    return [
        EloEstimate(*ends) for ends in np.stack([elo, elo - width, elo + width], axis=1).tolist()
    ]
