"""Measures the levels of play: each against the one below it, and the first against plain greed.

    python -m tools.strength.levels                 every pair, an hour or two on one core
    python -m tools.strength.levels --levels 1-11   only these
    python -m tools.strength.levels --table         only the table, from the figures that are kept

Games are paired: each opening is played with both colors, without a swap. The last level has
--visits instead of all that time allows, so that busy machines measure the same.
"""

from __future__ import annotations

import argparse
import math
import random
from collections.abc import Sequence
from itertools import islice, pairwise
from typing import Any

import numpy as np

from pinchtp.games import GAMES, PIE, Color
from pinchtp.games.session import Session
from pinchtp.match.plan.balanced_openings import OpeningSearch, balanced_openings
from pinchtp.match.statistics.rating import bradley_terry, score_interval
from pinchtp.player.levels import LEVELS
from pinchtp.player.player import Limits, Player
from pinchtp.player.settings import Settings
from pinchtp.report.playing import Chooser, Chosen, play_game

from . import kept

WINDOW = 0.2  # an opening may favor a player by so much, as it is played with both colors
GREED = "greed"
MEMORY = 128  # MB of a player


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--levels", default=f"1-{len(LEVELS)}", help="the first and the last")
    parser.add_argument("--games", type=int, default=100, help="of each pair of levels")
    parser.add_argument("--visits", type=int, default=10_000, help="a move of the last level")
    parser.add_argument("--table", action="store_true", help="write the table only")
    asked = parser.parse_args()
    if not asked.table:
        first, last = map(int, asked.levels.split("-"))
        measure(first, last, asked.games, asked.visits)
    kept.show("levels", table(kept.load("levels")))


def measure(first: int, last: int, games: int, visits: int) -> None:
    """Keeps each pair's outcomes as soon as they are known."""
    figures = kept.load("levels")
    if first == 1:
        figures[GREED] = [against_greed("pinch", 9, games), games]
    openings = _openings(games // 2)
    for low, high in pairwise(range(first, last + 1)):
        counts = [0] * 5
        for number, opening in enumerate(openings):
            counts[_pair(opening, low, high, number, visits)] += 1
        settings = [_settings(level) for level in (low, high)]
        figures[f"{low}-{high}"] = {"pairs": counts, "settings": settings, "visits": visits}
        kept.save("levels", figures)
        print(f"{high} against {low}: {_points(counts):g} of {2 * sum(counts)}", flush=True)


def _settings(level: int) -> list[Any]:
    """What a measurement of a level is true of."""
    row = LEVELS[level - 1]
    return [row.visits, row.temperature, row.threats]


def _openings(count: int) -> list[str]:
    search = OpeningSearch(
        "pinch", (9, 9), {PIE.name: False}, plies=2, visits=100, window=WINDOW, seed=1
    )
    return [text for text, _ in islice(balanced_openings(search, count), count)]


def new_session(game: str = "pinch", size: int = 9) -> Session:
    """A game without a swap."""
    options = {PIE.name: False} if GAMES[game].swaps else {}
    return Session(GAMES[game], size, size, **options)


def _pair(opening: str, low: int, high: int, number: int, visits: int) -> int:
    """Two games of an opening: the half points of the higher level, 0 to 4."""
    points = 0
    for color in Color:
        session = new_session()
        for move in opening.split():
            session.play(session.to_move, *session.parse(move))
        seed = 4 * number + 2 * color
        players: dict[Color, Chooser] = {
            color: Mover(high, visits, seed),
            color.opponent: Mover(low, visits, seed + 1),
        }
        winner = play_game(session, players)["winner"]
        points += 2 if winner == color else 0
    return points


class Mover:
    """Plays at a level, the last one with so many visits."""

    def __init__(self, level: int, visits: int, seed: int) -> None:
        self._player = Player(Settings(level=level, memory=MEMORY, seed=seed))
        self._limits = Limits(visits=visits)

    def choose(self, session: Session) -> Chosen:
        report = self._player.think_at_level(session, self._limits)
        choice = self._player.choose(session, report)
        turn = self._player.whole_turn(session, choice, report.visits)
        return Chosen(turn, choice.winrate)


class Greed:
    """Makes the move that wins, or else the one that captures most; of equal ones any."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def choose(self, session: Session) -> Chosen:
        moves = session.position.legal_moves()
        gains = {move: _gain(session, move) for move in moves}
        best = [move for move in moves if gains[move] == max(gains.values())]
        return Chosen((self._random.choice(best),))


def _gain(session: Session, move: int) -> float:
    """The mover's stones less the other's after a move; infinite for a win."""
    after, color = session.position.play(move), session.to_move
    if after.result is not None:
        return math.inf if after.result == color else -math.inf
    cells = after.cells()
    return cells.count(1 + color) - cells.count(1 + color.opponent)


def against_greed(game: str, size: int, games: int) -> int:
    """How many games the first level wins against one who sees nothing but wins and captures."""
    won = 0
    for number in range(games):
        color = Color(number % 2)
        players: dict[Color, Chooser] = {color: Mover(1, 1, number), color.opponent: Greed(number)}
        won += play_game(new_session(game, size), players)["winner"] == color
    return won


def table(figures: dict[str, Any]) -> str:
    """In Markdown: a level a row, with its score against the one before it and its Elo."""
    numbers = range(1, len(LEVELS) + 1)
    elo = ratings(figures)
    heading = ["level", "visits", "temperature", "sees threats", "against the one before", "Elo"]
    rows = [heading]
    for number, level in zip(numbers, LEVELS, strict=True):
        visits = "all there are" if level.is_full_strength else f"{level.visits:,}"
        sees = "always" if level.threats else "as the network does"
        score, rating = _score(figures, number), elo.get(number)
        shown = "" if rating is None else f"{rating:.0f}"
        rows.append([str(number), visits, f"{level.temperature:g}", sees, score, shown])
    won, games = figures[GREED]
    return (
        kept.markdown(rows)
        + f"\nThe first level won {won} of {games} games against one who sees wins and captures "
        "in one move,\nand plays at random otherwise.\n"
    )


def _score(figures: dict[str, Any], high: int) -> str:
    found = figures.get(f"{high - 1}-{high}")
    if high == 1 or found is None:
        return "" if high == 1 else "not measured"
    low, top = score_interval(found["pairs"])
    games = 2 * sum(found["pairs"])
    then = "" if _is_current(found, high) else ", with earlier settings"
    return f"{_points(found['pairs']):g} of {games} ({low:.0%} to {top:.0%}){then}"


def _is_current(found: dict[str, Any], high: int) -> bool:
    return bool(found["settings"] == [_settings(high - 1), _settings(high)])


def ratings(figures: dict[str, Any]) -> dict[int, float]:
    """Elo above the first level, as far as the pairs below were measured."""
    pairs = [f"{low}-{high}" for low, high in pairwise(range(1, len(LEVELS) + 1))]
    measured = next((at for at, pair in enumerate(pairs) if pair not in figures), len(pairs))
    points = np.zeros((measured + 1, measured + 1))
    for at, pair in enumerate(pairs[:measured]):
        counts = figures[pair]["pairs"]
        points[at + 1, at] = _points(counts)
        points[at, at + 1] = 2 * sum(counts) - _points(counts)
    estimates = bradley_terry(points)
    return {at + 1: each.elo - estimates[0].elo for at, each in enumerate(estimates)}


def _points(pairs: Sequence[int]) -> float:
    return float(np.dot(pairs, (0, 0.5, 1, 1.5, 2)))


if __name__ == "__main__":
    main()
