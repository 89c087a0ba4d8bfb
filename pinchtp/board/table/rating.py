"""The visitor's rating from finished games, and an opponent that adjusts to win about half.

Ratings are Glickman's (Glicko-1, http://www.glicko.net/glicko/glicko.pdf), a game at a time. The
opponent that adjusts is a stochastic approximation (Robbins and Monro) on the logarithm of its
visits: a win of the visitor doubles them at first, later steps are smaller.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from pinchtp.board import messages as m

START, START_DEVIATION, LEAST_DEVIATION = 1000.0, 350.0, 60.0
ENGINE_DEVIATION = 50.0
_Q = math.log(10) / 400

# A doubling of visits is taken to be worth so much, and a visit with the network so many without.
# That is rough. Pinch 9x9, 84 games an engine, Elo within some 200 of: 10 visits by playouts -1165,
# 100 by playouts -580; with the network 2 visits -33, 10 +131, 40 +254, 150 +530, 600 +863. By
#   pinchtp match --size 9 --games 14 --time none --engine v2='pinchtp --size 9 --visits 2'
#   ... --engine r10='pinchtp --size 9 --visits 10 --network none' ...
# Other games were not measured.
ELO_PER_DOUBLING = 100.0
ELO_OF_ONE_VISIT = 600.0
NETWORK_WORTH = 500.0

FIRST_VISITS, MOST_VISITS = 40.0, 200_000.0
FIRST_STEP, LAST_STEP = 1.5, 0.4  # in doublings


@dataclass(frozen=True)
class Record:
    """What is known from the games of one kind. adapted: how many were against the opponent that
    adjusts, whose next visits are `visits`.
    """

    rating: float = START
    deviation: float = START_DEVIATION
    games: int = 0
    wins: int = 0
    draws: int = 0
    change: float = 0.0
    visits: float = FIRST_VISITS
    adapted: int = 0


class Ratings:
    """Records by the name of the game."""

    def __init__(self, records: dict[str, Record] | None = None) -> None:
        self.records = dict(records or {})

    def add(self, game: str, visits: float, score: float, *, adapts: bool) -> str:
        """A finished game against so many visits by playouts; score: 1, 0.5 or 0 for the visitor.

        Returns a sentence about it.
        """
        record = self.records.get(game, Record())
        record = rated(record, rating_of_visits(visits), score)
        if adapts:
            record = adapted(record, score)
        self.records[game] = record
        result = {1.0: "won", 0.5: "drew", 0.0: "lost"}[score]
        change = f"{record.change:+.0f}"
        return f"You {result}: your rating is {record.rating:.0f} ({change})."

    def message(self, game: str) -> m.Rating:
        """What the page is told."""
        record = self.records.get(game, Record())
        return m.Rating(
            rating=round(record.rating),
            deviation=round(record.deviation),
            games=record.games,
            wins=record.wins,
            draws=record.draws,
            change=round(record.change),
            adaptive=round(record.visits),
        )


def strength_of(level: m.Level, *, has_network: bool) -> float | None:
    """The visits by playouts that a level is worth; None if it is not told in visits.

    has_network: whether the engine has a network for the game.
    """
    if level.visits is None:
        return None
    return level.visits * (NETWORK_WORTH if has_network and not level.playouts else 1)


def level_of(strength: float, *, has_network: bool) -> m.Level:
    """A level that is worth so many visits by playouts; with a network at least two visits."""
    if has_network and strength >= 2 * NETWORK_WORTH:
        return m.Level(visits=round(strength / NETWORK_WORTH))
    return m.Level(visits=max(1, round(strength)), playouts=True)


def rating_of_visits(visits: float) -> int:
    """The rating that an engine with so many visits by playouts a move is taken to have."""
    return round(ELO_OF_ONE_VISIT + ELO_PER_DOUBLING * math.log2(max(visits, 1)))


def rated(record: Record, opponent: float, score: float) -> Record:
    """A record after a game against an opponent of that rating (Glicko-1)."""
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


def adapted(record: Record, score: float) -> Record:
    """A record whose opponent goes up after a win of the visitor, and down after a loss."""
    step = max(LAST_STEP, FIRST_STEP / (1 + record.adapted) ** 0.5)
    visits = record.visits * 2 ** (step * (2 * score - 1))
    return replace(record, visits=min(MOST_VISITS, max(1.0, visits)), adapted=record.adapted + 1)
