"""Ratings from results: Elo, its 95 % interval, likelihood of superiority, and Bradley-Terry.

Everything about two players rests on one likelihood. A match is a count of outcomes, worst first:
3 of them for single games (loss, draw, win), 5 for pairs of games with colors exchanged (0, 1/2, 1,
3/2, 2 points). The counts are multinomial, and nothing is assumed about their probabilities, so
that openings that favor one color, or draws, need no model. What is asked is always how much less
likely the counts become if the mean score is held at some value. The distribution that makes them
most likely then is known in closed form up to one number; see M. Van den Bergh, "Maximum likelihood
estimation for multinomial distributions with constraints" (support_MLE_multinomial.pdf at
www.cantate.be/Fishtest), proposition 1.1.

Counts are arrays of shape (..., k): any number of matches are judged at once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float64]
Counts: TypeAlias = Sequence[float] | Floats

CONFIDENCE = 0.95
_NORMAL = NormalDist()
_Z = _NORMAL.inv_cdf((1 + CONFIDENCE) / 2)
_MOST_Z = 40.0  # standard deviations: certainty, as far as a double can tell

_ELO = 400 / math.log(10)  # Elo points in one unit of the natural logarithm of the odds

# An outcome that was not seen may still be possible; as in fishtest, it is given a trace of a game.
_TRACE = 1e-3
_MOST_TILT = 40.0  # e**40 to 1: beyond what a double can tell from certainty


@dataclass(frozen=True)
class EloEstimate:
    """A rating or a difference of ratings in Elo points, and the ends of its 95 % interval.

    Infinite where the results set no limit, as after nothing but wins.
    """

    elo: float
    low: float
    high: float


UNKNOWN = EloEstimate(0.0, -math.inf, math.inf)


def expected_score(elo: float) -> float:
    """Returns the mean score, in [0, 1], of a player that many Elo points stronger than the
    opponent.
    """
    return (1 + math.tanh(elo / (2 * _ELO))) / 2  # the logistic function, without overflow


def elo_of(score: float) -> float:
    """Returns the difference in Elo points at which this is the mean score; infinite at 0 and 1."""
    if score <= 0 or score >= 1:
        return -math.inf if score <= 0 else math.inf
    return _ELO * math.log(score / (1 - score))


# --- two players


def elo_difference(counts: Counts) -> EloEstimate:
    """Returns how much stronger the player is whose outcomes are counted; shape (3,) or (5,).

    After fewer than two outcomes the interval is infinite.
    """
    low, high = score_interval(counts)
    total = float(np.sum(counts))
    mean = float(_values(counts) @ np.asarray(counts, float)) / total if total else 0.5
    return EloEstimate(elo_of(mean), elo_of(float(low)), elo_of(float(high)))


def normalized_elo(counts: Counts) -> EloEstimate:
    """Returns the difference in normalized Elo points; shape (3,) or (5,).

    It measures the mean score in standard deviations of a single game, so that it shows how many
    games show the difference, whatever the openings and the share of draws: (347 / elo)**2 games
    for one standard error. M. Van den Bergh, "Normalized Elo" (normalized_elo.pdf at
    www.cantate.be/Fishtest); as fishtest has it, with 800 / ln 10 points to a standard deviation
    and pairs taken as two games. Infinite where no two outcomes differ.
    """
    counts = np.asarray(counts, float)
    total, values = float(counts.sum()), _values(counts)
    if not total:
        return UNKNOWN
    mean = float(values @ counts) / total
    variance = float((values - mean) ** 2 @ counts) / total
    deviation = math.sqrt(variance * (2 if len(counts) == 5 else 1))
    low, high = score_interval(counts)
    return EloEstimate(*(_normalized(float(score), deviation) for score in (mean, low, high)))


def _normalized(score: float, deviation: float) -> float:
    if deviation:
        return 2 * _ELO * (score - 0.5) / deviation
    return math.copysign(math.inf, score - 0.5) if score != 0.5 else 0.0


def score_interval(counts: Counts) -> Floats:
    """Returns the 95 % interval of the mean score, in [0, 1]; shape (..., 2).

    It holds the scores at which the likelihood is at most a factor of exp(t*t / 2) below its
    maximum, t being Student's quantile for n - 1 degrees of freedom (A. Owen, "Empirical
    Likelihood", 2001, calibrates by F(1, n - 1), which is the square of that). Unlike the plain
    normal interval it is not symmetric, stays within [0, 1] and has width after nothing but wins.
    In simulated matches at 0 to 400 Elo points it covered the truth in 94 to 98 % from 20 outcomes
    on, and in 94 to 96 % from 100 on, where the normal one covered 87 and 94 % at the worst.
    """
    weights, total = observed(counts)
    limit = student(np.sum(np.asarray(counts, float), axis=-1) - 1, _Z) ** 2

    def inside(tilt: Floats) -> npt.NDArray[np.bool_]:
        return _ratio(weights, total, _tilted(weights, tilt)) <= limit

    ends = []
    for far, extreme in ((_MOST_TILT, 0.0), (-_MOST_TILT, 1.0)):
        mean = _tilted(weights, _last(inside, 0, far, total.shape)) @ _values(weights)
        ends.append(np.where(inside(np.full(total.shape, far)), extreme, mean))
    return np.stack(ends, axis=-1)


def superiority(counts: Counts) -> float:
    """Returns the likelihood of superiority, in [0, 1]: that the player is the stronger; shape (3,)
    or (5,)

    From the signed root of the likelihood ratio against a mean score of 1/2, by the distribution of
    score_interval: it is above 97.5 % if and only if the whole 95 % interval is above 1/2. After
    fewer than two outcomes it is 1/2.
    """
    freedom = np.asarray(counts, float).sum() - 1
    if freedom <= 0:
        return 0.5
    weights, total = observed(counts)
    ratio = _ratio(weights, total, constrained(counts, 0.5))
    root = math.sqrt(max(float(ratio), 0.0))

    def below(z: Floats) -> npt.NDArray[np.bool_]:
        return student(freedom, z) <= root

    z = float(_last(below, 0.0, _MOST_Z, total.shape))
    return _NORMAL.cdf(math.copysign(z, float(weights @ _values(weights)) - 0.5))


def constrained(counts: Counts, mean: float) -> Floats:
    """Returns the distribution with this mean, in (0, 1), that makes the counts most likely.

    Shape as counts; the probabilities of outcomes of 0 to 1 points, equally spaced.
    """
    weights, total = observed(counts)

    def above(tilt: Floats) -> npt.NDArray[np.bool_]:
        return _tilted(weights, tilt) @ _values(weights) > mean

    return _tilted(weights, _last(above, -_MOST_TILT, _MOST_TILT, total.shape))


def observed(counts: Counts) -> tuple[Floats, Floats]:
    """Returns the shares of the outcomes, none of them 0, and how many there were; shapes (..., k),
    (...).

    Both with traces of those not seen.
    """
    counts = np.asarray(counts, float)
    counts = np.where(counts == 0, _TRACE, counts)
    total = counts.sum(axis=-1)
    return counts / total[..., None], total


def _values(counts: Counts) -> Floats:
    """Returns the points that each outcome counts, as a share of the most."""
    return np.linspace(0, 1, np.shape(counts)[-1])


def _tilted(weights: Floats, tilt: Floats) -> Floats:
    """Returns the most likely distribution among those of its own mean, which falls as the tilt
    grows.

    All constrained maxima are of this form, and at tilt 0 stands the observed one.
    """
    values = _values(weights)
    tilted = weights / (1 - values + values * np.exp(tilt)[..., None])
    return np.asarray(tilted / tilted.sum(axis=-1, keepdims=True))


def _ratio(weights: Floats, total: Floats, against: Floats) -> Floats:
    """Returns twice the logarithm of how much less likely the counts are under another
    distribution.
    """
    return np.asarray(2 * total * (weights * np.log(weights / against)).sum(axis=-1))


def _last(
    holds: Callable[[Floats], npt.NDArray[np.bool_]],
    near: float,
    far: float,
    shape: tuple[int, ...],
) -> Floats:
    """Returns the last number on the way from `near` to `far` at which something holds, by
    bisection.
    """
    good, bad = np.full(shape, near, float), np.full(shape, far, float)
    for _ in range(50):
        middle = (good + bad) / 2
        held = holds(middle)
        good, bad = np.where(held, middle, good), np.where(held, bad, middle)
    return good


def student(freedom: Floats, z: Floats | float) -> Floats:
    """Returns the quantile of Student's distribution that belongs to the normal one's z, 0 or more
    (Abramowitz, Stegun 26.7.5).
    """
    inverse = np.divide(1, freedom, out=np.full_like(freedom, np.inf), where=freedom > 0)
    return np.asarray(
        z
        + (z**3 + z) / 4 * inverse
        + (5 * z**5 + 16 * z**3 + 3 * z) / 96 * inverse**2
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384 * inverse**3
    )


# --- many players


def bradley_terry(points: Floats, *, prior: float = 1.0) -> list[EloEstimate]:
    """Returns ratings of all players by maximum likelihood, with mean 0.

    points: shape (n, n), what each player (row) won against each other, a draw counting 1/2 to
    both. prior: virtual draws of each player against one of rating 0, which keep ratings finite
    after nothing but wins, and players who never met comparable; one draw takes a third of a
    percent off a rating of 200 that 200 games speak for. With 0 it is the plain maximum of
    likelihood, which need not exist.

    The intervals come from the observed information. It takes each game for a coin, so they are
    rather too wide where many games are drawn.
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
        step = np.linalg.pinv(information) @ gradient
        ratings += step / max(1.0, float(np.abs(step).max()))  # Newton's, of one unit at the most
        if np.abs(step).max() < 1e-10:
            break
    center = np.eye(count) - 1 / count
    spread = center @ np.linalg.pinv(information) @ center
    elo = _ELO * (center @ ratings)
    width = _ELO * _Z * np.sqrt(np.diag(spread))
    return [
        EloEstimate(*ends) for ends in np.stack([elo, elo - width, elo + width], axis=1).tolist()
    ]
