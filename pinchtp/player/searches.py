"""Searches of positions, as the settings, the game and the level ask for."""

from __future__ import annotations

from pathlib import Path

from pinchtp._core import Network, Position, Search, Solver
from pinchtp.games import ALPHA_BETA, GAMES, MCTS, UCT
from pinchtp.player import network
from pinchtp.player.levels import Level
from pinchtp.player.settings import AUTO, PACKAGED, PLAYOUTS, Settings

UCT_EXPLORATION = 0.7
"""The factor of plain UCT, for winrates in [0, 1]: about the square root of a half, as in Kocsis
and Szepesvári, Bandit based Monte-Carlo Planning, 2006."""


class Searches:
    """Makes new searches."""

    def __init__(self, settings: Settings) -> None:
        """Raises ValueError for a search that the game does not have, and NetworkError (one of
        those) for a file that holds no network of that game.
        """
        self._settings = settings
        self._networks = Networks(settings.network)
        self.check_network(settings.game)
        game = GAMES[settings.game]
        if settings.search not in (AUTO, *game.searches):
            raise ValueError(
                f"{game.title} has no search {settings.search!r}; "
                f"give one of {', '.join((AUTO, *game.searches))}"
            )

    def check_network(self, game: str) -> None:
        """Raises NetworkError where the file in the settings holds a network of another game."""
        self._networks.check(game)

    def new(self, position: Position) -> Search:
        """One at full strength. Raises NetworkError where the network does not fit the game."""
        memory, kind = self._settings.memory, self._kind(position)
        if kind == ALPHA_BETA:
            return Search(position, method=ALPHA_BETA, memory_mb=memory)
        if kind == UCT:
            return Search(
                position,
                memory_mb=memory,
                exploration=UCT_EXPLORATION,
                amaf_visits=0,
                threats=False,
            )
        return Search(position, memory_mb=memory, network=self._networks.of(position))

    def at_level(self, position: Position, level: Level) -> tuple[Search, int]:
        """One for a level below full strength, and its visits: always Monte-Carlo tree search."""
        loaded = self._networks.of(position)
        search = Search(
            position,
            memory_mb=self._settings.memory,
            network=loaded,
            threats=level.threats,
        )
        return search, level.visits if loaded else level.playouts

    def solver(self, position: Position) -> Solver:
        """One for positions of this game, size and options.

        Raises MemoryError if the system does not grant the memory, NetworkError as new() does.
        """
        guides = GAMES[position.game].guides_solver
        guide = self._networks.of(position) if guides else None
        return Solver(position, memory_mb=self._settings.memory, network=guide)

    def by_visits(self, position: Position) -> bool:
        """Whether new() searches best moves most, so that visits tell which one leads."""
        return self._kind(position) != ALPHA_BETA

    def slope(self, position: Position, level: Level) -> float:
        """By which win rates are calibrated: of new(), or below full strength of at_level()."""
        judged = not level.is_full_strength or self._kind(position) == MCTS
        return self._networks.slope(position) if judged else 1

    def _kind(self, position: Position) -> str:
        """The search for this game; its own where it does not have the one that is set."""
        asked, own = self._settings.search, GAMES[position.game].searches
        if asked in own:
            return asked
        return own[0] if self._settings.network == PACKAGED else MCTS


class Networks:
    """The networks that judge positions, each loaded when its game is first searched."""

    def __init__(self, source: str | Path) -> None:
        """source: as in the settings; a file as a Path. Raises NetworkError for a file that holds
        no network, and ValueError for a word that is none of the settings'.
        """
        if isinstance(source, str) and source not in (PACKAGED, PLAYOUTS):
            raise ValueError(f"{source!r}: give {PACKAGED!r}, {PLAYOUTS!r} or the Path of a file")
        self._source = source
        self._given = network.read(source) if isinstance(source, Path) else None
        self._loaded: dict[str, tuple[Network | None, float]] = {}

    def check(self, game: str) -> None:
        """Raises NetworkError where the file given holds a network of another game."""
        if self._given is not None:
            network.check_game(self._given, game, str(self._source))

    def of(self, position: Position) -> Network | None:
        """The network for positions of this game, None where random playouts judge.

        Raises NetworkError where it does not fit the game.
        """
        return self._of(position)[0]

    def slope(self, position: Position) -> float:
        """By which win rates of positions of this game are calibrated."""
        return self._of(position)[1]

    def _of(self, position: Position) -> tuple[Network | None, float]:
        if position.game not in self._loaded:
            self._loaded[position.game] = self._load(position)
        return self._loaded[position.game]

    def _load(self, position: Position) -> tuple[Network | None, float]:
        file, name = self._given, str(self._source)
        if file is None:
            path = network.packaged(position.game) if self._source != PLAYOUTS else None
            if path is None:
                return None, 1
            file, name = network.read(path), str(path)
        return network.load(file, position, name), file.slope
