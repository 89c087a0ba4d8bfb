"""How often the engine keeps a win: random positions that can be won, judged by the solver.

    python tools/perfect.py --boards 4x4,4x5,5x5 --positions 200 --time 0.1
    python tools/perfect.py --game capture-go --crosscut --boards 6x6

Positions come about by random moves without the pie rule, at least two of them. A position counts
if the player to move wins, but not by every move.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator

from pinchtp._core import Solver, Value
from pinchtp.base.options.command_line import add_option, given
from pinchtp.games import GAMES, PIE, Position
from pinchtp.games.session import Session
from pinchtp.match.statistics.rating import score_interval
from pinchtp.player.player import Limits, Player
from pinchtp.player.settings import OPTIONS, Settings

MEMORY = 256  # MB of the solver
ENGINE_OPTIONS = ("game", "crosscut", "network", "time", "visits", "threads", "memory", "seed")


def winnable(start: Position, solver: Solver, rng: random.Random) -> Iterator[Position]:
    """Positions in which some moves win and others do not."""
    points = start.width * start.height
    while True:
        position = start
        for _ in range(rng.randint(2, points - 2)):
            if position.result is None:
                position = position.play(rng.choice(position.legal_moves()))
        if position.result is not None or solver.solve(position).value != Value.WIN:
            continue
        if not all(wins(position, move, solver) for move in position.legal_moves()):
            yield position


def wins(position: Position, move: int, solver: Solver) -> bool:
    """Whether a move wins for the player who makes it."""
    mover, after = position.to_move, position.play(move)
    if after.result is not None:
        return after.result == mover
    value = solver.solve(after).value
    return value == (Value.WIN if after.to_move == mover else Value.LOSS)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--boards", default="4x4,4x5,5x5")
    parser.add_argument("--positions", type=int, default=200, help="on each board")
    for name in ENGINE_OPTIONS:
        add_option(parser, OPTIONS[name])
    options = parser.parse_args()
    settings = Settings()
    for name, value in given(options, (OPTIONS[name] for name in ENGINE_OPTIONS)).items():
        settings.set(name, value)
    game, rng = GAMES[settings.game], random.Random(settings.seed)
    for board in options.boards.split(","):
        width, height = map(int, board.split("x"))
        start = game.start(width, height, **{**settings.rules, PIE.name: False})
        solver, kept = Solver(start, memory_mb=MEMORY), 0
        positions = winnable(start, solver, rng)
        for _ in range(options.positions):
            position = next(positions)
            limits = Limits(settings.move_seconds, settings.visits)
            report = Player(settings).think(Session.at(game, position, ()), limits)
            kept += wins(position, report.choices[0].move, solver)
        low, high = score_interval([options.positions - kept, 0, kept])
        print(f"{board}: {kept} of {options.positions} kept ({low:.1%} to {high:.1%})", flush=True)


if __name__ == "__main__":
    main()
