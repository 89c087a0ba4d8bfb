"""What engines answered, put into the messages for the page."""

from __future__ import annotations

import re

from pinchtp.base.streams import printable, storable
from pinchtp.board import messages as m
from pinchtp.board.studies.reader import Reader, read_variation

_COLOR = re.compile(r"COLOR (#[0-9a-fA-F]{6}) (.+)")
_LABEL = re.compile(r"LABEL (\S+) (\S.{0,7})")
_TEXT = re.compile(r"TEXT (.*)")


def read_graphics(text: str, points: dict[str, int]) -> tuple[list[m.OverlayPoint], str]:
    """What an answer in GoGui's graphics draws, by point, and what it says."""
    colors: dict[int, str] = {}
    labels: dict[int, str] = {}
    said = []
    for line in text.split("\n"):
        if found := _COLOR.fullmatch(line.strip()):
            colors |= {points[name]: found[1] for name in found[2].split() if name in points}
        elif (found := _LABEL.fullmatch(line.strip())) and found[1] in points:
            labels[points[found[1]]] = printable(found[2])
        elif found := _TEXT.fullmatch(line.strip()):
            said.append(found[1])
        elif not colors and not labels:
            said.append(line)
    drawn = [
        m.OverlayPoint(at, colors.get(at, ""), labels.get(at, ""))
        for at in sorted(colors.keys() | labels.keys())
    ]
    return drawn, printable(storable("\n".join(said)))[:2000]


def solution(reader: Reader, color: m.ColorName, text: str, seconds: float) -> m.Solution:
    """The answer of the solver, for the page."""
    words = text.split()
    value = words[0] if words[:1] and words[0] in ("win", "loss", "draw") else "unknown"
    nodes = 0
    if "nodes" in words:
        at = words.index("nodes")
        nodes = int(words[at + 1]) if words[at + 1 : at + 2] and words[at + 1].isdigit() else 0
        words = words[:at]
    line = read_variation(reader.session, words[1:])
    told = {
        "win": f"{color.capitalize()} wins",
        "loss": f"{color.capitalize()} loses",
        "draw": "It is a draw",
    }.get(value)
    budget = f"{seconds:.1f} s, {nodes} positions"
    sentence = f"{told}, proved in {budget}." if told else f"Not solved ({budget})."
    return m.Solution(reader.node, color, value, nodes, line, seconds, False, sentence)  # type: ignore[arg-type]
