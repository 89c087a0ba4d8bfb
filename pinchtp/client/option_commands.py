"""Commands for options that GTP does not cover: search limits, strength, pondering.

The commands are those of pinchtp, KataGo and Leela Zero, best first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class OptionCommand:
    """A command that sets an option.

    words: its arguments, with `{}` for the value. query: the command that returns the value; empty
    if the program has none.
    """

    command: str
    words: str
    query: str = ""

    def line(self, value: object) -> str:
        return f"{self.command} {self.words.format(value)}"


NODES, SECONDS, LEVEL, PONDER = "nodes", "seconds", "level", "ponder"
UNLIMITED_NODES = 1_000_000_000  # all of these programs accept it

OPTION_COMMANDS = {
    NODES: (  # per move
        OptionCommand("pinchtp-param", "visits {}", "pinchtp-param visits"),
        OptionCommand("kata-set-param", "maxVisits {}", "kata-get-param maxVisits"),
        OptionCommand("lz-setoption", "name visits value {}"),
    ),
    SECONDS: (OptionCommand("kata-set-param", "maxTime {}", "kata-get-param maxTime"),),  # per move
    LEVEL: (OptionCommand("pinchtp-param", "level {}"),),  # pinchtp only
    PONDER: (
        OptionCommand("pinchtp-param", "ponder {}"),
        OptionCommand("kata-set-param", "ponderingEnabled {}"),
        OptionCommand("lz-setoption", "name pondering value {}"),
    ),
}


def option_command(option: str, knows: Callable[[str], bool]) -> OptionCommand | None:
    """Returns the first command for an option that an engine supports; None without one.

    knows: returns whether the engine supports a command.
    """
    return next((command for command in OPTION_COMMANDS[option] if knows(command.command)), None)
