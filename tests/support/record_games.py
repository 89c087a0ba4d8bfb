"""Games and records for the tests of records."""

import random
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from clients import FOLDER
from sgfmill import sgf

from pinchtp._core import PASS, SWAP
from pinchtp.games import GAMES, Color, GameType, Position, RuleValue
from pinchtp.games.history import PlayedMove
from pinchtp.games.notation import format_move, parse_move
from pinchtp.games.session import Session
from pinchtp.records.game import RecordedGame, RecordedTree, Usual
from pinchtp.records.reader import read_sgf
from pinchtp.records.sgf import to_sgf
from pinchtp.records.sgf.syntax import parse_first, text_value

DATA = FOLDER / "data" / "sgf"
PINCH = GAMES["pinch"]

REFUSED_FILES = {
    "chess": "GM[3] is another game",
    "go": "a record of Go with its points, RE[B+2.5], not of pinch",
    "littlegolem": "move 2: this game is played without the pie rule",
    "torn": "invalid SGF: line 1, column 42: '[' of a value without a closing ']'",
}


def from_sgf(data: str | bytes, game: GameType, **options: RuleValue) -> RecordedGame:
    """Returns the main line of the first game, which has to be of this game."""
    return read_sgf(data, Usual(game, options, is_required=True))[0].read()


def read(data: str | bytes, game: GameType = PINCH, *, pie: bool = True) -> RecordedGame:
    return from_sgf(data, game, pie=pie)


def lines(record: RecordedTree) -> Iterator[tuple[PlayedMove, ...]]:
    """Yields the histories of all lines, the main line first."""
    waiting = [(record.main[0], tuple[PlayedMove, ...]())]
    while waiting:
        node, before = waiting.pop()
        line = before + node.entries
        if not node.children:
            yield line
        waiting += [(child, line) for child in reversed(node.children)]


def loaded(data: str | bytes, before: int | None = None, *, pie: bool = True) -> Session:
    """Returns a session of another size and with moves, after it has loaded a record."""
    session = played("b2", width=3, height=3)
    read(data, pie=pie).load_into(session, before)
    return session


def played(*moves: str, width: int = 5, height: int = 5, pie: bool = True) -> Session:
    """Returns a game of Pinch with these moves, which may include `resign`."""
    session = Session(PINCH, width, height, pie=pie)
    for move in moves:
        if move == "resign":
            session.resign(session.to_move)
        else:
            session.play(session.to_move, parse_move(move, session.position))
    return session


def moves(session: Session) -> list[str]:
    """Returns the moves as text: `black E5`, `white resign`."""
    return [
        f"{turn.color} {'resign' if turn.move is None else format_move(turn.move)}"
        for turn in session.history
    ]


def in_one_line(session: Session) -> str:
    return to_sgf(session).replace("\n", "")


ANEW = {"CA", "FF", "GM", "RU", "AB", "AW", "AE", "PL", "GN"}  # set by the writer


def texts_in(record: str | bytes) -> set[tuple[str, str]]:
    """Returns the names and texts of a file's first game, except ANEW."""
    waiting = [parse_first(record)]
    found: set[tuple[str, str]] = set()
    while waiting:
        tree = waiting.pop()
        waiting += tree.children
        for node in tree.nodes:
            for name in node.keys() - ANEW:
                found.update((name, text_value(value)) for value in node[name])
    return found


def properties(session: Session) -> dict[str, str]:
    """Returns the root properties of a session's record, as read by sgfmill."""
    root = sgf.Sgf_game.from_string(to_sgf(session)).get_root()
    return {name: root.get_raw(name).decode() for name in root.properties()}


NO_POINT = 255  # in Position.cells()
SIDES = (2, 3, 4, 5, 7, 9, 13, 20)


def random_session(game: GameType, rng: random.Random, *, square: bool = False) -> Session:
    """Returns a game on any board, under any options, from any start and of any length.

    It may end within a turn, by resignation, or with passes after its end.
    """
    width, height = game.size
    if game.smallest < game.largest:
        width = rng.choice(SIDES)
        height = width if square else rng.choice(SIDES)
    options = {option.name: rng.random() < 0.5 for option in game.options}
    if max(width, height) < 4:
        options.pop("crosscut", None)
    session = Session(game, width, height, **options)
    if rng.random() < 0.4:
        session.set_up(random_start(game, width, height, rng))
    points = width * height
    play_randomly(session, rng.choice([0, 1, 2, 3, points // 2, 4 * points]), rng)
    if not session.is_over and rng.random() < 0.3:
        session.resign(rng.choice(list(Color)), **random_remarks(rng))
    for _ in range(rng.randrange(3) if session.is_over else 0):
        session.play(rng.choice(list(Color)), PASS)
    return session


def random_start(game: GameType, width: int, height: int, rng: random.Random) -> Position:
    """Returns a board of a random game in which some points were changed to anything possible."""
    session = Session(game, width, height, pie=False)
    play_randomly(session, rng.randrange(width * height), rng)
    kinds = bytes(set(game.cells) - {NO_POINT})
    for _ in range(30):
        cells = bytearray(session.start.cells() if session.is_over else session.position.cells())
        for at in rng.sample(range(len(cells)), rng.randint(0, len(cells) // 3)):
            cells[at] = NO_POINT if cells[at] == NO_POINT else rng.choice(kinds)
        swapped = game.sides and rng.random() < 0.5
        with suppress(ValueError):  # not a possible position
            color = rng.choice(list(Color))
            return game.set_up(width, height, bytes(cells), color, swapped=swapped)
    return session.start


def play_randomly(session: Session, steps: int, rng: random.Random) -> None:
    """Plays a limited number of random moves or steps, with remarks; swaps often."""
    for _ in range(steps):
        if session.is_over:
            return
        legal = session.position.legal_moves()
        move = SWAP if SWAP in legal and rng.random() < 0.5 else rng.choice(legal)
        session.play(session.to_move, move, **random_remarks(rng))


def random_remarks(rng: random.Random) -> dict[str, Any]:
    winrate = rng.choice([None, round(rng.random(), 4), 0.0, 1.0])
    return {"winrate": winrate, "comment": rng.choice(["", "", "](;B[aa]\\", "Zwei\nZeilen: ½"])}


def assert_read_back(session: Session) -> str:
    """Asserts that a game's record is read as the same game; returns the record."""
    game = session.game
    text = to_sgf(session, "2026-11-21")
    again = Session(game, *game.size, pie=game.swaps)
    read(text, game, pie=False).load_into(again)
    assert again.start == session.start, text
    assert again.start.cells() == session.start.cells()
    assert again.turns() == session.turns()
    assert (again.resigned, again.winner) == (session.resigned, session.winner)
    assert (again.position, again.to_move) == (session.position, session.to_move)
    assert to_sgf(again, "later") == text
    return text
