"""The first message: which games, engines and levels there are."""

from __future__ import annotations

from functools import cache

from pinchtp.base.options import Int
from pinchtp.board import messages as m
from pinchtp.board.lessons import has_lesson, introduction, summary
from pinchtp.board.rating import rating_of
from pinchtp.board.table import ADAPTS
from pinchtp.board.view import COLOR_NAMES
from pinchtp.games import GAMES, Game, RuleOption
from pinchtp.games.handicap import MOST_FIXED
from pinchtp.games.position import NO_CELL
from pinchtp.player.levels import LEVELS

_SECONDS = (5.0, 15.0)  # of a move at full strength, beside the highest level with its usual second


class OptionInfo(m.Part, frozen=True):
    """A rule that can be agreed on. least, most: of a number; None for a switch."""

    name: str
    help: str
    switch: bool
    default: bool | int
    opening: bool
    least: int | None = None
    most: int | None = None


class GameInfo(m.Part, frozen=True):
    """A game of the registry.

    size: columns and rows, usually; smallest, largest: of either. handicap: how many black stones
    in advance can be chosen, 0 if none. swaps: whether a pie rule can be agreed. places: whether a
    turn puts a stone on the board, rather than move one. sides: whether each player owns two sides.
    summary: what it is, for who chooses a game; introduction: what to know at the first moves.
    cells: what can stand on a point in set-up mode (see Board.cells). lesson: whether there are
    illustrated rules (request `ask-rules`).
    """

    name: str
    title: str
    size: tuple[int, int]
    smallest: int
    largest: int
    options: list[OptionInfo]
    handicap: int
    swaps: bool
    places: bool
    sides: bool
    first: m.ColorName
    summary: str
    introduction: str
    cells: list[int]
    lesson: bool


class Hello(m.Message, frozen=True):
    """The first message, sent again if something in it changes (an engine was started).

    levels: the opponents to choose from.
    """

    version: str
    games: list[GameInfo]
    engines: list[m.EngineInfo]
    levels: list[m.Strength]


@cache
def game_infos() -> list[GameInfo]:
    """The games, in the order of the registry."""
    return [_info(game) for game in GAMES.values()]


@cache
def levels() -> list[m.Strength]:
    """The opponents to choose from: one that adjusts, the levels, full strength with more time."""
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


def _info(game: Game) -> GameInfo:
    return GameInfo(
        name=game.name,
        title=game.title,
        size=game.size,
        smallest=game.smallest,
        largest=game.largest,
        options=[_option(option) for option in game.options],
        handicap=MOST_FIXED if game.handicap else 0,
        swaps=game.swaps,
        places=game.places_stones,
        sides=game.sides,
        first=COLOR_NAMES[game.first],
        summary=summary(game.name) or game.goal,
        introduction=introduction(game.name),
        cells=[cell for cell in game.cells if cell != NO_CELL],
        lesson=has_lesson(game.name),
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
