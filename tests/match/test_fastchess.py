"""The figures of a match against the formulas of fastchess, written out here in plain Python.

Formulas: app/src/matchmaking/{elo/elo_pentanomial,sprt/sprt}.cpp of github.com/Disservin/fastchess.
"""

import math
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from match_records import record

from pinchtp.games import Color
from pinchtp.match.command import main
from pinchtp.match.plan import EngineConfig, MatchPlan
from pinchtp.match.record import DRAW, Winner
from pinchtp.match.results.sprt import Sprt, SprtModel
from pinchtp.match.results.store import MatchStore

# Pairs of games with 0, 1/2, 1, 3/2 and 2 points for the first engine.
RESULTS = [
    (3, 6, 11, 9, 6),
    (1, 2, 20, 4, 1),
    (9, 8, 7, 2, 1),
    (0, 3, 12, 8, 2),
    (5, 0, 10, 0, 8),
    (2, 2, 2, 2, 3),
    (0, 0, 4, 1, 0),
    (1, 9, 1, 9, 1),
    (12, 1, 6, 0, 3),
    (0, 1, 6, 12, 9),
]
POINTS = (0.0, 0.25, 0.5, 0.75, 1.0)

# The two outcomes of a pair, by its points.
GAMES: tuple[tuple[Winner, Winner], ...] = (
    (Color.WHITE, Color.BLACK),
    (Color.WHITE, DRAW),
    (Color.BLACK, Color.BLACK),
    (Color.BLACK, DRAW),
    (Color.BLACK, Color.WHITE),
)


def moments(shares: Sequence[float]) -> tuple[float, float]:
    mean = sum(share * points for share, points in zip(shares, POINTS, strict=True))
    variance = sum(
        share * (points - mean) ** 2 for share, points in zip(shares, POINTS, strict=True)
    )
    return mean, variance


def elo_lines(pairs: Sequence[int]) -> list[str]:
    """The lines on ratings, by EloPentanomial and Stats."""
    total = sum(pairs)
    score, variance = moments([count / total for count in pairs])
    reach = 1.959963984540054 * math.sqrt(variance / total)

    def elo(score: float) -> float:
        return -400 * math.log10(1 / score - 1)

    def normalized(score: float) -> float:
        return (score - 0.5) / math.sqrt(2 * variance) * (800 / math.log(10))

    def told(of: Callable[[float], float]) -> str:
        # fastchess may print -0.00.
        return f"{of(score):z.2f} +/- {(of(score + reach) - of(score - reach)) / 2:.2f}"

    los = (1 - math.erf(-(score - 0.5) / math.sqrt(2 * variance / total))) / 2
    lost, won = pairs[0] + pairs[1], pairs[3] + pairs[4]
    ratio = won / lost if lost else math.inf
    return [
        f"Elo: {told(elo)}, nElo: {told(normalized)}",
        f"LOS: {100 * los:.2f} %, DrawRatio: {100 * pairs[2] / total:.2f} %, "
        f"PairsRatio: {ratio:.2f}",
    ]


def solve(equation: Callable[[float], float], low: float, high: float) -> float:
    """The root of a falling function, by bisection."""
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if equation(middle) > 0 else (low, middle)
    return (low + high) / 2


def most_likely(shares: Sequence[float], phi: Sequence[float]) -> list[float]:
    def equation(theta: float) -> float:
        return sum(share * each / (1 + theta * each) for share, each in zip(shares, phi))  # noqa: B905

    theta = solve(equation, -1 / max(phi), -1 / min(phi))
    return [share / (1 + theta * each) for share, each in zip(shares, phi, strict=True)]


def with_normalized(shares: Sequence[float], ratio: float) -> list[float]:
    """SPRT::getLLR_normalized: iterated from the uniform distribution."""
    found = [0.2] * 5
    for _ in range(10):
        mean, variance = moments(found)
        sigma = math.sqrt(variance)
        phi = [
            points - 0.5 - 0.5 * ratio * sigma * (1 + ((points - mean) / sigma) ** 2)
            for points in POINTS
        ]
        last = found
        found = most_likely(shares, phi)
        if max(abs(one - other) for one, other in zip(found, last, strict=True)) < 1e-4:
            break
    return found


def log_likelihood_ratio(pairs: Sequence[int], elo0: float, elo1: float, model: str) -> float:
    counts = [count or 1e-3 for count in pairs]
    total = sum(counts)
    shares = [count / total for count in counts]
    under = []
    for elo in (elo0, elo1):
        if model == "normalized":
            ratio = math.sqrt(2) * elo / (800 / math.log(10))
            under.append(with_normalized(shares, ratio))
        else:
            score = 1 / (1 + 10 ** (-elo / 400))
            under.append(most_likely(shares, [points - score for points in POINTS]))
    return total * sum(
        share * (math.log(one) - math.log(zero))
        for share, zero, one in zip(shares, *under, strict=True)
    )


@pytest.mark.parametrize("pairs", RESULTS, ids=str)
def test_stored_match_prints_fastchess_figures(
    pairs: tuple[int, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    engines = (EngineConfig("new", "./new"), EngineConfig("old", "./old"))
    plan = MatchPlan(engines, games=2 * sum(pairs), sprt=Sprt(-5, 40))
    winners = [won for games, count in zip(GAMES, pairs, strict=True) for won in games * count]
    with MatchStore.begin(tmp_path / "x.db", plan) as store:
        for number, winner in enumerate(winners):
            players = ("new", "old") if number % 2 == 0 else ("old", "new")
            store.add(record(number, *players, winner))
    main(["show", str(tmp_path / "x.db")])
    heading, *lines = capsys.readouterr().out.splitlines()
    assert heading == "Results of new vs old (pinch 11x11, 1 s per move):"
    assert lines[:2] == elo_lines(pairs)
    points = sum(index * count for index, count in enumerate(pairs)) / 2
    assert re.fullmatch(
        rf"Games: {plan.games}, Wins: \d+, Losses: \d+, Draws: \d+, "
        rf"Points: {points:.1f} \({100 * points / plan.games:.2f} %\)",
        lines[2],
    )
    assert lines[3] == f"Ptnml(0-2): {list(pairs)}"
    found = re.match(r"LLR: (-?[\d.]+) \(-?[\d.]+%\) \(-2.94, 2.94\) \[-5.00, 40.00\]", lines[4])
    assert found
    llr = log_likelihood_ratio(pairs, -5, 40, "normalized")
    assert float(found[1]) == pytest.approx(llr, abs=0.006)
    assert all(len(line) <= 80 for line in lines)


@pytest.mark.parametrize("pairs", RESULTS, ids=str)
@pytest.mark.parametrize("model", list(SprtModel))
def test_llr_equals_fastchess(pairs: tuple[int, ...], model: SprtModel) -> None:
    for elo0, elo1 in ((0, 5), (-30, 10), (20, 60)):
        expected = log_likelihood_ratio(pairs, elo0, elo1, model)
        assert Sprt(elo0, elo1, model=model).llr(pairs) == pytest.approx(expected, abs=2e-3)


# --- the calculator


def test_calculator_prints_ratings_and_test(capsys: pytest.CaptureFixture[str]) -> None:
    pairs = (34, 54, 63, 64, 75)
    assert main(["sprt", "--ptnml", "34,54,63,64,75", "--sprt", "0,15"]) == 0
    llr = log_likelihood_ratio(pairs, 0, 15, "normalized")
    assert capsys.readouterr().out.splitlines() == [
        *elo_lines(pairs),
        "Games: 580, Points: 336.0 (57.93 %)",
        f"LLR: {llr:.2f} ({llr / math.log(19):.1%}) (-2.94, 2.94) [0.00, 15.00] normalized, "
        "H1 accepted",
    ]


def test_calculator_of_games_has_no_pairs(capsys: pytest.CaptureFixture[str]) -> None:
    """Published by fastchess, app/tests/elo_test.cpp."""
    assert main(["sprt", "--wdl", "136,111,96", "--sprt", "0,5,logistic"]) == 0
    first, second, *_ = capsys.readouterr().out.splitlines()
    assert first == "Elo: 40.70 +/- 30.43, nElo: 49.77 +/- 36.77"
    assert second == "LOS: 99.60 %, DrawRatio: 32.36 %"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("", "--ptnml"),
        ("--ptnml 1,2,3", "--ptnml takes five numbers"),
        ("--ptnml 1 2 3 4 5", "unexpected 2 3 4 5; separate the numbers by commas"),
        ("--wdl 1,2", "--wdl takes three numbers"),
        ("--wdl 0,0,0", "no games"),
        ("--wdl 1,2,3 --sprt 5,0", "give two hypotheses in Elo, the smaller one first"),
    ],
)
def test_calculator_rejects_invalid_results(
    arguments: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["sprt", *arguments.split()])
    assert ended.value.code == 2
    assert message in capsys.readouterr().err
