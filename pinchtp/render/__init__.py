"""Boards as pictures: text for terminals and for one line of GTP, and SVG."""

from pinchtp.render.line import board_line
from pinchtp.render.reading import Picture, PictureError, read_board
from pinchtp.render.svg import board_svg
from pinchtp.render.text import (
    BANNED,
    EMPTY,
    NO_POINT,
    board_text,
    edge_owners,
    plain_rows,
    rows,
    standing,
)

__all__ = [
    "BANNED",
    "EMPTY",
    "NO_POINT",
    "Picture",
    "PictureError",
    "board_line",
    "board_svg",
    "board_text",
    "edge_owners",
    "plain_rows",
    "read_board",
    "rows",
    "standing",
]
