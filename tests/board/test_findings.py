"""Conversion of engine output into messages."""

from __future__ import annotations

from pinchtp.board.findings import read_graphics


def test_read_graphics_with_unknown_points_and_colors_leaves_them_out() -> None:
    points = {"A1": 0, "B1": 1}
    text = "COLOR #ff0000 A1 Z99\nCOLOR red B1\nLABEL B1 <b>\nLABEL Z1 no\nTEXT <i>"
    drawn, said = read_graphics(text, points)
    assert [(each.at, each.color, each.label) for each in drawn] == [
        (0, "#ff0000", ""),
        (1, "", "<b>"),
    ]
    assert said == "<i>"
