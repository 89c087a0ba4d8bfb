"""The ladder: games between random play and the engine with increasing visits per move.

A rung of the ladder (a step on the page) is a player that clearly beats the rung below. If the game
has a network, the engine without it has a separate ladder, and games between network and playouts
place both ladders on one scale.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from pinchtp.base.intervals import lower_bound
from pinchtp.games import Color
from pinchtp.report.experiment import Experiment, Measurements, WorkUnit
from pinchtp.report.playing import (
    MoveChooser,
    RandomMover,
    SearchMover,
    StopCheck,
    find_score,
    play_game,
    read_winner,
)
from pinchtp.report.subject import ReportSubject

RANDOM = 0  # visits per move of random play
FIRST = 8  # visits per move of the weakest engine
MOST = 2**22  # maximum visits per move
LOOKS = (8, 16, 32)  # numbers of game pairs after which a match is tested
SCORE = 0.6  # minimum score of a rung against the rung below
RUNG_CONFIDENCE = 0.9  # of this minimum; the tests of a match share the risk


@dataclass(frozen=True)
class LadderPlayer:
    """A player. visits: per move, or RANDOM.

    by_network: whether the subject's network, if it has one, evaluates positions; otherwise
    playouts do.
    """

    visits: int
    by_network: bool = True

    def chooser(self, subject: ReportSubject, seed: int, stop: StopCheck) -> MoveChooser:
        if self.visits == RANDOM:
            return RandomMover(seed)
        return SearchMover(subject, self.visits, seed, stop, judged_by_network=self.by_network)


@dataclass
class LadderMatch:
    """The games of two players. weak, strong: their visits per move.

    games: from the stronger player's view: (won, color, turns), where won is 1, 0.5 or 0.
    """

    weak: int
    strong: int
    games: list[tuple[float, int, int]] = field(default_factory=list)

    @property
    def points(self) -> float:
        return sum(won for won, _, _ in self.games)

    @property
    def outcomes(self) -> tuple[int, int, int]:
        """Games won, drawn and lost by the stronger player."""
        won = [game[0] for game in self.games]
        return won.count(1), won.count(0.5), won.count(0)

    @property
    def is_rung(self) -> bool:
        """Whether the games show that the stronger player is the next rung. They are tested only
        after LOOKS pairs: more tests would raise the risk.
        """
        if len(self.games) // 2 not in LOOKS:
            return False
        confidence = 1 - (1 - RUNG_CONFIDENCE) / len(LOOKS)
        return lower_bound(self.points, len(self.games), confidence) >= SCORE


class LadderExperiment(Experiment):
    """An experiment whose units are pairs of games with colors reversed.

    A player that beats the last rung is the next rung. After each match, the next player has twice
    as many visits.
    """

    name = "ladder"
    description = "games between players of different strength"
    weight = 16
    first_seconds = 0.3
    least = 40
    by_network: ClassVar[bool] = True  # if the game has one

    def next(self, measurements: Measurements, running: Collection[int]) -> WorkUnit | None:
        done = measurements.done(self.name)
        for number, match in _schedule(done):
            if number not in done and number not in running:
                if match.strong > MOST:
                    return None
                return self.unit(number, [match.weak, match.strong])
        return None

    def measure(self, subject: ReportSubject, unit: WorkUnit, stop: StopCheck) -> Any:
        weak, strong = (LadderPlayer(visits, self.by_network) for visits in unit.task)
        return play_pair(subject, unit, weak, strong, stop)


class PlayoutLadder(LadderExperiment):
    """The same experiment for the engine without its network."""

    name = "playout-ladder"
    description = "games between players of different strength without the network"
    weight = 6
    by_network = False

    def applies(self, subject: ReportSubject) -> bool:
        return subject.has_network


def play_pair(
    subject: ReportSubject,
    unit: WorkUnit,
    weak: LadderPlayer,
    strong: LadderPlayer,
    stop: StopCheck,
) -> dict[str, Any]:
    """Plays two games with colors reversed; matches() reads the result."""
    games = []
    for color in Color:
        seed = subject.unit_seed(unit.experiment, unit.number, color)
        players = {
            color: strong.chooser(subject, seed, stop),
            color.opponent: weak.chooser(subject, seed + 1, stop),
        }
        game = play_game(subject.session(), players, stop)
        won = find_score(read_winner(game), color)
        games.append((won, int(color), len(game["turns"])))
    return {"weak": weak.visits, "strong": strong.visits, "games": games}


def matches(done: Mapping[int, Any]) -> list[LadderMatch]:
    """Returns all matches, in the order in which they began."""
    played: dict[tuple[int, int], LadderMatch] = {}
    for _, unit in sorted(done.items()):
        key = unit["weak"], unit["strong"]
        played.setdefault(key, LadderMatch(*key)).games += [tuple(game) for game in unit["games"]]
    return list(played.values())


def rungs(done: Mapping[int, Any]) -> list[int]:
    """Returns the visits per move of the rungs, the weakest first."""
    return [RANDOM] + [match.strong for match in matches(done) if match.is_rung]


def find_undecided(done: Mapping[int, Any]) -> LadderMatch:
    """Returns the unfinished match, which may show another rung."""
    *_, (_, match) = _schedule(done)
    return match


def _schedule(done: Mapping[int, Any]) -> Iterator[tuple[int, LadderMatch]]:
    """Yields the numbers of units with their matches, up to the first match without a result."""
    number = 0
    rung = RANDOM
    strong = FIRST
    while True:
        match = LadderMatch(rung, strong)
        for before, look in zip((0, *LOOKS), LOOKS, strict=False):
            numbers = range(number, number + look - before)
            number = numbers.stop
            yield from ((number, match) for number in numbers)
            if not all(number in done for number in numbers):
                return
            match.games += [tuple(game) for number in numbers for game in done[number]["games"]]
            if match.is_rung or _is_hopeless(match):
                break
        rung = strong if match.is_rung else rung
        strong *= 2


def _is_hopeless(match: LadderMatch) -> bool:
    """Returns whether the stronger player clearly scores less than SCORE."""
    lost = len(match.games) - match.points
    return lower_bound(lost, len(match.games), RUNG_CONFIDENCE) > 1 - SCORE


PAIRS = 8  # pairs of games after which the loser gets more visits


class Evaluators(Experiment):
    """An experiment whose units are pairs of games between network and playouts.

    A staircase: both start with few visits, and the loser's are doubled, or multiplied by four if
    it won nothing. Both grow until they are about equal, which connects their ladders.
    """

    name = "evaluators"
    description = "games between the network and random playouts"
    weight = 6
    first_seconds = 0.3
    least = PAIRS

    def applies(self, subject: ReportSubject) -> bool:
        return subject.has_network

    def next(self, measurements: Measurements, running: Collection[int]) -> WorkUnit | None:
        done = measurements.done(self.name)
        for first, network, playouts in _steps(done):
            if max(network, playouts) > MOST:
                return None
            for number in range(first, first + PAIRS):
                if number not in done and number not in running:
                    return self.unit(number, [network, playouts])
        return None

    def measure(self, subject: ReportSubject, unit: WorkUnit, stop: StopCheck) -> Any:
        network, playouts = unit.task
        weak = LadderPlayer(playouts, by_network=False)
        strong = LadderPlayer(network)
        return play_pair(subject, unit, weak, strong, stop)


def _steps(done: Mapping[int, Any]) -> Iterator[tuple[int, int, int]]:
    """Yields each step up to the first unfinished one: its first unit, and both players' visits."""
    first = 0
    network = FIRST
    playouts = FIRST
    while True:
        yield first, network, playouts
        units = range(first, first + PAIRS)
        if not all(number in done for number in units):
            return
        won = sum(game[0] for number in units for game in done[number]["games"])
        games = 2 * PAIRS
        if won > games / 2:
            playouts *= 4 if won == games else 2
        else:
            network *= 4 if won == 0 else 2
        first = units.stop
