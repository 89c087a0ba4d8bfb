"""Batches of games as arrays, for learning."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np
import numpy.typing as npt

from pinchtp import _core
from pinchtp.api.arguments import check_type, whole, wrong
from pinchtp.api.game import Game
from pinchtp.api.sessions import DEFAULT
from pinchtp.base.option_types import Int
from pinchtp.games.game import RuleValue

NO_ACTION = -1
UNFINISHED = 3
COUNTS = Int(1, 1_000_000)  # games; a million take 1.7 GB on the largest board


class Batch:
    """A batch of games of one type and size, played together with numpy arrays.

    An action is the number of a move, or of the next step of a multi-step move. The point in column
    x and row y, both from 0 at the lower left, has the number y * width + x. A pass follows the
    points as width * height, and a swap as width * height + 1.

    Methods return new arrays with one row per game. Row 0 of a board is at the bottom.

    width, height: columns and rows of the board.
    plane_names: the names of the planes that planes() returns.
    """

    def __init__(
        self,
        game: str = DEFAULT,
        size: int | tuple[int, int] | None = None,
        *,
        count: int,
        **rules: RuleValue,
    ) -> None:
        """Starts games.

        game, size, rules: as for Game.
        count: the number of games, from 1 to 1,000,000.

        Raises ValueError for an invalid argument.
        """
        self._fill(Game(game, size, moves=(), **rules), whole("count", count, COUNTS))

    @classmethod
    def of(cls, games: Sequence[Game]) -> Self:
        """Returns a batch with the positions of games.

        games: at least one, all of the same game and size, over by their rules or in progress; a
        position does not show a resignation, so none may have ended by one.

        Raises ValueError for an invalid argument.
        """
        check_type("games", games, Sequence, "a list of games")
        for number, game in enumerate(games):
            check_type(f"games[{number}]", game, Game, "a pinchtp.Game")
        if not games:
            raise ValueError("a batch needs at least one game")
        batch = cls.__new__(cls)
        batch._fill(games[0], len(games))
        for number, game in enumerate(games):
            if (game.name, game.size) != (games[0].name, games[0].size):
                raise ValueError(f"game {number} is {game!r}; game 0 is {games[0]!r}")
            if game.session.resigned is not None:
                raise ValueError(f"games[{number}] was resigned: undo() that, or leave it out")
            batch._core.set(number, game.position)
        return batch

    def _fill(self, game: Game, count: int) -> None:
        self._start = game.position
        self._core = _core.PositionBatch(self._start, count)
        self.width, self.height = game.size
        self.plane_names = tuple(self._start.plane_names)

    def __len__(self) -> int:
        return len(self._core)

    @property
    def num_actions(self) -> int:
        """The number of actions: width * height + 2."""
        return self._core.actions

    def play(self, actions: npt.ArrayLike) -> None:
        """Makes a move, or the next step of one, in each game whose action is not -1.

        actions: integers [games].

        Raises ValueError if an action is illegal; then no game has changed.
        """
        given = np.asarray(actions)
        if given.shape != (len(self),) or given.dtype.kind not in "iu":
            raise wrong("actions", actions, f"an integer for each of the {len(self)} games")
        for game in np.flatnonzero((given < NO_ACTION) | (given >= self.num_actions))[:1]:
            raise wrong(f"actions[{game}]", int(given[game]), f"-1 to {self.num_actions - 1}")
        try:
            self._core.play(np.ascontiguousarray(given, np.int64))
        except ValueError:
            moved = np.flatnonzero(given != NO_ACTION)
            game = moved[np.argmin(self.legal_mask()[moved, given[moved]])]
            raise wrong(f"actions[{game}]", int(given[game]), "an action of legal_mask()") from None

    def random_actions(self, rng: np.random.Generator) -> npt.NDArray[np.int64]:
        """Returns a random legal action per game, int64 [games]; -1 where a game is over.

        All legal actions of a game have the same probability.

        rng: the source of random numbers, such as numpy.random.default_rng().

        Raises ValueError for another type of rng.
        """
        check_type("rng", rng, np.random.Generator, "numpy.random.default_rng()")
        actions, begins = self._core.legal_actions()
        counts = np.diff(begins)
        chosen = begins[:-1] + (rng.random(len(counts)) * counts).astype(np.int64)
        padded = np.append(actions, NO_ACTION)
        return np.where(counts > 0, padded[np.minimum(chosen, len(actions))], NO_ACTION)

    def legal_mask(self) -> npt.NDArray[np.bool_]:
        """Returns whether each action is legal, bool [games, actions].

        After the end of a game, no action is legal.
        """
        return self._core.legal_mask()

    def boards(self) -> npt.NDArray[np.int8]:
        """Returns the boards, int8 [games, height, width], with the values of Game.board."""
        return self._core.cells()

    def planes(self) -> npt.NDArray[np.uint8]:
        """Returns the input features of our networks, uint8 [games, planes, height, width].

        Values are from 0 to 127, from the perspective of the side to move. `plane_names` has the
        names of the planes.
        """
        return np.stack([_planes(position, len(self.plane_names)) for position in self.positions()])

    def to_move(self) -> npt.NDArray[np.int8]:
        """Returns the side to move of each game, int8 [games]: 0 black, 1 white."""
        return self._core.to_move()

    def results(self) -> npt.NDArray[np.int8]:
        """Returns the result of each game, int8 [games].

        0: Black won. 1: White won. 2: a draw. 3: the game is not over.
        """
        return self._core.results()

    def is_over(self) -> npt.NDArray[np.bool_]:
        """Returns whether each game is over, bool [games]."""
        return np.not_equal(self.results(), UNFINISHED)

    def restart(self, games: npt.ArrayLike) -> None:
        """Restarts some games from the start position.

        A batch returned by of() restarts from the position that its first game had then.

        games: the numbers of the games, from 0, or bool [games].

        Raises ValueError for an invalid argument.
        """
        chosen = np.asarray(games)
        if chosen.dtype == bool and chosen.shape == (len(self),):
            chosen = np.flatnonzero(chosen)
        are_numbers = chosen.ndim == 1 and (chosen.dtype.kind in "iu" or not chosen.size)
        if not are_numbers or ((chosen < 0) | (chosen >= len(self))).any():
            last = len(self) - 1
            raise wrong("games", games, f"numbers from 0 to {last}, or {len(self)} bools")
        for number in chosen:
            self._core.set(int(number), self._start)

    def positions(self) -> list[_core.Position]:
        """Returns the position of each game; the type of positions is not stable."""
        return [self._core.position(number) for number in range(len(self))]


def _planes(position: _core.Position, count: int) -> npt.NDArray[np.uint8]:
    """Returns the first `count` planes of a position, uint8 [count, height, width].

    The core may transpose, mirror or flip a board to compute the planes; this undoes it.
    """
    transposed, mirrored, flipped = position.shown_in()
    shape = (position.height, position.width)
    planes = position.planes()[:count].reshape(count, *(shape[::-1] if transposed else shape))
    if flipped:
        planes = planes[:, ::-1]
    if mirrored:
        planes = planes[:, :, ::-1]
    return planes.transpose(0, 2, 1) if transposed else planes
