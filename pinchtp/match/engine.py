"""An engine that takes part in a match, and its scores of games."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from pinchtp.client import EngineTimeout
from pinchtp.client.engine import SHOWN, Engine
from pinchtp.client.option_commands import NODES, PONDER
from pinchtp.games import Color
from pinchtp.match.log import EngineLog
from pinchtp.match.plan import EngineConfig, MatchPlan
from pinchtp.match.record import DRAW, Winner

SCORE_TIMEOUT = 5.0  # seconds that an engine may take for a score where a referee decides

_SCORE = re.compile(r"(?:([BW])\+.*|0(?:\.0*)?|draw|jigo)", re.IGNORECASE | re.DOTALL)
_WINNERS: dict[str, Winner] = {"B": Color.BLACK, "W": Color.WHITE, "": DRAW}


@dataclass(frozen=True, slots=True)
class Score:
    """A response to final_score. winner: None if the engine cannot decide."""

    text: str
    winner: Winner | None

    @classmethod
    def read(cls, text: str) -> Score:
        found = _SCORE.fullmatch(text)
        winner = _WINNERS[found[1].upper() if found[1] else ""] if found else None
        return cls(text[:SHOWN], winner)


class MatchEngine(Engine):
    """An engine over the games of a match."""

    def __init__(
        self,
        config: EngineConfig,
        plan: MatchPlan,
        cores: Collection[int] | None = None,
    ) -> None:
        """cores: as of Engine."""
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
        self._scores = True  # whether wrong_score() asks the engine

    def begin(self, plan: MatchPlan) -> None:
        """Starts a new game, and the engine unless it runs. Raises ProtocolError for refusals."""
        self.new_game(plan.game if plan.referee else None, *plan.board)
        if not plan.referee:
            for name, value in plan.agreed.items():
                if self.knows(name):
                    self.demand(f"{name} {value}")
        config = self.config
        nodes = plan.nodes if config.nodes is None else config.nodes
        ponder = plan.ponder if config.ponder is None else config.ponder
        if nodes is not None:
            self.set_option(NODES, nodes)
        if ponder is not None:
            self.set_option(PONDER, str(ponder).lower())
        self.announce_time(config.time or plan.time)
        self.lag = 0.0

    def final_score(self, timeout: float | None = None) -> Score | None:
        """Returns the engine's result of the game; None if it has no final_score."""
        known = self.knows("final_score")
        text = self.ask_or("final_score", "", timeout).strip() if known else ""
        return Score.read(text) if text else None

    def wrong_score(self, winner: Winner) -> str:
        """Returns the engine's score of a game if it contradicts the referee's winner, else "".

        An engine that disagrees, or takes longer than SCORE_TIMEOUT, is not asked again, since many
        score by the rules of Go, which may take minutes.
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
