"""Runs an engine made with a library of Python: python tests/field/gtp_engines.py LIBRARY."""

import random
import sys
from importlib import import_module
from typing import Any


class RandomBot:
    """A bot for betago's frontend: any point, until the board is full."""

    def __init__(self) -> None:
        self.free = [(row, column) for row in range(19) for column in range(19)]

    def apply_move(self, point: tuple[int, int]) -> None:
        self.free.remove(point)

    def select_move(self) -> tuple[int, int]:
        return self.free.pop(random.randrange(len(self.free)))


def betago() -> None:
    import_module("betago.gtp").GTPFrontend(RandomBot()).run()


def pygtp() -> None:
    library: Any = import_module("gtp")
    engine = library.Engine(library.MinimalGame())
    for line in sys.stdin:
        print(engine.send(line), end="", flush=True)
        if engine.disconnect:
            return


if __name__ == "__main__":
    {"betago": betago, "pygtp": pygtp}[sys.argv[1]]()
