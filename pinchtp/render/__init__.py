"""Boards as pictures: text for terminals and for one line of GTP, and SVG."""

from pinchtp.render.reading import Picture, PictureError, read_board
from pinchtp.render.svg import board_svg
from pinchtp.render.text import (
    NO_POINT,
    board_line,
    board_text,
    edge_owners,
    plain_rows,
    rows,
    standing,
)

__all__ = [
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
