"""The stored games, and exported games."""

from __future__ import annotations

from typing import Literal

import msgspec

from pinchtp.board.protocol.base import ColorName, Message, Part
from pinchtp.board.protocol.board import BoardView
from pinchtp.board.protocol.review import ListedMistake


class GameSummary(Part, frozen=True):
    """A game in the library, without variations that were only tried.

    id: 16 hexadecimal digits.
    title: the title given by the visitor, or empty.
    black, white: the names of the players, with the level of an engine.
    result: a sentence. result and winner are empty if the game is unfinished.
    width, height, moves: the size of the board and the number of moves.
    board: its last position; None in the list, see ask_picture.
    stored, played: the Unix times of the storage and of the last move, in seconds; played is 0 for
    a loaded file.
    human: the color of the only human without a name, or None.
    lessons: the worst moves of each human, from the last review.
    """

    id: str
    title: str
    game: str
    date: str
    black: str
    white: str
    result: str
    width: int
    height: int
    moves: int
    stored: int
    played: int
    board: BoardView | None = None
    human: ColorName | None = None
    winner: Literal["black", "white", "draw", ""] = ""
    lessons: list[ListedMistake] = msgspec.field(default_factory=list)


class Games(Message, frozen=True):
    """The games in the library, the last played game first, without the current game."""

    request: int
    games: list[GameSummary]


class GamePicture(Message, frozen=True):
    """The last position of a game in the library."""

    request: int
    board: BoardView


class GameStored(Message, frozen=True):
    """The previous game was stored in the library, where `open-game` finds it."""

    game: str


class Exported(Message, frozen=True):
    """An exported game or board. name: the suggested file name. text: base64 of an animation."""

    request: int
    name: str
    text: str
