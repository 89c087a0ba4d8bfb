"""Many games at once as arrays, for learning."""

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
COUNTS = Int(1, 1_000_000)  # 1.7 GB on the largest board


class Batch:
    """Games of one kind and size side by side, as arrays.

    An action is the number of a move, or of the next step of one: a point is y * width + x, counted
    from the lower left; a pass and a swap follow the points. All arrays are new; row 0 of a board
    is at the bottom.
    """

    def __init__(
        self,
        game: str = DEFAULT,
        size: int | tuple[int, int] | None = None,
        *,
        count: int,
        **rules: RuleValue,
    ) -> None:
        """Starts that many games; other arguments as of Game. Raises ValueError."""
        self._fill(Game(game, size, moves=(), **rules), whole("count", count, COUNTS))

    @classmethod
    def of(cls, games: Sequence[Game]) -> Self:
        """Returns a batch of games in progress. Raises ValueError if kind or size differ."""
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
        """The number of actions: points + 2."""
        return self._core.actions

    def play(self, actions: npt.ArrayLike) -> None:
        """Makes a move in each game, except where the action is -1.

        actions: integers [games]. Raises ValueError if one is illegal; then nothing has changed.
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
        """Returns a legal action per game, each with the same chance; -1 where a game is over."""
        check_type("rng", rng, np.random.Generator, "numpy.random.default_rng()")
        actions, begins = self._core.legal_actions()
        counts = np.diff(begins)
        chosen = begins[:-1] + (rng.random(len(counts)) * counts).astype(np.int64)
        padded = np.append(actions, NO_ACTION)
        return np.where(counts > 0, padded[np.minimum(chosen, len(actions))], NO_ACTION)

    def legal_mask(self) -> npt.NDArray[np.bool_]:
        """Returns which actions are legal, bool [games, actions]; none once a game is over."""
        return self._core.legal_mask()

    def boards(self) -> npt.NDArray[np.int8]:
        """Returns the points, int8 [games, height, width]; values as of Game.board."""
        return self._core.cells()

    def planes(self) -> npt.NDArray[np.uint8]:
        """Returns the input features of our networks, uint8 [games, planes, height, width].

        Values are from 0 to 127, for the side to move; `plane_names` says what each one is.
        """
        return np.stack([_planes(position, len(self.plane_names)) for position in self.positions()])

    def to_move(self) -> npt.NDArray[np.int8]:
        """Returns the color to move of each game, 0 black and 1 white."""
        return self._core.to_move()

    def results(self) -> npt.NDArray[np.int8]:
        """Returns the result of each game: 0 black won, 1 white won, 2 a draw, 3 not over."""
        return self._core.results()

    def is_over(self) -> npt.NDArray[np.bool_]:
        """Returns which games are over."""
        return np.not_equal(self.results(), UNFINISHED)

    def restart(self, games: npt.ArrayLike) -> None:
        """Starts some games again; games: their numbers, or bool [games]. Raises ValueError."""
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
        """Returns the position of each game."""
        return [self._core.position(number) for number in range(len(self))]


def _planes(position: _core.Position, count: int) -> npt.NDArray[np.uint8]:
    """Returns the features of a position, on the board as it lies."""
    transposed, mirrored, flipped = position.shown_in()
    shape = (position.height, position.width)
    planes = position.planes()[:count].reshape(count, *(shape[::-1] if transposed else shape))
    if flipped:
        planes = planes[:, ::-1]
    if mirrored:
        planes = planes[:, :, ::-1]
    return planes.transpose(0, 2, 1) if transposed else planes
