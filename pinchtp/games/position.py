"""Points and cells of a position, and why a move in it is illegal."""

from __future__ import annotations

from pinchtp._core import PASS, SWAP
from pinchtp.games import PIE, GameType, Position
from pinchtp.games.game import Color
from pinchtp.games.notation import cell_of, coordinates, format_move

PIECES, KINGS, BANNED, NO_CELL = bytes([1, 2, 3, 4]), bytes([3, 4]), 5, 255


def stone_of(color: Color) -> int:
    """The cell of a color's stone."""
    return color + 1


def color_of(cell: int) -> Color:
    """Returns the color of a stone or king."""
    return Color((cell - 1) % 2)


def own_cells(color: Color) -> bytes:
    """The cells of a color's stones and kings."""
    return bytes([stone_of(color), stone_of(color) + 2])


def without_stones(cells: bytes) -> bytearray:
    """The same board with nothing on it."""
    return bytearray(cell if cell == NO_CELL else 0 for cell in cells)


def count_cells(cells: bytes, kinds: bytes) -> int:
    return sum(map(cells.count, kinds))


def why_illegal(game: GameType, position: Position, move: int) -> str:
    """Returns why a move of a position before the end of its game is illegal."""
    if move == SWAP:
        has_pie = position.options.get(PIE.name)
        return "a swap is possible only as the second move" if has_pie else "there is no pie rule"
    if move == PASS:
        return "a pass is not possible here"
    x, y = coordinates(move)
    if not (0 <= x < position.width and 0 <= y < position.height):
        return f"that point is not on a board of {position.width}x{position.height}"
    cell = position.cells()[cell_of(move, position.width)]
    text = format_move(move)
    if cell in PIECES:
        return f"{text} is occupied" if game.places_stones else f"{text} cannot be chosen here"
    if cell == BANNED:
        return f"{text} is banned for this move: {game.refusal}"
    why = f": {game.refusal}" if cell == 0 and game.refusal else " cannot be moved to"
    return f"{text}{why}"
