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
    """The list of puzzles; those of the same board are from easy to hard."""

    request: int
    puzzles: list[PuzzleInfo]


class OpenedPuzzle(Message, frozen=True):
    """A puzzle and its answer. line: best play; its first move is the only winning move."""

    request: int
    id: str
    level: int
    color: ColorName
    line: list[VariationMove]
