"""Engines in a match, their scores, and their identity."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from pinchtp.client import (
    EngineTimeout,
    split_command,
)
from pinchtp.client.engine import SHOWN, EngineProcess
from pinchtp.client.option_commands import NODES, PONDER
from pinchtp.games import Color
from pinchtp.match.plan import EngineConfig, MatchPlan
from pinchtp.match.playing.log import EngineLog
from pinchtp.match.record import DRAW, EngineIdentity, Winner

SCORE_TIMEOUT = 5.0  # seconds for a final_score that is only compared with the referee's result

_SCORE = re.compile(r"(?:([BW])\+.*|0(?:\.0*)?|draw|jigo)", re.IGNORECASE | re.DOTALL)
_WINNERS: dict[str, Winner] = {"B": Color.BLACK, "W": Color.WHITE, "": DRAW}


@dataclass(frozen=True, slots=True)
class Score:
    """A response to final_score. winner: None if the engine cannot decide."""

    text: str
    winner: Winner | None

    @classmethod
    def read(cls, text: str) -> Score:
        match = _SCORE.fullmatch(text)
        winner = _WINNERS[match[1].upper() if match[1] else ""] if match else None
        return cls(text[:SHOWN], winner)


class MatchEngine(EngineProcess):
    """An engine that plays the games of a match.

    identity: of the program started last. has_clock: whether it accepted the time control of the
    latest game; True for a game without a clock.
    """

    identity: EngineIdentity

    def __init__(
        self,
        config: EngineConfig,
        plan: MatchPlan,
        cores: Collection[int] | None = None,
    ) -> None:
        """cores: see EngineProcess."""
        super().__init__(
            config.command,
            folder=config.folder,
            env=config.environment,
            startup=config.startup,
            start_timeout=plan.startup_deadline,
            timeout=plan.command_deadline,
            memory_mb=plan.memory,
            cores=cores,
            transcript=EngineLog(plan.log).transcript(config.name) if plan.log else None,
        )
        self.config = config
        self.has_clock = True
        self._scores = True  # whether wrong_score() asks the engine

    def start(self) -> None:
        if self.client is None:
            super().start()
            config = self.config
            binary = binary_hash(config.command, config.folder, config.environment)
            self.identity = EngineIdentity(self.name, self.version, config.command, binary)

    def begin(self, plan: MatchPlan) -> None:
        """Starts a new game, and the engine if it does not run. Raises NotSupported for a rejected
        command.
        """
        self.new_game(plan.game if plan.referee else None, *plan.board)
        if not plan.referee:
            for name, value in plan.agreed.items():
                if self.knows(name):
                    self.demand(f"{name} {value}")
        config = self.config
        nodes = plan.nodes if config.nodes is None else config.nodes
        ponders = plan.ponders(config)
        if nodes is not None:
            self.set_option(NODES, nodes)
        if ponders is not None:
            self.set_option(PONDER, str(ponders).lower())
        self.has_clock = self.announce_time(plan.time_of(config))
        self.lag = 0.0

    def final_score(self, timeout: float | None = None) -> Score | None:
        """Returns the engine's score of the game; None if it does not support final_score."""
        known = self.knows("final_score")
        text = self.try_ask("final_score", timeout).strip() if known else ""
        return Score.read(text) if text else None

    def wrong_score(self, winner: Winner) -> str:
        """Returns the engine's score of a game if it contradicts the referee's winner, else "".

        After a contradiction or a timeout, the engine is not asked again: many engines score by the
        rules of Go, which may take minutes.
        """
        if not (self._scores and self.is_running):  # a restarted engine does not have this game
            return ""
        timeout = min(SCORE_TIMEOUT, self.timeout)
        try:
            score = self.final_score(timeout)
        except EngineTimeout:
            self.kill()
            text = f"nothing within {timeout:g} s"
        else:
            if score is None or score.winner in (None, winner):
                return ""
            text = score.text
        self._scores = False
        return text


def binary_hash(
    command: str | Sequence[str], folder: str | None = None, env: Mapping[str, str] | None = None
) -> str:
    """Returns a hash of the files in a command line: the program, scripts, networks.

    folder, env: of the engine. Raises EngineStartError if the command line cannot be split.
    """
    program, *arguments = split_command(command)
    path = {**os.environ, **(env or {})}.get("PATH")
    executable = shutil.which(program, path=path) or program
    total = hashlib.sha256()
    for name in (executable, *arguments):
        file = str(Path(folder or ".") / name)
        if os.path.isfile(file):  # unlike Path.is_file(), False for invalid names
            with suppress(OSError):
                status = os.stat(file)
                total.update(_file_hash(file, status.st_size, status.st_mtime_ns))
    return total.hexdigest()[:16]


@lru_cache(maxsize=256)
def _file_hash(path: str, size: int, changed: int) -> bytes:
    """Returns the hash of a file. size, changed: distinguish its versions. Raises OSError."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").digest()
