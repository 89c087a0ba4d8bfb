"""The stored games, and games for files."""

from __future__ import annotations

from typing import Literal

import msgspec

from pinchtp.board.protocol.base import ColorName, Message, Part
from pinchtp.board.protocol.board import BoardView
from pinchtp.board.protocol.review import ListedMistake


class GameSummary(Part, frozen=True):
    """A game in the library, as it was played: tried variations are not counted or shown.

    id: 16 hexadecimal digits. title: given by the visitor, or empty. stored, played: Unix times in
    seconds, of the storage and of the last move; played is 0 of a file that was loaded.
    black, white: names of the players, with an engine's level. human: the color of the only human
    without a name. result: a sentence; result and winner are empty if unfinished. lessons: the
    worst moves of each person, by its last review.
    """

    id: str
    title: str
    game: str
    date: str
    black: str
    white: str
    result: str
    moves: int
    board: BoardView
    stored: int
    played: int
    human: ColorName | None = None
    winner: Literal["black", "white", "draw", ""] = ""
    lessons: list[ListedMistake] = msgspec.field(default_factory=list)


class Games(Message, frozen=True):
    """The games in the library, the last played one first, without the current one."""

    request: int
    games: list[GameSummary]


class GameStored(Message, frozen=True):
    """The previous game was stored in the library, where `open-game` finds it."""

    game: str


class Exported(Message, frozen=True):
    """An exported game or board. name: suggested file name."""

    request: int
    kind: str
    name: str
    text: str
