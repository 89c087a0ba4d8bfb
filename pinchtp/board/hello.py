"""The first message: available games, engines and levels."""

from __future__ import annotations

from functools import cache

from pinchtp.base.option_types import Int
from pinchtp.board import messages as m
from pinchtp.board.rating import rating_of
from pinchtp.board.rules_file import read_rules
from pinchtp.board.table import ADAPTS
from pinchtp.board.view import COLOR_NAMES
from pinchtp.games import GAMES, GameType, RuleOption
from pinchtp.games.game import NO_CELL
from pinchtp.games.handicap import MOST_FIXED
from pinchtp.player.levels import LEVELS

_SECONDS = (5.0, 15.0)  # per move at full strength; the highest level takes 1 s


class OptionInfo(m.Part, frozen=True):
    """An optional rule. least, most: range of a number; None for a switch."""

    name: str
    help: str
    switch: bool
    default: bool | int
    opening: bool
    least: int | None = None
    most: int | None = None


class GameInfo(m.Part, frozen=True):
    """A game of the registry.

    size: default columns and rows; smallest, largest: limits of both. handicap: maximum number of
    handicap stones. places: whether a move places a stone rather than moves one. sides: whether
    each player owns two sides. summary: one sentence for the choice of a game; introduction: help
    for the first moves. cells: allowed cell values in the position editor (see
    BoardView.cells). lesson: whether illustrated rules exist (`ask-rules`).
    """

    name: str
    title: str
    size: tuple[int, int]
    smallest: int
    largest: int
    options: list[OptionInfo]
    handicap: int
    places: bool
    sides: bool
    first: m.ColorName
    summary: str
    introduction: str
    cells: list[int]
    lesson: bool


class Hello(m.Message, frozen=True):
    """The first message, sent again after changes, such as the start of an engine.

    levels: the selectable opponents. served: whether other machines can open the board.
    """

    version: str
    games: list[GameInfo]
    engines: list[m.EngineInfo]
    levels: list[m.Strength]
    served: bool


@cache
def game_infos() -> list[GameInfo]:
    """Returns the games in the order of the registry."""
    return [_info(game) for game in GAMES.values()]


@cache
def levels() -> list[m.Strength]:
    """Returns the selectable opponents: adaptive, the levels, full strength with more time."""
    return [
        m.Strength(ADAPTS, adaptive=True),
        *(
            m.Strength(
                f"Level {number}", number=number, rating=rating_of(m.Strength(number=number))
            )
            for number in range(1, len(LEVELS) + 1)
        ),
        *(m.Strength(f"{seconds:g} s per move", seconds=seconds) for seconds in _SECONDS),
    ]


def _info(game: GameType) -> GameInfo:
    taught = read_rules(game.name)
    return GameInfo(
        name=game.name,
        title=game.title,
        size=game.size,
        smallest=game.smallest,
        largest=game.largest,
        options=[_option(option) for option in game.options],
        handicap=MOST_FIXED if game.handicap else 0,
        places=game.places_stones,
        sides=game.sides,
        first=COLOR_NAMES[game.first],
        summary=taught.summary or game.goal,
        introduction=taught.introduction,
        cells=[cell for cell in game.cells if cell != NO_CELL],
        lesson=bool(taught.sections),
    )


def _option(option: RuleOption) -> OptionInfo:
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
