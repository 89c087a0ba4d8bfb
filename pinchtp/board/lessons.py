"""The illustrated rules of the games: texts and examples are data, boards are drawn by our rules.

`page/rules/GAME.json` has sections with paragraphs, and examples: a position, and moves from it,
each with what is to be seen.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

import msgspec

from pinchtp.board import messages as m
from pinchtp.board.tree import RequestError
from pinchtp.board.view import board_message
from pinchtp.games import GAMES, Color, Game
from pinchtp.games.position import without_stones
from pinchtp.games.session import Session


class LessonStep(m.Part, frozen=True):
    """A board and what is to be seen on it."""

    board: m.BoardView
    caption: str
    move: str


class LessonSection(m.Part, frozen=True):
    """A section of the rules: paragraphs, and an example to step through (may be empty)."""

    heading: str
    paragraphs: list[str]
    steps: list[LessonStep]


class Rules(m.Message, frozen=True):
    """The illustrated rules of a game."""

    request: int
    game: str
    title: str
    sections: list[LessonSection]


class LessonMove(msgspec.Struct):
    """A move as people write it, and what is to be seen after it."""

    move: str
    caption: str


class LessonExample(msgspec.Struct):
    """A position and moves from it. black, white, black_kings, white_kings: points, as the board's
    letters name them.

    Without stones it is the usual start, with these options.
    """

    size: tuple[int, int]
    black: str
    white: str
    to_move: m.ColorName
    options: dict[str, bool | int]
    caption: str
    moves: list[LessonMove]
    black_kings: str = ""
    white_kings: str = ""


class LessonPart(msgspec.Struct):
    """A part of the page."""

    heading: str
    paragraphs: list[str]
    example: LessonExample | None = None


class Lesson(msgspec.Struct):
    """The page of a game. summary: in a sentence, for who chooses a game; introduction: in one or
    two, for who makes the first moves.
    """

    title: str
    summary: str
    introduction: str
    sections: list[LessonPart]


def has_lesson(game: str) -> bool:
    """Whether there is a page about a game."""
    return _file(game).is_file()


def lesson(game: str, request: int) -> Rules:
    """The page about a game. Raises RequestError if there is none."""
    if game not in GAMES or not has_lesson(game):
        raise RequestError(f"no rules page for {game!r}")
    return Rules(request, game, _read(game).title, _sections(game))


def summary(game: str) -> str:
    """What a game is, in a sentence; empty if there is no page about it."""
    return _read(game).summary if has_lesson(game) else ""


def introduction(game: str) -> str:
    """What somebody has to know who makes the first moves; empty if there is no page."""
    return _read(game).introduction if has_lesson(game) else ""


def _file(game: str) -> Traversable:
    return files("pinchtp.board") / "page" / "rules" / f"{game}.json"


@cache
def _read(name: str) -> Lesson:
    return msgspec.json.decode(_file(name).read_bytes(), type=Lesson)


@cache
def _sections(name: str) -> list[LessonSection]:
    return [
        LessonSection(
            heading=section.heading,
            paragraphs=section.paragraphs,
            steps=[] if section.example is None else _steps(GAMES[name], section.example),
        )
        for section in _read(name).sections
    ]


def _steps(game: Game, example: LessonExample) -> list[LessonStep]:
    """An example, board by board. Raises ValueError where it breaks the rules."""
    session = Session(game, *example.size, **example.options)
    if example.black or example.white or example.black_kings or example.white_kings:
        _set_up(session, example)
    steps = [LessonStep(board_message(session), example.caption, "")]
    for step in example.moves:
        session.play(session.to_move, *session.parse(step.move))
        steps.append(LessonStep(board_message(session), step.caption, step.move))
    return steps


def _set_up(session: Session, example: LessonExample) -> None:
    cells = without_stones(session.start.cells())
    pieces = (example.black, example.white, example.black_kings, example.white_kings)
    for cell, names in enumerate(pieces, start=1):
        for name in names.split():
            cells[_cell(session, name)] = cell
    session.set_up(session.position_of(bytes(cells), Color.read(example.to_move)))


def _cell(session: Session, name: str) -> int:
    """A point by the letter and number beside the board."""
    start, notation = session.start, session.game.notation
    rows = [notation.row_label(y) for y in range(start.height)]
    return rows.index(name[1:]) * start.width + notation.columns.index(name[0])
