"""The board, legal moves and variations."""

from __future__ import annotations

from pinchtp.board.protocol.base import ColorName, Part


class Captured(Part, frozen=True):
    """A point where a stone was flipped or removed.

    was: the previous value of the cell. step: the step of the cascade, from 1.
    """

    at: int
    was: int
    step: int


class BoardMarker(Part, frozen=True):
    """Marked stones of a color. name: the reason, such as `atari`: groups with one liberty."""

    name: str
    color: ColorName
    points: list[int]


class BoardView(Part, frozen=True):
    """A board to draw.

    cells: by rows from the lower left; 0 empty, 1 black, 2 white, 3 a black king, 4 a white king, 5
    empty but banned for this move, -1 not a point.
    columns, rows: labels, from the left and from the bottom.
    ground: the board without stones, as SVG elements.
    chain: the points of the winning chain.
    distances: those of the chain's points from the side where it starts.
    last: the points of the last move.
    captured: the captures of the last move, by step.
    lifted: the colors of the stones still to be placed in this move.
    top_owner: the color that joins top and bottom; None in games without sides.
    """

    width: int
    height: int
    cells: list[int]
    columns: list[str]
    rows: list[str]
    ground: str
    chain: list[int]
    distances: list[int]
    last: list[int]
    captured: list[Captured]
    notes: list[BoardMarker]
    lifted: list[ColorName]
    top_owner: ColorName | None


class LegalTurn(Part, frozen=True):
    """A legal move, or the rest of one: the points of its steps, and the captured points."""

    text: str
    parts: list[int]
    captured: list[int]


class Legal(Part, frozen=True):
    """The legal moves of the side to move.

    points: the legal clicks: the point of a stone, or the next step of a move.
    turns: in games that move stones, all complete moves, or the continuations of `State.chosen`;
    empty in other games.
    pass_loses: whether a pass is legal and ends the game with a loss.
    todo: a sentence about the next step, or empty.
    refusals: the reasons why clicks on empty points are illegal, by point.
    """

    points: list[int]
    turns: list[LegalTurn]
    pass_loses: bool
    todo: str
    refusals: dict[int, str]


class VariationMove(Part, frozen=True):
    """A move of a variation.

    points: the points of its steps; empty for a swap or a pass. changes: the points that it
    changes, with their new values (see BoardView.cells).
    """

    color: ColorName
    text: str
    points: list[int]
    changes: list[tuple[int, int]]
