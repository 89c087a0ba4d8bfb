"""Boards as text for a terminal, and their rows."""

from __future__ import annotations

from pinchtp._core import PASS, Position
from pinchtp.games import ATARI, LIFTED, Color, Marker, markers
from pinchtp.games.game import KINGS as KING_CELLS
from pinchtp.games.game import PIECES
from pinchtp.games.history import Turn
from pinchtp.games.notation import cell_of, coordinates, format_move
from pinchtp.games.session import Session

EMPTY = "."
NO_POINT = "?"
BANNED = "-"
STONES = {Color.BLACK: "X", Color.WHITE: "O"}
KINGS = {Color.BLACK: "B", Color.WHITE: "W"}
CHAIN = {Color.BLACK: "%", Color.WHITE: "@"}
EDGES = {Color.BLACK: "x", Color.WHITE: "o"}
CAPTURED = "*"  # before a point where the last turn flipped or removed a stone

LAST_MOVE, TURN_SO_FAR = "Last move: ", "Turn so far: "
TITLES = {ATARI: "Atari: ", LIFTED: "To be put down: "}  # of markers

# The signs by the values of Position.cells(); the last value is not a point.
SIGNS = {0: EMPTY, 1: STONES[Color.BLACK], 2: STONES[Color.WHITE], 3: KINGS[Color.BLACK]} | {
    4: KINGS[Color.WHITE],
    5: BANNED,
    255: NO_POINT,
}
# In diagrams, cells that are not points are blank.
SHOWN = SIGNS | {255: " "}

# Replacements for readers that support only stones, empty points and missing ones.
_AS_STONES = str.maketrans({KINGS[color]: STONES[color] for color in Color} | {BANNED: EMPTY})

_SIGNS = bytes.maketrans(bytes(SIGNS), "".join(SIGNS.values()).encode())


def board_text(session: Session) -> str:
    """Returns the board with coordinates and owners of the edges, and the state of the game.

    No line is blank, so that the text can be a response of GTP.
    """
    return "\n".join([*diagram_lines(session), *status_lines(session)])


def rows(position: Position) -> list[str]:
    """Returns the rows from the top, with a sign for each point.

    `X` is black, `O` white, `B` and `W` their kings, `.` empty, `-` banned, `?` not a point.
    """
    signs = position.cells().translate(_SIGNS).decode()
    width = position.width
    return [signs[at : at + width] for at in range(len(signs) - width, -1, -width)]


def stone_rows(position: Position) -> list[str]:
    """Returns the rows from the top with the signs `X`, `O`, `.` and `?` only."""
    return [row.translate(_AS_STONES) for row in rows(position)]


def side_owners(session: Session) -> tuple[Color, Color] | None:
    """Returns the owners of top and bottom, and of left and right; None in a game without sides."""
    if not session.game.sides:
        return None
    owner = Color.WHITE if session.position.swapped else Color.BLACK
    return owner, owner.opponent


def status_text(session: Session) -> str:
    """Returns the state or the end of the game as a sentence, without a full stop."""
    if session.resigned is not None:
        return f"{session.resigned.opponent.title} wins: {session.resigned.title} has resigned"
    if session.winner is not None:
        return f"{session.winner.title} wins: {_victory(session, session.winner)}"
    if session.is_over:
        return "Draw"
    recorded = f"; recorded result: {session.info.result}" if session.info.result else ""
    return f"{session.to_move.title} to move{recorded}"


def _victory(session: Session, winner: Color) -> str:
    """Returns how the winner won on the board."""
    if owners := side_owners(session):
        return f"{'top and bottom' if winner == owners[0] else 'left and right'} are joined"
    if session.last_move == PASS:
        return f"{winner.opponent.title} has passed"
    return session.game.win_text.format(winner=winner.title, loser=winner.opponent.title)


def diagram_lines(session: Session) -> list[str]:
    """Returns the board with coordinates and the owners of the edges."""
    width = session.position.width
    notation = session.game.notation
    letters = "      " + " ".join(notation.columns[:width])
    owners = side_owners(session)
    top, left = (" ", " ") if owners is None else (EDGES[owners[0]], EDGES[owners[1]])
    border = ["      " + " ".join(top * width)] if session.game.sides else []
    names = [notation.row_label(y) for y in range(session.position.height)]
    spaced = zip(names, _spaced_rows(session), strict=True)
    lines = [f" {name:>2} {left}{row}{left} {name}" for name, row in spaced]
    return [letters, *border, *reversed(lines), *border, letters]


def _spaced_rows(session: Session) -> list[str]:
    """Returns the rows from the bottom, with a space before each point.

    Parentheses enclose the point of the last move; CAPTURED precedes captured points.
    """
    position = session.position
    chain = {
        cell_of(move, position.width): CHAIN[Color(position.result or 0)]
        for move in position.winning_chain
    }
    cells = position.cells()
    signs = [chain.get(at, SHOWN[cell]) for at, cell in enumerate(cells)]
    spaced = [f" {sign}" for sign in signs]
    ends = [" "] * position.height
    for last in session.last_points()[:1]:
        x, y = coordinates(last)
        at = cell_of(last, position.width)
        spaced[at] = f"({signs[at]}"
        if x + 1 < position.width:
            spaced[at + 1] = f"){signs[at + 1]}"
        else:
            ends[y] = ")"
    for move in _captures(session):
        at = cell_of(move, position.width)
        spaced[at] = CAPTURED + spaced[at][1:]
    starts = range(0, len(cells), position.width)
    return [
        "".join(spaced[at : at + position.width]) + end
        for at, end in zip(starts, ends, strict=True)
    ]


def status_lines(session: Session) -> list[str]:
    """Returns the board, the move number, the players, the last move and the state of the game."""
    position = session.position
    turns = session.played_turns()
    number = len(turns) + (not session.is_over and not position.mid_turn)
    board = f"{session.game.title} {position.width}x{position.height}"
    state = f" after move {number}. {_ending(session)}" if session.is_over else ""
    lines = [board + (state or f", move {number}: {session.to_move} to move")]
    if owners := side_owners(session):
        first, second = (f"{owner.title} ({STONES[owner]})" for owner in owners)
        lines.append(f"{first} joins top and bottom, {second} left and right")
    else:
        lines.append(f"{_players(session)}: {session.game.goal}")
    if turns:
        title = TURN_SO_FAR if position.mid_turn else LAST_MOVE
        effect = _captures_text(session)
        lines.append(f"{title}{turns[-1].color} {_last_text(session, turns[-1])}{effect}")
    lines += _markers(session)
    if position.swapped:
        lines.append("The colors were swapped")
    if position.swap_open and not session.is_over:
        lines.append(f"{session.to_move.title} may swap")
    return lines


def _markers(session: Session) -> list[str]:
    """Returns the game's markers, such as lifted stones; only those of the mover if they have
    points.
    """
    by_name: dict[str, list[Marker]] = {}
    for marker in markers(session.position):
        if not marker.points or marker.color == session.to_move:
            by_name.setdefault(marker.name, []).append(marker)
    return [TITLES[name] + " ".join(map(_marker, group)) for name, group in by_name.items()]


def _marker(marker: Marker) -> str:
    if not marker.points:
        return STONES[marker.color]
    return f"{marker.color} {' '.join(map(format_move, marker.points))}"


def _players(session: Session) -> str:
    """Returns the symbols of both colors."""
    has_kings = any(cell in session.game.cells for cell in KING_CELLS)
    kings = {color: f", king {KINGS[color]}" if has_kings else "" for color in Color}
    return ", ".join(f"{color.title} ({STONES[color]}{kings[color]})" for color in Color)


def _last_text(session: Session, turn: Turn) -> str:
    """Returns a turn in the game's notation, with the coordinates of the diagram."""
    if turn.after.mid_turn:
        return session.game.notation.format(turn.before, turn.moves)
    return ",".join(session.texts(turn))


def _captures(session: Session) -> list[int]:
    """Returns the captures of the last turn; none of an incomplete turn, whose board shows them."""
    return [] if session.position.mid_turn else session.captured_points()


def _captures_text(session: Session) -> str:
    """Returns the flips and captures of the last turn, with their points, or an empty text."""
    position = session.position
    notation = session.game.notation
    points: dict[str, list[str]] = {}
    for move in _captures(session):
        flips = position.cells()[cell_of(move, position.width)] in PIECES
        name = notation.format(position, (move,))
        points.setdefault("flips" if flips else "captures", []).append(name)
    return "".join(f", {verb} {' '.join(names)}" for verb, names in points.items())


def _ending(session: Session) -> str:
    """Returns the end of a finished game as a sentence."""
    if session.resigned is not None:
        return f"{session.resigned.title} resigned: {session.resigned.opponent.title} has won"
    if session.winner is not None:
        chain = f", chain {CHAIN[session.winner]}" if session.position.winning_chain else ""
        return f"{session.winner.title} has won: {_victory(session, session.winner)}{chain}"
    return "The game is drawn"
