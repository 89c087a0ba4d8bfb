"""The game: its moves, its result and its record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pinchtp import render, sgf
from pinchtp._core import SWAP
from pinchtp.base.files import read_file
from pinchtp.base.streams import warn
from pinchtp.games import ATARI, GAMES, MAX_SIZE, Color, markers, sizes_of_games
from pinchtp.games.notation import format_move, is_point, whole_turns
from pinchtp.games.session import IllegalMove
from pinchtp.gtp import arguments
from pinchtp.gtp.commands import command
from pinchtp.gtp.engine import GtpEngine
from pinchtp.gtp.errors import OUT_OF_MEMORY, GtpError
from pinchtp.sgf import SgfError

MAX_PERFT = MAX_SIZE * MAX_SIZE
TEXT_COST = 100  # bytes of memory for a word of an answer, beside its letters

INTERRUPTED = "interrupted"
TOO_MUCH = (
    f"`{OUT_OF_MEMORY}`: {{}} take more than the parameter `memory` allows; "
    f"`{INTERRUPTED}`: a line `# interrupt` came in"
)


@command(
    "pinchtp-game",
    arguments.word("name").optional(),
    answer=f"without a name: the game's, then those of the others ({sizes_of_games()})",
    fails="`unknown game`: there is none of that name; `cannot change the game: WHY`: it "
    "does not have what the command line asks for, such as a swap or its network",
    effect="with a name: a new game of that kind on its usual board; the time settings stay",
)
def game(engine: GtpEngine, name: str | None) -> str:
    """Names the game that is played, or changes it."""
    if name is not None:
        engine.change_game(name)
        return ""
    now = engine.session.game.name
    return " ".join([now, *(other for other in GAMES if other != now)])


@command(
    "swap",
    fails="`cannot swap`: not the second move, or there is no pie rule",
    effect="the players exchange colors; every stone stays on its point and changes its color, and "
    "Black is to move",
)
def swap(engine: GtpEngine) -> str:
    """Swaps for the side to move."""
    session = engine.session
    try:
        session.play(session.to_move, SWAP)
    except IllegalMove as error:
        raise GtpError(f"cannot swap: {error}") from None
    return ""


@command(
    "all_legal",
    arguments.color().optional(),
    answer="the points in one line, from A1 row by row; empty once the game is over, or for a "
    "color that is not to move",
    analyze=("plist/Legal Points/all_legal",),
)
def all_legal(engine: GtpEngine, color: Color | None) -> str:
    """Lists the points that the side to move may play."""
    session = engine.session
    if session.is_over or (color is not None and color != session.to_move):
        return ""
    return " ".join(format_move(move) for move in session.position.legal_moves() if is_point(move))


@command(
    "pinchtp-legal",
    arguments.keyword("turns").optional(),
    answer="all legal moves in one line, as `play` takes them: the points from A1 row by row, then "
    "`swap` or `pass`; where a turn has several parts the next ones, or with `turns` whole turns, "
    "which Bushka always has before the first part; empty once the game is over",
    fails=TOO_MUCH.format("the turns"),
)
def legal(engine: GtpEngine, turns: str | None) -> str:
    """Lists all moves of the side to move."""
    session, position = engine.session, engine.session.position
    if session.is_over:
        return ""
    if turns is None and (session.game.places_stones or position.mid_turn):
        return " ".join(map(format_move, position.legal_moves()))
    return " ".join(_bounded(engine, map(session.format, whole_turns(position))))


def _bounded(engine: GtpEngine, texts: Iterable[str]) -> Iterator[str]:
    """Texts for an answer, as long as the memory allows it. Raises GtpError."""
    memory = engine.settings.memory
    left = memory << 20
    for text in texts:
        left -= TEXT_COST + len(text)
        if left < 0:
            raise GtpError(OUT_OF_MEMORY, f"it takes more than {memory} MB")
        if engine.attention.interrupted():
            raise GtpError(INTERRUPTED)
        yield text


@command(
    "pinchtp-atari",
    arguments.color().optional(),
    answer="the stones in one line, of the side to move or of the color; empty in games without "
    "liberties, and once the game is over",
    analyze=("plist/Atari/pinchtp-atari",),
)
def atari(engine: GtpEngine, color: Color | None) -> str:
    """Lists the stones whose group has a single liberty."""
    session = engine.session
    if session.is_over:
        return ""
    side = session.to_move if color is None else color
    return " ".join(
        format_move(stone)
        for each in markers(session.position)
        if each.name == ATARI and each.color == side
        for stone in each.points
    )


@command(
    "pinchtp-history",
    answer="the moves in one line, each after its color, such as `b D4 w swap b E5`; what "
    "gogui-play_sequence needs to play them again. A resignation and passes after the end of the "
    "game are among them",
    analyze=("string/Moves so Far/pinchtp-history",),
)
def history(engine: GtpEngine) -> str:
    """Lists the moves made so far."""
    session = engine.session
    return " ".join(
        f"{turn.color.letter} {text}" for turn in session.turns() for text in session.texts(turn)
    )


@command(
    "pinchtp-svg",
    answer="a document of SVG without blank lines. The sides have their owners' colors; the last "
    "move carries a red ring, a stone it flipped a spot of its old color; the winning chain is "
    "green",
)
def svg(engine: GtpEngine) -> str:
    """Draws the board as a picture."""
    return render.board_svg(engine.session)


@command(
    "winner",
    answer="`black`, `white`, `draw`, or `none` while the game goes on",
    analyze=("string/Winner/winner",),
)
def winner(engine: GtpEngine) -> str:
    """Says who has won."""
    session = engine.session
    if not session.is_over:
        return "none"
    return "draw" if session.winner is None else str(session.winner)


@command(
    "pinchtp-perft",
    arguments.integer("depth"),
    arguments.keyword("distinct").optional(),
    answer="the number of sequences of exactly that many legal moves, a swap being a move; with "
    "`distinct`, of the different positions reachable in 1 to that many moves, each counted once "
    "(after a swap a position differs from the same stones without one)",
    fails=f"`syntax error`: a depth above {MAX_PERFT}; "
    + TOO_MUCH.format("the different positions"),
    analyze=("string/Count Sequences of Moves (Depth)/pinchtp-perft %s",),
)
def perft(engine: GtpEngine, depth: int, distinct: str | None) -> str:
    """Counts what can happen from here, to test the rules."""
    if depth > MAX_PERFT:
        raise GtpError("syntax error", f"a depth is 0..{MAX_PERFT}")
    position = engine.session.position
    if engine.session.is_over:
        return "1" if depth == 0 and not distinct else "0"
    memory = engine.settings.memory
    interrupted = engine.attention.interrupted
    try:
        count = position.perft(
            depth, distinct is not None, memory_mb=memory, should_stop=interrupted
        )
    except MemoryError as error:
        raise GtpError(OUT_OF_MEMORY, f"it takes more than {memory} MB") from error
    if count is None:
        raise GtpError(INTERRUPTED)
    return str(count)


STANDARD_OUTPUT = "-"
REFUSED = "file access is not allowed here (--no-files)"


@command(
    "loadsgf",
    arguments.rest_then_number("file"),
    arguments.integer("move").optional(),
    fails="`cannot load file: REASON`: not there, no game of ours from start to end, or "
    "`--no-files`",
    effect="the game in the file is the game on the board, on a board of its size, up to the "
    "position before that move (1 is the first; left out: to the end); undo takes its moves back; "
    "both clocks start afresh. Of a record whose GM is that of Go, standard error says so",
)
def loadsgf(engine: GtpEngine, path: str, move: int | None) -> str:
    """Loads a game from an SGF file. Its name may hold blanks; a number at the end is the move."""
    session = engine.session
    try:
        _check_access(engine)
        data = read_file(path, sgf.MAX_BYTES)
        record = sgf.from_sgf(data, session.game, **session.options)
    except OSError as error:
        raise GtpError(f"cannot load file: {error.strerror}", path) from None
    except SgfError as error:
        raise GtpError(f"cannot load file: {error}", path) from None
    record.load_into(session, move)
    if record.doubt:
        warn(f"pinchtp: {path}: {record.doubt}")
    engine.player.forget()
    return ""


@command(
    "printsgf",
    arguments.rest("file").optional(),
    answer="nothing; without a file, or for `-`, the record itself",
    fails="`cannot save file: REASON`: it cannot be written, or `--no-files`",
    effect="none on the game; the file is replaced",
)
def printsgf(engine: GtpEngine, path: str | None) -> str:
    """Writes the game as SGF, to a file whose name may hold blanks or into the answer."""
    text = sgf.to_sgf(engine.session, sgf.today())
    if path is None or path == STANDARD_OUTPUT:
        return text
    try:
        _check_access(engine)
        sgf.write_file(path, text)
    except SgfError as error:
        raise GtpError(f"cannot save file: {error}", path) from None
    return ""


def _check_access(engine: GtpEngine) -> None:
    """Raises SgfError where commands may not touch files."""
    if not engine.settings.files:
        raise SgfError(REFUSED)
