"""The first message: available games, engines and levels."""

from __future__ import annotations

from functools import cache

from pinchtp.base.option_types import Int
from pinchtp.board.protocol.hello import GameInfo, OptionInfo
from pinchtp.board.protocol.players import Strength
from pinchtp.board.rating import find_rating
from pinchtp.board.rules_file import read_rules
from pinchtp.board.table import ADAPTS
from pinchtp.games import GAMES, GameType, RuleOption
from pinchtp.games.game import BANNED, NO_CELL
from pinchtp.games.handicap import MOST_FIXED
from pinchtp.player.levels import LEVELS

_SECONDS = (5.0, 15.0)  # per move at full strength; the highest level takes 1 s


@cache
def describe_games() -> list[GameInfo]:
    """Returns the games in the order of the registry."""
    return [_describe_game(game) for game in GAMES.values()]


@cache
def list_levels() -> list[Strength]:
    """Returns the selectable opponents: adaptive, the levels, and full strength with more time."""
    return [
        Strength(ADAPTS, adaptive=True),
        *(
            Strength(f"Level {number}", number=number, rating=find_rating(Strength(number=number)))
            for number in range(1, len(LEVELS) + 1)
        ),
        *(Strength(f"{seconds:g} s per move", seconds=seconds) for seconds in _SECONDS),
    ]


def _describe_game(game: GameType) -> GameInfo:
    rules = read_rules(game.name)
    return GameInfo(
        name=game.name,
        title=game.title,
        size=game.size,
        smallest=game.smallest,
        largest=game.largest,
        options=[_describe_option(option) for option in game.options],
        handicap=MOST_FIXED if game.handicap else 0,
        places=game.places_stones,
        summary=rules.summary or game.goal,
        introduction=rules.introduction,
        cells=[cell for cell in game.cells if cell not in (NO_CELL, BANNED)],
        lesson=bool(rules.sections),
    )


def _describe_option(option: RuleOption) -> OptionInfo:
    number = option.type if isinstance(option.type, Int) else None
    return OptionInfo(
        name=option.name,
        help=option.help,
        switch=option.is_switch,
        default=option.default,
        opening=option.opening,
        least=None if number is None else number.least,
        most=None if number is None else number.most,
    )
