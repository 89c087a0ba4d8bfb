"""Text of moves and turns."""

from pinchtp.games.notation.points import (
    COLUMNS,
    SWAP_WORDS,
    AmbiguousMove,
    NoSuchMove,
    NotationError,
    SwapSpelling,
    cell_of,
    coordinates,
    format_move,
    is_point,
    parse_move,
    point,
    point_of,
)
from pinchtp.games.notation.turns import Notation, PointNotation, split_turns, whole_turns

__all__ = [
    "COLUMNS",
    "SWAP_WORDS",
    "AmbiguousMove",
    "NoSuchMove",
    "Notation",
    "NotationError",
    "PointNotation",
    "SwapSpelling",
    "cell_of",
    "coordinates",
    "format_move",
    "is_point",
    "parse_move",
    "point",
    "point_of",
    "split_turns",
    "whole_turns",
]
