"""Handicap stones: their points, and positions with them."""

from __future__ import annotations

from collections.abc import Sequence

from pinchtp.games import Color, Position
from pinchtp.games.game import stone_of
from pinchtp.games.notation import cell_of, point
from pinchtp.games.session import Session

SMALLEST_FIXED, MOST_FIXED = 7, 9  # GTP 2 section 4.1.1


def with_black(session: Session, points: Sequence[int], to_move: Color) -> Position:
    """Returns the start of a session's game with black stones added.

    Raises ValueError for an invalid position.
    """
    start = session.start
    cells = bytearray(start.cells())
    for move in points:
        cells[cell_of(move, start.width)] = stone_of(Color.BLACK)
    return session.position_of(bytes(cells), to_move)


def usual_points(width: int, height: int, number: int) -> list[int]:
    """Returns the points of fixed handicap stones by GTP 2 section 4.1.1.

    Empty if the section has none for this size and number.
    """
    smaller = min(width, height)
    has_middle = width % 2 == 1 and height % 2 == 1 and smaller > SMALLEST_FIXED
    if not 2 <= number <= (MOST_FIXED if has_middle else 4) or smaller < SMALLEST_FIXED:
        return []
    left, right = _lines(width)
    low, high = _lines(height)
    corners = [(left, low), (right, high), (left, high), (right, low)]
    across, up = width // 2, height // 2
    sides = [(left, up), (right, up), (across, low), (across, high)]
    chosen = corners[: min(number, 4)] + sides[: (number - 4) // 2 * 2 if number > 4 else 0]
    if number > 4 and number % 2 == 1:
        chosen.append((across, up))
    return [point(x, y) for x, y in chosen]


def _lines(size: int) -> tuple[int, int]:
    """Returns the coordinates of the two lines for stones near the edges.

    These are the third lines on sizes up to 12, and the fourth lines on larger ones.
    """
    margin = 2 if size <= 12 else 3
    return margin, size - 1 - margin
