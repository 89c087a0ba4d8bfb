"""Writes the command reference of protocol.md from the registry of commands.

Run it after a change to a command:  python tools/protocol.py
A test fails while protocol.md differs from what this would write.
"""

from __future__ import annotations

from pathlib import Path

import pinchtp.gtp.commands  # noqa: F401  (fills the registry)
from pinchtp.gtp.registry import COMMANDS, Command
from pinchtp.options import Option
from pinchtp.settings import OPTIONS

PROTOCOL = Path(__file__).parents[1] / "protocol.md"


def section(command: Command) -> str:
    """One command: a heading with its arguments, what it does, and its facts as a list."""
    facts = [f"- *{title}*: {text}" for title, text in command.facts.items()]
    return "\n".join([f"### `{command.usage}`", command.summary, "", *facts]).rstrip() + "\n"


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
        parts.append(f"## {subject}\n")
        parts.extend(section(command) for command in members)
    return "\n".join(parts)


def option_row(option: Option) -> str:
    default = option.format(option.default)
    when = "at the start" if option.at_start else "any time"
    cells = (f"`{option.name}`", option.kind.expected, default, when, option.help)
    return "| " + " | ".join(cells) + " |"


def options() -> str:
    """The table of all options, which GTP calls parameters."""
    head = ["| name | value | default | settable | meaning |", "| --- | --- | --- | --- | --- |"]
    return "\n".join([*head, *map(option_row, OPTIONS.values())]) + "\n"


def rewritten(text: str) -> str:
    """The document with its generated parts made anew."""
    for name, made in (("commands", commands()), ("parameters", options())):
        begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->\n"
        before, rest = text.split(begin)
        _, after = rest.split(end)
        text = before + begin + made + end + after
    return text


if __name__ == "__main__":
    PROTOCOL.write_text(rewritten(PROTOCOL.read_text("utf-8")), "utf-8")
