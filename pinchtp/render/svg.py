"""Boards as SVG, in the style of GoGui: stones on wood, the sides in the colors of their owners.

A picture brings its own background, so it can stand on a light page and on a dark one. It is plain
text without style sheets, scripts or fonts of its own, and the same game gives the same text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pinchtp.games import Color
from pinchtp.games.notation import coordinates
from pinchtp.games.position import BANNED, KINGS, NO_CELL, PIECES, color_of
from pinchtp.games.session import Session
from pinchtp.render.text import edge_owners, standing

CELL = 40  # from point to point; the unit of all sizes here
BAND = 12  # the colored sides
STONE = 18.4  # radius
SMALLEST_WIDTH = 360  # of a picture on a page, in pixels: its letters must be readable
SMALLEST_LETTER = 9  # in pixels, at that width

FRAME, WOOD, GRID, INK = "#b9854a", "#ecc689", "#8b6532", "#3d2a12"
SIDES = {Color.BLACK: "#1d1b19", Color.WHITE: "#fbf8f1"}
LAST, CHAIN = "#e8392e", "#45a557"

# Light falls from the upper left. The wood is lit along the diagonal, each stone at its shoulder.
DEFINITIONS = f"""\
<defs>
<linearGradient id="wood" x2="1" y2="1">\
<stop stop-color="#f2d19b"/><stop offset="1" stop-color="{WOOD}"/></linearGradient>
<radialGradient id="black" cx=".36" cy=".32" r=".75">\
<stop stop-color="#6b6b6b"/><stop offset=".45" stop-color="#2b2b2b"/>\
<stop offset="1" stop-color="#0b0b0b"/></radialGradient>
<radialGradient id="white" cx=".36" cy=".32" r=".8">\
<stop stop-color="#fff"/><stop offset=".6" stop-color="#f4f2ee"/>\
<stop offset="1" stop-color="#bdb8ae"/></radialGradient>
</defs>"""


def board_svg(session: Session, *, for_page: bool = False) -> str:
    """The board as a document of SVG, without blank lines.

    The last move carries a red ring, each stone it flipped a spot of the old color, each point it
    took a stone from a small stone with a rim; the winning chain is underlaid in green, kings carry
    a ring. Elements of class `black` and `white` are the stones. for_page: its points lie where
    html/board.js draws them, which has larger letters.
    """
    return "\n".join(_Drawing(session, for_page=for_page).document())


class _Drawing:
    """One picture: the layout, and its parts from bottom to top."""

    def __init__(self, session: Session, *, for_page: bool) -> None:
        self.session = session
        self.columns = session.position.width
        self.rows = session.position.height
        most = max(self.columns, self.rows)
        longest = most * CELL + 4 * BAND
        self.line = max(1.3, longest / 500)
        self.letter = max(16.0, 1.1 * longest * SMALLEST_LETTER / SMALLEST_WIDTH)
        self.margin: float = round(1.9 * self.letter)  # outside of the colored sides
        if for_page:
            self.letter = min(26.0, max(16.0, 1.5 * most))
            self.margin = 1.6 * self.letter
        self.left = self.margin + BAND  # of the points' area, and its top
        self.width = 2 * self.left + self.columns * CELL
        self.height = 2 * self.left + self.rows * CELL

    def document(self) -> Iterator[str]:
        game = f"{self.session.game.title} {self.columns}x{self.rows}"
        yield (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width:g} {self.height:g}" '
            f'width="{self.width:g}" height="{self.height:g}" role="img">'
        )
        yield f"<title>{game}: {standing(self.session)}</title>"
        yield DEFINITIONS
        yield from self._ground()
        yield from self._sides()
        yield from self._grid()
        yield from self._labels()
        yield from self._winning_chain()
        yield from self._stones()
        yield from self._marks()
        yield "</svg>"

    def _ground(self) -> Iterator[str]:
        yield f'<rect width="{self.width:g}" height="{self.height:g}" rx="10" fill="{FRAME}"/>'
        inner = self.margin
        yield (
            f'<rect x="{inner:g}" y="{inner:g}" width="{self.width - 2 * inner:g}" '
            f'height="{self.height - 2 * inner:g}" fill="url(#wood)"/>'
        )

    def _sides(self) -> Iterator[str]:
        """Four bands in their owners' colors, cut at the corners, which belong to both."""
        owners = edge_owners(self.session)
        if owners is None:
            return
        out, inn = self.margin, self.left
        right, bottom = self.width, self.height
        bands = (
            (owners[0], (out, out), (right - out, out), (right - inn, inn), (inn, inn)),
            (owners[0], (out, bottom - out), (right - out, bottom - out),
             (right - inn, bottom - inn), (inn, bottom - inn)),
            (owners[1], (out, out), (inn, inn), (inn, bottom - inn), (out, bottom - out)),
            (owners[1], (right - out, out), (right - inn, inn), (right - inn, bottom - inn),
             (right - out, bottom - out)),
        )  # fmt: skip
        for owner, *corners in bands:
            points = " ".join(f"{x:g},{y:g}" for x, y in corners)
            yield f'<polygon points="{points}" fill="{SIDES[owner]}"/>'

    def _grid(self) -> Iterator[str]:
        """Lines through all points, which run on into the sides that they reach."""
        half, cells = CELL / 2, self.session.position.cells()
        points = [divmod(at, self.columns) for at, cell in enumerate(cells) if cell != NO_CELL]
        path = ""
        for x in range(self.columns):
            ys = [self._y(y) for y, column in points if column == x]
            path += f"M{self._x(x):g} {min(ys) - half:g}V{max(ys) + half:g}"
        for y in range(self.rows):
            xs = [self._x(x) for row, x in points if row == y]
            path += f"M{min(xs) - half:g} {self._y(y):g}H{max(xs) + half:g}"
        yield f'<path d="{path}" stroke="{GRID}" stroke-width="{self.line:g}" fill="none"/>'

    def _labels(self) -> Iterator[str]:
        yield (
            f'<g fill="{INK}" font-family="Helvetica,Arial,sans-serif" font-weight="600" '
            f'font-size="{self.letter:g}" text-anchor="middle">'
        )
        middle, drop = self.margin / 2, 0.36 * self.letter
        notation = self.session.game.notation
        for x, letter in enumerate(notation.columns[: self.columns]):
            for y in (middle, self.height - middle):
                yield f'<text x="{self._x(x):g}" y="{y + drop:g}">{letter}</text>'
        for y in range(self.rows):
            for at in (middle, self.width - middle):
                yield f'<text x="{at:g}" y="{self._y(y) + drop:g}">{notation.row_name(y)}</text>'
        yield "</g>"

    def _winning_chain(self) -> Iterator[str]:
        """A green glow under the chain and along its joints."""
        chain = [coordinates(move) for move in self.session.position.winning_chain]
        if not chain:
            return
        paths = []
        for x, y in chain:
            paths.append(f"M{self._x(x):g} {self._y(y):g}h0")
            paths += [f"h{CELL}"] * ((x + 1, y) in chain)
            if (x, y + 1) in chain:
                paths.append(f"M{self._x(x):g} {self._y(y):g}v{-CELL}")
        yield (
            f'<path class="chain" d="{"".join(paths)}" stroke="{CHAIN}" '
            f'stroke-width="{2 * STONE + 5:g}" stroke-linecap="round" fill="none"/>'
        )

    def _stones(self) -> Iterator[str]:
        cells = self.session.position.cells()
        stones = [
            (at % self.columns, at // self.columns, color_of(cell))
            for at, cell in enumerate(cells)
            if cell in PIECES
        ]
        yield '<g fill="#000" fill-opacity=".25">'
        yield from (self._disc(x, y, STONE, shift=2) for x, y, _ in stones)
        yield "</g>"
        for x, y, color in stones:
            yield self._disc(x, y, STONE, f'class="{color}" fill="url(#{color})"')
        for at, cell in enumerate(cells):
            x, y = at % self.columns, at // self.columns
            if cell in KINGS:
                yield self._crown(x, y, color_of(cell))
            if cell == BANNED:
                yield self._cross(x, y)

    def _crown(self, x: int, y: int, color: Color) -> str:
        """The sign of a king: a second stone on the first."""
        rim = f'stroke="{SIDES[color.opponent]}" stroke-width="{2 * self.line:g}"'
        return self._disc(x, y, 0.62 * STONE, f'class="king" fill="none" {rim}')

    def _cross(self, x: int, y: int) -> str:
        """The sign of a point that is banned for this move."""
        arm = 0.4 * STONE
        left, top = self._x(x) - arm, self._y(y) - arm
        path = f"M{left:g} {top:g}l{2 * arm:g} {2 * arm:g}m0 {-2 * arm:g}l{-2 * arm:g} {2 * arm:g}"
        return f'<path class="banned" d="{path}" stroke="{LAST}" stroke-width="{2 * self.line:g}"/>'

    def _marks(self) -> Iterator[str]:
        """What the latest move did: where it went, and what it captured."""
        cells = self.session.position.cells()
        turn = self.session.last_turn
        before = cells if turn is None else turn.before.cells()
        for x, y in self._on_board(self.session.captured()):
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
        """The coordinates of those moves that are points."""
        for x, y in map(coordinates, moves):
            if x < self.columns and y < self.rows:
                yield x, y

    def _disc(self, x: int, y: int, radius: float, attributes: str = "", shift: float = 0) -> str:
        at = f'cx="{self._x(x) + shift:g}" cy="{self._y(y) + shift:g}" r="{radius:g}"'
        return f"<circle {at} {attributes}".rstrip() + "/>"

    def _x(self, column: int) -> float:
        return self.left + (column + 0.5) * CELL

    def _y(self, row: int) -> float:
        return self.left + (self.rows - row - 0.5) * CELL
