"""Sequential tests, by published values and by simulation."""

import math

import numpy as np
import numpy.typing as npt
import pytest
from match_records import pair_chances

from pinchtp.base.ratings import expected_score
from pinchtp.match.results.sprt import LEAST, Sprt, SprtForecast, SprtModel, SprtVerdict, _exit

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
def test_verdict_falls_at_its_bound(
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


def test_few_pairs_decide_nothing() -> None:
    test = Sprt(0, 500)
    assert test.llr((0, 0, 0, 0, LEAST - 1)) > test.bounds[1]
    assert test.verdict((0, 0, 0, 0, LEAST - 1)) is None
    assert test.verdict((0, 0, 0, 0, LEAST)) is SprtVerdict.H1
    assert test.verdict((LEAST, 0, 0, 0, 0)) is SprtVerdict.H0


def test_pairs_without_variance_are_decided() -> None:
    """A repeated pair has no variance, the divisor in other formulas."""
    won = 2 * expected_score(20) - 1  # the share of pairs won twice
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
        ((0, 1e9), "from -1000 to 1000"),
        ((-1e9, 0), "from -1000 to 1000"),
        ((0, 1e-300), "at least 0.01 above"),
        ((-1000.5, 0), "from -1000 to 1000"),
        ((0, 5, 0, 0.05), "alpha"),
        ((0, 5, 0.6, 0.05), "alpha"),
        ((0, 5, 1e-320, 0.05), "alpha"),
        ((0, 5, 0.05, 0.5), "beta"),
    ],
)
def test_invalid_sprt_is_refused(numbers: tuple[float, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Sprt(*numbers)


def test_hypotheses_may_be_a_hundredth_apart() -> None:
    assert Sprt(0, 0.01).llr((5, 20, 40, 31, 9)) > 0


def accepted(test: Sprt, chances: npt.NDArray[np.float64], runs: int, seed: int) -> float:
    """The share of simulated matches in which H1 is accepted."""
    rng = np.random.default_rng(seed)
    counts = np.zeros((runs, 5))
    lower_upper = test.bounds
    passed = 0
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
    test = Sprt(0, 60, model=LOGISTIC)
    runs = 2000
    slack = 3 * math.sqrt(0.05 * 0.95 / runs)
    wrong = accepted(test, pair_chances(0, draw=draw, bias=bias), runs, seed=3)
    right = accepted(test, pair_chances(60, draw=draw, bias=bias), runs, seed=4)
    assert 0.01 < wrong < 0.05 + slack
    assert 0.99 > right > 0.95 - slack


def remaining(test: Sprt, counts: npt.NDArray[np.float64], runs: int) -> tuple[float, float]:
    """Returns the mean number of outcomes simulated matches still need, and the share for H1."""
    rng = np.random.default_rng(5)
    chances = counts / counts.sum()
    going = np.tile(counts, (runs, 1))
    steps = 0
    passed = 0
    while len(going):
        steps += len(going)
        going = going + rng.multinomial(1, chances, size=len(going))
        llr = test.llrs(going)
        passed += int((llr >= test.bounds[1]).sum())
        going = going[(test.bounds[0] < llr) & (llr < test.bounds[1])]
    return steps / runs, passed / runs


@pytest.mark.slow
@pytest.mark.parametrize("points", [0.45, 0.53, 0.6])
def test_forecast_agrees_with_simulation(points: float) -> None:
    """Compared with simulated matches that continue with the same shares."""
    test = Sprt(0, 80)
    counts = np.array([1 - points - 0.15, 0.3, points - 0.15]) * 20
    steps, passed = remaining(test, counts, 300)
    outlook = test.outlook(counts)
    assert outlook is not None
    assert outlook.outcomes == pytest.approx(steps, rel=0.1)
    assert outlook.h1 == pytest.approx(passed, abs=0.05)


def test_forecast_needs_enough_pairs() -> None:
    test = Sprt(0, 50)
    assert test.outlook((0, 0, 0, 0, 0)) is None
    assert test.outlook((1, 4, 5, 6, 3)) is None  # too few pairs
    assert test.outlook((1, 4, 5, 6, 4)) is not None
    assert test.outlook((0, 0, 0, 0, 500)) == SprtForecast(0, 1)
    assert test.outlook((500, 0, 0, 0, 0)) == SprtForecast(0, 0)
    there, back = Sprt(-20, 20).outlook((6, 9, 7)), Sprt(-20, 20).outlook((7, 9, 6))
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
        (2, 5, 0.05, 1),
        (1, 2, 1, 1),
        (4, 6, -0.3, 1.5),
        (2, 3, -0.5, 0.1),
    ],
)
def test_how_a_brownian_motion_leaves_an_interval(
    start: float, width: float, drift: float, variance: float
) -> None:
    """Solves the differential equations of the test on a grid:
    drift u' + variance/2 u'' is 0 for the chance to leave above, and -1 for the time.
    """
    steps = 600
    step = width / steps
    up = variance / 2 + drift * step / 2
    down = variance / 2 - drift * step / 2
    inner = steps - 1
    matrix = (
        np.diag(np.full(inner, -variance))
        + np.diag(np.full(inner - 1, up), 1)
        + np.diag(np.full(inner - 1, down), -1)
    )
    above = np.zeros(inner)
    time = np.full(inner, -step * step)
    above[-1] = -up
    solved = np.linalg.solve(matrix, np.stack([above, time], axis=1))
    at = round(start / step) - 1
    found = _exit(start, width, drift, variance)
    assert found.h1 == pytest.approx(solved[at, 0], rel=3e-3)
    assert found.outcomes == pytest.approx(solved[at, 1], rel=1e-3)


@pytest.mark.parametrize(("drift", "h1"), [(0.5, 1), (-0.5, 0)])
def test_forecast_far_from_zero_does_not_overflow(drift: float, h1: float) -> None:
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
