"""How engines are started."""

from __future__ import annotations

import shlex
import sys
from dataclasses import dataclass

from pinchtp.games.session import Session

# Our engine, and what stands for the game in a command line; engines are started anew if that
# changes.
OURS = (
    shlex.join([sys.executable, "-P", "-m", "pinchtp"])
    + " --game {game} --size {width}x{height} {options} --no-files"
)


@dataclass(frozen=True)
class EngineSpec:
    """How an engine is started.

    name: for people. command: as in a shell; `{game}`, `{width}`, `{height}` and `{options}` stand
    for the game that is played. own: whether it is the program itself. patience: seconds that a
    move may take longer than its limits say.
    """

    name: str
    command: str
    own: bool
    memory_mb: int
    patience: float

    def words(self, session: Session) -> tuple[str, ...]:
        """The command line for a game."""
        start = session.start
        switches = [
            (f"--{name}" if value else f"--no-{name}") if isinstance(value, bool) else
            f"--{name}={value}"
            for name, value in session.options.items()
        ]  # fmt: skip
        values = {
            "{game}": session.game.name,
            "{width}": str(start.width),
            "{height}": str(start.height),
            "{options}": " ".join(switches),
        }
        command = self.command
        for name, value in values.items():
            command = command.replace(name, value)
        return tuple(shlex.split(command))
