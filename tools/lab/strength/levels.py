"""Measures the levels of play: each against the previous one, the first against a greedy player.

    python -m tools.lab.strength.levels                 every pair, an hour or two on one core
    python -m tools.lab.strength.levels --levels 1-11   some levels
    python -m tools.lab.strength.levels --game bushka   in another game than Pinch
    python -m tools.lab.strength.levels --table         the tables only, from stored results

Games are paired: each opening is played with both colors, without a swap. The last level has
--visits instead of a time limit, so that busy machines measure the same.
"""

from __future__ import annotations

import argparse
import math
import random
import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from pinchtp.base.command_line import arg_type
from pinchtp.base.option_types import Int
from pinchtp.base.ratings import CHAIN_PRIOR, bradley_terry, score_interval
from pinchtp.base.terminal import with_progress
from pinchtp.engine.own import OwnEngine
from pinchtp.games import GAMES, PIE, Color, GameType
from pinchtp.games.game import own_cells
from pinchtp.games.play_result import PlayResult
from pinchtp.games.session import Session
from pinchtp.match.make_openings import OpeningSearch, balanced_openings
from pinchtp.player.levels import LEVELS
from pinchtp.player.player import Limits
from pinchtp.player.settings import Settings
from pinchtp.report.playing import DRAW, MoveChooser, play_game

from . import storage

WINDOW = 0.2  # allowed bias of an opening, which is played with both colors
RATED = "pinch"  # the game for the Elo of levels
LEAST_SIDE = 9  # smallest board size, where a game has several
GREED = "greed"
MEMORY = 128  # MB per player
COUNT = Int(1, 1_000_000)  # of games or people


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--game", choices=GAMES, default=RATED, help=f"default: {RATED}")
    parser.add_argument(
        "--levels", type=first_and_last, default=f"1-{len(LEVELS)}", help="first and last level"
    )
    parser.add_argument(
        "--games", type=arg_type(Int(2, COUNT.most)), default=100, help="games per pair of levels"
    )
    parser.add_argument(
        "--visits", type=int, default=10_000, help="visits per move of the last level"
    )
    parser.add_argument("--table", action="store_true", help="write the table only")
    asked = parser.parse_args()
    if not asked.table:
        first, last = asked.levels
        measure(GAMES[asked.game], first, last, asked.games, asked.visits)
    figures = storage.load("levels")
    storage.show("levels", table(figures[RATED]))
    storage.show("other levels", other_table(figures))


def first_and_last(text: str) -> tuple[int, int]:
    """Parses levels such as `1-11`. Raises ArgumentTypeError."""
    found = re.fullmatch("([0-9]{1,2})-([0-9]{1,2})", text)
    first, last = map(int, found.groups()) if found else (0, 0)
    if not 1 <= first < last <= len(LEVELS):
        raise argparse.ArgumentTypeError(
            f"{text!r}: give a first and a last level from 1 to {len(LEVELS)}, such as 1-11"
        )
    return first, last


def measure(game: GameType, first: int, last: int, games: int, visits: int) -> None:
    """Measures pairs of levels; saves each result immediately."""
    openings = _openings(game, games // 2)
    if first == 1:
        _keep(game, GREED, [against_greed(game, games), games])
    for low, high in pairwise(range(first, last + 1)):
        counts = [0] * 5
        for number, opening in enumerate(with_progress(openings, "pairs of games")):
            counts[_pair(game, opening, (low, high), number, visits)] += 1
        settings = [_settings(level) for level in (low, high)]
        found = {"pairs": counts, "settings": settings, "visits": visits}
        _keep(game, f"{low}-{high}", found)
        print(f"{high} against {low}: {_points(counts):g} of {2 * sum(counts)}", flush=True)


def _keep(game: GameType, name: str, found: object) -> None:
    """Adds a result to the file, which other processes may have changed."""
    figures = storage.load("levels")
    figures.setdefault(game.name, {})[name] = found
    storage.save("levels", figures)


def _settings(level: int) -> list[Any]:
    """Returns the settings that a measurement of a level depends on."""
    row = LEVELS[level - 1]
    return [row.visits, row.temperature, row.threats]


def new_session(game: GameType, size: int) -> Session:
    """Returns a game without a swap."""
    return Session(game, size, size, **_options(game))


def board_size(game: GameType) -> int:
    """Returns the board size on which levels are measured."""
    return max(LEAST_SIDE, game.smallest)


def _options(game: GameType) -> dict[str, bool]:
    return {PIE.name: False} if game.swaps else {}


def _openings(game: GameType, count: int) -> list[str]:
    size = (board_size(game), board_size(game))
    search = OpeningSearch(
        game.name, size, _options(game), plies=2, visits=100, window=WINDOW, seed=1
    )
    return [text for text, _ in balanced_openings(search, count)]


def _pair(game: GameType, opening: str, levels: tuple[int, int], number: int, visits: int) -> int:
    """Plays two games of an opening; returns the half points of the higher level, 0 to 4."""
    (low, high), points = levels, 0
    for color in Color:
        session = new_session(game, board_size(game))
        for move in opening.split():
            session.play(session.to_move, *session.parse(move))
        seed = 4 * number + 2 * color
        players: dict[Color, MoveChooser] = {
            color: Mover(high, visits, seed),
            color.opponent: Mover(low, visits, seed + 1),
        }
        winner = play_game(session, players)["winner"]
        points += 1 if winner == DRAW else 2 * (winner == color)
    return points


class Mover:
    """A player at a level, with limited visits at the last one."""

    def __init__(self, level: int, visits: int, seed: int) -> None:
        self._engine = OwnEngine(Settings(level=level, memory=MEMORY, seed=seed))
        self._limits = Limits(visits=visits)

    def choose(self, session: Session) -> PlayResult:
        return self._engine.play(session, self._limits)


class GreedyPlayer:
    """A greedy player: wins, or else captures most; ties are broken at random."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def choose(self, session: Session) -> PlayResult:
        moves = session.position.legal_moves()
        gains = {move: _gain(session, move) for move in moves}
        best = [move for move in moves if gains[move] == max(gains.values())]
        return PlayResult.of(session, (self._random.choice(best),))


def _gain(session: Session, move: int) -> float:
    """Returns the mover's lead in stones after a move; infinite for a win."""
    after = session.position.play(move)
    color = session.to_move
    if after.result is not None:
        return math.inf if after.result == color else -math.inf
    own, others = (
        sum(map(after.cells().count, own_cells(each))) for each in (color, color.opponent)
    )
    return own - others


def against_greed(game: GameType, games: int) -> int:
    """Returns the number of games that the first level wins against the greedy player."""
    won = 0
    for number in range(games):
        color = Color(number % 2)
        players: dict[Color, MoveChooser] = {
            color: Mover(1, 1, number),
            color.opponent: GreedyPlayer(number),
        }
        won += play_game(new_session(game, board_size(game)), players)["winner"] == color
    return won


def table(figures: dict[str, Any]) -> str:
    """Returns a Markdown table: a level per row, its score against the previous one and its Elo."""
    numbers = range(1, len(LEVELS) + 1)
    elo = ratings(figures)
    heading = ["level", "visits", "temperature", "threat detection", "against the previous", "Elo"]
    rows = [heading]
    for number, level in zip(numbers, LEVELS, strict=True):
        visits = "unlimited" if level.is_full_strength else f"{level.visits:,}"
        sees = "always" if level.threats else "priors only"
        score = _score(figures, number)
        rating = elo.get(number)
        shown = "" if rating is None else f"{rating:.0f}"
        rows.append([str(number), visits, f"{level.temperature:g}", sees, score, shown])
    won, games = figures[GREED]
    return (
        storage.markdown(rows)
        + f"\nThe first level won {won} of {games} games against a greedy player, which sees wins "
        "and captures\nin one move and plays at random otherwise.\n"
    )


def other_table(figures: dict[str, Any]) -> str:
    """Returns a Markdown table of the games without Elo.

    Each level is against the previous one, and the first against the greedy player.
    """
    games = [name for name in GAMES if name in figures and name != RATED]
    greed = ["{} of {} against greed".format(*figures[name][GREED]) for name in games]
    rows = [["level", *games], ["1", *greed]]
    for number in range(2, len(LEVELS) + 1):
        rows.append([str(number), *(_score(figures[name], number) for name in games)])
    return storage.markdown(rows)


def _score(figures: dict[str, Any], high: int) -> str:
    """Formats the score of a level against the previous one."""
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
    """Returns the Elo above the first level, up to the first pair that was not measured."""
    pairs = [f"{low}-{high}" for low, high in pairwise(range(1, len(LEVELS) + 1))]
    measured = next((at for at, pair in enumerate(pairs) if pair not in figures), len(pairs))
    points = np.zeros((measured + 1, measured + 1))
    for at, pair in enumerate(pairs[:measured]):
        counts = figures[pair]["pairs"]
        points[at + 1, at] = _points(counts)
        points[at, at + 1] = 2 * sum(counts) - _points(counts)
    estimates = bradley_terry(points, base=0, prior=CHAIN_PRIOR)
    return {at + 1: each.elo for at, each in enumerate(estimates)}


def _points(pairs: Sequence[int]) -> float:
    return float(np.dot(pairs, (0, 0.5, 1, 1.5, 2)))


if __name__ == "__main__":
    main()
