"""The first message: games, engines, levels."""

from __future__ import annotations

import msgspec

from pinchtp.board.messages.base import (
    ColorName,
    Message,
    Part,
)
from pinchtp.board.messages.players import (
    Level,
)


class OptionInfo(Part, frozen=True):
    """A rule that can be agreed on. least, most: of a number; None for a switch."""

    name: str
    help: str
    switch: bool
    default: bool | int
    opening: bool
    least: int | None = None
    most: int | None = None


class GameInfo(Part, frozen=True):
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
    first: ColorName
    summary: str
    introduction: str
    cells: list[int]
    lesson: bool


class EngineInfo(Part, frozen=True):
    """An engine. command: how it was attached; empty for ours. Those below are known once it has
    been started: commands are those of list_commands, overlays what it can draw on the board.
    """

    name: str
    command: str = ""
    started: bool = False
    version: str = ""
    commands: list[str] = msgspec.field(default_factory=list)
    overlays: list[OverlayInfo] = msgspec.field(default_factory=list)


class OverlayInfo(Part, frozen=True):
    """Something an engine can draw. command: what asks for it; title: for people."""

    command: str
    title: str


class Hello(Message, frozen=True):
    """The first message, sent again if something in it changes (an engine was started).

    levels: the opponents to choose from.
    """

    version: str
    games: list[GameInfo]
    engines: list[EngineInfo]
    levels: list[Level]
