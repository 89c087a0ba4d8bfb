"""The engine's thinking: searches for a session, with one tree kept from move to move."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from random import Random
from threading import Event, Thread
from time import monotonic
from typing import Any

from pinchtp._core import Choice, Network, Position, Report, Search, Solver
from pinchtp.games import ALPHA_BETA, GAMES, MCTS, UCT
from pinchtp.games.session import Session
from pinchtp.player.levels import FULL_STRENGTH, LEVELS, Level
from pinchtp.player.network import Networks
from pinchtp.player.settings import AUTO, PACKAGED, Settings
from pinchtp.player.time_manager import TimeManager
from pinchtp.player.timed_search import TimedSearch

NO_VISIT_LIMIT = 2**31  # more would overflow the tree's counters

UCT_EXPLORATION = 0.7
"""The factor of plain UCT, for winrates in [0, 1]: about the square root of a half, as in Kocsis
and Szepesvári, Bandit based Monte-Carlo Planning, 2006."""

# Each further part of a turn is searched to as many visits as the first one, but no more than
# these, which take about 20 ms. Against taking the parts from the principal variation this won 71
# of 100 games at 300 visits, and 46 of 60 at 1500 (Pinch with relocation, 9x9).
PART_VISITS = 1000
LEAST_PART = 0.001  # seconds that each may take even so

SEED_STEP = 0x9E3779B97F4A7C15  # 2**64 by the golden ratio: multiples of it lie far apart

OWNERSHIP_SIMULATIONS = 1000  # a standard error of 0.03 a point, in some 5 ms on 13x13


@dataclass(frozen=True, slots=True)
class Limits:
    """When a search ends, whichever comes first, and which moves it considers.

    seconds: of time. visits: simulations, those of earlier searches included as Search.run() says.
    should_stop: called every millisecond. allowed: the moves to consider, all if it is empty.
    """

    seconds: float = math.inf
    visits: int | None = None
    should_stop: Callable[[], bool] | None = None
    allowed: Sequence[int] = ()


class Player:
    """Searches positions of a session. One tree follows the game."""

    def __init__(self, settings: Settings, networks: Networks | None = None) -> None:
        """networks: those of the settings, where they are loaded already.

        Raises ValueError for a search that the game does not have, and NetworkError (one of those)
        for a file that is not a network of that game.
        """
        self.settings = settings
        self._networks = networks or Networks(settings.network)
        self.check_network(settings.game)
        game = GAMES[settings.game]
        if settings.search not in (AUTO, *game.searches):
            raise ValueError(
                f"{game.title} has no search {settings.search!r}: "
                f"give one of {', '.join((AUTO, *game.searches))}"
            )
        self._search: Search | None = None
        self._root: tuple[Position, tuple[int, ...]] | None = None  # start and moves of the game
        self._pondering: Pondering | None = None
        self.forget()

    def check_network(self, game: str) -> None:
        """Raises NetworkError, a ValueError, where the file in the settings holds a network of
        another game.
        """
        self._networks.check(game)

    def forget(self, seed: int | None = None) -> None:
        """Drops the tree and takes a seed: the one given, or that of the settings, or any."""
        self.stop_pondering()
        self._search = self._root = None
        if seed is None:
            seed = self.settings.seed
        self._seed = int.from_bytes(os.urandom(8)) >> 1 if seed is None else seed

    @property
    def level(self) -> Level:
        """Returns the level of its moves; search() is always at full strength."""
        return LEVELS[self.settings.level - 1]

    def search(self, session: Session, limits: Limits, step: int = 0) -> Report:
        """Searches the session's position, which must not be over.

        step: of a search in several, which all draw other random numbers.

        Returns what is known about the moves, the best one first; there is always one.
        """
        search = self._search_at(session)
        self._run(search, session, limits, step)
        return self._shown(session, search.report(), FULL_STRENGTH)

    def reports(self, session: Session, limits: Limits, interval: float) -> Iterator[Report]:
        """Searches as search() does, and reports at an interval in seconds, and once at the end."""
        search = self._search_at(session)
        for report in self._slices(search, session, limits, interval, limits.seconds):
            yield self._shown(session, report, FULL_STRENGTH)

    def search_at_level(self, session: Session, limits: Limits) -> Report:
        """Searches as search() does, at the strength of the level; choose() makes the choice."""
        search, limits = self._search_for_move(session, limits)
        self._run(search, session, limits)
        return self._shown(session, search.report(), self.level)

    def search_reports(
        self, session: Session, limits: Limits, interval: float, time_manager: TimeManager
    ) -> Iterator[Report]:
        """Thinks as search_at_level() does, and reports at an interval in seconds, and once at the
        end.

        time_manager: the time of the search, in place of `limits.seconds`, the maximum of each
        step. A limit of visits is met exactly: then time ends the search, but
        nothing else does.
        """
        search, limits = self._search_for_move(session, limits)
        if limits.visits is not None:
            seconds = time_manager.search_time().optimum
            for report in self._slices(search, session, limits, interval, seconds):
                yield self._shown(session, report, self.level)
            return

        def run_step(seconds: float, number: int) -> tuple[Report, bool]:
            is_over = self._run(search, session, replace(limits, seconds=seconds), number)
            return search.report(), is_over

        kind = self._search_kind(session.position) if self.level.is_full_strength else MCTS
        known = search.report()
        timed_search = TimedSearch(
            run_step, time_manager, session.position, known, by_visits=kind != ALPHA_BETA
        )
        for report in timed_search.reports(interval):
            yield self._shown(session, report, self.level)

    def _slices(
        self, search: Search, session: Session, limits: Limits, interval: float, seconds: float
    ) -> Iterator[Report]:
        deadline = monotonic() + seconds
        is_over = False
        step = 0
        while not is_over:
            left = max(deadline - monotonic(), 0)
            is_over = self._run(search, session, replace(limits, seconds=min(interval, left)), step)
            is_over = is_over or interval >= left
            step += 1
            yield search.report()

    def choose(self, session: Session, report: Report) -> Choice:
        """Its choice after search_at_level(): the best one, or as its level says."""
        return self.level.draw(report.choices, Random(self._seed_at(session)))

    def choose_turn(
        self, session: Session, report: Report, seconds: float = math.inf
    ) -> tuple[int, ...]:
        """Returns the moves of its turn after search_at_level(); empty if it resigns.

        With the option `move_parts` only the next part of the turn. seconds: for all further parts
        together.
        """
        resign = self.settings.resign
        if resign is not None and report.winrate is not None and report.winrate < resign:
            return ()
        choice = self.choose(session, report)
        if self.settings.move_parts:
            return (choice.move,)
        return self.complete_turn(session, choice, report.visits, seconds)

    def complete_turn(
        self, session: Session, choice: Choice, visits: int, seconds: float = math.inf
    ) -> tuple[int, ...]:
        """Returns all parts of the turn that begins with a choice.

        visits: of the search that made the choice. seconds: for all further parts together.
        """
        ahead = session.copy()
        deadline = monotonic() + seconds
        moves = [choice.move]
        ahead.play(session.to_move, choice.move)
        while ahead.position.mid_turn:
            left = max((deadline - monotonic()) / 2, LEAST_PART)
            report = self.search_at_level(ahead, Limits(left, min(visits, PART_VISITS)))
            moves.append(self.choose(ahead, report).move)
            ahead.play(session.to_move, moves[-1])
        return tuple(moves)

    def ownership(self, session: Session) -> list[float]:
        """Returns the expected owners of points at the end, estimated from the tree.

        One number per point, indexed like moves: the mean of 1 for black, -1 for white.
        """
        values = self._search_at(session).ownership(self._seed, OWNERSHIP_SIMULATIONS)
        return [-value for value in values] if session.position.swapped else values

    def network(self, position: Position) -> Network | None:
        """Returns the network for this game, None where random playouts judge.

        Raises NetworkError for a network of another game.
        """
        return self._networks.of(position)

    def solver(self, position: Position) -> Solver:
        """Returns a solver of positions of this game, size and options.

        It takes the memory of the tree, which is dropped, and as many threads as the search.

        Raises MemoryError if it cannot be allocated, and NetworkError (a ValueError) for a network
        of another game.
        """
        self.forget()
        guides = GAMES[position.game].guides_solver
        guide = self._networks.of(position) if guides else None
        settings = self.settings
        return Solver(position, memory_mb=settings.memory, network=guide, threads=settings.threads)

    def ponder(self, session: Session) -> None:
        """Keeps searching in the background, on the opponent's time, until any other call.

        Only at full strength: lower levels would play as well without.
        """
        if not session.is_over and self.level.is_full_strength:
            with suppress(MemoryError):
                self._pondering = Pondering(self._search_at(session), self.settings, self._seed)

    def stop_pondering(self) -> None:
        """Ends it within milliseconds; its results stay in the tree."""
        if self._pondering is not None:
            self._pondering.stop()
            self._pondering = None

    def _seed_at(self, session: Session) -> int:
        """Returns another seed for each part of a game, also if players' seeds are neighbors."""
        return (self._seed * SEED_STEP + len(session.moves)) % 2**64

    def _run(self, search: Search, session: Session, limits: Limits, step: int = 0) -> bool:
        """Returns whether the search is over: if it is not, only its seconds are."""
        return search.run(
            limits.seconds,
            NO_VISIT_LIMIT if limits.visits is None else limits.visits,
            self.settings.threads,
            (self._seed_at(session) + (step << 32)) % 2**64,
            limits.should_stop,
            limits.allowed,
        )

    def _shown(self, session: Session, report: Report, level: Level) -> Report:
        """Returns the report with calibrated winrates."""
        kind = self._search_kind(session.position)
        judged = not level.is_full_strength or kind == MCTS
        return report.calibrated(self._networks.slope(session.position) if judged else 1)

    def _search_for_move(self, session: Session, limits: Limits) -> tuple[Search, Limits]:
        """Returns the search for a move of the level, and its limits.

        Below full strength it does not use the kept tree.
        """
        level = self.level
        if level.is_full_strength:
            return self._search_at(session), limits
        self.stop_pondering()
        search, visits = self._level_search(session.position, level)
        if limits.visits is not None:
            visits = min(visits, limits.visits)
        return search, replace(limits, visits=visits)

    def _search_at(self, session: Session) -> Search:
        """Returns a search of the session's position: the kept tree if it leads there."""
        self.stop_pondering()
        moves = session.moves
        if self._search is not None and self._root is not None:
            start, known = self._root
            if start == session.start and moves[: len(known)] == known:
                for at in range(len(known), len(moves)):
                    self._search.advance(moves[at])
                    self._root = (start, moves[: at + 1])
                return self._search
        self._search = self._root = None  # a new tree takes the memory of the old one
        self._search = self.new_search(session.position)
        self._root = (session.start, moves)
        return self._search

    def new_search(self, position: Position) -> Search:
        """Returns a search at full strength, with a new tree.

        Raises NetworkError where the network does not fit the game.
        """
        memory = self.settings.memory
        kind = self._search_kind(position)
        if kind == ALPHA_BETA:
            return Search(position, method=ALPHA_BETA, memory_mb=memory)
        if kind == UCT:
            return Search(
                position,
                memory_mb=memory,
                exploration=UCT_EXPLORATION,
                amaf_visits=0,
                solve_forced_moves=False,
            )
        return Search(position, memory_mb=memory, network=self._networks.of(position))

    def _level_search(self, position: Position, level: Level) -> tuple[Search, int]:
        """Returns a search for a level below full strength, always Monte-Carlo tree search, and
        its visits.
        """
        network = self._networks.of(position)
        search = Search(
            position,
            memory_mb=self.settings.memory,
            network=network,
            solve_forced_moves=level.threats,
        )
        return search, level.visits if network else level.playouts

    def _search_kind(self, position: Position) -> str:
        """Returns the search for this game: its default if it does not support the setting."""
        asked = self.settings.search
        own = GAMES[position.game].searches
        if asked in own:
            return asked
        return own[0] if self.settings.network == PACKAGED else MCTS


class Pondering:
    """A search in a background thread, until stop().

    Without memory for it, or without a thread, it ends early.
    """

    def __init__(self, search: Search, settings: Settings, seed: int) -> None:
        self._stop = Event()
        arguments = (math.inf, NO_VISIT_LIMIT, settings.threads, seed, self._stop.is_set)
        self._thread = Thread(target=self._search_on, args=(search, arguments), name="pondering")
        with suppress(RuntimeError):  # "can't start new thread"
            self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        if self._thread.ident is not None:
            self._thread.join()

    def _search_on(self, search: Search, arguments: tuple[Any, ...]) -> None:
        with suppress(MemoryError):
            search.run(*arguments)
