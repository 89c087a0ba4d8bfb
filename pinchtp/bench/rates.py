"""Rates of playouts, tree search and networks, measured.

Trials of different kinds take turns, so that other programs on the machine slow all of them
equally. A rate is the median of its trials, because other programs disturb some of them.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import TypeAlias

from pinchtp import _core
from pinchtp._core import Network
from pinchtp.games import GAMES, GameType, Position
from pinchtp.player import network

Trial: TypeAlias = Callable[[], float]  # does some work, and returns its rate per second

ROUNDS = 5  # trials of each kind
SHORTEST = 0.01  # seconds of a trial; a shorter one mostly measures its start and its end
SEED = 1
WARM_UP = 64  # playouts or evaluations, then timed to determine how many fill a trial
LEAST = 8  # minimum playouts or evaluations of a trial
LENGTHS = 1000  # playouts whose lengths are counted
MEMORY = 64  # MB for the tree of a short search
NEVER = 2**31 - 1  # visits after which a leaf is expanded: more than a search makes
FLAT = 1.0  # exploration constant of searches that know only the mean of each move
NETWORK_BOARDS = ((9, 9), (13, 13))


@dataclass(frozen=True)
class Case:
    """A game on a board, measured with a number of threads."""

    game: str
    width: int
    height: int
    threads: int

    def __str__(self) -> str:
        threads = "1 thread" if self.threads == 1 else f"{self.threads} threads"
        return f"{self.game} {self.width}x{self.height} with {threads}"

    def start(self, instruction_set: str | None = None) -> Position:
        rules = GAMES[self.game].rules()
        return _core.new_position(
            self.game, self.width, self.height, instruction_set=instruction_set, **rules
        )


@dataclass(frozen=True)
class Measurement:
    """A measurement of a case: rates per second, and lengths of playouts in moves (turns).

    seconds: of the playouts and of the search. memory: MB for the search tree.
    """

    game: str
    width: int
    height: int
    threads: int
    instruction_set: str
    seconds: float
    memory: int
    playouts_per_s: float
    moves_per_s: float
    visits_per_s: float
    mean_length: float
    sd_length: float

    @property
    def case(self) -> Case:
        return Case(self.game, self.width, self.height, self.threads)


@dataclass(frozen=True)
class InferenceMeasurement:
    """A measurement of a game's network. Each evaluation computes its input planes again."""

    game: str
    width: int
    height: int
    instruction_set: str
    evaluations_per_s: float


def cases(
    games: Iterable[str], sizes: Iterable[tuple[int, int]], threads: Iterable[int]
) -> Iterator[Case]:
    """Yields all combinations; without sizes each game's default boards.

    Sizes that a game does not have are left out, and so are repetitions.
    """
    sizes = tuple(dict.fromkeys(sizes))
    threads = tuple(dict.fromkeys(threads))
    for game in dict.fromkeys(games):
        entry = GAMES[game]
        for width, height in _possible(sizes or entry.boards or (entry.size,), entry):
            yield from (Case(game, width, height, count) for count in threads)


def _possible(sizes: Iterable[tuple[int, int]], game: GameType) -> list[tuple[int, int]]:
    """Returns the sizes that a game has."""
    return [size for size in sizes if game.smallest <= min(size) and max(size) <= game.largest]


def measure(
    compared: Sequence[Case], seconds: float, memory: int, instruction_set: str
) -> list[Measurement]:
    """Measures playouts and search of each case, for about `seconds` each.

    memory: MB for the search tree.
    """
    trials = Trials(max(seconds / ROUNDS, SHORTEST), SEED)
    starts = [case.start(instruction_set) for case in compared]
    both = list(zip(starts, compared, strict=True))
    playouts = [trials.playouts(start, case.threads) for start, case in both]
    searches = [trials.engine(start, threads=case.threads, memory=memory) for start, case in both]
    rates = _medians([*playouts, *searches])
    records = []
    for (start, case), played, searched in zip(both, rates, rates[len(both) :], strict=False):
        lengths = start.playouts(LENGTHS, SEED)[:, 1]
        length = float(lengths.mean())
        records.append(
            Measurement(
                **vars(case),
                instruction_set=instruction_set,
                seconds=seconds,
                memory=memory,
                playouts_per_s=played,
                moves_per_s=played * length,
                visits_per_s=searched,
                mean_length=length,
                sd_length=float(lengths.std(ddof=1)),
            )
        )
    return records


def measure_inference(
    games: Sequence[str],
    sizes: Sequence[tuple[int, int]],
    instruction_sets: Sequence[str],
    seconds: float,
    file: Path | None,
) -> Iterator[InferenceMeasurement]:
    """Measures networks by each instruction set, for about `seconds` each.

    games: those that no network plays are left out. sizes: those that a game does not have are left
    out; without sizes NETWORK_BOARDS, or the only size. file: a network, None for that of the
    package. Raises NetworkError for a file that cannot be used.
    """
    trials = Trials(max(seconds / ROUNDS, SHORTEST), SEED)
    for game in games:
        entry = GAMES[game]
        usual = _possible(NETWORK_BOARDS, entry) or [entry.size]
        for width, height in _possible(sizes, entry) if sizes else usual:
            path = file or network.find_packaged(game, (width, height))
            if path is None:
                continue
            start = entry.start(width, height)
            loaded = network.load(network.read(path), start, str(path))
            rates = _medians([trials.evaluations(start, loaded, each) for each in instruction_sets])
            for each, rate in zip(instruction_sets, rates, strict=True):
                yield InferenceMeasurement(game, width, height, each, rate)


def _medians(trials: Sequence[Trial]) -> list[float]:
    """Runs the trials in turns; returns the median rate of each."""
    rounds = [[trial() for trial in trials] for _ in range(ROUNDS)]
    return [median(rates) for rates in zip(*rounds, strict=True)]


class Trials:
    """A maker of trials of about `seconds` each, all with different seeds."""

    def __init__(self, seconds: float, seed: int) -> None:
        self._seconds = seconds
        self._seeds = itertools.count(seed)

    def playouts(self, start: Position, threads: int = 1) -> Trial:
        """Returns a trial of playouts on parallel threads."""
        count = self._count(lambda count: start.playouts(count, next(self._seeds)))

        def trial() -> float:
            began = perf_counter()
            seeds = [next(self._seeds) for _ in range(threads)]
            with ThreadPoolExecutor(threads) as pool:
                list(pool.map(lambda seed: start.playouts(count, seed), seeds))
            return threads * count / (perf_counter() - began)

        return trial

    def moves(self, start: Position) -> Trial:
        """Returns a trial of playouts that counts their moves."""
        count = self._count(lambda count: start.playouts(count, next(self._seeds)))

        def trial() -> float:
            began = perf_counter()
            games = start.playouts(count, next(self._seeds))
            elapsed = perf_counter() - began
            return float(games[:, 1].sum()) / elapsed

        return trial

    def fills(self, width: int, height: int) -> Trial:
        """Returns a trial of playouts that only fill the board."""
        return self._repeat(lambda count: _core.fill_board(width, height, count, next(self._seeds)))

    def flat_ucb(self, start: Position) -> Trial:
        """Returns a trial of simulations without a tree: UCB1 chooses the moves at the root."""
        return self._search(start, expand_visits=NEVER, amaf_visits=0.0, exploration=FLAT)

    def uct(self, start: Position) -> Trial:
        """Returns a trial of plain UCT: a tree, and only the mean of each move."""
        return self._search(start, amaf_visits=0.0, exploration=FLAT)

    def engine(
        self,
        start: Position,
        network: Network | None = None,
        *,
        threads: int = 1,
        memory: int = MEMORY,
    ) -> Trial:
        """Returns a trial of the engine's own search, evaluated by a network or by playouts."""
        return self._search(start, threads, memory, network=network)

    def evaluations(
        self, start: Position, network: Network, instruction_set: str | None = None
    ) -> Trial:
        """Returns a trial of evaluations by a network, one position at a time.

        instruction_set: None for the fastest.
        """
        chosen = instruction_set or _core.inference_instruction_sets()[-1]
        return self._repeat(
            lambda count: start.evaluate_often(network, count, instruction_set=chosen)
        )

    def _repeat(self, work: Callable[[int], object]) -> Trial:
        """Returns a trial of work. work: does it a given number of times."""
        count = self._count(work)
        return lambda: count / _time(work, count)

    def _count(self, work: Callable[[int], object]) -> int:
        """Returns the number of times that the work fits into a trial."""
        work(WARM_UP)
        return max(LEAST, int(WARM_UP * self._seconds / _time(work, WARM_UP)))

    def _search(
        self, start: Position, threads: int = 1, memory: int = MEMORY, **options: object
    ) -> Trial:
        def trial() -> float:
            search = _core.Search(start, memory_mb=memory, **options)  # type: ignore[arg-type]
            began = perf_counter()
            while not search.report().visits:  # on a busy machine it may end before it begins
                search.run(self._seconds, 2**31, threads, next(self._seeds))
            return search.report().visits / (perf_counter() - began)

        return trial


def _time(work: Callable[[int], object], count: int) -> float:
    """Returns the seconds of doing the work `count` times."""
    began = perf_counter()
    work(count)
    return perf_counter() - began


def geometric_mean(values: Iterable[float]) -> float:
    """Returns the mean of ratios, the inverse of that of the inverse ratios."""
    logs = [math.log(value) for value in values]
    return math.exp(sum(logs) / len(logs))
