"""Measures the speedup of the solver by a network's guidance.

    python tools/lab/guided.py --game pinch --size 6 --plies 6-16 --positions 40 --seed 3

Positions come from random moves without the pie rule. Times are CPU times. The mean is geometric,
over positions that both solvers solve and for which one of them takes more than 3 ms.
"""

from __future__ import annotations

import argparse
from statistics import geometric_mean
from time import process_time

from half_played import add_options, random_positions

from pinchtp._core import Network, Position, Proof, Solver
from pinchtp.player.network import Networks
from pinchtp.player.settings import PACKAGED

MEMORY = 64  # MB per solver
LEAST_SECONDS = 0.003  # positions that take less do not count


def seconds_of(position: Position, network: Network | None, most: float) -> float | None:
    """Returns the seconds of a new solver, or None past the limit."""
    solver = Solver(position, memory_mb=MEMORY, network=network)
    began = process_time()
    value = solver.solve(position, most).value
    return None if value is Proof.UNKNOWN else process_time() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    add_options(parser, game="pinch", size=6, plies="6-16")
    parser.add_argument("--seconds", type=float, default=2.0, help="time limit of a solver")
    options = parser.parse_args()
    networks = Networks(PACKAGED)
    times = [
        [seconds_of(position, each, options.seconds) for each in (networks.of(position), None)]
        for position in random_positions(options)
    ]
    ratios = [
        guided / alone
        for guided, alone in times
        if guided and alone and max(guided, alone) > LEAST_SECONDS
    ]
    unsolved = [sum(each is None for each in column) for column in zip(*times, strict=True)]
    ratio = f"{geometric_mean(ratios):.2f}" if ratios else "no"
    print(
        f"{ratio} of the time, {len(ratios)} positions; "
        f"unsolved with the network {unsolved[0]}, without {unsolved[1]}"
    )


if __name__ == "__main__":
    main()
