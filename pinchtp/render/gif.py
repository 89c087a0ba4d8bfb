"""Games as animated GIFs, small enough for a message, in the colors of svg.py."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from PIL import Image, ImageDraw, ImageFont

from pinchtp.games import Color
from pinchtp.games.game import BANNED, KINGS, PIECES, color_of
from pinchtp.games.history import Turn
from pinchtp.games.notation import cells_of
from pinchtp.games.session import Session
from pinchtp.render.cascade import flip_steps
from pinchtp.render.ground import FRAME, GRID, INK, WOOD, BoardLayout
from pinchtp.render.svg import CHAIN, LAST, SIDES
from pinchtp.render.text import side_owners

LONGEST = 420  # approximate pixels of the longer side of the points' area
SMALLEST_CELL, LARGEST_CELL = 14, 36  # pixels from point to point
FINE = 4  # the scale at which everything is drawn, before it is reduced
MOVE, STEP, END = 800, 250, 3000  # milliseconds: a move, a step of its cascade, the last picture
COLORS = 64  # in the palette
MOST_TURNS = 500  # of a game; each takes some 200 kB of memory


def game_gif(session: Session, *, last_move: bool = False) -> bytes:
    """Returns a game as an animated GIF that repeats endlessly.

    Each turn has a picture for every step of its cascade; the last picture is that of picture().
    last_move: whether to show only the board before the last turn, and that turn. Raises ValueError
    for a game of more than MOST_TURNS.
    """
    turns = session.played_turns()
    if last_move:
        turns = turns[-1:]
    if len(turns) > MOST_TURNS:
        raise ValueError(f"the game has {len(turns)} moves: a GIF can show at most {MOST_TURNS}")
    start = turns[0].before if turns else session.start
    frames = list(_frames(Session.at(session.game, start), turns))
    painter = _Painter(session)
    palette = picture(session)
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
    """Returns the board in COLORS colors, with the last move and its captures marked."""
    image = _Painter(session).paint(_frame(session))
    return image.quantize(COLORS, method=Image.Quantize.MAXCOVERAGE)


@dataclass(frozen=True)
class _Frame:
    """The contents of a picture of a board.

    cells: as in Position.cells(). owners: the owners of the sides; see side_owners(). chain: the
    cells of the winning chain. last: the cells of the last move. captured: the cells that it
    captured, with their previous values. duration: milliseconds.
    """

    cells: bytes
    owners: tuple[Color, Color] | None
    chain: frozenset[int] = frozenset()
    last: tuple[int, ...] = ()
    captured: tuple[tuple[int, int], ...] = ()
    duration: int = MOVE


def _frames(session: Session, turns: Iterable[Turn]) -> Iterator[_Frame]:
    """Plays turns; yields a picture of the start, and pictures of each turn and its cascade."""
    yield _frame(session)
    for turn in turns:
        for move in turn.moves:  # one by one, since the turn may be incomplete
            session.play(turn.color, move)
        yield from _cascade(session)
        yield _frame(session)


def _cascade(session: Session) -> Iterator[_Frame]:
    """Yields the pictures of the cascade of the last turn, before its last step."""
    turn = session.last_turn
    end = _frame(session)
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
    position = session.position
    turn = session.last_turn
    before = position.cells() if turn is None else turn.before.cells()
    width = position.width
    return _Frame(
        position.cells(),
        side_owners(session),
        frozenset(cells_of(position.winning_chain, width)),
        tuple(cells_of(session.last_points(), width)),
        tuple((at, before[at]) for at in cells_of(session.captured_points(), width)),
    )


class _Painter:
    """A painter of boards of one size. Lengths are in pixels."""

    def __init__(self, session: Session) -> None:
        position = session.position
        longest = LONGEST // max(position.width, position.height)
        self._cell = min(max(longest, SMALLEST_CELL), LARGEST_CELL)
        margin = round(max(0.6 * self._cell, 15))
        band = self._cell // 3
        self._board = BoardLayout(session, self._cell, margin, band)
        self._fine = BoardLayout(session, FINE * self._cell, FINE * margin, FINE * band)
        self._grounds: dict[tuple[Color, Color] | None, Image.Image] = {}

    def paint(self, frame: _Frame) -> Image.Image:
        """Returns a board as an RGB image."""
        if frame.owners not in self._grounds:
            self._grounds[frame.owners] = self._ground(frame.owners)
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
        """Draws a sprite on the middle of a cell."""
        row, column = divmod(at, self._board.columns)
        x, y = int(self._board.x(column)), int(self._board.y(row))
        image.paste(sprite, (x - sprite.width // 2, y - sprite.height // 2), sprite)

    def _ground(self, owners: tuple[Color, Color] | None) -> Image.Image:
        """Returns the board without stones."""
        board = self._fine
        edge = self._fine.margin
        width, height = int(board.width), int(board.height)
        image = Image.new("RGB", (width, height), FRAME)
        draw = ImageDraw.Draw(image)
        draw.rectangle((edge, edge, width - edge - 1, height - edge - 1), WOOD)
        if owners is not None:
            for side, corners in board.sides():
                draw.polygon(corners, SIDES[owners[side]])
        for line in board.lines():
            draw.line(line, GRID, FINE)
        font = ImageFont.load_default(0.72 * edge)
        for middle, text in board.labels():
            draw.text(middle, text, INK, font, "mm")
        return image.reduce(FINE)


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
    """Returns a disc on a transparent ground.

    cell: pixels from point to point. radius, line: in cells. fill, outline: colors; empty: none.
    """
    side = cell + cell // 2 // 2 * 2  # larger than a cell, with the same parity
    image = Image.new("RGBA", (FINE * side, FINE * side), (0, 0, 0, 0))
    middle = FINE * side / 2
    box = [middle - FINE * cell * radius] * 2 + [middle + FINE * cell * radius] * 2
    width = round(FINE * cell * line) if outline else 0
    ImageDraw.Draw(image).ellipse(box, fill or None, outline or None, width)
    return image.reduce(FINE)
