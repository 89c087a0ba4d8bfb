"""Commands for GoGui: rules, graphics and tools.

A program that knows the rules commands is GoGui's ruler: GoGui asks it for every fact of the game
and does no Go of its own. It sees square boards only, so a rectangle is shown in the lower left
corner of a square whose other points are marked as none, and colored, since GoGui draws them.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from pinchtp import render
from pinchtp._core import PASS, SWAP
from pinchtp.games import LIFTED, Color, Position, markers
from pinchtp.games.notation import format_move, point, point_of
from pinchtp.games.position import BANNED, KINGS, NO_CELL
from pinchtp.games.session import Session
from pinchtp.gtp import arguments
from pinchtp.gtp.commands import command, commands_of
from pinchtp.gtp.engine import GtpEngine
from pinchtp.gtp.errors import GtpError

NO_POINT = render.NO_POINT

# Backgrounds on GoGui's wood, so light or dark that each stone and the grid still show on it.
EDGES = {Color.BLACK: "#8a6f4d", Color.WHITE: "#fbf3dc"}
CORNER = "#c3b195"  # belongs to both
CHAIN = "#7fc97f"
MISSING = "#000000"  # a point that the board does not have; GoGui draws the grid of a square


@command("gogui-rules_game_id", answer="one word, such as `Pinch` or `FirstCaptureGo`")
def game_id(engine: GtpEngine) -> str:
    """Names the game that is played."""
    return engine.session.game.id


@command(
    "gogui-rules_board_size",
    answer="a whole number, the longer side of a rectangle",
)
def board_size(engine: GtpEngine) -> str:
    """Gives the size of the square that GoGui shows."""
    return str(_square(engine.session.position))


@command(
    "gogui-rules_board",
    answer="the rows from the top: `X` black, `O` white, `.` empty, `?` beyond a rectangular board",
)
def board(engine: GtpEngine) -> str:
    """Lists what stands on each point."""
    position = engine.session.position
    square = _square(position)
    missing = [NO_POINT * square] * (square - position.height)
    rows = [*missing, *(row.ljust(square, NO_POINT) for row in render.stone_rows(position))]
    return "\n".join(map(" ".join, rows))


@command(
    "gogui-rules_legal_moves",
    answer="the points in one line, from A1 row by row, then `pass` where a swap (or a pass) is "
    "legal; the next parts where a turn has several; empty once the game is over",
)
def legal_moves(engine: GtpEngine) -> str:
    """Lists the moves of the side to move, as GoGui spells them."""
    session = engine.session
    if session.is_over:
        return ""
    moves = session.position.legal_moves()
    texts = ["pass" if move in (SWAP, PASS) else format_move(move) for move in moves]
    return " ".join(dict.fromkeys(texts))  # a pass can be legal beside a swap


@command("gogui-rules_side_to_move", answer="`black` or `white`")
def side_to_move(engine: GtpEngine) -> str:
    """Says who is to move."""
    return str(engine.session.to_move)


@command("gogui-rules_final_result", answer="a sentence for people")
def final_result(engine: GtpEngine) -> str:
    """Says how the game ended, or that it goes on."""
    return render.status_text(engine.session)


@command(
    "gogui-rules_captured_count",
    answer="two numbers: the black and the white stones that have left the board. A stone that "
    "changes its color has not (in Pinch the answer is always `0 0`), nor one that will be put "
    "down elsewhere",
)
def captured_count(engine: GtpEngine) -> str:
    """Counts captured stones."""
    black, white = engine.session.prisoners()
    return f"{black} {white}"


@command(
    "gogui-rules_board_gfx",
    answer="graphics commands of GoGui, one a line: `COLOR` gives the outer points the color of "
    "the side's owner (corners, which belong to both, one in between), shows the winning chain, "
    "and blackens points that the board does not have; `CIRCLE` the stones that the last move "
    "captured, `MARK` the last move, `SQUARE` what is chosen of a turn that lacks parts, "
    "`TRIANGLE` stones in atari; `LABEL` kings (`K`), points banned for this move (`x`), and "
    "instead of a mark a stone that can be swapped (`swap`); `TEXT` names stones that wait to be "
    "put down, of a possible swap, of one just made, and of the end of the game (GoGui clears it "
    "while a person is to move, unless this runs as an analyze command)",
    analyze=("gfx/Edges and Last Move/gogui-rules_board_gfx",),
)
def board_gfx(engine: GtpEngine) -> str:
    """Shows whose the edges are, the last move and its captures, and the winning chain."""
    session = engine.session
    lines = [f"COLOR {color} {_vertices(points)}" for color, points in _backgrounds(session)]
    if captured := session.captured():
        lines.append(f"CIRCLE {_vertices(captured)}")
    turn = session.last_turn
    if turn and session.position.mid_turn:
        lines.append(f"SQUARE {_vertices(list(turn.moves))}")
    elif (last := session.last_points()) and not session.position.swap_open:
        lines.append(f"MARK {_vertices(last)}")
    lines += [
        f"TRIANGLE {_vertices(each.points)}"
        for each in markers(session.position)
        if each.points and each.color == session.to_move
    ]
    lines += [f"LABEL {format_move(at)} {sign}" for at, sign in _labels(session)]
    if message := _message(session):
        lines.append(f"TEXT {message}")
    return "\n".join(lines)


@command(
    "gogui-play_sequence",
    arguments.moves("color move ...").optional(),
    fails="`illegal move`, `syntax error`: as in play, for any of the moves",
    effect="the moves are made, one after another, or none of them",
)
def play_sequence(engine: GtpEngine, moves: arguments.Moves) -> str:
    """Makes many moves at once."""
    for number, (color, move) in enumerate(moves, start=1):
        try:
            engine.play(color, move)
        except GtpError as error:
            where = f"move {number}, {color} {move}"
            detail = f"{where}: {error.detail}" if error.detail else where
            raise GtpError(error.text, detail) from None
    return ""


@command("gogui-title", answer="empty, so that GoGui keeps its own title with the players' names")
def title(engine: GtpEngine) -> str:
    """Gives a title for the window."""
    return ""


@command("gogui-version", arguments.rest("version"))
def gogui_version(engine: GtpEngine, version: str) -> str:
    """Accepts GoGui's version, which it sends to every program."""
    return ""


@command(
    "gogui-interrupt",
    effect="none; knowing it promises that a comment line `# interrupt` ends a search at once",
)
def interrupt(engine: GtpEngine) -> str:
    """Says that a search can be interrupted."""
    return ""


@command("gogui-analyze_commands", answer="`type/label/command`, one a line")
def analyze_commands(engine: GtpEngine) -> str:
    """Lists what GoGui's analysis dialog offers."""
    entries = commands_of(engine.session.game)
    return "\n".join(line for entry in entries for line in entry.analyze)


def _square(position: Position) -> int:
    return max(position.width, position.height)


def _vertices(points: list[int]) -> str:
    return " ".join(map(format_move, points))


def _labels(session: Session) -> list[tuple[int, str]]:
    """Kings, banned points and a stone that can be swapped, with their labels."""
    signs = dict.fromkeys(KINGS, "K") | {BANNED: "x"}
    labels = [(at, signs[cell]) for at, cell in _cells(session.position) if cell in signs]
    swapped = session.last_points() if session.position.swap_open else []
    return labels + [(at, "swap") for at in swapped]


def _cells(position: Position) -> Iterator[tuple[int, int]]:
    """The points of a position's cells, and what is there."""
    cells = enumerate(position.cells())
    return ((point_of(at, position.width), cell) for at, cell in cells)


def _backgrounds(session: Session) -> list[tuple[str, list[int]]]:
    """Colors and the points that have them; each point has one at the most."""
    position, square = session.position, range(_square(session.position))
    on_board = {at for at, cell in _cells(position) if cell != NO_CELL}
    found = {at: MISSING for y in square for x in square if (at := point(x, y)) not in on_board}
    if owners := render.side_owners(session):
        left_right, bottom_top = {0, position.width - 1}, {0, position.height - 1}
        for x, y in product(range(position.width), range(position.height)):
            if x in left_right and y in bottom_top:
                found[point(x, y)] = CORNER
            elif x in left_right or y in bottom_top:
                found[point(x, y)] = EDGES[owners[x in left_right]]
    found.update(dict.fromkeys(position.winning_chain, CHAIN))
    return [
        (color, sorted(at for at, background in found.items() if background == color))
        for color in dict.fromkeys(found.values())
    ]


def _message(session: Session) -> str:
    """What there is to say; one line, since GoGui opens a window for more."""
    if session.is_over:
        return render.status_text(session)
    if session.position.swap_open:
        return f"{session.to_move} may swap: a pass exchanges the colors".capitalize()
    lifted = [each for each in markers(session.position) if each.name == LIFTED]
    if lifted:
        first, *others = (str(each.color) for each in lifted)
        after = f", then {', '.join(others)}" if others else ""
        return f"{session.to_move} puts down a {first} stone{after}".capitalize()
    owners = render.side_owners(session)
    if session.last_move == SWAP and owners:
        return f"Swapped: {owners[0]} joins top and bottom, {owners[1]} left and right"
    return ""
