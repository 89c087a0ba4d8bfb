"""Games as animated pictures, small enough for a message, in the colors of svg.py."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from PIL import Image, ImageDraw, ImageFont

from pinchtp.games import Color
from pinchtp.games.game import BANNED, KINGS, NO_CELL, PIECES, color_of
from pinchtp.games.history import Turn
from pinchtp.games.notation import cells_of
from pinchtp.games.session import Session
from pinchtp.render.cascade import flip_steps
from pinchtp.render.svg import CHAIN, FRAME, GRID, INK, LAST, SIDES, WOOD
from pinchtp.render.text import side_owners

LONGEST = 420  # pixels of the points' area, about
SMALLEST_CELL, LARGEST_CELL = 14, 36  # pixels from point to point
FINE = 4  # times larger, everything is drawn, and then reduced
MOVE, STEP, END = 800, 250, 3000  # milliseconds: a move, a step of its cascade, the last picture
COLORS = 64  # of the palette
MOST_TURNS = 500  # of a game: some 200 kB of memory each
Cell = tuple[int, int]  # column and row


def game_gif(session: Session, *, last_move: bool = False) -> bytes:
    """Returns a game as an animated GIF that begins again after its end.

    Each turn has a picture for every step of its cascade; the last picture is that of picture().
    last_move: only the last turn, and the board before it. Raises ValueError for a game of more
    than MOST_TURNS.
    """
    turns = [turn for turn in session.turns() if turn.moves and not turn.after_end]
    if last_move:
        turns = turns[-1:]
    if len(turns) > MOST_TURNS:
        raise ValueError(f"the game has {len(turns)} moves; a picture has at most {MOST_TURNS}")
    start = turns[0].before if turns else session.start
    frames = list(_frames(Session.at(session.game, start), turns))
    painter, palette = _Painter(session), picture(session)
    pictures = [
        painter.paint(frame).quantize(palette=palette, dither=Image.Dither.NONE)
        for frame in frames[:-1]
    ]
    pictures.append(palette)
    file = io.BytesIO()
    pictures[0].save(
        file,
        "GIF",
        save_all=True,
        append_images=pictures[1:],
        duration=[frame.duration for frame in frames[:-1]] + [END],
        loop=0,
        optimize=True,
    )
    return file.getvalue()


def picture(session: Session) -> Image.Image:
    """Returns the board in few colors, with the last move and its captures marked."""
    image = _Painter(session).paint(_frame(session))
    return image.quantize(COLORS, method=Image.Quantize.MAXCOVERAGE)


@dataclass(frozen=True)
class _Frame:
    """A picture of a board.

    cells: as in Position.cells(). owners: of the sides, see side_owners(). last: cells of the last
    move. captured: cells and what they held before it. duration: milliseconds.
    """

    cells: bytes
    owners: tuple[Color, Color] | None
    chain: frozenset[int] = frozenset()
    last: tuple[int, ...] = ()
    captured: tuple[tuple[int, int], ...] = ()
    duration: int = MOVE


def _frames(session: Session, turns: Iterable[Turn]) -> Iterator[_Frame]:
    """Plays turns; yields pictures of the start, and of each with the steps of its cascade."""
    yield _frame(session)
    for turn in turns:
        session.play(turn.color, *turn.moves)
        yield from _cascade(session)
        yield _frame(session)


def _cascade(session: Session) -> Iterator[_Frame]:
    """Yields the pictures of the last turn before the last step of its cascade."""
    turn, end = session.last_turn, _frame(session)
    assert turn is not None
    steps = flip_steps(turn, {at for at, _ in end.captured})
    old = dict(end.captured)
    for shown in range(max(steps.values(), default=0)):
        cells = bytearray(end.cells)
        for at, step in steps.items():
            if step > shown:
                cells[at] = old[at]
        yield _Frame(bytes(cells), end.owners, last=end.last, duration=STEP)


def _frame(session: Session) -> _Frame:
    position, turn = session.position, session.last_turn
    before = position.cells() if turn is None else turn.before.cells()
    width = position.width
    return _Frame(
        position.cells(),
        side_owners(session),
        frozenset(cells_of(position.winning_chain, width)),
        tuple(cells_of(session.last_points(), width)),
        tuple((at, before[at]) for at in cells_of(session.captured(), width)),
    )


class _Painter:
    """Paints boards of one size. All lengths are in pixels, or FINE times that in sprites."""

    def __init__(self, session: Session) -> None:
        self._notation = session.game.notation
        self._columns, self._rows = session.position.width, session.position.height
        longest = LONGEST // max(self._columns, self._rows)
        self._cell = min(max(longest, SMALLEST_CELL), LARGEST_CELL)
        self._band = self._cell // 3
        self._margin = round(max(0.6 * self._cell, 15))
        self._left = self._margin + self._band  # of the points' area, and its top
        self._grounds: dict[tuple[Color, Color] | None, Image.Image] = {}

    def paint(self, frame: _Frame) -> Image.Image:
        """Returns a board as an RGB image."""
        if frame.owners not in self._grounds:
            self._grounds[frame.owners] = self._ground(frame)
        image = self._grounds[frame.owners].copy()
        for at in frame.chain:
            self._put(image, at, _disc(self._cell, 0.56, CHAIN))
        for at, cell in enumerate(frame.cells):
            if cell in PIECES:
                self._put(image, at, _stone(self._cell, color_of(cell), cell in KINGS))
            elif cell == BANNED:
                self._put(image, at, _disc(self._cell, 0.1, LAST))
        for at, old in frame.captured:
            outline = "" if frame.cells[at] in PIECES else LAST
            self._put(image, at, _disc(self._cell, 0.17, SIDES[color_of(old)], outline))
        for at in frame.last:
            self._put(image, at, _disc(self._cell, 0.28, "", LAST))
        return image

    def _put(self, image: Image.Image, at: int, sprite: Image.Image) -> None:
        """Puts a sprite on the middle of a cell."""
        x, y = self._middle(at)
        image.paste(sprite, (x - sprite.width // 2, y - sprite.height // 2), sprite)

    def _middle(self, at: int) -> Cell:
        row, column = divmod(at, self._columns)
        half, cell = self._cell // 2, self._cell
        return self._left + column * cell + half, self._left + (self._rows - 1 - row) * cell + half

    def _ground(self, frame: _Frame) -> Image.Image:
        """Returns the board without stones."""
        width = 2 * self._left + self._columns * self._cell
        height = 2 * self._left + self._rows * self._cell
        image = Image.new("RGB", (FINE * width, FINE * height), FRAME)
        draw = ImageDraw.Draw(image)
        out, inn = FINE * self._margin, FINE * self._left
        right, bottom = FINE * width - 1, FINE * height - 1
        draw.rectangle((out, out, right - out, bottom - out), WOOD)
        if frame.owners is not None:
            corners = (
                (out, out),
                (right - out, out),
                (right - out, bottom - out),
                (out, bottom - out),
            )
            middle = (right // 2, bottom // 2)
            for side, (one, other) in enumerate(
                zip(corners, corners[1:] + corners[:1], strict=True)
            ):
                draw.polygon((one, other, middle), SIDES[frame.owners[side % 2]])
            draw.rectangle((inn, inn, right - inn, bottom - inn), WOOD)
        self._draw_grid(draw, frame.cells)
        self._draw_labels(draw, width, height)
        return image.reduce(FINE)

    def _draw_grid(self, draw: ImageDraw.ImageDraw, cells: bytes) -> None:
        half = FINE * self._cell // 2
        for at, cell in enumerate(cells):
            if cell != NO_CELL:
                x, y = (FINE * each for each in self._middle(at))
                draw.line((x - half, y, x + half, y), GRID, FINE)
                draw.line((x, y - half, x, y + half), GRID, FINE)

    def _draw_labels(self, draw: ImageDraw.ImageDraw, width: int, height: int) -> None:
        font = ImageFont.load_default(FINE * 0.72 * self._margin)
        middle = self._margin / 2

        def write(x: float, y: float, text: str) -> None:
            draw.text((FINE * x, FINE * y), text, INK, font, "mm")

        for column in range(self._columns):
            for y in (middle, height - middle):
                write(self._middle(column)[0], y, self._notation.columns[column])
        for row in range(self._rows):
            for x in (middle, width - middle):
                write(x, self._middle(row * self._columns)[1], self._notation.row_label(row))


@cache
def _stone(cell: int, color: Color, is_king: bool) -> Image.Image:
    """Returns a stone; a king has a ring. cell: pixels from point to point."""
    stone = _disc(cell, 0.46, SIDES[color], GRID if color == Color.WHITE else "", 0.03)
    if is_king:
        ring = _disc(cell, 0.3, "", SIDES[color.opponent], 0.07)
        stone.alpha_composite(ring)
    return stone


@cache
def _disc(
    cell: int, radius: float, fill: str, outline: str = "", line: float = 0.09
) -> Image.Image:
    """Returns a disc on a transparent ground. Lengths are in cells; fill, outline: empty: none."""
    side = cell + cell // 2 // 2 * 2  # of the parity of a cell, and larger
    image = Image.new("RGBA", (FINE * side, FINE * side), (0, 0, 0, 0))
    middle = FINE * side / 2
    box = [middle - FINE * cell * radius] * 2 + [middle + FINE * cell * radius] * 2
    width = round(FINE * cell * line) if outline else 0
    ImageDraw.Draw(image).ellipse(box, fill or None, outline or None, width)
    return image.reduce(FINE)
