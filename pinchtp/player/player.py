"""The player: searches of a session's positions, with a tree that follows the game."""

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
from pinchtp.player.timed_search import TimedSearch, is_forced

NO_VISIT_LIMIT = 2**31  # more would overflow the tree's counters

UCT_EXPLORATION = 0.7
"""The factor of plain UCT, for winrates in [0, 1]: about the square root of a half, as in Kocsis
and Szepesvári, Bandit based Monte-Carlo Planning, 2006."""

# Each further part of a turn is searched with as many visits as the first part, but at most this
# many, which take about 20 ms. Compared with taking the parts from the principal variation, this
# won 71 of 100 games at 300 visits, and 46 of 60 at 1500 (Pinch with relocation, 9x9).
PART_VISITS = 1000
LEAST_PART = 0.001  # minimum seconds for each further part

SEED_STEP = 0x9E3779B97F4A7C15  # 2**64 divided by the golden ratio: its multiples are far apart

# Samples of the ownership. On 13x13 both take some 5 ms; the standard deviations per point are
# 0.011 for playouts and 0.005 for a network, which expects an owner instead of drawing one.
OWNERSHIP_PLAYOUTS, OWNERSHIP_EVALUATIONS = 1000, 100


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a search. It ends at the first one reached.

    seconds: maximum time. visits: maximum visits, including those of earlier searches in the same
    tree; see Search.run(). should_stop: called every millisecond; ends the search by returning
    True. allowed: the moves to consider; empty: all.
    """

    seconds: float = math.inf
    visits: int | None = None
    should_stop: Callable[[], bool] | None = None
    allowed: Sequence[int] = ()


class Player:
    """A player, which searches positions of a session. Its tree follows the game."""

    def __init__(self, settings: Settings, networks: Networks | None = None) -> None:
        """networks: the networks of the settings, if they are already loaded.

        Raises ValueError for a search that the game does not have, and NetworkError, which is a
        ValueError, for a file that is not a network of the game.
        """
        self.settings = settings
        self._networks = networks or Networks(settings.network)
        self.check_game(settings.game)
        self._search: Search | None = None
        self._root: tuple[Position, tuple[int, ...]] | None = None  # start and moves of the game
        self._pondering: Pondering | None = None
        self.forget()

    def check_game(self, name: str) -> None:
        """Raises NetworkError if the settings name a file with a network of another game, and
        ValueError if they name a search that the game does not have.
        """
        self._networks.check(name)
        game = GAMES[name]
        if self.settings.search not in (AUTO, *game.searches):
            raise ValueError(
                f"{game.title} has no search {self.settings.search!r}: "
                f"give one of {', '.join((AUTO, *game.searches))}"
            )

    def forget(self, seed: int | None = None) -> None:
        """Drops the tree and sets the seed.

        seed: default: that of the settings, or a random one.
        """
        self.stop_pondering()
        self._search = self._root = None
        if seed is None:
            seed = self.settings.seed
        self._seed = int.from_bytes(os.urandom(8)) >> 1 if seed is None else seed

    @property
    def level(self) -> Level:
        """The level of its moves; search() is always at full strength."""
        return LEVELS[self.settings.level - 1]

    def search(self, session: Session, limits: Limits, step: int = 0) -> Report:
        """Searches the position of a session that is not over, at full strength.

        step: the number of this step, if a search has several; each draws other random numbers.

        Returns a report of the moves, best first; it has at least one. Raises NetworkError for a
        network of another game, and MemoryError if the tree cannot be allocated.
        """
        search = self._search_at(session)
        self._run(search, session, limits, step)
        return self._calibrate(session, search.report(), FULL_STRENGTH)

    def reports(
        self, session: Session, limits: Limits, interval: float, first: float | None = None
    ) -> Iterator[Report]:
        """Searches like search(); yields a report at each interval, in seconds, and at the end.

        first: the seconds before the first report; None: an interval.
        """
        search = self._search_at(session)
        for report in self._slices(search, session, limits, interval, limits.seconds, first=first):
            yield self._calibrate(session, report, FULL_STRENGTH)

    def search_at_level(self, session: Session, limits: Limits) -> Report:
        """Searches like search(), but at the strength of the level, for choose()."""
        search, limits = self._search_for_move(session, limits)
        self._run(search, session, limits)
        return self._calibrate(session, search.report(), self.level)

    def search_reports(
        self, session: Session, limits: Limits, interval: float, time_manager: TimeManager
    ) -> Iterator[Report]:
        """Searches like search_at_level(), within the time of a time manager.

        Yields a report at each interval, in seconds, and at the end. With a limit of visits, only
        time ends the search earlier, so that the limit is met exactly; but a forced turn gets no
        more visits than a part of a turn.

        time_manager: determines the time, from the beginning of the move; `limits.seconds` is
        ignored.
        """
        search, limits = self._search_for_move(session, limits)
        if limits.visits is not None:
            if is_forced(session.position, limits.allowed):
                limits = replace(limits, visits=min(limits.visits, PART_VISITS))
            seconds = time_manager.search_time().optimum - time_manager.elapsed
            for report in self._slices(search, session, limits, interval, seconds):
                yield self._calibrate(session, report, self.level)
            return

        def run_step(seconds: float, number: int) -> tuple[Report, bool]:
            is_over = self._run(search, session, replace(limits, seconds=seconds), number)
            return search.report(), is_over

        kind = self._search_kind(session.position)  # lower levels have a limit of visits
        known = search.report()
        timed_search = TimedSearch(
            run_step, time_manager, session.position, known, by_visits=kind != ALPHA_BETA
        )
        for report in timed_search.reports(interval):
            yield self._calibrate(session, report, self.level)

    def _slices(  # noqa: PLR0913  (a search and its times)
        self,
        search: Search,
        session: Session,
        limits: Limits,
        interval: float,
        seconds: float,
        *,
        first: float | None = None,
    ) -> Iterator[Report]:
        deadline = monotonic() + seconds
        is_over = False
        step = 0
        while not is_over:
            left = max(deadline - monotonic(), 0)
            pause = first if first is not None and step == 0 else interval
            is_over = self._run(search, session, replace(limits, seconds=min(pause, left)), step)
            is_over = is_over or pause >= left
            step += 1
            yield search.report()

    def choose(self, session: Session, report: Report) -> Choice:
        """Returns the choice after search_at_level(), drawn as the level determines."""
        return self.level.draw(report.choices, Random(self._seed_at(session)))

    def choose_turn(
        self, session: Session, report: Report, seconds: float = math.inf
    ) -> tuple[int, ...]:
        """Returns the moves of the turn after search_at_level(); empty if it resigns.

        With the option `move_parts` it is only the next part of the turn. seconds: maximum time for
        all further parts.
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

        visits: the visits of the search that made the choice. seconds: maximum time for all further
        parts.
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
        """Returns the expected owner of each point at the end of the game, estimated from the tree.

        The values are from 1 (black) to -1 (white), indexed by move.
        """
        search = self._search_at(session)
        is_mcts = self._search_kind(session.position) == MCTS
        by_network = is_mcts and self.network(session.position) is not None
        samples = OWNERSHIP_EVALUATIONS if by_network else OWNERSHIP_PLAYOUTS
        return search.ownership(self._seed, samples)

    def network(self, position: Position) -> Network | None:
        """Returns the network for a position; None where playouts evaluate it.

        Raises NetworkError for a network of another game.
        """
        return self._networks.of(position)

    def solver(self, position: Position) -> Solver:
        """Returns a solver for positions with the game, size and options of a position.

        It uses the memory of the tree, which is dropped, and the threads of the search.

        Raises MemoryError if the memory cannot be allocated, and NetworkError, which is a
        ValueError, for a network of another game.
        """
        self.forget()
        guides = GAMES[position.game].guides_solver
        guide = self._networks.of(position) if guides else None
        settings = self.settings
        return Solver(position, memory_mb=settings.memory, network=guide, threads=settings.threads)

    def ponder(self, session: Session) -> None:
        """Searches in the background, on the opponent's time, until any other call.

        Only at full strength, because lower levels do not use the kept tree.
        """
        if not session.is_over and self.level.is_full_strength:
            with suppress(MemoryError):
                self._pondering = Pondering(self._search_at(session), self.settings, self._seed)

    def stop_pondering(self) -> None:
        """Ends pondering within milliseconds; its results stay in the tree."""
        if self._pondering is not None:
            self._pondering.stop()
            self._pondering = None

    def _seed_at(self, session: Session) -> int:
        """Returns the seed for the next move or part, unrelated to those of neighboring seeds."""
        return (self._seed * SEED_STEP + len(session.moves)) % 2**64

    def _run(self, search: Search, session: Session, limits: Limits, step: int = 0) -> bool:
        """Runs a search; returns whether it is over for another reason than its seconds."""
        return search.run(
            limits.seconds,
            NO_VISIT_LIMIT if limits.visits is None else limits.visits,
            self.settings.threads,
            (self._seed_at(session) + (step << 32)) % 2**64,
            limits.should_stop,
            limits.allowed,
        )

    def _calibrate(self, session: Session, report: Report, level: Level) -> Report:
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

        Raises NetworkError for a network of another game, and MemoryError.
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
        """Returns the name of the search for the game of a position.

        If the game does not have the search of the settings, it is the game's default; with
        another network than the packaged one it is MCTS.
        """
        chosen = self.settings.search
        searches = GAMES[position.game].searches
        if chosen in searches:
            return chosen
        return searches[0] if self.settings.network == PACKAGED else MCTS


class Pondering:
    """A search in a background thread, until stop().

    It ends early if memory runs out or the thread cannot be started.
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
