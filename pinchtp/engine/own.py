"""Our engine in this process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import monotonic

from pinchtp import __version__
from pinchtp._core import Position
from pinchtp.engine.analysis import Analysis
from pinchtp.engine.engine import NO_INTERVAL
from pinchtp.games.play_result import PlayResult
from pinchtp.games.session import Session
from pinchtp.player.network import Networks
from pinchtp.player.player import Limits, Player
from pinchtp.player.settings import Settings

LEAST_MEMORY = 16  # MB per search
# Bytes of memory per visit, more than any visit takes. A search of few visits gets only the memory
# that it needs, because mapping and unmapping much memory stalls the other threads. At 200 visits
# per search, two threads did 1.2 times the work of one with 256 MB per search, and 1.8 times with
# 16 MB.
VISIT_BYTES = 8192
SEED = 0  # of all searches, so that an analysis by visits is repeatable


class OwnEngine:
    """Our engine. It chooses moves at the level of its settings."""

    name = "pinchtp"
    version = __version__

    def __init__(
        self, settings: Settings, networks: Networks | None = None, *, keeps_tree: bool = True
    ) -> None:
        """networks: the networks of the settings, if they are already loaded.

        keeps_tree: whether a search continues the earlier searches of the game. If not, results do
        not depend on the order of searches, and a search of few visits takes little memory.

        Raises ValueError for settings that do not fit together.
        """
        self.settings = settings
        self._player = Player(settings, networks)
        self._memory = settings.memory
        self._keeps_tree = keeps_tree

    def play(self, session: Session, limits: Limits) -> PlayResult:
        began = monotonic()
        self._prepare(limits)
        report = self._player.search_at_level(session, limits)
        left = limits.seconds - (monotonic() - began)
        moves = self._player.choose_turn(session, report, left)
        return PlayResult.of(session, moves, report.winrate, monotonic() - began)

    def analyze(  # noqa: PLR0913  (as Analyzer's, and `first`)
        self,
        session: Session,
        limits: Limits,
        show: Callable[[Analysis], bool],
        *,
        interval: float = NO_INTERVAL,
        first: float | None = None,
        ownership: bool = False,
    ) -> None:
        """Searches, and shows results, as `Analyzer.analyze()` describes.

        first: seconds before the first result, or None for an interval.
        """
        self._prepare(limits)
        for report in self._player.reports(session, limits, interval, first):
            owners = self._player.ownership(session) if ownership else None
            analysis = Analysis.of(session, report, owners)
            if analysis is not None and not show(analysis):
                return

    def evaluate(self, position: Position) -> tuple[float, list[float]] | None:
        """Returns the network's winrate and its prior of each legal move, without a search.

        The winrate is that of the side to move, in [0, 1]; the priors are in the order of
        legal_moves(). None in a game without a network. Raises NetworkError for a network of
        another game.
        """
        network = self._player.network(position)
        if network is None:
            return None
        winrate, priors, _ = position.evaluate(network)
        return winrate, priors

    def forget(self) -> None:
        """Frees the memory of the last search."""
        self._player.forget()

    def close(self) -> None:
        self.forget()

    def _prepare(self, limits: Limits) -> None:
        if not self._keeps_tree:
            self._player.forget()
            self.settings.memory = _memory_for(limits, self._memory)


def own_engines(settings: Settings, count: int) -> list[OwnEngine]:
    """Returns engines of one thread each that share the memory and do not keep their trees.

    Raises ValueError for settings that do not fit together.
    """
    memory = max(settings.memory // count, LEAST_MEMORY)
    seed = SEED if settings.seed is None else settings.seed
    shared = replace(settings, threads=1, memory=memory, seed=seed)
    return [OwnEngine(replace(shared), keeps_tree=False) for _ in range(count)]


def _memory_for(limits: Limits, most: int) -> int:
    """Returns the memory of a search in MB."""
    if limits.visits is None:
        return most
    return min(most, LEAST_MEMORY + (limits.visits * VISIT_BYTES >> 20))
