"""Standard commands."""

from __future__ import annotations

from pinchtp import __version__
from pinchtp.games import MAX_SIZE, MIN_SIZE, Color, sizes_of_games
from pinchtp.games.session import CannotUndo
from pinchtp.gtp import GtpError, Quit, arguments
from pinchtp.gtp.commands import (
    COMMANDS,
    Command,
    by_subject,
    command,
    commands_of,
    find_command,
)
from pinchtp.gtp.engine import GtpEngine
from pinchtp.render.text import board_text

NAME = "pinchtp"
PROTOCOL_VERSION = 2

HELP_WIDTH, HELP_COLUMN = 80, 30  # columns of help texts, and the column of the summaries

ILLEGAL = "`illegal move`: against the rules, incomplete, out of turn, or after the end"
MALFORMED = "`syntax error`: not a color or not a move"
NO_SUCH_SIZE = f"`unacceptable size`: the game has no such board ({sizes_of_games()})"


@command("protocol_version", answer="`2`")
def protocol_version(engine: GtpEngine) -> str:
    """Returns the version of GTP."""
    return str(PROTOCOL_VERSION)


@command("name", answer="`pinchtp`")
def name(engine: GtpEngine) -> str:
    """Returns the program's name."""
    return NAME


@command("version", answer="the version, at most 40 characters")
def version(engine: GtpEngine) -> str:
    """Returns the program's version."""
    return __version__


@command("known_command", arguments.word("command"), answer="`true` or `false`")
def known_command(engine: GtpEngine, name: str) -> str:
    """Returns whether a command exists in the current game."""
    entry = COMMANDS.get(name)
    return "true" if entry is not None and entry.available_in(engine.session.game) else "false"


@command("list_commands", answer="the names, one per line")
def list_commands(engine: GtpEngine) -> str:
    """Lists the commands available in the current game."""
    return "\n".join(each.name for each in commands_of(engine.session.game))


@command(
    "help",
    arguments.word("command").optional(),
    answer="the arguments and description of a command; without one, all commands by subject",
    fails="`unknown command`: no command of the game has that name",
)
def help_command(engine: GtpEngine, name: str | None) -> str:
    """Describes a command, or all commands of the current game."""
    game = engine.session.game
    if name is None:
        return "\n".join(
            "\n".join([subject, *map(_help_line, entries)])
            for subject, entries in by_subject(commands_of(game)).items()
        )
    entry = find_command(name, game)
    sections = (f"{title}: {text}" for title, text in entry.help_sections.items())
    return "\n".join(map(_wrap, [entry.usage, entry.summary, *sections]))


def _help_line(entry: Command) -> str:
    """Returns the usage and the summary of a command."""
    if len(entry.usage) <= HELP_COLUMN - 4:
        return _wrap(f"  {entry.usage:{HELP_COLUMN - 4}}  {entry.summary}", HELP_COLUMN)
    summary = _wrap(" " * HELP_COLUMN + entry.summary, HELP_COLUMN)
    return f"{_wrap(f'  {entry.usage}', 4)}\n{summary}"


def _wrap(text: str, indent: int = 2) -> str:
    """Returns a text in lines of HELP_WIDTH; lines after the first are indented."""
    import textwrap  # noqa: PLC0415  (only for help)

    return textwrap.fill(
        text,
        HELP_WIDTH,
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


@command("quit", effect="the program ends after the response")
def quit_command(engine: GtpEngine) -> str:
    """Ends the program."""
    raise Quit


@command(
    "boardsize",
    arguments.side("width"),
    arguments.side("height").optional(),
    fails=NO_SUCH_SIZE,
    effect="a new game on a board of that size; height defaults to width",
)
def boardsize(engine: GtpEngine, width: int, height: int | None) -> None:
    """Changes the size of the board."""
    _resize(engine, width, width if height is None else height)


@command(
    "rectangular_boardsize",
    arguments.integer("width"),
    arguments.integer("height"),
    fails=NO_SUCH_SIZE,
    effect="as boardsize",
)
def rectangular_boardsize(engine: GtpEngine, width: int, height: int) -> None:
    """Changes the size of the board; Sabaki's command for rectangles."""
    _resize(engine, width, height)


def _resize(engine: GtpEngine, width: int, height: int) -> None:
    if not all(MIN_SIZE <= size <= MAX_SIZE for size in (width, height)):
        raise GtpError("unacceptable size", f"sizes are {MIN_SIZE}..{MAX_SIZE}")
    engine.new_game(width, height)


@command("clear_board", effect="a new game on the same board; both clocks are reset")
def clear_board(engine: GtpEngine) -> None:
    """Starts a new game."""
    engine.new_game()


@command("komi", arguments.number("komi"), effect="none: no game has a komi")
def komi(engine: GtpEngine, komi: float) -> None:
    """Accepts a komi, which controllers send to all engines."""


@command(
    "play",
    arguments.color(),
    arguments.word("move"),
    fails=f"{ILLEGAL}; {MALFORMED}",
    effect="the move is made; after the end `pass` is accepted and changes nothing",
)
def play(engine: GtpEngine, color: Color, move: str) -> None:
    """Makes a move: a vertex, a multi-step move (`E5,C3,H8`), `swap` (also `swap-pieces`,
    `swap-sides`, or `pass` on move 2) or `resign`.
    """
    engine.play(color, move)


@command(
    "genmove",
    arguments.color(),
    answer="the move; `pass` for a swap (see `--swap-as`) and after the end; `resign` only with "
    "`--resign`",
    fails="`it is C's turn`: the color is not to move",
    effect="the move is made, and its time deducted from the color's clock. A resignation ends the "
    "game, but does not count as a move: the next `play` withdraws it",
)
def genmove(engine: GtpEngine, color: Color) -> str:
    """Chooses and makes a move."""
    return engine.generate(color, commit=True)


@command(
    "reg_genmove",
    arguments.color(),
    answer="as genmove",
    fails="as genmove",
    analyze=("var/Best Move/reg_genmove %m",),
)
def reg_genmove(engine: GtpEngine, color: Color) -> str:
    """Chooses a move without making it, with a new tree and a fixed seed."""
    return engine.generate(color, commit=False)


@command(
    "undo",
    fails="`cannot undo`: no move was made",
    effect="the last move is undone, and with it a resignation by genmove that followed it",
)
def undo(engine: GtpEngine) -> None:
    """Undoes a move; swaps, passes and resignations by `play` are moves."""
    _take_back(engine, 1)


@command(
    "gg-undo",
    arguments.integer("count").optional(),
    fails="`cannot undo`: fewer moves were made",
    effect="that number of moves (default: 1) is undone",
)
def gg_undo(engine: GtpEngine, count: int | None) -> None:
    """Undoes several moves."""
    _take_back(engine, 1 if count is None else count)


def _take_back(engine: GtpEngine, count: int) -> None:
    try:
        engine.session.undo(count)
    except CannotUndo as error:
        raise GtpError("cannot undo", str(error)) from None


@command(
    "showboard",
    answer="the board, with `*` before points flipped or captured by the last move, the side to "
    "move and the state of the game",
    analyze=("string/Board as Reply/showboard",),
)
def showboard(engine: GtpEngine) -> str:
    """Prints the board."""
    return "\n" + board_text(engine.session)


@command(
    "final_score",
    answer="`B+R` or `W+R`; `0` for a draw",
    fails="`cannot score`: the game is not over",
    analyze=("string/Final Score/final_score",),
)
def final_score(engine: GtpEngine) -> str:
    """Returns the result of a finished game."""
    session = engine.session
    if not session.is_over:
        raise GtpError("cannot score", "the game is not over")
    return "0" if session.winner is None else f"{session.winner.capital}+R"
