"""Plays first games of weak players against the adaptive opponent of `pinchtp board`.

    python -m tools.lab.strength.newcomers                    on Pinch 9x9, some minutes
    python -m tools.lab.strength.newcomers --game bushka --people 10

Newcomers play Black: at random, at some levels, or greedily.
"""

from __future__ import annotations

import argparse
import random
from itertools import takewhile

from pinchtp.base.command_line import arg_type
from pinchtp.board.protocol.players import Strength
from pinchtp.board.rating import Ratings, find_rating
from pinchtp.games import GAMES, Color, GameType
from pinchtp.games.play_result import PlayResult
from pinchtp.games.session import Session
from pinchtp.report.playing import DRAW, MoveChooser, RandomMover, play_game

from .levels import COUNT, GreedyPlayer, Mover, board_size

ADAPTIVE = Strength(adaptive=True)
PLAYERS = ("random", "level 1", "level 2", "level 4", "level 8", "greedy")
CAREER = 20  # games of each newcomer


class Opponent:
    """The adaptive opponent at a given strength."""

    def __init__(self, strength: Strength, seed: int) -> None:
        assert strength.number is not None
        self._mover = Mover(strength.number, 1, seed)
        self._random_mover = RandomMover(seed)
        self._random = random.Random(seed)
        self._share = strength.random

    def choose(self, session: Session) -> PlayResult:
        is_random = self._random.random() < self._share
        return (self._random_mover if is_random else self._mover).choose(session)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--game", choices=GAMES, default="pinch", help="default: pinch")
    parser.add_argument("--people", type=arg_type(COUNT), default=40, help="newcomers of each kind")
    options = parser.parse_args()
    print("| newcomer | losses before the first win | won of 1-10 | won of 11-20 | rating |")
    print("|---|--:|--:|--:|--:|")
    for kind in PLAYERS:
        print(row(GAMES[options.game], kind, options.people), flush=True)


def row(game: GameType, kind: str, people: int) -> str:
    """Returns a row of the table: means, and the extremes in parentheses."""
    losses, early, late, ratings = [], [], [], []
    for person in range(people):
        scores, rating = career(game, kind, person)
        losses.append(len(list(takewhile(lambda score: score == 0, scores))))
        early.append(sum(scores[:10]))
        late.append(sum(scores[10:]))
        ratings.append(rating)
    columns = (losses, 1), (early, 1), (late, 1), (ratings, 0)
    cells = " | ".join(
        f"{sum(each) / people:.{digits}f} ({min(each):g} to {max(each):g})"
        for each, digits in columns
    )
    return f"| {kind} | {cells} |"


def career(game: GameType, kind: str, person: int) -> tuple[list[float], int]:
    """Returns the scores of a newcomer's first games, and the rating after them."""
    ratings = Ratings()
    scores = []
    for number in range(CAREER):
        strength = ratings.resolve(game.name, ADAPTIVE)
        seed = person * CAREER + number
        players: dict[Color, MoveChooser] = {
            Color.BLACK: _newcomer(kind, seed),
            Color.WHITE: Opponent(strength, seed + 1),
        }
        size = board_size(game)
        winner = play_game(Session(game, size, size), players)["winner"]
        scores.append(0.5 if winner == DRAW else float(winner == Color.BLACK))
        ratings.add(game.name, find_rating(strength) or 0, scores[-1], adapts=True)
    return scores, ratings.message(game.name).rating


def _newcomer(kind: str, seed: int) -> MoveChooser:
    if kind == "random":
        return RandomMover(seed)
    return GreedyPlayer(seed) if kind == "greedy" else Mover(int(kind.split()[1]), 1, seed)


if __name__ == "__main__":
    main()
