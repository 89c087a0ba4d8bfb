"""Boards as pictures: text for terminals and for one line of GTP, and SVG."""

from pinchtp.render.position_line import (
    ParsedPosition,
    PositionError,
    load_position,
    parse_position,
    position_line,
)
from pinchtp.render.svg import board_svg
from pinchtp.render.text import (
    BANNED,
    EMPTY,
    NO_POINT,
    board_text,
    diagram_lines,
    rows,
    side_owners,
    status_lines,
    status_text,
    stone_rows,
)

__all__ = [
    "BANNED",
    "EMPTY",
    "NO_POINT",
    "ParsedPosition",
    "PositionError",
    "board_svg",
    "board_text",
    "diagram_lines",
    "load_position",
    "parse_position",
    "position_line",
    "rows",
    "side_owners",
    "status_lines",
    "status_text",
    "stone_rows",
]
