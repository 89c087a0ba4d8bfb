"""Ratings, intervals and sequential tests, by published values and by simulation."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest

from pinchtp.match.ratings import (
    UNKNOWN,
    EloEstimate,
    bradley_terry,
    elo_difference,
    elo_of,
    expected_score,
    normal_interval,
    normalized_elo,
    score_interval,
    student,
    superiority,
    with_normalized_elo,
    with_score,
)
from pinchtp.match.sprt import LEAST, Sprt, SprtForecast, SprtModel, SprtVerdict, _exit

VALUES = np.arange(5) / 4
Interval = Callable[[npt.NDArray[np.int64]], npt.NDArray[np.float64]]

# Losses, draws and wins, or pairs, with their ratings in fastchess's app/tests/elo_test.cpp.
FASTCHESS_ELO = [
    ((96, 111, 136), 40.70, 30.43, 0.9960),
    ((34, 54, 31 + 32, 64, 75), 55.58, 27.65, 1.0),
    ((332, 433, 457 + 41, 333, 334), -8.64, 10.33, 0.0505),
    ((7895, 8757, 5485 + 200, 568, 9999), -21.04, 2.95, 0.0),
]

# The cases of fastchess's app/tests/sprt_test.cpp.
NORMALIZED, LOGISTIC = SprtModel
FASTCHESS_LLR = [
    ((36027, 68692, 36433), 0, 2, NORMALIZED, 0.92),
    ((10650, 20431, 10871), -1.75, 0.25, NORMALIZED, 2.30),
    ((0, 0, 4250), 0, 10, NORMALIZED, 120.56),
    ((365, 16618, 36029 + 200, 16974, 390), 0, 2, NORMALIZED, 2.25),
    ((127, 4883, 10311 + 401, 5150, 104), -1.75, 0.25, NORMALIZED, 3.01),
    ((0, 0, 0, 0, 5550), 0, 5, NORMALIZED, 111.82),
    ((21184, 40708, 21404), 0.5, 2.5, LOGISTIC, -1.57),
    ((57030, 106593, 57433), 0, 2, LOGISTIC, -2.59),
    ((223, 9863, 20279 + 1000, 10037, 246), 0.5, 2.5, LOGISTIC, -3.07),
    ((871, 26175, 55003 + 980, 26678, 821), 0, 2, LOGISTIC, -4.98),
]


def pair_chances(elo: float, *, draw: float, bias: float) -> npt.NDArray[np.float64]:
    """The chances of 0, 1/2, 1, 3/2 and 2 points from a pair of games at a true difference.

    draw: the chance of a draw in each game. bias: Elo points that the opening gives one color, so
    that the games of a pair are not alike.
    """

    def game(elo: float) -> npt.NDArray[np.float64]:
        score = expected_score(elo)
        drawn = draw * 4 * score * (1 - score)
        return np.array([1 - score - drawn / 2, drawn, score - drawn / 2])

    low, high = -2000.0, 2000.0  # of the difference without bias that gives the mean score wanted
    for _ in range(60):
        middle = (low + high) / 2
        chances = np.convolve(game(middle + bias), game(middle - bias))
        if chances @ VALUES < expected_score(elo):
            low = middle
        else:
            high = middle
    return chances


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


def test_normalized_elo_tells_how_many_games_are_needed() -> None:
    """Whatever the draws: after (347 / elo)**2 games the score is one error from even."""
    for draw in (0.0, 0.6):
        chances = pair_chances(30, draw=draw, bias=50)
        elo = normalized_elo(1e6 * chances).elo
        games = (800 / math.log(10) / elo) ** 2
        error = math.sqrt((VALUES - chances @ VALUES) ** 2 @ chances / (games / 2))
        assert chances @ VALUES - 0.5 == pytest.approx(error, rel=1e-6)


def test_equal_outcomes_have_an_infinite_interval() -> None:
    assert elo_difference((0, 0, 0, 0, 0)) == UNKNOWN
    for even in ((0, 0, 0), (0, 4, 0), (0, 0, 9, 0, 0)):
        assert superiority(even) == 0.5
        assert elo_difference(even) == UNKNOWN
    for wins in ((0, 0, 1), (0, 0, 0, 0, 20)):
        assert elo_difference(wins) == EloEstimate(math.inf, -math.inf, math.inf)
        assert (superiority(wins), superiority(wins[::-1])) == (1, 0)


@pytest.mark.parametrize("count", [10, 100])
def test_score_interval_of_wins_is_that_of_the_binomial(count: int) -> None:
    """The upper end is open; the lower is that of the binomial likelihood, t by any table."""
    quantile = {10: 2.262, 100: 1.984}[count]
    for wins in ((0, 0, count), (0, 0, 0, 0, count)):
        low, high = score_interval(wins)
        assert (high, score_interval(wins[::-1])[0]) == (1, 0)
        score = math.exp(-(quantile**2) / 2 / count)
        assert elo_of(float(low)) == pytest.approx(elo_of(score), rel=0.005)


@pytest.mark.parametrize(
    ("freedom", "quantile", "error"),
    [(6, 2.446912, 2e-3), (10, 2.228139, 2e-4), (20, 2.085963, 2e-5), (120, 1.979930, 1e-6)],
)
def test_published_quantiles(freedom: float, quantile: float, error: float) -> None:
    """Tables of Student's distribution at 97.5 %, where the normal one has 1.959964."""
    assert student(np.array(freedom, float), 1.959964) == pytest.approx(quantile, abs=error)


def test_quantiles_by_their_series() -> None:
    """The terms of Abramowitz and Stegun's 26.7.5 at 1 and at 2, worked out by hand."""
    for freedom in (1.0, 2.0, 5.0):
        at_one = 1 + 1 / 2 / freedom + 1 / 4 / freedom**2 + 1 / 16 / freedom**3
        at_two = 2 + 5 / 2 / freedom + 49 / 16 / freedom**2 + 183 / 64 / freedom**3
        assert student(np.array(freedom), 1.0) == pytest.approx(at_one, rel=1e-12)
        assert student(np.array(freedom), 2.0) == pytest.approx(at_two, rel=1e-12)


@pytest.mark.parametrize("outcomes", [3, 5])
def test_superiority_and_interval_agree(outcomes: int) -> None:
    """Above 97.5 % if and only if the interval is above even chances."""
    rng = np.random.default_rng(outcomes)
    agreed = set()
    for _ in range(500):
        counts = rng.multinomial(rng.integers(2, 60), rng.dirichlet(np.ones(outcomes)))
        if np.count_nonzero(counts) < 2:
            continue
        likely, (low, high) = superiority(counts), normal_interval(counts)
        assert (likely > 0.975) == (low > 0.5)
        assert (likely < 0.025) == (high < 0.5)
        agreed.add((likely > 0.975, likely < 0.025))
    assert len(agreed) == 3


def test_colors_exchanged() -> None:
    counts = (3, 7, 20, 11, 6)
    there, back = elo_difference(counts), elo_difference(counts[::-1])
    assert (there.elo, there.low) == pytest.approx((-back.elo, -back.high), abs=1e-6)
    assert superiority(counts) + superiority(counts[::-1]) == pytest.approx(1, abs=1e-9)


def test_the_constrained_distribution_is_the_most_likely() -> None:
    """No neighbor of the same mean is more likely (and it has the mean)."""
    counts = np.array([3, 1, 20, 11, 6])
    best = with_score(counts, 0.4)
    assert best.sum() == pytest.approx(1)
    assert best @ VALUES == pytest.approx(0.4)
    same_mean = np.linalg.svd(np.array([np.ones(5), VALUES]))[2][2:]
    for step in np.random.default_rng(1).normal(size=(100, 3)) @ same_mean:
        near = best + 0.1 * best.min() * step / np.abs(step).max()
        assert near @ VALUES == pytest.approx(0.4)
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
        for step in rng.normal(size=(20, outcomes)):
            near = with_normalized_elo(best * np.exp(0.1 * step), elo)
            assert counts @ np.log(near) <= counts @ np.log(best) + 1e-6


@pytest.mark.parametrize("interval", [score_interval, normal_interval])
def test_intervals_of_many_matches_in_one_call(interval: Interval) -> None:
    rng = np.random.default_rng(2)
    counts = rng.multinomial(50, [0.1, 0.2, 0.3, 0.2, 0.2], size=(3, 4))
    ends = interval(counts)
    assert ends.shape == (3, 4, 2)
    assert ends[1, 2] == pytest.approx(interval(counts[1, 2]))


@pytest.mark.parametrize("elo", [0, 50, 200])
@pytest.mark.parametrize("pairs", [100, 400])
@pytest.mark.parametrize(("draw", "bias"), [(0, 0), (0.4, 0), (0, 200), (0.4, 100)])
def test_the_interval_covers_the_truth(elo: float, pairs: int, draw: float, bias: float) -> None:
    chances = pair_chances(elo, draw=draw, bias=bias)
    rng = np.random.default_rng([pairs, elo, bias])
    low, high = score_interval(rng.multinomial(pairs, chances, size=5000)).T
    truth = expected_score(elo)
    assert np.mean((low <= truth) & (truth <= high)) == pytest.approx(0.95, abs=0.01)


@pytest.mark.parametrize("elo", [0, 50, 200])
def test_the_interval_of_single_games_covers_the_truth(elo: float) -> None:
    win = expected_score(elo) - 0.15
    rng = np.random.default_rng(elo)
    low, high = score_interval(rng.multinomial(300, [0.7 - win, 0.3, win], size=5000)).T
    truth = expected_score(elo)
    assert np.mean((low <= truth) & (truth <= high)) == pytest.approx(0.95, abs=0.01)


# --- SPRT


@pytest.mark.parametrize(("counts", "elo0", "elo1", "model", "llr"), FASTCHESS_LLR)
def test_published_llr(
    counts: tuple[int, ...], elo0: float, elo1: float, model: SprtModel, llr: float
) -> None:
    """fastchess's own tests allow 1 %: its roots are rough where a result is extreme."""
    found = Sprt(elo0, elo1, model=model).llr(counts)
    assert found == pytest.approx(llr, abs=0.005, rel=3e-4)


def test_bounds_and_verdicts() -> None:
    """The bounds are those which fishtest and OpenBench print."""
    test = Sprt(0, 10)
    assert test.bounds == pytest.approx((-2.944, 2.944), abs=5e-4)
    assert Sprt(0, 3, 0.05, 0.10).bounds == pytest.approx((-2.25, 2.89), abs=5e-3)
    assert test.verdict((0, 0, 0, 0, 0)) is None
    assert test.llr((0, 0, 0, 0, 0)) == 0
    assert test.verdict((10, 200, 400, 200, 10)) is None
    assert test.verdict((10, 200, 400, 400, 10)) is SprtVerdict.H1
    assert test.verdict((10, 400, 400, 200, 10)) is SprtVerdict.H0


@pytest.mark.parametrize(("beyond", "lower", "upper"), [(-1e-9, None, None), (0, "H0", "H1")])
def test_a_verdict_falls_at_its_bound(
    beyond: float, lower: str | None, upper: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    test = Sprt(0, 10, 0.05, 0.1)
    h0, h1 = test.bounds
    for llr, verdict in ((h0 - beyond, lower), (h1 + beyond, upper)):
        monkeypatch.setattr(Sprt, "llr", lambda self, counts, llr=llr: llr)
        assert test.verdict((LEAST, 0, 0, 0, 0)) == verdict


def test_equal_hypotheses_from_either_side() -> None:
    counts = (5, 20, 40, 31, 9)
    assert Sprt(-5, 15).llr(counts) == pytest.approx(-Sprt(-15, 5).llr(counts[::-1]), abs=1e-8)


def test_a_few_pairs_decide_nothing() -> None:
    test = Sprt(0, 500)
    assert test.llr((0, 0, 0, 0, LEAST - 1)) > test.bounds[1]
    assert test.verdict((0, 0, 0, 0, LEAST - 1)) is None
    assert test.verdict((0, 0, 0, 0, LEAST)) is SprtVerdict.H1
    assert test.verdict((LEAST, 0, 0, 0, 0)) is SprtVerdict.H0


def test_deterministic_engines_do_not_break_it() -> None:
    """The same pair again and again has no variance, by which other formulas divide."""
    won = 2 * expected_score(20) - 1  # the share of pairs won both, if one looks for any
    logistic = Sprt(0, 20, model=LOGISTIC).llr((0, 0, 50, 0, 0))
    assert logistic == pytest.approx(50 * math.log(1 - won), rel=0.01)
    assert Sprt(0, 20).verdict((0, 0, 0, 0, 500)) is SprtVerdict.H1


@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        ((5, 0), "less than"),
        ((5, 5), "less than"),
        ((math.nan, 5), "less than"),
        ((0, math.inf), "less than"),
        ((0, 5, 0, 0.05), "alpha"),
        ((0, 5, 0.05, 0.5), "beta"),
    ],
)
def test_what_makes_no_test(numbers: tuple[float, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Sprt(*numbers)


def accepted(test: Sprt, chances: npt.NDArray[np.float64], runs: int, seed: int) -> float:
    """The share of simulated matches in which H1 is accepted."""
    rng = np.random.default_rng(seed)
    counts, lower_upper, passed = np.zeros((runs, 5)), test.bounds, 0
    while len(counts):
        counts += rng.multinomial(1, chances, size=len(counts))
        llr = test.llrs(counts)
        passed += int((llr >= lower_upper[1]).sum())
        counts = counts[(lower_upper[0] < llr) & (llr < lower_upper[1])]
    return passed / runs


@pytest.mark.slow
@pytest.mark.parametrize(("draw", "bias"), [(0, 0), (0.4, 100)])
def test_error_rates(draw: float, bias: float) -> None:
    """No more than alpha and beta, and three standard deviations of 2,000 runs."""
    test, runs = Sprt(0, 60, model=LOGISTIC), 2000
    slack = 3 * math.sqrt(0.05 * 0.95 / runs)
    wrong = accepted(test, pair_chances(0, draw=draw, bias=bias), runs, seed=3)
    right = accepted(test, pair_chances(60, draw=draw, bias=bias), runs, seed=4)
    assert 0.01 < wrong < 0.05 + slack
    assert 0.99 > right > 0.95 - slack


def remaining(test: Sprt, counts: npt.NDArray[np.float64], runs: int) -> tuple[float, float]:
    """The mean number of outcomes that simulated matches go on for, and the share for H1."""
    rng, chances = np.random.default_rng(5), counts / counts.sum()
    going, steps, passed = np.tile(counts, (runs, 1)), 0, 0
    while len(going):
        steps += len(going)
        going = going + rng.multinomial(1, chances, size=len(going))
        llr = test.llrs(going)
        passed += int((llr >= test.bounds[1]).sum())
        going = going[(test.bounds[0] < llr) & (llr < test.bounds[1])]
    return steps / runs, passed / runs


@pytest.mark.slow
@pytest.mark.parametrize("points", [0.45, 0.53, 0.6])
def test_the_expected_end_of_a_test(points: float) -> None:
    """As simulated matches end that go on with the same shares."""
    test = Sprt(0, 80)
    counts = np.array([1 - points - 0.15, 0.3, points - 0.15]) * 20
    steps, passed = remaining(test, counts, 1000)
    outlook = test.outlook(counts)
    assert outlook is not None
    assert outlook.outcomes == pytest.approx(steps, rel=0.1)
    assert outlook.h1 == pytest.approx(passed, abs=0.05)


def test_a_test_that_has_not_begun_or_is_over() -> None:
    test = Sprt(0, 50)
    assert test.outlook((0, 0, 0, 0, 0)) is None
    assert test.outlook((0, 0, 0, 0, 500)) == SprtForecast(0, 1)
    assert test.outlook((500, 0, 0, 0, 0)) == SprtForecast(0, 0)
    there, back = Sprt(-20, 20).outlook((3, 9, 4)), Sprt(-20, 20).outlook((4, 9, 3))
    assert there is not None
    assert back is not None
    assert there.outcomes == pytest.approx(back.outcomes, rel=1e-3)
    assert there.h1 + back.h1 == pytest.approx(1, abs=1e-3)


@pytest.mark.parametrize(
    ("start", "width", "drift", "variance"),
    [
        (2, 5, 0, 1),
        (2, 5, 1e-9, 2),
        (3, 5, 0.3, 0.9),
        (1, 5, 0.1, 0.5),
        (4, 6, -0.3, 1.5),
        (2, 3, -0.5, 0.1),
    ],
)
def test_how_a_brownian_motion_leaves_an_interval(
    start: float, width: float, drift: float, variance: float
) -> None:
    """By its differential equations, solved on a grid:
    drift u' + variance/2 u'' is 0 for the chance to leave above, and -1 for the time.
    """
    steps = 600
    step = width / steps
    up, down = variance / 2 + drift * step / 2, variance / 2 - drift * step / 2
    inner = steps - 1
    matrix = (
        np.diag(np.full(inner, -variance))
        + np.diag(np.full(inner - 1, up), 1)
        + np.diag(np.full(inner - 1, down), -1)
    )
    above, time = np.zeros(inner), np.full(inner, -step * step)
    above[-1] = -up
    solved = np.linalg.solve(matrix, np.stack([above, time], axis=1))
    at = round(start / step) - 1
    found = _exit(start, width, drift, variance)
    assert found.h1 == pytest.approx(solved[at, 0], rel=3e-3)
    assert found.outcomes == pytest.approx(solved[at, 1], rel=1e-3)


@pytest.mark.parametrize(("drift", "h1"), [(0.5, 1), (-0.5, 0)])
def test_a_long_way_is_no_number_too_large(drift: float, h1: float) -> None:
    found = _exit(2000, 4000, drift, 1.0)
    assert found.h1 == pytest.approx(h1)
    assert found.outcomes == pytest.approx(4000)


def test_ratios_of_many_matches_at_once() -> None:
    counts = np.array([[0, 0, 0, 0, 0], [1, 2, 3, 2, 4], [0, 5, 0, 5, 0]], float)
    test = Sprt(0, 20)
    ratios = test.llrs(counts)
    assert ratios.shape == (3,)
    assert ratios[0] == 0
    assert ratios[1:] == pytest.approx([test.llr(counts[1]), test.llr(counts[2])])


# --- Bradley-Terry


def test_published_ratings() -> None:
    """Stigler's journal citations, by H. Turner, D. Firth, "Bradley-Terry models in R" (2012),
    section 2.1: coefficients and standard errors, in natural logarithms, against Biometrika."""
    points = np.array([[0, 730, 498, 221], [33, 0, 68, 17], [320, 813, 0, 142], [284, 276, 325, 0]])
    unit = 400 / math.log(10)
    biometrika, *others = bradley_terry(points.astype(float), prior=0)
    differences = [(each.elo - biometrika.elo) / unit for each in others]
    assert differences == pytest.approx([-2.94907, -0.47957, 0.26895], abs=1e-5)


def test_two_players_are_the_logistic_model() -> None:
    """With its textbook standard error, 1 / sqrt(n p q) in natural logarithms."""
    one, other = bradley_terry(np.array([[0, 70.0], [30, 0]]), prior=0)
    assert one.elo == -other.elo == pytest.approx(elo_of(0.7) / 2)
    error = 400 / math.log(10) * 1.95996 / math.sqrt(100 * 0.7 * 0.3) / 2
    assert (one.high - one.elo, one.elo - one.low) == pytest.approx((error, error), rel=1e-4)


def test_ratings_stay_finite() -> None:
    """After nothing but wins, and for players who never met or never played."""
    points = np.zeros((5, 5))
    points[0, 1] = 1000
    points[2, 3] = 1
    ratings = bradley_terry(points)
    assert all(math.isfinite(each.low) and math.isfinite(each.high) for each in ratings)
    assert sum(each.elo for each in ratings) == pytest.approx(0, abs=1e-9)
    assert ratings[0].elo > ratings[2].elo > ratings[4].elo > ratings[3].elo > ratings[1].elo


def test_the_prior_hardly_matters() -> None:
    points = np.array([[0, 152.0], [48, 0]])  # 200 Elo points
    with_prior, without = bradley_terry(points)[0].elo, bradley_terry(points, prior=0)[0].elo
    assert 1 - with_prior / without == pytest.approx(1 / 300, rel=0.05)


def test_the_prior_counts_as_draws() -> None:
    """Two equal players, ten games and ten virtual draws each: the information is 5 and -2.5."""
    one, other = bradley_terry(np.array([[0, 5.0], [5, 0]]), prior=10)
    error = 400 / math.log(10) * 1.95996 / math.sqrt(5 + 2.5) / math.sqrt(2)
    assert (one.elo, other.elo) == pytest.approx((0, 0), abs=1e-9)
    assert one.high == pytest.approx(error, rel=1e-4)


def test_the_mean_is_zero() -> None:
    ratings = bradley_terry(np.array([[0, 10.0, 0], [0, 0, 5], [0, 5, 0]]))
    assert sum(each.elo for each in ratings) == pytest.approx(0, abs=1e-9)


def test_intervals_of_ratings_cover_the_truth() -> None:
    """In 95 % of simulated tournaments, of four players who play 50 games with each other."""
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
