"""The first message: the games, engines and levels."""

from __future__ import annotations

import msgspec

from pinchtp.board.protocol.base import Message, Part
from pinchtp.board.protocol.players import Strength


class OptionInfo(Part, frozen=True):
    """A rule option. least, most: the range of a number; None for a switch."""

    name: str
    help: str
    switch: bool
    default: bool | int
    opening: bool
    least: int | None = None
    most: int | None = None


class GameInfo(Part, frozen=True):
    """A game of the registry.

    size: default columns and rows. smallest, largest: the range of columns and rows.
    handicap: the maximum number of handicap stones.
    places: whether a move places a stone rather than moves a piece.
    summary: a sentence for the choice of a game. introduction: help for the first moves.
    cells: the cell values in the position editor (see BoardView.cells).
    lesson: whether there are illustrated rules (`ask-rules`).
    """

    name: str
    title: str
    size: tuple[int, int]
    smallest: int
    largest: int
    options: list[OptionInfo]
    handicap: int
    places: bool
    summary: str
    introduction: str
    cells: list[int]
    lesson: bool


class EngineInfo(Part, frozen=True):
    """An engine.

    console: whether this page may use its console. commands, overlays: its GTP commands and its
    drawings on the board; empty before it has started.
    """

    name: str
    console: bool = True
    commands: list[str] = msgspec.field(default_factory=list)
    overlays: list[OverlayInfo] = msgspec.field(default_factory=list)


class OverlayInfo(Part, frozen=True):
    """An overlay of an engine: its GTP command and its title.

    opening: whether it applies only to the start of a game.
    """

    command: str
    title: str
    opening: bool = False


class Hello(Message, frozen=True):
    """The first message, sent again after changes, such as the start of an engine.

    levels: the selectable opponents. served: whether other machines can open the board.
    """

    games: list[GameInfo]
    engines: list[EngineInfo]
    levels: list[Strength]
    served: bool
