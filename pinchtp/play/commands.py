"""The commands of `pinchtp play`. Moves are not among them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

from pinchtp.games.notation import NotationError
from pinchtp.play.game import HumanGame, PlayError
from pinchtp.records.errors import RecordError
from pinchtp.records.sgf import to_sgf, today, write_file


class Dialog(Protocol):
    """The terminal of a game. is_saved: whether the game is in a file."""

    game: HumanGame
    is_saved: bool

    def say(self, text: str) -> None: ...
    def show_board(self) -> None: ...
    def show_hint(self) -> None: ...


Handler = Callable[[Dialog, str], None]


@dataclass(frozen=True)
class PlayCommand:
    """A command. usage: with its argument. help: one line."""

    usage: str
    help: str
    run: Handler

    @property
    def takes_argument(self) -> bool:
        return " " in self.usage


COMMANDS: dict[str, PlayCommand] = {}


def command(usage: str, help: str) -> Callable[[Handler], Handler]:
    """Registers a handler, which receives the terminal and the argument."""

    def register(handler: Handler) -> Handler:
        COMMANDS[usage.partition(" ")[0]] = PlayCommand(usage, help, handler)
        return handler

    return register


def find(line: str, terminal: Dialog) -> tuple[PlayCommand, str] | None:
    """Returns the command of a line and its argument; None for a move.

    Raises PlayError for a missing or additional argument.
    """
    word, _, argument = line.partition(" ")
    argument = argument.strip()
    entry = COMMANDS.get({"help": "?"}.get(word.lower(), word.lower()))
    if entry is None:
        return None
    if bool(argument) != entry.takes_argument:
        with suppress(NotationError):  # on large boards some words are multi-step moves
            terminal.game.session.parse(line)
            return None
        raise PlayError(f"usage: {entry.usage}")
    return entry, argument


@command("?", "show the commands")
def show_commands(terminal: Dialog, argument: str) -> None:
    width = max(len(entry.usage) for entry in COMMANDS.values())
    terminal.say("Type a move such as e5, or swap when it is allowed. The commands are:")
    for entry in COMMANDS.values():
        terminal.say(f"  {entry.usage:{width}}  {entry.help}")
    terminal.say("Ctrl-C stops the engine's search; press it twice to quit.")


@command("undo", "take back your last move and the reply")
def undo(terminal: Dialog, argument: str) -> None:
    terminal.game.undo()
    terminal.is_saved = False
    terminal.show_board()


@command("hint", "show the engine's choice for you")
def hint(terminal: Dialog, argument: str) -> None:
    terminal.show_hint()


@command("resign", "resign the game")
def resign(terminal: Dialog, argument: str) -> None:
    terminal.game.resign()
    terminal.is_saved = False
    terminal.show_board()


@command("save FILE", "write the game as SGF")
def save(terminal: Dialog, path: str) -> None:
    try:
        write_file(path, to_sgf(terminal.game.session, today()))
    except RecordError as error:
        raise PlayError(f"{path}: {error}") from None
    terminal.is_saved = True
    terminal.say(f"The game is in {path}.")


@command("level N", "change the engine's level")
def level(terminal: Dialog, value: str) -> None:
    _set(terminal, "level", value)


@command("time S", "change the engine's seconds per move")
def time(terminal: Dialog, value: str) -> None:
    _set(terminal, "time", value)


def _set(terminal: Dialog, name: str, value: str) -> None:
    settings = terminal.game.engine.settings
    try:
        settings.set(name, value)
    except ValueError as error:
        raise PlayError(str(error)) from None
    terminal.say(f"{name} {settings.text(name)}")


@command("board", "show the board again")
def board(terminal: Dialog, argument: str) -> None:
    terminal.show_board()


@command("new", "start a new game on the same board")
def new(terminal: Dialog, argument: str) -> None:
    file = terminal.game.restart()
    terminal.is_saved = False
    if file is not None:
        terminal.say(f"This game is recorded in {file}.")
    terminal.show_board()


@command("quit", "quit the game")
def leave(terminal: Dialog, argument: str) -> None:
    raise EOFError
