"""Writes the generated parts of protocol.md: contents, index, games, parameters and commands.

Run it after a change to a command, a parameter or a game:  python tools/protocol.py
A test fails while protocol.md is out of date.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import pinchtp.gtp.server  # noqa: F401  (registers the commands)
from pinchtp.base.options import Option
from pinchtp.games import GAMES, GameType
from pinchtp.gtp.commands import COMMANDS, Command, by_subject
from pinchtp.player.settings import OPTIONS

PROTOCOL = Path(__file__).parents[1] / "protocol.md"


def section(command: Command) -> str:
    """Returns the reference of one command: a heading with its arguments, then a paragraph."""
    facts = [f"*{title}*: {sentence(text)}" for title, text in command.help_sections.items()]
    return f"#### `{command.usage}`\n{' '.join([command.summary, *facts])}\n"


def sentence(text: str) -> str:
    return text if text.endswith(".") else f"{text}."


def commands() -> str:
    """Returns the reference of all commands."""
    parts = []
    for subject, members in by_subject(COMMANDS.values()).items():
        parts.append(f"### {subject}\n\n{''.join(map(section, members))}")
    return "\n".join(parts)


# Origins of commands by prefix; commands without such a prefix are in STANDARD or OTHERS.
PREFIXES = {
    "gogui": "GoGui",
    "kgs": "KGS",
    "lz": "Leela Zero",
    "kata": "KataGo",
    "gomill": "gomill",
    "pinchtp": "pinchtp",
}
STANDARD = [
    *("protocol_version", "name", "version", "known_command", "list_commands", "quit"),
    *("boardsize", "clear_board", "komi", "play", "genmove", "reg_genmove", "undo", "showboard"),
    *("final_score", "time_settings", "time_left", "loadsgf"),
    *("fixed_handicap", "place_free_handicap", "set_free_handicap"),
]
OTHERS = {
    "Sabaki": ("rectangular_boardsize", "analyze", "genmove_analyze"),
    "GNU Go": ("help", "gg-undo", "cputime", "printsgf", "all_legal"),
    "KataGo": ("clear_cache",),
    "gomill": ("set_position",),
    "pinchtp": ("stop", "swap", "winner"),
}
ORIGINS = {
    **dict.fromkeys(STANDARD, "GTP 2"),
    **{name: origin for origin, names in OTHERS.items() for name in names},
}


def index() -> str:
    """Returns the table of all commands by origin, with links."""
    origins: dict[str, list[str]] = {"GTP 2": []}
    for name, command in sorted(COMMANDS.items()):
        origin = ORIGINS.get(name) or PREFIXES[name.partition("-")[0]]
        link = f"[`{name}`](#{anchor(command.usage)})"
        origins.setdefault(origin, []).append(link)
    rows = [f"| {origin} | {', '.join(links)} |" for origin, links in origins.items()]
    return "\n".join(["| origin | commands |", "| --- | --- |", *rows]) + "\n"


def option_row(option: Option) -> str:
    default = option.format(option.default)
    when = "at the start" if option.at_start else "any time"
    cells = (f"`{option.name}`", option.type.expected, default, when, option.description)
    return "| " + " | ".join(cells) + " |"


def options() -> str:
    """Returns the table of all options, which GTP calls parameters."""
    head = ["| name | value | default | settable | meaning |", "| --- | --- | --- | --- | --- |"]
    return "\n".join([*head, *map(option_row, OPTIONS.values())]) + "\n"


def game_row(game: GameType) -> str:
    width, height = game.size
    options = ", ".join(
        f"`{option.name}` (default: {option.type.format(option.default)})"
        for option in game.options
    )
    cells = (f"`{game.name}`", game.title, f"{width}x{height}", game.sizes, options)
    return "| " + " | ".join(cells) + " |"


def games() -> str:
    """Returns the table of all games."""
    head = ["| name | game | default board | boards | options |", "| --- | --- | --- | --- | --- |"]
    return "\n".join([*head, *map(game_row, GAMES.values())]) + "\n"


CODE = re.compile(r"^```.*?^```$", re.M | re.S)


def contents(text: str) -> str:
    """Returns links to the sections of a document, one per line."""
    titles = re.findall(r"^## (.*)$", CODE.sub("", text), re.M)
    return "".join(f"- [{title}](#{anchor(title)})\n" for title in titles if title != "Contents")


def anchor(title: str) -> str:
    """Returns GitHub's anchor of a heading."""
    return re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")


def update_document(text: str) -> str:
    """Returns the document with all generated parts updated."""
    parts = {"index": index(), "games": games(), "parameters": options(), "commands": commands()}
    for name, part in parts.items():
        text = replace_part(text, name, part)
    return replace_part(text, "contents", contents(text))


def replace_part(text: str, name: str, part: str) -> str:
    """Returns the document with one generated part replaced."""
    begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->\n"
    before, rest = text.split(begin)
    _, after = rest.split(end)
    return before + begin + part + end + after


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    PROTOCOL.write_text(update_document(PROTOCOL.read_text("utf-8")), "utf-8")
