"""The puzzles that come with the board."""

from __future__ import annotations

from pinchtp.board.protocol.base import ColorName, Message, Part
from pinchtp.board.protocol.board import VariationMove


class PuzzleInfo(Part, frozen=True):
    """A puzzle in the list."""

    id: str
    game: str
    width: int
    height: int
    level: int
    solved: bool


class Puzzles(Message, frozen=True):
    """The puzzles, those of a board from easy to hard grades."""

    request: int
    puzzles: list[PuzzleInfo]


class OpenedPuzzle(Message, frozen=True):
    """A puzzle on the board. line: best play; only its first move wins."""

    request: int
    id: str
    level: int
    color: ColorName
    line: list[VariationMove]
