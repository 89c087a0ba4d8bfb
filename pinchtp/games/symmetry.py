"""Symmetries of the board, applied to the game on it."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum

from pinchtp._core import Position
from pinchtp.games import PIE, Color, GameType
from pinchtp.games.notation import cell_of, coordinates, is_point, point, point_of
from pinchtp.games.session import Session


class Symmetry(StrEnum):
    """A symmetry of the board. The other four, including the identity, are products of these.

    The first three keep the owner of each side. TRANSPOSE exchanges columns and rows, and so the
    sides of the players: the players then exchange their stones too.
    """

    ROTATE = "rotate"  # by half a turn
    MIRROR = "mirror"  # left and right
    FLIP = "flip"  # top and bottom
    TRANSPOSE = "transpose"  # about the diagonal through A1


KEEP_SIDES = (Symmetry.ROTATE, Symmetry.MIRROR, Symmetry.FLIP)


class NoSymmetry(ValueError):
    """The symmetry cannot be applied to the game; the message has the reason."""


def apply(symmetry: Symmetry, session: Session) -> None:
    """Applies a symmetry to the game in progress. Raises NoSymmetry.

    The game keeps its history, unless the players exchange their sides or the start would lose a
    swap that follows it. Then the game starts from a set-up position.
    """
    if not session.game.places_stones:
        raise NoSymmetry(f"the board of {session.game.title} is not turned")
    before = session.start
    exchanged = symmetry is Symmetry.TRANSPOSE and session.game.sides
    if exchanged or not _keeps_swap(symmetry, before):
        _set_up(symmetry, session)
        return
    start = position = _move_position(symmetry, session.game, before)
    history = []
    for entry in session.history:
        move = entry.move
        if move is not None and is_point(move):
            move = image(symmetry, before, move)
        if position.result is None and move is not None and position.is_legal(move):
            position = position.play(move)
        history.append(replace(entry, move=move, position=position))
    session.start = start
    session.history = history


def _keeps_swap(symmetry: Symmetry, start: Position) -> bool:
    """Returns whether the image of a start keeps its swap, which set-up positions do not have."""
    is_set_up = any(start.cells()) and not maps_to_itself(symmetry, start)
    return not (is_set_up and start.options.get(PIE.name))


def opens_swap(game: GameType, position: Position) -> bool:
    """Returns whether a position is the start of a game whose first stone may be swapped."""
    return bool(position.options.get(PIE.name)) and position == game.start_of(position)


def _set_up(symmetry: Symmetry, session: Session) -> None:
    position = session.position
    if session.resigned is not None:
        raise NoSymmetry("the game was ended by resignation")
    if position.swap_open or opens_swap(session.game, position):
        raise NoSymmetry("White's choice to swap is still to come")
    if position.mid_turn:
        raise NoSymmetry("the turn is half made")
    moved = _move_position(symmetry, session.game, position)
    if moved.result is None and position.result is not None:
        raise NoSymmetry("the game was drawn by repetition")
    session.set_up(moved)


def _move_position(symmetry: Symmetry, game: GameType, position: Position) -> Position:
    """Returns the image of a position; a symmetric position is unchanged."""
    width, height = position.width, position.height
    to_move = Color(position.to_move)
    exchanged = symmetry is Symmetry.TRANSPOSE and game.sides
    if symmetry is Symmetry.TRANSPOSE:
        width, height = height, width
    if not exchanged and maps_to_itself(symmetry, position):
        return position
    cells = _move_cells(symmetry, position)
    if exchanged:
        cells = bytes(_OTHER[cell] for cell in cells)
    if not any(cells) and not exchanged:
        return game.start(width, height, **game.rules_of(position))
    to_move = to_move.opponent if exchanged else to_move
    return game.set_up(
        width,
        height,
        cells,
        to_move,
        swapped=position.swapped,
        options=game.rules_of(position),
    )


def maps_to_itself(symmetry: Symmetry, position: Position) -> bool:
    """Returns whether a symmetry leaves the board and its pieces unchanged."""
    transposed = symmetry is Symmetry.TRANSPOSE and position.width != position.height
    return not transposed and _move_cells(symmetry, position) == position.cells()


def _move_cells(symmetry: Symmetry, position: Position) -> bytes:
    """Returns the cells of the image of a position."""
    width = position.height if symmetry is Symmetry.TRANSPOSE else position.width
    cells = bytearray(position.width * position.height)
    for at, cell in enumerate(position.cells()):
        cells[cell_of(image(symmetry, position, point_of(at, position.width)), width)] = cell
    return bytes(cells)


_OTHER = bytes([0, 2, 1, 4, 3, 5])  # cells with the colors exchanged


def image(symmetry: Symmetry, position: Position, move: int) -> int:
    """Returns the image of a point on the board of a position."""
    x, y = coordinates(move)
    right, top = position.width - 1 - x, position.height - 1 - y
    match symmetry:
        case Symmetry.ROTATE:
            return point(right, top)
        case Symmetry.MIRROR:
            return point(right, y)
        case Symmetry.FLIP:
            return point(x, top)
        case Symmetry.TRANSPOSE:
            return point(y, x)
