"""Compares the speed of pinchtp with other programs in one run, as a table of ratios.

    python tools/lab/peers.py
    python tools/lab/peers.py --rounds 9 --seconds 1

The others are the reference implementation (tests/reference) and, if installed, OpenSpiel and numba
(pip install open_spiel numba): playouts and tree searches of OpenSpiel on its Hex and Go, since it
has none of our games, and First Capture Go in plain loops compiled by numba. Each round measures
all programs in turn, so that load affects them equally; medians are printed.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib import import_module, metadata
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from plain_capture_go import capture_go_playouts, has_liberty

from pinchtp import _core
from pinchtp.base.terminal import with_progress
from pinchtp.bench.rates import Case
from pinchtp.html.format import TIMES

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

import reference

PLAYOUTS, VISITS = "playouts", "visits"
ROLLOUTS = 64  # of OpenSpiel per position, to make the cost of its tree negligible
MEMORY = 1000  # MB per tree
SEED = 1


@dataclass(frozen=True)
class Entry:
    """A program to measure. rate: runs it for some seconds; returns its rate per second."""

    program: str
    game: str
    board: str
    unit: str
    rate: Callable[[float], float]


def measure_rate(work: Callable[[], int], seconds: float) -> float:
    """Repeats `work`, which returns an amount; returns the amount per second."""
    began = perf_counter()
    done = 0
    while (elapsed := perf_counter() - began) < seconds:
        done += work()
    return done / elapsed


def own_entries(game: str, size: int) -> Iterator[Entry]:
    start = Case(game, size, size, 1).start()

    def visits(seconds: float) -> float:
        search = _core.Search(start, memory_mb=MEMORY)
        began = perf_counter()
        search.run(seconds, 2**31, 1, SEED)
        return search.report().visits / (perf_counter() - began)

    board = f"{size}x{size}"
    playouts = partial(measure_rate, lambda: len(start.playouts(1000, seed=SEED)))
    yield Entry("pinchtp", game, board, PLAYOUTS, playouts)
    yield Entry("pinchtp", game, board, VISITS, visits)


def reference_entry(game: str, size: int) -> Entry:
    source = random.Random(SEED)

    def playout() -> int:
        position = reference.GAMES[game](size, size, pie=False)
        while position.winner is None:
            position = position.play(source.choice(position.moves()))
        return 1

    return Entry(
        "reference rules", game, f"{size}x{size}", PLAYOUTS, partial(measure_rate, playout)
    )


def open_spiel(game: str, parameters: str, size: int) -> Iterator[Entry]:
    pyspiel = import_module("pyspiel")
    loaded = pyspiel.load_game(f"{game.lower()}({parameters})")
    state = loaded.new_initial_state()

    def search(rollouts: int, visits: int) -> int:
        evaluator = pyspiel.RandomRolloutEvaluator(rollouts, SEED)
        pyspiel.MCTSBot(loaded, evaluator, 1.4, visits, MEMORY, False, SEED, False).mcts_search(
            state
        )
        return rollouts * visits

    name, board = f"OpenSpiel {metadata.version('open_spiel')}", f"{size}x{size}"
    yield Entry(name, game, board, PLAYOUTS, partial(measure_rate, partial(search, ROLLOUTS, 2)))
    yield Entry(name, game, board, VISITS, partial(measure_rate, partial(search, 1, 1000)))


def numba_entry(size: int) -> Entry:
    """Returns First Capture Go, compiled by numba before the measurement."""
    numba: Any = import_module("numba")
    plain = sys.modules[capture_go_playouts.__module__]
    plain.has_liberty = numba.njit(has_liberty)  # type: ignore[attr-defined]
    playouts = numba.njit(capture_go_playouts)
    playouts(size, size, 1, SEED)

    def work() -> int:
        playouts(size, size, 1000, SEED)
        return 1000

    name, board = f"numba {metadata.version('numba')}", f"{size}x{size}"
    return Entry(name, "capture-go", board, PLAYOUTS, partial(measure_rate, work))


def entries() -> Iterator[tuple[Entry, Entry]]:
    """Yields each of the other programs with ours for comparison."""
    own = {
        (each.game, each.board, each.unit): each
        for game, size in (("pinch", 11), ("pinch", 13), ("capture-go", 9))
        for each in own_entries(game, size)
    }
    others = [reference_entry("pinch", 13), reference_entry("capture-go", 9)]
    if find_spec("numba"):
        others.append(numba_entry(9))
    if find_spec("pyspiel"):
        others += open_spiel("Hex", "board_size=11", 11)
        others += open_spiel("Hex", "board_size=13", 13)
        others += open_spiel("Go", "board_size=9", 9)
    for other in others:
        game = {"Hex": "pinch", "Go": "capture-go"}.get(other.game, other.game)
        yield other, own[game, other.board, other.unit]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.5, help="seconds per program and round")
    options = parser.parse_args()

    pairs = list(entries())
    rates: dict[Entry, list[float]] = {}
    for _ in with_progress(range(options.rounds), "rounds"):
        for entry in {entry: None for pair in pairs for entry in pair}:
            rates.setdefault(entry, []).append(entry.rate(options.seconds))
    print("| board | per second | pinchtp | other | its rate | ratio |")
    print("|---|---|--:|---|--:|--:|")
    for other, own in pairs:
        ratio = median(a / b for a, b in zip(rates[own], rates[other], strict=True))
        own_rate, other_rate = median(rates[own]), median(rates[other])
        board = own.board.replace("x", TIMES)
        print(
            f"| {board} | {own.unit} | {own.game} {own_rate:,.0f} | {other.program}, "
            f"{other.game} | {other_rate:,.0f} | {ratio:,.0f} |"
        )


if __name__ == "__main__":
    main()
