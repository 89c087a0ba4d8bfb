"""The illustrated rules of the games: sections of the rules files, with the boards of examples."""

from __future__ import annotations

from functools import cache

from pinchtp.board.protocol.rules import LessonSection, LessonStep, Rules
from pinchtp.board.rules_file import LessonExample, read_rules
from pinchtp.board.tree import RequestError
from pinchtp.board.view import describe_board
from pinchtp.games import GAMES, Color, GameType
from pinchtp.games.game import without_stones
from pinchtp.games.session import Session


def describe_rules(game: str, request: int) -> Rules:
    """Returns the illustrated rules of a game. Raises RequestError if it has none."""
    if game not in GAMES or not read_rules(game).sections:
        raise RequestError(f"no rules page for {game!r}")
    return Rules(request, _show_sections(game))


@cache
def _show_sections(name: str) -> list[LessonSection]:
    return [
        LessonSection(
            heading=section.heading,
            paragraphs=section.paragraphs,
            steps=[] if section.example is None else _play_example(GAMES[name], section.example),
        )
        for section in read_rules(name).sections
    ]


def _play_example(game: GameType, example: LessonExample) -> list[LessonStep]:
    """Returns the steps of an example. Raises ValueError for illegal moves."""
    session = Session(game, *example.size, **example.options)
    if example.black or example.white or example.black_kings or example.white_kings:
        _set_up(session, example)
    steps = [LessonStep(describe_board(session), example.caption)]
    for step in example.moves:
        session.play(session.to_move, *session.parse(step.move))
        steps.append(LessonStep(describe_board(session), step.caption))
    return steps


def _set_up(session: Session, example: LessonExample) -> None:
    cells = without_stones(session.start.cells())
    pieces = (example.black, example.white, example.black_kings, example.white_kings)
    for cell, names in enumerate(pieces, start=1):
        for name in names.split():
            cells[_find_cell(session, name)] = cell
    session.set_up(session.position_of(bytes(cells), Color.read(example.to_move)))


def _find_cell(session: Session, name: str) -> int:
    """Returns the cell of a point, named by the board's coordinates."""
    start = session.start
    notation = session.game.notation
    rows = [notation.row_label(y) for y in range(start.height)]
    return rows.index(name[1:]) * start.width + notation.columns.index(name[0])
