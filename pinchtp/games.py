"""The games pinchtp plays: one entry each, from which everything else takes its facts."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from pinchtp import _core
from pinchtp._core import MAX_SIZE, MIN_SIZE, Position
from pinchtp.notation import Notation, PointNotation
from pinchtp.notation.bushka import BushkaNotation

__all__ = ["GAMES", "MAX_SIZE", "MIN_SIZE", "Color", "Game", "Position"]


SINGLE_POINTS = PointNotation()


class Color(IntEnum):
    """A player, by the color of the stones; the values are those of the core."""

    BLACK = 0
    WHITE = 1

    @property
    def opponent(self) -> Color:
        return Color(1 - self)

    def __str__(self) -> str:
        return self.name.lower()


@dataclass(frozen=True)
class Game:
    """What tells one game from another outside the core.

    name: as typed by users and as the core knows it. title: as shown to people.
    size: columns and rows when nobody asks for others. smallest, largest: the sizes there are.
    pie: whether the second player may swap unless told otherwise.
    swaps, crosscut, handicap: whether a swap, four stones in the centre at the start, or black
    stones in advance can be agreed.
    sides: whether each player owns two opposite sides of the board.
    first: who moves first.
    places: whether a turn puts a stone on the board, rather than move one that is there.
    mean_turns: how many turns a game of the engine against itself has, as a share of the points of
    its board, from which the clock estimates how many are still to come.
    boards: those it is measured on, if not only the usual one.
    exploration: the search's factor of exploration, None for what it was tuned to in Pinch.
    cells: what can be on a point, as in Position.cells().
    goal: how a game is won, for people, and victory: how it was, of {winner} or {loser}; both where
    nobody owns sides.
    refusal: why a stone may not be put on an empty point, if that can be.
    sgf_number: the game's GM in SGF, None where it has none.
    """

    name: str
    title: str
    size: tuple[int, int]
    pie: bool
    mean_turns: float
    swaps: bool = True
    sides: bool = False
    first: Color = Color.BLACK
    crosscut: bool = False
    handicap: bool = False
    places: bool = True
    smallest: int = MIN_SIZE
    largest: int = MAX_SIZE
    notation: Notation = SINGLE_POINTS
    boards: tuple[tuple[int, int], ...] = ()
    exploration: float | None = None
    cells: bytes = bytes([0, 1, 2])
    goal: str = ""
    victory: str = ""
    refusal: str = ""
    sgf_number: int | None = None

    @property
    def id(self) -> str:
        """The title as one word, as GoGui wants it."""
        return self.title.title().replace(" ", "")

    def start(self, width: int, height: int, *, pie: bool, crosscut: bool = False) -> Position:
        """The starting position. Raises ValueError for a size out of range."""
        return _core.new_position(self.name, width, height, pie=pie, crosscut=crosscut)

    def set_up(
        self, width: int, height: int, cells: bytes, to_move: Color, *, swapped: bool = False
    ) -> Position:
        """A position set up by hand; cells as in Position.cells().

        There is no swap in it. Raises ValueError for what makes no position.
        """
        return _core.set_up(self.name, width, height, cells, to_move, swapped=swapped)


GAMES: dict[str, Game] = {
    game.name: game
    for game in (
        Game(
            name="pinch",
            title="Pinch",
            size=(11, 11),
            pie=True,
            sides=True,
            mean_turns=0.6,
            boards=((9, 9), (11, 11), (13, 13), (19, 19)),
        ),
        Game(
            name="pinch-remove",
            title="Pinch with removal",
            size=(9, 9),
            pie=True,
            sides=True,
            mean_turns=0.9,
            boards=((13, 13),),
            cells=bytes([0, 1, 2, 5]),
            refusal="a stone was captured there",
        ),
        Game(
            name="pinch-relocate",
            title="Pinch with relocation",
            size=(13, 13),
            pie=True,
            sides=True,
            mean_turns=0.6,
            notation=PointNotation(has_parts=True),
            cells=bytes([0, 1, 2, 5]),
            refusal="it changed in this turn, or a stone there would capture one on such a point",
        ),
        Game(
            name="capture-go",
            title="First Capture Go",
            size=(9, 9),
            pie=False,
            mean_turns=0.6,
            crosscut=True,
            handicap=True,
            goal="the first capture wins, a pass loses",
            victory="{winner} has captured",
            refusal="a stone there would have no liberty",
            sgf_number=1,
        ),
        Game(
            name="bushka",
            title="Bushka",
            size=(10, 10),
            pie=False,
            mean_turns=0.8,
            swaps=False,
            first=Color.WHITE,
            places=False,
            smallest=10,
            largest=10,
            notation=BushkaNotation(),
            # Without all-moves-as-first statistics the default is far too little: 0.5 won 50.5 of
            # 60 games against it (600 visits); 0.7 won as many as 0.5 and 1 (100 games of 1500).
            exploration=0.7,
            cells=bytes([0, 1, 2, 3, 4, 255]),
            goal="who cannot move loses",
            victory="{loser} cannot move",
        ),
    )
}
