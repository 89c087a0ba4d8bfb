"""Ratings and their intervals, by published values and by simulation."""

import math
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import numpy.typing as npt
import pytest
from match_records import PAIR_POINTS, pair_chances

from pinchtp.base.ratings import (
    CHAIN_PRIOR,
    EloEstimate,
    bradley_terry,
    elo_difference,
    elo_of,
    expected_score,
    normal_interval,
    normalized_elo,
    score_interval,
    superiority,
    with_normalized_elo,
    with_score,
)

UNKNOWN = EloEstimate(0.0, -math.inf, math.inf)
ArrayFunction = Callable[[npt.NDArray[np.int64]], npt.NDArray[np.float64]]

# Losses, draws and wins, or pairs, with their ratings in fastchess's app/tests/elo_test.cpp.
FASTCHESS_ELO = [
    ((96, 111, 136), 40.70, 30.43, 0.9960),
    ((34, 54, 31 + 32, 64, 75), 55.58, 27.65, 1.0),
    ((332, 433, 457 + 41, 333, 334), -8.64, 10.33, 0.0505),
    ((7895, 8757, 5485 + 200, 568, 9999), -21.04, 2.95, 0.0),
]

# --- Elo


@pytest.mark.parametrize("elo", [-1000, -50.5, 0, 1, 400, 3000])
def test_score_and_elo_are_inverse(elo: float) -> None:
    assert elo_of(expected_score(elo)) == pytest.approx(elo, abs=1e-3)
    assert expected_score(elo) + expected_score(-elo) == pytest.approx(1, abs=1e-15)


def test_elo_by_its_definition() -> None:
    assert expected_score(400) == pytest.approx(10 / 11)
    assert elo_of(0) == -math.inf
    assert elo_of(1) == math.inf
    assert elo_of(np.nextafter(1, 2)) == math.inf  # a sum of shares, rounded
    assert elo_of(-np.nextafter(0, 1)) == -math.inf
    assert (expected_score(1e6), expected_score(-1e6)) == (1, 0)


@pytest.mark.parametrize(("counts", "elo", "error", "los"), FASTCHESS_ELO)
def test_published_elo(counts: tuple[int, ...], elo: float, error: float, los: float) -> None:
    estimate = elo_difference(counts)
    assert estimate.elo == pytest.approx(elo, abs=0.005)
    assert estimate.error == pytest.approx(error, abs=0.005)
    assert superiority(counts) == pytest.approx(los, abs=5e-4)


# The same file on normalized Elo.
FASTCHESS_NORMALIZED = [
    ((89, 123, 76), -20.76, 40.13),
    ((96, 111, 136), 49.77, 36.77),
    ((34, 54, 31 + 32, 64, 75), 57.94, 28.28),
    ((332, 433, 457 + 41, 333, 334), -9.17, 10.96),
    ((7895, 8757, 5485 + 200, 568, 9999), -19.01, 2.65),
]


@pytest.mark.parametrize(("counts", "elo", "error"), FASTCHESS_NORMALIZED)
def test_published_normalized_elo(counts: tuple[int, ...], elo: float, error: float) -> None:
    estimate = normalized_elo(counts)
    assert estimate.elo == pytest.approx(elo, abs=0.005)
    assert estimate.error == pytest.approx(error, abs=0.005)


def test_normalized_elo_without_a_spread() -> None:
    assert normalized_elo((0, 0, 0)) == UNKNOWN
    assert normalized_elo((0, 7, 0)).elo == 0
    assert normalized_elo((0, 0, 7)).elo == math.inf
    assert normalized_elo((7, 0, 0)).elo == -math.inf


def test_normalized_elo_predicts_the_games_needed() -> None:
    """Whatever the draws: after (347 / elo)**2 games the score is one error from even."""
    for draw in (0.0, 0.6):
        chances = pair_chances(30, draw=draw, bias=50)
        elo = normalized_elo(1e6 * chances).elo
        games = (800 / math.log(10) / elo) ** 2
        error = math.sqrt((PAIR_POINTS - chances @ PAIR_POINTS) ** 2 @ chances / (games / 2))
        assert chances @ PAIR_POINTS - 0.5 == pytest.approx(error, rel=1e-6)


def test_equal_outcomes_have_an_infinite_interval() -> None:
    assert elo_difference((0, 0, 0, 0, 0)) == UNKNOWN
    for even in ((0, 0, 0), (0, 4, 0), (0, 0, 9, 0, 0)):
        assert superiority(even) == 0.5
        assert elo_difference(even) == UNKNOWN
    for wins in ((0, 0, 1), (0, 0, 0, 0, 20)):
        assert elo_difference(wins) == EloEstimate(math.inf, -math.inf, math.inf)
        assert (superiority(wins), superiority(wins[::-1])) == (1, 0)


@pytest.mark.parametrize("count", [10, 100])
def test_score_interval_of_wins_only(count: int) -> None:
    """The upper end is open; the lower is that of the binomial likelihood, t by any table."""
    quantile = {10: 2.262, 100: 1.984}[count]
    for wins in ((0, 0, count), (0, 0, 0, 0, count)):
        low, high = score_interval(wins)
        assert (high, score_interval(wins[::-1])[0]) == (1, 0)
        score = math.exp(-(quantile**2) / 2 / count)
        assert elo_of(float(low)) == pytest.approx(elo_of(score), rel=0.005)


def test_score_interval_ends_where_the_likelihood_does() -> None:
    """The log likelihood there is half the square of Student's quantile below its maximum."""
    counts = np.array([3, 1, 20, 11, 6])
    most = counts @ np.log(counts / 41)
    for end in score_interval(counts):
        below = most - counts @ np.log(with_score(counts, float(end)))
        assert below == pytest.approx(2.0211**2 / 2, rel=1e-3)


@pytest.mark.parametrize("outcomes", [3, 5])
def test_superiority_and_interval_agree(outcomes: int) -> None:
    """Above 97.5 % if and only if the interval is above even chances."""
    rng = np.random.default_rng(outcomes)
    agreed = set()
    for _ in range(500):
        counts = rng.multinomial(rng.integers(2, 60), rng.dirichlet(np.ones(outcomes)))
        if np.count_nonzero(counts) < 2:
            continue
        likely = superiority(counts)
        low, high = normal_interval(counts)
        assert (likely > 0.975) == (low > 0.5)
        assert (likely < 0.025) == (high < 0.5)
        agreed.add((likely > 0.975, likely < 0.025))
    assert len(agreed) == 3


def test_colors_exchanged() -> None:
    counts = (3, 7, 20, 11, 6)
    there, back = elo_difference(counts), elo_difference(counts[::-1])
    assert (there.elo, there.low) == pytest.approx((-back.elo, -back.high), abs=1e-6)
    assert superiority(counts) + superiority(counts[::-1]) == pytest.approx(1, abs=1e-9)


def test_constrained_distribution_is_most_likely() -> None:
    """No neighbor of the same mean is more likely (and it has the mean)."""
    counts = np.array([3, 1, 20, 11, 6])
    best = with_score(counts, 0.4)
    assert best.sum() == pytest.approx(1)
    assert best @ PAIR_POINTS == pytest.approx(0.4)
    same_mean = np.linalg.svd(np.array([np.ones(5), PAIR_POINTS]))[2][2:]
    for step in np.random.default_rng(1).normal(size=(100, 3)) @ same_mean:
        near = best + 0.1 * best.min() * step / np.abs(step).max()
        assert near @ PAIR_POINTS == pytest.approx(0.4)
        assert counts @ np.log(near) < counts @ np.log(best)


@pytest.mark.parametrize("outcomes", [3, 5])
def test_with_normalized_elo_is_the_most_likely(outcomes: int) -> None:
    """It has the Elo, and no neighbor with the same Elo is more likely, for large ones too."""
    rng = np.random.default_rng(outcomes)
    for elo in (-400, -20, 5, 60, 500):
        counts = rng.multinomial(40, rng.dirichlet(np.ones(outcomes))) + 0.001
        best = with_normalized_elo(counts, elo)
        assert best.sum() == pytest.approx(1)
        assert normalized_elo(1000 * best).elo == pytest.approx(elo, abs=1e-3)
        for_others = with_normalized_elo(counts[::-1], elo)
        assert counts @ np.log(for_others) < counts @ np.log(best)
        for step in rng.normal(size=(20, outcomes)):
            near = with_normalized_elo(best * np.exp(0.1 * step), elo)
            assert counts @ np.log(near) <= counts @ np.log(best) + 1e-6


def test_normal_interval_ends_at_0_and_1() -> None:
    assert normal_interval((1, 0, 1)).tolist() == [0, 1]


@pytest.mark.parametrize(
    "found_of", [score_interval, normal_interval, partial(with_normalized_elo, elo=20)]
)
def test_many_matches_in_one_call(found_of: ArrayFunction) -> None:
    rng = np.random.default_rng(2)
    counts = rng.multinomial(50, [0.1, 0.2, 0.3, 0.2, 0.2], size=(3, 4))
    found = found_of(counts)
    assert found.shape[:-1] == (3, 4)
    assert found[1, 2] == pytest.approx(found_of(counts[1, 2]))


@pytest.mark.parametrize("elo", [0, 50, 200])
@pytest.mark.parametrize("pairs", [100, 400])
@pytest.mark.parametrize(("draw", "bias"), [(0, 0), (0.4, 0), (0, 200), (0.4, 100)])
def test_pair_interval_covers_the_truth(elo: float, pairs: int, draw: float, bias: float) -> None:
    chances = pair_chances(elo, draw=draw, bias=bias)
    rng = np.random.default_rng([pairs, elo, bias])
    low, high = score_interval(rng.multinomial(pairs, chances, size=5000)).T
    truth = expected_score(elo)
    assert np.mean((low <= truth) & (truth <= high)) == pytest.approx(0.95, abs=0.01)


@pytest.mark.parametrize("elo", [0, 50, 200])
def test_game_interval_covers_the_truth(elo: float) -> None:
    win = expected_score(elo) - 0.15
    rng = np.random.default_rng(elo)
    low, high = score_interval(rng.multinomial(300, [0.7 - win, 0.3, win], size=5000)).T
    truth = expected_score(elo)
    assert np.mean((low <= truth) & (truth <= high)) == pytest.approx(0.95, abs=0.01)


# --- Bradley-Terry


def test_published_ratings() -> None:
    """Stigler's journal citations, by H. Turner, D. Firth, "Bradley-Terry models in R" (2012),
    section 2.1: coefficients and standard errors, in natural logarithms, against Biometrika."""
    points = np.array([[0, 730, 498, 221], [33, 0, 68, 17], [320, 813, 0, 142], [284, 276, 325, 0]])
    unit = 400 / math.log(10)
    biometrika, *others = bradley_terry(points.astype(float), prior=0)
    differences = [(each.elo - biometrika.elo) / unit for each in others]
    assert differences == pytest.approx([-2.94907, -0.47957, 0.26895], abs=1e-5)


def test_ratings_of_two_follow_the_logistic_model() -> None:
    """Checks the textbook standard error too, 1 / sqrt(n p q) in natural logarithms."""
    one, other = bradley_terry(np.array([[0, 70.0], [30, 0]]), prior=0)
    assert one.elo == -other.elo == pytest.approx(elo_of(0.7) / 2)
    error = 400 / math.log(10) * 1.95996 / math.sqrt(100 * 0.7 * 0.3) / 2
    assert (one.high - one.elo, one.elo - one.low) == pytest.approx((error, error), rel=1e-4)


def test_ratings_stay_finite() -> None:
    """After wins only, and for players without common games or any games."""
    points = np.zeros((5, 5))
    points[0, 1] = 1000
    points[2, 3] = 1
    ratings = bradley_terry(points)
    assert all(math.isfinite(each.low) and math.isfinite(each.high) for each in ratings)
    assert sum(each.elo for each in ratings) == pytest.approx(0, abs=1e-9)
    assert ratings[0].elo > ratings[2].elo > ratings[4].elo > ratings[3].elo > ratings[1].elo


def test_prior_hardly_changes_ratings() -> None:
    points = np.array([[0, 152.0], [48, 0]])  # 200 Elo points
    with_prior = bradley_terry(points)[0].elo
    without = bradley_terry(points, prior=0)[0].elo
    assert 1 - with_prior / without == pytest.approx(1 / 300, rel=0.05)


def test_prior_counts_as_draws() -> None:
    """Two equal players, ten games and ten virtual draws each: the information is 5 and -2.5."""
    one, other = bradley_terry(np.array([[0, 5.0], [5, 0]]), prior=10)
    error = 400 / math.log(10) * 1.95996 / math.sqrt(5 + 2.5) / math.sqrt(2)
    assert (one.elo, other.elo) == pytest.approx((0, 0), abs=1e-9)
    assert one.high == pytest.approx(error, rel=1e-4)


def test_mean_rating_is_zero() -> None:
    ratings = bradley_terry(np.array([[0, 10.0, 0], [0, 0, 5], [0, 5, 0]]))
    assert sum(each.elo for each in ratings) == pytest.approx(0, abs=1e-9)


def chain(points: Sequence[float], games: int) -> np.ndarray:
    """Returns the points of players each of whom met the one before. points: of the stronger."""
    table = np.zeros((len(points) + 1, len(points) + 1))
    for weak, won in enumerate(points):
        table[weak + 1, weak] = won
        table[weak, weak + 1] = games - won
    return table


def test_ratings_of_a_chain_add_up() -> None:
    ratings = bradley_terry(chain([140] * 19, 200), base=0, prior=CHAIN_PRIOR)
    assert ratings[0] == EloEstimate(0, 0, 0)
    assert [each.elo for each in ratings] == pytest.approx(
        [number * elo_of(0.7) for number in range(20)], rel=0.005
    )


def test_interval_of_a_rating_above_another_covers_the_truth() -> None:
    """The top of a chain of eight players 150 Elo apart above its bottom, 64 games each."""
    rng = np.random.default_rng(7)
    chance = expected_score(150)
    covered = [
        top.low <= 7 * 150 <= top.high
        for top in (
            bradley_terry(chain(rng.binomial(64, chance, 7), 64), base=0, prior=CHAIN_PRIOR)[-1]
            for _ in range(400)
        )
    ]
    assert np.mean(covered) == pytest.approx(0.95, abs=0.02)


def test_intervals_of_ratings_cover_the_truth() -> None:
    """Holds in 95 % of simulated tournaments of four players with 50 games per pair."""
    truth = np.array([-100.0, -20, 0, 120])
    chance = 1 / (1 + 10 ** ((truth[None, :] - truth[:, None]) / 400))
    rng = np.random.default_rng(6)
    covered = []
    for _ in range(300):
        above = np.triu(rng.binomial(50, chance), 1).astype(float)
        points = above + np.tril(50 - above.T, -1)
        covered += [
            each.low <= elo <= each.high
            for each, elo in zip(bradley_terry(points), truth, strict=True)
        ]
    assert np.mean(covered) == pytest.approx(0.95, abs=0.02)
