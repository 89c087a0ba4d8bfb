"""Measures the levels of play: each against the one below it, and the first against plain greed.

    python -m tools.strength.levels FOLDER                    what is missing, and the table
    python -m tools.strength.levels FOLDER --levels 1-11      only these
    python -m tools.strength.levels FOLDER --game capture-go --size 7

FOLDER keeps the games, a match a pair of levels; run it again, and it goes on. The table goes to
standard output. Openings are played with both colors, without a swap.
"""

from __future__ import annotations

import argparse
import math
import random
import shlex
import sys
from collections.abc import Sequence
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import numpy as np

from pinchtp.games import GAMES, PIE, Color
from pinchtp.games.session import Session
from pinchtp.match import play
from pinchtp.match.plan.balanced_openings import OpeningSearch, balanced_openings
from pinchtp.match.results.summary import Pairing
from pinchtp.match.statistics.rating import bradley_terry, score_interval
from pinchtp.player.levels import LEVELS
from pinchtp.player.player import Limits, Player
from pinchtp.player.settings import Settings

WINDOW = 0.2  # an opening may favor a player by so much, as it is played with both colors


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, help="where the games are kept")
    parser.add_argument("--levels", default=f"1-{len(LEVELS)}", help="the first and the last")
    parser.add_argument("--game", default="pinch")
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--games", type=int, default=100, help="of each pair")
    parser.add_argument("--visits", type=int, default=10_000, help="a move of the last level")
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    first, last = map(int, asked.levels.split("-"))
    openings = _openings(asked)
    pairings = []
    for low, high in pairwise(range(first, last + 1)):
        pairings.append(_match(asked, openings, low, high))
        print(f"{high} against {low}: {pairings[-1].points:g} of {pairings[-1].games}", flush=True)
    print(table(range(first, last + 1), pairings))
    if first == 1:
        points = against_greed(asked.game, asked.size, asked.games)
        print(
            f"\nlevel 1 against one who captures what can be captured: {points:g} of {asked.games}"
        )


def _openings(asked: argparse.Namespace) -> list[str]:
    search = OpeningSearch(
        asked.game,
        (asked.size, asked.size),
        _options(asked.game),
        plies=2,
        visits=100,
        window=WINDOW,
        seed=1,
    )
    pairs = asked.games // 2
    return [text for text, _ in islice(balanced_openings(search, pairs), pairs)]


def _options(game: str) -> dict[str, Any]:
    return {PIE.name: False} if GAMES[game].swaps else {}


def _match(asked: argparse.Namespace, openings: list[str], low: int, high: int) -> Pairing:
    """The match of two levels, or what is missing of it, seen by the higher one."""
    return play(
        {f"level-{level}": _command(asked, level) for level in (high, low)},
        db=asked.folder / f"{low}-{high}.match",
        openings=openings,
        game=asked.game,
        size=asked.size,
        games=asked.games,
        time="none",
        **_options(asked.game),
    ).report.pairings[0]


def _command(asked: argparse.Namespace, level: int) -> str:
    rules = ["--game", asked.game, *(f"--no-{name}" for name in _options(asked.game))]
    limits = ["--level", str(level), "--visits", str(asked.visits)]
    return shlex.join([sys.executable, "-P", "-m", "pinchtp", *rules, *limits])


def table(levels: Sequence[int], pairings: Sequence[Pairing]) -> str:
    """In Markdown: a level a row, with its score against the one before it and its rating."""
    points = np.zeros((len(levels), len(levels)))
    for at, pairing in enumerate(pairings):
        points[at + 1, at] = pairing.points
        points[at, at + 1] = pairing.games - pairing.points
    ratings = bradley_terry(points)
    rows = [
        ["level", "visits", "temperature", "sees threats", "against the level before", "Elo"],
        ["--:", "--:", "--:", "---", "---", "--:"],
    ]
    for at, (number, estimate) in enumerate(zip(levels, ratings, strict=True)):
        level = LEVELS[number - 1]
        score = _score(pairings[at - 1]) if at else ""
        elo = estimate.elo - ratings[0].elo
        visits = "all there are" if level.is_full_strength else f"{level.visits:,}"
        sees = "always" if level.threats else "as the network does"
        rows.append([str(number), visits, f"{level.temperature:g}", sees, score, f"{elo:.0f}"])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _score(pairing: Pairing) -> str:
    low, high = score_interval(pairing.counts)
    return f"{pairing.points:g} of {pairing.games} ({low:.0%} to {high:.0%})"


def against_greed(game: str, size: int, games: int) -> float:
    """The points of the first level against one who sees wins and captures, and nothing else."""
    player, points = Player(Settings(level=1, memory=64)), 0.0
    for number in range(games):
        color, rng = Color(number % 2), random.Random(number)
        session = Session(GAMES[game], size, size, **_options(game))
        player.forget(number)
        while not session.is_over:
            if session.to_move == color:
                *_, report = player.reports(session, Limits(), math.inf)
                choice = player.choose(session, report)
                moves = player.whole_turn(session, choice, report.visits)
            else:
                moves = (greediest(session, rng),)
            session.play(session.to_move, *moves)
        points += 0.5 if session.winner is None else session.winner == color
    return points


def greediest(session: Session, rng: random.Random) -> int:
    """The move that wins, or else captures most; of equal ones any."""
    position = session.position
    mine = position.to_move + 1  # in cells

    def gain(move: int) -> float:
        after = position.play(move)
        if after.result is not None:
            return math.inf if after.result == position.to_move else -math.inf
        cells = after.cells()
        return cells.count(mine) - cells.count(3 - mine)

    gains = {move: gain(move) for move in position.legal_moves()}
    most = max(gains.values())
    return rng.choice([move for move, each in gains.items() if each == most])


if __name__ == "__main__":
    main()
