"""The visitor's rating, and the level of the adaptive opponent.

Ratings are Glicko-1 (http://www.glicko.net/glicko/glicko.pdf), updated after each game. The level
of the adaptive opponent aims at a score of one half by stochastic approximation (Robbins and
Monro): it changes by two levels at first, and by less later. Below the first level, for visitors
who lose to it, a share of the moves is random; at level 0 all moves are random.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from pinchtp.board.protocol.players import Strength
from pinchtp.board.protocol.state import Rating
from pinchtp.player.levels import LEVELS

ENGINE_DEVIATION = 50.0
_Q = math.log(10) / 400

# The assumed rating of the first level. The differences between levels were measured on Pinch 9x9
# (see LEVELS); for other games they are rough. A player of random moves is RANDOM_ELO below it: it
# won 10 % of 60 games against the first level, and 20 % when half of its moves were random.
FIRST_LEVEL_RATING = 500
RANDOM_ELO = 400

# The adaptive opponent. tools/lab/strength/newcomers.py plays weak players' first games against it.
FIRST_LEVEL = 3.0
FIRST_STEP = 2.0  # in levels
LAST_STEP = 0.3

# The initial rating of a player: that of FIRST_LEVEL.
START = float(FIRST_LEVEL_RATING + LEVELS[round(FIRST_LEVEL) - 1].elo)
START_DEVIATION = 350.0
LEAST_DEVIATION = 60.0

FIRST_GAMES = 3  # games whose large changes are explained
LARGE_CHANGE = 50  # Elo points
FIRST_GAMES_SENTENCE = " The first games change it most: little is known before them."


@dataclass(frozen=True)
class PlayerRating:
    """A rating in one game.

    rating, deviation, change: in Elo points; change: by the last game. games, wins, draws: their
    numbers. level: the next level of the adaptive opponent, not rounded. adapted: the number of
    games against it.
    """

    rating: float = START
    deviation: float = START_DEVIATION
    games: int = 0
    wins: int = 0
    draws: int = 0
    change: float = 0.0
    level: float = FIRST_LEVEL
    adapted: int = 0


class Ratings:
    """Ratings by name of the game."""

    def __init__(self, records: dict[str, PlayerRating] | None = None) -> None:
        self.records = dict(records or {})

    def add(self, game: str, opponent: float, score: float, *, adapts: bool) -> str:
        """Rates a finished game; returns a sentence about the new rating.

        opponent: the opponent's rating. score: the visitor's score, 1, 0.5 or 0. adapts: whether
        the opponent is adaptive.
        """
        record = self.records.get(game, PlayerRating())
        record = update_rating(record, opponent, score)
        if adapts:
            record = adapt_level(record, score)
        self.records[game] = record
        change = f"{round(record.change):+d}".replace("-", "\N{MINUS SIGN}")
        sentence = (
            f"Your rating is {record.rating:.0f} ({change}), "
            f"about that of level {find_level_near(record.rating)}."
        )
        is_large = record.games <= FIRST_GAMES and abs(record.change) >= LARGE_CHANGE
        return sentence + (FIRST_GAMES_SENTENCE if is_large else "")

    def resolve(self, game: str, level: Strength) -> Strength:
        """Returns a level; for the adaptive level, the current numbered level."""
        if not level.adaptive:
            return level
        now = self.records.get(game, PlayerRating()).level
        return Strength(number=max(1, round(now)), random=round(max(0.0, 1 - now), 2))

    def message(self, game: str) -> Rating:
        """Returns the rating as a message part."""
        record = self.records.get(game, PlayerRating())
        return Rating(
            rating=round(record.rating),
            level=find_level_near(record.rating),
            deviation=round(record.deviation),
            games=record.games,
            wins=record.wins,
            draws=record.draws,
            adaptive=round(record.level),
        )


def find_level_near(rating: float) -> int:
    """Returns the number of the level whose assumed rating is nearest."""
    distances = [abs(FIRST_LEVEL_RATING + level.elo - rating) for level in LEVELS]
    return distances.index(min(distances)) + 1


def find_rating(level: Strength) -> int | None:
    """Returns the assumed rating of a level; None if only its time is known.

    A number of visits counts as the highest level with at most as many.
    """
    if level.number is not None:
        elo = LEVELS[level.number - 1].elo - round(level.random * RANDOM_ELO)
        return FIRST_LEVEL_RATING + elo
    if level.visits is None:
        return None
    below = [other.elo for other in LEVELS if other.visits <= level.visits]
    return FIRST_LEVEL_RATING + max(below)


def update_rating(record: PlayerRating, opponent: float, score: float) -> PlayerRating:
    """Returns the rating after a game against an opponent (Glicko-1)."""
    g = 1 / math.sqrt(1 + 3 * (_Q * ENGINE_DEVIATION / math.pi) ** 2)
    expected = 1 / (1 + 10 ** (-g * (record.rating - opponent) / 400))
    information = (_Q * g) ** 2 * expected * (1 - expected)
    precision = 1 / record.deviation**2 + information
    change = _Q / precision * g * (score - expected)
    return replace(
        record,
        rating=record.rating + change,
        deviation=max(LEAST_DEVIATION, math.sqrt(1 / precision)),
        change=change,
        games=record.games + 1,
        wins=record.wins + (score == 1),
        draws=record.draws + (score == 0.5),
    )


def adapt_level(record: PlayerRating, score: float) -> PlayerRating:
    """Returns the rating with the adaptive level raised after a win, lowered after a loss."""
    step = max(LAST_STEP, FIRST_STEP / (1 + record.adapted) ** 0.5)
    level = record.level + step * (2 * score - 1)
    return replace(record, level=min(len(LEVELS), max(0.0, level)), adapted=record.adapted + 1)
