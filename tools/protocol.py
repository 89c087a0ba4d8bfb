"""Writes the generated parts of protocol.md: contents, games, parameters and commands.

Run it after a change to a command, a parameter or a game:  python tools/protocol.py
A test fails while protocol.md differs from what this would write.
"""

from __future__ import annotations

import re
from pathlib import Path

import pinchtp.gtp.commands  # noqa: F401  (fills the registry)
from pinchtp.base.options import Option
from pinchtp.games import GAMES, Game
from pinchtp.gtp.registry import COMMANDS, Command
from pinchtp.player.settings import OPTIONS

PROTOCOL = Path(__file__).parents[1] / "protocol.md"


def section(command: Command) -> str:
    """One command: a heading with its arguments, what it does, and its facts as a list."""
    facts = [f"- *{title}*: {text}" for title, text in command.facts.items()]
    return "\n".join([f"#### `{command.usage}`", command.summary, "", *facts]).rstrip() + "\n"


COMMAND_HEADINGS = {f"`{command.usage}`" for command in COMMANDS.values()}


def subjects() -> dict[str, list[Command]]:
    """The commands by the module they stand in, in the order of registration."""
    found: dict[str, list[Command]] = {}
    for command in COMMANDS.values():
        found.setdefault(command.subject, []).append(command)
    return found


def commands() -> str:
    """The reference of all commands."""
    parts = []
    for subject, members in subjects().items():
        parts.append(f"### {subject}\n")
        parts.extend(section(command) for command in members)
    return "\n".join(parts)


def option_row(option: Option) -> str:
    default = option.format(option.default)
    when = "at the start" if option.at_start else "any time"
    cells = (f"`{option.name}`", option.kind.expected, default, when, option.description)
    return "| " + " | ".join(cells) + " |"


def options() -> str:
    """The table of all options, which GTP calls parameters."""
    head = ["| name | value | default | settable | meaning |", "| --- | --- | --- | --- | --- |"]
    return "\n".join([*head, *map(option_row, OPTIONS.values())]) + "\n"


def game_row(game: Game) -> str:
    width, height = game.size
    options = ", ".join(
        f"`{option.name}` (usually {option.kind.format(option.default)})" for option in game.options
    )
    cells = (f"`{game.name}`", game.title, f"{width}x{height}", game.sizes, options)
    return "| " + " | ".join(cells) + " |"


def games() -> str:
    """The table of all games."""
    head = ["| name | game | usual board | boards | options |", "| --- | --- | --- | --- | --- |"]
    return "\n".join([*head, *map(game_row, GAMES.values())]) + "\n"


HEADING = re.compile(r"^(#+) (.*)$", re.M)
CODE = re.compile(r"^```.*?^```$", re.M | re.S)


def contents(text: str) -> str:
    """Links to the headings of a document, but for those of single commands and its title."""
    lines = []
    for marks, title in HEADING.findall(CODE.sub("", text))[1:]:
        if title not in COMMAND_HEADINGS and title != "Contents":
            lines.append(f"{'  ' * (len(marks) - 2)}- [{title}](#{anchor(title)})")
    return "\n".join(lines) + "\n"


def anchor(title: str) -> str:
    """What GitHub calls a heading in links."""
    return re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")


def rewritten(text: str) -> str:
    """The document with its generated parts replaced."""
    for name, made in (("games", games()), ("parameters", options()), ("commands", commands())):
        text = replaced(text, name, made)
    return replaced(text, "contents", contents(text))


def replaced(text: str, name: str, made: str) -> str:
    """The document with one generated part replaced."""
    begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->\n"
    before, rest = text.split(begin)
    _, after = rest.split(end)
    return before + begin + made + end + after


if __name__ == "__main__":
    PROTOCOL.write_text(rewritten(PROTOCOL.read_text("utf-8")), "utf-8")
