"""What reports measure agrees with the rulebook and with what is known otherwise."""

from __future__ import annotations

import math
import random
import shutil
import subprocess
from itertools import pairwise
from statistics import fmean, stdev
from typing import Any

import pytest
import reference

from pinchtp.games import GAMES, PIE, Color
from pinchtp.games.notation import point
from pinchtp.match.ratings import expected_score
from pinchtp.report.balance import first_moves
from pinchtp.report.experiment import Experiment, Measurements, WorkUnit, work
from pinchtp.report.games import RandomGames
from pinchtp.report.implementation import CORE, sizes
from pinchtp.report.ladder import (
    FIRST,
    LOOKS,
    PAIRS,
    Evaluators,
    LadderExperiment,
    LadderMatch,
    pairings,
    rungs,
)
from pinchtp.report.length import length_estimates, random_lengths
from pinchtp.report.mirrors import MirrorsExperiment, strategies
from pinchtp.report.playing import PlayedGame, RandomMover, SearchMover, branching, never, play_game
from pinchtp.report.positions import PLAIN, SYMMETRIC, PositionsExperiment, counts
from pinchtp.report.report import EXPERIMENTS, SECTIONS
from pinchtp.report.solved import SolvedExperiment
from pinchtp.report.subject import ReportSubject
from pinchtp.report.symmetries import canonical, symmetries

SMALL = {"pinch": 3, "pinch-remove": 3, "pinch-relocate": 3, "capture-go": 3, "bushka": 10}
ALL_GAMES = pytest.mark.parametrize("game", GAMES)


def small(game: str, **details: Any) -> ReportSubject:
    side = SMALL[game]
    return ReportSubject.of(game, (side, side), visits=20, **details)


def measured(
    experiment: Experiment, subject: ReportSubject, most: int, stop_at: float = math.inf
) -> Measurements:
    """The first units, one after another."""
    measurements = Measurements(subject)
    while measurements.count(experiment.name) < most:
        unit = experiment.next(measurements, ())
        if unit is None or (unit.seconds or 0) > stop_at:
            break
        outcome = work(experiment, subject, unit, never)
        assert outcome.is_done, outcome.failure
        measurements.add(experiment.name, unit.number, outcome.data, outcome.seconds)
    return measurements


# --- positions


def rulebook(game: str, side: int) -> Any:
    """The start of a game by the rulebook."""
    return reference.GAMES[game](*(() if game == "bushka" else (side, side)))


def rulebook_counts(game: str, side: int, depth: int) -> list[int]:
    """New positions by depth, by the rulebook: whole turns, and no position twice."""
    start = rulebook(game, side)
    seen, front, found = {start.key()}, [start], [1]
    for _ in range(depth):
        following = []
        for position in front:
            if position.winner is None:
                for move in position.moves():
                    after = position.play(move)
                    if after.key() not in seen:
                        seen.add(after.key())
                        following.append(after)
        front = following
        found.append(len(front))
    return found


@ALL_GAMES
def test_positions_are_those_of_the_rulebook(game: str) -> None:
    depth = 2 if game == "bushka" else 3
    measurements = measured(PositionsExperiment(), small(game), 2 * depth + 4, stop_at=5)
    found = counts(measurements.results("positions"), PLAIN)
    assert found[: depth + 1] == rulebook_counts(game, SMALL[game], depth)


def test_positions_without_images_are_counted_by_brute_force() -> None:
    """All eight images of every board, by the rulebook's stones."""
    measurements = measured(
        PositionsExperiment(), ReportSubject.of("capture-go", (3, 3), visits=1), 10, stop_at=5
    )
    start = reference.GAMES["capture-go"](3, 3)
    images = [
        lambda x, y: (x, y), lambda x, y: (2 - x, y), lambda x, y: (x, 2 - y),
        lambda x, y: (2 - x, 2 - y), lambda x, y: (y, x), lambda x, y: (2 - y, x),
        lambda x, y: (y, 2 - x), lambda x, y: (2 - y, 2 - x),
    ]  # fmt: skip

    def key(position: Any) -> Any:
        stones = position.stones().items()
        boards = (frozenset((image(*at), color) for at, color in stones) for image in images)
        return min(tuple(sorted(board)) for board in boards), position.to_move

    seen, front, found = {key(start)}, [start], [1]
    for _ in range(3):
        following = []
        for position in front:
            for move in position.moves() if position.winner is None else ():
                after = position.play(move)
                if key(after) not in seen:
                    seen.add(key(after))
                    following.append(after)
        front = following
        found.append(len(front))
    assert counts(measurements.results("positions"), SYMMETRIC)[:4] == found


@pytest.mark.parametrize(
    ("game", "size", "count"),
    [
        ("pinch", (4, 4), 4),
        ("pinch", (4, 3), 4),
        ("pinch-remove", (4, 4), 4),
        ("capture-go", (4, 4), 8),
        ("capture-go", (4, 3), 4),
        ("bushka", (10, 10), 2),
    ],
)
def test_symmetries_of_the_games(game: str, size: tuple[int, int], count: int) -> None:
    assert len(symmetries(GAMES[game], GAMES[game].start(*size))) == count


def test_images_have_one_canonical_form() -> None:
    start = GAMES["pinch"].start(4, 4)
    known = symmetries(GAMES["pinch"], start)
    corners = {canonical(start.play(point(x, y)), known) for x in (0, 3) for y in (0, 3)}
    assert len(corners) == 1
    assert canonical(start.play(point(1, 0)), known) not in corners


# --- random games


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "side", "games"),
    [
        ("pinch", 5, 300),
        ("pinch-remove", 4, 300),
        ("pinch-relocate", 3, 120),  # its rulebook takes a tenth of a second a game
        ("capture-go", 4, 300),
    ],
)
def test_random_lengths_are_those_of_the_rulebook(game: str, side: int, games: int) -> None:
    """Within three standard errors of the difference."""
    subject = ReportSubject.of(game, (side, side))
    measurements = measured(RandomGames(), subject, 3)
    average, _ = length_estimates(random_lengths(measurements))
    source = random.Random(1)
    lengths = []
    for _ in range(games):
        position, turns = reference.GAMES[game](side, side), 0
        while position.winner is None:
            moves = position.moves()
            if game == "capture-go" and len(moves) > 1:
                moves = [move for move in moves if move != "pass"]
            position, turns = position.play(source.choice(moves)), turns + 1
        lengths.append(float(turns))
    theirs = stdev(lengths) / math.sqrt(len(lengths))
    ours = (average.high - average.low) / 2 / 1.96
    assert abs(average.value - fmean(lengths)) <= 3 * math.hypot(ours, theirs)


@ALL_GAMES
def test_choices_are_those_of_the_rulebook(game: str) -> None:
    """Where turns have several parts, on average over many random first turns."""
    subject = small(game)
    mover, found = RandomMover(1), []
    for _ in range(500):
        session = subject.session()
        session.play(session.to_move, *mover.choose(session).moves)
        found.append(float(branching(session.turns()[0])))
    truth = len(rulebook(game, subject.width).moves())
    assert abs(fmean(found) - truth) <= 4 * stdev(found) / math.sqrt(len(found))


# --- games


@ALL_GAMES
def test_a_kept_game_is_the_game_that_was_played(game: str) -> None:
    subject = small(game)
    kept = play_game(
        session := subject.session(),
        {color: SearchMover(subject, 20, 3 + color) for color in Color},
    )
    again = PlayedGame(subject.session(), kept)
    assert again.session.position == session.position
    assert again.length == len(kept["turns"])
    assert (again.winner is None) == (kept["winner"] == 2)
    assert all(chance is None or 0 <= chance <= 1 for chance in again.chances)


@pytest.mark.parametrize(
    "name", [name for name in EXPERIMENTS if name not in ("rates", "positions", "solved")]
)
def test_a_unit_follows_from_its_number(name: str) -> None:
    """Whoever does it again finds the same."""
    experiment, subject = EXPERIMENTS[name], ReportSubject.of("pinch", (4, 4), visits=20)
    measurements = Measurements(subject)
    if name == "sample":
        game = work(EXPERIMENTS["games"], subject, WorkUnit("games", 0), never).data
        measurements.add("games", 0, game, 1.0)
    unit = experiment.next(measurements, ())
    assert unit is not None
    one, two = (work(experiment, subject, unit, never) for _ in range(2))
    assert one.is_done, one.failure
    assert one.data == two.data


def test_first_moves_stand_for_their_images() -> None:
    groups = first_moves(ReportSubject.of("pinch", (3, 3)))
    assert sorted(len(each) for each in groups.values()) == [1, 2, 2, 4]
    assert sum(map(len, groups.values())) == 9


# --- ladder


def played_ladder(strength: dict[int, float], most: int = 2000) -> Measurements:
    """A ladder whose games are made up: the stronger player scores what its simulations say."""
    subject = ReportSubject.of("pinch", (4, 4))
    measurements, source = Measurements(subject), random.Random(1)
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


def test_rungs_are_those_who_are_clearly_stronger() -> None:
    strength = {0: 0.0, 8: 3.0, 16: 3.1, 32: 6.0, 64: 9.0}
    measurements = played_ladder(strength)
    assert rungs(measurements.results("ladder")) == [0, 8, 32, 64]
    games = {
        (each.weak, each.strong): len(each.games)
        for each in pairings(measurements.results("ladder"))
    }
    assert games[0, 8] in [2 * look for look in LOOKS]
    assert (8, 16) in games
    assert (8, 32) in games


def test_nobody_is_a_rung_by_luck_too_often() -> None:
    """Of pairings at exactly the score that is asked for, at most a tenth pass."""
    source, passed, trials = random.Random(2), 0, 400
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


def test_the_ladder_does_not_depend_on_how_many_work_on_it() -> None:
    """Units under way are passed over, and what follows waits for the look they belong to."""
    measurements, ladder = Measurements(ReportSubject.of("pinch", (4, 4))), LadderExperiment()
    begun: list[int] = []
    while (unit := ladder.next(measurements, begun)) is not None:
        begun.append(unit.number)
    assert begun == list(range(LOOKS[0]))


# --- network and random playouts


def played_staircase(truth: float, most: int) -> list[LadderMatch]:
    """Made-up games of a network as strong as playouts with so many times its simulations."""
    measurements, source = Measurements(ReportSubject.of("pinch", (4, 4))), random.Random(1)
    for _ in range(most):
        unit = Evaluators().next(measurements, ())
        assert unit is not None
        network, playouts = unit.task
        chance = 1 / (1 + playouts / network / truth)
        games = [[int(source.random() < chance), color, 10] for color in (0, 1)]
        data = {"weak": playouts, "strong": network, "games": games}
        measurements.add("evaluators", unit.number, data, 0.1)
    return pairings(measurements.results("evaluators"))


def test_the_staircase_finds_who_is_as_strong() -> None:
    steps = played_staircase(16, most=20 * PAIRS)
    assert {len(step.games) for step in steps} == {2 * PAIRS}
    assert (steps[0].weak, steps[0].strong) == (FIRST, FIRST)
    for one, two in pairwise(steps):
        share = one.points / len(one.games)
        factor = 4 if share in (0, 1) else 2
        grown = (factor, 1) if share > 0.5 else (1, factor)
        assert (two.weak, two.strong) == (one.weak * grown[0], one.strong * grown[1])
    assert all(4 <= step.weak / step.strong <= 64 for step in steps[8:])


def test_both_ladders_stand_on_one_scale() -> None:
    """Ratings of players whose games are made up are those that the games were made with."""
    subject = ReportSubject.of("pinch", (4, 4))
    assert subject.has_network
    measurements, source = Measurements(subject), random.Random(2)
    strength = {(0, False): 0.0, (8, False): 200.0, (8, True): 400.0, (16, False): 300.0}
    pairs = [("ladder", 0, 8, True), ("playout-ladder", 0, 8, False),
             ("playout-ladder", 8, 16, False)]  # fmt: skip

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


def test_who_never_won_has_no_rating() -> None:
    """Else a curve would seem to flatten."""
    measurements = Measurements(ReportSubject.of("pinch", (4, 4)))
    games = [[1, 0, 9], [0, 1, 9]] * 8
    measurements.add("ladder", 0, {"weak": 0, "strong": 8, "games": games}, 1.0)
    data = {"weak": 64, "strong": 8, "games": [[1, 0, 9]] * 16}
    measurements.add("evaluators", 0, data, 1.0)
    summary = SECTIONS["ladder"].summarize(measurements)
    assert summary is not None
    assert [each["visits"] for each in summary.data["ratings"]] == [0, 8]


# --- the implementation


@ALL_GAMES
def test_the_implementation_is_what_a_compiler_reads(game: str) -> None:
    """Of the headers of games and of their random games; GCC lists what a file includes."""
    compiler = shutil.which("g++")
    if compiler is None or not CORE.is_dir():
        pytest.skip("there is no compiler, or there are no sources")
    header = f"{game.replace('-', '_')}.hpp"
    rules, playouts = CORE / "games", CORE / "evaluation" / "playouts"
    told = subprocess.run(
        [compiler, "-std=c++20", "-MM", "-x", "c++", f"-I{CORE}", "-"],
        input=f'#include "games/{header}"\n#include "evaluation/playouts/{header}"\n',
        check=True, capture_output=True, text=True, cwd=CORE,
    ).stdout  # fmt: skip
    words = [(CORE / word).resolve() for word in told.split()]
    read = {path for path in words if path.parent in (rules, playouts)}
    size = sizes()[game]
    assert (size.files, size.size) == (len(read), sum(path.stat().st_size for path in read))


# --- mirrors


def test_a_mirror_answers_with_the_image() -> None:
    subject = ReportSubject.of("pinch", (5, 5), visits=8)
    measurements = measured(MirrorsExperiment(), subject, 2 * len(strategies(subject)))
    units = list(measurements.results("mirrors").values())
    assert {(each["strategy"], each["first"]) for each in units} == {
        (strategy, first) for strategy in strategies(subject) for first in (False, True)
    }
    assert any(each["mirrored"] > 1 for each in units)
    assert "transpose" not in strategies(ReportSubject.of("pinch", (5, 4)))


# --- proofs


def test_small_boards_are_solved_as_the_solver_does() -> None:
    subject = ReportSubject.of("pinch", (4, 4))
    measurements = measured(SolvedExperiment(), subject, 10, stop_at=100)
    units = {unit["width"]: unit for unit in measurements.results("solved").values()}
    assert [units[side]["value"] for side in (2, 3, 4)][-1] == "loss"  # as the README says
    wins = {int(move) for move, value in units[4]["first"].items() if value == "win"}
    assert wins == {point(x, y) for x in (1, 2) for y in (1, 2)}
    session = subject.session()
    for move in units[4]["line"]:
        session.play(session.to_move, move)
    assert session.is_over


def test_the_other_games_have_the_other_swap_rule() -> None:
    experiment = EXPERIMENTS["other-games"]
    assert experiment.rules(ReportSubject.of("pinch"))[PIE.name] is False  # type: ignore[attr-defined]
    assert experiment.applies(ReportSubject.of("capture-go"))
    assert not experiment.applies(ReportSubject.of("bushka"))


@pytest.mark.parametrize(
    ("game", "told"),
    [
        ("pinch", "the second player wins, whatever the first"),
        ("capture-go", "the first player wins, whatever the second"),
    ],
)
def test_what_is_proven_is_told(game: str, told: str) -> None:
    subject = ReportSubject.of(game, (3, 3))
    measurements = measured(SolvedExperiment(), subject, 2, stop_at=100)
    summary = SECTIONS["solved"].summarize(measurements)
    assert summary is not None
    assert told in summary.says[0]
