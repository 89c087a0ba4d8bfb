"""Match statistics, against a plain count."""

import json
import math
import random
from collections import Counter
from statistics import mean, stdev
from time import process_time

import pytest
from match_records import random_records, record

from pinchtp.base.ratings import EloEstimate, elo_difference, superiority
from pinchtp.games import Color
from pinchtp.match.record import DRAW, GameRecord, MoveRecord, Termination, Violation
from pinchtp.match.results.stats import Failures, FirstMove, MatchStats, StatsReport, is_failure

ENGINES = ("one", "two", "three")


def summed(records: list[GameRecord], engines: tuple[str, ...] = ENGINES) -> MatchStats:
    summary = MatchStats(engines)
    for each in records:
        summary.add(each)
    return summary


def points(game: GameRecord, name: str) -> float:
    if game.winner == DRAW:
        return 0.5
    return float(game.game.player(game.winner) == name)  # type: ignore[arg-type]


def test_violations_count_as_failures() -> None:
    faults = (Violation(Color.WHITE, Termination.SCORE), Violation(Color.BLACK, Termination.DIED))
    summary = MatchStats(["one", "two"])
    summary.add(record(0, faults=faults))
    summary.add(record(1, failed=Color.BLACK, termination=Termination.TIME))
    assert is_failure(record(0, faults=faults))
    assert summary.report().failures == (
        Failures("one", Termination.DIED, 1),
        Failures("one", Termination.TIME, 1),
        Failures("two", Termination.SCORE, 1),
    )


def test_statistics_without_games() -> None:
    report = MatchStats(ENGINES).report()
    assert report.games == report.void == report.duplicates == 0
    assert report.lengths.mean == report.lengths.deviation == 0
    assert all(pairing.elo == EloEstimate(0.0, -math.inf, math.inf) for pairing in report.pairings)
    assert [standing.games for standing in report.standings] == [0, 0, 0]


@pytest.mark.parametrize("seed", range(3))
def test_pairings_counted_plainly(seed: int) -> None:
    records = random_records(ENGINES, 300, seed)
    summary = summed(records)
    for one in ENGINES:
        for two in set(ENGINES) - {one}:
            games = [
                each
                for each in records
                if each.winner is not None and {each.game.black, each.game.white} == {one, two}
            ]
            results = Counter(points(game, one) for game in games)
            pairs = Counter(
                points(game, one) + points(other, one)
                for game in games
                for other in games
                if game.game.number + 1 == other.game.number and game.game.pair == other.game.pair
            )
            pairing = summary.pairing(one, two)
            assert (pairing.wins, pairing.draws, pairing.losses) == tuple(
                results[value] for value in (1, 0.5, 0)
            )
            assert pairing.points == sum(points(game, one) for game in games)
            assert pairing.pairs == tuple(pairs[value / 2] for value in range(5))
            assert pairing.elo == elo_difference(pairing.pairs)
            assert pairing.superiority == superiority(pairing.pairs)


def test_order_of_games_does_not_matter() -> None:
    records = random_records(ENGINES, 200, seed=5)
    report = summed(records).report()
    for seed in range(3):
        shuffled = random.Random(seed).sample(records, len(records))
        assert summed(shuffled).report() == report


def test_unpaired_games_are_rated_singly() -> None:
    results = [Color.BLACK] * 12 + [DRAW] * 5 + [Color.WHITE] * 7
    games = [record(number, winner=each, pair=number) for number, each in enumerate(results)]
    pairing = summed(games).pairing("one", "two")
    assert pairing.pairs == (0, 0, 0, 0, 0)
    assert pairing.elo == elo_difference((7, 5, 12))


def test_replay_of_void_game_completes_its_pair() -> None:
    summary = summed([record(0), record(1, "two", "one", None, termination=Termination.DISAGREED)])
    assert summary.pairing("one", "two").pairs == (0, 0, 0, 0, 0)
    assert (summary.games, summary.void) == (1, 1)
    summary.add(record(1, "two", "one", Color.WHITE))
    assert summary.pairing("one", "two").pairs == (0, 0, 0, 0, 1)
    assert (summary.games, summary.void) == (2, 1)
    assert summary.report().failures == (Failures("", Termination.DISAGREED, 1),)


def test_failures_by_engine_and_cause() -> None:
    report = summed(
        [
            record(0, winner=Color.WHITE, termination=Termination.TIME, failed=Color.BLACK),
            record(1, "two", "one", Color.BLACK, termination=Termination.TIME, failed=Color.WHITE),
            record(2, winner=Color.BLACK, termination=Termination.DIED, failed=Color.WHITE),
            record(3, "two", "one", Color.BLACK, termination=Termination.RESIGNATION),
        ]
    ).report()
    assert report.failures == (
        Failures("one", Termination.TIME, 2),
        Failures("two", Termination.DIED, 1),
    )
    lost_on_time = {standing.name: standing.lost_on_time for standing in report.standings}
    assert lost_on_time == {"one": 2, "two": 0, "three": 0}


def test_time_is_that_of_own_moves() -> None:
    book = MoveRecord(Color.BLACK, "A1", seconds=100.0, book=True)
    played = record(moves="B1 B2 B3", times=[0.5, 3.0, 1.0])
    moves = (book, *played.moves)
    game = GameRecord(
        played.game, Color.BLACK, Termination.TIME, failed=Color.WHITE, moves=moves, late=5.0
    )
    standings = {each.name: each for each in summed([game]).report().standings}
    one, two = standings["one"], standings["two"]
    assert (one.moves, one.mean_seconds, one.most_seconds) == (2, 0.75, 1.0)
    assert (two.moves, two.mean_seconds, two.most_seconds) == (2, 4.0, 5.0)  # with the late one


def test_lengths_and_balance() -> None:
    records = [each for each in random_records(ENGINES, 100, seed=3) if each.winner is not None]
    report = summed(records).report()
    lengths = [len(each.moves) for each in records]
    assert report.lengths.mean == pytest.approx(mean(lengths))
    assert report.lengths.deviation == pytest.approx(stdev(lengths))
    assert report.lengths.games == Counter(lengths)
    winners = Counter(each.winner for each in records)
    balance = report.balance
    assert (balance.black, balance.white, balance.draws) == (
        winners[Color.BLACK],
        winners[Color.WHITE],
        winners[DRAW],
    )


def test_first_player_may_be_white() -> None:
    moves = (MoveRecord(Color.WHITE, "C1"), MoveRecord(Color.BLACK, "C2"))
    game = GameRecord(record().game, Color.WHITE, Termination.RULES, moves=moves)
    report = summed([game, record(1, winner=DRAW, moves="C1 C3")]).report()
    assert (report.balance.first, report.balance.second) == (1, 0)
    assert report.first_moves == {"C1": FirstMove(games=2, points=1.5)}


def test_duplicates_have_the_same_moves() -> None:
    """Regardless of the players and their colors."""
    games = [
        record(0, moves="A1 B1"),
        record(1, moves="A1 B1", winner=Color.WHITE),
        record(2, "two", "one", moves="A1 B1"),
        record(3, moves="A1 B2"),
        record(4, moves="A1 B1"),
        record(5),
        record(6),  # in which nothing was played that could be repeated
    ]
    assert summed(games).report().duplicates == 3


def test_standings_are_sorted_and_centered() -> None:
    games = [record(number, "two", "three", winner=Color.BLACK) for number in range(20)]
    games += [record(20 + number, "one", "two", winner=Color.BLACK) for number in range(20)]
    standings = summed(games).report().standings
    assert [standing.name for standing in standings] == ["one", "two", "three"]
    assert sum(standing.rating.elo for standing in standings) == pytest.approx(0)
    assert [standing.points for standing in standings] == [20, 20, 0]


def test_games_of_other_engines_are_refused() -> None:
    with pytest.raises(ValueError, match=r"game 8 was played by one and four, .* one, two, three"):
        MatchStats(ENGINES).add(record(7, "one", "four"))
    with pytest.raises(KeyError):
        MatchStats(ENGINES).pairing("one", "four")


def test_json_has_null_for_infinity() -> None:
    report = summed([record(number) for number in range(4)]).report()
    assert any(math.isinf(pairing.elo.high) for pairing in report.pairings)
    values = json.loads(json.dumps(report.as_json(), allow_nan=False))
    assert values.keys() == {*StatsReport.__dataclass_fields__}
    assert values["pairings"][0]["elo"]["high"] is None
    assert values["pairings"][0]["wins"] == 4


def test_adding_is_cheap() -> None:
    """Far below a millisecond a game, which the runner has for much more than this."""
    records = random_records(ENGINES, 2000, seed=9)
    summary = MatchStats(ENGINES)
    start = process_time()
    for each in records:
        summary.add(each)
    assert (process_time() - start) / len(records) < 3e-4
