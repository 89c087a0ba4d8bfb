"""Why a move is refused, for people."""

from __future__ import annotations

from pinchtp._core import PASS, SWAP
from pinchtp.games import PIE, Game, Position
from pinchtp.games.cells import BANNED, PIECES
from pinchtp.games.notation import cell_of, coordinates, format_move


def reason(game: Game, position: Position, move: int) -> str:
    """Why a move that is not legal in a position, whose game goes on, is not."""
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
        return f"{text} is occupied" if game.places else f"{text} cannot be chosen here"
    if cell == BANNED:
        return f"{text} is banned for this move: {game.refusal}"
    why = f": {game.refusal}" if cell == 0 and game.refusal else " is no point to move to"
    return f"{text}{why}"
