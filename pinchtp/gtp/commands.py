"""The one list of GTP commands, from which list_commands, help and protocol.md derive."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
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
# before it returns the iterator, because a response cannot fail once it is being sent.
# None is the empty response of a command that only does something.
Reply = str | Iterator[str]
Handler = Callable[..., Reply | None]
AnyHandler = TypeVar("AnyHandler", bound=Handler)  # a handler keeps its own type when registered


def in_every_game(game: GameType) -> bool:
    return True


@dataclass(frozen=True)
class Command:
    """A command: its name, arguments, handler and documentation.

    summary: its purpose. answer: the text of success. fails: each error text with its condition.
    effect: changes of state; empty for a query. analyze: its entries in GoGui's analysis dialog,
    lines `type/label/command` (manual of GoGui, "Analyze Commands"). available_in: whether a game
    lists it; in other games its handler raises GtpError.
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
        """The heading it belongs under: the first line of its module's docstring."""
        docstring = sys.modules[self.handler.__module__].__doc__ or ""
        return docstring.partition("\n")[0].rstrip(".")

    @property
    def help_sections(self) -> dict[str, str]:
        """Returns the sections of the reference, by title, in order."""
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


def command(  # noqa: PLR0913  (what makes a command)
    name: str,
    *arguments: Argument,
    answer: str = "",
    fails: str = "",
    effect: str = "",
    analyze: tuple[str, ...] = (),
    available_in: Callable[[GameType], bool] = in_every_game,
) -> Callable[[AnyHandler], AnyHandler]:
    """Registers a handler, called with the engine and one value per argument, as a command.

    The handler's docstring is the summary; the rest is as in Command.
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


def by_subject() -> dict[str, list[Command]]:
    """Returns the commands by subject, in order."""
    found: dict[str, list[Command]] = {}
    for entry in COMMANDS.values():
        found.setdefault(entry.subject, []).append(entry)
    return found


def unknown_command(name: str) -> GtpError:
    """Returns the failure for an unknown command, with the closest one."""
    close = closest(name, COMMANDS)
    hint = f"did you mean {close!r}?" if close else "help lists all"
    return GtpError("unknown command", f"{name!r}: {hint}")


def commands_of(game: GameType) -> Iterator[Command]:
    """Returns the commands that are of use in a game, in order."""
    return (each for each in COMMANDS.values() if each.available_in(game))
