"""The visitor's rating, and the level of the adaptive opponent.

Ratings are Glicko-1 (http://www.glicko.net/glicko/glicko.pdf), updated after each game. The level
of the adaptive opponent aims at a score of one half by stochastic approximation (Robbins and
Monro): it moves by two levels at first, by less later.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from pinchtp.board import messages as m
from pinchtp.player.levels import LEVELS

START, START_DEVIATION, LEAST_DEVIATION = 1000.0, 350.0, 60.0
ENGINE_DEVIATION = 50.0
_Q = math.log(10) / 400

# Assumed rating of the first level. The differences between levels were measured on Pinch 9x9 (see
# LEVELS); for other games they are rough.
FIRST_LEVEL_RATING = 100

FIRST_LEVEL = 4.0  # of the adaptive opponent
FIRST_STEP, LAST_STEP = 2.0, 0.3  # in levels


@dataclass(frozen=True)
class PlayerRating:
    """A rating in one game.

    adapted: number of games against the adaptive opponent; level: its next level, not rounded.
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
        """Rates a finished game; returns a sentence about it.

        opponent: its rating; score: 1, 0.5 or 0 for the visitor; adapts: adaptive opponent.
        """
        record = self.records.get(game, PlayerRating())
        record = rated(record, opponent, score)
        if adapts:
            record = adapted(record, score)
        self.records[game] = record
        result = {1.0: "won", 0.5: "drew", 0.0: "lost"}[score]
        change = f"{record.change:+.0f}"
        return f"You {result}: your rating is {record.rating:.0f} ({change})."

    def resolve(self, game: str, level: m.Strength) -> m.Strength:
        """Replaces the adaptive level by the current numbered level."""
        return m.Strength(number=self.message(game).adaptive) if level.adaptive else level

    def message(self, game: str) -> m.Rating:
        """Returns the rating as a message part."""
        record = self.records.get(game, PlayerRating())
        return m.Rating(
            rating=round(record.rating),
            deviation=round(record.deviation),
            games=record.games,
            wins=record.wins,
            draws=record.draws,
            change=round(record.change),
            adaptive=round(record.level),
        )


def rating_of(level: m.Strength) -> int | None:
    """Returns the assumed rating of a level; None if only its time is known.

    A number of visits counts as the highest level with at most as many.
    """
    if level.number is not None:
        return FIRST_LEVEL_RATING + LEVELS[level.number - 1].elo
    if level.visits is None:
        return None
    below = [each.elo for each in LEVELS if each.visits <= level.visits]
    return FIRST_LEVEL_RATING + max(below)


def rated(record: PlayerRating, opponent: float, score: float) -> PlayerRating:
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


def adapted(record: PlayerRating, score: float) -> PlayerRating:
    """Returns the rating with the adaptive level raised after a win, lowered after a loss."""
    step = max(LAST_STEP, FIRST_STEP / (1 + record.adapted) ** 0.5)
    level = record.level + step * (2 * score - 1)
    return replace(record, level=min(len(LEVELS), max(1.0, level)), adapted=record.adapted + 1)
