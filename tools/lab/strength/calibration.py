"""Measures the calibration of winrates in self-play games.

    python -m tools.lab.strength.calibration                about fifteen minutes of one core
    python -m tools.lab.strength.calibration pinch          the boards of some games
    python -m tools.lab.strength.calibration --correct      corrects the networks, with other games
    python -m tools.lab.strength.calibration --table        the tables only, from stored results

Games start with random stones, to make them different, and one engine plays both sides. The winrate
of every search is compared with the result of the game.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pinchtp._core import PASS
from pinchtp.base.command_line import arg_type
from pinchtp.base.option_types import OneOf
from pinchtp.base.terminal import with_progress
from pinchtp.games import GAMES, Color
from pinchtp.player import network
from pinchtp.player.levels import LEVELS
from pinchtp.report.playing import play_game

from . import storage
from .levels import COUNT, Mover, new_session

Board: TypeAlias = tuple[str, int, int]  # game, size, and visits per move

# Every packaged network plays on one of them; without a network there are more visits.
BOARDS: tuple[Board, ...] = (
    ("pinch", 6, 100),
    ("pinch", 8, 100),
    ("pinch", 9, 100),
    ("pinch", 9, 1000),
    ("pinch", 13, 100),
    ("pinch-remove", 8, 100),
    ("pinch-remove", 9, 100),
    ("pinch-relocate", 8, 100),
    ("pinch-relocate", 9, 100),
    ("capture-go", 8, 100),
    ("capture-go", 9, 100),
    ("bushka", 10, 2000),
)
SOURCE = Path(__file__).resolve().parents[3] / "pinchtp"
CORRECTED_BY = 100_000  # seed of the first game for corrections, other than the measured ones
BINS = 10
RESAMPLES = 1000  # of games, for intervals

Floats = NDArray[np.float64]
Played = Sequence[tuple[Floats, Floats]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    name = arg_type(OneOf(tuple(GAMES)))
    parser.add_argument("only", nargs="*", type=name, metavar="GAME", help="games (default: all)")
    parser.add_argument("--games", type=arg_type(COUNT), default=200, help="games per board")
    does = parser.add_mutually_exclusive_group()
    does.add_argument("--correct", action="store_true", help="correct the packaged networks")
    does.add_argument("--table", action="store_true", help="write the tables only")
    asked = parser.parse_args()
    boards = [board for board in BOARDS if board[0] in (asked.only or GAMES)]
    if asked.correct:
        networks = group_by_network(boards)
        for path in networks:
            if not path.is_relative_to(SOURCE):
                parser.error(
                    f"argument --correct: {path} is an installed copy: pip install -e '.[learn]' "
                    "makes this repository the installed package"
                )
        for path, each in networks.items():
            correct(path, [play_games(*board, asked.games, CORRECTED_BY) for board in each])
        return
    for board in [] if asked.table else boards:
        game, size, visits = board
        figures = storage.load("calibration")
        found = {"games": asked.games, **reliability(play_games(*board, asked.games))}
        figures[f"{game} {size}x{size}, {visits} visits per move"] = found
        storage.save("calibration", figures)
    storage.show("calibration", tables(storage.load("calibration")))


def group_by_network(boards: Iterable[Board]) -> dict[Path, list[Board]]:
    """Returns the files of the packaged networks that play on the boards, with their boards."""
    found: dict[Path, list[Board]] = {}
    for board in boards:
        game, size, _ = board
        if path := network.find_packaged(game, (size, size)):
            found.setdefault(path.resolve(), []).append(board)
    return found


def correct(path: Path, boards: Sequence[Played]) -> None:
    """Corrects the displayed winrates of a network by games on its boards."""
    file = network.read(path)
    slope = round(file.slope * _slope([each for board in boards for each in board]), 2)
    path.write_bytes(bytes(replace(file, slope=slope)))
    print(f"{path.stem}: {file.slope} before, {slope} now", flush=True)


def play_games(game: str, size: int, visits: int, games: int, first: int = 0) -> Played:
    """Plays games; returns their winrates and results."""
    numbers = with_progress(range(first, first + games), "games")
    return [self_play_winrates(game, size, visits, number) for number in numbers]


def self_play_winrates(game: str, size: int, visits: int, seed: int) -> tuple[Floats, Floats]:
    """Plays a game; returns winrates and results (1, 1/2, 0) of the players to move."""
    rng = random.Random(seed)
    session = new_session(GAMES[game], size)
    for _ in range(rng.randrange(2, 5)):
        points = [move for move in session.position.legal_moves() if move < PASS]
        session.play(session.to_move, rng.choice(points))
    first = session.to_move
    mover = Mover(len(LEVELS), visits, seed)
    played = play_game(session, dict.fromkeys(Color, mover))
    winner, chances = played["winner"], played["chances"]
    movers = [first ^ at & 1 for at in range(len(chances))]
    results = [0.5 if winner not in tuple(Color) else float(winner == color) for color in movers]
    return np.array(chances), np.array(results)


def reliability(played: Played) -> dict[str, Any]:
    """Returns positions grouped by winrate with their results, and Brier scores.

    bins: positions, mean winrate, mean result, and the 95 % interval of that, by resampling games.
    brier: the mean squared error; base: of a constant 1/2. slope: of the logistic curve with the
    best fit, 1 for perfect calibration.
    """
    said, done = (np.concatenate(parts) for parts in zip(*played, strict=True))
    return {
        "bins": _bins(played),
        "brier": round(float(np.mean((said - done) ** 2)), 4),
        "base": round(float(np.mean((0.5 - done) ** 2)), 4),
        "slope": [round(slope, 3) for slope in _slopes(played)],
    }


def _bins(played: Played) -> list[list[float]]:
    counts = np.zeros((len(played), BINS, 3))  # positions, sum of winrates, sum of results
    for game, (said, done) in enumerate(played):
        at = np.minimum((said * BINS).astype(int), BINS - 1)
        np.add.at(counts[game], (at, 0), 1)
        np.add.at(counts[game], (at, 1), said)
        np.add.at(counts[game], (at, 2), done)
    rng = np.random.default_rng(1)
    again = [
        counts[rng.integers(len(played), size=len(played))].sum(axis=0) for _ in range(RESAMPLES)
    ]
    rows = []
    for at, (positions, said_sum, done_sum) in enumerate(counts.sum(axis=0)):
        if positions:
            means = [each[at, 2] / each[at, 0] for each in again if each[at, 0]]
            low, high = np.quantile(means, (0.025, 0.975))
            means_of_all = said_sum / positions, done_sum / positions
            rows.append([int(positions), *(round(float(x), 4) for x in (*means_of_all, low, high))])
    return rows


def _slopes(played: Played) -> tuple[float, float, float]:
    """Returns the slope on the logit scale, and its 95 % interval, by resampling games."""
    rng = np.random.default_rng(2)
    found = [_slope(played)]
    for _ in range(RESAMPLES // 10):
        picked = rng.integers(len(played), size=len(played))
        found.append(_slope([played[at] for at in picked]))
    low, high = np.quantile(found[1:], (0.025, 0.975))
    return found[0], float(low), float(high)


def _slope(played: Played) -> float:
    """Returns the slope a with the least log loss of 1 / (1 + exp(-a logit(winrate))), by Newton.

    Adds three positions at 75 %, two won and one lost, so that the minimum exists.
    """
    said, done = (np.concatenate(parts) for parts in zip(*played, strict=True))
    said = np.clip(np.append(said, [0.75, 0.75, 0.75]), 1e-3, 1 - 1e-3)
    done = np.append(done, [1, 1, 0])
    logit = np.log(said / (1 - said))
    slope = 1.0
    for _ in range(30):
        chance = 1 / (1 + np.exp(-slope * logit))
        step = float(logit @ (done - chance)) / float(logit**2 @ (chance * (1 - chance)))
        slope += min(max(step, -0.5), 0.5)
    return slope


def tables(figures: dict[str, Any]) -> str:
    """Returns the tables in Markdown, one per board."""
    return "\n".join(_table(name, found) for name, found in figures.items())


def _table(name: str, found: dict[str, Any]) -> str:
    rows = [["winrate", "result", "95 % interval", "positions"]]
    for positions, said, done, low, high in found["bins"]:
        rows.append([f"{said:.1%}", f"{done:.1%}", f"{low:.1%} to {high:.1%}", f"{positions:,}"])
    slope, low, high = found["slope"]
    return (
        f"{name}, {found['games']} games: Brier score {found['brier']:.3f}\n(always 1/2: "
        f"{found['base']:.3f}); slope {slope:.2f} ({low:.2f} to {high:.2f})\n\n"
        + storage.markdown(rows)
    )


if __name__ == "__main__":
    main()
