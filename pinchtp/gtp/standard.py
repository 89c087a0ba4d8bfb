"""Standard commands, and a few more that controllers expect."""

from __future__ import annotations

from pinchtp import __version__, render
from pinchtp.games import MAX_SIZE, MIN_SIZE, Color, sizes_of_games
from pinchtp.games.session import CannotUndo
from pinchtp.gtp import arguments
from pinchtp.gtp.commands import COMMANDS, command, commands_of
from pinchtp.gtp.engine import GtpEngine
from pinchtp.gtp.errors import GtpError, Quit

NAME = "pinchtp"
PROTOCOL_VERSION = 2

ILLEGAL = "`illegal move`: against the rules, lacking parts, out of turn, or the game is over"
MALFORMED = "`syntax error`: not a color or not a move"
NO_SUCH_SIZE = f"`unacceptable size`: the game has no such board ({sizes_of_games()})"


@command("protocol_version", answer="`2`")
def protocol_version(engine: GtpEngine) -> str:
    """Gives the version of GTP."""
    return str(PROTOCOL_VERSION)


@command("name", answer="`pinchtp`")
def name(engine: GtpEngine) -> str:
    """Gives the program's name."""
    return NAME


@command("version", answer="the version, at most 40 characters")
def version(engine: GtpEngine) -> str:
    """Gives the program's version."""
    return __version__


@command("known_command", arguments.word("command"), answer="`true` or `false`")
def known_command(engine: GtpEngine, name: str) -> str:
    """Says whether there is a command, in this game."""
    entry = COMMANDS.get(name)
    return "true" if entry is not None and entry.available_in(engine.session.game) else "false"


@command("list_commands", answer="the names, one a line")
def list_commands(engine: GtpEngine) -> str:
    """Lists all commands that are of use in this game."""
    return "\n".join(each.name for each in commands_of(engine.session.game))


@command(
    "help",
    arguments.word("command").optional(),
    answer="a command's arguments and what it does; without one, a line for each command",
    fails="`unknown command`: there is none of that name",
)
def help_command(engine: GtpEngine, name: str | None) -> str:
    """Explains a command, or all of them."""
    if name is None:
        width = max(len(entry.usage) for entry in COMMANDS.values())
        return "\n".join(f"{entry.usage:{width}}  {entry.summary}" for entry in COMMANDS.values())
    entry = COMMANDS.get(name)
    if entry is None:
        raise GtpError("unknown command", f"{name!r}; list_commands names all")
    return "\n".join(
        [
            entry.usage,
            entry.summary,
            *(f"{title}: {text}" for title, text in entry.help_sections.items()),
        ]
    )


@command("quit", effect="the program ends after the answer")
def quit_command(engine: GtpEngine) -> str:
    """Ends the program."""
    raise Quit


@command(
    "boardsize",
    arguments.integer("width"),
    arguments.integer("height").optional(),
    fails=NO_SUCH_SIZE,
    effect="a new game on a board of that size; height is width if left out",
)
def boardsize(engine: GtpEngine, width: int, height: int | None) -> str:
    """Changes the size of the board."""
    return _resize(engine, width, width if height is None else height)


@command(
    "rectangular_boardsize",
    arguments.integer("width"),
    arguments.integer("height"),
    fails=NO_SUCH_SIZE,
    effect="as boardsize",
)
def rectangular_boardsize(engine: GtpEngine, width: int, height: int) -> str:
    """Changes the size of the board: the name by which Sabaki asks for rectangles."""
    return _resize(engine, width, height)


def _resize(engine: GtpEngine, width: int, height: int) -> str:
    if not all(MIN_SIZE <= size <= MAX_SIZE for size in (width, height)):
        raise GtpError("unacceptable size", f"sizes are {MIN_SIZE}..{MAX_SIZE}")
    engine.new_game(width, height)
    return ""


@command("clear_board", effect="a new game on the same board; both clocks start afresh")
def clear_board(engine: GtpEngine) -> str:
    """Starts a new game."""
    engine.new_game()
    return ""


@command("komi", arguments.number("komi"), effect="none: no game here has a komi")
def komi(engine: GtpEngine, komi: float) -> str:
    """Accepts a komi, which controllers send to every engine."""
    return ""


@command(
    "play",
    arguments.color(),
    arguments.word("move"),
    fails=f"{ILLEGAL}; {MALFORMED}",
    effect="the move is made; once the game is over, `pass` is accepted and changes nothing",
)
def play(engine: GtpEngine, color: Color, move: str) -> str:
    """Makes a move: a vertex, a turn where they have several parts (`E5,C3,H8`), `swap` (also
    `swap-pieces`, `swap-sides`, or `pass` on move 2) or `resign`.
    """
    engine.play(color, move)
    return ""


@command(
    "genmove",
    arguments.color(),
    answer="the move, `pass` for a swap unless `--swap-as` says otherwise, `pass` once the game is "
    "over, `resign` only with `--resign`",
    fails="`it is C's turn`: the color is not to move",
    effect="the move is made, and its time is taken from the color's clock",
)
def genmove(engine: GtpEngine, color: Color) -> str:
    """Chooses a move and makes it."""
    return engine.generate(color, commit=True)


@command(
    "reg_genmove",
    arguments.color(),
    answer="as genmove",
    fails="as genmove",
    analyze=("var/Best Move/reg_genmove %m",),
)
def reg_genmove(engine: GtpEngine, color: Color) -> str:
    """Chooses a move without making it, from scratch and from a seed that is always the same."""
    return engine.generate(color, commit=False)


@command("undo", fails="`cannot undo`: no move was made", effect="the last move is taken back")
def undo(engine: GtpEngine) -> str:
    """Takes back a move; a swap, a pass and a resignation count as moves."""
    return _take_back(engine, 1)


@command(
    "gg-undo",
    arguments.integer("count").optional(),
    fails="`cannot undo`: fewer moves were made",
    effect="that number of moves (1 if left out) is taken back",
)
def gg_undo(engine: GtpEngine, count: int | None) -> str:
    """Takes back several moves."""
    return _take_back(engine, 1 if count is None else count)


def _take_back(engine: GtpEngine, count: int) -> str:
    try:
        engine.session.undo(count)
    except CannotUndo as error:
        raise GtpError("cannot undo", str(error)) from None
    return ""


@command(
    "showboard",
    answer="the board, whose turn it is, and how the game stands",
    analyze=("string/Board as Reply/showboard",),
)
def showboard(engine: GtpEngine) -> str:
    """Draws the board for a person."""
    return "\n" + render.board_text(engine.session)


@command(
    "final_score",
    answer="`B+R` or `W+R`; `0` for a draw",
    fails="`cannot score`: the game is not over",
    analyze=("string/Final Score/final_score",),
)
def final_score(engine: GtpEngine) -> str:
    """Gives the result of a finished game."""
    session = engine.session
    if not session.is_over:
        raise GtpError("cannot score", "the game is not over")
    return "0" if session.winner is None else f"{session.winner.capital}+R"
