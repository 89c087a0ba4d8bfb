"""The illustrated rules of a game."""

from __future__ import annotations

from pinchtp.board.messages.base import (
    Message,
    Part,
)
from pinchtp.board.messages.table import (
    Board,
)


class LessonStep(Part, frozen=True):
    """A board and what is to be seen on it."""

    board: Board
    caption: str
    move: str


class LessonSection(Part, frozen=True):
    """A section of the rules: paragraphs, and an example to step through (may be empty)."""

    heading: str
    paragraphs: list[str]
    steps: list[LessonStep]


class Rules(Message, frozen=True):
    """The illustrated rules of a game."""

    request: int
    game: str
    title: str
    sections: list[LessonSection]
