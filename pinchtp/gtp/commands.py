"""The list of GTP commands, the source of list_commands, help and protocol.md."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from pinchtp.base.options import closest
from pinchtp.gtp import GtpError
from pinchtp.gtp.arguments import Argument, ArgumentList

if TYPE_CHECKING:
    from pinchtp.games import GameType
    from pinchtp.gtp.engine import GtpEngine


# The text of a response, or an iterator of its lines. A handler that streams checks its arguments
# before it returns the iterator, because a response cannot become an error after its start. A
# handler may return None for an empty response.
Reply = str | Iterator[str]
Handler = Callable[..., Reply | None]
AnyHandler = TypeVar("AnyHandler", bound=Handler)  # a handler keeps its type when registered


def in_every_game(game: GameType) -> bool:
    return True


@dataclass(frozen=True)
class Command:
    """A command: its name, arguments, handler and documentation.

    summary: its purpose.
    answer: the text of a successful response.
    fails: each error text with its condition.
    effect: changes of state; empty for a query.
    analyze: its entries in GoGui's analysis dialog, lines `type/label/command` (manual of GoGui,
    "Analyze Commands").
    available_in: returns whether a game lists it; in other games the handler raises GtpError.
    """

    name: str
    arguments: tuple[Argument, ...]
    handler: Handler
    summary: str
    answer: str
    fails: str
    effect: str
    analyze: tuple[str, ...] = ()
    available_in: Callable[[GameType], bool] = in_every_game

    @property
    def usage(self) -> str:
        return " ".join([self.name, *(argument.usage for argument in self.arguments)])

    @property
    def subject(self) -> str:
        """The heading of the command in the reference: the first line of its module's docstring."""
        docstring = sys.modules[self.handler.__module__].__doc__ or ""
        return docstring.partition("\n")[0].rstrip(".")

    @property
    def help_sections(self) -> dict[str, str]:
        """The sections of the reference, by title, in order."""
        parts = {"Response": self.answer, "Errors": self.fails, "Effect": self.effect}
        return {title: text for title, text in parts.items() if text}

    @cached_property
    def argument_list(self) -> ArgumentList:
        return ArgumentList(self.arguments)

    def run(self, engine: GtpEngine, arguments: str) -> Reply:
        """Parses the arguments and runs the handler. Raises GtpError or Quit."""
        if not arguments and not self.arguments:
            return self.handler(engine) or ""
        try:
            values = self.argument_list.parse(arguments)
        except GtpError as error:
            raise GtpError(error.text, f"{error.detail}; usage: {self.usage}", error.at) from None
        return self.handler(engine, *values) or ""


COMMANDS: dict[str, Command] = {}


def command(  # noqa: PLR0913  (the parts of a command)
    name: str,
    *arguments: Argument,
    answer: str = "",
    fails: str = "",
    effect: str = "",
    analyze: tuple[str, ...] = (),
    available_in: Callable[[GameType], bool] = in_every_game,
) -> Callable[[AnyHandler], AnyHandler]:
    """Returns a decorator that registers a handler as a command.

    The handler is called with the engine and one value per argument; its docstring is the summary.
    The arguments are those of Command.
    """

    def register(handler: AnyHandler) -> AnyHandler:
        if name in COMMANDS:
            raise RuntimeError(f"two commands are named {name}")
        summary = " ".join((handler.__doc__ or "").split())
        COMMANDS[name] = Command(
            name, arguments, handler, summary, answer, fails, effect, analyze, available_in
        )
        return handler

    return register


def by_subject(commands: Iterable[Command]) -> dict[str, list[Command]]:
    """Returns commands by subject, in order."""
    subjects: dict[str, list[Command]] = {}
    for entry in commands:
        subjects.setdefault(entry.subject, []).append(entry)
    return subjects


def find_command(name: str, game: GameType) -> Command:
    """Returns the command of that name in a game.

    Raises GtpError for an unknown command; its detail has the closest name.
    """
    entry = COMMANDS.get(name)
    if entry is not None:
        if entry.available_in(game):
            return entry
        hint = f"{game.title} has no such command"
    else:
        close = closest(name, (each.name for each in commands_of(game)))
        hint = f"did you mean {close!r}?" if close else "help lists all"
    raise GtpError("unknown command", f"{name!r}: {hint}")


def commands_of(game: GameType) -> Iterator[Command]:
    """Returns the commands that are available in a game, in order."""
    return (each for each in COMMANDS.values() if each.available_in(game))
