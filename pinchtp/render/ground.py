"""The layout of the board without stones, for all pictures: sides, lines and coordinates.

The origin is the upper left corner, as in SVG and in images.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from pinchtp.games.game import NO_CELL
from pinchtp.games.session import Session

Place: TypeAlias = tuple[float, float]  # x and y

FRAME, WOOD, GRID, INK = "#b9854a", "#ecc689", "#8b6532", "#3d2a12"


@dataclass(frozen=True)
class BoardLayout:
    """The layout of a session's board, in any unit of length.

    cell: the distance between points. margin: the width outside of the colored sides. band: the
    width of the colored sides.
    """

    session: Session
    cell: float
    margin: float
    band: float

    @property
    def columns(self) -> int:
        return self.session.position.width

    @property
    def rows(self) -> int:
        return self.session.position.height

    @property
    def left(self) -> float:
        """The start of the points' area, which is also its top."""
        return self.margin + self.band

    @property
    def width(self) -> float:
        return 2 * self.left + self.columns * self.cell

    @property
    def height(self) -> float:
        return 2 * self.left + self.rows * self.cell

    def x(self, column: int) -> float:
        """Returns the middle of a column."""
        return self.left + (column + 0.5) * self.cell

    def y(self, row: int) -> float:
        """Returns the middle of a row. row: from 0 at the bottom."""
        return self.left + (self.rows - row - 0.5) * self.cell

    def sides(self) -> Iterator[tuple[int, tuple[Place, ...]]]:
        """Yields the four colored sides: an index into side_owners(), and the corners of the band.

        The bands are cut diagonally at the corners of the board, which belong to both owners.
        """
        out = self.margin
        inn = self.left
        right, bottom = self.width - out, self.height - out
        inner_right, inner_bottom = self.width - inn, self.height - inn
        yield 0, ((out, out), (right, out), (inner_right, inn), (inn, inn))
        yield 0, ((out, bottom), (right, bottom), (inner_right, inner_bottom), (inn, inner_bottom))
        yield 1, ((out, out), (inn, inn), (inn, inner_bottom), (out, bottom))
        yield 1, ((right, out), (inner_right, inn), (inner_right, inner_bottom), (right, bottom))

    def lines(self, reach: float = 0.5) -> Iterator[tuple[Place, Place]]:
        """Yields the lines through all points, vertical lines first.

        reach: the length beyond the outer points, in cells; with 0.5, lines end at the sides.
        """
        more = reach * self.cell
        cells = self.session.position.cells()
        points = [divmod(at, self.columns) for at, cell in enumerate(cells) if cell != NO_CELL]
        for column in range(self.columns):
            x = self.x(column)
            ys = [self.y(row) for row, other in points if other == column]
            yield (x, min(ys) - more), (x, max(ys) + more)
        for row in range(self.rows):
            y = self.y(row)
            xs = [self.x(column) for other, column in points if other == row]
            yield (min(xs) - more, y), (max(xs) + more, y)

    def labels(self) -> Iterator[tuple[Place, str]]:
        """Yields the middles and texts of the coordinates on all sides."""
        middle = self.margin / 2
        notation = self.session.game.notation
        for column in range(self.columns):
            for y in (middle, self.height - middle):
                yield (self.x(column), y), notation.columns[column]
        for row in range(self.rows):
            for x in (middle, self.width - middle):
                yield (x, self.y(row)), notation.row_label(row)
