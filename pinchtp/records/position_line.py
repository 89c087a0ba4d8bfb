"""Position strings: writing, parsing and loading them.

Their syntax is in protocol.md, "Position strings": `.../.X./... w swap-open`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import product
from typing import Any

from pinchtp._core import PASS
from pinchtp.games import MAX_SIZE, MIN_SIZE, PIE, Color, GameType, Position
from pinchtp.games.history import PlayedMove, Turn
from pinchtp.games.notation import COLUMNS, SwapSpelling, format_move, point_of
from pinchtp.games.session import Session
from pinchtp.records.errors import RecordError
from pinchtp.render.text import SIGNS, rows

SWAPPED = "swapped"
SWAP_OPEN = "swap-open"
RESIGNED, WON = "-resigned", "-won"  # after a color
DRAWN = "drawn"
MOVES = "+"

MAX_LINES = MAX_SIZE + 20
MAX_LENGTH = 200  # characters of a row, without moves

NOT_SHOWN = "but its stones do not show it; pinchtp-printboard writes such positions with moves"

# Compiled at its first use, because a GUI starts this program four times.
_MARK = (
    rf"b|w|black|white|{SWAPPED}|{SWAP_OPEN}|{DRAWN}|(?:black|white)(?:{RESIGNED}|{WON})"
    rf"|{re.escape(MOVES)}[A-Za-z0-9,]++"
)


@dataclass(frozen=True)
class ParsedPosition:
    """The contents of a position string.

    cells: as in Position.cells(). swapped: whether the players have exchanged colors. swap_open:
    whether White may swap Black's first stone. resigned: the color that has resigned. won: the
    color that has won on the board. drawn: whether the game is a draw. moves: the texts of the
    moves played from there.
    """

    width: int
    height: int
    cells: bytes
    to_move: Color
    swapped: bool = False
    swap_open: bool = False
    resigned: Color | None = None
    won: Color | None = None
    drawn: bool = False
    moves: tuple[str, ...] = ()


# --- writing


def position_line(session: Session) -> str:
    """Returns the position string of a session, for load_position().

    It has the rows from the top, the side to move, whether the colors were or can be swapped, and
    how the game ended. Stones cannot show an incomplete turn, a pass, a capture that ended the
    game, or a repetition. Then the line has the latest position before that, and after a `+` the
    moves played since.
    """
    turns = session.played_turns()
    first = next((at for at in range(len(turns), 0, -1) if _is_shown(session, turns, at)), 0)
    since = turns[first:]
    position = since[0].before if since else session.position
    words = ["/".join(rows(position)), Color(position.to_move).letter]
    words += [SWAPPED] * position.swapped + [SWAP_OPEN] * position.swap_open
    if session.resigned is not None:
        words.append(f"{session.resigned}{RESIGNED}")
    elif session.is_over and not since:
        words.append(DRAWN if session.winner is None else f"{session.winner}{WON}")
    if since:
        moves = [move for turn in since for move in turn.moves]
        words.append(MOVES + ",".join(map(format_move, moves)))
    return " ".join(words)


def _is_shown(session: Session, turns: Sequence[Turn], at: int) -> bool:
    """Returns whether the stones before turn `at`, with the later turns, determine the state."""
    position = turns[at].before if at < len(turns) else session.position
    if position.mid_turn or turns[at - 1].moves == (PASS,):
        return False
    try:
        if not position.swap_open:
            color = Color(position.to_move)
            position = session.position_of(position.cells(), color, swapped=position.swapped)
        for turn in turns[at:]:
            for move in turn.moves:
                position = position.play(move)
    except ValueError:  # a position that cannot be set up
        return False
    return position.result == session.position.result


# --- reading


def parse_position(text: str, game: GameType) -> ParsedPosition:
    """Reads a position string or a board diagram.

    Rows end with `/`, `|` or a newline, and may have spaces between their points. Raises
    RecordError.
    """
    board: list[str] = []
    marks: list[str] = []
    lines = (line.strip(" ") for line in re.split(r"[/|\n]", text))
    for number, line in enumerate(filter(None, lines), start=1):
        if number > MAX_LINES or len(line.partition(MOVES)[0]) > MAX_LENGTH:
            raise RecordError(f"line {number} is too long for a row of a board")
        words = list(filter(None, line.split(" ")))
        while words and re.fullmatch(_MARK, words[-1]):
            marks.append(words.pop())
        if words:
            board.append("".join(words))
    fields = _read_marks(marks)
    cells = [_cells(number, row, game) for number, row in zip(_down(board), board, strict=True)]
    _check_size(cells)
    fields.setdefault("to_move", game.first)
    return ParsedPosition(len(cells[0]), len(cells), b"".join(reversed(cells)), **fields)


def _down(rows: Sequence[object]) -> range:
    """Returns the numbers of rows, highest first."""
    return range(len(rows), 0, -1)


def _read_marks(marks: Iterable[str]) -> dict[str, Any]:
    """Returns the fields of a ParsedPosition that the words after the rows contain."""
    fields: dict[str, Any] = {}
    for mark in marks:
        if mark == SWAPPED:
            fields["swapped"] = True
        elif mark == SWAP_OPEN:
            fields["swap_open"] = True
        elif mark == DRAWN:
            fields["drawn"] = True
        elif mark.endswith(WON):
            fields["won"] = Color.read(mark.removesuffix(WON))
        elif mark.endswith(RESIGNED):
            fields["resigned"] = Color.read(mark.removesuffix(RESIGNED))
        elif mark.startswith(MOVES):
            fields["moves"] = tuple(mark.removeprefix(MOVES).split(","))
        elif fields.setdefault("to_move", Color.read(mark)) != Color.read(mark):
            raise RecordError("both black and white are to move")
    return fields


def _cells(number: int, row: str, game: GameType) -> bytes:
    """Returns the cells of a row. Raises RecordError."""
    if len(row) > MAX_SIZE:
        raise RecordError(f"row {number}: more than {MAX_SIZE} points")
    known = {sign: cell for cell, sign in SIGNS.items() if cell in game.cells}
    for column, sign in zip(COLUMNS, row, strict=False):
        if sign not in known:
            where = f"row {number}, column {column}"
            raise RecordError(f"{where}: {sign!r}; expected one of {' '.join(known)}")
    return bytes(known[sign] for sign in row)


def _check_size(cells: Sequence[bytes]) -> None:
    """Raises RecordError for rows that do not form a board."""
    if not cells:
        raise RecordError("no row of points")
    width, height = len(cells[0]), len(cells)
    for number, row in zip(_down(cells), cells, strict=True):
        if len(row) != width:
            raise RecordError(f"row {number} has {len(row)} points, row {height} has {width}")
    if not all(MIN_SIZE <= side <= MAX_SIZE for side in (width, height)):
        raise RecordError(f"{width}x{height} points: sizes are {MIN_SIZE}..{MAX_SIZE}")


def looks_like_board(text: str) -> bool:
    """Returns whether at least half of a text are signs of a board."""
    signs = "".join(text[:1000].split())
    return 2 * sum(sign in SIGNS.values() or sign == "/" for sign in signs) >= len(signs)


# --- loading


def load_position(text: str, session: Session) -> tuple[Position, list[PlayedMove]]:
    """Returns the start of the game of a position string, and the moves from there.

    session: has the type and the options of the game; it is not changed. Raises ValueError.
    """
    parsed = parse_position(text, session.game)
    ahead = _before_moves(session, parsed)
    read_point = session.game.notation.parse_point
    for word in parsed.moves:
        is_pass = word.lower() == SwapSpelling.PASS  # here it never means a swap
        ahead.play(ahead.to_move, PASS if is_pass else read_point(word, ahead.position))
    _end(ahead, parsed)
    return ahead.start, ahead.history


def _before_moves(session: Session, parsed: ParsedPosition) -> Session:
    """Returns a game at the stones of a position, before its moves. Raises ValueError."""
    game = session.game
    size = (parsed.width, parsed.height)
    session.new_start(*size)  # raises ValueError for a size that the game does not have
    if not parsed.swap_open:
        return Session.at(
            game, start_from(session, *size, parsed.cells, parsed.to_move, swapped=parsed.swapped)
        )
    agreed = game.rules({**session.options, PIE.name: True})
    openings = [
        option.name for option in game.options if option.opening and option.name != PIE.name
    ]
    for values in product((False, True), repeat=len(openings)):
        with suppress(ValueError):  # a board too small for that opening, or no such move
            ahead = Session(game, *size, **agreed | dict(zip(openings, values, strict=True)))
            cells = zip(ahead.start.cells(), parsed.cells, strict=True)
            (first,) = (at for at, (old, new) in enumerate(cells) if old != new)
            ahead.play(Color.BLACK, point_of(first, parsed.width))
            reached = ahead.position.cells(), ahead.to_move, ahead.position.swapped
            if reached == (parsed.cells, parsed.to_move, parsed.swapped):
                return ahead
    raise ValueError("a swap is possible only for White, after the first black stone")


def _end(ahead: Session, parsed: ParsedPosition) -> None:
    """Ends the game as in a position string. Raises ValueError if it cannot have ended that way."""
    if parsed.resigned is not None:
        if ahead.is_over:
            raise ValueError(f"{parsed.resigned} has resigned, but the game was over before")
        ahead.resign(parsed.resigned)
    if parsed.won is not None and ahead.winner != parsed.won:
        raise ValueError(f"the position claims that {parsed.won} has won, {NOT_SHOWN}")
    if parsed.drawn and not (ahead.is_over and ahead.winner is None):
        raise ValueError(f"the position claims a draw, {NOT_SHOWN}")


def start_from(  # noqa: PLR0913  (the parts of a position)
    session: Session,
    width: int,
    height: int,
    cells: bytes,
    to_move: Color,
    *,
    swapped: bool = False,
) -> Position:
    """Returns a start position with these cells: the start of a new game if it has the same ones,
    else a set-up position. Raises ValueError for an invalid position.
    """
    usual = session.new_start(width, height)
    if cells == usual.cells() and to_move == usual.to_move and not swapped:
        return usual
    return session.game.set_up(
        width, height, cells, to_move, swapped=swapped, options=session.options
    )
