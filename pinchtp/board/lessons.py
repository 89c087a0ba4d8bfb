"""The illustrated rules of the games.

`page/rules/GAME.json` has sections with paragraphs and examples: a position, and moves from it with
captions. Boards are computed by our rules.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

import msgspec

from pinchtp.board import messages as m
from pinchtp.board.tree import RequestError
from pinchtp.board.view import board_message
from pinchtp.games import GAMES, Color, GameType
from pinchtp.games.game import without_stones
from pinchtp.games.session import Session


class LessonStep(m.Part, frozen=True):
    """A board and its caption."""

    board: m.BoardView
    caption: str
    move: str


class LessonSection(m.Part, frozen=True):
    """A section of the rules: paragraphs and the steps of an example, if any."""

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
    """A move in text form, and the caption after it."""

    move: str
    caption: str


class LessonExample(msgspec.Struct):
    """A position and moves from it.

    black, white, black_kings, white_kings: point names. Without stones it is the initial position
    with these options.
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
    """A section of the rules file."""

    heading: str
    paragraphs: list[str]
    example: LessonExample | None = None


class Lesson(msgspec.Struct):
    """The rules file of a game.

    summary: one sentence for the choice of a game; introduction: help for the first moves. notes:
    by rule, shown where it first comes up, the most urgent first; see page/notes.js.
    """

    title: str
    summary: str
    introduction: str
    notes: dict[str, str]
    sections: list[LessonPart]


def has_lesson(game: str) -> bool:
    """Returns whether a game has a rules file."""
    return _file(game).is_file()


def lesson(game: str, request: int) -> Rules:
    """Returns the illustrated rules of a game. Raises RequestError if it has none."""
    if game not in GAMES or not has_lesson(game):
        raise RequestError(f"no rules page for {game!r}")
    return Rules(request, game, _read(game).title, _sections(game))


def summary(game: str) -> str:
    """Returns a one-sentence summary of a game, or an empty string."""
    return _read(game).summary if has_lesson(game) else ""


def introduction(game: str) -> str:
    """Returns help for the first moves, or an empty string."""
    return _read(game).introduction if has_lesson(game) else ""


def notes(game: str) -> dict[str, str]:
    """Returns the notes on rules as they come up; `{mover}` stands for the color that moved."""
    return _read(game).notes if has_lesson(game) else {}


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


def _steps(game: GameType, example: LessonExample) -> list[LessonStep]:
    """Returns the steps of an example. Raises ValueError for illegal moves."""
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
    """Returns the name of a point in the board's coordinates."""
    start = session.start
    notation = session.game.notation
    rows = [notation.row_label(y) for y in range(start.height)]
    return rows.index(name[1:]) * start.width + notation.columns.index(name[0])
