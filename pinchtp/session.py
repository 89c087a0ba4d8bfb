"""A game in progress: positions, history, undo, result and clocks. Knows no protocol."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pinchtp._core import PASS, SWAP
from pinchtp.clock import Clock, TimeControl
from pinchtp.games import Color, Game, Position
from pinchtp.notation import coordinates, format_move, point

NO_LIMIT = TimeControl.none()


class IllegalMove(ValueError):
    """The move is against the rules; the text says why."""


class CannotUndo(ValueError):
    """There are not that many moves to take back."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One entry of the history: who did what, and the position after it.

    move is None for a resignation; PASS after the end of the game changes nothing. winrate: the
    chance to win that the engine gave this color when it chose the move, None for a move that came
    from outside. comment: what is to be said about it.
    """

    color: Color
    move: int | None
    position: Position
    winrate: float | None = None
    comment: str = ""


@dataclass(frozen=True, slots=True)
class GameInfo:
    """What a record tells about a game besides its moves; empty where nothing is known.

    black, white: the players' names. date: of the game, as SGF writes it. control: the time system
    it was played with, which need not be that of the clocks here.
    """

    black: str = ""
    white: str = ""
    date: str = ""
    name: str = ""
    comment: str = ""
    control: TimeControl = NO_LIMIT


NOTHING_KNOWN = GameInfo()


class Session:
    """One game at a time, from its start to any point in it and back.

    A refused call leaves everything as it was.
    """

    def __init__(self, game: Game, width: int, height: int, *, pie: bool) -> None:
        """Raises ValueError for a size out of range."""
        self.game = game
        self.pie = pie
        self.start = game.start(width, height, pie=pie)
        self.history: list[Turn] = []
        self.info = NOTHING_KNOWN
        self.control = NO_LIMIT
        self._clocks: dict[Color, Clock] = {}
        self.restart_clocks()

    # --- the game

    def restart(self, width: int | None = None, height: int | None = None) -> None:
        """A new game, on a board of another size if one is given.

        Raises ValueError for a size out of range.
        """
        width = self.start.width if width is None else width
        height = self.start.height if height is None else height
        self.load(self.game.start(width, height, pie=self.pie))

    def load(
        self, start: Position, turns: Sequence[Turn] = (), info: GameInfo = NOTHING_KNOWN
    ) -> None:
        """A game from elsewhere, in which each turn's position follows from the one before.

        Both clocks start afresh.
        """
        self.start = start
        self.history = list(turns)
        self.info = info
        self.restart_clocks()

    def set_up(self, position: Position) -> None:
        """A new game from a position of this game that was set up; the clocks go on as they are."""
        self.start = position
        self.history = []
        self.info = NOTHING_KNOWN

    @property
    def position(self) -> Position:
        return self.history[-1].position if self.history else self.start

    @property
    def to_move(self) -> Color:
        return Color(self.position.to_move)

    @property
    def moves(self) -> tuple[int, ...]:
        """The moves that led from the start to the position, without what came after the end."""
        return tuple(
            turn.move for turn in self.history if turn.move is not None and turn.move != PASS
        )

    @property
    def last_move(self) -> int | None:
        """The latest placement or swap."""
        return self.moves[-1] if self.moves else None

    def captured(self) -> list[int]:
        """The points whose stone the latest move flipped or took off the board; none for a swap."""
        for before, turn in reversed(self._steps()):
            if turn.move == SWAP:
                return []
            if turn.move not in (None, PASS):
                cells = zip(before.cells(), turn.position.cells(), strict=True)
                width = before.width
                return [
                    point(at % width, at // width)
                    for at, (old, new) in enumerate(cells)
                    if old not in (0, new)
                ]
        return []

    def lost(self) -> tuple[int, int]:
        """How many of Black's and White's stones have left the board; one that flips has not."""
        lost = [0, 0]
        for before, turn in self._steps():
            old, new = before.cells(), turn.position.cells()
            if turn.move in (None, PASS, SWAP) or new.count(0) == old.count(0) - 1:
                continue
            for color in Color:
                placed = color == turn.color
                lost[color] += old.count(color + 1) + placed - new.count(color + 1)
        return lost[0], lost[1]

    def _steps(self) -> list[tuple[Position, Turn]]:
        """Each turn with the position before it."""
        before = [self.start, *(turn.position for turn in self.history)]
        return list(zip(before, self.history, strict=False))

    @property
    def resigned(self) -> Color | None:
        for turn in reversed(self.history):  # passes at the most come after a resignation
            if turn.move != PASS:
                return turn.color if turn.move is None else None
        return None

    @property
    def is_over(self) -> bool:
        return self.position.result is not None or self.resigned is not None

    @property
    def winner(self) -> Color | None:
        """Who has won, on the board or by resignation; None for a draw or an unfinished game."""
        if self.position.result in (0, 1):
            return Color(self.position.result)
        return None if self.resigned is None else self.resigned.opponent

    def play(
        self, color: Color, move: int, *, winrate: float | None = None, comment: str = ""
    ) -> None:
        """Makes a move. Once the game is over either color may pass, and nothing else.

        winrate, comment: see Turn. Raises IllegalMove.
        """
        self.history.append(Turn(color, move, self._after(color, move), winrate, comment))

    def resign(self, color: Color, *, winrate: float | None = None, comment: str = "") -> None:
        """Ends the game. Raises IllegalMove if it is over."""
        if self.is_over:
            raise IllegalMove("the game is over")
        self.history.append(Turn(color, None, self.position, winrate, comment))

    def undo(self, count: int = 1) -> None:
        """Takes back so many moves (swaps, passes and resignations count). Raises CannotUndo."""
        if count > len(self.history):
            raise CannotUndo(f"{len(self.history)} moves were played, {count} cannot be taken back")
        del self.history[len(self.history) - count :]

    def _after(self, color: Color, move: int) -> Position:
        position = self.position
        if self.is_over:
            if move == PASS:
                return position
            raise IllegalMove("the game is over")
        if color != self.to_move:
            raise IllegalMove(f"it is {self.to_move}'s turn")
        if not position.is_legal(move):
            raise IllegalMove(_reason(position, move))
        return position.play(move)

    # --- the clocks

    def set_time(self, control: TimeControl) -> None:
        """Gives both players a fresh clock of this kind."""
        self.control = control
        self.restart_clocks()

    def restart_clocks(self) -> None:
        self._clocks = {color: Clock.start(self.control) for color in Color}

    def clock(self, color: Color) -> Clock:
        return self._clocks[color]

    def set_clock(self, color: Color, clock: Clock) -> None:
        self._clocks[color] = clock

    def moves_left(self) -> float:
        """An estimate of how many moves each color still has to make, 1 at the least.

        The game is taken to end when `Game.mean_share` of the points are filled, and never within
        a tenth of the board: a long game has to be paid for too.
        """
        points = self.start.width * self.start.height
        placed = sum(move != SWAP for move in self.moves)
        return max((self.game.mean_share * points - placed) / 2, points / 20, 1)


def _reason(position: Position, move: int) -> str:
    """Why a move that is not legal is not."""
    if move == SWAP and position.pie:
        return "a swap is possible only as the second move"
    if move == SWAP:
        return "there is no pie rule"
    if move == PASS:
        return "a pass is not possible here"
    x, y = coordinates(move)
    if not (0 <= x < position.width and 0 <= y < position.height):
        return "that point is not on the board"
    return f"{format_move(move)} is occupied"
