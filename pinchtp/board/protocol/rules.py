"""The illustrated rules of a game."""

from __future__ import annotations

from pinchtp.board.protocol.base import Message, Part
from pinchtp.board.protocol.board import BoardView


class LessonStep(Part, frozen=True):
    """A board and its caption."""

    board: BoardView
    caption: str


class LessonSection(Part, frozen=True):
    """A section of the rules: paragraphs and the steps of an example, if any."""

    heading: str
    paragraphs: list[str]
    steps: list[LessonStep]


class Rules(Message, frozen=True):
    """The illustrated rules of a game."""

    request: int
    sections: list[LessonSection]
