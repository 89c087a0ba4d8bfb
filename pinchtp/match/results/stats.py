"""Statistics of a match: scores, ratings, lengths, times and failures.

`MatchStats.add` is fast and accepts games in any order; derived statistics are computed on demand.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

import numpy as np

from pinchtp.base import ratings
from pinchtp.base.intervals import counted_moments
from pinchtp.base.ratings import EloEstimate
from pinchtp.games import Color
from pinchtp.match.plan import MatchPlan
from pinchtp.match.record import DRAW, GameRecord, Key, Termination, Winner
from pinchtp.match.results.sprt import SprtVerdict


class Outcomes:
    """Numbers of games won, drawn and lost."""

    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        return self.wins + self.draws / 2

    @property
    def score(self) -> float:
        """The share of points, in [0, 1]; 0 without games."""
        return self.points / max(self.games, 1)


@dataclass(frozen=True)
class PairStats(Outcomes):
    """The games of two engines with each other, from the point of view of `first`.

    pairs: numbers of complete pairs of games with 0, 1/2, 1, 3/2 and 2 points for `first`.
    elo, normalized: the difference in Elo and in normalized Elo. superiority: the likelihood that
    `first` is stronger. All three are computed from complete pairs, or from single games if no pair
    is complete.
    """

    first: str
    second: str
    wins: int
    draws: int
    losses: int
    pairs: tuple[int, ...]
    elo: EloEstimate
    normalized: EloEstimate
    superiority: float

    @property
    def counts(self) -> tuple[int, ...]:
        """The counts that determine the ratings: of pairs, or of games if no pair is complete."""
        return self.pairs if any(self.pairs) else (self.losses, self.draws, self.wins)


@dataclass(frozen=True)
class EngineStats(Outcomes):
    """The results of an engine against all others.

    rating: with mean 0 over all engines; None without games. moves: without openings, but with
    responses that lost on time. mean_seconds, most_seconds: time per move.
    """

    name: str
    wins: int
    draws: int
    losses: int
    rating: EloEstimate | None
    moves: int
    mean_seconds: float
    most_seconds: float
    lost_on_time: int


@dataclass(frozen=True)
class ColorStats:
    """Numbers of games won by each color, and by the first and the second player.

    The latter two exclude games without a move, in which nobody was the first player.
    """

    black: int
    white: int
    draws: int
    first: int
    second: int


@dataclass(frozen=True)
class Lengths:
    """Lengths of games in moves: mean, standard deviation, and numbers of games by length."""

    mean: float
    deviation: float
    games: Mapping[int, int]


@dataclass(frozen=True)
class FirstMove:
    """Games that began with a move, and the points of its player."""

    games: int
    points: float


@dataclass(frozen=True)
class Failures:
    """Games with a failure. engine: the one that failed; empty if unknown or both.

    games: of wrong scores at least, since an engine is not asked again after the first one.
    """

    engine: str
    termination: Termination
    games: int

    @property
    def count(self) -> str:
        """The number of games for tables."""
        return f"≥ {self.games}" if self.termination is Termination.SCORE else f"{self.games}"


@dataclass(frozen=True)
class StatsReport:
    """The statistics of a match.

    standings: best first, engines without games last. duplicates: games whose moves repeat another
    game.
    """

    games: int
    void: int
    standings: tuple[EngineStats, ...]
    pairings: tuple[PairStats, ...]
    balance: ColorStats
    lengths: Lengths
    first_moves: Mapping[str, FirstMove]
    failures: tuple[Failures, ...]
    duplicates: int

    def as_json(self) -> dict[str, Any]:
        """Returns plain values for JSON, with null for infinities."""
        values = _finite(asdict(self))
        assert isinstance(values, dict)
        return values


@dataclass(frozen=True)
class MatchResult:
    """The result of a match.

    total: games in the schedule, and finished ones beyond it. disabled: engines that failed too
    often, with the reason. llr, verdict: of the sequential test. records: all games in the order in
    which they ended, void attempts included; empty unless requested. unwritten: why the page or SGF
    files are incomplete; empty if they are complete.
    """

    plan: MatchPlan
    report: StatsReport
    total: int
    disabled: Mapping[str, str]
    llr: float
    verdict: SprtVerdict | None
    records: tuple[GameRecord, ...] = ()
    unwritten: str = ""

    @property
    def unplayed(self) -> int:
        """The number of scheduled games without a result."""
        return self.total - self.report.games

    def as_json(self) -> dict[str, Any]:
        """Returns plain values for JSON: those of the report, and the state of the match.

        sprt: the sequential test with its state; None without one.
        """
        test = self.plan.sprt
        state = {"bounds": test.bounds, "llr": self.llr, "verdict": self.verdict} if test else {}
        return self.report.as_json() | {
            "total": self.total,
            "unplayed": self.unplayed,
            "sprt": {**asdict(test), **state} if test else None,
        }

    @property
    def is_complete(self) -> bool:
        """Whether no game is left to play."""
        return self.unplayed == 0 or self.verdict is not None


def is_failure(record: GameRecord) -> bool:
    """Returns whether an engine failed in a game, which may still have a winner."""
    return bool(failures_of(record))


def failures_of(record: GameRecord) -> list[tuple[str, Termination]]:
    """Returns the failures in a game, each with its engine (empty if unknown or both)."""
    player = record.game.player
    failures = [(player(fault.color), fault.termination) for fault in record.faults]
    if record.is_void or record.failed is not None or record.termination is Termination.DISAGREED:
        culprit = "" if record.failed is None else player(record.failed)
        failures.insert(0, (culprit, record.termination))
    return failures


def points_of(record: GameRecord, name: str) -> float:
    """Returns the points of a player in a finished game: 0, 1/2 or 1."""
    if not isinstance(record.winner, Color):
        return 0.5
    return float(name == record.game.player(record.winner))


class MatchStats:
    """The running totals of a match. Void games count only as void and as failures."""

    def __init__(self, engines: Sequence[str]) -> None:
        self.engines = tuple(engines)
        self.games = self.void = 0
        # By pairing, in the order of `engines`: outcomes for the first engine, worst first.
        self._results: dict[tuple[str, str], list[int]] = {}
        self._pairs: dict[tuple[str, str], list[int]] = {}
        self._halves: dict[Key, float] = {}  # pairs with one game played
        self._times = {name: _Times() for name in self.engines}
        self._winners: Counter[Winner | None] = Counter()
        self._first_wins: Counter[float] = Counter()
        self._first_moves: dict[str, list[float]] = {}
        self._lengths: Counter[int] = Counter()
        self._failures: Counter[tuple[str, Termination]] = Counter()
        self._different: set[int] = set()
        for pair in combinations(self.engines, 2):
            self._results[pair] = [0, 0, 0]
            self._pairs[pair] = [0, 0, 0, 0, 0]

    def add(self, record: GameRecord) -> None:
        """Adds a game. Raises ValueError for a game between other engines."""
        players = self._players(record)
        for failure in failures_of(record):
            self._failures[failure] += 1
        if record.is_void:
            self.void += 1
            return
        self.games += 1
        self._add_result(players, record)
        self._add_moves(record)

    def _players(self, record: GameRecord) -> tuple[str, str]:
        game = record.game
        players = (game.black, game.white)
        if players in self._results:
            return players
        if players[::-1] in self._results:
            return players[::-1]
        raise ValueError(
            f"game {game.label} was played by {game.black} and {game.white}, "
            f"but the match is of {', '.join(self.engines)}"
        )

    def _add_result(self, players: tuple[str, str], record: GameRecord) -> None:
        points = points_of(record, players[0])
        self._results[players][int(2 * points)] += 1
        self._winners[record.winner] += 1
        other = self._halves.pop(record.game.pair, None)
        if other is None:
            self._halves[record.game.pair] = points
        else:
            self._pairs[players][int(2 * (points + other))] += 1

    def _add_moves(self, record: GameRecord) -> None:
        game = record.game
        moves = record.moves
        self._lengths[len(moves)] += 1
        for name, color in ((game.black, Color.BLACK), (game.white, Color.WHITE)):
            own = [move.seconds for move in moves if move.color == color and not move.book]
            own += [record.late] if record.late and color == record.failed else []
            self._times[name].add(own)
        if moves:
            self._different.add(hash("\n".join(move.text for move in moves)))
            first = game.player(moves[0].color)
            points = points_of(record, first)
            self._first_wins[points] += 1
            so_far = self._first_moves.setdefault(moves[0].text, [0, 0.0])
            so_far[0] += 1
            so_far[1] += points

    # --- derived statistics

    def pairs(self, first: str, second: str) -> tuple[int, ...]:
        """Returns the counts of two engines' complete pairs, as in PairStats. Raises KeyError."""
        _, pairs = self._counts(first, second)
        return tuple(pairs)

    def pairing(self, first: str, second: str) -> PairStats:
        """Returns the statistics of two engines' games with each other. Raises KeyError."""
        results, pairs = self._counts(first, second)
        counts = pairs if any(pairs) else results
        return PairStats(
            first,
            second,
            wins=results[2],
            draws=results[1],
            losses=results[0],
            pairs=tuple(pairs),
            elo=ratings.elo_difference(counts),
            normalized=ratings.normalized_elo(counts),
            superiority=ratings.superiority(counts),
        )

    def ratings(self) -> dict[str, EloEstimate]:
        """Returns each engine's Bradley-Terry rating from all games, with mean 0."""
        points = np.array(
            [[self._points(one, two) for two in self.engines] for one in self.engines]
        )
        return dict(zip(self.engines, ratings.bradley_terry(points), strict=True))

    def report(self) -> StatsReport:
        ratings = self.ratings()
        standings = [self._standing(name, ratings[name]) for name in self.engines]
        return StatsReport(
            games=self.games,
            void=self.void,
            standings=tuple(
                sorted(standings, key=lambda each: -each.rating.elo if each.rating else math.inf)
            ),
            pairings=tuple(self.pairing(*pair) for pair in self._results),
            balance=ColorStats(
                black=self._winners[Color.BLACK],
                white=self._winners[Color.WHITE],
                draws=self._winners[DRAW],
                first=self._first_wins[1],
                second=self._first_wins[0],
            ),
            lengths=self._length_report(),
            first_moves={
                text: FirstMove(int(games), points)
                for text, (games, points) in sorted(self._first_moves.items())
            },
            failures=tuple(
                Failures(engine, termination, games)
                for (engine, termination), games in sorted(self._failures.items())
            ),
            duplicates=self.games - self._lengths[0] - len(self._different),
        )

    def _counts(self, first: str, second: str) -> tuple[list[int], list[int]]:
        if (first, second) in self._results:
            return self._results[first, second], self._pairs[first, second]
        return self._results[second, first][::-1], self._pairs[second, first][::-1]

    def _points(self, first: str, second: str) -> float:
        if first == second:
            return 0.0
        results, _ = self._counts(first, second)
        return results[2] + results[1] / 2

    def _standing(self, name: str, estimate: EloEstimate) -> EngineStats:
        losses, draws, wins = np.sum(
            [self._counts(name, other)[0] for other in self.engines if other != name], axis=0
        ).tolist()
        times = self._times[name]
        return EngineStats(
            name,
            wins=wins,
            draws=draws,
            losses=losses,
            rating=estimate if losses + draws + wins else None,
            moves=times.moves,
            mean_seconds=times.mean,
            most_seconds=times.most,
            lost_on_time=self._failures[name, Termination.TIME],
        )

    def _length_report(self) -> Lengths:
        counts = dict(sorted(self._lengths.items()))  # the same sums for any order of games
        return Lengths(*counted_moments(counts), counts)


class _Times:
    """The times of an engine's own moves, in an exact sum that does not depend on their order."""

    def __init__(self) -> None:
        self.moves = self._microseconds = 0
        self.most = 0.0  # seconds

    @property
    def mean(self) -> float:
        return self._microseconds / 1e6 / self.moves if self.moves else 0.0

    def add(self, seconds: Sequence[float]) -> None:
        self.moves += len(seconds)
        self._microseconds += sum([round(duration * 1e6) for duration in seconds])
        self.most = max([self.most, *seconds])


def _finite(value: object) -> object:
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
