"""What the page knows of the games: all of it from the registry."""

from __future__ import annotations

from functools import cache

from pinchtp.base.options import Whole
from pinchtp.board import messages as m
from pinchtp.board.table.lessons import has_lesson, introduction, summary
from pinchtp.board.table.rating import rating_of
from pinchtp.board.table.table import ADAPTS
from pinchtp.board.table.view import COLOR_NAMES
from pinchtp.games import GAMES, Game, RuleOption
from pinchtp.games.handicap import MOST_FIXED
from pinchtp.games.position import NO_CELL
from pinchtp.player.levels import LEVELS

_SECONDS = (5.0, 15.0)  # of a move at full strength, beside the highest level with its usual second


@cache
def game_infos() -> list[m.GameInfo]:
    """The games, in the order of the registry."""
    return [_info(game) for game in GAMES.values()]


@cache
def levels() -> list[m.Level]:
    """The opponents to choose from: one that adjusts, the levels, full strength with more time."""
    return [
        m.Level(ADAPTS, adaptive=True),
        *(
            m.Level(f"Level {number}", number=number, rating=rating_of(m.Level(number=number)))
            for number in range(1, len(LEVELS) + 1)
        ),
        *(m.Level(f"{seconds:g} s a move", seconds=seconds) for seconds in _SECONDS),
    ]


def _info(game: Game) -> m.GameInfo:
    return m.GameInfo(
        name=game.name,
        title=game.title,
        size=game.size,
        smallest=game.smallest,
        largest=game.largest,
        options=[_option(option) for option in game.options],
        handicap=MOST_FIXED if game.handicap else 0,
        swaps=game.swaps,
        places=game.places,
        sides=game.sides,
        first=COLOR_NAMES[game.first],
        summary=summary(game.name) or game.goal,
        introduction=introduction(game.name),
        cells=[cell for cell in game.cells if cell != NO_CELL],
        lesson=has_lesson(game.name),
    )


def _option(option: RuleOption) -> m.OptionInfo:
    number = option.kind if isinstance(option.kind, Whole) else None
    return m.OptionInfo(
        name=option.name,
        help=option.help,
        switch=option.is_switch,
        default=option.default,
        opening=option.opening,
        least=None if number is None else number.least,
        most=None if number is None else number.most,
    )
