"""Text of moves and turns."""

from pinchtp.notation.points import (
    COLUMNS,
    SWAP_WORDS,
    AmbiguousMove,
    NoSuchMove,
    NotationError,
    SwapSpelling,
    coordinates,
    format_move,
    parse_move,
    point,
)
from pinchtp.notation.turns import Notation, PointNotation, split_turns, whole_turns

__all__ = [
    "COLUMNS",
    "SWAP_WORDS",
    "AmbiguousMove",
    "NoSuchMove",
    "Notation",
    "NotationError",
    "PointNotation",
    "SwapSpelling",
    "coordinates",
    "format_move",
    "parse_move",
    "point",
    "split_turns",
    "whole_turns",
]
