"""Commands for GoGui: rules, graphics and tools.

A program with the rules commands can be GoGui's rules program, from which GoGui gets all facts
about the game. GoGui supports only square boards, so a rectangle is in the lower left corner of a
square, and the missing points are colored.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from pinchtp._core import PASS, SWAP
from pinchtp.games import LIFTED, Color, Position, markers
from pinchtp.games.game import BANNED, KINGS, NO_CELL
from pinchtp.games.notation import format_move, point, point_of
from pinchtp.games.session import Session
from pinchtp.gtp import GtpError, arguments
from pinchtp.gtp.commands import command, commands_of
from pinchtp.gtp.engine import GtpEngine
from pinchtp.player.settings import OPTIONS
from pinchtp.render.text import NO_POINT, side_owners, status_text, stone_rows

# Background colors that fit GoGui's wood and leave stones and grid visible.
EDGES = {Color.BLACK: "#8a6f4d", Color.WHITE: "#fbf3dc"}
CORNER = "#c3b195"  # of both owners
CHAIN = "#7fc97f"
MISSING = "#000000"  # points off the board; GoGui draws the grid of a square


@command("gogui-rules_game_id", answer="one word, such as `Pinch` or `FirstCaptureGo`")
def game_id(engine: GtpEngine) -> str:
    """Returns the id of the current game."""
    return engine.session.game.id


@command(
    "gogui-rules_board_size",
    answer="an integer, the longer side of a rectangle",
)
def board_size(engine: GtpEngine) -> str:
    """Returns the size of GoGui's square board."""
    return str(_square(engine.session.position))


@command(
    "gogui-rules_board",
    answer="the rows from the top: `X` black, `O` white, `.` empty, `?` beyond a rectangular board",
)
def board(engine: GtpEngine) -> str:
    """Lists the state of each point."""
    position = engine.session.position
    square = _square(position)
    missing = [NO_POINT * square] * (square - position.height)
    rows = [*missing, *(row.ljust(square, NO_POINT) for row in stone_rows(position))]
    return "\n".join(map(" ".join, rows))


@command(
    "gogui-rules_legal_moves",
    answer="the points in one line, from A1 row by row, then `pass` where a swap (or a pass) is "
    "legal; of multi-step moves the next steps; empty after the end",
)
def legal_moves(engine: GtpEngine) -> str:
    """Lists the moves of the side to move in GoGui's notation."""
    session = engine.session
    if session.is_over:
        return ""
    moves = session.position.legal_moves()
    texts = ["pass" if move in (SWAP, PASS) else format_move(move) for move in moves]
    return " ".join(dict.fromkeys(texts))  # a pass and a swap can both be legal


@command("gogui-rules_side_to_move", answer="`black` or `white`")
def side_to_move(engine: GtpEngine) -> str:
    """Returns the side to move."""
    return str(engine.session.to_move)


@command("gogui-rules_final_result", answer="a sentence")
def final_result(engine: GtpEngine) -> str:
    """Describes the result, or the state of the game."""
    return status_text(engine.session)


@command(
    "gogui-rules_captured_count",
    answer="the numbers of black and white stones that have left the board. Flipped stones and "
    "stones to be placed elsewhere do not count (in Pinch: always `0 0`)",
)
def captured_count(engine: GtpEngine) -> str:
    """Counts captured stones."""
    black, white = engine.session.prisoners()
    return f"{black} {white}"


@command(
    "gogui-rules_board_gfx",
    answer="GoGui graphics, one command per line: `COLOR` sides by owner, the winning chain, and "
    "points off the board in black; `CIRCLE` captures of the last move, `MARK` the last move, "
    "`SQUARE` the steps of an incomplete move, `TRIANGLE` stones in atari; `LABEL` kings (`K`), "
    "points banned for this move (`x`), and a stone that can be swapped (`swap`); `TEXT` stones to "
    "be placed, swaps, and the end of the game (GoGui clears it while a human is to move, except "
    "in an analyze command)",
    analyze=("gfx/Edges and Last Move/gogui-rules_board_gfx",),
)
def board_gfx(engine: GtpEngine) -> str:
    """Shows the owners of the sides, the last move, its captures and the winning chain."""
    session = engine.session
    lines = [f"COLOR {color} {_vertices(points)}" for color, points in _backgrounds(session)]
    if captured := session.captured_points():
        lines.append(f"CIRCLE {_vertices(captured)}")
    turn = session.last_turn
    if turn and session.position.mid_turn:
        lines.append(f"SQUARE {_vertices(list(turn.moves))}")
    elif (last := session.last_points()) and not session.position.swap_open:
        lines.append(f"MARK {_vertices(last)}")
    lines += [
        f"TRIANGLE {_vertices(marker.points)}"
        for marker in markers(session.position)
        if marker.points and marker.color == session.to_move
    ]
    lines += [f"LABEL {format_move(at)} {sign}" for at, sign in _labels(session)]
    if message := _message(session):
        lines.append(f"TEXT {message}")
    return "\n".join(lines)


@command(
    "gogui-play_sequence",
    arguments.moves("color move ...").optional(),
    fails="`illegal move`, `syntax error`: as in play, for any of the moves",
    effect="all moves are made, or none",
)
def play_sequence(engine: GtpEngine, moves: arguments.Moves) -> None:
    """Makes several moves."""
    for number, (color, move) in enumerate(moves, start=1):
        try:
            engine.play(color, move)
        except GtpError as error:
            where = f"move {number}, {color} {move}"
            detail = f"{where}: {error.detail}" if error.detail else where
            raise GtpError(error.text, detail) from None


@command(
    "gogui-title",
    answer="empty, so that GoGui keeps its own title with the players' names; a warning if the "
    "board has another size than `--size`",
)
def title(engine: GtpEngine) -> str:
    """Returns a title for the window."""
    position = engine.session.position
    size = engine.settings.size
    if size in (None, (position.width, position.height)):
        return ""
    # Only GoGui without rulers sends another size, and there the menu works.
    return (
        f"The board is {position.width}x{position.height}, but pinchtp was started with "
        f"--size {OPTIONS['size'].format(size)}: choose it in Game > Board Size"
    )


@command("gogui-version", arguments.rest("version"))
def gogui_version(engine: GtpEngine, version: str) -> None:
    """Accepts GoGui's version, which GoGui sends to all programs."""


@command(
    "gogui-interrupt",
    effect="none; its presence means that a comment line `# interrupt` ends a search",
)
def interrupt(engine: GtpEngine) -> None:
    """Declares that searches can be interrupted."""


@command("gogui-analyze_commands", answer="`type/label/command`, one per line")
def analyze_commands(engine: GtpEngine) -> str:
    """Lists the commands of GoGui's analysis dialog."""
    entries = commands_of(engine.session.game)
    return "\n".join(line for entry in entries for line in entry.analyze)


def _square(position: Position) -> int:
    return max(position.width, position.height)


def _vertices(points: list[int]) -> str:
    return " ".join(map(format_move, points))


def _labels(session: Session) -> list[tuple[int, str]]:
    """Returns the labels of kings, banned points and a stone that can be swapped."""
    signs = dict.fromkeys(KINGS, "K") | {BANNED: "x"}
    labels = [(at, signs[cell]) for at, cell in _cells(session.position) if cell in signs]
    swapped = session.last_points() if session.position.swap_open else []
    return labels + [(at, "swap") for at in swapped]


def _cells(position: Position) -> Iterator[tuple[int, int]]:
    """Yields each point of a position with its cell."""
    cells = enumerate(position.cells())
    return ((point_of(at, position.width), cell) for at, cell in cells)


def _backgrounds(session: Session) -> list[tuple[str, list[int]]]:
    """Returns the background colors, each with its points; a point has at most one color."""
    position = session.position
    square = range(_square(session.position))
    on_board = {at for at, cell in _cells(position) if cell != NO_CELL}
    colors = {at: MISSING for y in square for x in square if (at := point(x, y)) not in on_board}
    if owners := side_owners(session):
        left_right, bottom_top = {0, position.width - 1}, {0, position.height - 1}
        for x, y in product(range(position.width), range(position.height)):
            if x in left_right and y in bottom_top:
                colors[point(x, y)] = CORNER
            elif x in left_right or y in bottom_top:
                colors[point(x, y)] = EDGES[owners[x in left_right]]
    colors.update(dict.fromkeys(position.winning_chain, CHAIN))
    return [
        (color, sorted(at for at, background in colors.items() if background == color))
        for color in dict.fromkeys(colors.values())
    ]


def _message(session: Session) -> str:
    """Returns the status in one line, because GoGui opens a window for more."""
    if session.is_over:
        return status_text(session)
    if session.position.swap_open:
        return f"{session.to_move} may swap: a pass exchanges the colors".capitalize()
    lifted = [marker for marker in markers(session.position) if marker.name == LIFTED]
    if lifted:
        first, *others = (str(each.color) for each in lifted)
        after = f", then {', '.join(others)}" if others else ""
        return f"{session.to_move} puts down a {first} stone{after}".capitalize()
    owners = side_owners(session)
    if session.last_move == SWAP and owners:
        return f"Swapped: {owners[0]} joins top and bottom, {owners[1]} left and right"
    return ""
