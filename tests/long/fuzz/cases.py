"""Fuzz cases: a game with its rule options, on a board, with player settings."""

from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple

from fuzz.source import Source

from pinchtp._core import MAX_SIZE, MIN_SIZE
from pinchtp.games import GAMES
from pinchtp.games.notation import SwapSpelling
from pinchtp.player.levels import LEVELS
from pinchtp.player.settings import AUTO, PACKAGED, PLAYOUTS

FEW_POINTS = 100  # largest board on which networks are fast enough
SMALL = [(3, 3), (2, 2), (2, 3), (4, 3), (5, 5), (9, 4)]


class Case(NamedTuple):
    """A game with values for all of its rule options, on a board."""

    game: str
    width: int
    height: int
    rules: dict[str, bool]

    @property
    def points(self) -> int:
        return self.width * self.height

    @property
    def exists(self) -> bool:
        """Whether the board is large enough for the rules."""
        try:
            GAMES[self.game].start(self.width, self.height, **self.rules)
        except ValueError:
            return False
        return True

    @property
    def settings(self) -> dict[str, Any]:
        return {"game": self.game, "size": (self.width, self.height), **self.rules}


def _cases() -> Iterator[Case]:
    sides = range(MIN_SIZE, MAX_SIZE + 1)
    for width, height in sorted(product(sides, sides), key=lambda size: (min(size), max(size))):
        for game in GAMES.values():
            if game.smallest <= min(width, height) and max(width, height) <= game.largest:
                names = [option.name for option in game.options]
                for values in product([False, True], repeat=len(names)):
                    found = Case(game.name, width, height, dict(zip(names, values, strict=True)))
                    if found.exists:
                        yield found


CASES = list(_cases())
"""Every game with all rule options on every supported board, thin boards first."""


def case(source: Source) -> Case:
    """Chooses a case, usually on a small board."""
    chosen = _any_case(source)
    return chosen if chosen.exists else chosen._replace(width=MAX_SIZE)


def _any_case(source: Source) -> Case:
    game = GAMES[source.choice(list(GAMES))]
    rules = {option.name: bool(source.below(2)) for option in game.options}
    if game.smallest == game.largest:
        return Case(game.name, *game.size, rules)
    kind = source.below(4)
    if kind < 2:
        return Case(game.name, *source.choice(SMALL), rules)
    thin, long = MIN_SIZE + source.below(3), MIN_SIZE + source.below(MAX_SIZE - MIN_SIZE + 1)
    if kind == 2:
        return Case(game.name, *((thin, long) if source.below(2) else (long, thin)), rules)
    return Case(game.name, long, MIN_SIZE + source.below(MAX_SIZE - MIN_SIZE + 1), rules)


def player(source: Source, case: Case) -> dict[str, Any]:
    """Chooses player settings: search, level, and limits on visits, time or both."""
    is_small = case.points <= FEW_POINTS
    visits = source.choice([8, 1, 50, None])
    return {
        "visits": visits,
        "time": source.choice([0.002, 0.02] if visits is None else [None, 0.002, 0.02]),
        "level": source.choice([len(LEVELS), 1 + source.below(len(LEVELS))]),
        "search": source.choice([AUTO, *GAMES[case.game].searches]),
        "network": source.choice([PLAYOUTS, PACKAGED]) if is_small else PLAYOUTS,
        "threads": source.choice([1, 1, 1, 2]),
        "swap_as": source.choice(list(SwapSpelling)),
        "move_parts": bool(source.below(2)),
        "seed": 1,
        "memory": 1,
        "files": False,
    }
