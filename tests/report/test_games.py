"""Games played to be counted."""

import math
from statistics import fmean, stdev

from experiments import ALL_GAMES, measured, rulebook, small

from pinchtp.games import Color
from pinchtp.report.experiment import Measurements
from pinchtp.report.games import RandomGames
from pinchtp.report.playing import PlayedGame, RandomMover, SearchMover, branching, play_game
from pinchtp.report.sections.balance import BalanceSection, FirstMoves, first_moves
from pinchtp.report.sections.length import length_estimates, random_lengths
from pinchtp.report.subject import ReportSubject


def test_choices_are_those_of_playouts() -> None:
    """In First Capture Go a pass loses, and playouts do not pass."""
    measurements = measured(RandomGames(), ReportSubject.of("capture-go", (5, 5)), 4)
    average, _ = length_estimates(random_lengths(measurements))
    units = measurements.results(RandomGames.name).values()
    lengths = [len(game) for unit in units for game in unit["choices"]]
    error = stdev(lengths) / math.sqrt(len(lengths))
    assert abs(average.value - fmean(lengths)) <= 4 * error


def test_pass_is_a_choice_in_all_play() -> None:
    measurements = measured(RandomGames(), ReportSubject.of("capture-go", (5, 5)), 1)
    unit = measurements.results(RandomGames.name)[0]
    assert {game[0] for game in unit["choices"]} == {26}
    session = ReportSubject.of("capture-go", (5, 5)).session()
    session.play(session.to_move, *RandomMover(1).choose(session).moves)
    assert branching(session.turns()[0]) == 26


@ALL_GAMES
def test_branching_matches_the_rulebook(game: str) -> None:
    """For multi-step turns, on average over many random first turns."""
    subject = small(game)
    mover = RandomMover(1)
    found = []
    for _ in range(500):
        session = subject.session()
        session.play(session.to_move, *mover.choose(session).moves)
        found.append(float(branching(session.turns()[0])))
    truth = len(rulebook(game, subject.width).moves())
    assert abs(fmean(found) - truth) <= 4 * stdev(found) / math.sqrt(len(found))


@ALL_GAMES
def test_played_game_equals_its_session(game: str) -> None:
    subject = small(game)
    kept = play_game(
        session := subject.session(),
        {color: SearchMover(subject, 20, 3 + color) for color in Color},
    )
    again = PlayedGame(subject.session(), kept)
    assert again.session.position == session.position
    assert again.length == len(kept["turns"])
    assert (again.winner is None) == (kept["winner"] == 2)
    assert all(each is None or 0 <= each <= 1 for each in again.winrates)


def test_equal_searches_have_no_interval() -> None:
    """Each first move has one search, or several with the same winrate."""
    subject = ReportSubject.of("pinch", (3, 3), visits=20)
    measurements = Measurements(subject)
    moves = list(first_moves(subject))
    for number in range(2 * len(moves)):
        unit = {"move": moves[number % len(moves)], "chance": 0.6, "points": 1.0}
        measurements.add(FirstMoves.name, number, unit, 0.1)
    section = BalanceSection()
    result = section.summarize(measurements)
    assert result is not None
    for figure in result.figures:
        assert all(end is None or math.isfinite(end) for end in (figure.low, figure.high))
    texts = [str(block) for block in section.blocks(result, subject)]
    assert not any("inf" in text for text in texts)


def test_best_first_move_is_that_of_all() -> None:
    """The first ones to be searched are in the corner."""
    subject = ReportSubject.of("pinch", (5, 5), visits=20)
    measurements = Measurements(subject)
    experiment = FirstMoves()
    moves = list(first_moves(subject))
    assert experiment.fewest(ReportSubject.of("pinch", (19, 19), visits=20)) == 100
    for number, move in enumerate(moves):
        result = BalanceSection().summarize(measurements)
        assert result is None or result.figures == []
        unit = {"move": move, "chance": 0.6, "points": 1.0}
        measurements.add(FirstMoves.name, number, unit, 0.1)
    result = BalanceSection().summarize(measurements)
    assert result is not None
    assert "best-first" in {figure.key for figure in result.figures}
