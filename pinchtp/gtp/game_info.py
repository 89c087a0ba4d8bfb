"""Game, moves, result and record."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from pinchtp._core import SWAP
from pinchtp.base.files import read_file
from pinchtp.base.streams import warn
from pinchtp.base.text import in_answer
from pinchtp.games import ATARI, GAMES, MAX_SIZE, Color, markers, sizes_of_games
from pinchtp.games.notation import format_move, is_point, whole_turns
from pinchtp.games.session import IllegalMove
from pinchtp.gtp import OUT_OF_MEMORY, GtpError, arguments
from pinchtp.gtp.commands import command
from pinchtp.gtp.engine import GtpEngine
from pinchtp.records.errors import OtherGame, RecordError

if TYPE_CHECKING:
    from pinchtp.records.game import UnreadGame, Usual

MAX_PERFT = MAX_SIZE * MAX_SIZE
TEXT_COST = 100  # bytes of memory per word of a response, plus its letters

INTERRUPTED = "interrupted"
TOO_MUCH = (
    f"`{OUT_OF_MEMORY}`: {{}} exceed the parameter `memory`; "
    f"`{INTERRUPTED}`: a line `# interrupt` was received"
)


@command(
    "pinchtp-game",
    arguments.word("name").optional(),
    answer=f"without a name: the current game, then the others ({sizes_of_games()})",
    fails="`unknown game`; `cannot change the game: WHY`: the new game does not "
    "support an option given on the command line, such as `--pie`, `--search` or `--network`",
    effect="with a name: a new game on its default board, with the same time settings",
)
def game(engine: GtpEngine, name: str | None) -> str:
    """Returns the current game, or changes it."""
    if name is not None:
        engine.change_game(name)
        return ""
    now = engine.session.game.name
    return " ".join([now, *(other for other in GAMES if other != now)])


@command(
    "swap",
    fails="`cannot swap`: not the second move, or no pie rule",
    effect="the players exchange colors; stones change colors on their points; Black is to move",
)
def swap(engine: GtpEngine) -> None:
    """Swaps for the side to move."""
    session = engine.session
    session.withdraw_resignation()
    try:
        session.play(session.to_move, SWAP)
    except IllegalMove as error:
        raise GtpError(f"cannot swap: {error}") from None


@command(
    "all_legal",
    arguments.color().optional(),
    answer="the points in one line, from A1 row by row; empty after the end, or for a "
    "color that is not to move",
    analyze=("plist/Legal Points/all_legal",),
)
def all_legal(engine: GtpEngine, color: Color | None) -> str:
    """Lists the legal points of the side to move."""
    session = engine.session
    if session.is_over or (color is not None and color != session.to_move):
        return ""
    return " ".join(format_move(move) for move in session.position.legal_moves() if is_point(move))


@command(
    "pinchtp-legal",
    arguments.keyword("turns").optional(),
    answer="all legal moves in one line, as `play` takes them: the points from A1 row by row, then "
    "`swap` or `pass`; of multi-step moves the next steps, or with `turns` (and in Bushka, "
    "before the first step) complete moves; empty after the end",
    fails=TOO_MUCH.format("the moves"),
)
def legal(engine: GtpEngine, turns: str | None) -> str:
    """Lists all legal moves of the side to move."""
    session = engine.session
    position = engine.session.position
    if session.is_over:
        return ""
    if turns is None and (session.game.places_stones or position.mid_turn):
        return " ".join(map(format_move, position.legal_moves()))
    return " ".join(
        _limit_memory(engine, (session.format(turn) for turn, _ in whole_turns(position)))
    )


def _limit_memory(engine: GtpEngine, texts: Iterable[str]) -> Iterator[str]:
    """Yields texts for a response within the memory limit. Raises GtpError."""
    memory = engine.settings.memory
    left = memory << 20
    for text in texts:
        left -= TEXT_COST + len(text)
        if left < 0:
            raise GtpError(OUT_OF_MEMORY, f"it takes more than {memory} MB")
        if engine.attention.is_interrupted():
            raise GtpError(INTERRUPTED)
        yield text


@command(
    "pinchtp-atari",
    arguments.color().optional(),
    answer="the stones in one line, of the side to move or of the color; empty in games without "
    "liberties, and after the end",
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
        for marker in markers(session.position)
        if marker.name == ATARI and marker.color == side
        for stone in marker.points
    )


@command(
    "pinchtp-history",
    answer="the moves in one line, each after its color, such as `b D4 w swap b E5`, for "
    "gogui-play_sequence; with resignation and passes after the end",
    analyze=("string/Moves so Far/pinchtp-history",),
)
def history(engine: GtpEngine) -> str:
    """Lists the moves of the game."""
    session = engine.session
    return " ".join(
        f"{turn.color.letter} {text}" for turn in session.turns() for text in session.texts(turn)
    )


@command(
    "pinchtp-svg",
    answer="an SVG document without blank lines. Sides have their owners' colors, the last move a "
    "red ring, flipped stones a spot of the old color; the winning chain is green",
)
def svg(engine: GtpEngine) -> str:
    """Draws the board as SVG."""
    from pinchtp.render.svg import board_svg  # noqa: PLC0415  (start-up time)

    return board_svg(engine.session)


@command(
    "winner",
    answer="`black`, `white`, `draw`, or `none` before the end",
    analyze=("string/Winner/winner",),
)
def winner(engine: GtpEngine) -> str:
    """Returns the winner."""
    session = engine.session
    if not session.is_over:
        return "none"
    return "draw" if session.winner is None else str(session.winner)


@command(
    "pinchtp-perft",
    arguments.integer("depth"),
    arguments.keyword("distinct").optional(),
    answer="the number of sequences of exactly that many legal moves, a swap being a move; with "
    "`distinct`, of distinct positions reachable in 1 to that many moves (positions after a swap "
    "are distinct)",
    fails=f"`syntax error`: a depth above {MAX_PERFT}; " + TOO_MUCH.format("the positions"),
    analyze=("string/Count Sequences of Moves (Depth)/pinchtp-perft %s",),
)
def perft(engine: GtpEngine, depth: int, distinct: str | None) -> str:
    """Runs perft from the current position."""
    if depth > MAX_PERFT:
        raise GtpError("syntax error", f"give a depth from 0 to {MAX_PERFT}")
    position = engine.session.position
    if engine.session.is_over:
        return "1" if depth == 0 and not distinct else "0"
    memory = engine.settings.memory
    interrupted = engine.attention.is_interrupted
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
    fails="`cannot load file: REASON`: missing, not a valid game, or `--no-files`",
    effect="loads the game, with its size, up to the position before that move (1 is the first; "
    "default: the end); its moves can be undone; both clocks are reset. A record that "
    "does not name its game gets a warning on standard error, and so does a file with several "
    "games, of which the first is loaded",
)
def loadsgf(engine: GtpEngine, path: str, move: int | None) -> str:
    """Loads an SGF file, whose name may contain spaces; a number at the end is the move."""
    from pinchtp.records.reader import read_sgf  # noqa: PLC0415  (start-up time)

    return _load(engine, path, move, read_sgf)


@command(
    "printsgf",
    arguments.rest("file").optional(),
    answer="empty; without a file, or for `-`, the record",
    fails="`cannot save file: REASON`: not writable, or `--no-files`",
    effect="the file is replaced",
)
def printsgf(engine: GtpEngine, path: str | None) -> str:
    """Writes the game as SGF, to a file whose name may contain spaces or as the response."""
    from pinchtp.records import sgf  # noqa: PLC0415  (start-up time)

    return _deliver(engine, path, sgf.to_sgf(engine.session, sgf.today()))


@command(
    "pinchtp-loadrecord",
    arguments.rest_then_number("file"),
    arguments.integer("move").optional(),
    fails="`cannot load file: REASON`: missing, not a valid game, or `--no-files`",
    effect="as `loadsgf`",
)
def loadrecord(engine: GtpEngine, path: str, move: int | None) -> str:
    """Loads a record of Abstract Play, an SGF file, a link, a position string or moves."""
    from pinchtp.records.reader import read  # noqa: PLC0415  (start-up time)

    return _load(engine, path, move, read)


@command(
    "pinchtp-printrecord",
    arguments.rest("file").optional(),
    answer="empty; without a file, or for `-`, the record",
    fails="`cannot save file: REASON`: not writable, `--no-files`, or a game that Abstract Play "
    "does not have",
    effect="the file is replaced",
)
def printrecord(engine: GtpEngine, path: str | None) -> str:
    """Writes the finished game as a record of Abstract Play, to a file or as the response."""
    from pinchtp.records.abstract_play import encode, to_record  # noqa: PLC0415

    try:
        text = encode([to_record(engine.session)]).decode()
    except RecordError as error:
        raise GtpError(f"cannot save file: {error}", path or "") from None
    return _deliver(engine, path, text)


def _load(
    engine: GtpEngine,
    path: str,
    move: int | None,
    read: Callable[[bytes, Usual], Sequence[UnreadGame]],
) -> str:
    """Loads the game of a file into the session, up to the position before a move.

    read: a function of records/reader.py. Raises GtpError.
    """
    from pinchtp.records.game import Usual  # noqa: PLC0415  (start-up time)

    session = engine.session
    try:
        _check_access(engine)
        usual = Usual(session.game, session.options, session.start, is_required=True)
        games = read(read_file(path), usual)
        record = games[0].read()
    except OSError as error:
        raise GtpError(f"cannot load file: {error.strerror}", path) from None
    except OtherGame as error:
        advice = f"pinchtp-game {error.game.name} changes the game"
        raise GtpError(f"cannot load file: {error}; {advice}", path) from None
    except RecordError as error:
        raise GtpError(f"cannot load file: {error}", path) from None
    record.load_into(session, move)
    engine.player.forget()
    if len(games) > 1:
        warn(f"pinchtp: {path} has {len(games)} games: loaded the first")
    if record.doubt:
        warn(f"pinchtp: {path}: {record.doubt}")
    return ""


def _deliver(engine: GtpEngine, path: str | None, text: str) -> str:
    """Writes a record to a file, or returns it as the response. Raises GtpError."""
    if path is None or path == STANDARD_OUTPUT:
        return in_answer(text)
    from pinchtp.records.sgf import write_file  # noqa: PLC0415  (start-up time)

    try:
        _check_access(engine)
        write_file(path, text)
    except RecordError as error:
        raise GtpError(f"cannot save file: {error}", path) from None
    return ""


def _check_access(engine: GtpEngine) -> None:
    """Raises RecordError if commands may not access files."""
    if not engine.settings.files:
        raise RecordError(REFUSED)
