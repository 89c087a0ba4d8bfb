"""Measures how often the engine keeps a win, in random won positions, checked by the solver.

    python tools/lab/perfect.py --boards 4x4,4x5,5x5 --positions 200 --time 0.1
    python tools/lab/perfect.py --game capture-go --crosscut --boards 6x6
    python tools/lab/perfect.py --game bushka --pieces 3 --boards 10x10

Positions come from at least two random moves without the pie rule, and count if some moves of the
player to move win and others do not. Set-up positions of few pieces count if the player to move
wins at all. The solver must prove that in time; if it cannot evaluate the engine's move even in a
longer time, the win counts as lost.
"""

from __future__ import annotations

import argparse
import random
from itertools import count

from pinchtp._core import Proof, Solver, set_up
from pinchtp.base.command_line import add_option, collect_options
from pinchtp.base.ratings import score_interval
from pinchtp.base.terminal import with_progress
from pinchtp.games import GAMES, PIE, Color, Position
from pinchtp.games.session import Session
from pinchtp.player.player import Limits, Player
from pinchtp.player.settings import OPTIONS, Settings
from pinchtp.solving.job_tree import move_wins

MEMORY = 256  # MB of the solver
SOLVED_WITHIN = 0.3  # seconds per position
CHECKED_WITHIN = 60.0
NO_POINT = 255  # in cells
ENGINE_OPTIONS = ("game", "crosscut", "network", "time", "visits", "threads", "memory", "seed")


def by_random_moves(start: Position, rng: random.Random) -> Position:
    """Returns a position of a random game, usually before its end."""
    position = start
    for _ in range(rng.randint(2, start.width * start.height - 2)):
        if position.result is None:
            position = position.play(rng.choice(position.legal_moves()))
    return position


def with_few_pieces(start: Position, rng: random.Random, most: int) -> Position:
    """Returns a Bushka position with 1 to `most` pieces per side, men or kings, anywhere."""
    squares = [at for at, cell in enumerate(start.cells()) if cell != NO_POINT]
    while True:
        cells = bytearray(NO_POINT if cell == NO_POINT else 0 for cell in start.cells())
        counts = [rng.randint(1, most) for _ in Color]
        places = rng.sample(squares, sum(counts))
        for number, place in enumerate(places):
            cells[place] = 1 + (number >= counts[0]) + 2 * rng.randrange(2)
        try:
            return set_up(start.game, start.width, start.height, bytes(cells), rng.randrange(2))
        except ValueError:  # a man on the promotion row
            continue


def can_be_lost(position: Position, solver: Solver) -> bool:
    """Returns whether some moves win and others do not."""
    found = set()
    for move in position.legal_moves():
        found.add(move_wins(solver, position, move, seconds=SOLVED_WITHIN))
        if None in found:
            return False
    return len(found) == 2


def is_won(position: Position, solver: Solver) -> bool:
    """Returns whether the player to move has a winning move."""
    return solver.solve(position, SOLVED_WITHIN).value == Proof.WIN


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--boards", default="4x4,4x5,5x5")
    parser.add_argument("--pieces", type=int, help="Bushka: pieces per side, at most, anywhere")
    parser.add_argument("--positions", type=int, default=200, help="positions per board")
    for name in ENGINE_OPTIONS:
        add_option(parser, OPTIONS[name])
    options = parser.parse_args()
    settings = Settings()
    for name, value in collect_options(options, (OPTIONS[name] for name in ENGINE_OPTIONS)).items():
        settings.set(name, value)
    game = GAMES[settings.game]
    rng = random.Random(settings.seed)
    for board in options.boards.split(","):
        width, height = map(int, board.split("x"))
        start = game.start(width, height, **{**settings.rules, PIE.name: False})
        solver = Solver(start, memory_mb=MEMORY)
        kept = 0
        if options.pieces:
            positions = (with_few_pieces(start, rng, options.pieces) for _ in count())
            suits = is_won
        else:
            positions = (by_random_moves(start, rng) for _ in count())
            suits = can_be_lost
        suitable = (each for each in positions if each.result is None and suits(each, solver))
        for _ in with_progress(range(options.positions), "positions"):
            position = next(suitable)
            limits = Limits(settings.move_seconds, settings.visits)
            report = Player(settings).search(Session.at(game, position, ()), limits)
            move = report.choices[0].move
            kept += bool(move_wins(solver, position, move, seconds=CHECKED_WITHIN))
        low, high = score_interval([options.positions - kept, 0, kept])
        print(f"{board}: {kept} of {options.positions} kept ({low:.1%} to {high:.1%})", flush=True)


if __name__ == "__main__":
    main()
