"""The rules file of a game, `page/rules/GAME.json`.

It has notes for the first time that a rule applies, and sections with paragraphs and examples: a
position, and moves from it with captions.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import msgspec

from pinchtp.board.protocol.base import ColorName


class TaughtRule(msgspec.Struct):
    """A note that explains a rule when it first applies.

    rule: its name, which pages store after showing the note. points: the points that illustrate it,
    a name in rule_notes.py. text: the explanation; `{mover}` is replaced by the color that moved.
    """

    rule: str
    points: str
    text: str


class LessonMove(msgspec.Struct):
    """A move in text form, and the caption after it."""

    move: str
    caption: str


class LessonExample(msgspec.Struct):
    """A position and moves from it.

    black, white, black_kings, white_kings: names of points. Without stones it is the start position
    with these options.
    """

    size: tuple[int, int]
    black: str
    white: str
    to_move: ColorName
    options: dict[str, bool | int]
    caption: str
    moves: list[LessonMove]
    black_kings: str = ""
    white_kings: str = ""


class LessonPart(msgspec.Struct):
    """A section of the rules file."""

    heading: str
    paragraphs: list[str]
    example: LessonExample | None = None


class RulesFile(msgspec.Struct):
    """The rules file of a game; empty for a game without one.

    summary: a sentence for the choice of a game. introduction: help for the first moves. notes: the
    most urgent first.
    """

    summary: str = ""
    introduction: str = ""
    notes: list[TaughtRule] = []
    sections: list[LessonPart] = []


@cache
def read_rules(game: str) -> RulesFile:
    """Returns the rules file of a game of the registry."""
    file = files("pinchtp.board") / "page" / "rules" / f"{game}.json"
    return msgspec.json.decode(file.read_bytes(), type=RulesFile) if file.is_file() else RulesFile()
