"""The strength ladder, with simulated games."""

import math
import random
from itertools import pairwise

import pytest

from pinchtp.base.ratings import elo_of, expected_score
from pinchtp.report.experiment import Measurements
from pinchtp.report.report import SECTIONS
from pinchtp.report.sections.ladder import (
    FIRST,
    LOOKS,
    PAIRS,
    Evaluators,
    LadderExperiment,
    LadderMatch,
    matches,
    rungs,
)
from pinchtp.report.subject import ReportSubject


def played_ladder(strength: dict[int, float], most: int = 2000) -> Measurements:
    """Plays a ladder with random results; the stronger player's expected score follows strength."""
    subject = ReportSubject.of("pinch", (4, 4))
    measurements = Measurements(subject)
    source = random.Random(1)
    ladder = LadderExperiment()
    while measurements.count("ladder") < most:
        unit = ladder.next(measurements, ())
        if unit is None:
            break
        weak, strong = unit.task
        if strong not in strength:
            break
        chance = 1 / (1 + math.exp(strength[weak] - strength[strong]))
        games = [[int(source.random() < chance), color, 10] for color in (0, 1)]
        data = {"weak": weak, "strong": strong, "games": games}
        measurements.add("ladder", unit.number, data, 0.1)
    return measurements


def test_rungs_are_clearly_stronger_players() -> None:
    strength = {0: 0.0, 8: 3.0, 16: 3.1, 32: 6.0, 64: 9.0}
    measurements = played_ladder(strength)
    assert rungs(measurements.results("ladder")) == [0, 8, 32, 64]
    games = {
        (each.weak, each.strong): len(each.games)
        for each in matches(measurements.results("ladder"))
    }
    assert games[0, 8] in [2 * look for look in LOOKS]
    assert (8, 16) in games
    assert (8, 32) in games


def test_rungs_are_at_least_as_many() -> None:
    """A budget ends before a ladder's top; the page has the place where it stopped."""
    summary = SECTIONS["ladder"].summarize(played_ladder({0: 0.0, 8: 3.0, 16: 6.0}))
    assert summary is not None
    rungs = next(each for each in summary.figures if each.key == "rungs")
    assert rungs.text == "at least 2"
    assert rungs.at_least == "the measurement ended at 32 visits per move against 16"
    assert f"{rungs.at_least}." in summary.says[0]


def test_unfinished_match_is_no_rung() -> None:
    match = LadderMatch(8, 16)
    for pairs in range(1, max(LOOKS) + 1):
        match.games += [(1.0, color, 10) for color in (0, 1)]
        assert match.is_rung == (pairs in LOOKS)


def test_rung_by_chance_is_rare() -> None:
    """At most a tenth of pairings pass at exactly the required score."""
    source = random.Random(2)
    passed = 0
    trials = 400
    for _ in range(trials):
        measurements = Measurements(ReportSubject.of("pinch", (4, 4)))
        ladder = LadderExperiment()
        while True:
            unit = ladder.next(measurements, ())
            assert unit is not None
            if unit.task != [0, 8]:
                passed += unit.task[0] == 8
                break
            games = [[int(source.random() < 0.6), color, 9] for color in (0, 1)]
            measurements.add("ladder", unit.number, {"weak": 0, "strong": 8, "games": games}, 0.1)
    assert passed <= trials * 0.12


def test_ladder_units_wait_for_their_look() -> None:
    """Units under way are passed over, and what follows waits for the look they belong to."""
    measurements = Measurements(ReportSubject.of("pinch", (4, 4)))
    ladder = LadderExperiment()
    started: list[int] = []
    while (unit := ladder.next(measurements, started)) is not None:
        started.append(unit.number)
    assert started == list(range(LOOKS[0]))


def played_staircase(truth: float, most: int) -> list[LadderMatch]:
    """Simulates a network as strong as playouts with `truth` times its visits."""
    measurements = Measurements(ReportSubject.of("pinch", (4, 4)))
    source = random.Random(1)
    for _ in range(most):
        unit = Evaluators().next(measurements, ())
        assert unit is not None
        network, playouts = unit.task
        chance = 1 / (1 + playouts / network / truth)
        games = [[int(source.random() < chance), color, 10] for color in (0, 1)]
        data = {"weak": playouts, "strong": network, "games": games}
        measurements.add("evaluators", unit.number, data, 0.1)
    return matches(measurements.results("evaluators"))


def test_staircase_finds_equal_strength() -> None:
    steps = played_staircase(16, most=20 * PAIRS)
    assert {len(step.games) for step in steps} == {2 * PAIRS}
    assert (steps[0].weak, steps[0].strong) == (FIRST, FIRST)
    for one, two in pairwise(steps):
        share = one.points / len(one.games)
        factor = 4 if share in (0, 1) else 2
        grown = (factor, 1) if share > 0.5 else (1, factor)
        assert (two.weak, two.strong) == (one.weak * grown[0], one.strong * grown[1])
    assert all(4 <= step.weak / step.strong <= 64 for step in steps[8:])


def test_ladder_quotes_every_doubling() -> None:
    """The one at the top at first sight; the others for comparison with shorter ladders."""
    strength = {0: 0.0, 8: 3.0, 16: 6.0, 32: 9.0, 64: 12.0}
    summary = SECTIONS["ladder"].summarize(played_ladder(strength))
    assert summary is not None
    doublings = [each for each in summary.figures if each.key.startswith("doubling")]
    for each, names in zip(doublings, ("8 to 16", "16 to 32", "32 to 64"), strict=True):
        assert each.name == f"Elo per doubling, {names} visits, network evaluation"
    assert [each.key for each in doublings if each.glance] == ["doubling"]
    assert [each for each in SECTIONS["ladder"].list_figures(summary) if each in doublings] == [
        doublings[-1]
    ]


def test_both_ladders_share_one_scale() -> None:
    """Ratings of players whose games are made up are those that the games were made with."""
    subject = ReportSubject.of("pinch", (4, 4))
    assert subject.has_network
    measurements = Measurements(subject)
    source = random.Random(2)
    strength = {(0, False): 0.0, (8, False): 200.0, (8, True): 400.0, (16, False): 300.0}
    pairs = [
        ("ladder", 0, 8, True),
        ("playout-ladder", 0, 8, False),
        ("playout-ladder", 8, 16, False),
    ]

    def games(one: tuple[int, bool], other: tuple[int, bool]) -> list[list[float]]:
        chance = expected_score(strength[one] - strength[other])
        return [[float(source.random() < chance), color, 10] for color in (0, 1) * 500]

    for name, weak, strong, by_network in pairs:
        found = games((strong, by_network), (weak, by_network and weak > 0))
        data = {"weak": weak, "strong": strong, "games": found}
        measurements.add(name, measurements.count(name), data, 1.0)
    data = {"weak": 16, "strong": 8, "games": games((8, True), (16, False))}
    measurements.add("evaluators", 0, data, 1.0)
    summary = SECTIONS["ladder"].summarize(measurements)
    assert summary is not None
    ratings = {(each["visits"], each["by-network"]): each for each in summary.data["ratings"]}
    assert set(ratings) == set(strength)
    for player, elo in strength.items():
        assert ratings[player]["low"] - 15 <= elo <= ratings[player]["high"] + 15


def test_player_without_points_has_no_rating() -> None:
    """A curve would otherwise seem to flatten."""
    measurements = Measurements(ReportSubject.of("pinch", (4, 4)))
    games = [[1, 0, 9], [0, 1, 9]] * 8
    measurements.add("ladder", 0, {"weak": 0, "strong": 8, "games": games}, 1.0)
    data = {"weak": 64, "strong": 8, "games": [[1, 0, 9]] * 16}
    measurements.add("evaluators", 0, data, 1.0)
    summary = SECTIONS["ladder"].summarize(measurements)
    assert summary is not None
    assert [each["visits"] for each in summary.data["ratings"]] == [0, 8]


def test_rating_above_random_play_without_points_is_a_minimum() -> None:
    """A match without points for one player does not decide by how much the other is stronger."""
    measurements = Measurements(ReportSubject.of("pinch", (4, 4)))
    measurements.add("ladder", 0, {"weak": 0, "strong": 8, "games": [[1, 0, 9]] * 16}, 1.0)
    games = [[1, 0, 9], [0, 1, 9], [1, 0, 9], [1, 1, 9]] * 8
    measurements.add("ladder", 1, {"weak": 8, "strong": 16, "games": games}, 1.0)
    summary = SECTIONS["ladder"].summarize(measurements)
    assert summary is not None
    top = next(figure for figure in summary.figures if figure.key == "top")
    assert top.value == pytest.approx(elo_of(16 / 16.5) + elo_of(0.75), rel=0.01)
    assert top.low is not None
    assert (top.text, top.interval) == (f"at least {top.low:+.0f}", "")
    assert top.high is None
    assert top.at_least == "random play has won no game"
