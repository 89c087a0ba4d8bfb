"""Boards as SVG, in the style of GoGui: stones on wood, the sides in the colors of their owners.

A picture has its own background, so it fits light and dark pages. It needs no style sheets, scripts
or fonts. The same game always has the same text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from itertools import chain
from typing import Self, TypeAlias

from pinchtp.base.text import visible
from pinchtp.games import GAMES, Color
from pinchtp.games.game import BANNED, KINGS, PIECES, color_of, without_stones
from pinchtp.games.notation import coordinates
from pinchtp.games.session import Session
from pinchtp.render.ground import FRAME, GRID, INK, WOOD, BoardLayout
from pinchtp.render.text import side_owners, status_text

# Lengths in units of SVG.
CELL = 40  # from point to point
BAND = 12  # width of the colored sides
STONE = 18.4  # radius
STYLED_LINE = 1.4  # width of the lines of ground_svg()

SMALLEST_WIDTH = 360  # pixels of a picture on a page, whose letters must still be readable
SMALLEST_LETTER = 9  # pixels, at that width
MOST_WRITTEN = 22  # maximum points of a side at which text on points is readable

SIDES = {Color.BLACK: "#1d1b19", Color.WHITE: "#fbf8f1"}
LAST, CHAIN = "#e8392e", "#45a557"

# Light falls from the upper left: the wood gets darker along the diagonal, and each stone has a
# highlight.
DEFINITIONS = f"""\
<defs>
<linearGradient id="wood-light" x2="1" y2="1">\
<stop stop-color="#f2d19b"/><stop offset="1" stop-color="{WOOD}"/></linearGradient>
<radialGradient id="stone-black" cx=".36" cy=".32" r=".75">\
<stop stop-color="#6b6b6b"/><stop offset=".45" stop-color="#2b2b2b"/>\
<stop offset="1" stop-color="#0b0b0b"/></radialGradient>
<radialGradient id="stone-white" cx=".36" cy=".32" r=".8">\
<stop stop-color="#fff"/><stop offset=".6" stop-color="#f4f2ee"/>\
<stop offset="1" stop-color="#bdb8ae"/></radialGradient>
</defs>"""
GRADIENTS = {"wood": "url(#wood-light)", **{str(color): f"url(#stone-{color})" for color in Color}}
# For pages, where many pictures would define the same gradients.
FLAT = {"wood": WOOD, **{str(color): fill for color, fill in SIDES.items()}}

RGB: TypeAlias = tuple[int, int, int]
PALE, WARM, COLD, FULL = (250, 246, 236), (244, 150, 52), (108, 170, 232), (76, 168, 106)


@dataclass(frozen=True)
class CellMark:
    """A colored disc on a point, its text, and a tooltip."""

    fill: str
    text: str
    title: str

    @classmethod
    def share(cls, share: float, title: str, text: str = "") -> Self:
        """Returns the mark of a share in [0, 1]: blue at 0, near white at 1/2, orange at 1.

        text: default: the share in percent.
        """
        end = WARM if share > 0.5 else COLD
        fill = _mix(end, min(1.0, abs(share - 0.5) / 0.4))
        return cls(fill, text or f"{100 * share:.0f}", title)

    @classmethod
    def shade(cls, weight: float, text: str, title: str) -> Self:
        """Returns the mark of a weight in [0, 1]: the higher, the greener."""
        return cls(_mix(FULL, min(1.0, max(0.0, weight))), text, title)


def _mix(color: RGB, weight: float) -> str:
    """Returns a color between PALE and another, light enough for black letters."""
    mixed = (round(a + weight * (b - a)) for a, b in zip(PALE, color, strict=True))
    return "#" + "".join(f"{value:02x}" for value in mixed)


def board_svg(session: Session, *, for_page: bool = False) -> str:
    """Returns the board as an SVG document, without blank lines.

    The last move has a red ring. A stone that it flipped has a spot of the old color, and a point
    where it removed a stone has a small stone with a rim. The winning chain has a green background,
    and kings have a ring. Stones are elements of the classes `black` and `white`.

    for_page: whether to use the layout of html/board.js, which has larger letters.
    """
    drawing = _Drawing(session, GRADIENTS, for_page=for_page)
    size = f'width="{drawing.width:g}" height="{drawing.height:g}"'
    game = f"{session.game.title} {drawing.columns}x{drawing.rows}"
    return drawing.document(
        f'xmlns="http://www.w3.org/2000/svg" {size}',
        [f"<title>{_escape(f'{game}: {status_text(session)}')}</title>", DEFINITIONS],
        drawing.ground(),
        drawing.winning_chain(),
        drawing.stones(session.position.cells()),
        drawing.marks(),
    )


def ground_svg(session: Session) -> str:
    """Returns the elements of a board without stones, for html/board.js, which adds stones and
    marks.

    The elements have classes for style sheets, and define the gradients that these use.
    """
    position = session.position
    empty = bytes(without_stones(position.cells()))
    return _empty_ground(
        session.game.name, position.width, position.height, empty, position.swapped
    )


@lru_cache(maxsize=100)
def _empty_ground(game: str, width: int, height: int, cells: bytes, swapped: bool) -> str:
    """Returns the ground, cached by all that it depends on, because it is sent after each move."""
    session = Session(GAMES[game], width, height)
    session.set_up(session.position_of(cells, session.to_move, swapped=swapped))
    ground = _Drawing(session, FLAT, for_page=True, styled=True).ground()
    return "\n".join((DEFINITIONS, *ground))


def marks_svg(session: Session, marks: Mapping[int, CellMark], label: str) -> str:
    """Returns the board without stones, for a page, with marks on points.

    marks: by cell. label: for screen readers.
    """
    drawing = _Drawing(session, FLAT, for_page=True)
    return drawing.document(_for_page(label), drawing.ground(), drawing.discs(marks))


def position_svg(session: Session, cells: bytes, written: Mapping[int, str], label: str) -> str:
    """Returns stones on a small board without coordinates, for a page.

    cells: as in Position.cells(). written: the texts on stones, by cell. label: for screen readers.
    """
    drawing = _Drawing(session, FLAT, margin=0)
    layers = (drawing.wood(), drawing.grid(), drawing.stones(cells), drawing.texts(cells, written))
    return drawing.document(_for_page(label), *layers)


def _for_page(label: str) -> str:
    return f'class="chart board" aria-label="{_escape(label)}"'


def _escape(text: str) -> str:
    return escape(visible(text))


class _Drawing:
    """A board in SVG: its layout, and its layers from bottom to top.

    fills: the fills of the wood and the stones. margin: the width outside of the colored sides;
    with 0, there are no sides and coordinates. styled: whether elements have classes and lines end
    at the outer points.
    """

    def __init__(
        self,
        session: Session,
        fills: Mapping[str, str],
        *,
        for_page: bool = False,
        margin: float | None = None,
        styled: bool = False,
    ) -> None:
        self.session = session
        self.fills = fills
        self._styled = styled
        most = max(session.position.width, session.position.height)
        longest = most * CELL + 4 * BAND
        self.line = max(1.3, longest / 500)
        self.letter = max(16.0, 1.1 * longest * SMALLEST_LETTER / SMALLEST_WIDTH)
        outside: float = round(1.9 * self.letter)
        if for_page:
            self.letter = min(26.0, max(16.0, 1.5 * most))
            outside = 1.6 * self.letter
        self.board = BoardLayout(session, CELL, outside, BAND)
        if margin is not None:
            self.board = BoardLayout(session, CELL, margin, 0)
        self.columns, self.rows = self.board.columns, self.board.rows
        self.width, self.height = self.board.width, self.board.height

    def document(self, attributes: str, *layers: Iterable[str]) -> str:
        """Returns the document. layers: the lines of each layer."""
        box = f'viewBox="0 0 {self.width:g} {self.height:g}" role="img"'
        return "\n".join((f"<svg {attributes} {box}>", *chain.from_iterable(layers), "</svg>"))

    def ground(self) -> Iterator[str]:
        """Draws the board without stones."""
        size = f'width="{self.width:g}" height="{self.height:g}"'
        yield f'<rect {size} rx="10" fill="{FRAME}"{self._style("frame")}/>'
        yield from self.wood()
        yield from self._sides()
        yield from self.grid()
        yield from self._labels()

    def wood(self) -> Iterator[str]:
        inner = self.board.margin
        yield (
            f'<rect x="{inner:g}" y="{inner:g}" width="{self.width - 2 * inner:g}" '
            f'height="{self.height - 2 * inner:g}" '
            f'fill="{self.fills["wood"]}"{self._style("wood")}/>'
        )

    def _style(self, name: str) -> str:
        """Returns the attribute for a class; empty unless the drawing is styled."""
        return f' class="{name}"' if self._styled else ""

    def _sides(self) -> Iterator[str]:
        """Draws the sides in the colors of their owners."""
        owners = side_owners(self.session)
        if owners is None:
            return
        for side, corners in self.board.sides():
            owner = owners[side]
            points = " ".join(f"{x:g},{y:g}" for x, y in corners)
            style = self._style(f"{owner}-side")
            yield f'<polygon points="{points}" fill="{SIDES[owner]}"{style}/>'

    def grid(self) -> Iterator[str]:
        path = ""
        width = self.line
        lines = self.board.lines()
        if self._styled:
            width = STYLED_LINE
            lines = self.board.lines(0)
        for (x, y), (right, bottom) in lines:
            path += f"M{x:g} {y:g}" + (f"V{bottom:g}" if x == right else f"H{right:g}")
        look = f'stroke="{GRID}" stroke-width="{width:g}" fill="none"{self._style("grid-lines")}'
        yield f'<path d="{path}" {look}/>'

    def _labels(self) -> Iterator[str]:
        yield (
            f'<g fill="{INK}" font-family="Helvetica,Arial,sans-serif" font-weight="600" '
            f'font-size="{self.letter:g}" text-anchor="middle"{self._style("coordinate")}>'
        )
        for (x, y), text in self.board.labels():
            yield f'<text x="{x:g}" y="{y + 0.36 * self.letter:g}">{text}</text>'
        yield "</g>"

    def winning_chain(self) -> Iterator[str]:
        """Draws a green background for the winning chain."""
        chain = [coordinates(move) for move in self.session.position.winning_chain]
        if not chain:
            return
        paths = []
        for x, y in chain:
            paths.append(f"M{self.board.x(x):g} {self.board.y(y):g}h0")
            paths += [f"h{CELL}"] * ((x + 1, y) in chain)
            if (x, y + 1) in chain:
                paths.append(f"M{self.board.x(x):g} {self.board.y(y):g}v{-CELL}")
        yield (
            f'<path class="chain" d="{"".join(paths)}" stroke="{CHAIN}" '
            f'stroke-width="{2 * STONE + 5:g}" stroke-linecap="round" fill="none"/>'
        )

    def discs(self, marks: Mapping[int, CellMark]) -> Iterator[str]:
        """Draws marks on points."""
        for at, mark in sorted(marks.items()):
            x = at % self.columns
            y = at // self.columns
            name = self._vertex(x, y)
            yield f'<g data-vertex="{name}"><title>{name}: {_escape(mark.title)}</title>'
            yield self._disc(x, y, STONE, f'fill="{mark.fill}" stroke="{INK}" stroke-width=".8"')
            if max(self.columns, self.rows) <= MOST_WRITTEN:
                size = min((0.42 if len(mark.text) < 4 else 0.34) * CELL, self.width / 22)
                yield self._text(x, y, mark.text, size, "#17120a")
            yield "</g>"

    def texts(self, cells: bytes, written: Mapping[int, str]) -> Iterator[str]:
        """Draws texts on stones."""
        for at, text in sorted(written.items()):
            fill = SIDES[color_of(cells[at]).opponent]
            yield self._text(at % self.columns, at // self.columns, text, 0.5 * CELL, fill)

    def stones(self, cells: bytes) -> Iterator[str]:
        stones = [
            (at % self.columns, at // self.columns, color_of(cell))
            for at, cell in enumerate(cells)
            if cell in PIECES
        ]
        yield '<g fill="#000" fill-opacity=".25">'
        yield from (self._disc(x, y, STONE, shift=2) for x, y, _ in stones)
        yield "</g>"
        for x, y, color in stones:
            yield self._disc(x, y, STONE, f'class="{color}" fill="{self.fills[str(color)]}"')
        for at, cell in enumerate(cells):
            x = at % self.columns
            y = at // self.columns
            if cell in KINGS:
                yield self._crown(x, y, color_of(cell))
            if cell == BANNED:
                yield self._cross(x, y)

    def _crown(self, x: int, y: int, color: Color) -> str:
        """Returns the symbol of a king: a ring on its stone."""
        rim = f'stroke="{SIDES[color.opponent]}" stroke-width="{2 * self.line:g}"'
        return self._disc(x, y, 0.62 * STONE, f'class="king" fill="none" {rim}')

    def _cross(self, x: int, y: int) -> str:
        """Returns the symbol of a point that is banned for this move."""
        arm = 0.4 * STONE
        left = self.board.x(x) - arm
        top = self.board.y(y) - arm
        path = f"M{left:g} {top:g}l{2 * arm:g} {2 * arm:g}m0 {-2 * arm:g}l{-2 * arm:g} {2 * arm:g}"
        return f'<path class="banned" d="{path}" stroke="{LAST}" stroke-width="{2 * self.line:g}"/>'

    def marks(self) -> Iterator[str]:
        """Draws the latest move and its captures."""
        cells = self.session.position.cells()
        turn = self.session.last_turn
        before = cells if turn is None else turn.before.cells()
        for x, y in self._on_board(self.session.captured_points()):
            cell = cells[y * self.columns + x]
            old = before[y * self.columns + x]
            fill = SIDES[color_of(old)]
            kind = "flipped" if cell in PIECES else "captured"
            outline = "" if cell in PIECES else f' stroke="{LAST}" stroke-width="{self.line:g}"'
            yield self._disc(x, y, 0.36 * STONE, f'class="{kind}" fill="{fill}"{outline}')
        for x, y in self._on_board(self.session.last_points()):
            ring = f'class="last" fill="none" stroke="{LAST}" stroke-width="{0.2 * STONE:g}"'
            yield self._disc(x, y, 0.52 * STONE, ring)

    def _on_board(self, moves: Iterable[int]) -> Iterator[tuple[int, int]]:
        """Yields the coordinates of the moves that are points."""
        for x, y in map(coordinates, moves):
            if x < self.columns and y < self.rows:
                yield x, y

    def _disc(self, x: int, y: int, radius: float, attributes: str = "", shift: float = 0) -> str:
        at = f'cx="{self.board.x(x) + shift:g}" cy="{self.board.y(y) + shift:g}" r="{radius:g}"'
        return f"<circle {at} {attributes}".rstrip() + "/>"

    def _text(self, x: int, y: int, text: str, size: float, fill: str) -> str:
        at = f'x="{self.board.x(x):g}" y="{self.board.y(y) + 0.36 * size:g}" font-size="{size:g}"'
        font = f'fill="{fill}" font-family="Helvetica,Arial,sans-serif" font-weight="600"'
        return f'<text {at} {font} text-anchor="middle">{_escape(text)}</text>'

    def _vertex(self, x: int, y: int) -> str:
        notation = self.session.game.notation
        return f"{notation.columns[x]}{notation.row_label(y)}"
