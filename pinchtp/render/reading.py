"""Pictures of boards, read back into what they show.

Understood are what `board_text` and `board_line` write, and anything in between that a person may
type: lines end with `/`, `|` or a line feed; of a whole picture the letters, numbers, edges and
sentences are compared with the rest; of a bare board only the rows are needed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pinchtp.games import MAX_SIZE, MIN_SIZE, Color, Game
from pinchtp.games.notation import COLUMNS
from pinchtp.games.position import NO_CELL, stone_of
from pinchtp.render.text import (
    CHAIN,
    DRAWN,
    EDGES,
    LAST_MOVE,
    MOVES,
    NO_POINT,
    RESIGNED,
    SIGNS,
    SWAP_OPEN,
    SWAPPED,
    TITLES,
    TURN_SO_FAR,
    WON,
)

MAX_LINES = MAX_SIZE + 20
MAX_LENGTH = 200  # signs in a line, without moves


OTHER_WAY = "pinchtp-printboard can tell such a position"


class PictureError(ValueError):
    """The text shows no position; the message says what is wrong and where."""


@dataclass(frozen=True)
class Picture:
    """What a picture shows; cells as in Position.cells().

    swap_open: White may swap Black's first stone. resigned: who has resigned, if anybody. won: who
    is said to have won on the board; passed: by the other's pass. drawn: whether the game is said
    to be. moves: texts of those made since.
    """

    width: int
    height: int
    cells: bytes
    to_move: Color
    swapped: bool
    swap_open: bool
    resigned: Color | None = None
    won: Color | None = None
    drawn: bool = False
    passed: bool = False
    moves: tuple[str, ...] = ()


def read_board(text: str, game: Game) -> Picture:
    """The position that a text shows, of that game. Raises PictureError."""
    lines = [line.strip(" ") for line in re.split(r"[/|\n]", text)]
    sketch = _Sketch(game)
    for number, line in enumerate(filter(None, lines), start=1):
        if number > MAX_LINES or len(line.partition(MOVES)[0]) > MAX_LENGTH:
            raise PictureError(f"line {number} is too much for a picture of a board")
        sketch.add(line)
    return sketch.picture()


_CELLS = {sign: cell for cell, sign in SIGNS.items()} | {
    sign: stone_of(color) for color, sign in CHAIN.items()
}
# Not compiled before they are needed: a GUI starts this program four times over.
_POINT = r"\((?P<last>[^.()])\)|[^()]"
_WORD = (
    rf"b|w|black|white|{SWAPPED}|{SWAP_OPEN}|{DRAWN}|(?:black|white)(?:{RESIGNED}|{WON})"
    rf"|{re.escape(MOVES)}[A-Za-z0-9,]++"
)
_DIGITS = "0123456789"
_STANDING = " ([0-9]{1,3})x([0-9]{1,3}), move [0-9]{1,9}: "
_COLOR = "(black|white)"


Sign = tuple[str, str | None]  # and again if it is marked as played last


class _Sketch:
    """A picture while it is being read."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._cells = {sign: cell for sign, cell in _CELLS.items() if cell in game.cells}
        self._moves: tuple[str, ...] = ()
        self._letters: list[str] = []
        self._borders: list[str] = []
        self._rows: list[str] = []
        self._size: tuple[int, int] | None = None  # as the text says it
        self._last_move = ""
        self._resigned: Color | None = None
        self._won: Color | None = None
        self._drawn = False
        self._passed = False
        self._swap_open = False
        self._to_move: set[Color] = set()
        self._swapped: set[bool] = set()

    def add(self, line: str) -> None:
        """Takes in one line, blanks at its ends removed."""
        packed = line.replace(" ", "")
        if packed[0] in "Aa" and self.game.notation.columns.startswith(packed):
            self._letters.append(packed)
        elif set(packed) <= {EDGES[Color.BLACK]} or set(packed) <= {EDGES[Color.WHITE]}:
            self._borders.append(packed)
        elif not self._add_sentence(line):
            self._add_row(line)

    def _add_sentence(self, line: str) -> bool:
        if found := re.search(_STANDING, line):
            size = (int(found[1]), int(found[2]))
            self._add_standing(line[: found.start()], size, line[found.end() :])
        elif found := re.fullmatch(
            rf"{_COLOR} \(.\) joins top and bottom, {_COLOR} \(.\) left and right",
            line,
            re.I | re.A,
        ):
            self._swapped.add(found[1].lower() == "white")
        elif re.fullmatch(r"Black \([^()]*+\), White \([^()]*+\): .++", line):
            pass  # whose signs are which, and the goal of the game
        elif line == "The colors were swapped":
            self._swapped.add(True)
        elif found := re.fullmatch(rf"{_COLOR} may swap", line, re.I | re.A):
            self._swap_open = True
        elif line.startswith(TURN_SO_FAR):
            raise PictureError(f"a turn is half made; {OTHER_WAY}")
        elif line.startswith(LAST_MOVE):
            self._passed = line.endswith(" pass")
        else:
            return line.startswith(tuple(TITLES.values()))
        return True

    def _add_standing(self, title: str, size: tuple[int, int], turn: str) -> None:
        if title != self.game.title:
            raise PictureError(f"it shows {title!r}, but the game is {self.game.title}")
        self._size = size
        if found := re.search(rf"\b{_COLOR} to move\b", turn, re.A):
            self._to_move.add(Color.read(found[1]))
        if found := re.search(rf"\b{_COLOR} has resigned\b", turn, re.A):
            self._resigned = Color.read(found[1])
        if found := re.search(rf"\b{_COLOR} has won\b", turn, re.A):
            self._won = Color.read(found[1])
            self._to_move.add(self._won.opponent)
        self._drawn = turn == "the game is drawn"
        if not self._to_move and not self._drawn:
            raise PictureError(f"{turn!r} does not say whose turn it is")

    def _add_row(self, line: str) -> None:
        rest, _, word = line.rpartition(" ")
        while re.fullmatch(_WORD, word):
            self._add_word(word)
            line = rest.rstrip(" ")
            rest, _, word = line.rpartition(" ")
        if line:
            self._rows.append(line.replace(" ", ""))

    def _add_word(self, word: str) -> None:
        if word == SWAPPED:
            self._swapped.add(True)
        elif word == SWAP_OPEN:
            self._swap_open = True
        elif word == DRAWN:
            self._drawn = True
        elif word.endswith(WON):
            self._won = Color.read(word.removesuffix(WON))
        elif word.endswith(RESIGNED):
            self._resigned = Color.read(word.removesuffix(RESIGNED))
        elif word.startswith(MOVES):
            self._moves = tuple(word.removeprefix(MOVES).split(","))
        else:
            self._to_move.add(Color.read(word))

    # --- all lines taken in

    def picture(self) -> Picture:
        if len(self._to_move) > 1:
            raise PictureError("both black and white are said to be on move")
        self._check_borders()
        read = [list(self._points(number, row)) for number, row in self._numbered_rows()]
        self._check_size(read)
        if len(self._swapped) > 1:
            raise PictureError("it is not clear who joins top and bottom")
        cells = bytes(cell for row in reversed(read) for cell in row)
        return Picture(
            width=len(read[0]),
            height=len(read),
            cells=cells,
            to_move=next(iter(self._to_move), self.game.first),
            swapped=any(self._swapped),
            swap_open=self._swap_open,
            resigned=self._resigned,
            won=self._won,
            drawn=self._drawn,
            passed=self._passed and self._won is not None,
            moves=self._moves,
        )

    def _check_borders(self) -> None:
        if not self._borders:
            return
        if len(self._borders) != 2 or self._borders[0] != self._borders[1]:
            raise PictureError("of top and bottom edge, both are needed, and alike")
        self._swapped.add(self._borders[0][0] == EDGES[Color.WHITE])

    def _numbered_rows(self) -> Iterator[tuple[int, str]]:
        """The rows from the top, without edges and numbers but with the number they should have."""
        if MAX_SIZE > self.game.largest < len(self._rows):  # fewer numbers than other games have
            raise PictureError(f"{len(self._rows)} rows; there are {self.game.largest} at the most")
        for number, row in zip(range(len(self._rows), 0, -1), self._rows, strict=True):
            bare = row.strip(_DIGITS)
            at = row.index(bare)
            for label in filter(None, (row[:at], row[at + len(bare) :])):
                if label.lstrip("0") != self.game.notation.row_name(number - 1).lstrip("0"):
                    raise PictureError(f"row {number}: it is numbered {label}")
            yield number, self._without_edges(number, bare)

    def _without_edges(self, number: int, row: str) -> str:
        if not self._borders:
            return row
        owner = Color.WHITE if self._borders[0][0] == EDGES[Color.WHITE] else Color.BLACK
        edge = EDGES[owner.opponent]
        if len(row) < 2 or row[0] != edge or row[-1] != edge:
            raise PictureError(f"row {number}: its ends should be marked {edge}, as edges")
        return row[1:-1]

    def _points(self, number: int, row: str) -> Iterator[int]:
        """The cells of a row."""
        signs = [
            (found["last"] or found[0], found["last"]) for found in re.finditer(rf"{_POINT}|.", row)
        ]
        signs = self._with_missing(number, signs)
        for column, (sign, last) in enumerate(signs):
            if column == MAX_SIZE:
                raise PictureError(f"row {number}: more than {MAX_SIZE} points")
            vertex = f"{COLUMNS[column]}{number}"
            if sign not in self._cells:
                where = f"row {number}, column {COLUMNS[column]}"
                raise PictureError(f"{where}: {sign!r} is none of {' '.join(self._cells)}")
            if last:
                self._mark_last(vertex)
            yield self._cells[sign]

    def _with_missing(self, number: int, signs: list[Sign]) -> list[Sign]:
        """A row of a board with missing points, which a picture leaves blank."""
        row = self._row_of_start(number)
        if NO_CELL not in row or len(signs) != len(row) - row.count(NO_CELL):
            return signs
        rest = iter(signs)
        return [(NO_POINT, None) if cell == NO_CELL else next(rest) for cell in row]

    def _row_of_start(self, number: int) -> bytes:
        if self.game.smallest < self.game.largest:
            return b""  # a game of many sizes has plain rectangles
        width, height = self.game.size
        cells = self.game.start(width, height).cells()
        return cells[(number - 1) * width : number * width]

    def _mark_last(self, vertex: str) -> None:
        if self._last_move:
            raise PictureError(f"{self._last_move} and {vertex} are both marked as played last")
        self._last_move = vertex

    def _check_size(self, read: list[list[int]]) -> None:
        if not read:
            raise PictureError("there is no row of points")
        width, height = len(read[0]), len(read)
        for number, row in zip(range(height, 0, -1), read, strict=True):
            if len(row) != width:
                raise PictureError(f"row {number} has {len(row)} points, row {height} has {width}")
        for what, line in [("letters", each) for each in self._letters] + [
            ("edge", each) for each in self._borders
        ]:
            if len(line) != width:
                raise PictureError(f"a line of {what} is {len(line)} points wide, the rows {width}")
        if self._size not in (None, (width, height)):
            raise PictureError(f"the picture is {width}x{height}, but its text says otherwise")
        if not all(MIN_SIZE <= side <= MAX_SIZE for side in (width, height)):
            raise PictureError(f"{width}x{height} points; sizes are {MIN_SIZE}..{MAX_SIZE}")
