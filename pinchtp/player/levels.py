"""The table of levels of play, from a beginner to full strength.

A level below full strength searches with few visits, and then draws a move at random. Better moves
are more likely.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from pinchtp._core import Choice, Proof

LEAST_SHARE = 1e-5  # of a move without visits and prior


@dataclass(frozen=True, slots=True)
class Level:
    """A level of play.

    visits: maximum visits per move in a game with a network.
    playouts: maximum visits per move in a game without a network.
    temperature: a move's weight is its share of visits and priors to the power of 1 / temperature;
    0: the best move is chosen.
    threats: whether wins in a single step, and threats of them, are always found; in Bushka they
    are not.
    elo: strength above the first level, measured on Pinch 9x9 with 10,000 visits per move for the
    last level (tools/lab/strength/README.md).
    """

    visits: int
    playouts: int
    temperature: float
    elo: int
    threats: bool = True

    @property
    def is_full_strength(self) -> bool:
        """Whether only the limits of the search limit the strength."""
        return self is FULL_STRENGTH

    def draw(self, choices: Sequence[Choice], random: Random) -> Choice:
        """Returns a random choice of this level. choices: of a search, best first."""
        is_proven = choices[0].proof in (Proof.WIN, Proof.LOSS)
        if self.temperature == 0 or is_proven:
            return choices[0]
        open_choices = [choice for choice in choices if choice.proof != Proof.LOSS]
        shares = move_shares(open_choices)
        weights = [max(share, LEAST_SHARE) ** (1 / self.temperature) for share in shares]
        return random.choices(open_choices, weights)[0]


NO_LIMIT = 2**31

# Each level wins about 70 % of games against the previous one; see tools/lab/strength/README.md.
LEVELS = (
    Level(1, 10, 5.5, 0, threats=False),
    Level(1, 16, 3.6, 205, threats=False),
    Level(1, 25, 2.8, 396, threats=False),
    Level(1, 40, 2.25, 543, threats=False),
    Level(1, 60, 1.87, 682, threats=False),
    Level(1, 100, 1.61, 789, threats=False),
    Level(1, 160, 1.37, 928, threats=False),
    Level(1, 250, 1.16, 1036, threats=False),
    Level(1, 400, 0.96, 1081, threats=False),
    Level(1, 600, 0.74, 1151, threats=False),
    Level(1, 1000, 0.45, 1286, threats=False),
    Level(5, 1600, 0.25, 1382),
    Level(10, 2500, 0.25, 1529),
    Level(25, 4000, 0.25, 1744),
    Level(68, 6000, 0.25, 1979),
    Level(200, 10_000, 0.2, 2156),
    Level(500, 16_000, 0.2, 2338),
    Level(1300, 25_000, 0.12, 2485),
    Level(3500, 40_000, 0, 2767),
    Level(NO_LIMIT, NO_LIMIT, 0, 2997),
)
FULL_STRENGTH = LEVELS[-1]


def move_shares(choices: Sequence[Choice]) -> list[float]:
    """Returns the share of each choice in the visits, with the priors as one additional visit."""
    visits = 1 + sum(choice.visits for choice in choices)
    priors = normalized_priors(choices)
    return [(choice.visits + priors[choice.move]) / visits for choice in choices]


def normalized_priors(choices: Sequence[Choice]) -> dict[int, float]:
    """Returns the prior of each move; their sum is 1.

    Without a network, the all-moves-as-first winrate replaces the prior.
    """
    priors = {choice.move: choice.prior for choice in choices}
    if not any(priors.values()):
        priors = {choice.move: choice.amaf for choice in choices}
    total = sum(priors.values())
    if total == 0:
        return dict.fromkeys(priors, 1 / len(choices))
    return {move: prior / total for move, prior in priors.items()}
