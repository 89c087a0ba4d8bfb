"""What can be on a point, as encoded by Position.cells()."""

from __future__ import annotations

from pinchtp.games.game import Color

PIECES, KINGS, BANNED, NO_CELL = bytes([1, 2, 3, 4]), bytes([3, 4]), 5, 255


def stone_of(color: Color) -> int:
    """The cell of a color's stone."""
    return color + 1


def color_of(cell: int) -> Color:
    """Whose stone or king a cell has."""
    return Color((cell - 1) % 2)


def own_cells(color: Color) -> bytes:
    """The cells of a color's stones and kings."""
    return bytes([stone_of(color), stone_of(color) + 2])


def without_stones(cells: bytes) -> bytearray:
    """The same board with nothing on it."""
    return bytearray(cell if cell == NO_CELL else 0 for cell in cells)


def count_cells(cells: bytes, kinds: bytes) -> int:
    return sum(map(cells.count, kinds))
