"""The levels of play, from a beginner who knows the rules to full strength, in one table.

A level below full strength plays moves that look good at a glance, as people do: after a search of
few visits it draws a move at random, and better moves are more likely.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from pinchtp._core import Choice, Proof

LEAST_SHARE = 1e-5  # of a move that nothing speaks for


@dataclass(frozen=True, slots=True)
class Level:
    """A level of play.

    visits: maximum per move in a game with a network; playouts: in a game without.
    temperature: how evenly the choice is drawn: moves count by their share of visits and priors to
    the power of one over this; 0: the best move is chosen. threats: whether wins in one move, and
    threats of them, are always seen. elo: strength above the first level, measured on Pinch 9x9
    with 10,000 visits per move for the last one (tools/lab/strength/README.md).
    """

    visits: int
    playouts: int
    temperature: float
    elo: int
    threats: bool = True

    @property
    def is_full_strength(self) -> bool:
        """Returns whether only time and visits limit it."""
        return self is FULL_STRENGTH

    def draw(self, choices: Sequence[Choice], random: Random) -> Choice:
        """Returns the choice of this level among those of a search, sorted best first."""
        is_proven = choices[0].proof in (Proof.WIN, Proof.LOSS)
        if self.temperature == 0 or is_proven:
            return choices[0]
        open_choices = [choice for choice in choices if choice.proof != Proof.LOSS]
        shares = move_shares(open_choices)
        weights = [max(share, LEAST_SHARE) ** (1 / self.temperature) for share in shares]
        return random.choices(open_choices, weights)[0]


NO_LIMIT = 2**31

# Each wins about 70 % of games against the one before it: see tools/lab/strength/README.md.
LEVELS = (
    Level(1, 10, 5.5, 0, threats=False),
    Level(1, 16, 3.6, 162, threats=False),
    Level(1, 25, 2.8, 285, threats=False),
    Level(1, 40, 2.25, 410, threats=False),
    Level(1, 60, 1.87, 570, threats=False),
    Level(1, 100, 1.61, 672, threats=False),
    Level(1, 160, 1.37, 791, threats=False),
    Level(1, 250, 1.16, 950, threats=False),
    Level(1, 400, 0.96, 1051, threats=False),
    Level(1, 600, 0.74, 1107, threats=False),
    Level(1, 1000, 0.45, 1242, threats=False),
    Level(5, 1600, 0.25, 1419),
    Level(10, 2500, 0.25, 1563),
    Level(25, 4000, 0.25, 1700),
    Level(68, 6000, 0.25, 1901),
    Level(200, 10_000, 0.2, 2080),
    Level(500, 16_000, 0.2, 2276),
    Level(1300, 25_000, 0.12, 2429),
    Level(3500, 40_000, 0, 2654),
    Level(NO_LIMIT, NO_LIMIT, 0, 2923),
)
FULL_STRENGTH = LEVELS[-1]


def move_shares(choices: Sequence[Choice]) -> list[float]:
    """Returns the weight of each choice: its visits, and the priors as one visit in all."""
    visits = 1 + sum(choice.visits for choice in choices)
    priors = normalized_priors(choices)
    return [(choice.visits + priors[choice.move]) / visits for choice in choices]


def normalized_priors(choices: Sequence[Choice]) -> dict[int, float]:
    """Returns the prior of each move; their sum is 1.

    A network gives one; random playouts do not, and the all-moves-as-first winrate takes its place.
    """
    promises = {choice.move: choice.prior for choice in choices}
    if not any(promises.values()):
        promises = {choice.move: choice.amaf for choice in choices}
    total = sum(promises.values())
    if total == 0:  # nothing promises anything
        return dict.fromkeys(promises, 1 / len(choices))
    return {move: promise / total for move, promise in promises.items()}
