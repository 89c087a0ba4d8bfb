"""The solver, for Python."""

from __future__ import annotations

import math

from pinchtp.api.game import Game
from pinchtp.api.results import Solved
from pinchtp.player.player import Player
from pinchtp.player.settings import Settings
from pinchtp.render.text import status_text


def solve(game: Game, *, seconds: float = math.inf, memory: int = 512) -> Solved:
    """Proves who wins a game from its position, whatever the opponent does.

    seconds: to try. memory: MB, at most. Raises ValueError if the game is over, MemoryError if the
    system refuses the memory. Ctrl-C passes through.
    """
    session = game.session
    if session.is_over:
        raise ValueError(f"the game is over: {status_text(session)}")
    settings = Settings()
    settings.set("memory", memory)
    position = session.position
    return Solved.of(session, Player(settings).solver(position).solve(position, seconds))
