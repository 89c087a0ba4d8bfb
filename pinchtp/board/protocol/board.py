"""The board and the moves on it."""

from __future__ import annotations

from pinchtp.board.protocol.base import ColorName, Part


class Captured(Part, frozen=True):
    """A point whose stone was flipped or captured.

    was: the cell before; step: the step of the cascade, from 1.
    """

    at: int
    was: int
    step: int


class BoardMarker(Part, frozen=True):
    """Marked stones of a color. name: the reason, e.g. `atari`: groups with one liberty."""

    name: str
    color: ColorName
    points: list[int]


class BoardView(Part, frozen=True):
    """A board to draw.

    cells: from the lower left, row by row: 0 empty, 1 black, 2 white, 3 and 4 their kings, 5 empty
    but banned for this move, -1 not a point. columns, rows: labels, from the left and from the
    bottom. ground: the board without stones, as elements of SVG. chain: the winning chain. last:
    points of the last move. captured: its captures by step. lifted: colors of the stones still to
    place in this move. top_owner: the color that joins top and bottom, while the other one joins
    left and right; None in games without sides.
    """

    width: int
    height: int
    cells: list[int]
    columns: list[str]
    rows: list[str]
    ground: str
    chain: list[int]
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

    points: legal clicks in every game: the point of a stone, or the next step of a move. turns: in
    games that move stones, all complete moves (paths, with captured points where ambiguous), or
    those that continue `State.chosen`; else empty. pass_loses: whether a pass is legal and ends the
    game with a loss. todo: a sentence about the next step, or empty. refusals: by point, why a
    click there is illegal, unless obvious.
    """

    points: list[int]
    turns: list[LegalTurn]
    pass_loses: bool
    todo: str
    refusals: dict[int, str]


class VariationMove(Part, frozen=True):
    """A move of a variation. points: of its steps; empty for a swap or a pass.

    changes: the cells that it changes, and their new values (see BoardView.cells).
    """

    color: ColorName
    text: str
    points: list[int]
    changes: list[tuple[int, int]]
