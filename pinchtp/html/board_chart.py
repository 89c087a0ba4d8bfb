"""Pictures of boards that stand in a page as they are, without its script."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from markupsafe import Markup

from pinchtp.games.position import BANNED, KINGS, PIECES
from pinchtp.html.board import Board
from pinchtp.html.svg import drawing

WIDTH = 400
_EDGE, _NARROW = 22, 4  # around the points, with coordinates there and without


@dataclass(frozen=True)
class Share:
    """A number at a point: a share in [0, 1], 1/2 being even, and what more there is to say.

    text: what is written there, if not the percent.
    """

    share: float
    title: str
    text: str = ""


@dataclass(frozen=True)
class Shade:
    """How much there is at a point: a weight in [0, 1], what is written there, and more of it."""

    weight: float
    text: str
    title: str


def share_board(board: Board, shares: Mapping[int, Share], label: str) -> Markup:
    """Shares at cells, from blue (0) by near white (even) to orange (1), in percent."""
    picture = _Picture(board, label, _EDGE)
    picture.write_coordinates()
    for cell, share in sorted(shares.items()):
        text = share.text or f"{100 * share.share:.0f}"
        picture.mark(cell, _heat(share.share), text, share.title)
    return picture.image.markup()


def shade_board(board: Board, shades: Mapping[int, Shade], label: str) -> Markup:
    """How much of something there is at cells, the more the darker."""
    picture = _Picture(board, label, _EDGE)
    picture.write_coordinates()
    for cell, shade in sorted(shades.items()):
        picture.mark(cell, _shaded(shade.weight), shade.text, shade.title)
    return picture.image.markup()


def position_board(board: Board, cells: bytes, written: Mapping[int, str], label: str) -> Markup:
    """Stones on a small board without coordinates.

    cells: as in Position.cells(). written: what stands on stones.
    """
    picture = _Picture(board, label, _NARROW)
    for cell, value in enumerate(cells):
        picture.stone(cell, value, written.get(cell, ""))
    return picture.image.markup()


class _Picture:
    """A board without stones, and what can be put on it."""

    def __init__(self, board: Board, label: str, edge: float) -> None:
        self._board, self._edge = board, edge
        self._unit = (WIDTH - 2 * edge) / board.width
        self._height = board.height * self._unit + 2 * edge
        self.image = drawing(WIDTH, round(self._height, 1), label, "chart board")
        self.image.add("rect", class_="wood", width=WIDTH, height=self._height, rx=8)
        self.image.path(self._grid(), "lines")

    def mark(self, cell: int, fill: str, text: str, title: str) -> None:
        """A disc with a text, and more of it for who points at it."""
        x, y = self._center(cell)
        mark = self.image.add("g", data_vertex=self._board.vertex(cell))
        circle = {"cx": x, "cy": y, "r": 0.46 * self._unit}
        mark.add("circle", class_="share-mark", fill=fill, **circle)
        mark.add("title", f"{self._board.vertex(cell)}: {title}")
        if self._unit >= 16:
            size = min(13.0, (0.42 if len(text) < 4 else 0.34) * self._unit)
            mark.text(x, y + 0.36 * size, text, "share", font_size=size)

    def stone(self, cell: int, value: int, written: str) -> None:
        x, y = self._center(cell)
        if value in PIECES:
            color = "black" if value % 2 else "white"
            self.image.add("circle", class_=f"stone {color}", cx=x, cy=y, r=0.46 * self._unit)
            size = 0.5 * self._unit
            if written:
                self.image.text(x, y + 0.36 * size, written, f"on-{color}", font_size=size)
        if value in KINGS:
            self.image.add("circle", class_="king", cx=x, cy=y, r=0.36 * self._unit)
        if value == BANNED:
            arm = 0.2 * self._unit
            across = f"M{x - arm:.1f} {y - arm:.1f}l{2 * arm:.1f} {2 * arm:.1f}"
            self.image.path(f"{across}m0 {-2 * arm:.1f}l{-2 * arm:.1f} {2 * arm:.1f}", "banned")

    def _center(self, cell: int) -> tuple[float, float]:
        return (
            self._edge + (cell % self._board.width + 0.5) * self._unit,
            self._height - self._edge - (cell // self._board.width + 0.5) * self._unit,
        )

    def write_coordinates(self) -> None:
        letter = min(12.0, max(7.0, 0.5 * self._unit))
        write = self.image.add("g", class_="coordinate", font_size=letter)
        for x, name in enumerate(self._board.columns):
            across = self._center(x)[0]
            for y in (self._edge / 2 + 5, self._height - self._edge / 2 + 3):
                write.add("text", name, x=across, y=y)
        for y, name in enumerate(self._board.rows):
            down = self._center(y * self._board.width)[1] + letter / 3
            for at in (self._edge / 2, WIDTH - self._edge / 2):
                write.add("text", name, x=at, y=down)

    def _grid(self) -> str:
        """Lines through neighboring points, each as long as it can be."""
        board, steps = self._board, []
        rows = [[y * board.width + x for x in range(board.width)] for y in range(board.height)]
        for lines, sign in ((rows, "h"), (zip(*rows, strict=True), "v-")):
            for cells in lines:
                for first, last in _runs(board, cells):
                    x, y = self._center(first)
                    steps.append(f"M{x:.1f} {y:.1f}{sign}{self._unit * last:.1f}")
        return "".join(steps)


def _runs(board: Board, cells: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The runs of points among cells of one line: the first of each, and how many follow it."""
    for is_point, run in groupby(cells, board.is_point):
        points = list(run)
        if is_point and len(points) > 1:
            yield points[0], len(points) - 1


def _heat(share: float) -> str:
    """From blue (lost) by near white (even) to orange (won); black letters stand on all of them."""
    end = _WARM if share > 0.5 else _COLD
    return _mixed(_EVEN, end, min(1.0, abs(share - 0.5) / 0.4))


def _shaded(weight: float) -> str:
    """From near white to green; black letters stand on all of them."""
    return _mixed(_EVEN, _FULL, min(1.0, max(0.0, weight)))


_EVEN, _WARM, _COLD, _FULL = (250, 246, 236), (244, 150, 52), (108, 170, 232), (76, 168, 106)


def _mixed(one: Sequence[int], other: Sequence[int], weight: float) -> str:
    mixed = (round(a + weight * (b - a)) for a, b in zip(one, other, strict=True))
    return "#" + "".join(f"{each:02x}" for each in mixed)
